"""Where kernels run."""

from __future__ import annotations

import os
from enum import Enum


class Target(Enum):
    """``PLAIN`` is the kernel's own Python, for debuggers and as a reference; ``CPU`` is machine code."""

    PLAIN = "plain"
    CPU = "cpu"

    @property
    def is_compiled(self) -> bool:
        return self is not Target.PLAIN


PLAIN, CPU = Target.PLAIN, Target.CPU


def target_of(jit: bool | Target) -> Target:
    """What ``jit`` means: machine code or not, or a target by name. Numba's own switch for debugging means the same."""
    if isinstance(jit, Target):
        return jit
    return CPU if jit and os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0") else PLAIN
