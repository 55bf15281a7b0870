"""Slips in which the notes contradict themselves or the facts."""

from __future__ import annotations

from zerosum.classroom.gallery import topics
from zerosum.classroom.gallery.kinds import Slip
from zerosum.classroom.gallery.resources import plies

SLIPS = (
    Slip(
        "slip-cray-blitz-year",
        "Cray Blitz is dated 1983 and 1993",
        topics.HISTORY,
        "Cray Blitz 1983 in the history of search innovations, Cray Blitz (1993) under parallel hardware.",
        "1983: in that year it became world computer chess champion, and again in 1986.",
        lambda: 1993,
        lambda: 1983,
        lambda: ("none for the search; in 1993 Cray Blitz was near its end, and Deep Thought was five years old",),
    ),
    Slip(
        "slip-deep-blue-plies",
        "Deep Blue looks 12 plies ahead, or 14",
        topics.HISTORY,
        "12-ply ≈ Deep Blue under cutoff search, 14 plies everywhere else.",
        "14, by the notes' own arithmetic: 5 minutes at 200,000,000 nodes per second, and alpha-beta at its best.",
        lambda: "12 plies",
        lambda: f"{2 * round(plies(300 * 200_000_000))} plies",
        lambda: (f"two more plies cost minimax {35**2:,} times the nodes, and alpha-beta at its best 35 times",),
    ),
    Slip(
        "slip-deep-blue-years",
        "Deep Blue's years end in 1996",
        topics.HISTORY,
        "Deep Blue (1987-1996) under parallel hardware, Deep Blue 1997 in the history.",
        "its development began in 1985 to 1988 with ChipTest and Deep Thought; it won in 1997.",
        lambda: "1987 to 1996",
        lambda: "until 1997",
        lambda: ("the match that it won is left out",),
    ),
    Slip(
        "slip-space-complexity",
        "time and space are both given as O(bm)",
        topics.MINIMAX,
        "Time complexity? O(bm). Space complexity? O(bm).",
        "time O(b^m), space O(bm): the exponent was extracted as a plain letter.",
        lambda: f"35 moves and 80 plies: {35 * 80:,} nodes",
        lambda: "35 moves and 80 plies: 35^80, about 10^123 nodes",
        lambda: ("the difference between a second and never: see minimax-properties",),
    ),
)
