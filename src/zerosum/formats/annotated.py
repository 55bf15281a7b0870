"""A text of moves with annotations: names, comments in braces, variations in brackets.

>>> from zerosum.games import load
>>> game = load("tictactoe")
>>> played = parsed(game, '[X "Anna"]\\n\\n5 { the centre } 2 ( 1 9 ) 1 1-0')
>>> played.players, played.result, played.comments, played.branches[1][0].moves
(('Anna', ''), 1, {0: 'the centre'}, (0, 8))
>>> print(written(played))
[X "Anna"]
<BLANKLINE>
5 { the centre } 2 ( 1 9 ) 1 1-0
<BLANKLINE>
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from zerosum.errors import FormatError, MoveError, PositionError
from zerosum.formats.played import POINTS, RESULTS, Branch, Played
from zerosum.line import Line

if TYPE_CHECKING:
    from zerosum.game import Game

NUMBER = re.compile(r"^\d+\.+")
TAG = re.compile(r'\[([^"\]]+) "((?:[^"\\]|\\.)*)"\]')
MARKS = re.compile(r"\{([^}]*)\}|(?<!\S)([()])(?!\S)")
MOST_NESTED = 100


def is_annotated(text: str) -> bool:
    """Whether the text contains more than moves."""
    return text.lstrip().startswith("[") or MARKS.search(text) is not None


def parsed(game: Game, text: str) -> Played:
    """Parse the game in a text; raises a ZerosumError that quotes what is wrong."""
    rows = text.strip().splitlines()
    notes: dict[str, str] = {}
    while rows and (not rows[0].strip() or TAG.fullmatch(rows[0].strip())):
        found = TAG.fullmatch(rows.pop(0).strip())
        if found:
            notes[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
    start = None
    if rows and not MARKS.search(rows[0]):
        try:
            start = game.parse_state(rows[0])
            rows = rows[1:]
        except PositionError:
            pass
    reader = _Reader(game, "\n".join(rows))
    main = reader.branch(start, 0)
    names = notes.pop(game.players[0], ""), notes.pop(game.players[1], "")
    line = Line(game, start, main.moves)
    return Played(line, names, reader.result, notes=notes, comments=main.comments, branches=main.branches)


class _Reader:
    """Reads a text word by word."""

    def __init__(self, game: Game, text: str) -> None:
        self.game = game
        self.result: int | None = None
        self.words = list(_words(text))
        self.at = 0

    def branch(self, start: Any, depth: int) -> Branch:
        """The moves from here to the end of the text, or of the variation."""
        if depth > MOST_NESTED:
            raise FormatError(f"variations are nested more than {MOST_NESTED} deep")
        line = Line(self.game, start)
        comments: dict[int, str] = {}
        branches: dict[int, tuple[Branch, ...]] = {}
        while self.at < len(self.words):
            kind, word = self.words[self.at]
            self.at += 1
            last = len(line) - 1
            if kind == "comment":
                comments[max(0, last)] = " ".join(filter(None, (comments.get(max(0, last), ""), word)))
            elif word == ")":
                if not depth:
                    raise FormatError("')' closes a variation that was never opened")
                return Branch(line.moves, comments, branches)
            elif word == "(":
                if last < 0:
                    raise FormatError("'(' opens a variation before there is a move to vary")
                branches[last] = (*branches.get(last, ()), self.branch(line.states[-2], depth + 1))
            elif word in POINTS or word == "*":
                self.result = self.result if depth else POINTS.get(word)
            else:
                line = self._play(line, word)
        if depth:
            raise FormatError("'(' opens a variation that is never closed")
        return Branch(line.moves, comments, branches)

    def _play(self, line: Line, word: str) -> Line:
        try:
            for move in self.game.parse_moves(line.state, word):
                line = line.play(move)
        except MoveError as problem:
            raise MoveError(f"move {len(line) + 1}: {problem}") from problem
        return line


def _words(text: str) -> Iterator[tuple[str, str]]:
    """The comments, brackets and moves in order. Plays of several words are separated by semicolons."""
    plain = MARKS.sub(" ", text)
    at = 0
    for found in [*MARKS.finditer(text), None]:
        moves = text[at : found.start() if found else len(text)]
        for word in moves.split(";") if ";" in plain else moves.split():
            stripped = NUMBER.sub("", word.strip())
            if stripped:
                yield "move", stripped
        if found is None:
            return
        at = found.end()
        yield ("mark", found[2]) if found[2] else ("comment", found[1].strip())


def written(played: Played) -> str:
    """The game as text: a line for each name and note, the position unless it is the usual start, and the moves."""
    line = played.line
    game = line.game
    named = {name: text for name, text in zip(game.players, played.players, strict=True) if text} | played.notes
    head = [f'[{name} "{_escaped(text)}"]' for name, text in named.items()]
    if head:
        head.append("")
    if line.start != game.start():
        head.append(game.format_state(line.start))
    main = Branch(line.moves, played.comments, played.branches)
    result = [] if played.result is None else [RESULTS[played.result]]
    separator = ";" if any(" " in text for text in line.texts()) else ""
    words = [*_written(game, line.start, main, separator), *result]
    return "\n".join([*head, " ".join(words)]) + "\n"


def _written(game: Game, s: Any, branch: Branch, separator: str) -> Iterator[str]:
    comments: Mapping[int, str] = branch.comments
    for place, move in enumerate(branch.moves):
        yield game.format_move(s, move) + separator
        comment = " ".join(comments.get(place, "").replace("}", ")").split())
        if comment:
            yield f"{{ {comment} }}"
        for other in branch.branches.get(place, ()):
            yield from ("(", *_written(game, s, other, separator), ")")
        s = game.play(s, move)


def _escaped(text: str) -> str:
    return re.sub(r'(["\\])', r"\\\1", " ".join(text.split()))
