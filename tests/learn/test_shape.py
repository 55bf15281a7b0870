"""A network's row and its units are the same wherever they are used: in kernels, in NumPy, and in a textbook."""

from __future__ import annotations

import numpy as np
import pytest
from textbook import SHAPES, parts

from zerosum.networks.shape import Shape, all_chances, chance, cut, cut_all, steepness, unit

SUMS = np.linspace(-20, 20, 4001).astype(np.float32)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_parts_of_a_row_are_the_textbooks_and_fill_it(shape: Shape):
    row = np.arange(shape.size)
    found = shape.parts(row)
    for part, expected in zip(found, parts(shape, row), strict=True):
        assert part.shape == expected.shape and (part == expected).all()
    assert sum(part.size for part in found) == shape.size
    for part, place in zip(found, (0, shape.thresholds, shape.second, shape.last), strict=True):
        assert part.size == 0 or part.flat[0] == place
        part[...] = -1
    assert (row == -1).all(), "the parts are the row itself"


def test_kernels_and_numpy_have_the_same_units_to_the_last_bit():
    one_by_one = [unit(cut(x)) for x in SUMS]
    assert {type(x) for x in one_by_one} == {np.float32}
    assert np.array_equal(one_by_one, unit(cut_all(SUMS)))
    assert np.array_equal([steepness(cut(x)) for x in SUMS], steepness(cut_all(SUMS)))
    # Implementations of the exponential may differ in the last bit.
    assert np.allclose([chance(x) for x in SUMS], all_chances(SUMS), rtol=3e-7, atol=0)


def test_a_units_slope_is_its_steepness_squared():
    x = np.linspace(-2.9, 2.9, 59)
    slope = (unit(x + 1e-5) - unit(x - 1e-5)) / 2e-5
    assert steepness(x) ** 2 == pytest.approx(slope, abs=1e-8)
    assert unit(np.float32(3)) == 1 and steepness(np.float32(3)) == 0, "it is smooth where it is clipped"
