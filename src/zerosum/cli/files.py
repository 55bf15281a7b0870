"""Writing files: each is written completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from zerosum import files
from zerosum.errors import ZerosumError


def write_text(option: str, file: str, text: str) -> None:
    """Write a text file; if that fails, ZerosumError names the option."""
    check_writable(option, file)
    with _named(option), files.written_whole(file) as stream:
        stream.write(text.encode())


def check_outputs(
    outputs: Iterable[tuple[str, str]], inputs: Iterable[tuple[str, str]] = (), read_again: Iterable[str] = ()
) -> None:
    """Raise ZerosumError if an output cannot be written, or would overwrite an input or another output.

    Both are pairs of an option and its file; options that are not given have ''. Inputs that are not files, such as
    the name of a game, are ignored. Outputs that the command also reads (``read_again``) must be regular files.
    """
    from zerosum.games import GAMES

    others = [(option, file) for option, file in inputs if file not in GAMES and os.path.isfile(file)]
    for option, file in outputs:
        if not file:
            continue
        check_writable(option, file)
        if option in read_again and files.is_stream(file):
            raise ZerosumError(f"{option} {file!r} is not a regular file: give the name of a file")
        for other, its_file in others:
            if _is_same(file, its_file):
                raise ZerosumError(
                    f"{option} {file!r} is the same file as {other} {its_file!r}: give {option} another name"
                )
        others.append((option, file))


def _is_same(one: str, other: str) -> bool:
    """Whether two names mean one file; devices and pipes can be written more than once."""
    if files.is_stream(one):
        return False
    if os.path.exists(one) and os.path.exists(other):
        return os.path.samefile(one, other)
    return os.path.realpath(one) == os.path.realpath(other)


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
