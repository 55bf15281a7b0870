"""The rules of English draughts."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from checkers_agreement import GAME, compare, random_game, random_placement
from samples import samples

import zerosum as zs
from zerosum.game import MAX, MIN, Line
from zerosum.games.checkers import MOST_MOVES, checkers
from zerosum.games.checkers.position import BOARD, SHIFTS, START, Position, bit_of, board_of, squares_of

PERFT = [7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680]


def at(fen):
    return GAME.parse_state(fen)


def written(fen):
    s = at(fen)
    return sorted(GAME.format_move(s, move) for move in GAME.moves(s))


def turned(s):
    """The same position with colours swapped."""
    boards = [sum(1 << 34 - bit for bit in range(35) if board >> bit & 1) for board in s[:3]]
    return Position(boards[1], boards[0], boards[2], 1 - s.turn, s.clock)


def random_positions(number, seed=3):
    dice = random.Random(seed)
    return [*random_game(dice), *(random_placement(dice) for _ in range(number))]


def test_number_of_lines_of_play():
    """Published counts; different ways to jump are different moves."""
    assert [zs.perft(GAME, START, depth) for depth in range(1, 10)] == PERFT


def test_plain_python_counts_the_same():
    def count(s, depth):
        return 1 if depth == 0 else sum(count(GAME.play(s, move), depth - 1) for move in GAME.moves(s))

    assert [count(START, depth) for depth in range(1, 6)] == PERFT[:5]


def test_agreement_with_pydraughts():
    pytest.importorskip("draughts", reason="pydraughts is not installed")
    count = samples(300)
    assert compare(count) >= count


@pytest.mark.slow
def test_compiled_rules_say_the_same():
    for s in random_positions(100):
        assert list(GAME.compiled.moves(s)) == list(GAME.moves(s))
        for move in GAME.moves(s):
            assert GAME.compiled.play(s, move) == GAME.play(s, move)
    assert GAME.compiled.key(START) == GAME.key(START)


def test_black_is_max_and_moves_first():
    assert GAME.to_move(START) == MAX
    line = Line.parse(GAME, "11-15")
    assert GAME.to_move(line.state) == MIN
    assert squares_of(START.black) == list(range(1, 13)) and squares_of(START.white) == list(range(21, 33))


def test_men_step_forwards_and_kings_both_ways():
    assert written("B:W32:B14") == ["14-17", "14-18"]
    assert written("W:W14:B1") == ["14-10", "14-9"]
    assert written("B:W32:BK14") == ["14-10", "14-17", "14-18", "14-9"]
    assert written("B:W32:B5") == ["5-9"]  # at the side


def test_who_can_jump_must():
    assert written("B:W18,32:B3,14") == ["14x23"]
    assert written("W:W18,32:B3,14") == ["18x9"]


def test_men_do_not_jump_backwards_and_kings_do():
    assert written("B:W9,32:B14") == ["14-17", "14-18"]
    assert written("B:W9,32:BK14") == ["14x5"]


def test_jumps_go_on_as_one_move():
    s = at("W:W22,K30:B1,10,18")
    (move,) = GAME.moves(s)
    after = GAME.play(s, move)
    assert squares_of(after.white) == [6, 30] and squares_of(after.black) == [1]
    assert GAME.to_move(after) == MAX


def test_a_jump_may_not_stop_half_way():
    s = at("B:W18,26:B15")
    assert written("B:W18,26:B15") == ["15x31"]
    after = GAME.play(s, GAME.parse_move(s, "15x22x31"))
    assert after.white == 0 and after.kings == after.black == board_of([31])


def test_crowning_ends_the_move():
    # As a king it could continue over 27.
    s = at("B:W26,27:B22")
    assert written("B:W26,27:B22") == ["22x31"]
    after = GAME.play(s, GAME.parse_move(s, "22x31"))
    assert squares_of(after.white) == [27] and squares_of(after.kings) == [31]


def test_a_king_may_jump_in_a_circle_and_end_where_it_began():
    s = at("B:W14,15,22,23:BK10")
    assert written("B:W14,15,22,23:BK10") == ["10x17x26x19x10", "10x19x26x17x10"]
    one, other = (GAME.play(s, move) for move in GAME.moves(s))
    assert one == other  # two moves, one result
    assert squares_of(one.black) == [10] and one.white == 0 and squares_of(one.kings) == [10]


def test_a_piece_is_not_jumped_twice():
    # From 17 it would have to capture 14 again.
    assert written("B:W14,32:BK10") == ["10x17"]


def test_different_ways_are_different_moves_and_told_apart():
    s = at("B:W14,15,22,23:B10")
    assert written("B:W14,15,22,23:B10") == ["10x17x26", "10x19x26"]
    with pytest.raises(zs.ZerosumError, match="'10x26' is not a legal move here; legal: 10x17x26, 10x19x26"):
        GAME.parse_move(s, "10x26")


def test_who_cannot_move_has_lost():
    blocked = at("B:W9,14:B5")
    assert list(GAME.moves(blocked)) == [] and GAME.is_over(blocked) and GAME.utility(blocked) == -1
    bare = at("W:W:BK1")
    assert GAME.is_over(bare) and GAME.utility(bare) == 1


def test_forty_moves_without_progress_are_a_draw():
    s = at("B:WK32:BK1:H79")
    assert not GAME.is_over(s)
    s = GAME.play(s, next(GAME.moves(s)))
    assert s.clock == 80 and GAME.is_over(s) and GAME.utility(s) == 0
    assert not checkers(draws=0).is_over(s) and not checkers(draws=50).is_over(s)


def test_who_cannot_move_has_lost_even_on_the_last_move():
    s = at("B:W9,14:B5:H80")
    assert not GAME.is_terminal(s) and GAME.is_over(s) and GAME.utility(s) == -1


def test_men_and_jumps_set_the_clock_back():
    s = at("B:WK32,10:BK1,12:H30")
    clocks = {GAME.format_move(s, move): GAME.play(s, move).clock for move in GAME.moves(s)}
    assert clocks == {"1-5": 31, "1-6": 31, "12-16": 0}
    jump = at("B:WK6:BK1:H30")
    assert [GAME.play(jump, move).clock for move in GAME.moves(jump)] == [0]


def test_the_third_time_is_a_draw_whatever_the_clock_says():
    assert GAME.repetition == 3 and checkers(draws=0).repetition == 0
    line = Line.parse(GAME, "1-5 32-27 5-1 27-32", at("B:WK32:BK1"))
    assert GAME.key(line.state) == GAME.key(line.start) and line.state != line.start


def test_keys_tell_positions_apart_but_for_the_clock():
    keys = {}
    for s in random_positions(500):
        assert keys.setdefault(GAME.key(s), s[:4]) == s[:4]
    a, b = at("B:WK32:BK1"), at("B:WK32:BK1:H9")
    assert GAME.key(a) == GAME.key(b) != GAME.key(at("W:WK32:BK1"))


def test_colours_are_alike():
    for s in random_positions(200):
        mirror = turned(s)
        assert len(list(GAME.moves(s))) == len(list(GAME.moves(mirror)))
        assert GAME.evaluate(mirror) == -GAME.evaluate(s)


def test_reversible_moves_are_steps_of_kings():
    s = at("B:WK32,10:BK1,12")
    assert {GAME.format_move(s, m): bool(GAME.reversible(s, m)) for m in GAME.moves(s)} == {
        "1-5": True,
        "1-6": True,
        "12-16": False,
    }
    jump = at("B:WK6:BK1")
    assert not any(GAME.reversible(jump, m) for m in GAME.moves(jump))


def test_forced_and_noisy_mean_jumps():
    for s in random_positions(200):
        jumps = [move for move in GAME.moves(s) if GAME.order(s, move) > 0]
        assert list(GAME.noisy_moves(s)) == jumps
        assert bool(GAME.is_forced(s)) == bool(jumps)


def test_no_position_has_more_moves_than_promised():
    """A king's jumps are a walk on a graph that repeats no edge. Twelve pieces with the most walks each are within
    ``max_moves``, as are twelve kings with four steps each."""
    most = 0
    seen = set()
    for start in range(1, 33):
        if bit_of(start) in seen:
            continue
        # The squares that a king can reach by jumping from here, and the jumps between them.
        places, edges = {bit_of(start)}, set()
        frontier = [bit_of(start)]
        while frontier:
            place = frontier.pop()
            for shift in SHIFTS:
                over, to = place + shift, place + 2 * shift
                if over >= 0 and to >= 0 and BOARD >> over & 1 and BOARD >> to & 1:
                    edges.add((over, frozenset((place, to))))
                    if to not in places:
                        places.add(to)
                        frontier.append(to)
        seen |= places
        assert len(edges) <= 9  # so no move captures more than nine pieces
        for size in range(1, len(edges) + 1):
            for prey in combinations(sorted(edges, key=lambda edge: edge[0]), size):
                most = max(most, *(_walks(place, frozenset(prey)) for place in places))
    assert 12 * max(most, 4) <= MOST_MOVES


def _walks(place, edges):
    """The number of ways to walk until no edge is left."""
    ways = 0
    for edge in edges:
        if place in edge[1]:
            (to,) = edge[1] - {place}
            ways += _walks(to, edges - {edge})
    return ways or 1
