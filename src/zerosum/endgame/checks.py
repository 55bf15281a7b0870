"""The checks of the rules that the kernels of a tier make, and the messages about faults."""

from __future__ import annotations

from typing import Any

from zerosum.endgame import memory as m
from zerosum.errors import EndgameError
from zerosum.game import MAX, Game
from zerosum.jit.bits import mix
from zerosum.jit.memory import Memory
from zerosum.jit.plan import ERROR, STOP
from zerosum.jit.rules import Rules
from zerosum.solved_tiers import DRAW, LOSS, VICTORY, tier_size

IN_WORDS = {LOSS: "a loss", DRAW: "a draw", VICTORY: "a win", 0: "unknown"}

SPOT_CHECKS = 100
"""Number of positions in a tier whose successors' indices are checked too."""


def complaints(rules: Rules):
    """The function that records a fault and its place, and stops the work."""
    pack, faulty_state = rules.pack, rules.at.faulty_state

    def wrong(s, problem, place, should, found, mem):
        pack(s, mem, faulty_state)
        mem[m.PROBLEM], mem[m.PLACE], mem[m.SHOULD], mem[m.IS] = problem, place, should, found
        mem[STOP] = 1

    return wrong


def verdicts(rules: Rules):
    """The function that gives the value of a finished position for the player to move."""
    utility, to_move = rules.utility, rules.to_move

    def verdict(s, mem):
        value = utility(s, mem)
        if to_move(s, mem) != MAX:
            value = -value
        return VICTORY if value > 0 else LOSS if value < 0 else DRAW

    return verdict


def outlooks(rules: Rules):
    """The function that computes a checksum of where the moves of a position lead."""
    to_move, moves, play, is_terminal = rules.to_move, rules.moves, rules.play, rules.is_terminal
    tier_of, rank, max_moves, verdict = rules.tier, rules.rank, rules.max_moves, verdicts(rules)

    def outlook(s, at, mem):
        """A checksum of where the moves of ``s`` lead, or how it ended; equal for equivalent positions."""
        n = 0
        if not is_terminal(s, mem):
            n = moves(s, mem, at, at + max_moves)
        if n <= 0:
            return verdict(s, mem)
        mover, total = to_move(s, mem), 0
        for j in range(n):
            after = play(s, mem[at + j], mem)
            its_tier = tier_of(after, mem)
            place = rank(after, mem) if its_tier >= 0 else 0
            total += mix(mix(its_tier, place), to_move(after, mem) == mover)
        return total

    return outlook


def spot_checks(rules: Rules, outlook: Any):
    """The function that checks the index with all successors of a position, which is slow."""
    play, tier_of, rank, unrank, is_valid = rules.play, rules.tier, rules.rank, rules.unrank, rules.is_valid
    buffer, max_moves, wrong = rules.at["buffer"], rules.max_moves, complaints(rules)

    def check_successors(s, i, n, mem):
        """Check that the successors of ``s`` have the same moves as the positions that their indices stand for.

        An index that leaves something out, such as the side to move, gives two positions the same number. A check of
        unrank, which returns only one of them, cannot detect that.
        """
        for j in range(n):
            after = play(s, mem[buffer + j], mem)
            its_tier = tier_of(after, mem)
            if its_tier < 0 or its_tier > mem[m.TIER]:
                wrong(s, m.OUTSIDE if its_tier < 0 else m.LATER_TIER, i, its_tier, mem[buffer + j], mem)
                return
            place = rank(after, mem)
            size = mem[m.SIZE] if its_tier == mem[m.TIER] else tier_size(mem[m.DIRECTORY], its_tier)
            if place < 0 or place >= size:
                wrong(s, m.OUTSIDE, i, its_tier, place, mem)
                return
            twin = unrank(its_tier, place, mem)
            if not is_valid(twin, mem):
                wrong(s, m.INTO_HOLE, i, its_tier, place, mem)
                return
            if outlook(after, buffer + max_moves, mem) != outlook(twin, buffer + max_moves, mem):
                wrong(after, m.UNLIKE, i, its_tier, place, mem)
                return

    return check_successors


def complain(game: Game, memory: Memory) -> None:
    """Raise EndgameError for the problem that a kernel recorded in its memory, if there is one."""
    row = memory.row
    problem = int(row[m.PROBLEM])
    if not problem:
        return
    s = memory.faulty_state()
    tier, place, should, found = (int(row[word]) for word in (m.TIER, m.PLACE, m.SHOULD, m.IS))
    if problem == m.BAD_MOVES:
        row[ERROR] = should
        memory.raise_error()
    text = {
        m.NOT_ONE_TO_ONE: f"its index is not one-to-one: unrank({tier}, {place}) has tier {should}, rank {found}",
        m.LATER_TIER: f"a move leads from tier {tier} to the later tier {should}",
        m.OUTSIDE: f"a move leads outside all tiers: to tier {should}, {found}",
        m.INTO_HOLE: f"a move leads to tier {should}, index {found}, which is not a position",
        m.UNLIKE: "its index is not one-to-one: the position has other moves than"
        f" unrank({should}, {found}), although its tier and rank are the same",
        m.TOO_FAR: f"a win takes {should} plies, too many to store",
        m.WRONG_VALUE: f"tier {tier}, index {place} is stored as {IN_WORDS.get(found)},"
        f" but according to its moves it is {IN_WORDS.get(should)}",
        m.WRONG_DISTANCE: f"tier {tier}, index {place} is stored with {found} plies to the end,"
        f" but according to its moves it has {should}",
    }[problem]
    raise EndgameError(f"{game.name}: {text}; the position is {_in_words(game, s)!r}")


def too_far(game: Game) -> EndgameError:
    return EndgameError(f"{game.name}: a win takes more than {m.FARTHEST} plies, too many to store")


def _in_words(game: Game, s: Any) -> str:
    """The position in the game's notation; a broken index may give one that cannot be formatted."""
    try:
        return game.format_state(s)
    except Exception:
        return repr(s)
