"""Search options by what is on, so that the benchmarks stay what they are when the engine learns new techniques."""

from __future__ import annotations

import zerosum as zs
from zerosum.search.options import TECHNIQUES


def only(*techniques: str) -> zs.AlphaBeta:
    """These techniques on, every other one off.

    >>> only("table").table, only("table").pvs
    (True, False)
    """
    return zs.AlphaBeta(**{name: name in techniques for name in TECHNIQUES})
