"""The backgammon position of the notes: White has rolled 6-5, and the notes list four plays.

This module has only what the example needs: one position, one roll, and all legal plays of White. White moves from
point 1 to point 24 and off the board at 25; the bar is 0. Black moves the other way; the bar is 25, off is 0.

>>> for play in plays(NOTES_POSITION, (6, 5)):
...     print(in_words(play))
5-10, 5-11
5-10, 10-16
5-11, 11-16
5-11, 19-24
"""

from __future__ import annotations

from typing import NamedTuple

from zerosum.classroom.gallery import topics
from zerosum.classroom.gallery.kinds import Example, Report

BAR, HOME, OFF = 0, 19, 25
Step = tuple[int, int]
Play = tuple[Step, ...]

LISTED: tuple[Play, ...] = (
    ((5, 10), (5, 11)),
    ((5, 11), (19, 24)),
    ((5, 10), (10, 16)),
    ((5, 11), (11, 16)),
)
"""The four plays as the notes list them, in their order."""


class Position(NamedTuple):
    """The number of checkers of each player on 0 to 25: White's bar, 24 points, White's checkers borne off."""

    white: tuple[int, ...]
    black: tuple[int, ...]


def position(white: dict[int, int], black: dict[int, int]) -> Position:
    """The position with these numbers of checkers on these points.

    >>> sum(NOTES_POSITION.white), sum(NOTES_POSITION.black)
    (15, 15)
    """
    return Position(
        tuple(white.get(point, 0) for point in range(26)), tuple(black.get(point, 0) for point in range(26))
    )


NOTES_POSITION = position(
    white={5: 4, 19: 4, 20: 3, 21: 2, 22: 2},
    black={3: 2, 4: 3, 6: 4, 8: 3, 10: 1, 13: 2},
)
"""A position with exactly the plays that the notes list. The drawing is lost; this one is ours."""

START = position(white={1: 2, 12: 5, 17: 3, 19: 5}, black={24: 2, 13: 5, 8: 3, 6: 5})
"""The start of a game, from White's side."""


def plays(s: Position, dice: tuple[int, int]) -> dict[Play, Position]:
    """All legal plays of White, with the positions that they lead to.

    A play is its steps in ascending order: two orders of the same steps are one play, since they end in the same
    position. As many dice as possible must be used, and if only one can be, the larger one if possible.
    """
    high, low = max(dice), min(dice)
    orders = ((high,) * 4,) if high == low else ((high, low), (low, high))
    found: dict[Play, Position] = {}
    for order in orders:
        _extend(s, order, (), found)
    most = max(map(len, found))
    longest = {play: found[play] for play in sorted(found) if len(play) == most}
    if most == 1 and high != low:
        return _with(longest, s, high) or longest
    return longest


def _extend(s: Position, dice: tuple[int, ...], steps: Play, found: dict[Play, Position]) -> None:
    """Add all plays that use the dice in this order, as far as possible."""
    here = single_steps(s, dice[0]) if dice else []
    if not here:
        found[tuple(sorted(steps))] = s
    for step in here:
        _extend(after(s, step), dice[1:], (*steps, step), found)


def _with(found: dict[Play, Position], s: Position, die: int) -> dict[Play, Position]:
    """The plays of one step that use this die."""
    allowed = single_steps(s, die)
    return {play: end for play, end in found.items() if play and play[0] in allowed}


def single_steps(s: Position, die: int) -> list[Step]:
    """All steps of one checker with one die."""
    origins = [BAR] if s.white[BAR] else [point for point in range(1, OFF) if s.white[point]]
    steps = []
    for origin in origins:
        target = origin + die
        if target < OFF:
            if s.black[target] < 2:
                steps.append((origin, target))
        elif origins[0] >= HOME and (target == OFF or origin == origins[0]):
            # With all checkers at home: by an exact roll, or by a higher one if no checker is further back.
            steps.append((origin, OFF))
    return steps


def after(s: Position, step: Step) -> Position:
    """The position after one step; a lone black checker on the target goes to Black's bar."""
    origin, target = step
    white, black = list(s.white), list(s.black)
    white[origin] -= 1
    white[target] += 1
    if target < OFF and black[target] == 1:
        black[target] = 0
        black[25] += 1
    return Position(tuple(white), tuple(black))


def in_words(play: Play) -> str:
    """The play in the notation of the notes."""
    return ", ".join(f"{origin}-{'off' if target == OFF else target}" for origin, target in play) or "no play"


def without_blots(s: Position) -> Position:
    """The same position without lone black checkers to hit."""
    return Position(s.white, tuple(0 if count == 1 else count for count in s.black))


def report() -> Report:
    """All legal plays, which of them the notes list, and the number of different positions that they lead to."""
    found = plays(NOTES_POSITION, (6, 5))
    lines = [f"White's checkers: {_men(NOTES_POSITION.white)}", f"Black's checkers: {_men(NOTES_POSITION.black)}"]
    for play in found:
        remark = "listed in the notes" if play in LISTED else "not listed in the notes"
        hit = ", hits Black's checker on 10" if found[play].black[25] else ""
        lines.append(f"6-5: {in_words(play):12} {remark}{hit}")
    peaceful = plays(without_blots(NOTES_POSITION), (6, 5))
    lines.append(f"{len(found)} plays lead to {len(set(found.values()))} different positions.")
    lines.append(
        f"Without a lone checker to hit on 10 or 11, the same {len(peaceful)} plays lead to"
        f" {len(set(peaceful.values()))}: 5-10-16 and 5-11-16 end in the same position."
    )
    missing = [play for play in LISTED if play not in found]
    lines.append("Every listed play is legal." if not missing else f"Not legal: {', '.join(map(in_words, missing))}.")
    lines.append("There are no others." if set(found) <= set(LISTED) else "There are others.")
    return Report(tuple(lines), {"plays": list(found), "positions": len(set(found.values()))})


def _men(counts: tuple[int, ...]) -> str:
    return ", ".join(f"{count} on {point}" for point, count in enumerate(counts) if count)


EXAMPLES = (
    Example(
        "backgammon-6-5",
        "White rolls 6-5 and has four plays",
        topics.CHANCE,
        "All legal plays of one roll in one position, found by the rules and compared with the four in the notes.",
        report,
        figures={"plays": LISTED},
        reconstructed=(
            "The board is lost, but not the four plays. They require that White has checkers on 5 (two or more) and "
            "19, all others further on in the home board, and that Black does not block 10, 11, 16 and 24. In our "
            "position there is a lone black checker on 10, so the four plays also lead to four different positions."
        ),
    ),
)
