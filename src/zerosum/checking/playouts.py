"""Random games, with every law about single positions tested on the way."""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from typing import Any

from zerosum.checking.boards import BoardLaws
from zerosum.checking.clocks import ClockLaws
from zerosum.checking.keys import Keys
from zerosum.checking.notation import NotationLaws
from zerosum.checking.plausibility import Plausibility
from zerosum.checking.report import Broken, CheckLog, Played, is_whole
from zerosum.checking.rule_calls import RuleCaller
from zerosum.checking.visits import Visits
from zerosum.game import CHANCE, MAX, MIN, MOVE_LIMIT, PROBABILITY_TOLERANCE, WIN, Game
from zerosum.search.values import WON

LONGEST = 1000
"""Plies after which a game is abandoned: no search goes deeper either."""

SOME_MOVES = 4
"""Laws about moves are tested on this many of a position's moves, different ones each time."""

LARGEST_VALUE = 2**31
"""Values have 32 bits in the transposition table."""

LARGEST_ORDER = 2**40
"""Ordering scores are packed above 20 bits of history."""


class Playouts:
    """Plays random games and records every breach of the contract that shows in a position."""

    def __init__(self, game: Game, log: CheckLog) -> None:
        self.game = game
        self.log = log
        self.chance = random.Random(0)
        self.keys = Keys(game, log)
        self.notation = NotationLaws(game, log)
        self._text_of = self.notation.text_of
        self._ask = RuleCaller(game, log, self._text_of)
        self.clock = ClockLaws(game, log, self._ask)
        self.endings: Counter[tuple[int, int]] = Counter()  # sign of the utility, who made the last move
        self.plausibility = Plausibility(game, log)
        self.positions = 0
        self.boards = BoardLaws(game, log)
        self._quietly(self.boards.look)

    def play(self, seed: int, deadline: float = math.inf) -> Played:
        """Play one game, at most until ``deadline``; the seed determines every move, so that it can be repeated."""
        log = self.log
        self.chance = random.Random(seed)
        log.seed, log.line = seed, []
        states: list[Any] = []
        ended = False
        try:
            states.append(self._start())
            visits = Visits(self.game, log)
            while not ended and len(log.line) < LONGEST:
                if time.perf_counter() > deadline:
                    break
                s = states[-1]
                options = self._position(s)
                if not options:
                    self._end(states)
                    ended = True
                    break
                move = self.chance.choices(*zip(*options, strict=True))[0]
                other = self.chance.choice(options)[0]
                after = self._play(s, move)
                afters = [after]
                if other != move:
                    afters.append(self._play(s, other))
                    self._quietly(self._key, afters[1], (*log.line, other))
                self.plausibility.moved(s, self.game.to_move(s), afters)
                visits.leave(s, move)
                log.line.append(move)
                states.append(after)
                ended = visits.arrive(after)
            else:
                if not ended:
                    log.wants("length")
                    log.fault("length", f"not over after {LONGEST} plies: it may never end", s, warning=True)
            if ended:
                log.wants("length")
        except Broken:
            pass
        return Played(seed, states, list(log.line), ended)

    # The rules

    def _start(self) -> Any:
        log = self.log
        log.wants("initial")
        first, second = self._ask("initial"), self._ask("initial")
        if first != second:
            log.fault("initial", f"returns {first!r}, then {second!r}: it must always be the same")
        return first

    def _position(self, s: Any) -> list[tuple[int, float]]:
        """Test all laws on one position; its moves with the weight of each, none if the game is over."""
        self.positions += 1
        player = self._mover(s)
        self.clock.position(s, is_first=not self.log.line)
        if self._is_over(s):
            self._quietly(self.notation.position, s, [], [])
            self._quietly(self.boards.position, s, [])
            self._quietly(self._key, s, tuple(self.log.line))
            return []
        options = self._chances(s) if player == CHANCE else self._moves(s)
        moves = [move for move, _ in options]
        self.plausibility.position(player, moves)
        self._quietly(self.notation.position, s, moves, self._some(moves))
        for law in (self._order, self._noisy_moves, self._reversible):
            if player != CHANCE and moves:
                self._quietly(law, s, moves)
        self._quietly(self.boards.position, s, moves)
        for about in (self._evaluate, self._bounds, self._active):
            self._quietly(about, s)
        for about in (self._is_forced, self._skip, self._moves_left, self._ending, self._canonical):
            if player != CHANCE and moves:
                self._quietly(about, s)
        self._quietly(self._key, s, tuple(self.log.line))
        return options

    def _quietly(self, law: Callable[..., None], *arguments: Any) -> None:
        """Test a law about knowledge; after a breach the game continues."""
        with suppress(Broken):
            law(*arguments)

    def _mover(self, s: Any) -> int:
        self.log.wants("to_move")
        player = self._ask.raw("to_move", s)
        players = (MAX, MIN, CHANCE) if self.game.has("chances") else (MAX, MIN)
        if player not in players or not is_whole(player):
            names = "MAX (0), MIN (1) or CHANCE (2)" if len(players) == 3 else "MAX (0) or MIN (1)"
            raise self.log.broken("to_move", f"must be {names}, not {player!r}", s)
        return int(player)

    def _is_over(self, s: Any) -> bool:
        if not self.log.wants("is_terminal"):
            return self.game.terminal_test(s)
        first: bool = self._ask("is_terminal", s)
        if first != self._ask("is_terminal", s):
            raise self.log.broken("is_terminal", "is different when called again", s)
        return first

    def _moves(self, s: Any) -> list[tuple[int, float]]:
        self.log.wants("moves")
        moves = self._list("moves", s)
        if moves != self._list("moves", s):
            raise self.log.broken("moves", "yields different moves when called again", s)
        return [(move, 1.0) for move in moves]

    def _list(self, rule: str, s: Any) -> list[int]:
        """The moves that a rule yields, checked: integers in range, and none twice."""
        found = self._take(rule, s, self.game.max_moves)
        if len(found) > self.game.max_moves:
            raise self.log.broken(rule, f"yields more than max_moves = {self.game.max_moves} moves", s)
        self._check_numbers(rule, found, s)
        return [int(move) for move in found]

    def _take(self, rule: str, s: Any, most: int) -> list[Any]:
        try:
            return list(islice(getattr(self.game, rule)(s), most + 1))
        except Exception as problem:
            raise self.log.broken(rule, f"raises {type(problem).__name__}: {problem}", s) from problem

    def _check_numbers(self, rule: str, found: list[Any], s: Any) -> None:
        for move in found:
            if not is_whole(move) or not 0 <= move < MOVE_LIMIT:
                raise self.log.broken(rule, f"yields {move!r}, not an integer from 0 to 2**31 - 1", s)
        twice = [move for move, times in Counter(found).items() if times > 1]
        if twice:
            raise self.log.broken(rule, f"yields {twice[0]!r} more than once", s)

    def _chances(self, s: Any) -> list[tuple[int, float]]:
        log = self.log
        log.wants("chances")
        found = self._take("chances", s, self.game.max_chances)
        if not found:
            raise log.broken("chances", "yields nothing, although chance is to move", s)
        if len(found) > self.game.max_chances:
            raise log.broken("chances", f"yields more than max_chances = {self.game.max_chances} outcomes", s)
        if not all(isinstance(pair, tuple) and len(pair) == 2 for pair in found):
            raise log.broken("chances", f"must yield pairs (outcome, probability), not {found[0]!r}", s)
        self._check_numbers("chances", [outcome for outcome, _ in found], s)
        for outcome, share in found:
            if not isinstance(share, (float, int)) or not 0 < share <= 1:
                raise log.broken("chances", f"the probability of {outcome!r} is {share!r}, not above 0 and up to 1", s)
        total = math.fsum(share for _, share in found)
        if abs(total - 1) > PROBABILITY_TOLERANCE:
            raise log.broken("chances", f"the probabilities sum to {total!r}, not to 1", s)
        return [(int(outcome), float(share)) for outcome, share in found]

    def _play(self, s: Any, move: int) -> Any:
        log = self.log
        log.wants("play")
        before = repr(s)
        after = self._ask("play", s, move)
        text = f"play of {self._text_of(s, move)}"
        if repr(s) != before:
            raise log.broken("play", f"{text} changes its argument, from {before} to {s!r}", s)
        again = self._ask("play", s, move)
        if again != after:
            raise log.broken("play", f"{text} returns {after!r}, then {again!r}: it must depend on nothing else", s)
        if after == s and self.game.to_move(s) != CHANCE:
            raise log.broken("play", f"{text} changes nothing, not even whose turn it is", s)
        return after

    def _end(self, states: list[Any]) -> None:
        """Test the laws of a finished position, the only kind that utility is called on."""
        log, s = self.log, states[-1]
        log.wants("utility")
        first, second = self._ask("utility", s), self._ask("utility", s)
        if first != second:
            raise log.broken("utility", f"is {first!r}, then {second!r} in the same position", s)
        if abs(first) >= LARGEST_VALUE:
            raise log.broken("utility", f"is {first!r}: values must be within ±2**31", s)
        self.plausibility.ended(first)
        movers = [self.game.to_move(before) for before in states[:-1]]
        people = [player for player in movers if player != CHANCE]
        if people:
            self.endings[(first > 0) - (first < 0), int(people[-1])] += 1

    def judge_endings(self, repeat: str) -> None:
        """Warn of a utility that always favours one side, whoever moved last: it is probably not for MAX."""
        signs = {sign for sign, _ in self.endings}
        last = {player for _, player in self.endings}
        if len(signs) == 1 and signs != {0} and len(last) == 2 and sum(self.endings.values()) >= 20:
            side, wrong = ("MAX", "MIN") if signs == {1} else ("MIN", "MAX")
            self.log.fault(
                "utility",
                f"{side} wins all {sum(self.endings.values())} random games, even if {wrong} moved"
                " last: is it the utility for MAX, not for the side to move?",
                repeat=repeat,
                warning=True,
            )

    # Knowledge

    def _evaluate(self, s: Any) -> None:
        if not self.log.wants("evaluate"):
            return
        value = self._ask("evaluate", s)
        scored = self.game.scored
        if value != self._ask("evaluate", s):
            raise self.log.broken("evaluate", "is different when called again", s)
        if not scored and abs(value) >= WON:
            raise self.log.broken("evaluate", f"is {value!r}: from WIN - {WIN - WON} = {WON} on, values are wins", s)
        if scored and abs(value) >= LARGEST_VALUE:
            raise self.log.broken("evaluate", f"is {value!r}: values must be within ±2**31", s)

    def _active(self, s: Any) -> None:
        if not self.log.wants("active"):
            return
        for player in (MAX, MIN):
            try:
                found = [self.game.checked_active(s, player) for _ in range(2)]
                self.game.checked_phase(s)
            except Exception as problem:
                raise self.log.broken("active", str(problem), s) from problem
            if found[0] != found[1]:
                raise self.log.broken("active", "yields different features when called again", s)

    def _bounds(self, s: Any) -> None:
        """Test the form of the bounds; comparing them with exact values comes later."""
        if not self.log.wants("bounds"):
            return
        found = self._ask("bounds", s)
        if found[0] > found[1]:
            raise self.log.broken("bounds", f"are {found!r}: the lower one is above the upper one", s)

    def _is_forced(self, s: Any) -> None:
        if self.log.wants("is_forced"):
            self._ask("is_forced", s)

    def _moves_left(self, s: Any) -> None:
        if self.log.wants("moves_left"):
            found = self._ask("moves_left", s)
            if found < 0:
                raise self.log.broken("moves_left", f"is {found!r}, less than 0", s)

    def _ending(self, s: Any) -> None:
        """Test the form of the value; comparing it with exact values comes later."""
        if self.log.wants("is_ending") and self._ask("is_ending", s) and self.log.wants("ending"):
            self._ask("ending", s, -LARGEST_VALUE, LARGEST_VALUE)

    def _skip(self, s: Any) -> None:
        # A search does not skip in a forced state, so skip does not have to handle it.
        if not self.game.has("skip") or (self.game.has("is_forced") and self.game.is_forced(s)):
            return
        if self.log.wants("skip"):
            after = self._ask("skip", s)
            mover, other = self.game.to_move(s), self._ask.raw("to_move", after)
            # Returning the State itself means: do not skip here.
            if after != s and other != MAX + MIN - mover:
                raise self.log.broken("skip", f"must make it the turn of {MAX + MIN - mover}, not of {other!r}", s)

    def _canonical(self, s: Any) -> None:
        if not self.log.wants("canonical"):
            return
        game, log = self.game, self.log
        image = self._ask("canonical", s)
        again = self._ask("canonical", image)
        if again != image:
            raise log.broken("canonical", f"the image {log.text(image)} has another image, {log.text(again)}", s)
        rules = self.keys.rules  # an image is only used for its key, so its clock does not matter
        for what, ask in (("player to move", game.to_move), ("number of moves", lambda t: len(rules.legal_moves(t)))):
            try:
                ours, theirs = ask(s), ask(image)
            except Exception as problem:
                raise log.broken("canonical", f"the rules fail in the image {image!r}: {problem}", s) from problem
            if ours != theirs:
                raise log.broken("canonical", f"the {what} is {ours}, but {theirs} in the image {log.text(image)}", s)

    def _key(self, s: Any, moves: tuple[int, ...]) -> None:
        """Test the form of the key; ``Keys`` tests whether equal ones mean equal positions."""
        if not self.log.wants("key"):
            return
        found = self._ask("key", s)
        if found != self._ask("key", s):
            raise self.log.broken("key", "is different when called again", s)
        self.keys.meet(s, moves)

    def _order(self, s: Any, moves: list[int]) -> None:
        if not self.log.wants("order"):
            return
        for move in self._some(moves):
            found = self._ask("order", s, move)
            if abs(found) >= LARGEST_ORDER:
                raise self.log.broken("order", f"of {self._text_of(s, move)} is {found!r}, beyond ±2**40", s)

    def _noisy_moves(self, s: Any, moves: list[int]) -> None:
        if not self.log.wants("noisy_moves"):
            return
        strange = [move for move in self._list("noisy_moves", s) if move not in moves]
        if strange:
            raise self.log.broken("noisy_moves", f"yields {strange[0]!r}, which moves does not", s)

    def _reversible(self, s: Any, moves: list[int]) -> None:
        if self.log.wants("reversible"):
            for move in self._some(moves):
                self._ask("reversible", s, move)

    def _some(self, moves: list[int]) -> list[int]:
        return moves if len(moves) <= SOME_MOVES else self.chance.sample(moves, SOME_MOVES)
