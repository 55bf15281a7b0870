"""The board of backgammon: MAX is white and sits at the bottom, with the home board on the right."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from zerosum.board import Cell, Glyph, Layout, Piece, Point, Shape, Way, polygon, rectangle, text
from zerosum.board.glyphs import dice, disc
from zerosum.game import CHANCE, MAX
from zerosum.games.backgammon.generate import sources
from zerosum.games.backgammon.notation import dice_of, steps_of
from zerosum.games.backgammon.position import BAR, OFF, POINTS, Position, pips
from zerosum.games.backgammon.position_id import sides
from zerosum.games.backgammon.rules import to_move
from zerosum.jit.bits import bits

STEP = 90.0  # from point to point
TALL = 400.0  # height of a point
RIM = 40.0
BAR_WIDTH = 100.0
TRAY = 110.0
HIGH = 2 * RIM + 2 * TALL + 130
WIDE = 2 * RIM + 12 * STEP + BAR_WIDTH + TRAY
CHECKER = 84.0
FLAT = 23.0  # height of a checker lying in the tray
SIDES = ("white", "black")
SHOWN = 5  # checkers side by side on a point; more of them overlap, with their number on the last one


def board() -> dict[str, Callable[..., Any]]:
    return {"layout": layout, "pieces": pieces, "path": path_of, "counts": counts}


def counts(s: Position) -> dict[str, tuple[int, int]]:
    return {"pips": (pips(s.max_low, s.max_high), pips(s.min_low, s.min_high))}


def left_of(point: int) -> float:
    """The left edge of a point: 1 to 6 are at the bottom right, and 24 is above 1."""
    place = 12 - point if point <= 12 else point - 13  # from the left
    return RIM + STEP * place + (BAR_WIDTH if place >= 6 else 0)


def layout() -> Layout:
    cells: list[Cell] = []
    below: list[Shape] = [rectangle(0, 0, WIDE, HIGH, "wood", round=18)]
    for half in (0, 1):
        x = RIM + (6 * STEP + BAR_WIDTH) * half
        below.append(rectangle(x, RIM, 6 * STEP, HIGH - 2 * RIM, "hollow"))
    above: list[Shape] = []
    for point in range(1, POINTS + 1):
        x, is_low = left_of(point), point <= 12
        foot, tip = (HIGH - RIM, HIGH - RIM - TALL) if is_low else (RIM, RIM + TALL)
        paint = "point-dark" if point % 2 else "point-light"
        below.append(polygon(((x + 4, foot), (x + STEP - 4, foot), (x + STEP / 2, tip)), paint))
        area = rectangle(x, min(foot, tip), STEP, TALL)
        cells.append(Cell(str(point), area, f"point {point}", (x + STEP / 2, foot - 45 if is_low else foot + 45)))
        edge = HIGH - RIM / 2 if is_low else RIM / 2
        above.append(text(str(point), x + STEP / 2, edge, 22, "on-wood"))
    for name, place in bars().items():
        area = rectangle(RIM + 6 * STEP, HIGH / 2 if place[1] > HIGH / 2 else RIM, BAR_WIDTH, HIGH / 2 - RIM)
        cells.append(Cell(name, area, f"{SIDES[name.endswith('min')]}'s bar", place))
    tray_left = WIDE - TRAY + 8
    for name, y in (("off-max", HIGH - RIM - TALL), ("off-min", RIM)):
        area = rectangle(tray_left, y, TRAY - 24, TALL, "wood-dark", round=8)
        foot = y + TALL - FLAT / 2 - 6 if name == "off-max" else y + FLAT / 2 + 6
        cells.append(Cell(name, area, f"{SIDES[name.endswith('min')]} borne off", (tray_left + TRAY / 2 - 12, foot)))
    middles = (RIM + 9 * STEP + BAR_WIDTH, RIM + 3 * STEP)
    for side, x in zip(("max", "min"), middles, strict=True):
        area = rectangle(x - 110, HIGH / 2 - 50, 220, 100)
        cells.append(Cell(f"dice-{side}", area, f"{SIDES[side == 'min']}'s dice"))
    return Layout(
        WIDE,
        HIGH,
        tuple(cells),
        glyphs(),
        below=tuple(below),
        above=tuple(above),
        size=CHECKER,
        pairs=True,
    )


def bars() -> dict[str, Point]:
    middle = RIM + 6 * STEP + BAR_WIDTH / 2
    return {"bar-max": (middle, HIGH / 2 + 110), "bar-min": (middle, HIGH / 2 - 110)}


def glyphs() -> dict[str, Glyph]:
    flat = {f"{side}-off": (rectangle(-46, -11, 92, 22, side, f"{side}-edge", 3, 6),) for side in SIDES}
    return {**{side: disc(side, ring=True) for side in SIDES}, **flat, **dice()}


def name_of(player: int, slot: int) -> str:
    """The cell of a slot, given as that player counts."""
    side = "max" if player == MAX else "min"
    if slot == OFF:
        return f"off-{side}"
    if slot == BAR:
        return f"bar-{side}"
    return str(slot if player == MAX else BAR - slot)


def pieces(s: Position) -> list[Piece]:
    found = []
    for player, counts in enumerate(sides(s._replace(player=MAX))):
        for slot, count in enumerate(counts):
            if count:
                found += stack(name_of(player, slot), SIDES[player], slot, count)
    if s.roll:
        cell = "dice-max" if s.player == MAX else "dice-min"
        for x, face in zip((-52.0, 52.0), (s.roll // 10, s.roll % 10), strict=True):
            found.append(Piece(cell, f"die-{face}", f"a {face}", x=x, size=84))
    return found


def stack(cell: str, side: str, slot: int, count: int) -> list[Piece]:
    """A stack of checkers towards the middle of the board; the first carries the label."""
    label = f"{count} {side} checker{'s' if count > 1 else ''}"
    is_low = cell in ("off-max", "bar-min") or (cell.isdecimal() and int(cell) <= 12)
    way = -1.0 if is_low else 1.0
    if slot == OFF:
        step = FLAT + 2
        return [Piece(cell, f"{side}-off", label if k == 0 else "", y=way * step * k) for k in range(count)]
    most = 2 if slot == BAR else SHOWN  # the bar is shorter
    step = min(CHECKER - 8, (CHECKER - 8) * (most - 1) / max(count - 1, 1))
    found = [Piece(cell, side, label if k == 0 else "", y=way * step * k) for k in range(count)]
    if count > most:
        ink = "pip" if side == "white" else "white"
        found.append(Piece(cell, text=str(count), y=way * step * (count - 1), size=38, fill=ink))
    return found


def path_of(s: Position, move: int) -> list[Way]:
    """The cells of each step; the steps may be entered in any order that the rules allow."""
    if to_move(s) == CHANCE:
        return [(f"dice-{'max' if s.player == MAX else 'min'}",)]
    steps = steps_of(s, move)
    own = tuple(name_of(s.player, slot) for step in steps for slot in (step.start, step.end))
    result = both_sides(s)
    for step in steps:
        result = stepped(result, step.start, step.end)
    return [own, *(way for way in all_ways(s).get(result, ()) if way != own)]


# The checkers in each slot of the player to move, and of the opponent, each as that player counts.
Sides = tuple[tuple[int, ...], tuple[int, ...]]


def both_sides(s: Position) -> Sides:
    own, other = sides(s)
    return tuple(own), tuple(other)


def stepped(here: Sides, start: int, end: int) -> Sides:
    """The checkers after one of them has moved, and has hit a blot if there was one."""
    own, other = list(here[0]), here[1]
    own[start] -= 1
    own[end] += 1
    if end != OFF and other[BAR - end] == 1:
        hit = list(other)
        hit[BAR - end] = 0
        hit[BAR] += 1
        other = tuple(hit)
    return tuple(own), other


def starts(here: Sides, die: int) -> list[int]:
    """The slots from which this die may move a checker."""
    own, other = here
    one = sum(1 << slot for slot in range(1, BAR + 1) if own[slot])
    free = sum(1 << point for point in range(1, POINTS + 1) if other[BAR - point] < 2)
    return list(bits(sources(one, free, die)))


@lru_cache(maxsize=8)
def all_ways(s: Position) -> dict[Sides, list[Way]]:
    """All sequences of single steps with the roll, grouped by the position they lead to."""
    dice = tuple(dice_of(s.roll))
    names = [name_of(s.player, slot) for slot in range(BAR + 1)]
    found: dict[Sides, list[Way]] = {}

    # A position that several orders reach is extended only once, with all the ways that lead to it.
    for order in sorted({dice, dice[::-1]}, reverse=True):
        reached: dict[Sides, list[Way]] = {both_sides(s): [()]}
        for die in order:
            further: dict[Sides, list[Way]] = {}
            for here, ways_here in reached.items():
                for start in starts(here, die):
                    end = max(start - die, OFF)
                    step = (names[start], names[end])
                    further.setdefault(stepped(here, start, end), []).extend(way + step for way in ways_here)
            reached = further
            for there, ways_there in reached.items():
                found.setdefault(there, []).extend(ways_there)
    return {result: list(dict.fromkeys(ways_to)) for result, ways_to in found.items()}
