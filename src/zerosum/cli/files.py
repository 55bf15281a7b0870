"""Files that commands write: whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zerosum import files
from zerosum.errors import ZerosumError


def write_text(option: str, file: str, text: str) -> None:
    """Write a text; ZerosumError, in the name of the option that asked for it, where that is impossible."""
    check_writable(option, file)
    with _named(option), files.written_whole(file) as stream:
        stream.write(text.encode())


def check_writable(option: str, file: str) -> None:
    """ZerosumError, before minutes of work, where a file cannot be written."""
    path = Path(file)
    if path.is_dir():
        raise ZerosumError(f"{option} {file!r} is a folder: give the name of a file")
    if not path.parent.is_dir():
        raise ZerosumError(f"{option} {file!r}: there is no folder {str(path.parent)!r}")
    with _named(option):
        files.check_writable(path)


@contextmanager
def _named(option: str) -> Iterator[None]:
    """An error within this block names the option."""
    try:
        yield
    except ZerosumError as problem:
        raise ZerosumError(f"{option} {problem}") from None
