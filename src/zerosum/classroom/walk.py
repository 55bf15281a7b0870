"""The path from the root to the current node: the part that all algorithms of the classroom share.

A ``Walk`` calls the game's rules, keeps α, β and the preliminary backed-up value (PBV) of every node on the path, and
reports each step to its listener. With it an algorithm reads as in the notes::

    def value(s, depth):
        walk.enter(s)
        if walk.cutoff_test(s, depth):          # the game is over, or the horizon is reached
            return walk.leave(walk.evaluate(s))
        best = -inf                             # at a MAX node
        for move in walk.moves(s):
            best = max(best, value(walk.play(s, move), depth - 1))
            walk.back_up(best)
        return walk.leave(best)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import inf, nextafter
from typing import Any

from zerosum.classroom.events import Event, Frame, Kind, silent
from zerosum.classroom.node import LEAF, show_value
from zerosum.errors import GameError, LimitError
from zerosum.game import CHANCE, MAX, MOVE_LIMIT, WIN, Game
from zerosum.search.values import CHANCES_IN_A_ROW, bound_values

PASS = MOVE_LIMIT - 1
"""The null move, a number that no game's move has."""

Tell = Callable[[Event], None]
Bounds = tuple[float, float]

DEEPEST = 250
"""The longest line in moves: Python's own stack is short."""


class Level:
    """A node on the path."""

    __slots__ = ("alpha", "beta", "came_by", "frame", "left", "move", "over", "pbv", "player", "s")

    def __init__(self, s: Any, came_by: int, alpha: float, beta: float) -> None:
        self.s = s
        self.came_by = came_by
        self.alpha, self.beta = alpha, beta
        self.player = LEAF
        self.pbv: float | None = None
        self.move = -1  # the move being searched
        self.left: list[int] = []  # moves not searched yet
        self.frame: Frame | None = None  # as last reported
        self.over = ""  # why this is a leaf, if it is one


class Walk:
    """The current path of a search. ``ply`` and ``past`` are for searches that begin in the middle of a game."""

    def __init__(
        self,
        game: Game,
        tell: Tell = silent,
        *,
        ply: int = 0,
        past: tuple[Any, ...] = (),
        bounds: bool = False,
        needs_players: bool = True,
    ) -> None:
        self.game = game
        self.tell = tell
        self.listening = tell is not silent
        self.levels: list[Level] = []
        self.first_ply = ply
        self.past = past
        self.bounds = bounds
        self.needs_players = needs_players  # whether the algorithm cannot handle chance nodes
        self.met_horizon = False  # whether an estimate was made since this was last set to False
        self._next_move = -1

    # Descending

    @property
    def ply(self) -> int:
        """The number of moves since the root."""
        return self.first_ply + len(self.levels) - 1

    @property
    def path(self) -> tuple[int, ...]:
        """The moves from the root to here."""
        return tuple(level.came_by for level in self.levels[1:])

    def enter(self, s: Any, alpha: float = -inf, beta: float = inf, note: str = "") -> None:
        """Enter a node: the root, or the one that the last ``play`` led to."""
        level = Level(s, self._next_move, alpha, beta)
        self.levels.append(level)
        if len(self.levels) > DEEPEST:
            raise LimitError(f"{self.game.name}: a line of {DEEPEST} moves has not ended; give a depth")
        # Test for the end of the game without generating moves: at the horizon they are not needed.
        if self.game.terminal_test(s):
            level.over = "utility"
        else:
            level.player = self.game.to_move(s)
            if level.player == CHANCE and self.needs_players:
                raise GameError(
                    f"{self.game.name} has chance nodes: use expectiminimax, star1 or star2, since this algorithm is "
                    "for MAX and MIN alone"
                )
            if self.game.repetition and self.ply and level.player != CHANCE and self._repeats(s):
                level.over = "repetition"
        if self.listening:
            self._say(Kind.ENTER, note=note)

    def _repeats(self, s: Any) -> bool:
        before = sum(level.s == s for level in self.levels[:-1]) + self.past.count(s)
        return bool(before + 1 >= self.game.repetition)

    def cutoff_test(self, s: Any, depth: float) -> bool:
        """CUTOFF-TEST in the notes: whether to stop here, because the game is over or ``depth`` is used up.

        Chance uses no depth: the search stops only after too many chance nodes in a row.
        """
        level = self.levels[-1]
        if level.over:
            return True
        if level.player == CHANCE:
            if self._chances_in_a_row() >= CHANCES_IN_A_ROW:
                level.over = "evaluation"
                return True
            return False
        if depth <= 0:
            level.over = "evaluation"
            return True
        level.left = list(self.game.moves(s))
        if not level.left:
            level.over = "utility"
        return bool(level.over)

    def _chances_in_a_row(self) -> int:
        run = 0
        for level in reversed(self.levels[:-1]):
            if level.player != CHANCE:
                break
            run += 1
        return run

    def evaluate(self, s: Any) -> float:
        """The value of this leaf for MAX: UTILITY if the game is over, otherwise EVAL, an estimate."""
        how = self.levels[-1].over
        value: float
        if how == "utility":
            value = outcome_of(self.game, s, self.ply)
        elif how == "repetition":
            value = 0
        else:
            value = self.guess(s)
        if self.listening:
            self._say(Kind.EVALUATE, value, note=how)
        return value

    def guess(self, s: Any) -> float:
        """EVAL: the game's evaluation, or 0 if it has none."""
        self.met_horizon = True
        return self.within_bounds(s, guess_of(self.game, s))

    def within_bounds(self, s: Any, value: float) -> float:
        """``value``, clamped to the game's bounds if ``bounds`` is set."""
        if not self.bounds:
            return value
        lowest, highest = bound_values(self.game.scored)
        least, most = self.game.bounds(s)
        return number(self.game, min(max(value, lowest(least, self.ply)), highest(most, self.ply)))

    # Moves

    def moves(self, s: Any, order: Iterable[int] | None = None) -> Iterator[int]:
        """SUCCESSORS: the moves of this node one by one, in the game's order or in ``order``."""
        level = self.levels[-1]
        if order is not None:
            level.left = list(order)
        while level.left:
            level.move = level.left.pop(0)
            yield level.move

    def chances(self, s: Any) -> list[tuple[int, float]]:
        """All outcomes of a chance node with their probabilities."""
        level = self.levels[-1]
        outcomes = [(outcome, float(probability)) for outcome, probability in self.game.chances(s)]
        level.left = [outcome for outcome, _ in outcomes]
        return outcomes

    def play(self, s: Any, move: int) -> Any:
        """RESULT: the state after a move or an outcome, which is the next node to enter."""
        level = self.levels[-1]
        level.move = self._next_move = move
        if level.player == CHANCE and move in level.left:
            level.left.remove(move)
        return self.game.play(s, move)

    def skip(self, s: Any) -> Any:
        """The state after the null move, which is the next node to enter."""
        self._next_move = PASS
        return self.game.skip(s)

    def set_unsearched(self, moves: list[int]) -> None:
        """Set the moves not searched yet to these."""
        self.levels[-1].left = list(moves)

    # Backing up values

    def back_up(self, best: float, alpha: float = -inf, beta: float = inf, move: int | None = None) -> None:
        """After a move (by default the last), set the PBV to ``best`` and the window to ``alpha`` and ``beta``."""
        level = self.levels[-1]
        if move is None:
            move = self._last_move()
        better = best != level.pbv and abs(best) != inf
        if better:
            level.pbv = best
        if not self.listening:
            return
        if better:
            self._say(Kind.BACK_UP, best, move)
        if alpha > level.alpha:
            level.alpha = alpha
            self._say(Kind.RAISE_ALPHA, alpha, move)
        if beta < level.beta:
            level.beta = beta
            self._say(Kind.LOWER_BETA, beta, move)

    def average(self, value: float, terms: list[tuple[float, float]]) -> None:
        """Set the average of a chance node after all outcomes; ``terms`` are their probabilities and values."""
        self.levels[-1].pbv = value
        if self.listening:
            total = " + ".join(f"{probability:.3g} × {show_value(found)}" for probability, found in terms)
            self._say(Kind.CHANCE_AVERAGE, value, note=total)

    def noisy_moves(self, s: Any) -> list[int]:
        """The moves that quiescence search follows from here; none if the game is over."""
        level = self.levels[-1]
        if not level.over:
            level.left = list(self.game.noisy_moves(s))
        return level.left[:]

    def stand_pat(self, s: Any) -> float:
        """The value of making none of the noisy moves: EVAL."""
        value = self.levels[-1].pbv = self.guess(s)
        if self.listening:
            self._say(Kind.STAND_PAT, value)
        return value

    def alpha_cutoff(self, value: float) -> None:
        """Cut off the rest of this MIN node: MAX already has something better."""
        self._cutoff(Kind.ALPHA_CUTOFF, value)

    def beta_cutoff(self, value: float) -> None:
        """Cut off the rest of this MAX node: MIN already has something better."""
        self._cutoff(Kind.BETA_CUTOFF, value)

    def cut_off(self, value: float) -> None:
        """A beta cut-off at a MAX node, an alpha cut-off at a MIN node."""
        (self.beta_cutoff if self.levels[-1].player == MAX else self.alpha_cutoff)(value)

    def _cutoff(self, kind: Kind, value: float) -> None:
        # As in the notes, it is a cut-off only if something is left to prune.
        left = self.levels[-1].left
        if self.listening and left:
            self._say(kind, value, self._last_move())
            for move in left:
                self._say(Kind.PRUNE, move=move)

    def _last_move(self) -> int | None:
        move = self.levels[-1].move
        return move if move >= 0 else None

    def leave(self, value: float) -> float:
        """Return from this node to its parent. Returns ``value``."""
        if self.listening:
            self._say(Kind.LEAVE, value)
        self.levels.pop()
        return value

    # Other events

    def say(self, kind: Kind, value: float | None = None, move: int | None = None, note: str = "") -> None:
        """Report a step at this node."""
        if self.listening:
            self._say(kind, value, move, note)

    def begin(self, kind: Kind, s: Any, value: float | None, alpha: float, beta: float, note: str) -> None:
        """Report that a search begins, or begins again, before its root is entered."""
        if self.listening:
            player = LEAF if self.game.terminal_test(s) else self.game.to_move(s)
            self.tell(Event(kind, (Frame((), player, alpha, beta, None),), value, None, note))

    def _say(self, kind: Kind, value: float | None = None, move: int | None = None, note: str = "") -> None:
        level = self.levels[-1]
        path: tuple[int, ...] = ()
        if len(self.levels) > 1:
            above = self.levels[-2].frame
            assert above is not None
            path = (*above.path, level.came_by)
        level.frame = Frame(path, level.player, level.alpha, level.beta, level.pbv)
        self.tell(Event(kind, tuple([level.frame for level in self.levels]), value, move, note))  # type: ignore[misc]


def number(game: Game, value: float) -> float:
    """A value as a plain number: an int unless the game has chance."""
    return float(value) if game.has("chances") else int(value)


def guess_of(game: Game, s: Any) -> float:
    """The game's evaluation of a state, or 0 if it has none."""
    return number(game, game.evaluate(s) if game.has("evaluate") else 0)


def outcome_of(game: Game, s: Any, ply: int) -> float:
    """The utility of a finished state; in games without scores, a nearer win is better."""
    utility = number(game, game.utility(s))
    if game.scored or utility == 0:
        return utility
    return WIN - ply if utility > 0 else ply - WIN


def horizon(depth: float | None) -> float:
    """The number of moves to look ahead: without a depth, to the end of every line."""
    if depth is None:
        return inf
    if isinstance(depth, bool) or not (depth == inf or depth == int(depth)) or depth < 0:
        raise LimitError(f"the depth must be a whole number of at least 0, not {depth!r}")
    return depth


def start_of(game: Game, s: Any) -> Any:
    """``s``, or the start of the game if it is None."""
    return game.start() if s is None else s


def just_above(game: Game, value: float) -> float:
    """The smallest value above this one that a position of the game can have."""
    return nextafter(value, inf) if game.has("chances") else value + 1


def just_below(game: Game, value: float) -> float:
    """The largest value below this one."""
    return -just_above(game, -value)
