"""The networks of ``functions``, in the form that is fastest on a GPU.

A GPU evaluates thousands of positions at once, one per thread, and a thread's local memory is slow. So hidden units are
computed in blocks that fit into registers: for each block, the kernel goes through all features, adds the block to the
outputs, and discards it. Neighbouring threads evaluate positions after different moves from the same position. Their
features are nearly the same, so they read the same weights at the same time, and skip features that are 0 for all of
them.

Sums are computed in a different order than in ``functions``, so chances differ by rounding.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zerosum.game import Game
from zerosum.jit.words import word_float
from zerosum.networks.shape import ONE, STEEPEST, ZERO, Shape, cut, unit

BLOCK = 16
"""Hidden units computed at a time."""

PER_TURN, LN_2 = np.float32(1.4426950408889634), np.float32(0.6931471805599453)
SHIFT, SHIFT_AND_HALF = 64, np.float32(64.5)  # makes the number positive, so that truncation rounds to nearest
PART_2, PART_3, PART_4, PART_5, PART_6 = (np.float32(1 / x) for x in (2, 6, 24, 120, 720))  # of factorials


def exponential(x):
    """Return e to the power of ``x``, from -16 to 16, in plain arithmetic: LLVM has no exponential for GPUs.

    It is a power of two (the exponent of a float) times the Taylor polynomial of the remainder.

    >>> import math
    >>> float(max(abs(exponential(np.float32(x / 8)) / math.exp(x / 8) - 1) for x in range(-128, 129))) < 1e-6
    True
    """
    turns = x * PER_TURN
    n = int(turns + SHIFT_AND_HALF) - SHIFT
    rest = (turns - np.float32(n)) * LN_2
    near = PART_3 + rest * (PART_4 + rest * (PART_5 + rest * PART_6))
    near = ONE + rest * (ONE + rest * (PART_2 + rest * near))
    return near * np.float32(word_float((1023 + n) << 52))


def chance(x):
    """Return an output, given its sum."""
    return ONE / (ONE + exponential(-min(max(x, -STEEPEST), STEEPEST)))


def by_blocks(shape: Shape) -> Any:
    """Return ``judge(row, weights, net)``, which computes the chances from the features in the row.

    The source is generated for the shape, because only variables, not places in a row, can be kept in registers.
    """
    outputs = range(shape.outputs)
    text = [
        "def judge(row, weights, net):",
        f"    base = net * {shape.size}",
        *(f"    out{k} = weights[base + {shape.last + k}]" for k in outputs),
    ]
    if shape.hidden:
        whole, rest = divmod(shape.hidden, BLOCK)
        if whole:
            text += [f"    for first in range(0, {whole * BLOCK}, {BLOCK}):", *_block(shape, BLOCK, "        ")]
        if rest:
            text += [f"    first = {whole * BLOCK}", *_block(shape, rest, "    ")]
    else:
        text += [
            f"    for i in range({shape.inputs}):",
            "        x = row[i]",
            "        if x != ZERO:",
            *(f"            out{k} += x * weights[base + {shape.second + k * shape.width} + i]" for k in outputs),
        ]
    text += [f"    row[{shape.chances + k}] = chance(out{k})" for k in outputs]
    scope: dict[str, Any] = {"ZERO": ZERO, "chance": chance, "cut": cut, "unit": unit}
    exec(compile("\n".join(text), "<network on a card>", "exec"), scope)
    return scope["judge"]  # without fast_sums: LLVM would vectorise over features, for which GPUs lack registers


def _block(shape: Shape, size: int, indent: str) -> list[str]:
    """Return the lines that compute ``size`` hidden units from ``first`` on, and add them to the outputs."""
    units, text = range(size), [f"at = base + {shape.thresholds} + first"]
    text += [f"unit{j} = weights[at + {j}]" for j in units]
    text += [
        "at = base + first",
        f"for i in range({shape.inputs}):",
        "    x = row[i]",
        "    if x != ZERO:",
        *(f"        unit{j} += x * weights[at + {j}]" for j in units),
        f"    at += {shape.hidden}",
        f"at = base + {shape.second} + first",
    ]
    for j in units:
        text.append(f"unit{j} = unit(cut(unit{j}))")
        text += [f"out{k} += unit{j} * weights[at + {k * shape.width + j}]" for k in range(shape.outputs)]
    return [indent + line for line in text]


def with_gpu_form(evaluate: Any, on_gpu: Any) -> Any:
    """Return the evaluation, marked to be replaced by ``on_gpu`` on a GPU."""
    evaluate.zerosum_on_gpu = on_gpu
    return evaluate


def for_gpu(game: Game) -> Game:
    """Return the game with its GPU evaluation, if it has one."""
    evaluate = game.given.get("evaluate")
    return game.with_(evaluate=evaluate.zerosum_on_gpu) if hasattr(evaluate, "zerosum_on_gpu") else game
