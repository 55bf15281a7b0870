"""PGN out: the export format, at most 80 signs to a line."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from zerosum.errors import PgnError, PositionError
from zerosum.files import written_whole
from zerosum.games.chess.notation import from_fen, to_fen, to_san
from zerosum.games.chess.pgn_tree import (
    COMMAND,
    MAX_NESTING,
    NULL_MOVE,
    ROSTER,
    PgnGame,
    PgnMove,
    Variation,
    after,
    chess,
)
from zerosum.games.chess.position import BLACK

WIDTH = 80
LONG_COMMAND = 60  # a command that is longer may be broken: a line cannot hold it anyway


def format_game(game: PgnGame, width: int = WIDTH) -> str:
    """A game as text that ends with an empty line, so that games can be written one behind the other.

    >>> print(format_game(PgnGame(tags={"White": "Anna"})).splitlines()[4])
    [White "Anna"]
    """
    head = [f"%{escape}" for escape in game.escapes]
    head += [f'[{name} "{_escaped(value)}"]' for name, value in _tags(game).items()]
    words = [*_words(game.main, game.start, 0), game.result]
    return "\n".join([*head, "", *_wrapped(words, width), "", ""])


def write_games(games: Iterable[PgnGame], target: str | os.PathLike[str] | TextIO, width: int = WIDTH) -> int:
    """Write games to a file, which appears when all are written, or to an open stream; how many they were."""
    count = 0
    if isinstance(target, (str, os.PathLike)):
        with written_whole(target) as file:
            for game in games:
                file.write(format_game(game, width).encode("utf-8", "replace"))
                count += 1
        return count
    for game in games:
        target.write(format_game(game, width))
        count += 1
    return count


def _tags(game: PgnGame) -> dict[str, str]:
    """The seven that every game has, then the others; a start of its own is always told."""
    tags = {name: game.tags.get(name, unknown) for name, unknown in ROSTER.items()}
    if "Result" not in game.tags:
        tags["Result"] = game.result
    tags.update((name, value) for name, value in game.tags.items() if name not in ROSTER)
    told = _position(tags["FEN"]) if "FEN" in tags else chess().start()
    if told != game.start:
        tags |= {"SetUp": "1", "FEN": to_fen(game.start)}
    return tags


def _position(fen: str) -> Any:
    try:
        return from_fen(fen)
    except PositionError:
        return None


def _escaped(value: str) -> str:
    """A tag's value; a line break would end the tag, so it becomes a blank."""
    return re.sub(r'(["\\])', r"\\\1", _in_one_line(value))


def _in_one_line(text: str) -> str:
    return re.sub(r"[\r\n]+", " ", text)


# The moves, as words that stay whole


def _words(line: Variation, s: Any, depth: int) -> Iterator[str]:
    if depth > MAX_NESTING:
        raise PgnError(f"a variation more than {MAX_NESTING} deep cannot be written")
    yield from _comments(line.before)
    ply = 2 * int(s.number) + (s.turn == BLACK)
    needs_number = True
    for node in line.moves:
        yield _move(s, node, ply, needs_number)
        yield from (f"${nag}" for nag in node.nags)
        yield from _comments(node.comments)
        for variation in node.variations:
            result = [variation.result] if variation.result else []
            yield from _bracketed([*_words(variation, s, depth + 1), *result])
        needs_number = bool(node.comments or node.variations)
        s = after(s, node.move)
        ply += 1


def _bracketed(words: list[str]) -> list[str]:
    """The words of a variation, its brackets stuck to the first and the last.

    >>> _bracketed(["1. d4", "d5"])
    ['(1. d4', 'd5)']
    """
    if not words:
        return ["()"]
    words[0] = f"({words[0]}"
    if words[-1].endswith("\n"):
        return [*words, ")"]  # behind a comment to the end of the line
    words[-1] += ")"
    return words


def _move(s: Any, node: PgnMove, ply: int, needs_number: bool) -> str:
    san = "--" if node.move == NULL_MOVE else to_san(s, node.move)
    number, black_moves = divmod(ply, 2)
    if black_moves:
        return f"{number}... {san}" if needs_number else san
    return f"{number}. {san}"


def _comments(comments: Iterable[str]) -> Iterator[str]:
    for comment in comments:
        comment = _in_one_line(comment).strip()
        if "}" in comment:
            yield f"; {comment}\n"  # no other way to hold a closing brace
        elif comment:
            yield from _pieces(f"{{ {comment} }}")


def _pieces(text: str) -> Iterator[str]:
    """Where a comment may be broken: at single blanks, not inside a command, and not before a ``%``.

    The reader makes a blank of a line's end, so that nothing is lost; a ``%`` would begin an escape.

    >>> list(_pieces("{ [%clk 0:01:00] so  far }"))
    ['{', '[%clk 0:01:00]', 'so  far', '}']
    """
    whole = [found.span() for found in COMMAND.finditer(text) if len(found[0]) <= LONG_COMMAND]
    begin = 0
    for found in re.finditer(r"(?<=\S) (?=[^\s%])", text):
        if not any(low < found.start() < high for low, high in whole):
            yield text[begin : found.start()]
            begin = found.end()
    yield text[begin:]


def _wrapped(words: Iterable[str], width: int) -> Iterator[str]:
    """Lines of words; a word that ends with a line break ends its line."""
    row = ""
    for word in words:
        if row and len(row) + 1 + len(word.rstrip("\n")) > width:
            yield row
            row = ""
        row = f"{row} {word}" if row else word
        if word.endswith("\n"):
            yield row[:-1]
            row = ""
    if row:
        yield row
