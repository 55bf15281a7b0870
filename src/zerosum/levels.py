"""How strong the engine plays: levels that people choose from, at the terminal and in the browser."""

from __future__ import annotations

DEFAULT_SECONDS = 2.0

# Level: moves looked ahead, and how often it plays just any move. Level 10 has only the clock.
LEVELS: dict[int, tuple[int | None, float]] = {
    1: (1, 0.3),
    2: (2, 0.2),
    3: (3, 0.1),
    4: (4, 0.0),
    5: (5, 0.0),
    6: (6, 0.0),
    7: (8, 0.0),
    8: (10, 0.0),
    9: (12, 0.0),
    10: (None, 0.0),
}
