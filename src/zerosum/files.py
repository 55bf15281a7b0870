"""Files that appear only when they are complete."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from zerosum.errors import ZerosumError


@contextlib.contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file under a temporary name that gets its own when the block ends well, and vanishes when it does not."""
    target = Path(path)
    temporary = ""
    try:
        name = target.parent / f".{target.name}.{secrets.token_hex(8)}.tmp"
        # As open() would, and unlike tempfile: open to whom the user's umask says, which only the system can ask for
        # without changing it for all threads.
        handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        temporary = os.fspath(name)
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
