"""Openings that people know by name, to begin a game with.

>>> openings("chess")[0]
('Ruy Lopez', 'e4 e5 Nf3 Nc6 Bb5')
>>> openings("tictactoe")
[]
"""

from __future__ import annotations

CHESS = {
    "Ruy Lopez": "e4 e5 Nf3 Nc6 Bb5",
    "Italian Game": "e4 e5 Nf3 Nc6 Bc4",
    "King's Gambit": "e4 e5 f4",
    "Sicilian Defence": "e4 c5",
    "Sicilian, Najdorf": "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6",
    "French Defence": "e4 e6 d4 d5",
    "Caro-Kann Defence": "e4 c6 d4 d5",
    "Queen's Gambit": "d4 d5 c4",
    "Slav Defence": "d4 d5 c4 c6",
    "Nimzo-Indian Defence": "d4 Nf6 c4 e6 Nc3 Bb4",
    "King's Indian Defence": "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6",
    "Grünfeld Defence": "d4 Nf6 c4 g6 Nc3 d5",
    "English Opening": "c4",
}


def openings(game: str) -> list[tuple[str, str]]:
    """(name, moves) of each opening that this game has; draughts has its three-move ballots."""
    if game == "chess":
        return list(CHESS.items())
    if game == "checkers":
        from zerosum.games.checkers.ballots import ballots

        return [(f"ballot {number}", moves) for number, moves in enumerate(ballots(), 1)]
    return []
