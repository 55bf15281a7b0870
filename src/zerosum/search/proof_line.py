"""Lines that show what was proven, move by move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from zerosum.game import MAX, MIN, Game
from zerosum.running.crew import Member
from zerosum.search.memory import PV_ROW
from zerosum.search.proof_questions import Question, Standing
from zerosum.search.proof_table import DRAWN, measure_of


class KnownMove(NamedTuple):
    """A move: the numbers of the position that it leads to, and its facts, seen from one ply before."""

    move: int
    proof: int
    disproof: int
    fact: int


def known_moves(member: Member) -> list[KnownMove]:
    """What a worker knows of the root's moves after it was asked a question."""
    columns = (member.region(name, int(member.root_done)) for name in ("buffer", "proofs", "disproofs", "known"))
    return [KnownMove(*row) for row in zip(*columns, strict=True)]


def most_promising(moves: list[KnownMove], attacks: bool) -> int | None:
    """The move with the least work left for the player who chooses; None if nothing is known of any."""
    if not moves:
        return None
    least = min(moves, key=lambda one: (one.proof, -one.disproof) if attacks else (one.disproof, -one.proof))
    return least.move


Ask = Callable[[Question, Any, list[int]], list[KnownMove]]
"""Asks a question about a position, where these moves are to be chosen from, or all if there are none; what is known of
the moves then, nothing if the answer has not been found."""


def line_of(game: Game, s: Any, moves: list[int], standing: Standing, ask: Ask) -> tuple[int, ...]:
    """A line along which the value stays what it is, until the game is over or a position comes again."""
    line: list[int] = []
    seen: set[Any] = set()
    while s not in seen and len(line) < PV_ROW and (not line or not game.is_over(s)):
        seen.add(s)
        move = _keeping(game, s, moves, standing, ask)
        if move is None:
            break
        line.append(move)
        s, moves = game.play(s, move), []
    return tuple(line)


def _keeping(game: Game, s: Any, moves: list[int], standing: Standing, ask: Ask) -> int | None:
    """A move of ``s`` that keeps the value; None if none is known."""
    mover, value = game.to_move(s), standing.low
    if not game.scored and value:
        return _winning(mover, s, moves, standing, ask)
    # Each player has a way not to get less than the value.
    question = Question.at_least(value if mover == MAX else value + 1)
    proven = question.attacker == mover
    good = [one for one in ask(question, s, moves) if (one.proof if proven else one.disproof) == 0]
    return good[0].move if good else None


def _winning(mover: int, s: Any, moves: list[int], standing: Standing, ask: Ask) -> int | None:
    """The shortest way that is known, for the winner; the longest for the loser."""
    answer = standing.least if standing.low > 0 else standing.most
    assert answer is not None
    found = ask(answer.question, s, moves)
    if answer.is_proven:
        won = [one for one in found if one.proof == 0]
    else:
        won = [one for one in found if one.disproof == 0 and not one.fact & DRAWN]
    if mover == (MAX if standing.low > 0 else MIN):
        return min(won, key=lambda one: measure_of(one.fact)).move if won else None
    return max(found, key=lambda one: measure_of(one.fact)).move if found and len(won) == len(found) else None
