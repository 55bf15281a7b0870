"""The topics of the lecture notes, to which the examples belong."""

from __future__ import annotations

MINIMAX = "minimax"
ALPHA_BETA = "alpha-beta pruning"
EVALUATION = "evaluation functions"
LIMITS = "resource limits"
TECHNIQUES = "search techniques"
SAMPLING = "tree sampling"
PROOF = "proof numbers"
CHANCE = "games of chance"
PROGRAMS = "search programs"
HISTORY = "history of game playing"
