"""Files that appear only when they are complete."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from zerosum.errors import ZerosumError


def check_writable(path: str | os.PathLike[str]) -> None:
    """ZerosumError unless a file can be written here: said before long work, not after it."""
    try:
        handle, name = _opened_beside(Path(path))
        os.close(handle)
        os.unlink(name)
    except OSError as problem:
        raise ZerosumError(f"{os.fspath(path)!r} cannot be written: {problem.strerror or problem}") from problem


def _opened_beside(target: Path) -> tuple[int, str]:
    """A new file under a temporary name in the target's folder, opened, and its name."""
    name = target.parent / f".{target.name}.{secrets.token_hex(8)}.tmp"
    # As open() would, and unlike tempfile: open to whom the user's umask says, which only the system can ask for
    # without changing it for all threads.
    return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666), os.fspath(name)


@contextlib.contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file under a temporary name that gets its own when the block ends well, and vanishes when it does not."""
    target = Path(path)
    temporary = ""
    try:
        handle, temporary = _opened_beside(target)
        with os.fdopen(handle, "wb") as file:
            yield file
        os.replace(temporary, target)
    except BaseException as problem:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        if isinstance(problem, OSError):
            raise ZerosumError(f"{os.fspath(path)!r} cannot be written: {problem.strerror or problem}") from problem
        raise
