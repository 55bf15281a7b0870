"""Sizes of games from the notes and the literature, to compare with measured ones."""

from __future__ import annotations

KNOWN = {
    "chess": (
        "the notes: about 10^120 nodes in the tree; 35 moves and 80 plies make 35^80 = 10^123 (C. Shannon, 1950)",
        "positions: about 10^44 to 10^46 by later estimates",
    ),
    "checkers": (
        "the notes: about 10^40 nodes in the tree",
        "positions: 500,995,484,682,338,672,639, about 5·10^20 (J. Schaeffer and others, 2007)",
    ),
    "othello": ("positions: about 10^28, games: about 10^58 (V. Allis, 1994)",),
    "connect-four": ("positions on 7×6: 4,531,985,219,092 (S. Edelkamp and P. Kissmann, 2008)",),
    "backgammon": ("positions: about 10^20 (G. Tesauro, 1995)",),
}
"""The sizes by the name of the game, in one or more lines."""
