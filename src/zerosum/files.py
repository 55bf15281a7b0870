"""Files with a header that names their format, written completely or not at all; and locks on files."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from zerosum.errors import ZerosumError

LOCK_PLACE = 1 << 40
"""Where Windows locks a byte: beyond the end of the file, because locked bytes cannot be read there."""

BINARY = getattr(os, "O_BINARY", 0)
"""The flag that makes os.open write bytes unchanged on Windows."""

LOCK_NAME = ".zerosum.lock"
"""The file that represents a locked folder on Windows."""


def is_there(path: Path) -> bool:
    """Whether something has this path; PermissionError if a folder may not be entered.

    ``Path.exists`` says no to that from Python 3.14 on, and a message would call the file missing.
    """
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    return True


def why_not_a_file(path: str | os.PathLike[str]) -> str:
    """What a path is instead of a file that can be read, as the end of a sentence; '' if it is one.

    >>> why_not_a_file("no_such_game.py")
    'does not exist'
    """
    if not is_there(Path(path)):
        return "does not exist"
    mode = os.stat(path).st_mode
    return "is a folder" if stat.S_ISDIR(mode) else "" if stat.S_ISREG(mode) else "is not a regular file"


def is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether writing goes into what has this path, instead of replacing it: devices, pipes, and our own stdout."""
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)) or _is_stdout(found)


def _is_stdout(found: os.stat_result) -> bool:
    try:
        return os.path.samestat(found, os.fstat(1))
    except OSError:  # stdout is closed
        return False


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise ZerosumError unless a file can be written here: called before long work, not after it."""
    try:
        if is_stream(path):
            if not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            return
        handle, name = _opened_beside(_followed(path))
        os.close(handle)
        os.unlink(name)
    except OSError as problem:
        raise ZerosumError(f"{os.fspath(path)!r} cannot be written: {problem.strerror or problem}") from problem


def _followed(path: str | os.PathLike[str]) -> Path:
    """Where a file is written: the target of a symbolic link, so that the link stays."""
    return Path(os.path.realpath(path))


def _opened_stream(path: str | os.PathLike[str]) -> int:
    """Open a device or a pipe for writing, or our own stdout after what has been printed already."""
    if _is_stdout(os.stat(path)):
        if sys.stdout is not None:
            sys.stdout.flush()
        return os.dup(1)
    return os.open(path, os.O_WRONLY | BINARY)


def _opened_beside(target: Path) -> tuple[int, str]:
    """Create and open a file with a temporary name in the target's folder; its handle and name."""
    import secrets  # slow to import, and every Game imports this file

    name = target.parent / f".{target.name}.{secrets.token_hex(8)}.tmp"
    # The umask decides who may read the file, as with open() and unlike tempfile. Only the system can apply it:
    # reading the umask in Python would change it for all threads.
    return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o666), os.fspath(name)


@contextlib.contextmanager
def locked(file: BinaryIO, shared: bool = False) -> Iterator[None]:
    """Wait until no other process has locked this open file, and keep it locked within the block.

    Readers can share a lock, on systems with shared locks. The system frees a lock however its holder ends.
    """
    handle = file.fileno()
    _lock(handle, shared, wait=True)
    try:
        yield
    finally:
        _unlock(handle)


def try_to_lock(handle: int) -> bool:
    """Lock an open file until it is closed; False, without waiting, if another process has locked it."""
    return _lock(handle, shared=False, wait=False)


@contextlib.contextmanager
def folder_lock(folder: Path) -> Iterator[bool]:
    """Try to lock a folder within the block; True if no other process has locked it."""
    if sys.platform == "win32":  # where a folder cannot be opened
        path = folder / LOCK_NAME
        handle = os.open(path, os.O_RDWR | os.O_CREAT)
    else:
        handle = os.open(folder, os.O_RDONLY)
    try:
        yield try_to_lock(handle)
    finally:
        os.close(handle)
        if sys.platform == "win32":
            with contextlib.suppress(OSError):  # another process has it open
                os.unlink(path)


# All code that depends on how the system locks files

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int, shared: bool, wait: bool) -> bool:
        while True:
            try:
                _at_lock_place(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK)
                return True
            except OSError:  # LK_LOCK gives up after ten seconds
                if not wait:
                    return False

    def _unlock(handle: int) -> None:
        _at_lock_place(handle, msvcrt.LK_UNLCK)

    def _at_lock_place(handle: int, mode: int) -> None:
        here = os.lseek(handle, 0, os.SEEK_CUR)
        os.lseek(handle, LOCK_PLACE, os.SEEK_SET)
        try:
            msvcrt.locking(handle, mode, 1)
        finally:
            os.lseek(handle, here, os.SEEK_SET)
else:
    import fcntl

    def _lock(handle: int, shared: bool, wait: bool) -> bool:
        try:
            fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))
        except OSError:
            if wait:
                raise
            return False
        return True

    def _unlock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)


class FileFormat(NamedTuple):
    """A file format, identified by its header: ``{"zerosum weights": 1}`` is version 1 of "zerosum weights".

    Attributes:
        name: the name of the format.
        version: the version that is written, and the latest that can be read.
        error: raised for all other files.
        old_key: the header key of the version in files from before headers named their format.
    """

    name: str
    version: int
    error: type[ZerosumError]
    old_key: str = ""

    @property
    def stamp(self) -> dict[str, int]:
        """What the header of a file begins with."""
        return {self.name: self.version}

    def check(self, header: Any, path: str | os.PathLike[str]) -> None:
        """Raise an error unless a file with this header can be read."""
        key = next((key for key in (self.name, self.old_key) if isinstance(header, dict) and key in header), None)
        if key is None:
            raise self.error(f"{os.fspath(path)!r} is not a file of the format {self.name!r}")
        found = header[key]
        if type(found) is not int or not 1 <= found <= self.version:
            raise self.error(
                f"{os.fspath(path)!r} has version {found!r} of the format {self.name!r};"
                f" this program reads version {self.version}"
            )


@contextlib.contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a temporary file that gets its final name when the block succeeds, and is deleted when it fails.

    The target of a symbolic link is replaced, not the link. A device or a pipe is written into.
    """
    temporary = ""
    try:
        if is_stream(path):
            with os.fdopen(_opened_stream(path), "wb") as file:
                yield file
            return
        target = _followed(path)
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
