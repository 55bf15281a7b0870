"""The bear-off table, checked against the rules on small positions and against GNU Backgammon's on all."""

from __future__ import annotations

import random
from functools import cache
from itertools import pairwise
from pathlib import Path
from shutil import copy

import numpy as np
import pytest

import zerosum as zs
from zerosum.games.backgammon import bearoff
from zerosum.games.backgammon.features import INPUTS, features
from zerosum.games.backgammon.position import Position, packed
from zerosum.jit.store import folder

ROLLS = [(a, b) for a in range(1, 7) for b in range(1, 7)]


@cache
def plays(counts: tuple[int, ...], dice: tuple[int, ...]) -> frozenset[tuple[int, ...]]:
    """The positions that these dice, in this order, can lead to: the rules of bearing off, one checker at a time."""
    if not dice or not any(counts):
        return frozenset([counts])
    die, found = dice[0], set()
    for point in range(1, 7):
        if not counts[point - 1] or (point < die and any(counts[point:])):
            continue
        after = list(counts)
        after[point - 1] -= 1
        if point > die:
            after[point - die - 1] += 1
        found |= plays(tuple(after), dice[1:])
    return frozenset(found)


@cache
def mean_rolls(counts: tuple[int, ...]) -> float:
    """The fewest rolls on average, by definition."""
    if not any(counts):
        return 0.0
    total = 0.0
    for a, b in ROLLS:
        ends = plays(counts, (a,) * 4) if a == b else plays(counts, (a, b)) | plays(counts, (b, a))
        total += min(mean_rolls(end) for end in ends)
    return 1 + total / 36


def small_positions() -> list[tuple[int, ...]]:
    positions = [tuple(int(n) for n in row) for row in bearoff.all_positions() if 0 < row.sum() <= 3]
    return random.Random(1).sample(positions, 40)


def test_positions_are_numbered_without_gaps():
    positions = bearoff.all_positions()
    assert len(positions) == bearoff.POSITIONS == 54264
    assert np.array_equal(bearoff.rank(positions.T), np.arange(bearoff.POSITIONS))


def test_means_follow_from_the_rules():
    table = bearoff.table()
    for counts in small_positions():
        assert table.mean[bearoff.rank(counts)] == pytest.approx(mean_rolls(counts), abs=1e-5)


def test_rows_are_distributions():
    table = bearoff.table()
    assert table.needed.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert table.needed @ np.arange(bearoff.MOST_ROLLS) == pytest.approx(table.mean, abs=1e-4)
    assert (np.diff(table.none_off, axis=1) <= 0).all()
    assert table.none_off[:, -1].max() < 1e-6
    # Only with all fifteen checkers on the board can none be off.
    full = bearoff.all_positions().sum(axis=1) == 15
    assert (table.none_off[full, 0] == 1).all() and not table.none_off[~full].any()


def test_gnu_backgammon_agrees_on_every_position():
    gnubg = pytest.importorskip("gnubg_nn", reason="gnubg-nn is not installed")
    table = bearoff.table()
    found = np.zeros(bearoff.POSITIONS)
    for number in range(1, bearoff.POSITIONS):
        chances = gnubg.bearoff_probabilities(number)
        place = bearoff.rank(gnubg.bearoff_id_2_pos(number))
        found[place] = sum(rolls * chance for rolls, chance in enumerate(chances, 1))
    assert (found[1:] > 0).all()  # each position once
    # GNU Backgammon stores probabilities in 16 bits, so a mean may be off by this much.
    assert np.abs(found - table.mean).max() < 5e-4


def chances_of(own: tuple[int, ...], other: tuple[int, ...]) -> list[float]:
    """The chances of win, gammon, backgammon, lost gammon, lost backgammon from ``features``, with MAX on roll."""
    words = []
    for counts in (own, other):
        slots = [(0, 15 - sum(counts)), *enumerate(counts, 1)]
        words += packed(slots)
    out = np.zeros(INPUTS)
    assert features(Position(*words, 0, 0), out, zs.load("backgammon").tables) == -1
    return [float(chance) for chance in out[:5]]


def test_both_bearing_off():
    one = (1, 0, 0, 0, 0, 0)
    assert chances_of(one, one) == pytest.approx([1, 0, 0, 0, 0])
    # Two checkers on the six point: 4 of 36 rolls bear both off; otherwise the opponent wins.
    assert chances_of((0, 0, 0, 0, 0, 2), one)[0] == pytest.approx(4 / 36, abs=1e-6)
    # The opponent has no checker off: a gammon, unless there is time to bear one off.
    assert chances_of(one, (0, 0, 0, 0, 0, 15)) == pytest.approx([1, 1, 0, 0, 0])
    assert chances_of((0, 0, 0, 0, 0, 15), one) == pytest.approx([0, 0, 0, 20 / 36, 0], abs=1e-6)


def test_equal_races_favour_who_rolls():
    found = [chances_of((n, n, n, 0, 0, 0), (n, n, n, 0, 0, 0))[0] for n in range(1, 5)]
    assert all(chance > 0.5 for chance in found) and all(a > b for a, b in pairwise(found))


def test_a_damaged_table_is_built_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    bearoff.table.cache_clear()  # so that its file is in the folder of this run
    good = bearoff.table()
    (path,) = (Path(copy(file, tmp_path)) for file in folder().glob("backgammon-bear-off-*.npy"))
    monkeypatch.setenv("ZEROSUM_CACHE_DIR", str(tmp_path))
    built = []

    def build() -> bearoff.BearOff:
        built.append(good)
        return good

    monkeypatch.setattr(bearoff, "build", build)
    try:
        content = bytearray(path.read_bytes())
        content[len(content) // 2 : len(content) // 2 + 4000] = bytes(4000)
        path.write_bytes(bytes(content))
        bearoff.table.cache_clear()
        assert np.array_equal(bearoff.table().needed, good.needed)
        path.write_bytes(b"nothing")
        bearoff.table.cache_clear()
        assert np.array_equal(bearoff.table().needed, good.needed)
        assert len(built) == 2
    finally:
        bearoff.table.cache_clear()
