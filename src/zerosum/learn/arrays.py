"""Where large arrays are worked on: in the machine's own memory by NumPy, or on a GPU by CuPy.

CuPy's arrays are used as NumPy's are, so that code written for one works with both.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from zerosum.errors import ZerosumError


def arrays(gpu: bool) -> Any:
    """The module that makes the arrays. The memory of a simulated card is the machine's own.

    >>> arrays(gpu=False).__name__
    'numpy'
    """
    if not gpu or os.environ.get("ZEROSUM_GPU") == "simulated":
        return np
    try:
        import cupy
    except ImportError as problem:
        raise ZerosumError("a GPU is used by way of CuPy, which is not there: pip install 'zerosum[cuda]'") from problem
    try:
        cupy.zeros(1)
    except Exception as problem:  # it has errors of its own for no driver, no device, no memory, …
        reason = str(problem).partition("\n")[0]
        raise ZerosumError(f"CuPy finds no GPU to work on: {reason}") from problem
    return cupy


def in_memory(array: Any) -> npt.NDArray[Any]:
    """The same numbers for NumPy: those of a GPU are copied."""
    found: npt.NDArray[Any] = array if isinstance(array, np.ndarray) else array.get()
    return found
