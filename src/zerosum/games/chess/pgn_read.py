"""PGN in: games from a file of any size, one at a time.

What the import format allows is read: several tags on a line, comments of both kinds, glyphs such as ``!?``,
move numbers or none, ``%`` lines, results left out. A game that makes no sense is a PgnError that quotes the
line and the word; the next game is read all the same.
"""

from __future__ import annotations

import codecs
import io
import os
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, TextIO

from zerosum.errors import MoveError, PgnError, PositionError
from zerosum.games.chess.notation import from_fen, from_san
from zerosum.games.chess.pgn_tree import (
    MAX_NESTING,
    NULL_MOVE,
    REMEMBERED,
    PgnGame,
    PgnMove,
    Variation,
    after,
    can_pass,
)

GLYPHS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
MAX_NAG = 255

TAG_NAME = r"[A-Za-z0-9][A-Za-z0-9_+#=:\-]*"
# The start of a tag section, also where a game before it is broken off.
TAG_LINE = re.compile(rf'\s*\[\s*{TAG_NAME}\s*"')
TAG = re.compile(rf'\s*\[\s*({TAG_NAME})\s*"((?:[^"\\]|\\.)*)"\s*\]\s*')
# Many files forget to escape a quote inside the value.
CARELESS_TAG = re.compile(rf'\s*\[\s*({TAG_NAME})\s*"(.*)"\s*\]\s*')
NOT_A_TAG = 'is not a tag such as [White "Name"]'

TOKEN = re.compile(
    r"""\s*(?:
      (?P<comment>\{)
    | (?P<rest>;.*)
    | (?P<open>\()
    | (?P<close>\))
    | (?P<nag>\$\d+)
    | (?P<glyph>[!?]{1,2})
    | (?P<result>(?:1-0|0-1|1/2-1/2|\*)(?![\w/\-]))
    | (?P<number>\d+\s*\.+|\d+(?=\s|$)|\.+|e\.p\.)
    | (?P<null>(?:--|Z0|@@@@)(?![\w\-]))
    | (?P<move>[A-Za-z0-9](?:(?!e\.p\.)[\w+#=:\-])*)
    | (?P<other>\S[^\s(){};]*)
    )""",
    re.VERBOSE | re.ASCII,
)


def read_games(
    source: str | os.PathLike[str] | TextIO,
    on_error: Callable[[PgnError], None] | None = None,
    plies: int | None = None,
) -> Iterator[PgnGame]:
    """The games of a file or an open text stream, one after the other.

    The first game that makes no sense ends the reading with a PgnError; with ``on_error`` that is called with
    the error instead, and the reading goes on with the next game. ``plies`` leaves out the moves behind so many
    and all variations: much faster where only openings are wanted.

    >>> import io
    >>> [game.tags["White"] for game in read_games(io.StringIO('[White "A"]\\n\\n1. e4 *\\n\\n[White "B"]\\n\\n*\\n'))]
    ['A', 'B']
    """
    if isinstance(source, (str, os.PathLike)):
        with open_pgn(source) as stream:
            yield from _Reader(stream, os.path.basename(os.fspath(source)), on_error, plies).games()
    else:
        yield from _Reader(source, "", on_error, plies).games()


def parse_game(text: str) -> PgnGame:
    """The one game in a text.

    >>> parse_game("1. e4 (1. d4 d5) e5 1-0").result
    '1-0'
    """
    found = list(read_games(io.StringIO(text, newline=None)))
    if len(found) != 1:
        raise PgnError(f"{_short(text)} holds {len(found) or 'no'} games, not one")
    return found[0]


def open_pgn(path: str | os.PathLike[str]) -> TextIO:
    """A PGN file as text: UTF-8, with bytes that are not taken for Latin-1, as the standard of 1994 has it."""
    try:
        return Path(path).open(encoding="utf-8-sig", errors="zerosum.latin-1")
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise PgnError(f"{os.fspath(path)!r} cannot be read: {reason}") from problem


def _as_latin_1(problem: UnicodeError) -> tuple[str, int]:
    assert isinstance(problem, UnicodeDecodeError)
    return problem.object[problem.start : problem.end].decode("latin-1"), problem.end


_remembered = lru_cache(REMEMBERED)(from_san)

codecs.register_error("zerosum.latin-1", _as_latin_1)


class _Frame:
    """A line that is being read: its moves, and the positions before and after the last one."""

    __slots__ = ("here", "line", "opened", "previous")

    def __init__(self, line: Variation, here: Any, opened: int) -> None:
        self.line, self.here, self.opened = line, here, opened
        self.previous: Any = None


class _Reader:
    def __init__(
        self, stream: TextIO, name: str, on_error: Callable[[PgnError], None] | None, plies: int | None
    ) -> None:
        self.stream, self.name, self.on_error, self.plies = stream, name, on_error, plies
        self.number = 0
        self._begin()

    def _begin(self) -> None:
        """Nothing of the next game has been seen."""
        self.game: PgnGame | None = None
        self.tags: dict[str, str] = {}
        self.escapes: list[str] = []
        self.frames: list[_Frame] = []
        self.problem: PgnError | None = None
        self.first_line = self.fen_line = 0
        self.depth = 0  # of variations, also of those that are not kept
        self.comment: list[str] | None = None  # the parts of an open comment
        self.comment_line = 0
        self.blank = False  # whether the line before was empty

    def games(self) -> Iterator[PgnGame]:
        for text in self._lines():
            self.number += 1
            text = text.rstrip("\r\n")
            if self.comment is None and text.startswith("%"):
                self.escapes.append(text[1:])
                continue
            if TAG_LINE.match(text) and (self.comment is None or self.blank):
                if self.in_moves:
                    yield from self._finish(broken_off=True)
                yield from self._read_moves(text, self._read_tags(text))
            elif self.comment is None and not self.in_moves and text.lstrip().startswith("["):
                self._note_start()
                self._fail(text.strip(), NOT_A_TAG)
            else:
                yield from self._read_moves(text, 0)
            self.blank = not text.strip()
        if self.in_moves or self.first_line:
            yield from self._finish(broken_off=True)

    def _lines(self) -> Iterator[str]:
        try:
            yield from self.stream
        except OSError as problem:
            raise PgnError(f"{self.name!r} cannot be read: {problem.strerror or problem}") from problem

    # The tags

    def _note_start(self) -> None:
        if not self.first_line:
            self.first_line = self.number

    def _read_tags(self, text: str) -> int:
        """Take the tags at the beginning of a line; where they end, as moves may follow."""
        self._note_start()
        at = 0
        found: list[tuple[str, str]] = []
        while at < len(text):
            tag = TAG.match(text, at)
            if tag is None:
                break
            found.append((tag[1], tag[2]))
            at = tag.end()
        if at < len(text) and (not found or text[at] == "["):
            careless = CARELESS_TAG.fullmatch(text)
            if careless is None:
                self._fail(text.strip(), NOT_A_TAG)
                return len(text)
            found, at = [(careless[1], careless[2])], len(text)
        for name, value in found:
            if name == "FEN":
                self.fen_line = self.number
            self.tags[name] = re.sub(r'\\(["\\])', r"\1", value)
        return at

    # The moves

    @property
    def in_moves(self) -> bool:
        return self.game is not None

    def _read_moves(self, text: str, at: int) -> Iterator[PgnGame]:
        while True:
            if self.comment is not None:
                end = text.find("}", at)
                if end < 0:
                    self.comment.append(text[at:])
                    return
                self.comment.append(text[at:end])
                self._keep_comment(" ".join(self.comment))
                self.comment = None
                at = end + 1
            found = TOKEN.match(text, at)
            if found is None:
                return  # only blanks are left
            at = found.end()
            if not self.in_moves:
                self._start_game()
            kind, word = found.lastgroup, found[found.lastgroup or 0]
            if kind == "comment":
                self.comment, self.comment_line = [], self.number
            elif kind == "result" and not self.depth:
                if self.frames:
                    self.frames[0].line.result = word
                yield from self._finish()
            elif kind != "number":
                self._take(kind, word)

    def _start_game(self) -> None:
        self._note_start()
        start = None
        fen = self.tags.get("FEN")
        if fen is not None:
            try:
                start = from_fen(fen)
            except PositionError as problem:
                self._fail(fen, str(problem), self.fen_line)
        self.game = PgnGame(self.tags, start, line=self.first_line)
        self.frames = [_Frame(self.game.main, self.game.start, self.number)]

    def _take(self, kind: str | None, word: str) -> None:
        """One word of the moves; once something was wrong, only brackets are counted, to find the end."""
        if kind == "open":
            self.depth += 1
        elif kind == "close":
            if not self.depth:
                self._fail(word, "closes a variation that was never opened")
                return
            self.depth -= 1
        if self.problem is not None or (self.plies is not None and (self.depth or kind == "close")):
            return
        frame = self.frames[-1]
        if kind == "move" or kind == "null":
            self._play(frame, word, kind == "null")
        elif kind == "rest":
            self._keep_comment(word[1:])
        elif kind == "open":
            if not frame.line.moves:
                self._fail(word, "opens a variation before there is a move to vary")
            elif self.depth > MAX_NESTING:
                self._fail(word, f"opens a variation more than {MAX_NESTING} deep")
            else:
                line = Variation()
                frame.line.moves[-1].variations.append(line)
                self.frames.append(_Frame(line, frame.previous, self.number))
        elif kind == "close":
            self.frames.pop()
        elif kind == "result":
            frame.line.result = word
        elif kind == "nag" or kind == "glyph":
            self._keep_glyph(frame, word)
        else:
            self._fail(word, "is neither a move nor anything else of PGN")

    def _play(self, frame: _Frame, word: str, passes: bool) -> None:
        if self.plies is not None and len(frame.line.moves) >= self.plies:
            return
        if passes:
            if not can_pass(frame.here):
                self._fail(word, "is a pass, which nobody can make in check")
                return
            move = NULL_MOVE
        else:
            try:
                move = _remembered(frame.here, word)
            except MoveError as problem:
                self._fail(word, str(problem))
                return
        frame.previous = frame.here
        frame.here = after(frame.here, move)
        frame.line.moves.append(PgnMove(move))

    def _keep_comment(self, text: str) -> None:
        text = text.strip()
        if self.problem is not None or not text or (self.plies is not None and self.depth):
            return
        line = self.frames[-1].line
        (line.moves[-1].comments if line.moves else line.before).append(text)

    def _keep_glyph(self, frame: _Frame, word: str) -> None:
        nag = GLYPHS.get(word) if word[0] != "$" else int(word[1:]) if len(word) < 5 else None
        if not frame.line.moves:
            self._fail(word, "stands before there is a move to judge")
        elif nag is None or nag > MAX_NAG:
            self._fail(word, f"is not a judgement: those are $0 to ${MAX_NAG}")
        else:
            frame.line.moves[-1].nags.append(nag)

    # The end

    def _fail(self, word: str, reason: str, line: int = 0) -> None:
        """Note the first thing that is wrong with this game."""
        if self.problem is not None:
            return
        line = line or self.number
        # What the rules say about a move or a position begins with it.
        said = reason if reason.startswith(("'", '"')) else f"{_short(word)} {reason}"
        where = f"{self.name}, line {line}" if self.name else f"line {line}"
        self.problem = PgnError(f"{where}: {said}", line, word)

    def _finish(self, broken_off: bool = False) -> Iterator[PgnGame]:
        if not self.in_moves:
            self._start_game()  # tags alone are a game without moves
        if broken_off and self.comment is not None:
            shown = "{" + " ".join(self.comment)
            self._fail(shown, "is a comment that is never closed", self.comment_line)
        elif broken_off and self.depth:
            self._fail("(", "opens a variation that is never closed", self.frames[-1].opened if self.frames else 0)
        game, problem, escapes = self.game, self.problem, self.escapes
        self._begin()
        if problem is not None:
            if self.on_error is None:
                raise problem
            self.on_error(problem)
            return
        assert game is not None
        game.escapes = escapes
        game.main.result = game.result
        yield game


def _short(text: str) -> str:
    """A text in quotes, not too long for a message."""
    return repr(text if len(text) <= 60 else f"{text[:57]}…")
