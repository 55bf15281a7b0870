"""The worked examples of the lecture notes by name, and their slips.

Every example can be run, and a test compares it with the figures in the notes. ``topic`` is its subject.

>>> found = EXAMPLES["alpha-beta-chapter-6"].make()
>>> found.value, found.evaluated
(3, 7)
"""

from __future__ import annotations

from zerosum.classroom.gallery import (
    backgammon,
    chance,
    chapter_six,
    contradictions,
    cutoffs,
    definitions,
    large,
    properties,
    resources,
    slips,
    techniques,
    tictactoe,
)
from zerosum.classroom.gallery.kinds import Example, Report, Slip

_ROOMS = (
    definitions,
    chapter_six,
    cutoffs,
    large,
    properties,
    techniques,
    tictactoe,
    resources,
    chance,
    backgammon,
)

EXAMPLES: dict[str, Example] = {example.name: example for room in _ROOMS for example in room.EXAMPLES}

SLIPS: dict[str, Slip] = {**slips.SLIPS, **{slip.name: slip for slip in contradictions.SLIPS}}

__all__ = ["EXAMPLES", "SLIPS", "Example", "Report", "Slip"]
