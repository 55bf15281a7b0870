"""Rows of floating-point numbers for learning kernels, outside the kernel's memory of words."""

from __future__ import annotations

from typing import Any

import numpy as np

from zerosum.jit.memory import Memory
from zerosum.learn.learner import NOTE, NOTES_ROW
from zerosum.learn.td import (
    AHEAD,
    CANDIDATE,
    KNOWN,
    LEARNER,
    LONGEST_GAME,
    NOTES,
    RECORDED,
    SQUARES,
    VALUES,
    WEIGHTS,
)
from zerosum.networks.shape import Shape


class Rows:
    """The rows that belong to one kernel memory, kept alive here.

    The memory holds their addresses or, in plain mode, the rows themselves.
    """

    def __init__(self, memory: Memory, shape: Shape, weights: Any, squares: Any = None) -> None:
        """Create the rows and enter them in the memory. ``squares`` are needed only for learning."""
        self.kept = {
            WEIGHTS: weights.reshape(-1),
            SQUARES: np.zeros(0, np.float32) if squares is None else squares.reshape(-1),
            CANDIDATE: np.zeros(shape.row, np.float32),
            KNOWN: np.zeros(shape.row, np.float32),
            LEARNER: np.zeros(shape.row, np.float32),
            NOTES: np.zeros(NOTES_ROW, np.float32),
            RECORDED: np.zeros(LONGEST_GAME * shape.padded, np.float32),
            VALUES: np.zeros(AHEAD + LONGEST_GAME * NOTE, np.float32),
        }
        for word, array in self.kept.items():
            memory.row[word] = array if isinstance(memory.row, list) else array.ctypes.data
