"""The measured strength of the engine's levels: wins, draws and losses of each against the level below.

Level 1 played against random moves. Openings were four random plies, each played from both sides;
``python bench/levels.py`` repeats the games.
"""

from __future__ import annotations

LEVELS: dict[tuple[str, int], tuple[int, int, int]] = {
    ("connect-four", 1): (38, 0, 2),
    ("connect-four", 2): (27, 0, 13),
    ("connect-four", 3): (29, 2, 9),
    ("connect-four", 4): (28, 3, 9),
    ("connect-four", 5): (20, 7, 13),
    ("connect-four", 6): (21, 7, 12),
    ("chess", 1): (39, 1, 0),
    ("chess", 2): (31, 3, 6),
    ("chess", 3): (34, 1, 5),
    ("chess", 4): (37, 1, 2),
    ("chess", 5): (25, 7, 8),
    ("othello", 1): (38, 0, 2),
    ("othello", 2): (32, 1, 7),
    ("othello", 3): (35, 0, 5),
    ("othello", 4): (37, 0, 3),
    ("othello", 5): (28, 3, 9),
    ("checkers", 1): (39, 0, 1),
    ("checkers", 2): (28, 4, 8),
    ("checkers", 3): (32, 2, 6),
    ("checkers", 4): (34, 5, 1),
    ("checkers", 5): (16, 13, 11),
}
"""By game and level."""
