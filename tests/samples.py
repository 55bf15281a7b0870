"""How many random examples a test tries: a part of them in the usual run, all of them before an issue is closed."""

from __future__ import annotations

import os

THOROUGH = os.environ.get("ZEROSUM_THOROUGH", "0") not in ("", "0")
"""Whether every test tries all its examples, as in ``.ci/slow``."""

USUAL_PART = 5


def samples(everything: int, at_least: int = 1) -> int:
    """The number of examples out of ``everything``: a fifth, but ``at_least`` this many, unless the run is thorough.

    Use it where examples differ only in their seed: ``range(samples(300))``, ``max_examples=samples(200)``.
    """
    return everything if THOROUGH else min(everything, max(at_least, everything // USUAL_PART))
