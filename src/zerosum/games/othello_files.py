"""Files of Othello games and positions: GGF, transcripts, OBF.

GGF (M. Buro and I. Durdanovic) is the format of the Generic Game Server, NBoard and most programs: properties and
moves as NAME[value]. A transcript is the moves of a game on one line, without spaces. OBF is the format of endgame
suites: one position per line, with the scores of its moves.

>>> from zerosum.games.othello import othello
>>> game = othello()
>>> (played,) = GGF.parse(game, "(;GM[Othello]PB[Anna]PW[Otto]RE[+12.000]B[f5/0.5/2.1]W[d6];)")
>>> played.players, played.result, list(played.line.texts()), played.comments[0]
(('Anna', 'Otto'), 1, ['f5', 'd6'], '+0.50 2.100s')
>>> (played,) = TRANSCRIPT.parse(game, "F5D6C3")
>>> len(played.line)
3
>>> OBF.read("-" * 64 + " X; g8:+18; h1:+12;")[1]
{'bm': ('g8',), 'ce': ('1800',)}
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator

from zerosum.errors import FormatError, MoveError, PositionError
from zerosum.formats.format import Format, Piece
from zerosum.formats.played import POINTS, RESULTS, Played
from zerosum.formats.programs import Positions, Remarks
from zerosum.game import MAX, Game
from zerosum.line import Line

PASSES = ("pass", "pa", "ps", "--")
"""The spellings of a pass."""

_WORD = re.compile(r"pass|pa|ps|--|[a-h][1-8]", re.IGNORECASE)
_PROPERTY = re.compile(r"\s*([A-Za-z]+)\s*\[([^\]]*)\]")
_COMMENT = re.compile(r"(?:([+-]\d{1,9}(?:\.\d+)?)(?:/\d+)?)?\s*(?:(\d{1,9}(?:\.\d+)?)s)?")
_SCORE = re.compile(r"(?:([a-h][1-8]|pass|pa|ps|--)\s*:\s*)?([+-]?\d{1,3})", re.IGNORECASE)
_CLOCK = re.compile(r"(\d{1,9}(?:\.\d+)?)(?:\+(\d{1,9}(?:\.\d+)?))?")

BEGIN, END = "(;", ";)"

NOTES = {"PC": "Site", "DT": "Date", "TI": "TimeControl", "TB": "BlackTime", "TW": "WhiteTime"}
NOTES |= {"RB": "BlackRating", "RW": "WhiteRating"}
"""GGF properties that ``Played`` keeps as notes, with their names there."""

FLAGS = {"time": "t", "resignation": "r"}
"""GGF's flags for games that ended early, by reason; any other reason is 's', by agreement or by a referee."""


def first_word(text: str) -> str:
    """The first move of a transcript, or its first two characters if they are not a move."""
    found = _WORD.match(text)
    return text[:2] if found is None else found[0]


def brief(text: str) -> str:
    """The text in quotes, on one line, shortened if it is long."""
    quoted = repr(text)
    return quoted if len(quoted) <= 60 else f"{quoted[:58]}…{quoted[-1]}"


# GGF


class Ggf(Format):
    """Several games in one file, each between ``(;`` and ``;)``; anything outside them is ignored."""

    def parse(self, game: Game, text: str) -> Iterator[Played]:
        text = self._without_comments(text)
        number, end = 0, 0
        while (start := text.find(BEGIN, end)) >= 0:
            number += 1
            end = text.find(END, start + len(BEGIN))
            if end < 0:
                raise FormatError(f"game {number}: {brief(text[start:])} does not end with {END!r}")
            yield _read_ggf(game, number, text[start + len(BEGIN) : end])
        if not number and text.strip():
            raise FormatError(f"{brief(text.strip())} is not GGF: a game is between {BEGIN!r} and {END!r}")

    def looks_like(self, text: str) -> bool:
        return BEGIN in text

    def write(self, played: Played) -> str:
        return _write_ggf(played)


GGF = Ggf(".ggf", "GGF", comment="#")


def _read_ggf(game: Game, number: int, text: str) -> Played:
    """Read a game; its moves are played only when its line is used."""
    try:
        names, moves = _properties(text)
        start = _board(game, names)
        result = _result(names.get("RE", "?"))
        words, comments = _moves(moves, game.to_move(start) == MAX)
    except (FormatError, PositionError) as problem:
        raise FormatError(f"game {number}: {problem}") from problem

    def line() -> Line:
        try:
            return Line.parse(game, words, start)
        except MoveError as problem:
            raise FormatError(f"game {number}: {problem}") from problem

    notes = {note: names[name] for name, note in NOTES.items() if names.get(name)}
    players = (names.get("PB", ""), names.get("PW", ""))
    return Played(line, players, result, notes=notes, comments=comments)


def _properties(text: str) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """The properties of a game by name, and its moves with their colours."""
    names: dict[str, str] = {}
    moves: list[tuple[str, str]] = []
    place = 0
    while found := _PROPERTY.match(text, place):
        name, value = found[1].upper(), " ".join(found[2].split())
        if name in ("B", "W"):
            moves.append((name, value))
        else:
            names[name] = value
        place = found.end()
    if text[place:].strip():
        raise FormatError(f"{brief(text[place:].strip())} is not NAME[value]")
    return names, moves


def _board(game: Game, names: dict[str, str]) -> object:
    """The start position; FormatError for another game, another board size or other rules."""
    if names.get("GM", game.name).lower() != game.name:
        raise FormatError(f"the game is {brief(names['GM'])}, not {game.name}")
    kind = names.get("TY", "8").lower()
    size, _, squares = names.get("BO", "").partition(" ")
    size = size or "".join(re.findall(r"\d+", kind)[:1]) or "8"
    if size != "8":
        raise FormatError(f"the board has size {brief(size)}; {game.name} is played on 8×8")
    if "a" in kind:
        raise FormatError(f"the type {brief(kind)} is anti-{game.name}, where the player with fewer discs wins")
    if not squares.strip():
        return game.start()
    squares = "".join(squares.split())
    if len(squares) not in (64, 65):
        raise FormatError(
            f"the board {brief(squares)} has {len(squares)} characters, not 64 squares and the side to move"
        )
    return game.parse_state(f"{squares[:64]} {squares[64:] or '*'}")


def _result(text: str) -> int | None:
    """The winner, from RE: the disc difference for black, perhaps followed by a flag."""
    word = text.partition(":")[0].strip()
    if word in ("", "?"):
        return None
    discs = _number(word)
    if discs is None:
        raise FormatError(f"the result {brief(text)} is not a number of discs")
    return (discs > 0) - (discs < 0)


def _number(word: str) -> float | None:
    try:
        number = float(word)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _moves(moves: list[tuple[str, str]], black_begins: bool) -> tuple[list[str], dict[int, str]]:
    """The moves as words, with omitted passes filled in, and comments by ply: each move's evaluation and time."""
    words: list[str] = []
    comments: dict[int, str] = {}
    expected = "B" if black_begins else "W"
    for colour, text in moves:
        word, value, seconds = (*(part.strip() for part in text.split("/")), "", "")[:3]
        if not word:
            raise FormatError(f"{brief(f'{colour}[{text}]')} has no move")
        if colour != expected:
            words.append("pass")
        comment = _thought(colour, value, seconds)
        if comment:
            comments[len(words)] = comment
        words.append(word)
        expected = "W" if colour == "B" else "B"
    return words, comments


def _thought(colour: str, value: str, seconds: str) -> str:
    """The comment for an evaluation, given by GGF for the player who moves but written here for black, and a time.

    Anything that is not a number is ignored, because programs put all kinds of text there.
    """
    parts = []
    if (discs := _number(value)) is not None:
        parts.append(f"{discs if colour == 'B' else -discs:+.2f}")
    if (time := _number(seconds)) is not None:
        parts.append(f"{time:.3f}s")
    return " ".join(parts)


def _write_ggf(played: Played) -> str:
    line, notes = played.line, played.notes
    game = line.game
    board, turn = game.format_state(line.start).replace("X", "*").split()
    facts = {
        "GM": game.name.capitalize(),
        "PC": notes.get("Site", notes.get("Event", "zerosum")),
        "DT": notes.get("Date", ""),
        "PB": played.players[0],
        "PW": played.players[1],
        "RB": notes.get("BlackRating", ""),
        "RW": notes.get("WhiteRating", ""),
        "RE": _result_text(played),
        "TI": _clock(notes.get("TimeControl", "")),
        "TB": notes.get("BlackTime", ""),
        "TW": notes.get("WhiteTime", ""),
        "TY": "8",
        "BO": f"8 {board} {turn}",
    }
    # Names may be empty; any other unknown property is omitted.
    text = "".join(f"{name}[{_value(fact)}]" for name, fact in facts.items() if fact or name in ("PB", "PW"))
    for place, (s, move) in enumerate(zip(line.states, line.moves, strict=False)):
        sign = 1 if game.to_move(s) == MAX else -1
        word = "pa" if (word := game.format_move(s, move)) == "pass" else word
        text += f"{'B' if sign == 1 else 'W'}[{word}{_thought_text(played.comments.get(place, ''), sign)}]"
    return f"(;{text};)\n"


def _value(text: str) -> str:
    """The value of a property, without the characters that would end it."""
    return " ".join(text.replace("[", "(").replace("]", ")").replace(";)", ",)").split())


def _result_text(played: Played) -> str:
    """The disc difference if the game was played to the end; otherwise ±64 discs or 0, and a flag with the reason."""
    if played.result is None:
        return "?"
    line = played.line
    if line.game.is_over(line.state):
        discs = line.game.final_value(line.state) / line.game.unit
        if (discs > 0) - (discs < 0) == played.result:
            return f"{discs:+.3f}"
    return f"{64 * played.result:+.3f}:{FLAGS.get(played.notes.get('Reason', ''), 's')}"


def _clock(control: str) -> str:
    """A time control in GGF's format: converted if it is in seconds (with increment), kept if it came from GGF."""
    found = _CLOCK.fullmatch(control)
    if found is None:
        return control if ":" in control and re.fullmatch(r"[\d:./]+", control) else ""
    times = [math.ceil(float(seconds)) for seconds in found.groups("0")]
    return "/".join(f"{seconds // 60:02}:{seconds % 60:02}" for seconds in times if seconds)


def _thought_text(comment: str, sign: int) -> str:
    """The value and time in the comment on a move; '' if the comment is anything else."""
    found = _COMMENT.fullmatch(comment)
    if found is None or not any(found.groups()):
        return ""
    value = "" if found[1] is None else f"{sign * float(found[1]):.2f}"
    return f"/{value}" + ("" if found[2] is None else f"/{float(found[2]):.3f}")


# Transcripts


class Transcript(Format):
    """One game per line: moves, with or without spaces; optionally, after semicolons, the players and the result."""

    def parse(self, game: Game, text: str) -> Iterator[Played]:
        for number, row in _rows(self._without_comments(text)):
            moves, black, white, result = (*(part.strip() for part in row.split(";")), "", "", "")[:4]
            try:
                line = _read_moves(game)(moves, None)
            except FormatError as problem:
                raise FormatError(f"line {number}: {problem}") from problem
            points = POINTS.get(result)
            if points is None and game.is_over(line.state):
                value = game.final_value(line.state)
                points = (value > 0) - (value < 0)
            yield Played(line, (black, white), points)

    def looks_like(self, text: str) -> bool:
        """Whether the first line is one run of moves: moves separated by spaces may continue on the next line."""
        _, first = next(_rows(self._without_comments(text)), (0, ""))
        moves = first.partition(";")[0].strip()
        return _WORD.match(moves) is not None and len(moves.split()) == 1

    def pieces(self, game: Game, text: str) -> list[Piece]:
        rows, read = _rows(self._without_comments(text)), _read_moves(game)
        return [Piece(f"line {at}", row.partition(";")[0], read) for at, row in rows]

    def write(self, played: Played) -> str:
        line = played.line
        if line.start != line.game.start():
            raise FormatError(
                "the game does not begin with the start position, which a transcript cannot store; use .ggf"
            )
        moves = "".join("--" if text == "pass" else text for text in line.texts())
        names = [" ".join(name.replace(";", ",").split()) for name in played.players]
        facts = [*names, "" if played.result is None else RESULTS[played.result]]
        return f"{'; '.join([moves, *facts]) if any(facts) else moves}\n"


TRANSCRIPT = Transcript(".transcript", "transcripts", comment="#")


def _rows(text: str) -> Iterator[tuple[int, str]]:
    for number, row in enumerate(text.splitlines(), 1):
        if row.strip():
            yield number, row.strip()


def _read_moves(game: Game) -> Callable[[str, int | None], Line]:
    def read(text: str, plies: int | None) -> Line:
        try:
            line = Line.parse(game, text)
        except MoveError as problem:
            raise FormatError(f"{brief(text)}: {problem}") from problem
        return line if plies is None else line.back(max(0, len(line) - plies))

    return read


# OBF


def _read_obf(text: str) -> tuple[str, Remarks] | None:
    """Read a position with the scores of its moves, or only the best score; ``ce`` is it in hundredths of a disc."""
    position, _, rest = text.partition(";")
    scores = [_SCORE.fullmatch(part.strip()) for part in rest.split(";") if part.strip()]
    if not scores or None in scores:
        return None
    found = [((one[1] or "").lower(), int(one[2])) for one in scores if one is not None]
    best = max(score for _, score in found)
    moves = tuple(move for move, score in found if score == best and move)
    return position, {**({"bm": moves} if moves else {}), "ce": (str(100 * best),)}


OBF = Positions(".obf", _read_obf)
