"""The worked examples of the notes, each compared with the figures in the notes, which are repeated here."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import inf
from pathlib import Path

import pytest

from zerosum.classroom.events import Kind
from zerosum.classroom.gallery import EXAMPLES, SLIPS, Report, topics
from zerosum.classroom.gallery.chance import linear, meaning_tree, points, squashed, two_dice, without_dice
from zerosum.classroom.gallery.chapter_six import best_order_tree, chapter_tree, chosen_name
from zerosum.classroom.gallery.cutoffs import alpha_tree, beta_tree, trivial_tree, walk_through_steps
from zerosum.classroom.gallery.programs import chapter_program
from zerosum.classroom.gallery.tictactoe import (
    BOARDS,
    LATE_POSITION,
    all_games,
    first_replies,
    game_end,
    horizon_tree,
    late_tree,
    open_lines,
    open_lines_by_filling,
    program_move,
)
from zerosum.classroom.tracing import trace
from zerosum.classroom.tree import Tree
from zerosum.game import MAX, MIN, WIN
from zerosum.games.tictactoe import has_line, tictactoe

TOPICS = {topic for name, topic in vars(topics).items() if name.isupper()}


def make(name):
    return EXAMPLES[name].make()


def left_with(found, name):
    """The last value that the node with this name was left with."""
    path = found.tree.find(name)
    return [event.value for event in found.events if event.kind is Kind.LEAVE and event.path == path][-1]


def looked_at(found):
    return [event.value for event in found.events if event.kind is Kind.EVALUATE]


def pruned_values(found):
    return [found.tree.at(path).value for path in found.pruned]


def cutoffs(found):
    return [
        (event.kind, found.tree.at(event.path).name)
        for event in found.events
        if event.kind in (Kind.ALPHA_CUTOFF, Kind.BETA_CUTOFF)
    ]


# The tree 3-12-8 / 2-4-6 / 14-5-2


def test_minimax_gives_3():
    found = make("minimax-chapter-6")
    assert found.value == max(min(3, 12, 8), min(2, 4, 6), min(14, 5, 2)) == 3
    assert looked_at(found) == [3, 12, 8, 2, 4, 6, 14, 5, 2]
    assert [left_with(found, name) for name in "BCD"] == [3, 2, 2]
    assert chosen_name(found) == "B" and found.pruned == ()


def test_proof_numbers_of_the_chapter_s_tree():
    found = make("proof-chapter-6")
    assert (found.value, found.line) == (3, (0, 0))
    sentences = found.words()
    assert sentences[2] == "A has proof number 1, disproof number 3."
    assert "Ask whether the value is more than 3." in sentences
    assert sentences[-2:] == ["A is proven to be worth 3.", "Choose B: it is worth 3."]


def test_alpha_beta_prunes_the_last_two_leaves_of_c_and_nothing_else():
    found = make("alpha-beta-chapter-6")
    assert found.value == 3 and chosen_name(found) == "B"
    assert looked_at(found) == [3, 12, 8, 2, 14, 5, 2]
    assert pruned_values(found) == [4, 6]
    assert {found.tree.at(path[:-1]).name for path in found.pruned} == {"C"}


def test_alpha_beta_goes_through_the_steps_a_to_f():
    found = make("alpha-beta-chapter-6")
    # For each node, its windows in turn; (a) to (f) are the steps in the notes.
    windows = {name: [] for name in "ABCD"}
    for event in found.events:
        for frame in event.frames:
            node = found.tree.at(frame.path)
            if node.name and windows[node.name][-1:] != [(frame.alpha, frame.beta)]:
                windows[node.name].append((frame.alpha, frame.beta))
    assert windows["B"] == [(-inf, inf), (-inf, 3)]  # (a), and (b), (c): 12 and 8 leave beta at 3
    assert windows["A"] == [(-inf, inf), (3, inf)]  # after (c): alpha 3, and C and D leave it there
    assert windows["C"][0] == (3, inf)  # (d)
    assert windows["D"][:3] == [(3, inf), (3, 14), (3, 5)]  # (e), (f)
    assert [left_with(found, name) for name in "BCDA"] == [3, 2, 2, 3]


def test_alpha_beta_steps_in_the_order_of_the_notes():
    found = make("alpha-beta-chapter-6")
    lines = []
    for event in found.events:
        name = found.tree.at(event.path).name
        if event.kind is Kind.EVALUATE:
            lines.append(f"{found.tree.at(event.path[:-1]).name}: {event.value}")
        elif event.kind is Kind.LOWER_BETA and event.value > event.frame.alpha:
            lines.append(f"beta of {name} {event.value}")
        elif event.kind is Kind.RAISE_ALPHA:
            lines.append(f"alpha of {name} {event.value}")
        elif event.kind is Kind.PRUNE:
            lines.append(f"prune below {name}")
        elif event.kind is Kind.LEAVE and name:
            lines.append(f"{name} returns {event.value}")
    assert lines == [
        *("B: 3", "beta of B 3"),  # (a)
        "B: 12",  # (b)
        *("B: 8", "B returns 3", "alpha of A 3"),  # (c)
        *("C: 2", "prune below C", "prune below C", "C returns 2"),  # (d)
        *("D: 14", "beta of D 14"),  # (e)
        *("D: 5", "beta of D 5"),  # (f)
        *("D: 2", "D returns 2", "A returns 3"),
    ]


def test_the_formula_of_the_notes_does_not_depend_on_x_and_y():
    for x, y in product((-100, 0, 2, 3, 100), repeat=2):
        found = trace("alphabeta", Tree.from_lists([[3, 12, 8], [2, x, y], [14, 5, 2]]))
        assert found.value == 3 and len(looked_at(found)) == 7


def test_the_state_space_program_returns_the_value_and_the_move():
    value, move = make("state-space-value"), make("state-space-move")
    assert value.value == 3 and chosen_name(move) == "B"
    assert [child.value for child in value.tree.at(value.tree.find("C")).children] == [2, 4, 1]
    assert looked_at(value) == [3, 12, 8, 2, 14, 5, 2]


def test_no_order_looks_at_fewer_leaves_than_the_best():
    found = make("alpha-beta-best-order")
    assert found.value == 3 and found.evaluated == 5
    # All orders of all children: 6 at the root and 6 at each of its three children.
    orders = product(permutations("BCD"), permutations((3, 12, 8)), permutations((2, 4, 6)), permutations((14, 5, 2)))
    counts = [len(chapter_program(dict(zip("ABCD", order, strict=True))).looked) for order in orders]
    assert len(counts) == 6**4 and (min(counts), max(counts)) == (5, 9)
    assert trace("minimax", best_order_tree()).value == trace("minimax", chapter_tree()).value


# The trivial game, preliminary values, cut-offs


def test_in_the_trivial_game_you_go_left_for_3_and_50_stays_a_wish():
    found = make("trivial-game")
    assert chosen_name(found) == "left" and found.value == 3
    assert (left_with(found, "left"), left_with(found, "right")) == (3, -8)
    assert 50 in looked_at(found)


@pytest.mark.parametrize("fourth", [3, 4, 8, 49, 50, 1000])
def test_the_lost_leaf_of_the_trivial_game_does_not_matter(fourth):
    for left in permutations((3, fourth)):
        for right in permutations((-8, 50)):
            assert trace("minimax", trivial_tree(left, right)).value == 3
        # 50 may also have been on the left.
        assert trace("minimax", trivial_tree((3, 50), (-8, fourth))).line[0] == 0


def test_the_walk_through_of_preliminary_values():
    found = make("pbv-walk-through")
    assert looked_at(found) == [8, 5, 2, 9, -3]
    assert walk_through_steps(found)[:12] == [
        *("explore 8", "bring up 8"),
        *("explore 5", "ignore 5"),
        "bring up 8",
        *("explore 2", "bring up 2"),
        *("explore 9", "bring up 9, replacing 2"),
        "ignore 9",
        *("explore -3", "bring up -3"),
    ]


def test_an_alpha_cutoff_is_below_a_min_node_and_a_beta_cutoff_below_a_max_node():
    alpha, beta = make("alpha-cutoff"), make("beta-cutoff")
    assert cutoffs(alpha) == [(Kind.ALPHA_CUTOFF, "B")] and cutoffs(beta) == [(Kind.BETA_CUTOFF, "B")]
    assert alpha.tree.at((1,)).kind == MIN and beta.tree.at((1,)).kind == MAX
    assert looked_at(alpha) == [8, 1] and looked_at(beta) == [-8, -1]
    assert alpha.value == 8 and beta.value == -8
    assert alpha.pruned == beta.pruned == ((1, 1), (1, 2))


@pytest.mark.parametrize("others", [(0, 0), (7, 12), (-50, 50), (8, 8)])
def test_your_opponents_alpha_cutoff_is_your_beta_cutoff_whatever_is_cut_off(others):
    alpha, beta = trace("alphabeta", alpha_tree(others)), trace("alphabeta", beta_tree(others))
    assert alpha.value == -beta.value == 8
    assert alpha.pruned == beta.pruned == ((1, 1), (1, 2))


# Tic-tac-toe


def reachable():
    found, waiting = set(), [tictactoe.initial()]
    while waiting:
        s = waiting.pop()
        if s not in found:
            found.add(s)
            waiting += [tictactoe.play(s, move) for move in tictactoe.legal_moves(s)]
    return found


EVERY_BOARD = reachable()


def test_open_lines():
    found = make("tic-tac-toe-open-lines")
    assert found.figures == {"8-8": (8, 8), "6-4": (6, 4), "3-3": (3, 3)}
    for board, value in (("8-8", 0), ("6-4", 2), ("3-3", 0)):
        assert tictactoe.evaluate(tictactoe.parse_state(BOARDS[board])) == value
    assert [line for line in found.lines if "=" in line] == ["8 - 8 = 0", "6 - 4 = 2", "3 - 3 = 0"]


def test_what_is_said_of_the_lost_boards():
    by_figure = {figure: [s for s in EVERY_BOARD if open_lines(s) == figure] for figure in ((8, 8), (6, 4), (3, 3))}
    marks = {figure: [bin(s.x | s.o).count("1") for s in boards] for figure, boards in by_figure.items()}
    assert by_figure[8, 8] == [tictactoe.initial()]
    smallest = [s for s in by_figure[6, 4] if bin(s.x | s.o).count("1") == 2]
    assert min(marks[6, 4]) == 2 and len(smallest) == 4 and all(s.x == 1 << 4 for s in smallest)
    assert {s.o for s in smallest} == {1 << 1, 1 << 3, 1 << 5, 1 << 7}
    assert min(marks[3, 3]) == 4
    different = {tictactoe.canonical(s) for s in by_figure[3, 3] if bin(s.x | s.o).count("1") == 4}
    assert len(different) == 27
    assert tictactoe.canonical(tictactoe.parse_state(BOARDS["3-3"])) in different


def test_both_definitions_of_an_open_line_are_the_same():
    for s in EVERY_BOARD:
        assert open_lines(s) == open_lines_by_filling(s)
        assert tictactoe.evaluate(s) == open_lines(s)[0] - open_lines(s)[1]


def test_horizon_1_takes_the_centre():
    found = make("tic-tac-toe-horizon-1")
    assert found.value == 4 and chosen_name(found) == "centre"
    assert {node.name: node.value for _, node in found.tree.nodes() if node.name != "start"} == {
        "corner": 8 - 5,
        "edge": 8 - 6,
        "centre": 8 - 4,
    }


def test_horizon_2_takes_the_centre():
    found = make("tic-tac-toe-horizon-2")
    assert found.value == 1 and chosen_name(found) == "centre"
    assert [left_with(found, name) for name in ("corner", "edge", "centre")] == [-1, -2, 1]
    assert found.evaluated == 12


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_leaving_out_what_is_the_same_by_symmetry_changes_no_value(depth):
    whole = trace("alphabeta", tictactoe, depth=depth).value
    assert trace("minimax", horizon_tree(depth)).value == whole


def test_choosing_a_move_late_by_minimax_and_by_alpha_beta():
    start = tictactoe.parse_state(LATE_POSITION)
    minimax, alpha_beta = make("tic-tac-toe-choose-minimax"), make("tic-tac-toe-choose-alpha-beta")
    assert minimax.value == alpha_beta.value == WIN - 3 and minimax.line[0] == alpha_beta.line[0] == 4
    below = {move: trace("minimax", tictactoe, tictactoe.play(start, move)).value for move in (4, 7, 8)}
    assert below == {4: WIN - 2, 7: 1 - WIN, 8: 1 - WIN}
    assert minimax.tree == alpha_beta.tree == late_tree()
    assert alpha_beta.evaluated < minimax.evaluated and alpha_beta.pruned


def test_the_program_never_loses():
    games = all_games(tictactoe.initial())
    assert len(games) == len(set(games)) == 101
    ends = [game_end(moves) for moves in games]
    assert not any(has_line(s.o) for s in ends)
    assert sum(has_line(s.x) for s in ends) == 99
    found = make("tic-tac-toe-program").figures
    assert (found["games"], found["won"], found["drawn"], found["lost"]) == (101, 99, 2, 0)
    assert found["slow"] > 0  # to it all wins are equal


def test_all_games_leaves_out_no_reply():
    # In every position with O to move, some game continues with each legal move.
    replies = {}
    for moves in all_games(tictactoe.initial()):
        for ply in range(1, len(moves), 2):
            replies.setdefault(moves[:ply], set()).add(moves[ply])
    for before, tried in replies.items():
        assert tried == set(tictactoe.legal_moves(game_end(before)))
        assert program_move(game_end(before[:-1])) == before[-1]


def test_the_answers_to_the_questions_about_the_tree():
    assert len(first_replies()) == 9 and first_replies()[0] == (0, "x........")
    second = tictactoe.play(tictactoe.initial(), 0)
    assert len(tictactoe.legal_moves(second)) == 8
    lengths = {bin(s.x | s.o).count("1") for s in EVERY_BOARD if tictactoe.is_terminal(s)}
    assert (min(lengths), max(lengths)) == (5, 9)


# Arithmetic


def test_chess_arithmetic():
    assert 35**7 == 64_339_296_875 and 35**5 == 52_521_875
    found = make("chess-arithmetic").figures
    assert found["Deep Blue"][0] == 60_000_000_000 and round(found["Deep Blue"][1]) == 7
    assert found["a fast PC, software only"][0] == 600_000_000 and int(found["a fast PC, software only"][1]) == 5
    assert found["a plain program"][0] == 10**6 and round(found["a plain program"][1]) == 4


# Chance


def test_expected_values_over_max_and_over_min():
    assert make("expectimax").value == 0.5 * 7 + 0.5 * 4 == 5.5
    assert make("expectimin").value == 0.5 * 3 + 0.5 * 1 == 2


def test_coin_flips():
    found = make("coin-flips")
    assert found.value == 3 and chosen_name(found) == "B"
    assert [left_with(found, name) for name in "DEFGBC"] == [2, 4, 0, -2, 3, -1]


def test_the_last_outcome_is_cut_short_without_any_bounds():
    found = make("chance-last-outcome")
    assert found.value == trace("expectiminimax", found.tree).value == 1.5
    assert (found.evaluated, found.tree.leaves) == (7, 9) and found.pruned == ((1, 1, 1), (1, 1, 2))
    # The values of the leaves that were cut off make no difference.
    for leaf in (-1000, 1000):
        other = Tree.from_text(f"(A (B 0.5: (2 2) 0.5: (2 1)) (C 0.5: (0 1) 0.5: (1 {leaf} {-leaf})))")
        assert trace("expectiminimax", other).value == 1.5


def test_bounds_prune_what_expectiminimax_must_look_at():
    found = make("bounded-leaves")
    plain = trace("expectiminimax", found.tree)
    assert found.value == plain.value == 1.5 and chosen_name(found) == "B"
    assert (found.evaluated, plain.evaluated, plain.pruned) == (5, 8, ())
    assert found.pruned == ((1, 0, 1), (1, 1)) and left_with(found, "C") == 1
    # With looser bounds, the same outcomes must be searched.
    loose = trace("star1", found.tree, bounds=(-100, 100))
    assert loose.value == 1.5 and loose.evaluated > found.evaluated


def test_two_dice_have_21_outcomes():
    rolls = two_dice()
    assert len(rolls) == 21 and sum(chance for _, _, chance in rolls) == 1
    every = [tuple(sorted(roll, reverse=True)) for roll in product(range(1, 7), repeat=2)]
    assert {(high, low): chance for high, low, chance in rolls} == {
        roll: Fraction(every.count(roll), 36) for roll in every
    }
    found = make("two-dice")
    mean = sum(Fraction(points(*roll)) for roll in every) / 36
    assert mean == Fraction(49, 6)
    assert found.value == pytest.approx(float(mean)) and found.evaluated == 21


def test_what_the_leaves_mean_to_chance():
    assert make("values-that-matter").value == pytest.approx(2.1)
    assert make("values-in-the-same-order").value == pytest.approx(40.9)
    assert make("values-changed-linearly").value == pytest.approx(28)
    names = ["values-that-matter", "values-in-the-same-order", "values-changed-linearly"]
    assert [chosen_name(make(name)) for name in names] == ["B", "C", "B"]
    assert [left_with(make(names[0]), node) for node in "BC"] == pytest.approx([2.1, 1.3])
    assert [left_with(make(names[1]), node) for node in "BC"] == pytest.approx([21, 40.9])


def test_minimax_keeps_its_decision_under_any_change_that_keeps_the_order():
    found = make("meaning-of-values").figures
    moves = {key: move for key, (move, _) in found.items()}
    assert {move for key, move in moves.items() if key.startswith("minimax")} == {"B"}
    assert moves["expectiminimax, as they are"] == moves["expectiminimax, linear"] == "B"
    assert moves["expectiminimax, order kept"] == "C"
    assert [squashed(v) for v in (1, 2, 3, 4)] == [1, 20, 30, 400]


@pytest.mark.parametrize("seed", range(25))
def test_minimax_and_expectiminimax_on_random_trees_with_changed_leaves(seed):
    def changed(node, change):
        if not node.children:
            return change(node.value)
        below = [changed(child, change) for child in node.children]
        return list(zip(node.probabilities, below, strict=True)) if node.probabilities else below

    plain = Tree.random(seed, depth=3, branching=3, stop=0)
    same_order = Tree.from_lists(changed(plain.root, lambda v: v**3 + v))
    assert trace("minimax", plain).line == trace("minimax", same_order).line
    dicey = Tree.random(seed, depth=3, branching=3, stop=0, chance=0.5)
    tripled = Tree.from_lists(changed(dicey.root, lambda v: 4 * v + 8))
    before, after = trace("expectiminimax", dicey), trace("expectiminimax", tripled)
    assert after.value == pytest.approx(4 * before.value + 8)


def test_the_linear_change_is_linear():
    assert [linear(v) for v in (0, 1, 2)] == [7, 17, 27]
    assert trace("minimax", without_dice(linear)).value == linear(trace("minimax", without_dice()).value)
    assert meaning_tree().size == 7


# The table


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=lambda example: example.name)
def test_every_example_has_its_topic_and_runs(example):
    assert EXAMPLES[example.name] is example and example.title and example.about.endswith((".", "!", "?"))
    assert example.topic in TOPICS and ".txt" not in example.about + example.reconstructed
    found = example.make()
    assert found.lines if isinstance(found, Report) else found.events and found.tree is not None


def test_no_two_have_the_same_name():
    assert not set(EXAMPLES) & set(SLIPS)


@pytest.mark.parametrize("known", [*EXAMPLES.values(), *SLIPS.values()], ids=lambda known: known.name)
def test_the_page_of_the_gallery_names_it_with_its_topic(known):
    page = (Path(__file__).parents[2] / "docs" / "gallery.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith(f"| `{known.name}` |")]
    assert len(rows) == 1 and known.title in rows[0] and known.topic in rows[0]
