"""The three-move ballots: openings for matches, drawn by lot so that games between good players are not all the same.

Of the 302 ways to make three moves 216 lead to different positions, and in 174 of those nobody has lost a man already.
The American Checker Federation bars those that are thought to be lost. ``ballots.txt`` has the others, a line of moves
each: as given in pydraughts 0.6.7, which bars 17. The Federation's classic deck has 156 and so bars one more of these;
no source at hand says which, so all are in.

>>> len(ballots()), ballots()[0]
(157, '9-13 21-17 5-9')
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def path() -> Path:
    """The file of the ballots."""
    return Path(str(files("zerosum.games.checkers").joinpath("ballots.txt")))


def ballots() -> list[str]:
    """All ballots, each as three moves."""
    lines = path().read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def openings() -> dict[str, dict[str, str]]:
    """What ``zerosum match --openings ballots`` draws from."""
    return {"ballots": {f"ballot {number}": moves for number, moves in enumerate(ballots(), 1)}}
