"""Plays in standard notation: ``8/5 6/5``, ``bar/22*``, ``24/18*/13``, ``6/off``, ``13/7(2)``.

Points are numbered from the side of the player who moves. A star marks a hit; it is optional in input.

>>> from zerosum.games.backgammon.position import initial
>>> s = initial()._replace(roll=31)
>>> move = parse_move(s, "8/5 6/5")
>>> format_move(s, move)
'8/5 6/5'
>>> parse_move(s, "13/8")
Traceback (most recent call last):
zerosum.errors.RuleBroken: '13/8' is not a legal play of 31: the dice do not move a checker from 13 to 8
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, pairwise
from typing import NamedTuple

from zerosum.errors import RuleBroken
from zerosum.games.backgammon.generate import PASS, SMALL_FIRST, SOURCE, STEP_BITS, moves
from zerosum.games.backgammon.position import BAR, HOME, OFF, SLOTS, Position
from zerosum.games.backgammon.position_id import parse_roll, position_of, sides
from zerosum.games.backgammon.rules import play

PASS_WORDS = ("pass", "cannot move", "no move", "dance")
HOP = re.compile(r"(?P<path>[a-z0-9*]+(?:/[a-z0-9*]+)+)(?:\((?P<times>[1-4])\))?\Z")


class Step(NamedTuple):
    """One checker moved by one die."""

    start: int
    end: int
    hits: bool


def dice_of(roll: int) -> list[int]:
    """The dice of a roll, larger first, each as often as it is played.

    >>> dice_of(31), dice_of(22)
    ([3, 1], [2, 2, 2, 2])
    """
    large, small = divmod(roll, 10)
    return [large, small] if large != small else [large] * 4


def distances(roll: int) -> set[int]:
    """The distances that one checker can move with a roll, in one step or more.

    >>> sorted(distances(31)), sorted(distances(22))
    ([1, 3, 4], [2, 4, 6, 8])
    """
    return reach(dice_of(roll)) - {0}


def reach(dice: list[int]) -> set[int]:
    """The distances that one checker can move with some of these dice, including 0."""
    return {sum(some) for n in range(len(dice) + 1) for some in combinations(dice, n)}


def steps_of(s: Position, move: int) -> list[Step]:
    """The steps of a play, in order."""
    dice = dice_of(s.roll)
    if move & SMALL_FIRST:
        dice.reverse()
    _, other = sides(s)
    steps = []
    left = move & SMALL_FIRST - 1
    for die in dice:
        start = left & SOURCE
        left >>= STEP_BITS
        if not start:
            break
        end = max(start - die, OFF)
        hits = end > OFF and other[BAR - end] == 1
        if hits:
            other[BAR - end] = 0
        steps.append(Step(start, end, hits))
    return steps


def format_move(s: Position, move: int) -> str:
    """The text of a roll or a play; the steps of one checker are joined, and equal paths are counted."""
    if not s.roll:
        return str(move)
    if move == PASS:
        return PASS_WORDS[0]
    # A path lists where a checker has been, with a star for each hit. Points in between are written only for a hit.
    paths: list[list[str]] = []
    for step in sorted(steps_of(s, move), key=lambda step: -step.start):
        end = point_name(step.end) + "*" * step.hits
        for path in paths:
            if path[-1].rstrip("*") == point_name(step.start):
                path.append(end)
                break
        else:
            paths.append([point_name(step.start), end])
    texts = Counter("/".join([p[0], *(via for via in p[1:-1] if via.endswith("*")), p[-1]]) for p in paths)
    return " ".join(text if times == 1 else f"{text}({times})" for text, times in texts.items())


def point_name(slot: int) -> str:
    return "bar" if slot == BAR else "off" if slot == OFF else str(slot)


def parse_move(s: Position, text: str) -> int:
    """The legal play that a text describes; RuleBroken says what is wrong with any other."""
    if not s.roll:
        try:
            return parse_roll(text)
        except ValueError as problem:
            raise RuleBroken(str(problem)) from problem
    legal = {play(s, move): move for move in moves(s)}
    word = " ".join(text.lower().split())
    try:
        if word in PASS_WORDS:
            if PASS not in legal.values():
                raise ValueError("a checker can move, so you must not pass")
            return PASS
        return _meant(s, Attempt(s, _paths(word)), legal)
    except ValueError as problem:
        raise RuleBroken(f"{text!r} is not a legal play of {s.roll}: {problem}") from problem


def _paths(text: str) -> list[list[tuple[int, bool]]]:
    """For each moving checker, the slots that the text says it visits, each with its star."""
    paths = []
    for word in text.replace(",", " ").split():
        found = HOP.match(word)
        if not found:
            raise ValueError(f"{word!r} is not the move of a checker, such as 8/5, bar/22*, 6/off or 13/7(2)")
        path = [_slot(place) for place in found["path"].split("/")]
        slots = [slot for slot, _ in path]
        if slots != sorted(set(slots), reverse=True):
            raise ValueError(f"{word!r} does not lead from a higher point to a lower one")
        if path[0][1]:
            raise ValueError(f"in {word!r}, put the star after the point where a checker is hit")
        paths += [path] * int(found["times"] or 1)
    if not paths:
        raise ValueError("it takes moves such as 8/5 6/5, or pass")
    return paths


def _slot(text: str) -> tuple[int, bool]:
    name = text.rstrip("*")
    number = {"bar": BAR, "b": BAR, "off": OFF, "o": OFF}.get(name, -1)
    if number < 0:
        number = int(name) if name.isdecimal() else -1
    if not OFF <= number < SLOTS:
        raise ValueError(f"{name!r} is neither a point from 1 to 24 nor bar nor off")
    return number, text.endswith("*")


class Attempt:
    """All ways to play some paths with the dice, step by step, and the reason if there are none.

    Attributes:
        results: the positions after all paths are played, each with the slots where a checker was hit and the number
            of dice played.
        reason: why no more could be played, in the attempt that got furthest.
    """

    def __init__(self, s: Position, paths: list[list[tuple[int, bool]]]) -> None:
        self.s = s
        self.stars = sorted(slot for path in paths for slot, star in path if star)
        self.results: dict[Position, tuple[list[int], int]] = {}
        self.reason, self._left = "", 0
        own, other = sides(s)
        slots = [[slot for slot, _ in path] for path in paths]
        for path in slots:
            for start, end in pairwise(path):
                if end != OFF and start - end not in distances(s.roll):
                    raise ValueError(f"the dice do not move a checker from {point_name(start)} to {point_name(end)}")
        self._try(own, other, dice_of(s.roll), slots, [])

    def _try(self, own: list[int], other: list[int], dice: list[int], paths: list[list[int]], hits: list[int]) -> None:
        played = len(dice_of(self.s.roll)) - len(dice)
        open_paths = [path for path in paths if len(path) > 1]
        to_go = sum(map(len, open_paths))  # smaller means that the attempt got further
        if not open_paths:
            # The position after the play: it is the opponent's turn.
            result = position_of(other, own, 1 - self.s.player)
            if result not in self.results or self.results[result][1] < played:
                self.results[result] = (sorted(hits), played)
            return
        if not dice:
            self._fail(to_go, f"the dice are not enough for {_text(open_paths[0])}")
        for index, path in enumerate(paths):
            if len(path) < 2:
                continue
            start, target = path[0], path[1]
            fitting = [die for die in sorted(set(dice), reverse=True) if self._fits(start, target, die, dice)]
            if not fitting and dice:
                self._fail(to_go, f"no die is left for {_text(path)}")
            for die in fitting:
                end = max(start - die, OFF)
                reason = broken_rule(own, other, start, die)
                if reason:
                    self._fail(to_go, reason)
                    continue
                after, others, left = own[:], other[:], dice[:]
                left.remove(die)
                after[start] -= 1
                after[end] += 1
                hit = end > OFF and others[BAR - end] == 1
                if hit:
                    others[BAR - end] -= 1
                    others[BAR] += 1
                rest = path[1:] if end == target else [end, *path[1:]]
                self._try(after, others, left, [*paths[:index], rest, *paths[index + 1 :]], hits + [end] * hit)

    @staticmethod
    def _fits(start: int, target: int, die: int, dice: list[int]) -> bool:
        """Whether a step by this die can be part of the way to the target, with the other dice for the rest."""
        others = dice[:]
        others.remove(die)
        return target == OFF or start - die - target in reach(others)

    def _fail(self, to_go: int, reason: str) -> None:
        if not self.reason or to_go < self._left:
            self.reason, self._left = reason, to_go


def _text(path: list[int]) -> str:
    return "/".join(map(point_name, path))


def broken_rule(own: list[int], other: list[int], start: int, die: int) -> str:
    """The reason why this die cannot move a checker from ``start``; '' if it can."""
    end = start - die
    if not own[start]:
        return "there is no checker on the bar" if start == BAR else f"there is no checker of yours on {start}"
    if own[BAR] and start != BAR:
        return "checkers on the bar must enter first"
    if end > OFF:
        count = other[BAR - end]
        return f"point {end} is blocked by {count} checkers" if count > 1 else ""
    furthest = max(slot for slot in range(SLOTS) if own[slot])
    if furthest > HOME:
        return f"no checker may be borne off while one is outside the home board, on {point_name(furthest)}"
    if end < OFF and furthest > start:
        return f"a {die} does not bear off from {start} while there is a checker on {furthest}"
    return ""


def _meant(s: Position, attempt: Attempt, legal: dict[Position, int]) -> int:
    """The only legal play among the attempts; ValueError with the reason if there is none."""
    if not attempt.results:
        raise ValueError(attempt.reason)
    for star in attempt.stars:
        if not any(star in hits for hits, _ in attempt.results.values()):
            raise ValueError(f"no checker is hit on point {star}")
    found = [p for p, (hits, _) in attempt.results.items() if p in legal and set(attempt.stars) <= set(hits)]
    if len(found) > 1:
        # The stars decide: without a star, the play that hits nothing on the way is meant.
        found = [p for p in found if attempt.results[p][0] == attempt.stars] or found
    if len(found) > 1:
        ways = " or ".join(format_move(s, legal[p]) for p in found)
        raise ValueError(f"it is ambiguous; write {ways}")
    if found:
        return legal[found[0]]
    played = max(count for _, count in attempt.results.values())
    most = max(len(steps_of(s, move)) for move in legal.values())
    if played < most:
        both = "both dice" if len(dice_of(s.roll)) == 2 else f"{most} steps of the double"
        raise ValueError(f"{both} can be played, so they must be")
    raise ValueError(f"only one die can be played, so it must be the larger one, {dice_of(s.roll)[0]}")
