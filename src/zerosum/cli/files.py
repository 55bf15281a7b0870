"""Files that commands write: whole or not at all."""

from __future__ import annotations

from pathlib import Path

from zerosum.errors import ZerosumError
from zerosum.files import written_whole


def write_text(option: str, file: str, text: str) -> None:
    """Write a text; ZerosumError, in the name of the option that asked for it, where that is impossible."""
    check_writable(option, file)
    try:
        with written_whole(file) as stream:
            stream.write(text.encode())
    except ZerosumError as problem:
        raise ZerosumError(f"{option} {problem}") from None


def check_writable(option: str, file: str) -> None:
    """ZerosumError, before minutes of work, where a file cannot be written for a plain reason."""
    path = Path(file)
    if path.is_dir():
        raise ZerosumError(f"{option} {file!r} is a folder: give the name of a file")
    if not path.parent.is_dir():
        raise ZerosumError(f"{option} {file!r}: there is no folder {str(path.parent)!r}")
