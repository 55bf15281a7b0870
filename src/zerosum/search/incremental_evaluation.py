"""Evaluations within a search: by the game's own function, or by a network or patterns with incremental sums.

Each ply has a slot for each view in use: the features, one bit each, and the sums of their rows. A slot records which
features its sums belong to, so it is never wrong, only more or less similar to the position at hand. To evaluate a
position, its features are compared with those of its own slot (the last position evaluated at this ply) and of
the last earlier slot with the same player's view. The sums are computed from the more similar slot by adding and
subtracting the rows that differ, or from nothing if that takes fewer rows. Making and taking back moves needs no
bookkeeping, and null moves, jumps and helper threads need no special care.

A network uses both views of a position, so there are two slots per ply. Patterns use the mover's view: there is
one slot per ply, and if players alternate, the same view is two plies back. Either way that is two slots back.
"""

from __future__ import annotations

from typing import Any

from zerosum.game import MAX, Game
from zerosum.jit.bits import lowest_bit, popcount, signed
from zerosum.jit.plan import LINE, Region
from zerosum.jit.rules import Rules
from zerosum.jit.words import add_row, clipped_squares, drop_lowest, drop_row, move_row, shorts_in, shorts_of, whole
from zerosum.jit.yields import NO_FEATURE
from zerosum.networks.patterns import AnyShape, PatternShape, looking_up
from zerosum.networks.sparse import ONE, SparseShape, shape_of

RULES_USED = ("active", "phase", "adjust")
"""The rules that a kernel uses besides ``evaluate``."""

BACK = 2
"""How many slots back the last one of the same view is. The first BACK slots stay empty: sums of nothing."""


def evaluation_regions(game: Game, plies: int) -> list[Region]:
    """The regions for the sums of this many plies; none unless a network or patterns evaluate the game."""
    shape = shape_of(game)
    if shape is None:
        return []
    return [
        Region("sums", (BACK + plies * shape.views) * slot_words(shape)),
        Region("described", shape.words),  # features of the position that is being evaluated
        Region("changes", 2 * (game.max_active + 1)),  # rows to add, then rows to subtract
    ]


def slot_words(shape: AnyShape) -> int:
    """The number of words in a slot: features, then sums, which begin on a cache line."""
    return _features_words(shape) + shape.hidden // 4


def _features_words(shape: AnyShape) -> int:
    return -(-shape.words // LINE) * LINE


def make_evaluation(rules: Rules) -> Any:
    """The function ``judge(s, ply, mem)``: the evaluation of ``s``, for MAX."""
    evaluate, shape = rules.evaluate, shape_of(rules.game)
    if shape is None:
        return lambda s, ply, mem: evaluate(s, mem)
    if not rules.compiled:
        return _plainly(rules, shape)
    return _by_patterns(rules, shape) if isinstance(shape, PatternShape) else _by_network(rules, shape)


def _plainly(rules: Rules, shape: AnyShape) -> Any:
    """The same in plain Python, from nothing; GameError if ``active`` or ``phase`` break the contract."""
    evaluate, to_move, game = rules.evaluate, rules.to_move, rules.game

    def judge(s, ply, mem):
        mover = to_move(s, mem)
        game.checked_phase(s)
        for player in (mover, 1 - mover)[: shape.views]:
            game.checked_active(s, player)
        return evaluate(s, mem)

    return judge


def _by_network(rules: Rules, shape: SparseShape) -> Any:
    phase_of, to_move, adjust, fail, keep = rules.phase, rules.to_move, rules.adjust, rules.fail, _keeping(rules, shape)
    hidden, phases, second = shape.hidden, shape.phases, shape.second
    slots, slot, before_sums = rules.at["sums"], slot_words(shape), _features_words(shape)
    tables: Any = rules.tables

    def side(s, player, ply, weights, at, mem):
        """One view's share of the total; its second-layer weights begin at ``at``."""
        here = slots + (BACK + 2 * ply + player) * slot
        keep(s, player, here, weights, mem)
        return clipped_squares(shorts_in(mem, here + before_sums), 0, weights, at, hidden)

    def judge(s, ply, mem):
        t = tables(mem)
        weights, ends = shorts_of(t.network), t.network_last
        mover, phase = to_move(s, mem), phase_of(s, mem)
        if phase < 0 or phase >= phases:
            return fail(s, NO_FEATURE, mem)
        at = second + 2 * phase * hidden
        total = side(s, mover, ply, weights, at, mem) + side(s, 1 - mover, ply, weights, at + hidden, mem)
        found = (total + whole(ends[phase])) * whole(ends[phases]) // ONE
        return adjust(s, found if mover == MAX else -found, mem)

    return judge


def _by_patterns(rules: Rules, shape: PatternShape) -> Any:
    phase_of, to_move, adjust, fail, keep = rules.phase, rules.to_move, rules.adjust, rules.fail, _keeping(rules, shape)
    slots, slot, before_sums = rules.at["sums"], slot_words(shape), _features_words(shape)
    tables: Any = rules.tables
    phases, value = shape.phases, looking_up(shape)

    def judge(s, ply, mem):
        t = tables(mem)
        weights, here = shorts_of(t.network), slots + (BACK + ply) * slot
        mover, phase = to_move(s, mem), phase_of(s, mem)
        if phase < 0 or phase >= phases:
            return fail(s, NO_FEATURE, mem)
        keep(s, mover, here, weights, mem)
        found = value(shorts_in(mem, here + before_sums), weights, t.network_last, phase)
        return adjust(s, found if mover == MAX else -found, mem)

    return judge


def _keeping(rules: Rules, shape: AnyShape) -> Any:
    """The function ``keep(s, player, here, weights, mem)``: it makes slot ``here`` the player's view of ``s``."""
    active, fail = rules.active, rules.fail
    features, hidden, words, most = shape.features, shape.hidden, shape.words, rules.game.max_active + 1
    slots, described, added = rules.at["sums"], rules.at["described"], rules.at["changes"]
    removed = added + most
    slot, before_sums = slot_words(shape), _features_words(shape)
    nothing = slots
    constant = signed(1 << (features & 63))  # the feature that every position has: see SparseShape

    def nearest(here, mem):
        """The slot with the most similar features: this, the last of the same view, or the empty one; -1 on error."""
        there = here - BACK * slot
        from_here, from_there, from_nothing = 0, 0, 0
        for i in range(words):
            word = mem[described + i]
            from_here += popcount(word ^ mem[here + i])
            from_there += popcount(word ^ mem[there + i])
            from_nothing += popcount(word)
        if from_nothing > most:
            return whole(-1)
        if from_nothing < from_here and from_nothing < from_there:
            return whole(nothing)
        return here if from_here <= from_there else there

    def update(here, base, weights, mem):
        """Compute the slot ``here`` for the described features from the slot at ``base``."""
        plus, minus = 0, 0
        for i in range(words):
            word, old = mem[described + i], mem[base + i]
            mem[here + i] = word
            changed = word & ~old
            while changed:
                mem[added + plus] = (64 * i + lowest_bit(changed)) * hidden
                plus += 1
                changed = drop_lowest(changed)
            changed = old & ~word
            while changed:
                mem[removed + minus] = (64 * i + lowest_bit(changed)) * hidden
                minus += 1
                changed = drop_lowest(changed)
        sums, known = shorts_in(mem, here + before_sums), shorts_in(mem, base + before_sums)
        if plus == 0 and minus == 0:
            if here != base:
                move_row(sums, 0, known, 0, weights, 0, 0, hidden)
            return
        both = min(plus, minus)
        for i in range(both):
            move_row(sums, 0, known, 0, weights, mem[added + i], mem[removed + i], hidden)
            known = sums
        for i in range(both, plus):
            add_row(sums, 0, known, 0, weights, mem[added + i], hidden)
            known = sums
        for i in range(both, minus):
            drop_row(sums, 0, known, 0, weights, mem[removed + i], hidden)
            known = sums

    def keep(s, player, here, weights, mem):
        for i in range(words):
            mem[described + i] = 0
        mem[described + words - 1] = constant
        if active(s, player, mem, described, features) < 0:
            return fail(s, NO_FEATURE, mem)
        base = nearest(here, mem)
        if base < 0:
            return fail(s, NO_FEATURE, mem)
        update(here, base, weights, mem)
        return whole(0)

    return keep
