"""Files that appear only when they are complete."""

from __future__ import annotations

import contextlib
import os
import tempfile
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
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
        with os.fdopen(handle, "wb") as file:
            yield file
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException as problem:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        if isinstance(problem, OSError):
            raise ZerosumError(f"{os.fspath(path)!r} cannot be written: {problem.strerror or problem}") from problem
        raise


def _umask() -> int:
    """What the user wants new files to be closed to; mkstemp closes them to everyone else."""
    current = os.umask(0)
    os.umask(current)
    return current
