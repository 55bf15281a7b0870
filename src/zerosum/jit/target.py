"""Where kernels run."""

from __future__ import annotations

import os
from enum import Enum
from typing import TYPE_CHECKING

from zerosum.errors import LimitError

if TYPE_CHECKING:
    from zerosum.game import Game


class Target(Enum):
    """``PLAIN`` is the kernel's own Python, for debuggers and as a reference; ``CPU`` is machine code.

    ``GPU`` is machine code for a graphics card, which runs only item kernels.
    """

    PLAIN = "plain"
    CPU = "cpu"
    GPU = "gpu"

    @property
    def is_compiled(self) -> bool:
        return self is not Target.PLAIN


DEVICES = ("cpu", "gpu")

PLAIN, CPU, GPU = Target.PLAIN, Target.CPU, Target.GPU


def target_for(game: Game, jit: bool | Target, device: str = "cpu") -> Target:
    """``target_of``, but plain Python for a game whose rules cannot be compiled."""
    if not game.plain:
        return target_of(jit, device)
    if device == "gpu":
        raise LimitError(f"{game.name} runs only in plain Python: leave out device='gpu'")
    return PLAIN


def target_of(jit: bool | Target, device: str = "cpu") -> Target:
    """The target for ``jit`` (machine code or not, or a target itself) and ``device`` (the processor or a card).

    Numba's debugging switch ``NUMBA_DISABLE_JIT`` means the same as ``jit=False``.

    >>> target_of(True, "gpu")
    <Target.GPU: 'gpu'>
    """
    if device not in DEVICES:
        raise LimitError(f"unknown device {device!r}: use 'cpu', the processor, or 'gpu', a graphics card")
    if isinstance(jit, Target):
        return jit
    if device == "gpu":
        if not jit:
            raise LimitError("a graphics card runs only machine code: leave out jit=False or device='gpu'")
        return GPU
    return CPU if jit and os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0") else PLAIN
