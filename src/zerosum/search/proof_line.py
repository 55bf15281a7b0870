"""Lines that demonstrate a proven value, move by move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from zerosum.game import MAX, MIN, Game
from zerosum.running.crew import Member
from zerosum.search.memory import PV_ROW
from zerosum.search.proof_questions import Answer, KnownMove, Question, Standing
from zerosum.search.proof_table import DRAWN, measure_of


def known_moves(member: Member) -> tuple[KnownMove, ...]:
    """What a worker knows about the root's moves after a question."""
    columns = (member.region(name, int(member.root_done)) for name in ("buffer", "proofs", "disproofs", "known"))
    return tuple(KnownMove(*row) for row in zip(*columns, strict=True))


def most_promising(moves: Sequence[KnownMove], attacks: bool) -> int | None:
    """The move with the least work left for the player to move; None if nothing is known about any."""
    if not moves:
        return None
    least = min(moves, key=lambda one: (one.proof, -one.disproof) if attacks else (one.disproof, -one.proof))
    return least.move


Ask = Callable[[Question, Any, list[int], int], Answer | None]
"""Asks a question about a position at a number of plies from the root. The moves are those to choose from; an empty
list means all. Returns None if the answer is not found."""


def line_of(game: Game, s: Any, moves: list[int], standing: Standing, ask: Ask) -> tuple[int, ...]:
    """A line that keeps the value, until the game is over or a position would be repeated."""
    line: list[int] = []
    seen: set[Any] = set()
    while len(line) < PV_ROW and (not line or not game.is_over(s)):
        seen.add(game.identity(s))
        good = _keeping(game, s, moves, standing, ask, len(line))
        onward = [move for move in good if game.identity(game.play(s, move)) not in seen]
        if not onward:
            return tuple(line or good[:1])
        line.append(onward[0])
        s, moves = game.play(s, onward[0]), []
    return tuple(line)


def _keeping(game: Game, s: Any, moves: list[int], standing: Standing, ask: Ask, ply: int) -> list[int]:
    """The known moves of ``s`` that keep the value, best first."""
    mover, value = game.to_move(s), standing.low
    decided = not game.scored and value != 0
    answer = standing.decision if decided else None
    if answer is None:
        answer = standing.least if mover == MAX else standing.most
    # Each player can secure the value. At the root, the answer that shows how is already known.
    question = Question.at_least(value if mover == MAX else value + 1)
    expected = question.attacker == mover
    if decided and answer is not None:
        question, expected = answer.question, answer.is_proven
    if ply > 0 or answer is None:
        answer = ask(question, s, moves, ply)
        if answer is None or answer.is_proven != expected:
            return []  # if the root must not be repeated, later positions cannot be solved on their own
    if answer.is_proven:
        good = [one for one in answer.moves if one.proof == 0]
    else:
        good = [one for one in answer.moves if one.disproof == 0 and not (decided and one.fact & DRAWN)]
    is_loser = decided and mover == (MIN if value > 0 else MAX)
    if is_loser and len(good) < len(answer.moves):
        return []
    # The winner takes the shortest known win, the loser the longest known loss; in scored games, the largest margin.
    good.sort(key=lambda one: measure_of(one.fact), reverse=is_loser or game.scored)
    if game.scored and good:
        # The question about the root may ask for less than its value: drop moves that only secure that much.
        good = [one for one in good if measure_of(one.fact) == measure_of(good[0].fact) or ply > 0]
    return [one.move for one in good]
