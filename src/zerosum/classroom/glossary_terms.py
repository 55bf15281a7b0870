"""All terms of the notes and of the documentation. The output of each command contains a name of its term (a test)."""

from __future__ import annotations

from zerosum.classroom.glossary_entry import Term
from zerosum.classroom.glossary_games import OF_GAMES, OF_LIMITS, OF_MINIMAX
from zerosum.classroom.glossary_programs import OF_PROGRAMS
from zerosum.classroom.glossary_search import OF_ALPHA_BETA, OF_CHANCE, OF_TECHNIQUES

TERMS: tuple[Term, ...] = (
    *OF_GAMES,
    *OF_MINIMAX,
    *OF_LIMITS,
    *OF_ALPHA_BETA,
    *OF_TECHNIQUES,
    *OF_CHANCE,
    *OF_PROGRAMS,
)
