"""Writing files: each is written completely or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zerosum import files
from zerosum.errors import ZerosumError


def write_text(option: str, file: str, text: str) -> None:
    """Write a text file; if that fails, ZerosumError names the option."""
    check_writable(option, file)
    with _named(option), files.written_whole(file) as stream:
        stream.write(text.encode())


def check_writable(option: str, file: str) -> None:
    """Raise ZerosumError if a file cannot be written; call this before minutes of work."""
    path = Path(file)
    if path.is_dir():
        raise ZerosumError(f"{option} {file!r} is a folder: give the name of a file")
    if not path.parent.is_dir():
        raise ZerosumError(f"{option} {file!r}: the folder {str(path.parent)!r} does not exist")
    with _named(option):
        files.check_writable(path)


@contextmanager
def _named(option: str) -> Iterator[None]:
    """Prefix errors within this block with the option."""
    try:
        yield
    except ZerosumError as problem:
        raise ZerosumError(f"{option} {problem}") from None
