"""A line: a starting position and the moves played from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from zerosum.displayed import Displayed
from zerosum.errors import MoveError

if TYPE_CHECKING:
    from zerosum.game import Game


class Line(Displayed):
    """A starting position and the moves played from it: the history that a State does not hold.

    >>> from zerosum.games import load
    >>> game = load("tictactoe")
    >>> line = Line(game).play(4).play(0)
    >>> line.moves, len(line.states)
    ((4, 0), 3)
    """

    __slots__ = ("game", "moves", "states")

    def __init__(self, game: Game, start: Any = None, moves: Iterable[int] = ()) -> None:
        self.game = game
        self.moves: tuple[int, ...] = ()
        self.states: tuple[Any, ...] = (game.start() if start is None else game.state(start),)
        for move in moves:
            self._append(move)

    def _append(self, move: int) -> None:
        s = self.state
        legal = self.game.legal_moves(s)
        if move not in legal:
            raise MoveError(self.game.not_legal(s, str(move), legal))
        self.moves += (move,)
        self.states += (self.game.successor(s, move),)

    @classmethod
    def of_words(cls, game: Game, states: Iterable[Sequence[int]], moves: Iterable[int]) -> Line:
        """Rebuild a line that another process has played from its ``words``, without playing the moves again.

        >>> from zerosum.games import load
        >>> line = Line(load("tictactoe")).play(4)
        >>> Line.of_words(line.game, *line.words()).states == line.states
        True
        """
        line = object.__new__(cls)
        line.game = game
        line.moves = tuple(moves)
        line.states = tuple(game.state_type.from_words(list(words)) for words in states)
        return line

    def words(self) -> tuple[list[list[int]], tuple[int, ...]]:
        """The states as rows of words, and the moves: everything but the game."""
        return [self.game.state_type.words(s) for s in self.states], self.moves

    @classmethod
    def parse(cls, game: Game, text: str | Iterable[str], start: Any = None) -> Line:
        """The line of these moves in the game's notation, separated by blanks or commas.

        If the text has semicolons, only these separate moves: in some games a move is several words. Others write
        moves without blanks between them (``cut_move``).
        """
        line = cls(game, start)
        words = _words(text) if isinstance(text, str) else text
        for word in words:
            try:
                for move in game.parse_moves(line.state, word):
                    line._append(move)
            except MoveError as problem:
                raise MoveError(f"move {len(line) + 1}: {problem}") from problem
        return line

    @property
    def start(self) -> Any:
        return self.states[0]

    @property
    def state(self) -> Any:
        """The last position of the line."""
        return self.states[-1]

    @property
    def is_repetition(self) -> bool:
        """Whether the last position has occurred often enough to be a draw."""
        game = self.game
        if not game.repetition:
            return False
        now = game.identity(self.state)
        return sum(bool(game.identity(s) == now) for s in self.states) >= int(game.repetition)

    def play(self, move: int) -> Line:
        """A line that is one legal move longer."""
        longer = self._copy(len(self.moves))
        longer._append(move)
        return longer

    def back(self, plies: int = 1) -> Line:
        """A line that is this many plies shorter."""
        return self._copy(max(0, len(self.moves) - plies))

    def _copy(self, plies: int) -> Line:
        line = object.__new__(Line)
        line.game = self.game
        line.moves = self.moves[:plies]
        line.states = self.states[: plies + 1]
        return line

    def texts(self) -> Iterator[str]:
        """The moves in the game's notation."""
        for s, move in zip(self.states, self.moves, strict=False):
            yield self.game.format_move(s, move)

    def __len__(self) -> int:
        return len(self.moves)

    def __repr__(self) -> str:
        return f"<Line of {self.game.name}: {' '.join(self.texts()) or 'start'}>"


def _words(text: str) -> list[str]:
    if ";" in text:
        return [word.strip() for word in text.split(";") if word.strip()]
    return text.replace(",", " ").split()
