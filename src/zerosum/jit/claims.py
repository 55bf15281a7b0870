"""Claims on kernels: if several processes need the same kernel, one compiles it and the others wait.

A claim is a locked file. The system frees the lock however its holder ends, so a killed process blocks no other.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from zerosum.files import try_to_lock

SUFFIX = ".claim"

PATIENCE = 300.0
"""Seconds after which a claim is ignored, because its holder is suspended or hangs."""

PAUSE = 0.05


@contextlib.contextmanager
def claimed(folder: Path, name: str) -> Iterator[None]:
    """Wait until no other process claims this name, and claim it within the block; do without if that is impossible."""
    path = folder / f"{name}{SUFFIX}"
    handle = _hold(path)
    try:
        yield
    finally:
        if handle is not None:
            _let_go(path, handle)


def _hold(path: Path) -> int | None:
    """The handle of the locked file; None if it cannot be locked."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return None
        if try_to_lock(handle) and _is_still(path, handle):
            return handle
        os.close(handle)
        time.sleep(PAUSE)
    return None


def _is_still(path: Path, handle: int) -> bool:
    """Whether the name still refers to this file: its previous holder may have deleted it."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(handle))
    except OSError:
        return False


def _let_go(path: Path, handle: int) -> None:
    if sys.platform == "win32":  # where an open file cannot be deleted
        os.close(handle)
    with contextlib.suppress(OSError):
        os.unlink(path)
    if sys.platform != "win32":
        os.close(handle)
