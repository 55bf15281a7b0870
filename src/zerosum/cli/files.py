"""Files that commands write: whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from zerosum.errors import ZerosumError


def write_text(option: str, file: str, text: str) -> None:
    """Write under a temporary name beside ``file``, then rename, so that nobody ever sees half of it.

    ZerosumError, in the name of the option that asked for it, where that is impossible.
    """
    path = Path(file)
    check_writable(option, file)
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as problem:
        raise ZerosumError(f"{option} {file!r} cannot be written: {problem.strerror}") from None
    finally:
        if temporary:
            with suppress(OSError):
                os.unlink(temporary)


def check_writable(option: str, file: str) -> None:
    """ZerosumError, before minutes of work, where a file cannot be written for a plain reason."""
    path = Path(file)
    if path.is_dir():
        raise ZerosumError(f"{option} {file!r} is a folder: give the name of a file")
    if not path.parent.is_dir():
        raise ZerosumError(f"{option} {file!r}: there is no folder {str(path.parent)!r}")


def _umask() -> int:
    """The permissions that new files lack; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
