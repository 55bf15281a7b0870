"""Write games in PGN's export format, with at most 80 characters per line."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TextIO

from zerosum.errors import PgnError
from zerosum.files import written_whole
from zerosum.games.pgn.tree import COMMAND, MAX_NESTING, ROSTER, AnnotatedGame, Variation

WIDTH = 80
LONG_COMMAND = 60  # longer commands may be broken: they would not fit on a line anyway


@dataclass(frozen=True)
class Notation:
    """How a game writes its moves.

    Attributes:
        text: the text of a move in a position.
        after: the position after a move.
        ply: the ply of a position: twice the move number, plus 1 if the player who moves second is to move.
    """

    text: Callable[[Any, int], str]
    after: Callable[[Any, int], Any]
    ply: Callable[[Any], int]


def written(game: AnnotatedGame, tags: Mapping[str, str], notation: Notation, width: int) -> str:
    """The game as text, ending with an empty line so that another game can follow."""
    head = [f"%{escape}" for escape in game.escapes]
    head += [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    words = [*_words(game.main, game.start, notation.ply(game.start), notation, 0), game.result]
    return "\n".join([*head, "", *_wrapped(words, width), "", ""])


def write_texts(texts: Iterable[str], target: str | os.PathLike[str] | TextIO) -> int:
    """Write games to a file, which appears only when all are written, or to an open stream; return their number."""
    count = 0
    if isinstance(target, (str, os.PathLike)):
        with written_whole(target) as file:
            for text in texts:
                file.write(text.encode("utf-8", "replace"))
                count += 1
        return count
    for text in texts:
        target.write(text)
        count += 1
    return count


def roster_first(game: AnnotatedGame, others: Mapping[str, str] | None = None) -> dict[str, str]:
    """The tags to write: the seven that every game has, then ``others``, then the game's remaining tags."""
    tags = {name: game.tags.get(name, unknown) for name, unknown in ROSTER.items()}
    if "Result" not in game.tags:
        tags["Result"] = game.result
    tags.update(others or {})
    tags.update((name, value) for name, value in game.tags.items() if name not in ROSTER)
    return tags


def _escaped(value: str) -> str:
    """The value of a tag, escaped; line breaks would end the tag, so they become spaces."""
    return re.sub(r'(["\\])', r"\\\1", _in_one_line(value))


def _in_one_line(text: str) -> str:
    return re.sub(r"[\r\n]+", " ", text)


# The moves, as words that are never broken


def _words(line: Variation, s: Any, ply: int, notation: Notation, depth: int) -> Iterator[str]:
    if depth > MAX_NESTING:
        raise PgnError(f"a variation more than {MAX_NESTING} deep cannot be written")
    yield from _comments(line.before)
    needs_number = True
    for node in line.moves:
        text = notation.text(s, node.move)
        number, second = divmod(ply, 2)
        if second:
            yield f"{number}... {text}" if needs_number else text
        else:
            yield f"{number}. {text}"
        yield from (f"${nag}" for nag in node.nags)
        yield from _comments(node.comments)
        for variation in node.variations:
            result = [variation.result] if variation.result else []
            yield from _bracketed([*_words(variation, s, ply, notation, depth + 1), *result])
        needs_number = bool(node.comments or node.variations)
        s = notation.after(s, node.move)
        ply += 1


def _bracketed(words: list[str]) -> list[str]:
    """The words of a variation, with brackets attached to the first and the last.

    >>> _bracketed(["1. d4", "d5"])
    ['(1. d4', 'd5)']
    """
    if not words:
        return ["()"]
    words[0] = f"({words[0]}"
    if words[-1].endswith("\n"):
        return [*words, ")"]  # after a comment that runs to the end of the line
    words[-1] += ")"
    return words


def _comments(comments: Iterable[str]) -> Iterator[str]:
    for comment in comments:
        comment = _in_one_line(comment).strip()
        if "}" in comment:
            yield f"; {comment}\n"  # the only kind of comment that can contain a closing brace
        elif comment:
            yield from _pieces(f"{{ {comment} }}")


def _pieces(text: str) -> Iterator[str]:
    """The pieces of a comment that may go on separate lines: split at single spaces, outside commands, not before %.

    The reader turns a line break into a space, so nothing is lost; a ``%`` at the start of a line would be an escape.

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
    """Wrap words into lines; a word that ends with a line break ends its line."""
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
