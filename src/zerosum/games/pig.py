"""Pig: roll a die as often as you dare, then hold; a 1 loses the points of the turn.

The first move of a turn is always to roll. Then CHANCE is to move, and its outcomes are the faces 1 to 6. A
player who has ``target`` points, including those of the turn, wins immediately: rolling again would be pointless.

>>> game = pig(20)
>>> s = game.play(game.initial(), ROLL)
>>> [outcome for outcome, _ in game.chances(s)]
[1, 2, 3, 4, 5, 6]
>>> s = game.play(s, 5)
>>> print(game.show(s))
MAX  0 of 20, 5 more this turn
MIN  0 of 20
MAX rolls or holds
>>> game.format_state(game.play(s, HOLD))
'5 0 0 min'
"""

from __future__ import annotations

from typing import NamedTuple

from zerosum.errors import GameError
from zerosum.game import CHANCE, MAX, MIN, Game
from zerosum.games.boards import pig as drawing

HOLD, ROLL = 0, 1
FACES = 6
SIDES = ("max", "min")
HIGHEST_TARGET = 1_000_000
AVERAGE_HALF_TURN = 4.0  # a turn of Pig is worth about 8 points on average; being on turn counts as half of one


class Turn(NamedTuple):
    max_score: int
    min_score: int
    points: int  # of this turn, not yet banked
    player: int
    rolling: int  # 1 while the die is in the air


def pig(target: int = 100) -> Game:
    """The game played to a target number of points.

    >>> pig(10).max_chances
    6
    """
    if not isinstance(target, int) or isinstance(target, bool) or not 1 <= target <= HIGHEST_TARGET:
        raise GameError(f"pig: target must be a whole number from 1 to {HIGHEST_TARGET}, not {target!r}")

    def play(s, move):
        if s.rolling == 0:
            if move == ROLL:
                return s._replace(rolling=1)
            return banked(s, s.points)
        if move == 1:
            return banked(s, 0)
        points = s.points + move
        score = s.max_score if s.player == MAX else s.min_score
        if score + points >= target:
            return banked(s, points)
        return s._replace(points=points, rolling=0)

    def banked(s, points):
        """The State after a turn that scores these points."""
        if s.player == MAX:
            return s._replace(max_score=s.max_score + points, points=0, player=MIN, rolling=0)
        return s._replace(min_score=s.min_score + points, points=0, player=MAX, rolling=0)

    def is_terminal(s):
        return s.max_score >= target or s.min_score >= target

    def utility(s):
        return 1 if s.max_score >= target else -1

    def evaluate(s):
        """An estimate from -1 to 1, by the points that each player still needs; being on turn counts as half a turn."""
        if is_terminal(s):
            return 1.0 if s.max_score >= target else -1.0
        ahead = float(s.points)
        if s.rolling:
            ahead = (5.0 * ahead + 20.0) / 6.0  # the average after the roll
        ahead += AVERAGE_HALF_TURN
        max_needs, min_needs = float(target - s.max_score), float(target - s.min_score)
        if s.player == MAX:
            max_needs = max(max_needs - ahead, 0.5)
        else:
            min_needs = max(min_needs - ahead, 0.5)
        return (min_needs - max_needs) / (min_needs + max_needs)

    def show(s: Turn) -> str:
        extra = f", {s.points} more this turn" if s.points else ""
        lines = [
            f"MAX  {s.max_score} of {target}{extra if s.player == MAX else ''}",
            f"MIN  {s.min_score} of {target}{extra if s.player != MAX else ''}",
        ]
        name = "MAX" if s.player == MAX else "MIN"
        if is_terminal(s):
            lines.append(f"{'MAX' if utility(s) > 0 else 'MIN'} has won")
        elif s.rolling:
            lines.append(f"{name}'s die is rolling")
        else:
            lines.append(f"{name} rolls{' or holds' if s.points else ''}")
        return "\n".join(lines)

    def parse_state(text: str) -> Turn:
        """Read MAX's and MIN's scores, the points of this turn, the player, and ``rolling`` if the die is rolling."""
        words = text.lower().split()
        rolling = words[-1:] == ["rolling"]
        if rolling:
            words.pop()
        if len(words) != 4:
            raise ValueError("it takes MAX's score, MIN's score, the points of this turn, and max or min")
        for word in words[:3]:
            if not word.isdecimal():
                raise ValueError(f"{word!r} is not a number of points")
        if words[3] not in SIDES:
            raise ValueError(f"{words[3]!r} is neither max nor min")
        max_score, min_score, points = map(int, words[:3])
        s = Turn(max_score, min_score, points, SIDES.index(words[3]), int(rolling))
        if 1 in s[:3]:
            raise ValueError("a roll of 1 scores nothing, so 1 point is impossible")
        if max(s.max_score, s.min_score) >= target + FACES or min(s.max_score, s.min_score) >= target:
            raise ValueError(f"the game ends as soon as a player has {target} points")
        if is_terminal(s):
            if s.points or s.rolling or (s.max_score >= target) == (s.player == MAX):
                raise ValueError("the game is over, so the points of this turn must be 0 and the loser comes next")
        elif (s.max_score, s.min_score)[s.player] + s.points >= target:
            raise ValueError(f"the {s.points} points of this turn win the game, so they belong in the score")
        return s

    return Game(
        "pig",
        Turn,
        initial,
        to_move,
        moves,
        play,
        utility,
        max_moves=2,
        actions=2,
        is_terminal=is_terminal,
        chances=chances,
        max_chances=FACES,
        scored=True,
        evaluate=evaluate,
        bounds=(-1, 1),
        show=show,
        parse_move=parse_move,
        format_move=format_move,
        parse_state=parse_state,
        format_state=format_state,
        **drawing.board(target, ROLL),
        about=f"a dice race to {target} points",
    )


def initial():
    return Turn(0, 0, 0, MAX, 0)


def to_move(s):
    return CHANCE if s.rolling else s.player


def moves(s):
    yield ROLL
    if s.points:
        yield HOLD


def chances(s):
    for face in range(1, FACES + 1):
        yield face, 1.0 / FACES


# Notation and display


def format_move(s: Turn, move: int) -> str:
    return str(move) if s.rolling else "roll" if move == ROLL else "hold"


def parse_move(s: Turn, text: str) -> int:
    word = text.strip().lower()
    if s.rolling:
        return int(word)
    return {"hold": HOLD, "h": HOLD, "roll": ROLL, "r": ROLL}[word]


def format_state(s: Turn) -> str:
    return f"{s.max_score} {s.min_score} {s.points} {SIDES[s.player]}{' rolling' if s.rolling else ''}"
