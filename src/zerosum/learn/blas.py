"""Single-threaded NumPy matrix products, for code that runs its own threads.

OpenBLAS's threads busy-wait for each other many times a second. On a machine with other work to do, products of the
small matrices used here took twenty times as long with two OpenBLAS threads as with one.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

FOLDERS = ("../numpy.libs", ".dylibs")
"""Where NumPy wheels keep their libraries, relative to the package folder."""

NAMES = ("scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_", "openblas_{}_num_threads")


@contextlib.contextmanager
def one_thread_each() -> Iterator[None]:
    """Limit OpenBLAS to one thread within the block. Other BLAS libraries are not affected."""
    found = _functions()
    if found is None:
        yield
        return
    ask, tell = found
    before = ask()
    tell(1)
    try:
        yield
    finally:
        tell(before)


def _functions() -> tuple[Any, Any] | None:
    """Return the functions that get and set OpenBLAS's number of threads, if NumPy came with OpenBLAS."""
    package = Path(np.__file__).parent
    for folder in FOLDERS:
        for path in sorted((package / folder).glob("*openblas*")):
            try:
                library = ctypes.CDLL(str(path))  # already loaded by NumPy: this returns a handle to it
            except OSError:
                continue
            for name in NAMES:
                with contextlib.suppress(AttributeError):
                    return getattr(library, name.format("get")), getattr(library, name.format("set"))
    return None
