"""The arena: matches between players of every kind, for every game, and what their results are worth.

A match is played by ``zerosum.arena.match.Match``; players are made from texts by ``zerosum.arena.players``.
"""

from __future__ import annotations
