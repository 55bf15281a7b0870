"""The lecture notes' worked examples, each by a name, and their slips.

Every example runs, and its test compares it with the figures in the notes. ``topic`` says what it is about.

>>> found = EXAMPLES["alpha-beta-chapter-6"].make()
>>> found.value, found.evaluated
(3, 7)
"""

from __future__ import annotations

from zerosum.classroom.gallery import (
    backgammon,
    chance,
    chapter_six,
    cutoffs,
    large,
    noughts,
    properties,
    resources,
    techniques,
)
from zerosum.classroom.gallery.kinds import Example, Report, Slip
from zerosum.classroom.gallery.slips import SLIPS

EXAMPLES: dict[str, Example] = {
    example.name: example
    for room in (chapter_six, cutoffs, large, properties, techniques, noughts, resources, chance, backgammon)
    for example in room.EXAMPLES
}

__all__ = ["EXAMPLES", "SLIPS", "Example", "Report", "Slip"]
