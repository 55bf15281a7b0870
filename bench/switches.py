"""Search options by what is on, so that the benchmarks stay what they are when the engine learns new techniques."""

from __future__ import annotations

from dataclasses import fields

import zerosum as zs


def only(*techniques: str) -> zs.SearchOptions:
    """These techniques on, every other one off.

    >>> only("table").table, only("table").pvs
    (True, False)
    """
    switches = [field.name for field in fields(zs.SearchOptions) if field.default in (True, False, None)]
    return zs.SearchOptions(**{name: name in techniques for name in switches})
