"""The contract: what a game is.

A ``Game`` is an immutable record of pure functions over an immutable State. The words are the
textbook's: states, moves, terminal test, utility, and the two players MAX and MIN.

>>> from typing import NamedTuple
>>> class Pile(NamedTuple):
...     stones: int
...     turn: int
>>> def moves(s):
...     for n in range(1, min(3, s.stones) + 1):
...         yield n
>>> game = Game("stones", Pile, initial=lambda: Pile(5, MAX), to_move=lambda s: s.turn, moves=moves,
...             play=lambda s, n: Pile(s.stones - n, 1 - s.turn),
...             utility=lambda s: 1 if s.turn == MIN else -1, max_moves=3)
>>> game.legal_moves(game.initial())
[1, 2, 3]
>>> game.play(game.initial(), 3)
Pile(stones=2, turn=1)
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

from zerosum.contract import (
    RULES,
    check_function,
    check_names,
    checked_count,
    checked_players,
    checked_unit,
    takes_tables,
)
from zerosum.displayed import Displayed
from zerosum.errors import GameError, MissingRule, MoveError, PositionError, RuleBroken
from zerosum.formats.format import Format, checked_formats
from zerosum.formats.programs import Programs, checked_programs
from zerosum.line import Line as Line
from zerosum.patterns import checked_patterns
from zerosum.probcut import ProbCut, checked_probcut
from zerosum.state import StateType

if TYPE_CHECKING:
    from random import Random

MAX, MIN, CHANCE = 0, 1, 2
"""Who moves: the player who maximises, the player who minimises, or the dice."""

WIN = 2**20
"""A win in n plies is worth ``WIN - n``, a loss ``n - WIN``; values are for MAX, everywhere."""

MOVE_LIMIT = 2**31
"""Moves are integers ``0 <= m < MOVE_LIMIT``."""

MOST_FEATURES, MOST_PHASES = 2**16, 64
"""The most features that ``active`` may distinguish, and the most parts of a game that ``phase`` may."""

MOST_ACTIONS = 2**20
"""The most actions that a game may have."""

MOST_LEFT_OUT = 8
"""The most moves in a row, such as passes, that a game record may leave out."""

PROBABILITY_TOLERANCE = 1e-6
"""How far the sum of one event's probabilities may be from 1, to allow for rounding."""


class Game(Displayed):
    """The rules of a two-player zero-sum game, and its author's knowledge of how to play it.

    ``game.moves(s)`` runs as the author wrote it; ``game.compiled.moves`` is the same function
    compiled. ``game.with_(evaluate=mine)`` is a copy of the game with one thing changed.

    Required:
        State: a NamedTuple class; fields are ``int``, ``u64`` or fixed tuples of these.
        initial() -> State
        to_move(s) -> MAX | MIN | CHANCE: players need not alternate.
        moves(s): yields or returns each legal move once, as an int from 0 to 2**31 - 1; a pass is a move.
        play(s, move) -> State: only called with legal moves (or chance outcomes).
        utility(s) -> int: the value for MAX; only called on finished states.
        max_moves: the most moves that any state has.

    Optional: see ``docs/contract.md``. A state is finished if ``is_terminal(s)``, if ``moves(s)`` yields nothing, or,
    drawn, if ``clock(s)`` has run out. Without ``scored`` only the sign of utility counts and the nearest win is best;
    with it, margins count. Any rule may take one more parameter, last: the game's ``tables``.
    """

    name: str
    State: type
    max_moves: int
    formats: tuple[Format, ...]
    programs: Programs | None
    probcut: ProbCut | None
    initial: Callable[[], Any]
    to_move: Callable[[Any], int]
    moves: Callable[[Any], Iterable[int]]
    play: Callable[[Any, int], Any]
    utility: Callable[[Any], int]

    def __init__(
        self,
        name: str,
        State: type,
        initial: Callable[..., Any],
        to_move: Callable[..., int],
        moves: Callable[..., Iterable[int]],
        play: Callable[..., Any],
        utility: Callable[..., int],
        max_moves: int,
        **optional: Any,
    ) -> None:
        given = {
            "name": name,
            "State": State,
            "initial": initial,
            "to_move": to_move,
            "moves": moves,
            "play": play,
            "utility": utility,
            "max_moves": max_moves,
            **{k: v for k, v in optional.items() if v is not None},
        }
        store = self.__dict__
        if not isinstance(name, str) or not name:
            raise GameError(f"a game's name must be a non-empty string, not {name!r}")
        check_names(name, optional)
        if not _is_whole(max_moves) or not 0 < max_moves <= 2**20:
            raise GameError(f"{name}: max_moves must be a whole number from 1 to 2**20, not {max_moves!r}")
        store["given"] = MappingProxyType(given)
        store["name"] = name
        store["max_moves"] = int(max_moves)
        try:
            store["state_type"] = StateType(State)
        except GameError as problem:
            raise GameError(f"{name}: {problem}") from problem
        store["State"] = State
        store["tables"] = optional.get("tables")
        store["advice"] = MappingProxyType(dict(optional.get("advice") or {}))
        store["feature_names"] = tuple(optional.get("feature_names") or ())
        # The number of kinds of positions that ``features`` distinguishes, each with its own network.
        store["networks"] = int(optional.get("networks") or 1)
        # ``active`` yields numbers below active_features, at most max_active of them; ``phase`` is below phases.
        for setting in ("active_features", "max_active"):
            without = None if "active" in given else 1
            store[setting] = checked_count(name, setting, optional.get(setting) or without, MOST_FEATURES)
        store["phases"] = checked_count(name, "phases", optional.get("phases") or 1, MOST_PHASES)
        # Groups of the cells that the features are on, and the number of cells.
        patterns = optional.get("patterns") or ()
        store["cells"] = checked_count(name, "cells", optional.get("cells") or (None if patterns else 1), MOST_FEATURES)
        store["patterns"] = checked_patterns(name, patterns, store["cells"], store["active_features"])
        if patterns and "active" not in given:
            raise GameError(f"{name}: patterns need {RULES['active'].call}, which says what is on their cells")
        # All moves are below this number, so that learners can use a move as an action; None if unknown or too large.
        actions = optional.get("actions")
        store["actions"] = None if actions is None else checked_count(name, "actions", actions, MOST_ACTIONS)
        # Rules that cannot be compiled, such as those of another library: everything runs as with jit=False.
        store["plain"] = bool(optional.get("plain"))
        # How well shallow searches with this evaluation predict deep ones.
        store["probcut"] = checked_probcut(name, optional.get("probcut"))
        store["repetition"] = int(optional.get("repetition") or 0)
        store["max_chances"] = int(optional.get("max_chances") or 0)
        store["about"] = str(optional.get("about") or "")
        # How values are shown: one unit is this many points of the evaluation, and the players have these names.
        store["unit"] = checked_unit(name, optional.get("unit") or 1)
        store["players"] = checked_players(name, optional.get("players") or ("MAX", "MIN"))
        # The file formats of the game, and how other programs write its moves and positions.
        store["formats"] = checked_formats(name, optional.get("formats") or ())
        store["programs"] = checked_programs(name, optional.get("programs"))
        has_chance = "chances" in given
        store["scored"] = bool(optional.get("scored", has_chance)) or has_chance
        if has_chance and store["max_chances"] < 1:
            raise GameError(f"{name}: a game with chances needs max_chances, the most outcomes of one event")
        if "clock" in given and store["scored"]:
            raise GameError(f"{name}: clock is not for scored games: count in the State, and leave nothing out of key")
        if ("ending" in given) != ("is_ending" in given):
            raise GameError(f"{name}: ending and is_ending go together: is_ending says where ending may be called")
        if "ending" in given and (has_chance or not store["scored"] or store["repetition"]):
            raise GameError(f"{name}: ending is for scored games without chance and repetition")
        # Where the game came from, so that another process can load it again: (name or path, parameters).
        store["source"] = None
        # For pickling it with later changes: (loader, name or path, parameters, changes).
        store["origin"] = None
        # All parameters of the function that made the game, with the defaults of those that were not given.
        store["settings"] = MappingProxyType({})
        for rule in RULES.values():
            if rule.name in given:
                if not self._is_constant(rule.name):
                    check_function(name, rule, given[rule.name], self.tables is not None)
                if not hasattr(Game, rule.name):  # Game's own methods of these names call the author's function
                    store[rule.name] = self._bound(rule.name)
        if "clock" in given:
            # Every caller sees a game that the clock has ended as over, and drawn.
            store["is_terminal"] = lambda s: self._is_terminal(s) or self.is_out_of_time(s)
            store["utility"] = lambda s: 0 if self.is_out_of_time(s) else self._bound("utility")(s)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Game is immutable: use game.with_({name}=...)")

    def __getattr__(self, name: str) -> Any:
        if name in RULES:
            raise MissingRule(f"{self.name} defines no {RULES[name].call}")
        raise AttributeError(f"a Game has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    def __reduce__(self) -> Any:
        """Pickle the game for another process; GameError if a part of it could not be found there."""
        import pickle

        load, *where, changes = self.origin or (None, dict(self.given))
        for name, value in changes.items():
            try:
                pickle.dumps(value)
            except (pickle.PicklingError, AttributeError, TypeError) as problem:
                raise GameError(
                    f"{self.name} cannot be sent to another process: its {name} is not found there by name"
                    f" ({str(problem).partition(chr(10))[0]}); define it in a module, outside functions"
                ) from problem
        return _rebuild, (load, tuple(where), changes)

    def _bound(self, rule: str) -> Any:
        """The author's function, with the tables filled in where it takes them."""
        function = self.given[rule]
        if self._is_constant(rule):
            low, high = function
            return lambda s: (low, high)
        if not takes_tables(rule, function):
            return function
        tables = self.tables
        return lambda *arguments: function(*arguments, tables)

    def _is_constant(self, rule: str) -> bool:
        """Whether the author gave one pair for all states rather than a function."""
        return RULES[rule].returns == "pair" and not callable(self.given[rule])

    def with_(self, **changes: Any) -> Game:
        """A copy of this game with some things changed; ``None`` removes an optional one.

        A new evaluation removes ``probcut``, which was measured for the old one.
        """
        if not changes.keys().isdisjoint(("evaluate", "tables")):
            changes = {"probcut": None, **changes}
        fields = {k: v for k, v in {**self.given, **changes}.items() if v is not None}
        game = Game(**fields)
        game.__dict__["settings"] = self.settings
        if self.origin is not None:
            load, where, parameters, before = self.origin
            game.__dict__["origin"] = load, where, parameters, {**before, **changes}
        return game

    def from_source(
        self, load: Callable[..., Game], where: str, parameters: Mapping[str, Any], settings: Mapping[str, Any]
    ) -> Game:
        """A copy of this game that records how another process can load it: by ``load(where, parameters)``.

        ``settings`` are all its parameters, with the defaults of those that were not given.
        """
        game = self.with_()
        game.__dict__["settings"] = MappingProxyType(dict(settings))
        game.__dict__["source"] = where, dict(parameters)
        game.__dict__["origin"] = load, where, dict(parameters), {}
        return game

    # What the game defines

    def has(self, rule: str) -> bool:
        """Whether the author defined this optional function."""
        return rule in self.given

    @property
    def capabilities(self) -> frozenset[str]:
        """The names of all functions the author defined."""
        return frozenset(rule for rule in RULES if rule in self.given)

    def require(self, rule: str, purpose: str) -> None:
        """Raise MissingRule unless the game defines ``rule``; the message names the function to write."""
        if rule not in self.given:
            raise MissingRule(f"{purpose} needs {RULES[rule].call}, which {self.name} does not define")

    @cached_property
    def compiled(self) -> Any:
        """The same functions as machine code, called with plain States."""
        # An import against the usual order: the compiler is part of the contract's interface.
        from zerosum.jit.compiled import CompiledRules

        rules = CompiledRules(self)
        self.__dict__["compiled"] = rules
        return rules

    # The rules with checks, as all callers outside kernels use them

    def legal_moves(self, s: Any) -> list[int]:
        """All moves in ``s`` (at a chance node, all outcomes) in the author's order; empty if the game is over."""
        if self.terminal_test(s):
            return []
        if self.to_move(s) == CHANCE:
            return [outcome for outcome, _ in self.checked_chances(s)]
        return self.checked_moves("moves", s)

    def checked_moves(self, rule: str, s: Any) -> list[int]:
        """The moves that ``rule`` yields for ``s``, checked: integers in range, and at most ``max_moves`` of them."""
        try:
            found = list(islice(self.__dict__[rule](s), self.max_moves + 1))
        except TypeError as problem:
            raise GameError(f"{self.name}: {rule}({s!r}) failed: {problem}") from problem
        for move in found:
            if not _is_whole(move):
                raise GameError(f"{self.name}: {rule} yields {move!r}, not an integer, in {s!r}")
            if not 0 <= move < MOVE_LIMIT:
                raise GameError(f"{self.name}: {rule} yields {move!r}, outside 0 to 2**31 - 1, in {s!r}")
            if self.actions is not None and move >= self.actions:
                raise GameError(f"{self.name}: {rule} yields {move!r}, not below actions = {self.actions}, in {s!r}")
        if len(found) > self.max_moves:
            raise GameError(f"{self.name}: {rule} yields more than max_moves = {self.max_moves} moves in {s!r}")
        return [operator.index(move) for move in found]

    def checked_chances(self, s: Any) -> list[tuple[int, float]]:
        """All outcomes of a CHANCE state with their probabilities, which are positive and add up to 1."""
        try:
            found = [(outcome, float(chance)) for outcome, chance in islice(self.chances(s), self.max_chances + 1)]
        except (TypeError, ValueError) as problem:
            raise GameError(f"{self.name}: chances({s!r}) must yield (outcome, probability): {problem}") from problem
        if len(found) > self.max_chances:
            raise GameError(f"{self.name}: chances yields more than max_chances = {self.max_chances} outcomes in {s!r}")
        checked = []
        for outcome, chance in found:
            if not _is_whole(outcome):
                raise GameError(f"{self.name}: chances yields the outcome {outcome!r}, not an integer, in {s!r}")
            outcome = operator.index(outcome)
            if not 0 <= outcome < MOVE_LIMIT:
                raise GameError(f"{self.name}: chances yields the outcome {outcome}, outside 0 to 2**31 - 1, in {s!r}")
            if not chance > 0:
                raise GameError(f"{self.name}: chances gives {outcome} the probability {chance!r}, in {s!r}")
            checked.append((outcome, chance))
        total = sum(chance for _, chance in checked)
        if not abs(total - 1) <= PROBABILITY_TOLERANCE:
            raise GameError(f"{self.name}: the probabilities of chances add up to {total!r}, not 1, in {s!r}")
        return checked

    def checked_active(self, s: Any, player: int) -> list[int]:
        """The features of ``s`` from a player's view, sorted and without duplicates, checked.

        All are in range, and at most ``max_active`` of them. With patterns each cell has at most one kind.
        """
        try:
            found = sorted(set(map(operator.index, self.active(s, player))))
        except TypeError as problem:
            raise GameError(f"{self.name}: active({s!r}, {player}) failed: {problem}") from problem
        for feature in found[:1] + found[-1:]:
            if not 0 <= feature < self.active_features:
                raise GameError(
                    f"{self.name}: active yields {feature}, outside 0 to {self.active_features - 1}, in {s!r}"
                )
        if len(found) > self.max_active:
            raise GameError(
                f"{self.name}: active yields {len(found)} features, more than max_active = {self.max_active}, in {s!r}"
            )
        if self.patterns and len({feature % self.cells for feature in found}) < len(found):
            raise GameError(f"{self.name}: active yields two features of one cell, in {s!r}: patterns need one kind")
        return found

    def checked_phase(self, s: Any) -> int:
        """The part of the game that ``s`` belongs to, from 0 to ``phases`` - 1."""
        phase = self.phase(s) if self.has("phase") else 0
        if not _is_whole(phase) or not 0 <= phase < self.phases:
            raise GameError(f"{self.name}: phase is {phase!r}, outside 0 to {self.phases - 1}, in {s!r}")
        return operator.index(phase)

    def roll(self, s: Any, dice: Random) -> int:
        """A random outcome of chance; equal states of ``dice`` give equal outcomes in equal positions."""
        outcomes = self.checked_chances(s)
        left = dice.random()
        for outcome, chance in outcomes:
            left -= chance
            if left < 0:
                return outcome
        return outcomes[-1][0]

    def terminal_test(self, s: Any) -> bool:
        """``is_terminal(s)``, or False in games that end only when ``moves`` yields nothing."""
        return bool(self.is_terminal(s)) if "is_terminal" in self.__dict__ else False

    is_terminal_ = terminal_test  # its earlier name

    def _is_terminal(self, s: Any) -> bool:
        """The author's own ``is_terminal(s)``, without the clock."""
        return bool(self._bound("is_terminal")(s)) if "is_terminal" in self.given else False

    def is_out_of_time(self, s: Any) -> bool:
        """Whether the clock has ended the game: it has run out while there are still legal moves."""
        if "clock" not in self.given or self.clock(s) > 0 or self._is_terminal(s):
            return False
        return self._has_moves(s)

    def is_over(self, s: Any) -> bool:
        """Whether the game has ended in ``s``."""
        if self.terminal_test(s):
            return True
        return self.to_move(s) != CHANCE and not self._has_moves(s)

    def _has_moves(self, s: Any) -> bool:
        found = self.moves(s)
        try:
            each = iter(found)
        except TypeError as problem:
            raise GameError(f"{self.name}: moves({s!r}) failed: {problem}") from problem
        return next(each, None) is not None

    def mover(self, s: Any) -> int:
        """``to_move(s)``, checked: MAX, MIN or CHANCE."""
        player = self.to_move(s)
        if player not in (MAX, MIN, CHANCE):
            raise GameError(f"{self.name}: to_move({s!r}) is {player!r}, not MAX, MIN or CHANCE")
        return int(player)

    def final_value(self, s: Any) -> float:
        """``utility`` of the finished state ``s``, checked to be a number."""
        value = self.utility(s)
        try:
            return float(value)
        except (TypeError, ValueError):
            raise GameError(f"{self.name}: utility({s!r}) is {value!r}, not a number") from None

    def identity(self, s: Any) -> Any:
        """What two positions have in common if they count as a repetition: ``key(s)``, or the State itself."""
        return int(self.key(s)) if self.has("key") else s

    def state(self, s: Any, origin: str = "the state") -> Any:
        """``s`` as this game's State, every field of its annotated type; GameError if that is impossible."""
        return self.state_type.coerce(s, f"{self.name}: {origin}")

    def start(self) -> Any:
        """``initial()``, checked."""
        return self.state(self.initial(), "initial()")

    def successor(self, s: Any, move: int) -> Any:
        """``play(s, move)``, checked; the move must be legal."""
        return self.state(self.play(s, move), f"play({s!r}, {move})")

    # Presentation: with defaults, so that every game can be shown and played

    def openings(self) -> dict[str, dict[str, str]]:
        """Sets of openings by name; each maps the name of an opening to its moves."""
        found = self._bound("openings")() if "openings" in self.given else {}
        if not isinstance(found, dict) or not all(isinstance(one, dict) for one in found.values()):
            raise GameError(f"{self.name}: openings() must look like {{'corners': {{'acute': 'a1'}}}}, not {found!r}")
        return found

    def show(self, s: Any) -> str:
        """The position as a drawing in plain text."""
        if "show" in self.given:
            return str(self._bound("show")(s))
        return "\n".join(f"{field} {value}" for field, value in zip(s._fields, s, strict=True))

    def format_move(self, s: Any, move: int) -> str:
        """The move in the game's notation."""
        return str(self._bound("format_move")(s, move)) if "format_move" in self.given else str(move)

    def parse_move(self, s: Any, text: str) -> int:
        """The legal move that ``text`` names in ``s``; MoveError, which lists some legal moves, if there is none."""
        legal = self.legal_moves(s)
        if "parse_move" in self.given:
            try:
                move = self._bound("parse_move")(s, text)
            except RuleBroken:
                raise  # the game's message says more than ours would
            except (ValueError, LookupError):
                move = None
            if move in legal:
                return int(move)
        else:
            wanted = text.strip().lower()
            for move in legal:
                if self.format_move(s, move).lower() == wanted:
                    return move
        raise MoveError(self.not_legal(s, text, legal))

    def parse_moves(self, s: Any, text: str) -> Iterator[int]:
        """The legal moves that a word names from ``s`` on: one, or several if the game has ``cut_move``.

        They are yielded one by one, so that a caller who plays them can tell which move a MoveError is about.
        """
        if "cut_move" not in self.given:
            yield self.parse_move(s, text)
            return
        cut, idle = self._bound("cut_move"), 0
        while text:
            word, rest = cut(s, text)
            # A move that the text leaves out, such as a pass, does not shorten it.
            idle = idle + 1 if rest == text else 0
            if idle > MOST_LEFT_OUT or len(rest) > len(text):
                raise GameError(f"{self.name}: cut_move({s!r}, {text!r}) leaves {rest!r}: the text must get shorter")
            move = self.parse_move(s, word)
            yield move
            s, text = self.successor(s, move), rest

    def not_legal(self, s: Any, text: str, legal: list[int]) -> str:
        """The message for a move ``text`` that is not among the legal moves of ``s``."""
        if not legal:
            return f"{text!r} is not a legal move: the game is over"
        some = ", ".join(self.format_move(s, move) for move in legal[:8])
        return f"{text!r} is not a legal move here; legal: {some}{', …' if len(legal) > 8 else ''}"

    def format_state(self, s: Any) -> str:
        """The position as one line of text, in the game's own notation."""
        if "format_state" in self.given:
            return str(self._bound("format_state")(s))
        return " ".join(str(word) for word in self.state_type.words(s))

    def parse_state(self, text: str) -> Any:
        """The State that ``text`` describes; PositionError, quoting it, if there is none."""
        try:
            if "parse_state" in self.given:
                return self.state(self._bound("parse_state")(text), f"the position {text!r}")
            words = [int(word) for word in text.split()]
            if len(words) != self.state_type.size:
                raise ValueError(f"it must be {self.state_type.size} numbers")
            return self.state_type.from_words(words)
        except (ValueError, LookupError, GameError) as problem:
            reason = str(problem) or type(problem).__name__
            if isinstance(problem, PositionError) and repr(text) in reason:
                raise
            raise PositionError(f"{text!r} is not a position of {self.name}: {reason}") from problem


def _is_whole(x: object) -> bool:
    return hasattr(x, "__index__") and not isinstance(x, bool)


def _rebuild(load: Callable[..., Game] | None, where: tuple[Any, ...], changes: dict[str, Any]) -> Game:
    """The game that another process has pickled."""
    if load is None:
        return Game(**changes)
    return load(*where).with_(**changes) if changes else load(*where)
