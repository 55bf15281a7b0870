"""The backgammon roll in the notes: its four plays, and the rules behind them."""

from __future__ import annotations

from itertools import chain

import pytest

from zerosum.classroom.gallery import EXAMPLES
from zerosum.classroom.gallery import backgammon as bg


def brute_plays(s, dice):
    """All plays, by trying every sequence of checkers: a different method from the gallery's."""
    orders = [(dice[0],) * 4] if dice[0] == dice[1] else [dice, dice[::-1]]

    def moves(white, black, order):
        if not order:
            return [((), (white, black))]
        found = []
        for origin in range(25):
            if not white[origin] or (white[0] and origin):
                continue
            target = origin + order[0]
            men_behind = sum(white[:19])
            if target > 24:
                if men_behind or (target > 25 and sum(white[19:origin])):
                    continue
                target = 25
            elif black[target] > 1:
                continue
            new_white, new_black = list(white), list(black)
            new_white[origin] -= 1
            new_white[target] += 1
            if target < 25 and new_black[target]:
                new_black[target], new_black[25] = 0, new_black[25] + 1
            rest = moves(tuple(new_white), tuple(new_black), order[1:])
            found += [(((origin, target, order[0]), *steps), end) for steps, end in rest]
        return found or [((), (white, black))]

    every = list(chain.from_iterable(moves(s.white, s.black, order) for order in orders))
    most = max(len(steps) for steps, _ in every)
    longest = [(steps, end) for steps, end in every if len(steps) == most]
    if most == 1:
        highest = max(steps[0][2] for steps, _ in longest)
        longest = [(steps, end) for steps, end in longest if steps[0][2] == highest]
    return {tuple(sorted((a, b) for a, b, _ in steps)): end for steps, end in longest}


def test_the_four_plays_of_the_notes_are_legal_and_are_all():
    found = bg.plays(bg.NOTES_POSITION, (6, 5))
    assert set(found) == {
        ((5, 10), (5, 11)),
        ((5, 11), (19, 24)),
        ((5, 10), (10, 16)),
        ((5, 11), (11, 16)),
    }
    assert len(set(found.values())) == 4
    assert found == bg.plays(bg.NOTES_POSITION, (5, 6))
    peaceful = bg.plays(bg.without_blots(bg.NOTES_POSITION), (6, 5))
    assert set(peaceful) == set(found) and len(set(peaceful.values())) == 3
    report = EXAMPLES["backgammon-6-5"].make()
    assert "Every listed play is legal." in report.lines and "There are no others." in report.lines


POSITIONS = {
    "notes": bg.NOTES_POSITION,
    "start": bg.START,
    "on the bar": bg.position({0: 2, 5: 3, 12: 5, 19: 5}, {1: 2, 3: 1, 6: 5, 13: 5, 24: 2}),
    "shut out": bg.position({0: 1, 20: 14}, dict.fromkeys(range(1, 7), 2)),
    "bearing off": bg.position({19: 2, 21: 3, 23: 4, 24: 1, 25: 5}, {6: 5, 22: 1, 20: 2}),
    "the last two": bg.position({20: 1, 24: 1, 25: 13}, {1: 15}),
    "one of two": bg.position({1: 1, 24: 14}, {13: 2, 12: 2, 3: 2, 5: 2}),
}


@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.parametrize("dice", [(6, 5), (2, 1), (6, 1), (4, 3), (3, 3), (6, 6)])
def test_plays_agree_with_trying_everything(name, dice):
    s = POSITIONS[name]
    assert bg.plays(s, dice) == brute_plays(s, dice)


def test_the_larger_die_must_be_used_where_only_one_can_be():
    # From 1, a 6 leads to 7 and a 5 to 6; both together end on 12, which Black holds.
    s = bg.position({1: 1, 24: 14}, {12: 2, 13: 13})
    assert list(bg.plays(s, (6, 5))) == [((1, 7),)]


def test_nobody_moves_while_shut_out_on_the_bar():
    s = POSITIONS["shut out"]
    assert bg.plays(s, (6, 5)) == {(): s}
    assert bg.in_words(()) == "no play"
