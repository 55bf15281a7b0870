"""PDN: games of draughts in and out. It is PGN with other moves, so the same reader and the same words of a tree serve.

Black moves first, and ``1-0`` is a win of White as in chess. Comments, glyphs and variations are kept. A game that is
not of English draughts, by its GameType, is refused.

>>> game = parse_game('[Black "Anna"] [GameType "21"] 1. 11-15 { the usual one } 22-18 (22-17 $1) 2. 15x22 25x18 0-1')
>>> game.result, [len(node.variations) for node in game.main.moves]
('0-1', [0, 1, 0, 0])
>>> print(format_game(game).splitlines()[-2])
1. 11-15 { the usual one } 1... 22-18 (1... 22-17 $1) 2. 15x22 25x18 0-1
>>> parse_game("1. 11-15 22-18 2. 8-11")
Traceback (most recent call last):
zerosum.errors.PgnError: line 1: '8-11' is not a legal move here; legal: 15x22
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, TextIO

from zerosum.errors import MoveError, PgnError, PositionError
from zerosum.files import written_whole
from zerosum.game import Game
from zerosum.games import load
from zerosum.games.checkers.fen import from_fen, to_fen
from zerosum.games.checkers.position import WHITE
from zerosum.games.chess.pgn_read import _Frame, _Reader, _short, open_pgn
from zerosum.games.chess.pgn_tree import MAX_NESTING, ROSTER, PgnGame, PgnMove, Variation
from zerosum.games.chess.pgn_write import WIDTH, _bracketed, _comments, _escaped, _wrapped

GAME_TYPE = "21"
"""The number of English draughts among the games that PDN knows."""

# How some files count: two points for a win, one each for a draw.
POINTS = {"2-0": "1-0", "0-2": "0-1", "1-1": "1/2-1/2", "0-0": "*"}


@dataclass
class PdnGame(PgnGame):
    """One game of a PDN file; see PgnGame for what it holds."""

    def __post_init__(self) -> None:
        if self.start is None:
            self.start = checkers().start()

    def positions(self) -> Iterator[tuple[Any, int]]:
        """Each position of the main line with the move played there."""
        s = self.start
        for node in self.main.moves:
            yield s, node.move
            s = checkers().play(s, node.move)


@cache
def checkers() -> Game:
    """The rules."""
    return load("checkers")


def read_games(
    source: str | os.PathLike[str] | TextIO,
    on_error: Callable[[PgnError], None] | None = None,
    plies: int | None = None,
) -> Iterator[PdnGame]:
    """The games of a file or an open text stream, one after the other.

    The first game that makes no sense ends the reading with a PgnError, which quotes line and word; with ``on_error``
    that is called instead, and the reading goes on with the next game. ``plies`` leaves out the moves behind so many.
    """
    if isinstance(source, (str, os.PathLike)):
        with open_pgn(source) as stream:
            yield from _PdnReader(stream, os.path.basename(os.fspath(source)), on_error, plies).games()  # type: ignore[misc]
    else:
        yield from _PdnReader(source, "", on_error, plies).games()  # type: ignore[misc]


def parse_game(text: str) -> PdnGame:
    """The one game in a text."""
    found = list(read_games(io.StringIO(text, newline=None)))
    if len(found) != 1:
        raise PgnError(f"{_short(text)} holds {len(found) or 'no'} games, not one")
    return found[0]


class _PdnReader(_Reader):
    """The reader of PGN with the positions and moves of draughts."""

    def _start_game(self) -> None:
        self._note_start()
        start = None
        fen = self.tags.get("FEN")
        if fen is not None:
            try:
                start = from_fen(fen)
            except PositionError as problem:
                self._fail(fen, str(problem), self.fen_line)
        kind = self.tags.get("GameType", GAME_TYPE)
        if kind.split(",")[0].strip() != GAME_TYPE:
            self._fail(kind, f"is not the GameType of English draughts, {GAME_TYPE}", self.first_line)
        self.game = PdnGame(self.tags, start, line=self.first_line)
        self.frames = [_Frame(self.game.main, self.game.start, self.number)]

    def _play(self, frame: _Frame, word: str, passes: bool) -> None:
        if word in POINTS:
            frame.line.result = POINTS[word]
            return
        if self.plies is not None and len(frame.line.moves) >= self.plies:
            return
        game = checkers()
        try:
            move = game.parse_move(frame.here, word)
        except MoveError as problem:
            self._fail(word, str(problem))
            return
        frame.previous = frame.here
        frame.here = game.play(frame.here, move)
        frame.line.moves.append(PgnMove(move))


# Out


def format_game(game: PgnGame, width: int = WIDTH) -> str:
    """A game as text that ends with an empty line, so that games can be written one behind the other."""
    head = [f"%{escape}" for escape in game.escapes]
    head += [f'[{name} "{_escaped(value)}"]' for name, value in _tags(game).items()]
    words = [*_words(game.main, game.start, 0), game.result]
    return "\n".join([*head, "", *_wrapped(words, width), "", ""])


def write_games(games: Iterable[PgnGame], path: str | os.PathLike[str], width: int = WIDTH) -> int:
    """Write games to a file, which appears when all are written; how many they were."""
    count = 0
    with written_whole(path) as file:
        for game in games:
            file.write(format_game(game, width).encode("utf-8", "replace"))
            count += 1
    return count


def _tags(game: PgnGame) -> dict[str, str]:
    """The seven that every game has, the kind of game, then the others; a start of its own is always told."""
    tags = {name: game.tags.get(name, unknown) for name, unknown in ROSTER.items()}
    if "Result" not in game.tags:
        tags["Result"] = game.result
    tags["GameType"] = GAME_TYPE
    tags.update((name, value) for name, value in game.tags.items() if name not in ROSTER)
    if "FEN" in tags or game.start != checkers().start():
        tags |= {"SetUp": "1", "FEN": to_fen(game.start)}
    return tags


def _words(line: Variation, s: Any, depth: int, ply: int | None = None) -> Iterator[str]:
    if depth > MAX_NESTING:
        raise PgnError(f"a variation more than {MAX_NESTING} deep cannot be written")
    yield from _comments(line.before)
    # A FEN has no move number that counts: the first move is number 1.
    ply = 2 + (s.turn == WHITE) if ply is None else ply
    needs_number = True
    for node in line.moves:
        text = checkers().format_move(s, node.move)
        number, white_moves = divmod(ply, 2)
        if white_moves:
            yield f"{number}... {text}" if needs_number else text
        else:
            yield f"{number}. {text}"
        yield from (f"${nag}" for nag in node.nags)
        yield from _comments(node.comments)
        for variation in node.variations:
            result = [variation.result] if variation.result else []
            yield from _bracketed([*_words(variation, s, depth + 1, ply), *result])
        needs_number = bool(node.comments or node.variations)
        s = checkers().play(s, node.move)
        ply += 1
