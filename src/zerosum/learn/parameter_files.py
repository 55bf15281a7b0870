"""Files of search parameters: numbers by name, and how they were made.

A JSON object with ``zerosum parameters`` (the version, 1), ``game``, ``parameters`` (name: whole number), ``made`` (the
command and the figures of the run that made them), and ``run`` (what is needed to resume that run).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zerosum.errors import LimitError, ParametersError
from zerosum.files import FileFormat, written_whole
from zerosum.search.parameters import check_parameter

FORMAT = FileFormat("zerosum parameters", 1, ParametersError)


def write_parameters(
    path: Path, game: str, parameters: Mapping[str, int], made: Mapping[str, Any], run: Mapping[str, Any]
) -> None:
    """Write parameters and how they were made."""
    content = {**FORMAT.stamp, "game": game, "made": dict(made), "parameters": dict(parameters), "run": dict(run)}
    with written_whole(path) as file:
        file.write((json.dumps(content, indent=1) + "\n").encode())


def read_parameters(path: str | Path) -> dict[str, int]:
    """Return the parameters in a file, checked: options of AlphaBeta."""
    found = read_file(Path(path))["parameters"]
    for name, value in found.items():
        try:
            check_parameter(name, value)
        except LimitError as problem:
            raise ParametersError(f"{str(path)!r}: {problem}") from problem
    return dict(found)


def read_file(path: Path) -> dict[str, Any]:
    """Return the content of a file; ``parameters``, ``made`` and ``run`` are checked to be objects."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise ParametersError(f"cannot read {str(path)!r}: {problem.strerror or problem}") from problem
    except (ValueError, RecursionError) as problem:
        raise ParametersError(f"{str(path)!r} is not a parameters file: {problem}") from problem
    FORMAT.check(content, path)
    for part in ("parameters", "made", "run"):
        if not isinstance(content.get(part), dict):
            raise ParametersError(f"{str(path)!r} is not a parameters file: it has no object {part!r}")
    found: dict[str, Any] = content
    return found
