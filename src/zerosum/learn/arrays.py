"""The array module for large arrays: NumPy in main memory, or CuPy on a GPU.

CuPy's arrays have NumPy's interface, so code written for one works with both.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from zerosum.errors import ZerosumError


def arrays(gpu: bool) -> Any:
    """Return the module that creates arrays. A simulated GPU uses main memory.

    >>> arrays(gpu=False).__name__
    'numpy'
    """
    if not gpu or os.environ.get("ZEROSUM_GPU") == "simulated":
        return np
    try:
        import cupy
    except ImportError as problem:
        raise ZerosumError("the GPU needs CuPy, which is not installed: pip install 'zerosum[cuda]'") from problem
    try:
        cupy.zeros(1)
    except Exception as problem:  # CuPy raises different errors for no driver, no device, no memory, …
        reason = str(problem).partition("\n")[0]
        raise ZerosumError(f"CuPy cannot use a GPU: {reason}") from problem
    return cupy


def in_memory(array: Any) -> npt.NDArray[Any]:
    """Return the array as a NumPy array, copied from the GPU if it is there."""
    found: npt.NDArray[Any] = array if isinstance(array, np.ndarray) else array.get()
    return found
