"""Trees: all notations give the same tree, and error messages name the place."""

from __future__ import annotations

import json
import pickle
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import samples

from zerosum.classroom.minimax import minimax
from zerosum.classroom.node import LEAF, Node, leaf, show_value
from zerosum.classroom.tree import Tree, TreeError
from zerosum.game import CHANCE, MAX, MIN, WIN, Game
from zerosum.games import load

CHAPTER_6 = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
NOTES = {"A": ["B", "C", "D"], "B": [3, 12, 8], "C": [2, 4, 6], "D": [14, 5, 2]}
BRACKETS = "(A (B 3 12 8) (C 2 4 6) (D 14 5 2))"
LINES = """
A                # the root; players alternate
  B 3 12 8
  C
    2
    4
    6
  D 14 5
    2
"""


def test_lists_mapping_brackets_lines_and_json_make_the_same_tree():
    tree = Tree.from_lists(CHAPTER_6)
    assert tree == Tree.from_mapping(NOTES) == Tree.from_text(BRACKETS) == Tree.from_text(LINES)
    assert tree == Tree.from_json(json.dumps(CHAPTER_6)) == Tree.from_json(json.dumps(NOTES))
    assert tree == Tree.from_json(tree.to_json()) == pickle.loads(pickle.dumps(tree))
    assert hash(tree) == hash(Tree.from_text(BRACKETS))
    assert (tree.size, tree.height, tree.leaves) == (13, 2, 9)
    assert [child.kind for child in tree.root.children] == [MIN] * 3
    assert tree.at((2, 1)).value == 5
    assert tree.find("D") == (2,)
    assert [path for path, _ in tree.nodes()][:3] == [(), (0,), (0, 0)]


def test_a_file_may_hold_any_form(tmp_path):
    tree = Tree.from_lists(CHAPTER_6)
    for number, text in enumerate([BRACKETS, LINES, tree.to_json(), json.dumps(CHAPTER_6)]):
        path = tmp_path / str(number)
        path.write_text(text)
        assert Tree.from_file(path) == tree
    path.write_text("(A 3 x)")
    with pytest.raises(TreeError, match=r"3: line 1, column 6: 'x' is not a number"):
        Tree.from_file(path)
    with pytest.raises(TreeError, match="missing: cannot read the tree"):
        Tree.from_file(tmp_path / "missing")
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(TreeError, match="it is not text"):
        Tree.from_file(path)


def test_chance_takes_no_turn():
    for tree in (
        Tree.from_lists([[(0.5, [2, 4]), (0.5, [7, 4])], 1]),
        Tree.from_mapping({"A": ["B", 1], "B": [(0.5, "C"), (0.5, "D")], "C": [2, 4], "D": [7, 4]}),
        Tree.from_text("(A (B 0.5: (C 2 4) 1/2: (D 7 4)) 1)"),
        Tree.from_text("A\n  B\n    0.5: C 2 4\n    0.5: D\n      7\n      4\n  1\n"),
    ):
        assert [node.kind for _, node in tree.nodes() if node.children] == [MAX, CHANCE, MIN, MIN]
        assert tree.at((0,)).probabilities == (0.5, 0.5)


def test_kinds_labels_guesses_noise_and_leaf_names_in_text():
    tree = Tree.from_text('(A min a1=(B min @5 ! 3 "odd name": 4) "to (the) right"=(C @-1.5 -2 1e3))')
    b, c = tree.root.children
    assert (tree.root.kind, b.kind, c.kind) == (MIN, MIN, MAX)
    assert (b.value, b.noisy, c.value, c.noisy) == (5, True, -1.5, False)
    assert tree.root.labels == ("a1", "to (the) right")
    assert tree.find("odd name") == (0, 1)
    assert c.children[1].value == 1000
    assert Tree.from_text(tree.to_text()) == tree


def test_kinds_of_a_mapping():
    tree = Tree.from_mapping({"A": ["B"], "B": ["C"], "C": [1]}, kinds={"B": "max"})
    assert [tree.at(path).kind for path in [(), (0,), (0, 0)]] == [MAX, MAX, MIN]
    tree = Tree.from_mapping({"A": [(1, "B")], "B": [1]}, first=MIN)
    assert [tree.at(path).kind for path in [(), (0,)]] == [CHANCE, MIN]
    with pytest.raises(TreeError, match="'X', which is not a node"):
        Tree.from_mapping({"A": [1]}, kinds={"X": MAX})
    with pytest.raises(TreeError, match="A: unknown kind of node 'both'"):
        Tree.from_mapping({"A": [1]}, kinds={"A": "both"})


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "line 1: no tree found"),
        ("# nothing", "line 1: no tree found"),
        ("(A (B 3 12 8) (C 2 4 6)", "line 1, column 1: the bracket that opens here is never closed"),
        ("(A\n (B 3 x 8))", "line 2, column 7: 'x' is not a number"),
        ("(A 3 nan)", "line 1, column 6: 'nan' is not a number"),
        ("(A 3 inf)", "line 1, column 6: 'inf' is not a number"),
        ("(A 3 1e10)", r"line 1, column 6: 10000000000.0 is too large; values must be within ±1,000,000,000"),
        ("(A 1/0 3)", "line 1, column 4: '1/0' is not a number"),
        ("(A 3) (B 4)", r"line 1, column 7: '\(' follows the end"),
        ("(A 3))", r"line 1, column 6: '\)' follows the end"),
        (")", r"line 1, column 1: '\)' is not a number"),
        ("(A 3 (B))", r"line 1, column 6 \(B\): the node is empty"),
        ("()", "line 1, column 1: the node is empty"),
        ("(A 0.5: 3 0.6: 4)", r"line 1, column 1 \(A\): the probabilities 0.5 \+ 0.6 add up to 1.1, not 1"),
        ("(A 0.5: 3 4)", "line 1, column 1: child 2 has no probability"),
        ("(A 3 0.5: 4)", "line 1, column 1: child 1 has no probability"),
        ("(A 0: 3 1: 4)", r"line 1, column 1 \(A\): 0 is not a probability"),
        ("(A chance 3 4)", "a chance node with 2 children needs 2 probabilities"),
        ("(A @x 3 4)", "line 1, column 4: 'x' is not a number"),
        ("(A 3 @4)", "line 1, column 6: '@4' is not a number"),
        ("(A B: (3 4))", r"line 1, column 7: write \(B …\)"),
        ('(A "B 3)', "line 1, column 4: unexpected '\"'"),
        ("(A (B 1) (B 2))", "line 1, column 11: two nodes are called 'B'; the first is at line 1, column 5"),
        ("(A B: 1 B: 2)", "line 1, column 9: two nodes are called 'B'"),
        ("0.5: (A 3)", "line 1, column 1: the root cannot have a probability"),
        ("a=(A 3)", "line 1, column 1: the root cannot have a label"),
        ("A\n  B 3 4\nC 5", "line 3: a second root, 'C'"),
        ("A\n  B\n  3", r"line 2, column 3 \(B\): the node is empty"),
        ("A\n\t3\n", "line 2: indented with a tab"),
        ("A\n  0.5: 3\n  0.4: 4", r"line 1, column 1 \(A\): the probabilities 0.5 \+ 0.4 add up to 0.9"),
        ("(" * 300 + "3" + ")" * 300, "column 202: the tree has more than 200 levels"),
    ],
)
def test_wrong_text_is_told_with_its_place(text, place):
    with pytest.raises(TreeError, match=place):
        Tree.from_text(text)


@pytest.mark.parametrize(
    ("mapping", "words"),
    [
        ({}, "the mapping is empty"),
        ({"A": ["B"], "B": ["C"], "C": ["A"]}, "child 1 of C: 'A' is above itself: A → B → C → A is a cycle"),
        ({"A": ["A"]}, "A → A is a cycle"),
        ({"A": ["B", "B"], "B": [1]}, "child 2 of A: 'B' is already a child of A"),
        ({"A": [3, "X"]}, "child 2 of A: 'X' is not a number, and the mapping has no node"),
        ({"A": []}, "A: the node is empty"),
        ({"A": [None]}, "child 1 of A: None is neither"),
        ({"A": [True]}, "child 1 of A: True is neither"),
        ({"A": [inf]}, "child 1 of A: inf is neither"),
        ({"A": "B"}, "A: 'B' is neither a list"),
        ({"A": [1], "B": [2]}, "B: this node cannot be reached from A"),
        ({"A": [(0.5, 1), (0.2, 2)]}, "A: the probabilities"),
        ({"A": [(0.5, 1), 2]}, "A: child 2 has no probability"),
        ({"A": [("half", 1), (0.5, 2)]}, "A: 'half' is not a probability"),
    ],
)
def test_a_wrong_mapping_is_told_with_its_place(mapping, words):
    with pytest.raises(TreeError, match=words):
        Tree.from_mapping(mapping)


def test_wrong_lists_are_told_with_their_place():
    with pytest.raises(TreeError, match=r"\[1\]\[0\]: 'x' is neither a number"):
        Tree.from_lists([3, ["x"]])
    with pytest.raises(TreeError, match=r"\[0\]: the node is empty"):
        Tree.from_lists([[], 3])
    endless: list = [1]
    endless.append(endless)
    with pytest.raises(TreeError, match="does it contain itself"):
        Tree.from_lists(endless)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "line 1, column 2: not JSON"),
        ('"A"', "'A' is not a tree"),
        ('{"root": {"kind": "max"}}', "root: the node is empty"),
        ('{"root": {"kind": "max", "children": [3, {"kind": "both"}]}}', r"root.children\[1\]: unknown kind of node"),
        ('{"root": {"kind": "max", "children": [3, "x"]}}', r"root.children\[1\]: 'x' is neither"),
        ('{"root": {"kind": "max", "children": [3, {"value": "x"}]}}', r"root.children\[1\]: 'x' is not a number"),
        ('{"root": {"kind": "max", "childs": [3]}}', "root: unknown field 'childs'"),
        ('{"root": {"kind": "max", "children": 3}}', "root.children: 3 is not a list"),
        ('{"root": {"kind": "max", "children": [3], "name": 3}}', "root.name: 3 is not a string"),
        ('{"root": {"kind": "max", "children": [3], "moves": ["a"]}}', "root.moves: 'a' is not a whole number"),
        ('{"root": {"kind": "max", "children": [3, 4], "moves": [1, 1]}}', "root: the moves"),
        ('{"root": {"kind": "max", "children": [3, 4], "labels": ["a"]}}', "root: 2 children, but 1 labels"),
        ('{"root": {"kind": "max", "children": [3, 4], "probabilities": [1]}}', "probabilities belong to chance nodes"),
        ('{"root": {"kind": "leaf"}}', "root: the leaf has no value"),
        ('{"root": {"kind": "leaf", "value": 3, "children": [3]}}', "root: a leaf has no children"),
        ('{"A": ["B", 3], "B": ["A"]}', "is a cycle"),
        ("[3, [4, []]]", r"\[1\]\[1\]: the node is empty"),
        ("[" * 100_000, "more than 200 levels|not JSON"),
    ],
)
def test_wrong_json_is_told_with_its_place(text, words):
    with pytest.raises(TreeError, match=words):
        Tree.from_json(text)


def test_nodes_made_by_hand_are_checked():
    with pytest.raises(TreeError, match="not from 3"):
        Tree(3)  # type: ignore[arg-type]
    with pytest.raises(TreeError, match="child 1 of A: the leaf has no value"):
        Tree(Node(MAX, "A", children=(Node(LEAF),)))
    with pytest.raises(TreeError, match="two nodes are called 'A'"):
        Tree(Node(MAX, "A", children=(leaf(3, "A"),)))
    deep = leaf(1)
    for _ in range(201):
        deep = Node(MAX, children=(deep,))
    with pytest.raises(TreeError, match="more than 200 levels"):
        Tree(deep)
    tree = Tree.from_lists(CHAPTER_6)
    with pytest.raises(AttributeError):
        tree.title = "other"
    with pytest.raises(TreeError, match="no move 7"):
        tree.at((0, 7))
    with pytest.raises(TreeError, match="no node called 'X'"):
        tree.find("X")


# Round trips

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
VALUES = st.integers(-(10**9), 10**9) | st.floats(-(10.0**9), 10.0**9)


@st.composite
def nodes(draw, everything: bool):
    """Any valid tree; a number makes each name unique."""
    counter = iter(range(1000))

    def name() -> str:
        return draw(NAMES) + f"{next(counter)}." if draw(st.booleans()) else ""

    def grow(levels: int) -> Node:
        if levels == 0 or draw(st.integers(0, 3)) == 0:
            return leaf(draw(VALUES), name())
        count = draw(st.integers(1, 3))
        kind = draw(st.sampled_from([MAX, MIN, CHANCE]))
        weights = [draw(st.integers(1, 9)) for _ in range(count)]
        labels = tuple(draw(NAMES) for _ in range(count))
        moves = draw(st.lists(st.integers(0, 2**31 - 1), min_size=count, max_size=count, unique=True))
        return Node(
            kind,
            name(),
            draw(st.none() | VALUES),
            tuple(grow(levels - 1) for _ in range(count)),
            tuple(moves) if everything else (),
            labels if any(labels) else (),
            tuple(w / sum(weights) for w in weights) if kind == CHANCE else (),
            draw(NAMES) if everything else "",
            draw(st.booleans()),
        )

    return grow(3)


@given(nodes(everything=True), NAMES)
@settings(max_examples=samples(150), deadline=None)
def test_json_keeps_everything(root, title):
    tree = Tree(root, title)
    assert Tree.from_json(tree.to_json()) == tree


@given(nodes(everything=False))
@settings(max_examples=samples(150), deadline=None)
def test_brackets_keep_all_but_pictures_moves_and_title(root):
    tree = Tree(root)
    assert Tree.from_text(tree.to_text()) == tree


@given(st.text(st.sampled_from('()A3.5:=@!"# \n-/maxin\\'), max_size=30))
@settings(max_examples=samples(300), deadline=None)
def test_any_text_is_a_tree_or_a_clear_error(text):
    try:
        tree = Tree.from_text(text)
    except TreeError as problem:
        assert "line " in str(problem) or "called" in str(problem)
        assert "\n" not in str(problem)
    else:
        assert Tree.from_text(tree.to_text()) == tree


# Random trees, trees from games, and trees as games


def test_uniform_trees_have_their_shape_and_seeds_their_numbers():
    tree = Tree.uniform(3, 4, seed=5)
    assert {len(node.children) for _, node in tree.nodes()} == {0, 3}
    assert {len(path) for path, node in tree.nodes() if node.kind == LEAF} == {4}
    assert tree == Tree.uniform(3, 4, seed=5) != Tree.uniform(3, 4, seed=6)
    values = [node.value for _, node in Tree.uniform(3, 4, ties=False).nodes() if node.kind == LEAF]
    assert len(set(values)) == 81
    assert {node.value for _, node in Tree.uniform(2, 6, low=0, high=1).nodes() if node.kind == LEAF} == {0, 1}
    with pytest.raises(TreeError, match="too many"):
        Tree.uniform(10, 10)
    with pytest.raises(TreeError, match="at least 1 child per node"):
        Tree.uniform(0, 3)


@pytest.mark.parametrize("seed", range(20))
def test_order_puts_the_best_child_first_or_last_and_changes_no_value(seed):
    tree = Tree.random(seed, depth=4, chance=0.2, order="random")
    value = {"best": 0, "worst": -1}
    for order, place in value.items():
        sorted_tree = tree.ordered(order)
        assert sorted(n.value for _, n in sorted_tree.nodes() if n.kind == LEAF) == sorted(
            n.value for _, n in tree.nodes() if n.kind == LEAF
        )
        for _, node in sorted_tree.nodes():
            if node.kind in (MAX, MIN):
                values = [expected(child) for child in node.children]
                best = max(values) if node.kind == MAX else min(values)
                assert values[place] == pytest.approx(best)
    with pytest.raises(TreeError, match="unknown order of children 'upwards'"):
        tree.ordered("upwards")


def expected(node):
    if node.kind == LEAF:
        return node.value
    values = [expected(child) for child in node.children]
    if node.kind == CHANCE:
        return sum(p * v for p, v in zip(node.probabilities, values, strict=True))
    return max(values) if node.kind == MAX else min(values)


def test_an_unfolded_game_has_the_value_of_the_game():
    game = load("tictactoe")
    for depth in range(4):
        tree = Tree.unfold(game, depth=depth)
        assert minimax(tree.game) == minimax(game, depth=depth)
    s = game.parse_state("xx.oo....")
    tree = Tree.unfold(game, s, depth=inf)
    assert minimax(tree.game) == WIN - 1 == minimax(game, s)
    assert tree.root.labels == ("3", "6", "7", "8", "9")
    assert tree.root.moves == (2, 5, 6, 7, 8)
    assert tree.at((2,)).picture == game.show(game.play(s, 2))
    assert Tree.from_json(tree.to_json()) == tree
    assert (tree.at((5, 2)).kind, Tree.unfold(game, s, depth=1).at((5,)).kind) == (MAX, LEAF)
    pig = Tree.unfold(load("pig"), depth=1)
    assert pig.at((1,)).kind == CHANCE
    assert pig.at((1,)).probabilities == (1 / 6,) * 6
    with pytest.raises(TreeError, match="tictactoe makes more than 20,000 nodes: give a smaller depth"):
        Tree.unfold(game, depth=9)
    with pytest.raises(TreeError, match="a line of 200 moves has not ended"):
        Tree.unfold(load("pig", target=100), depth=inf, limit=10**6)


def test_a_tree_is_a_game():
    tree = Tree.from_text('(A a1=(B 3 12 8) "go on"=(C 2 4 6) (D 14 5 2))')
    game = tree.game
    assert isinstance(game, Game)
    assert not game.has("chances")
    s = game.initial()
    assert [game.format_move(s, move) for move in game.legal_moves(s)] == ["a1", "go on", "2"]
    s = game.play(s, game.parse_move(s, "go on"))
    assert (game.to_move(s), game.show(s), game.format_state(s)) == (MIN, "C", "C")
    assert game.parse_state("C") == s
    assert game.utility(game.play(s, 1)) == 4
    assert game.bounds(s) == (2, 14)
    assert Tree.from_lists([0.5, 1]).game.has("chances")  # fractional values are floats


@pytest.mark.parametrize("seed", range(10))
def test_a_tree_unfolds_to_itself(seed):
    from dataclasses import replace

    def bare(node):
        children = tuple(bare(child) for child in node.children)
        return replace(node, name="", labels=(), picture="", children=children)

    tree = Tree.random(seed, chance=0.2, noisy=0.3, evaluations=True)
    root = Tree.unfold(tree.game, depth=inf).root
    chance_noise = any(n.kind == CHANCE and n.noisy for _, n in tree.nodes())
    if not chance_noise:  # a chance node has no noisy moves
        assert bare(root) == bare(tree.root)


def test_values_in_words():
    assert [show_value(v) for v in (0, -0.5, 1 / 3, WIN, -inf)] == ["0", "−0.5", "0.3333", "win in 0", "−∞"]
