"""Search options listed by what is on, so that new techniques in the engine do not change the benchmarks."""

from __future__ import annotations

import zerosum as zs
from zerosum.search.options import TECHNIQUES


def only(*techniques: str) -> zs.AlphaBeta:
    """Return options with these techniques on and all others off.

    >>> only("table").table, only("table").pvs
    (True, False)
    """
    return zs.AlphaBeta(**{name: name in techniques for name in TECHNIQUES})
