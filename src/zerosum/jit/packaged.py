"""Kernels that come with the package: compressed LLVM IR, each in a file named by the hash of its content.

They are made when a wheel is built (``zerosum.shipping``), which does all of Numba's slow work. The first start only
has to optimise them for the processor at hand. The hash covers everything but that processor. A file that no kernel
matches is never opened; a damaged one counts as absent.
"""

from __future__ import annotations

import lzma
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "kernels"
SUFFIX = ".ll.xz"


def read(source: str) -> str | None:
    """The module stored under this hash; None if there is none, or it is damaged."""
    try:
        name, _, text = lzma.decompress((FOLDER / f"{source}{SUFFIX}").read_bytes()).decode().partition("\n")
    except (OSError, ValueError, lzma.LZMAError, EOFError):
        return None
    return text if name == f"; {source}" else None


def write(folder: Path, source: str, text: str) -> int:
    """Store a module in the folder that a wheel is built from; its size in bytes."""
    packed = lzma.compress(f"; {source}\n{text}".encode(), preset=9)
    (folder / f"{source}{SUFFIX}").write_bytes(packed)
    return len(packed)
