"""Kernels that come with the package: LLVM's language, compressed, each in a file named by the hash of its content.

They are made when a wheel is built (``zerosum.shipping``), and are what Numba takes its time for: what is left to do at
the first start is to optimise for the processor at hand. The hash holds everything but that processor. A file whose
name nobody asks for is never opened; a damaged one counts as absent.
"""

from __future__ import annotations

import lzma
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "kernels"
SUFFIX = ".ll.xz"


def read(source: str) -> str | None:
    """The module kept under this hash; None if there is none, or it is damaged."""
    try:
        name, _, text = lzma.decompress((FOLDER / f"{source}{SUFFIX}").read_bytes()).decode().partition("\n")
    except (OSError, ValueError, lzma.LZMAError, EOFError):
        return None
    return text if name == f"; {source}" else None


def write(folder: Path, source: str, text: str) -> int:
    """Keep a module in a folder that a wheel is made of; how many bytes it takes there."""
    packed = lzma.compress(f"; {source}\n{text}".encode(), preset=9)
    (folder / f"{source}{SUFFIX}").write_bytes(packed)
    return len(packed)
