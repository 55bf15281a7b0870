"""Read games one at a time, from a file of any size.

The reader accepts PGN's import format: several tags on a line, both kinds of comments, glyphs such as ``!?``, missing
move numbers, ``%`` lines, missing results. An invalid game is a PgnError that quotes the line number and the word; the
next game is read all the same.
"""

from __future__ import annotations

import codecs
import io
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

from zerosum.errors import MoveError, PgnError, PositionError
from zerosum.games.pgn.tree import MAX_NESTING, AnnotatedGame, PgnMove, Variation

GLYPHS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
MAX_NAG = 255

TAG_NAME = r"[A-Za-z0-9][A-Za-z0-9_+#=:\-]*"
# The start of a tag section, even if the game before it is incomplete.
TAG_LINE = re.compile(rf'\s*\[\s*{TAG_NAME}\s*"')
TAG = re.compile(rf'\s*\[\s*({TAG_NAME})\s*"((?:[^"\\]|\\.)*)"\s*\]\s*')
# Many files do not escape quotes inside the value.
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


def games_in(
    source: str | os.PathLike[str] | TextIO,
    reader: type[GameReader],
    on_error: Callable[[PgnError], None] | None,
    plies: int | None,
) -> Iterator[Any]:
    """The games in a file or an open text stream, read by this kind of reader."""
    if isinstance(source, (str, os.PathLike)):
        with open_pgn(source) as stream:
            yield from reader(stream, os.path.basename(os.fspath(source)), on_error, plies).games()
    else:
        yield from reader(source, "", on_error, plies).games()


def only_game(text: str, reader: type[GameReader]) -> Any:
    """The only game in a text; PgnError if there is not exactly one."""
    found = list(games_in(io.StringIO(text, newline=None), reader, None, None))
    if len(found) != 1:
        raise PgnError(f"{quoted(text)} contains {len(found) or 'no'} games instead of one")
    return found[0]


def open_pgn(path: str | os.PathLike[str]) -> TextIO:
    """Open a PGN file as UTF-8 text; invalid bytes are decoded as Latin-1, the encoding of the 1994 standard."""
    try:
        return Path(path).open(encoding="utf-8-sig", errors="zerosum.latin-1")
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise PgnError(f"{os.fspath(path)!r} cannot be read: {reason}") from problem


def _as_latin_1(problem: UnicodeError) -> tuple[str, int]:
    assert isinstance(problem, UnicodeDecodeError)
    return problem.object[problem.start : problem.end].decode("latin-1"), problem.end


codecs.register_error("zerosum.latin-1", _as_latin_1)


class Frame:
    """A line being read: its moves, and the positions before and after the last one."""

    __slots__ = ("here", "line", "opened", "previous")

    def __init__(self, line: Variation, here: Any, opened: int) -> None:
        self.line, self.here, self.opened = line, here, opened
        self.previous: Any = None


class GameReader:
    """Reads games one at a time; subclasses add ``new_game``, ``position`` and ``move`` for their game.

    Attributes:
        other_results: words that some files use for results, and the results they mean.
    """

    other_results: Mapping[str, str] = {}

    def __init__(
        self, stream: TextIO, name: str, on_error: Callable[[PgnError], None] | None, plies: int | None
    ) -> None:
        self.stream, self.name, self.on_error, self.plies = stream, name, on_error, plies
        self.number = 0
        self._begin()

    # For subclasses

    def new_game(self, start: Any) -> AnnotatedGame:
        """A game with the current tags from this position; None means the usual start."""
        raise NotImplementedError

    def position(self, fen: str) -> Any:
        """The position in a FEN tag; PositionError if it is invalid."""
        raise NotImplementedError

    def move(self, s: Any, word: str, passes: bool) -> int:
        """The move that a word stands for; MoveError if it is invalid. ``passes``: the word is a symbol for a pass."""
        raise NotImplementedError

    def check_tags(self) -> None:
        """Call ``fail`` if the tags belong to another game."""

    # Line by line

    def _begin(self) -> None:
        """Reset, before the next game."""
        self.game: AnnotatedGame | None = None
        self.tags: dict[str, str] = {}
        self.escapes: list[str] = []
        self.frames: list[Frame] = []
        self.problem: PgnError | None = None
        self.first_line = self.fen_line = 0
        self.depth = 0  # of variations, including those that are skipped
        self.comment: list[str] | None = None  # the parts of an open comment
        self.comment_line = 0
        self.blank = False  # whether the previous line was empty

    def games(self) -> Iterator[AnnotatedGame]:
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
                self.fail(text.strip(), NOT_A_TAG)
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
        """Read the tags at the beginning of a line; return where they end, because moves may follow."""
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
                self.fail(text.strip(), NOT_A_TAG)
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

    def _read_moves(self, text: str, at: int) -> Iterator[AnnotatedGame]:
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
                return  # only whitespace is left
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
                start = self.position(fen)
            except PositionError as problem:
                self.fail(fen, str(problem), self.fen_line)
        self.check_tags()
        self.game = self.new_game(start)
        self.frames = [Frame(self.game.main, self.game.start, self.number)]

    def _take(self, kind: str | None, word: str) -> None:
        """Handle one token of the moves; after an error only count brackets, to find the end of the game."""
        if kind == "open":
            self.depth += 1
        elif kind == "close":
            if not self.depth:
                self.fail(word, "closes a variation that was never opened")
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
                self.fail(word, "opens a variation before there is a move to vary")
            elif self.depth > MAX_NESTING:
                self.fail(word, f"opens a variation more than {MAX_NESTING} deep")
            else:
                line = Variation()
                frame.line.moves[-1].variations.append(line)
                self.frames.append(Frame(line, frame.previous, self.number))
        elif kind == "close":
            self.frames.pop()
        elif kind == "result":
            frame.line.result = word
        elif kind == "nag" or kind == "glyph":
            self._keep_glyph(frame, word)
        else:
            self.fail(word, "is not a move or anything else in PGN")

    def _play(self, frame: Frame, word: str, passes: bool) -> None:
        if word in self.other_results:
            frame.line.result = self.other_results[word]
            return
        if self.plies is not None and len(frame.line.moves) >= self.plies:
            return
        try:
            move = self.move(frame.here, word, passes)
        except MoveError as problem:
            self.fail(word, str(problem))
            return
        assert self.game is not None
        frame.previous = frame.here
        frame.here = self.game.after(frame.here, move)
        frame.line.moves.append(PgnMove(move))

    def _keep_comment(self, text: str) -> None:
        text = text.strip()
        if self.problem is not None or not text or (self.plies is not None and self.depth):
            return
        line = self.frames[-1].line
        (line.moves[-1].comments if line.moves else line.before).append(text)

    def _keep_glyph(self, frame: Frame, word: str) -> None:
        nag = GLYPHS.get(word) if word[0] != "$" else int(word[1:]) if len(word) < 5 else None
        if not frame.line.moves:
            self.fail(word, "comes before there is a move to annotate")
        elif nag is None or nag > MAX_NAG:
            self.fail(word, f"is not an annotation glyph: use $0 to ${MAX_NAG}")
        else:
            frame.line.moves[-1].nags.append(nag)

    # The end

    def fail(self, word: str, reason: str, line: int = 0) -> None:
        """Record an error in this game, unless there was one before."""
        if self.problem is not None:
            return
        line = line or self.number
        # Messages from the rules about a move or a position already begin by quoting it.
        said = reason if reason.startswith(("'", '"')) else f"{quoted(word)} {reason}"
        where = f"{self.name}, line {line}" if self.name else f"line {line}"
        self.problem = PgnError(f"{where}: {said}", line, word)

    def _finish(self, broken_off: bool = False) -> Iterator[AnnotatedGame]:
        if not self.in_moves:
            self._start_game()  # tags without moves are a game too
        if broken_off and self.comment is not None:
            shown = "{" + " ".join(self.comment)
            self.fail(shown, "is a comment that is never closed", self.comment_line)
        elif broken_off and self.depth:
            self.fail("(", "opens a variation that is never closed", self.frames[-1].opened if self.frames else 0)
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


def quoted(text: str) -> str:
    """The text in quotes, shortened for a message."""
    return repr(text if len(text) <= 60 else f"{text[:57]}…")
