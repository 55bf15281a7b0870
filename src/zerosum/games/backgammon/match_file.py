"""Match files (.mat): the text format in which backgammon programs exchange games, introduced by Jellyfish.

The player on the left is MAX, the one on the right MIN. Illegal plays are errors. The doubling cube, which zerosum's
backgammon does not have, is kept as text.

>>> match = parse_match('''
...  3 point match
...
...  Game 1
...  Anna : 0                          Otto : 0
...   1) 31: 8/5 6/5                   52: 13/8 13/11
...   2)  Doubles => 2                  Drops
...       Wins 1 point
... ''')
>>> match.players, match.games[0].points, [turn.roll for turn in match.games[0].turns]
(('Anna', 'Otto'), 1, [31, 52, 0, 0])
>>> match.games[0].line().state.player
0
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from zerosum.errors import MatchFileError, MoveError
from zerosum.files import written_whole
from zerosum.game import CHANCE, MAX, MIN, Game, Line
from zerosum.games import load
from zerosum.games.backgammon.generate import PASS, moves
from zerosum.games.backgammon.notation import parse_move, steps_of
from zerosum.games.backgammon.position import Position, initial
from zerosum.games.backgammon.position_id import parse_roll
from zerosum.games.backgammon.rules import is_terminal, play, to_move, utility

COLUMN = 34  # where the right player's turns begin
LEFT_UP_TO = 20  # text that begins before this column is the left player's
NO_PLAY = ("cannot move", "????")  # what some programs write for a blocked roll

TITLE = re.compile(r"(?P<points>\d+)\s+point match\b", re.IGNORECASE)
NEXT_GAME = re.compile(r"Game\s+\d+\Z", re.IGNORECASE)
SCORE = re.compile(r"(?P<left>.+?)\s*:\s*(?P<left_points>\d+)\s+(?P<right>.+?)\s*:\s*(?P<right_points>\d+)\Z")
NUMBERED = re.compile(r"\s*\d+\)")
ENTRY = re.compile(
    r"(?<![\d/])(?P<roll>\d\d):|(?P<action>Doubles\s*=>\s*\d+|Takes|Drops)|(?P<won>Wins\s+\d+)", re.IGNORECASE
)


@dataclass(frozen=True)
class Turn:
    """A player's turn: a roll and its play, or an action with the doubling cube.

    Attributes:
        player: MAX for the left player, MIN for the right one.
        roll: the dice, such as 31; 0 for an action with the cube.
        move: the play; None if the player resigned after the roll.
        action: "Doubles => 2", "Takes" or "Drops".
    """

    player: int
    roll: int = 0
    move: int | None = None
    action: str = ""


@dataclass(frozen=True)
class MatchGame:
    """A game: the score before it, all turns, and the points won by the left player; 0 if it is unfinished."""

    score: tuple[int, int] = (0, 0)
    turns: tuple[Turn, ...] = ()
    points: int = 0

    def line(self, game: Game | None = None) -> Line:
        """The rolls and plays, without the cube, as a Line of ``game``, or of the usual backgammon."""
        played = [n for turn in self.turns if turn.roll for n in (turn.roll, turn.move) if n is not None]
        return Line(game or load("backgammon"), _start(self.turns), played)


@dataclass(frozen=True)
class Match:
    """A match between two players to ``length`` points; 0 is a session without a limit."""

    players: tuple[str, str]
    games: tuple[MatchGame, ...]
    length: int = 0
    comments: tuple[str, ...] = ()


def game_of(line: Line, score: tuple[int, int] = (0, 0)) -> MatchGame:
    """The game in a Line of backgammon: its turns, and the points won."""
    turns: list[Turn] = []
    for s, move in zip(line.states, line.moves, strict=False):
        if to_move(s) == CHANCE:
            turns.append(Turn(s.player, move))
        elif turns:
            turns[-1] = Turn(s.player, s.roll, move)
        else:
            turns.append(Turn(s.player, s.roll, move))
    return MatchGame(score, tuple(turns), int(utility(line.state)) if is_terminal(line.state) else 0)


def _start(turns: Iterable[Turn]) -> Position:
    """The start of a game, with the player of the first roll on turn."""
    start: Position = initial()
    return start._replace(player=next((turn.player for turn in turns if turn.roll), MAX))


def read_match(path: str | os.PathLike[str]) -> Match:
    """The match in a file; MatchFileError gives the number of an invalid line."""
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError as problem:
        raise MatchFileError(f"{os.fspath(path)!r} cannot be read: {problem.strerror or problem}") from problem
    try:
        return parse_match(text)
    except MatchFileError as problem:
        raise MatchFileError(f"{os.fspath(path)!r}, {problem}") from problem


def write_match(path: str | os.PathLike[str], match: Match) -> None:
    """Write a match to a file, completely or not at all."""
    with written_whole(path) as file:
        file.write(format_match(match).encode())


def parse_match(text: str) -> Match:
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), 1):
        try:
            reader.read(line.expandtabs())
        except ValueError as problem:
            raise MatchFileError(f"line {number}: {problem}") from problem
    try:
        return reader.match()
    except ValueError as problem:
        raise MatchFileError(f"at the end: {problem}") from problem


class _Reader:
    """Reads lines one by one, and keeps what has been read so far."""

    def __init__(self) -> None:
        self.length = -1
        self.players: tuple[str, str] | None = None
        self.comments: list[str] = []
        self.games: list[MatchGame] = []
        self.score: tuple[int, int] | None = None  # before the game being read
        self.turns: list[Turn] = []
        self.points = 0
        self.state = initial()
        self.in_game = False

    def read(self, line: str) -> None:
        words = line.strip()
        if not words:
            return
        if words.startswith(";"):
            self.comments.append(words)
        elif self.length < 0:
            found = TITLE.match(words)
            if not found:
                raise ValueError(f"{words!r} should be the length of the match, such as '7 point match'")
            self.length = int(found["points"])
        elif NEXT_GAME.match(words):
            self.finish()
            self.in_game = True
        elif not self.in_game:
            raise ValueError(f"{words!r} comes before 'Game 1'")
        elif self.score is None:
            self.read_score(words)
        else:
            self.read_turns(line)

    def read_score(self, words: str) -> None:
        found = SCORE.match(words)
        if not found:
            raise ValueError(f"{words!r} should be both players with their scores, such as 'Anna : 0  Otto : 0'")
        players = found["left"], found["right"]
        if self.players not in (None, players):
            before = " and ".join(self.players or ())
            raise ValueError(f"the players are {players[0]} and {players[1]}, but {before} played before")
        self.players = players
        self.score = int(found["left_points"]), int(found["right_points"])

    def read_turns(self, line: str) -> None:
        numbered = NUMBERED.match(line)
        offset = numbered.end() if numbered else 0
        entries = list(ENTRY.finditer(line, offset))
        if not entries:
            if line[offset:].strip():
                raise ValueError(f"{line.strip()!r} is neither a turn, such as '31: 8/5 6/5', nor the end of a game")
            return
        if line[offset : entries[0].start()].strip() or len(entries) > 2:
            raise ValueError(f"{line.strip()!r} is not one turn for each player")
        for index, entry in enumerate(entries):
            player = MIN if index or entry.start() >= LEFT_UP_TO else MAX
            end = entries[index + 1].start() if index + 1 < len(entries) else len(line)
            self.read_entry(entry, player, line[entry.end() : end].strip())

    def read_entry(self, entry: re.Match[str], player: int, rest: str) -> None:
        if self.points:
            raise ValueError(f"{entry[0]!r} comes after the end of the game")
        if entry["won"]:
            points = int(entry["won"].split()[1])
            self.points = points if player == MAX else -points
        elif entry["action"]:
            self.turns.append(Turn(player, action=" ".join(entry["action"].split())))
        else:
            self.read_play(player, parse_roll(entry["roll"]), rest)

    def read_play(self, player: int, roll: int, text: str) -> None:
        if not any(turn.roll for turn in self.turns):
            self.state = initial()._replace(player=player)
        self.check_complete()
        if is_terminal(self.state):
            raise ValueError(f"the roll {roll} comes after the last checker was borne off")
        if self.state.player != player:
            raise ValueError(f"{self.name(player)} rolls {roll}, but it is the turn of {self.name(1 - player)}")
        s = play(self.state, roll)
        move: int | None = None
        if text and text.lower() not in NO_PLAY:
            try:
                move = parse_move(s, text)
            except MoveError as problem:
                raise ValueError(str(problem)) from problem
        elif PASS in moves(s):
            move = PASS
        self.turns.append(Turn(player, roll, move))
        self.state = s if move is None else play(s, move)

    def name(self, player: int) -> str:
        return self.players[player] if self.players else ("the left player", "the right player")[player]

    def check_complete(self) -> None:
        """Raise ValueError if a roll has no play; only the last may have none, if resigned or not yet played."""
        for turn in self.turns:
            if turn.roll and turn.move is None:
                raise ValueError(f"{self.name(turn.player)}'s roll {turn.roll} has no play, although one is possible")

    def finish(self) -> None:
        """Append the game that has been read, if any."""
        if self.score is not None:
            self.games.append(MatchGame(self.score, tuple(self.turns), self.points))
        self.score, self.turns, self.points, self.state = None, [], 0, initial()

    def match(self) -> Match:
        self.finish()
        if self.length < 0 or self.players is None:
            raise ValueError("there is no game; a match needs '7 point match', 'Game 1' and both players")
        return Match(self.players, tuple(self.games), self.length, tuple(self.comments))


def format_match(match: Match) -> str:
    """The text of a match file.

    >>> print(format_match(Match(("Anna", "Otto"), (MatchGame(turns=(Turn(MIN, 31, None),)),), 5)))
     5 point match
    <BLANKLINE>
     Game 1
     Anna : 0                         Otto : 0
      1)                              31:
    <BLANKLINE>
    """
    lines = [*match.comments, f" {match.length} point match", ""]
    lines += [format_game(game, number, match.players) for number, game in enumerate(match.games, 1)]
    return "\n".join(lines)


def format_game(game: MatchGame, number: int, players: tuple[str, str]) -> str:
    """The text of one game of a match, starting with its number and ending with a line break."""
    left, right = (f"{name} : {points}" for name, points in zip(players, game.score, strict=True))
    return "\n".join([f" Game {number}", _columns(f" {left}", right), *_turn_lines(game), ""])


def _columns(left: str, right: str) -> str:
    """A line with both players' text, always separated by a space."""
    return f"{left:<{COLUMN - 1}} {right}".rstrip()


def _turn_lines(game: MatchGame) -> list[str]:
    """The numbered turns in two columns, then the winner."""
    rows: list[list[str]] = []
    s = _start(game.turns)
    for turn in game.turns:
        text = f" {turn.action}"
        if turn.roll:
            s = play(s, turn.roll)
            text = f"{turn.roll}: {_steps(s, turn.move)}".rstrip()
            s = play(s, turn.move) if turn.move is not None else s
        if turn.player == MAX or not rows or rows[-1][MIN]:
            rows.append(["", ""])
        rows[-1][turn.player] = text
    lines = [_columns(f"{number:>3}) {left}", right) for number, (left, right) in enumerate(rows, 1)]
    if game.points:
        words = f"Wins {abs(game.points)} point{'s' if abs(game.points) > 1 else ''}"
        lines.append(" " * (6 if game.points > 0 else COLUMN) + words)
    return lines


def _steps(s: Position, move: int | None) -> str:
    """A play with each step written separately, the bar as 25 and off as 0: every program can read this."""
    if not move:
        return ""
    return " ".join(f"{step.start}/{step.end}{'*' * step.hits}" for step in steps_of(s, move))
