"""The arena: matches between players of every kind, for every game, and statistics of their results.

``zerosum.arena.match.Match`` plays a match; ``zerosum.arena.players`` makes players from their descriptions.
"""

from __future__ import annotations
