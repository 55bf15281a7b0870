"""Compiled kernels on disk, each in a file named by the hash of its content.

A file is a line of JSON, then the object code; the line holds the code's length and checksum. It is
written under a temporary name and renamed, so that no reader ever sees half a file; whatever is wrong
with a file, it counts as absent and is compiled anew. Nothing in it is executed or unpickled before its
checksum has been verified.

A checksum shows damage, not malice: whoever can write a file can work one out. So folder and files must belong to the
user and be closed to others' writing, or nothing is read from there and nothing kept, and a warning says why. Where
the system has no such owners, as on Windows, the folder of the user's profile is trusted.
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
"""The hashes of the kernels that this process has read or written: what another machine of the same kind would need."""


@dataclass(frozen=True)
class Entry:
    """One kernel in the cache."""

    path: Path
    game: str
    kernel: str
    size: int
    seconds: float


def folder() -> Path:
    """Where kernels are kept: ``ZEROSUM_CACHE_DIR``, else zerosum's part of the platform's cache folder."""
    chosen = os.environ.get("ZEROSUM_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "zerosum" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "zerosum"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "zerosum"


def read(digest: str) -> tuple[bytes, list[str]] | None:
    """The code kept under this hash and the names it expects; None if there is none, or it is damaged."""
    try:
        if _is_refused(folder()):
            return None
        path = folder() / f"{digest}{SUFFIX}"
        with open(path, "rb") as file:
            # Asked of the open file: a name may lead to another one a moment later.
            problem = _not_ours(os.fstat(file.fileno()))
            if problem:
                _warn_once(f"the compiled kernel {str(path)!r} is not run: {problem}; it is compiled anew")
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
    """Keep a kernel; if the folder or the disk does not allow it, warn once and go on."""
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
    """Keep a file of this store, which may come from another machine, under its name; as ``write`` does."""
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
        _warn_once(f"compiled kernels cannot be kept in {str(folder())!r} ({problem}); every start compiles anew")


@contextlib.contextmanager
def claimed(digest: str) -> Iterator[None]:
    """Keep other processes from making the same kernel meanwhile; wait if one of them does."""
    claim: contextlib.AbstractContextManager[None] = contextlib.nullcontext()
    with contextlib.suppress(OSError, RuntimeError):  # writing will say what is wrong
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
    """Delete all kernels, and what killed processes left behind; how many files that were."""
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
    """Why no kernels are read from the folder, nor kept there; '' if they are."""
    try:
        return _why_not(folder())
    except OSError:
        return ""  # it does not exist yet


def _is_refused(where: Path) -> bool:
    """Whether others may put files into the folder; then says so, once. OSError if it does not exist."""
    why = _why_not(where)
    if why:
        _warn_once(f"{why}; every start compiles anew")
    return bool(why)


def _why_not(where: Path) -> str:
    facts = os.stat(where)
    problem = _not_ours(facts)
    if not problem:
        return ""
    cure = "choose another with ZEROSUM_CACHE_DIR"
    if facts.st_uid == os.geteuid():
        cure = f"'chmod go-w {shlex.quote(str(where))}' closes it"
    return f"compiled kernels are neither read from {str(where)!r} nor kept there: {problem}; {cure}"


def _not_ours(facts: os.stat_result) -> str:
    """What lets others decide on the content of a file or folder, in words; '' if nothing does."""
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
