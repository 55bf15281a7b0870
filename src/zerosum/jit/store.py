"""Compiled kernels on disk, each in a file named by the hash of its content.

A file is a line of JSON, then the object code; the line holds the code's length and checksum. It is
written under a temporary name and renamed, so that a reader never sees half a file. A file with any
fault counts as absent, and the kernel is compiled again. Nothing in it is executed or unpickled before its
checksum has been verified.

A checksum detects damage, not malice: anyone who can write a file can compute one. So the folder and the files must
belong to the user, and others must not be able to write to them. Otherwise nothing is read from there or stored there,
and a warning says why. On systems without such owners, such as Windows, the folder in the user's profile is trusted.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shlex
import stat
import sys
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zerosum.errors import CacheWarning, ZerosumError
from zerosum.jit import claims

FORMAT = 1
SUFFIX = ".kernel"


used: set[str] = set()
"""The hashes of the kernels that this process has read or written, which a similar machine would need too."""


@dataclass(frozen=True)
class Entry:
    """One kernel in the cache."""

    path: Path
    game: str
    kernel: str
    size: int
    seconds: float


def folder() -> Path:
    """The folder of the kernels: ``ZEROSUM_CACHE_DIR``, or else zerosum's part of the platform's cache folder."""
    chosen = os.environ.get("ZEROSUM_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "zerosum" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "zerosum"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "zerosum"


def read(digest: str) -> tuple[bytes, list[str]] | None:
    """The code stored under this hash and the external symbols it needs; None if there is none, or it is damaged."""
    try:
        if _is_refused(folder()):
            return None
        path = folder() / f"{digest}{SUFFIX}"
        with open(path, "rb") as file:
            # Check the open file, not the path: a moment later the path may refer to another file.
            problem = _not_ours(os.fstat(file.fileno()))
            if problem:
                _warn_once(f"the compiled kernel {str(path)!r} is not used: {problem}; it is compiled again")
                return None
            header, code = _parsed(file.read())
    except (OSError, ValueError, RuntimeError):
        return None
    outside: list[str] = header.get("outside") or []
    if header.get("digest") != digest or header.get("checksum") != _checksum(digest, code, outside):
        return None
    used.add(digest)
    return code, outside


def write(digest: str, code: bytes, outside: list[str], game: str, kernel: str, seconds: float) -> None:
    """Store a kernel; if the folder or the disk does not allow it, warn once and continue."""
    header = {
        "format": FORMAT,
        "digest": digest,
        "game": game,
        "kernel": kernel,
        "seconds": round(seconds, 2),
        "outside": outside,
        "size": len(code),
        "checksum": _checksum(digest, code, outside),
    }
    used.add(digest)
    accept(f"{digest}{SUFFIX}", json.dumps(header).encode() + b"\n" + code)


def accept(name: str, content: bytes) -> None:
    """Store a file that was written by ``write``, perhaps on another machine, under its name."""
    temporary = None
    try:
        where = folder()
        where.mkdir(parents=True, exist_ok=True, mode=0o700)
        if _is_refused(where):
            return
        handle, temporary = tempfile.mkstemp(dir=where, suffix=".tmp")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, where / name)
    except (OSError, RuntimeError) as problem:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        _warn_once(f"compiled kernels cannot be stored in {str(folder())!r} ({problem}); every start recompiles them")


def is_usable() -> bool:
    """Whether files can be created in the folder, and would be read; ``write`` warns if they cannot."""
    try:
        where = folder()
        where.mkdir(parents=True, exist_ok=True, mode=0o700)
        if _why_not(where):
            return False
        with tempfile.TemporaryFile(dir=where):
            return True
    except (OSError, RuntimeError):
        return False


@contextlib.contextmanager
def claimed(digest: str) -> Iterator[None]:
    """Keep other processes from compiling the same kernel within the block; wait if one of them is doing so."""
    claim: contextlib.AbstractContextManager[None] = contextlib.nullcontext()
    with contextlib.suppress(OSError, RuntimeError):  # writing will report what is wrong
        where = folder()
        where.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not _why_not(where):
            claim = claims.claimed(where, digest)
    with claim:
        yield


def entries() -> list[Entry]:
    """All kernels in the cache, by game and name; damaged files are left out."""
    found = []
    for path in _files(SUFFIX):
        with contextlib.suppress(OSError, ValueError, KeyError, RuntimeError):
            header, code = _parsed(path.read_bytes())
            found.append(
                Entry(path, str(header["game"]), str(header["kernel"]), len(code), float(header.get("seconds", 0)))
            )
    return sorted(found, key=lambda entry: (entry.game, entry.kernel, entry.path.name))


def clear() -> int:
    """Delete all kernels, and the files that killed processes left behind; the number of files deleted."""
    gone = 0
    for path in [*_files(SUFFIX), *_files(".tmp"), *_files(claims.SUFFIX)]:
        try:
            path.unlink()
            gone += 1
        except FileNotFoundError:
            continue
        except OSError as problem:
            raise ZerosumError(f"cannot delete {str(path)!r}: {problem.strerror}") from problem
    return gone


def _checksum(digest: str, code: bytes, outside: Any) -> str:
    return hashlib.sha256(json.dumps([digest, outside]).encode() + code).hexdigest()


def _parsed(data: bytes) -> tuple[dict[str, Any], bytes]:
    line, _, code = data.partition(b"\n")
    header = json.loads(line)
    if not isinstance(header, dict) or header.get("format") != FORMAT or header.get("size") != len(code):
        raise ValueError("not a kernel")
    return header, code


def refusal() -> str:
    """Why kernels are neither read from the folder nor stored there; '' if they are."""
    try:
        return _why_not(folder())
    except OSError:
        return ""  # it does not exist yet


def _is_refused(where: Path) -> bool:
    """Whether others may write to the folder, with one warning if so. OSError if it does not exist."""
    why = _why_not(where)
    if why:
        _warn_once(f"{why}; every start recompiles them")
    return bool(why)


def _why_not(where: Path) -> str:
    facts = os.stat(where)
    problem = _not_ours(facts)
    if not problem:
        return ""
    cure = "choose another with ZEROSUM_CACHE_DIR"
    if facts.st_uid == os.geteuid():
        cure = f"run 'chmod go-w {shlex.quote(str(where))}'"
    return f"compiled kernels are neither read from {str(where)!r} nor stored there: {problem}; {cure}"


def _not_ours(facts: os.stat_result) -> str:
    """Why others can change the content of a file or folder, in words; '' if they cannot."""
    if not hasattr(os, "geteuid"):
        return ""
    if facts.st_uid != os.geteuid():
        return f"it belongs to user {facts.st_uid}, not to you, user {os.geteuid()}"
    if facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"others may write to it (its mode is {stat.S_IMODE(facts.st_mode):o})"
    return ""


def _files(suffix: str) -> list[Path]:
    try:
        return sorted(path for path in folder().iterdir() if path.suffix == suffix)
    except OSError:
        return []


_warned: set[str] = set()


def _warn_once(message: str) -> None:
    if message not in _warned:
        _warned.add(message)
        warnings.warn(message, CacheWarning, stacklevel=2)
