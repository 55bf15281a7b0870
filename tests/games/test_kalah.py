"""Tests for kalah."""

import random

import pytest
from reference import after, minimax, perft, random_states
from samples import THOROUGH

from zerosum.errors import GameError, MoveError, PositionError
from zerosum.game import MAX, MIN
from zerosum.games.kalah import kalah

game = kalah()


class SlowBoard:
    """The same rules, sowing seed by seed: places 0 … pits are South's pits and store, then North's."""

    def __init__(self, pits, seeds):
        self.pits = pits
        self.places = ([seeds] * pits + [0]) * 2
        self.turn = MAX

    def play(self, pit):
        pits, places = self.pits, self.places
        home = self.turn * (pits + 1)
        own_store, foreign_store = home + pits, (home + pits + pits + 1) % len(places)
        place = home + pit
        hand, places[place] = places[place], 0
        while hand:
            place = (place + 1) % len(places)
            if place != foreign_store:
                places[place] += 1
                hand -= 1
        opposite = 2 * pits - place
        if home <= place < own_store and places[place] == 1 and places[opposite]:
            places[own_store] += 1 + places[opposite]
            places[place] = places[opposite] = 0
        south, north = places[:pits], places[pits + 1 : -1]
        if not any(south) or not any(north):
            self.places = [0] * pits + [places[pits] + sum(south)] + [0] * pits + [places[-1] + sum(north)]
        if place != own_store:
            self.turn = 1 - self.turn

    def text(self):
        sides = self.places[: self.pits + 1], self.places[self.pits + 1 :]
        return "/".join(",".join(map(str, side)) for side in sides) + (" south", " north")[self.turn]


@pytest.mark.parametrize(
    ("before", "move", "afterwards"),
    [
        # the last seed in the player's own store: move again
        ("4,4,4,4,4,4,0/4,4,4,4,4,4,0 south", "3", "4,4,0,5,5,5,1/4,4,4,4,4,4,0 south"),
        ("4,4,4,4,4,4,0/4,4,4,4,4,4,0 north", "3", "4,4,4,4,4,4,0/4,4,0,5,5,5,1 north"),
        # past the player's own store into the opponent's pits
        ("4,4,4,4,4,4,0/4,4,4,4,4,4,0 south", "4", "4,4,4,0,5,5,1/5,4,4,4,4,4,0 north"),
        # around the board: the opponent's store gets nothing
        ("1,1,0,0,0,9,9/4,4,4,4,4,4,4 south", "6", "2,2,0,0,0,0,10/5,5,5,5,5,5,4 north"),
        ("4,4,4,4,4,4,4/1,1,0,0,0,9,9 north", "6", "5,5,5,5,5,5,4/2,2,0,0,0,0,10 south"),
        # capture after going around: the last seed and the five opposite
        ("1,0,0,0,0,9,10/4,4,4,4,4,4,4 south", "6", "2,0,0,0,0,0,17/5,5,5,5,0,5,4 north"),
        # nothing to capture: the seed stays
        ("1,0,0,0,0,5,18/6,6,6,6,0,0,0 south", "1", "0,1,0,0,0,5,18/6,6,6,6,0,0,0 north"),
        # ending in a non-empty pit of the player's own captures nothing
        ("1,1,0,0,0,4,18/6,6,6,6,0,0,0 south", "1", "0,2,0,0,0,4,18/6,6,6,6,0,0,0 north"),
        # ending in an empty pit of the opponent captures nothing
        ("4,4,4,4,4,2,2/0,4,4,4,4,4,4 south", "6", "4,4,4,4,4,0,3/1,4,4,4,4,4,4 north"),
        # thirteen seeds end in the pit that they came from, and capture
        ("0,0,13,0,0,0,11/4,4,4,4,4,4,0 south", "3", "1,1,0,1,1,1,18/5,5,5,0,5,5,0 north"),
        # the last seed into the store empties the side: North keeps its own
        ("0,0,0,0,0,1,20/3,3,3,3,3,3,9 south", "6", "0,0,0,0,0,0,21/0,0,0,0,0,0,27 south"),
        # a capture empties the opponent: South keeps its own
        ("1,0,0,0,0,3,20/0,0,0,0,2,0,22 south", "1", "0,0,0,0,0,0,26/0,0,0,0,0,0,22 north"),
    ],
)
def test_sowing(before, move, afterwards):
    assert game.format_state(after(game, move, before)) == afterwards


@pytest.mark.parametrize(("pits", "seeds"), [(6, 4), (6, 6), (1, 1), (2, 40), (3, 10), (4, 1), (7, 3)])
def test_sowing_equals_sowing_seed_by_seed(pits, seeds):
    some = kalah(pits, seeds)
    chooser = random.Random(pits * seeds)
    for _ in range(40):
        s, slow = some.initial(), SlowBoard(pits, seeds)
        while not some.is_terminal(s):
            move = chooser.choice(list(some.moves(s)))
            s = some.play(s, move)
            slow.play(move)
            assert some.format_state(s) == slow.text()


def test_seeds_are_never_lost():
    for s in random_states(game, 30):
        numbers = game.format_state(s).split()[0].replace("/", ",").split(",")
        assert sum(map(int, numbers)) == 48


def test_the_margin_is_the_utility():
    s = after(game, "6", "0,0,0,0,0,1,20/3,3,3,3,3,3,9 south")
    assert game.is_terminal(s)
    assert game.utility(s) == 21 - 27


def test_the_game_ends_only_when_a_side_is_empty():
    for s in random_states(game, 20):
        south, north = (side.split(",")[:-1] for side in game.format_state(s).split()[0].split("/"))
        empty = set(south) == {"0"}, set(north) == {"0"}
        assert game.is_terminal(s) == any(empty) == all(empty)


def test_number_of_lines_of_play():
    counts = [1, 6, 35, 185, 942, 4690, 23233, 114430]
    depth = 7 if THOROUGH else 6
    assert perft(game, depth) == counts[: depth + 1]


@pytest.mark.parametrize("size", [(1, 3), (2, 3), (3, 2)])
def test_bounds_hold_the_true_value(size):
    some = kalah(*size)
    known = {}
    minimax(some, some.initial(), known)
    for s, value in known.items():
        low, high = some.bounds(s)
        assert low <= value <= high
        assert low <= some.evaluate(s) <= high
        if some.is_terminal(s):
            assert low == value == high


def test_order_wants_another_move_and_captures():
    start = game.initial()
    assert max(game.moves(start), key=lambda move: game.order(start, move)) == 2
    s = game.parse_state("1,0,0,0,0,5,10/6,6,6,6,6,1,1 south")
    assert max(game.moves(s), key=lambda move: game.order(s, move)) == 0


def test_show():
    assert game.show(after(game, "4", None)).splitlines() == [
        "      6  5  4  3  2  1",
        "      4  4  4  4  4  5",
        "   0                    1",
        "      4  4  4  0  5  5",
        "      1  2  3  4  5  6   North to move",
    ]


def test_notation_round_trips():
    for s in random_states(game, 20):
        assert game.parse_state(game.format_state(s)) == s
        for move in game.legal_moves(s):
            assert game.parse_move(s, game.format_move(s, move)) == move
    assert game.to_move(game.parse_state("4,4,4,4,4,4,0 / 4,4,4,4,4,4,0 North")) == MIN


def test_an_empty_pit_is_no_move():
    with pytest.raises(MoveError, match="'3' is not a legal move here; legal: 6, 5, 4, 2, 1"):
        game.parse_move(after(game, "3"), "3")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it must end with the side to move: south or north"),
        ("4,4,4,4,4,4,0/4,4,4,4,4,4,0", "it must end with the side to move"),
        ("4,4,4,4,4,4,0 south", "it needs two sides"),
        ("4,4,4,4,4,0/4,4,4,4,4,4,0 south", "'4,4,4,4,4,0' has 6 numbers instead of 6 pits and a store"),
        ("4,4,4,4,4,-4,0/4,4,4,4,4,4,8 south", "'-4' is not a number of seeds"),
        ("4,4,4,4,4,4,1/4,4,4,4,4,4,0 south", "it has 49 seeds instead of 48"),
        ("0,0,0,0,0,0,24/4,4,4,4,4,4,0 south", "south has no seeds in its pits"),
    ],
)
def test_impossible_positions_are_rejected(text, reason):
    with pytest.raises(PositionError) as caught:
        game.parse_state(text)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"pits": 0}, "pits must be a whole number of at least 1, not 0"),
        ({"seeds": "4"}, "seeds must be a whole number of at least 1, not '4'"),
        ({"pits": 9, "seeds": 9}, "pits=9, seeds=9 is too big"),
    ],
)
def test_senseless_boards_are_refused(parameters, reason):
    with pytest.raises(GameError) as caught:
        kalah(**parameters)
    assert reason in str(caught.value)
