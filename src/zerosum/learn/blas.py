"""NumPy's products of matrices in one thread each, for those who share work out to threads themselves.

OpenBLAS's threads wait for each other busily, many times a second. On a machine with other work to do, products of the
small matrices here took twenty times as long with two of its threads as with one.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

FOLDERS = ("../numpy.libs", ".dylibs")
"""Where wheels of NumPy have their libraries, beside its own folder or in it."""

NAMES = ("scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_", "openblas_{}_num_threads")


@contextlib.contextmanager
def one_thread_each() -> Iterator[None]:
    """Within the block OpenBLAS uses no threads of its own; another library does as it likes."""
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
    """The functions that ask for and set OpenBLAS's number of threads, if NumPy came with it."""
    package = Path(np.__file__).parent
    for folder in FOLDERS:
        for path in sorted((package / folder).glob("*openblas*")):
            try:
                library = ctypes.CDLL(str(path))  # it is loaded already: this finds it
            except OSError:
                continue
            for name in NAMES:
                with contextlib.suppress(AttributeError):
                    return getattr(library, name.format("get")), getattr(library, name.format("set"))
    return None
