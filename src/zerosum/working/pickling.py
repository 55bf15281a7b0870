"""Sends work to workers: anything that can be pickled, and the files that games and players come from.

A built-in game is sent as its name and parameters. A game from a user's file is sent as the content of that file and of
the modules next to it that it imports, so the worker's machine does not need the file.
"""

from __future__ import annotations

import ast
import atexit
import hashlib
import io
import pickle
import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from zerosum.errors import WorkError
from zerosum.game import Game
from zerosum.games import load, load_again


class Files(NamedTuple):
    """A file and the files next to it that it needs, by name."""

    main: str
    contents: Mapping[str, bytes]

    @property
    def digest(self) -> str:
        digest = hashlib.sha256(self.main.encode())
        for name in sorted(self.contents):
            digest.update(b"\0" + name.encode() + b"\0" + self.contents[name])
        return digest.hexdigest()[:16]

    @classmethod
    def of(cls, path: Path) -> Files:
        """The file with this path and, for a Python file, the modules next to it that it imports."""
        try:
            paths = _neighbours(path, set()) if path.suffix == ".py" else {path}
            return cls(path.name, {one.name: one.read_bytes() for one in paths})
        except OSError as problem:
            raise WorkError(f"{str(path)!r} cannot be sent to workers: {problem.strerror or problem}") from problem


class SentPath(str):
    """The path of a file whose content is sent along; the receiver gets the path of a copy."""

    def __reduce__(self) -> Any:
        return _arrive, (tuple(Files.of(Path(self))),)


def path_with_content(word: str) -> str:
    """The same word; if it is the path of a file, its content is sent along."""
    return SentPath(word) if word and Path(word).is_file() else word


def pickled(thing: Any) -> bytes:
    """The object as bytes for other processes, here or on other machines, with the files of its games."""
    body = io.BytesIO()
    pickler = _Pickler(body)
    pickler.dump(thing)
    return pickle.dumps(([tuple(files) for files in pickler.files.values()], body.getvalue()))


def unpickled(data: bytes) -> Any:
    """The object that ``pickled`` encoded. Files are loaded first, because the rest may refer to their content."""
    sent, body = pickle.loads(data)
    for files in sent:
        load(_unpack(Files(*files)))
    return pickle.loads(body)


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file)
        self.files: dict[str, Files] = {}

    def reducer_override(self, thing: Any) -> Any:
        if not isinstance(thing, Game):
            return NotImplemented
        rebuild, (loader, where, changes) = thing.__reduce__()
        if loader is not load_again or not str(where[0]).endswith(".py"):
            return rebuild, (loader, where, changes)
        files = Files.of(Path(where[0]))
        self.files[files.digest] = files
        return rebuild, (_load_sent, (files.digest, *where[1:]), changes)


def _load_sent(digest: str, parameters: dict[str, Any]) -> Game:
    return load(_arrived[digest], **parameters)


def _neighbours(path: Path, found: set[Path]) -> set[Path]:
    """The file and the files next to it that it imports, directly or indirectly."""
    found.add(path)
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            beside = path.parent / f"{name}.py"
            if beside not in found and beside.is_file():
                _neighbours(beside, found)
    return found


# Received files

_arrived: dict[str, str] = {}


@cache
def _folder() -> Path:
    """The folder for files sent to this process."""
    atexit.register(clean_up)
    return Path(tempfile.mkdtemp(prefix="zerosum-carried-"))


def clean_up() -> None:
    """Remove the files sent to this process."""
    if _arrived:
        _arrived.clear()
        shutil.rmtree(_folder(), ignore_errors=True)
        _folder.cache_clear()


def _unpack(files: Files) -> str:
    """Write the files, once, and return the path of the main file."""
    digest = files.digest
    if digest not in _arrived:
        place = _folder() / digest
        try:
            place.mkdir()
            for name, content in files.contents.items():
                (place / Path(name).name).write_bytes(content)
        except OSError as problem:
            raise WorkError(
                f"{files.main!r} cannot be written to {str(place)!r}: {problem.strerror or problem}"
            ) from problem
        _arrived[digest] = str(place / Path(files.main).name)
    return _arrived[digest]


def _arrive(files: tuple[str, Mapping[str, bytes]]) -> str:
    return _unpack(Files(*files))
