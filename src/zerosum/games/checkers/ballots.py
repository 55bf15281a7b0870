"""The three-move ballots: openings for matches, drawn by lot so that games between good players differ.

The 302 ways to play three moves lead to 216 different positions, and in 174 of these no man has been lost yet. The
American Checker Federation bars those that are considered lost. ``ballots.txt`` has the others, one line of moves each,
as given in pydraughts 0.6.7, which bars 17. The Federation's classic deck has 156 and so bars one more; we have no
source that says which, so all are included.

>>> len(ballots()), ballots()[0]
(157, '9-13 21-17 5-9')
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def path() -> Path:
    """The path of the file of ballots."""
    return Path(str(files("zerosum.games.checkers").joinpath("ballots.txt")))


def ballots() -> list[str]:
    """All ballots, each as three moves."""
    lines = path().read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def openings() -> dict[str, dict[str, str]]:
    """The openings of ``zerosum match --openings ballots``."""
    return {"ballots": {f"ballot {number}": moves for number, moves in enumerate(ballots(), 1)}}
