"""Traces: their events are consistent, and agree with the tree and with the plain function."""

from __future__ import annotations

from functools import cache
from math import inf

import pytest
from classroom.random_trees import EXACT, GROWING, SAMPLING, chance_trees, trees
from samples import samples

from zerosum.classroom.events import Event, Kind
from zerosum.classroom.tracing import ALGORITHMS, Trace, trace
from zerosum.classroom.tree import LEAF, Tree
from zerosum.game import CHANCE, MAX, MIN, WIN
from zerosum.games import load

WITH_CHANCE = ("expectiminimax", "star1", "star2")
ONE_PASS = ("minimax", "alphabeta", "alphabeta-fail-hard", "negamax", "quiescence", "expectiminimax", "star1")
CHAPTER_6 = Tree.from_text("(A (B 3 12 8) (C 2 4 6) (D 14 5 2))")


def subjects(name: str, count: int) -> list[Tree]:
    return (chance_trees if name in (*WITH_CHANCE, *SAMPLING) else trees)(count)


WALKING = [name for name in EXACT if name not in (*GROWING, "parallel")]  # one path at a time


@cache
def traces(name: str) -> list[Trace]:
    return [trace(name, tree) for tree in subjects(name, samples(100))]


@pytest.mark.parametrize("name", ALGORITHMS)
def test_who_listens_changes_nothing(name):
    for steps in traces(name):
        assert steps.value == ALGORITHMS[name](steps.game)
        assert steps.algorithm == name


@pytest.mark.parametrize("name", WALKING)
def test_the_frames_are_the_path_from_the_root_and_every_node_entered_is_left(name):
    for steps in traces(name):
        path: list[tuple[int, ...]] = []
        assert steps.tree is not None
        for event in steps.events:
            if event.kind in (Kind.ITERATION, Kind.RESEARCH) and not path:
                assert event.path == ()
                continue
            if event.kind == Kind.ENTER:
                path.append(event.path)
                assert steps.tree.at(event.path).kind == event.frame.player
            assert [frame.path for frame in event.frames] == path
            assert [len(step) for step in path] == list(range(len(path)))
            if event.kind == Kind.LEAVE:
                path.pop()
        assert not path
        assert steps.events[-1].kind == Kind.LEAVE
        assert steps.events[-1].value == steps.value


@pytest.mark.parametrize("name", WALKING)
def test_alpha_is_below_beta_until_a_cut_off_and_windows_only_narrow(name):
    for steps in traces(name):
        windows: list[tuple[float, float]] = []
        closed: list[bool] = []
        for event in steps.events:
            if event.kind in (Kind.ITERATION, Kind.RESEARCH) and not windows:
                assert event.frame.alpha < event.frame.beta
                continue
            if event.kind == Kind.ENTER:
                assert event.frame.alpha < event.frame.beta
                assert not any(closed), "nothing is entered where alpha has met beta"
                windows.append((event.frame.alpha, event.frame.beta))
                closed.append(False)
            alpha, beta = windows[-1]
            assert alpha <= event.frame.alpha
            assert event.frame.beta <= beta
            windows[-1] = event.frame.alpha, event.frame.beta
            closed[-1] = event.frame.alpha >= event.frame.beta
            if event.kind == Kind.RAISE_ALPHA:
                assert alpha < event.frame.alpha == event.value
                assert event.frame.player == MAX
            if event.kind == Kind.LOWER_BETA:
                assert beta > event.frame.beta == event.value
                assert event.frame.player == MIN
            if event.kind == Kind.ALPHA_CUTOFF:
                assert event.frame.player in (MIN, CHANCE)
                assert event.value is not None
                assert event.value <= event.frame.alpha + 1e-9
            if event.kind == Kind.BETA_CUTOFF:
                assert event.frame.player in (MAX, CHANCE)
                assert event.value is not None
                assert event.value >= event.frame.beta - 1e-9
            if event.kind == Kind.LEAVE:
                windows.pop()
                closed.pop()


@pytest.mark.parametrize("name", [name for name in WALKING if name != "singular"])
def test_max_never_reduces_a_preliminary_value_and_min_never_increases_one(name):
    """'At your move, never reduce a value. At your opponent's move, never increase a value.'"""
    for steps in traces(name):
        values: list[float | None] = []
        for event in steps.events:
            if event.kind == Kind.ENTER:
                assert event.frame.pbv is None
                values.append(None)
            if event.kind == Kind.BACK_UP:
                assert event.value == event.frame.pbv
                before = values[-1]
                if before is not None and event.value is not None:
                    assert event.value > before if event.frame.player == MAX else event.value < before
                values[-1] = event.value
            if event.kind == Kind.LEAVE:
                values.pop()


@pytest.mark.parametrize("name", ONE_PASS)
def test_every_leaf_is_either_looked_at_or_pruned(name):
    for steps in traces(name):
        assert steps.tree is not None
        looked_at = [event.path for event in steps.events if event.kind == Kind.EVALUATE]
        assert len(looked_at) == len(set(looked_at)) == steps.evaluated
        cut = set(steps.pruned)
        for path, node in steps.tree.nodes():
            if node.kind == LEAF:
                is_cut = any(path[:length] in cut for length in range(len(path) + 1))
                assert is_cut != (path in looked_at)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_cut_off_is_told_exactly_where_children_are_pruned(name):
    for steps in traces(name):
        for event, following in zip(steps.events, steps.events[1:], strict=False):
            if event.kind in (Kind.ALPHA_CUTOFF, Kind.BETA_CUTOFF):
                assert following.kind == Kind.PRUNE
            if following.kind == Kind.PRUNE:
                assert event.kind in (Kind.ALPHA_CUTOFF, Kind.BETA_CUTOFF, Kind.PRUNE)
                assert event.path == following.path


@pytest.mark.parametrize("name", [name for name in EXACT if name not in WITH_CHANCE])
def test_the_line_leads_to_a_leaf_of_the_value(name):
    for steps in traces(name):
        assert steps.tree is not None
        node = steps.tree.at(steps.line)
        assert (node.kind, node.value) == (LEAF, steps.value), (steps.tree.to_text(), steps.line)


@pytest.mark.parametrize("name", WITH_CHANCE)
def test_with_chance_the_first_move_is_a_best_one(name):
    for steps in traces(name):
        assert steps.tree is not None
        if steps.tree.root.kind in (MAX, MIN):
            assert steps.move is not None
            below = Tree(steps.tree.at((steps.move,)))
            assert ALGORITHMS["expectiminimax"](below.game) == pytest.approx(steps.value, abs=1e-9)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_step_is_one_sentence(name):
    for steps in traces(name)[:60]:
        for words in steps.words():
            assert words.endswith(".")
            assert "\n" not in words
            assert not words.startswith(" ")
            assert "None" not in words
        assert [event.words() for event in steps.events]


def test_the_story_of_alpha_beta():
    steps = trace("alphabeta", CHAPTER_6)
    assert (steps.value, steps.line, steps.move, steps.evaluated) == (3, (0, 0), 0, 7)
    assert steps.pruned == ((1, 1), (1, 2))
    assert steps.words()[:9] == [
        "Enter A (MAX to move).",
        "Enter B (MIN to move).",
        "Enter leaf 3, child 1 of B.",
        "Leaf 3, child 1 of B is worth 3.",
        "Leave leaf 3, child 1 of B with 3.",
        "Back up 3 from leaf 3, child 1 of B to B.",
        "β of B falls to 3.",
        "Enter leaf 12, child 2 of B with α = −∞, β = 3.",
        "Leaf 12, child 2 of B is worth 12.",
    ]
    about_c = [event.words(CHAPTER_6) for event in steps.events if event.path == (1,)]
    assert about_c == [
        "Enter C (MIN to move) with α = 3, β = ∞.",
        "Back up 2 from leaf 2, child 1 of C to C.",
        "β of C falls to 2.",
        "Alpha cut-off below C: MIN gets 2 or less there, and MAX already has 3.",
        "Leaf 4, child 2 of C is never looked at.",
        "Leaf 6, child 3 of C is never looked at.",
        "Leave C with 2.",
    ]


def kinds(steps: Trace) -> set[Kind]:
    return {event.kind for event in steps.events}


def test_every_kind_of_step_is_told_by_some_algorithm():
    seen = kinds(trace("null-move", Tree.from_text("(A (B 3 12 8) (C pass=2 (E 1 2) (F 0 3)))")))
    for number in range(40):
        for name in ALGORITHMS:
            tree = subjects(name, 40)[number]
            seen |= kinds(trace(name, tree, **({} if name in SAMPLING else {"depth": 2})))
        if seen == set(Kind):
            break
    assert seen == set(Kind)


def test_chance_tells_its_sum():
    tree = Tree.from_text("(A (B 0.5: 2 0.5: 4) 1)")
    (event,) = (event for event in trace("expectiminimax", tree).events if event.kind == Kind.CHANCE_AVERAGE)
    assert event.words(tree) == "On average B is worth 3: 0.5 × 2 + 0.5 × 4."


def test_of_a_game_the_part_that_was_visited_is_unfolded():
    game = load("tictactoe")
    s = game.parse_state("xx.oo.x.o")
    steps = trace("alphabeta", game, s)
    assert steps.tree is not None
    assert steps.value == WIN - 1
    assert steps.line == (2,)
    visited = {event.path for event in steps.events} | set(steps.pruned)
    assert visited == {path for path, _ in steps.tree.nodes()}
    cut = [event for event in steps.events if event.kind == Kind.PRUNE]
    assert all("is never looked at" in event.words(steps) for event in cut)
    assert "the position after 6 3" in " ".join(trace("minimax", game, s).words())
    # Too large to draw: the trace has its events, but no tree.
    large = trace("alphabeta", load("connect-four"), depth=7)
    assert large.tree is None
    assert large.events[0].words(large) == "Enter the root (MAX to move)."
    assert "the position after 4 4" in large.events[2].words(large)


def test_any_function_with_a_listener_can_be_traced():
    def always_the_first(game, s=None, *, tell):
        return ALGORITHMS["minimax"](game, s, tell=tell)

    assert trace(always_the_first, CHAPTER_6).algorithm == "always_the_first"


def test_an_event_without_frames_is_at_the_root():
    event = Event(Kind.ITERATION, (), note="look 1 move ahead")
    assert (event.path, event.words()) == ((), "Look 1 move ahead.")
    assert Event(Kind.RESEARCH, ()).words(CHAPTER_6) == "Search again."
    assert trace("minimax", Tree.from_lists(3)).evaluated == 1
    assert trace("alphabeta", CHAPTER_6, alpha=-inf, beta=1).value == 3
