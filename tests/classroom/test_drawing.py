"""Drawings without a browser: the places of nodes, their texts, and valid SVG and HTML."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import samples

from zerosum.classroom.drawing import bar_plot, line_plot, trace_page, tree_svg
from zerosum.classroom.drawing.boards import read_board
from zerosum.classroom.drawing.growth import replay
from zerosum.classroom.drawing.layout import LARGEST, Place, Room, TreeLayout, layout
from zerosum.classroom.drawing.page import MOST_EVENTS
from zerosum.classroom.drawing.states import BELOW, CUT, DONE, OPEN, UNSEEN
from zerosum.classroom.drawing.svg import Canvas
from zerosum.classroom.drawing.text import asset, style
from zerosum.classroom.events import Event, Frame, Kind
from zerosum.classroom.tracing import ALGORITHMS, Trace, trace
from zerosum.classroom.tree import LEAF, Node, Tree, leaf
from zerosum.errors import DrawingError, ZerosumError
from zerosum.game import MAX, MIN
from zerosum.games import load

SVG = "{http://www.w3.org/2000/svg}"
CHAPTER_SIX = Tree.from_text("(A (B 3 12 8) (C 2 4 6) (D 14 5 2))")


def alphabeta() -> Trace:
    return trace("alphabeta", CHAPTER_SIX)


def drawn(picture: str) -> list[dict[str, Any]]:
    """The nodes of a drawing, read from the file."""
    nodes = []
    for group in ET.fromstring(picture).iter(f"{SVG}g"):
        classes = group.get("class", "").split()
        if classes[0] == "node":
            texts = {
                word: text.text or "" for text in group.iter(f"{SVG}text") for word in text.get("class", "").split()
            }
            nodes.append({"kind": classes[1], "status": classes[2], "is": set(classes[3:]), **texts})
    return nodes


# The places of nodes


def rooms_by_size(place: Place) -> Room:
    """Nodes of different sizes, and not symmetrical."""
    if place.bundle:
        return Room(20, 20, 30)
    spread = hash(place.path) % 23
    return Room(10 + spread, 30 - spread / 2, 20 + spread)


def check_layout(found: TreeLayout, size: int) -> None:
    places = found.places
    assert sum(not place.bundle for place in places) + found.folded == size
    levels: dict[float, list[Place]] = {}
    for place in places:
        levels.setdefault(place.y, []).append(place)
        assert place.x - place.room.left >= 0 and place.x + place.room.right <= found.width
        assert place.y >= 0 and place.y + place.room.height <= found.height
    for level in levels.values():  # in preorder, a level runs from left to right
        for left, right in pairwise(level):
            assert left.x + left.room.right < right.x - right.room.left
    for upper, lower in pairwise(sorted(levels)):
        most, least = max(place.room.height for place in levels[upper]), min(place.fan for place in levels[lower])
        assert upper + most <= least + 1e-6  # rounding errors
    for index, place in enumerate(places):
        if place.children:
            first, last = places[place.children[0]], places[place.children[-1]]
            assert place.x == pytest.approx((first.x + last.x) / 2)
        assert all(places[child].parent == index and child > index for child in place.children)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.3]), st.integers(2, 6))
def test_no_nodes_overlap_and_parents_are_centred(seed: int, chance: float, depth: int) -> None:
    tree = Tree.random(seed, depth=depth, chance=chance)
    check_layout(layout(tree, rooms_by_size), tree.size)
    check_layout(layout(tree, rooms_by_size, limit=10), tree.size)


def test_equal_subtrees_have_equal_shapes() -> None:
    twin = [[1, [2, 3]], 4]
    places = layout(Tree.from_lists([twin, [5, [6, 7], 8, 9], twin]), lambda place: Room(10, 10, 10)).places
    roots = [places[index] for index in places[0].children]
    shapes = [
        [(place.x - root.x, place.y) for place in places if place.path[:1] == root.path and len(place.path) > 1]
        for root in (roots[0], roots[2])
    ]
    assert shapes[0] == shapes[1]


def test_a_small_tree_is_not_folded_and_a_large_one_tells_what_is() -> None:
    assert not layout(CHAPTER_SIX, rooms_by_size).folded
    tree = Tree.uniform(4, 6, seed=1)
    found = layout(tree, rooms_by_size)
    assert tree.size == 5461 and len(found.places) < 600
    check_layout(found, tree.size)
    written = drawn(tree_svg(tree))
    counts = [int(node["count"].split()[0].replace(",", "")) for node in written if node["kind"] == "bundle"]
    assert sum(counts) + sum(node["kind"] != "bundle" for node in written) == tree.size


def test_the_chosen_line_is_never_folded() -> None:
    tree = Tree.uniform(4, 6, seed=3)
    found = trace("alphabeta", tree)
    chosen = [node for node in drawn(tree_svg(tree, trace=found, limit=30)) if "chosen" in node["is"]]
    assert len(chosen) == 7 and chosen[-1]["kind"] == "leaf"


def test_a_wide_root_shows_its_first_children_and_bundles_the_rest() -> None:
    places = layout(Tree.from_lists(list(range(1000))), rooms_by_size, limit=50).places
    assert [place.node.value for place in places[1:4]] == [0, 1, 2]
    assert places[-1].bundle == 1000 - (len(places) - 2)


def test_a_high_tree_is_drawn_without_recursion() -> None:
    tree: Any = leaf(1)
    for _ in range(5000):
        tree = Node(MAX, children=(tree,))
    found = layout(SimpleNamespace(root=tree, title=""), rooms_by_size)  # type: ignore[arg-type]
    check_layout(found, 5001)


def million(shape: str) -> Node:
    if shape == "wide":
        return Node(MAX, children=(leaf(1),) * 10**6)
    if shape == "shared":  # 10 ** 9 nodes in the memory of 30
        node = leaf(1)
        for _ in range(9):
            node = Node(MAX, children=(node,) * 10)
        return node
    return Node(MAX, children=tuple(Node(MIN, children=tuple(map(leaf, range(300)))) for _ in range(350)))


@pytest.mark.parametrize("shape", ["wide", "shared", "real"])
def test_a_tree_of_a_million_nodes_is_refused_at_once(shape: str) -> None:
    tree: Any = SimpleNamespace(root=million(shape), title="huge")
    with pytest.raises(DrawingError, match=f"the tree 'huge' has more than {LARGEST:,} nodes") as problem:
        tree_svg(tree)
    assert "\n" not in str(problem.value) and isinstance(problem.value, ZerosumError)


# The texts of nodes


def test_shapes_and_values_of_a_plain_tree() -> None:
    nodes = drawn(tree_svg(CHAPTER_SIX))
    assert [node["kind"] for node in nodes[:5]] == ["max", "min", "leaf", "leaf", "leaf"]
    assert [node["value"] for node in nodes if node["kind"] == "leaf"] == [
        "3",
        "12",
        "8",
        "2",
        "4",
        "6",
        "14",
        "5",
        "2",
    ]
    assert all(node["value"] == "" and node["status"] == UNSEEN for node in nodes if node["kind"] != "leaf")
    shapes = re.findall(r'class="shape" d="M([\d.]+) ([\d.]+)([lh])', tree_svg(CHAPTER_SIX))
    assert [shape[2] for shape in shapes[:2]] == ["l", "h"]  # MAX begins at a point on top, MIN with a flat side


def test_the_final_state_of_chapter_six() -> None:
    nodes = drawn(tree_svg(CHAPTER_SIX, trace=alphabeta()))
    by_name = {node["name"]: n for n, node in enumerate(nodes) if node.get("name")}
    assert [nodes[by_name[name]]["value"] for name in "ABCD"] == ["3", "3", "≤2", "2"]
    c = by_name["C"]
    assert [n for n, node in enumerate(nodes) if node["status"] == CUT] == [c + 2, c + 3]
    assert [n for n, node in enumerate(nodes) if "chosen" in node["is"]] == [0, 1, 2]
    assert nodes[0]["upper"] == "α 3" and nodes[0]["lower"] == "β ∞"


def test_only_the_current_path_shows_a_window() -> None:
    found = alphabeta()
    for step, event in enumerate(found.events, 1):
        nodes = drawn(tree_svg(CHAPTER_SIX, trace=found, step=step))
        showing = [node["name"] for node in nodes if node.get("upper")]
        inner = [CHAPTER_SIX.at(frame.path).name for frame in event.frames if CHAPTER_SIX.at(frame.path).kind != LEAF]
        assert showing == inner
        frame = next(f for f in reversed(event.frames) if CHAPTER_SIX.at(f.path).kind != LEAF)
        assert nodes[[node.get("name") for node in nodes].index(inner[-1])]["upper"].endswith(
            str(frame.alpha).replace("-inf", "−∞").replace("inf", "∞")
        )


def test_before_the_first_step_and_on_a_blank_sheet_no_inner_value_is_shown() -> None:
    found = alphabeta()
    start = tree_svg(CHAPTER_SIX, trace=found, step=0)
    assert all(node["value"] == "" for node in drawn(start) if node["kind"] != "leaf")
    blank = tree_svg(CHAPTER_SIX, trace=found, blank=True)
    assert blank == tree_svg(CHAPTER_SIX)
    assert {node["status"] for node in drawn(blank)} == {UNSEEN}


@pytest.mark.parametrize("step", [-1, 1000])
def test_there_are_only_so_many_steps(step: int) -> None:
    with pytest.raises(DrawingError, match=rf"no step {step}: .* 0 to \d+"):
        tree_svg(CHAPTER_SIX, trace=alphabeta(), step=step)


def test_below_a_cut_node_all_is_grey_but_only_the_node_itself_is_struck_through() -> None:
    tree = Tree.from_lists([[3], [2, [7, [8, 9]]]])
    nodes = drawn(tree_svg(tree, trace=trace("alphabeta", tree)))
    assert [node["status"] for node in nodes].count(CUT) == 1
    assert [node["status"] for node in nodes].count(BELOW) == 4


@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
@pytest.mark.parametrize("seed", range(4))
def test_every_algorithm_ends_with_its_value_at_the_root(algorithm: str, seed: int) -> None:
    with_chance = algorithm in ("expectiminimax", "star1", "star2", "mcts", "mcts-solver")
    tree = Tree.random(seed, depth=4, chance=0.3 if with_chance else 0.0)
    found = trace(algorithm, tree)
    canvas = Canvas(tree, found)
    states = replay(canvas.layout, found)
    assert states.looks == canvas.looks_at(0)
    current = list(states.looks)
    for changes in states.play():
        for index, look in changes.items():
            assert look != current[index]
            current[index] = look
        assert sum(look.is_now for look in current) == 1
        assert all(look.status in (OPEN, DONE) for look in current if look.is_now)
    assert current == states.looks == canvas.looks_at(None)
    root = current[0].value.lstrip("≤≥")
    assert float(root.replace("−", "-")) == pytest.approx(found.value, abs=1e-3)
    if algorithm == "alphabeta":
        assert {canvas.layout.places[n].path for n, look in enumerate(current) if look.status == CUT} == set(
            found.pruned
        )


def test_events_in_a_folded_part_show_at_its_bundle() -> None:
    tree = Tree.uniform(3, 4, seed=2)
    found = trace("minimax", tree)
    canvas = Canvas(tree, found, limit=20)
    bundles = {n for n, place in enumerate(canvas.layout.places) if place.bundle}
    states = replay(canvas.layout, found)
    marked = {n for changes in states.play() for n, look in changes.items() if look.is_now}
    assert bundles <= marked
    assert {states.looks[n].status for n in bundles} == {DONE}


def test_hostile_text_stays_text() -> None:
    nasty = "</script><script>alert('x')</script>&\"\x00"
    inner = Node(MIN, nasty[:14] + "B", children=(leaf(1, "<i>"), leaf(2)), labels=(nasty, "]]>"), picture="<b>\n&")
    tree = Tree(Node(MAX, "A&B", children=(inner, leaf(3)), labels=("<", ">")), nasty)
    picture = tree_svg(tree)
    assert "<script" not in picture
    texts = [element.text for element in ET.fromstring(picture).iter() if element.text]
    assert "A&B" in texts and "<i>" in texts and "]]>" in texts
    page = trace_page(trace("alphabeta", tree), nasty, about=nasty)
    assert page.count("<script") == page.count("</script>") == 2 and "alert('x')" not in page


# Markup, control characters, half a surrogate pair, characters that boards use, and letters from other alphabets.
NASTY = st.text(st.sampled_from("<>&\"'\x00\x0b\x7f\ud800\uffff\n\t |-+=.xO1]é漢𝄞\u202e"), max_size=40)


@settings(max_examples=60, deadline=None)
@given(NASTY, NASTY, NASTY)
def test_any_text_gives_well_formed_svg(name: str, label: str, picture: str) -> None:
    tree = Tree(Node(MAX, name, children=(leaf(1), leaf(2)), labels=(label, ""), picture=picture), name)
    ET.fromstring(tree_svg(tree))


def test_wins_and_fractions_are_short() -> None:
    values = [leaf(x) for x in (2**20 - 5, 3 - 2**20, 1 / 3, -1.5)]
    nodes = drawn(tree_svg(Tree(Node(MAX, children=tuple(values)))))
    assert [node["value"] for node in nodes[1:]] == ["win 5", "loss 3", "0.3333", "−1.5"]


def test_boards_of_real_games_are_drawn_in_the_nodes() -> None:
    picture = tree_svg(Tree.unfold(load("tictactoe"), depth=1))
    boards = ET.fromstring(picture).findall(f".//{SVG}rect[@class='board']")
    assert len(boards) == 10
    assert len(re.findall(r'class="cell"[^>]*>X<', picture)) == 9
    four = read_board(load("connect-four").show(load("connect-four").initial()))
    assert four is not None and four.is_grid and len(four.rows[0]) == 7
    pits = read_board(load("kalah").show(load("kalah").initial()))
    assert pits is not None and not pits.is_grid and "South to move" in "".join(pits.rows[-1])
    assert read_board("  \n ") is None


def test_jupyter_shows_the_drawing() -> None:
    assert CHAPTER_SIX._repr_svg_() == tree_svg(CHAPTER_SIX)
    found = alphabeta()
    assert found._repr_svg_() == tree_svg(CHAPTER_SIX, trace=found)


# The page


def test_the_page_holds_the_final_drawing_and_the_words_of_every_event() -> None:
    found = alphabeta()
    page = trace_page(found, "Chapter 6")
    assert tree_svg(CHAPTER_SIX, trace=found) in page
    buttons = re.findall(r'<li><button type="button"[^>]*>(.*?)</button></li>', page)
    assert buttons == [step.words for detail in ("brief", "full") for step in found.steps(detail)]
    assert buttons[7:] == [event.words(CHAPTER_SIX) for event in found.events]
    found_data = re.search(r'<script type="application/json" id="zs-trace">(.*?)</script>', page)
    assert found_data is not None
    data = json.loads(found_data[1])
    looks = list(data["start"])
    for changes in data["steps"]:
        for index, look in zip(changes[::2], changes[1::2], strict=True):
            looks[index] = look
    final = Canvas(CHAPTER_SIX, found).looks_at(None)
    assert [data["looks"][look][:2] for look in looks] == [[look.classes, look.value] for look in final]


def test_the_page_asks_nobody_for_anything() -> None:
    page = trace_page(alphabeta()).replace("http://www.w3.org/2000/svg", "")
    for sign in ("http:", "https:", "//cdn", " src=", " href=", "url(", "@import", "fetch(", "XMLHttpRequest"):
        assert sign not in page
    assert "default-src &#x27;none&#x27;" in page


def test_a_page_of_too_many_steps_is_refused() -> None:
    found = alphabeta()
    frame = Frame((), MAX, 0, 1, None)
    many = Trace("x", found.tree, found.game, (Event(Kind.ENTER, (frame,)),) * (MOST_EVENTS + 1), 3, (), 1)
    with pytest.raises(DrawingError, match=r"10,001 events, .* a smaller depth"):
        trace_page(many)
    with pytest.raises(DrawingError, match="too many nodes to draw"):
        trace_page(Trace("x", None, found.game, (), 3, (), 1))


# Colours


def colours(dark: bool) -> dict[str, str]:
    light, shade = asset("theme.css").split("@media (prefers-color-scheme: dark)")
    found = re.findall(r"--([\w-]+): (#\w{6});", shade if dark else light)
    assert len(found) == 16
    return dict(found)


def contrast(one: str, other: str) -> float:
    """The ratio that WCAG 2 defines."""

    def luminance(colour: str) -> float:
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_text_stands_out_from_all_that_it_is_written_on(dark: bool) -> None:
    theme = colours(dark)
    for paper in ("paper", "card", "max-tint", "min-tint", "chance-tint", "leaf-tint", "shade"):
        assert contrast(theme["ink"], theme[paper]) >= 7
    for ink in ("muted", "cut", "chosen", "max", "min", "chance"):
        for paper in ("paper", "card"):
            assert contrast(theme[ink], theme[paper]) >= 4.5


def test_programs_without_css_variables_find_a_colour() -> None:
    for prop, colour in re.findall(r"([\w-]+): var\((--[\w-]+)\);", style("theme.css", "tree.css", "plot.css")):
        assert re.search(rf"{prop}: #\w+; {prop}: var\({colour}\);", style("theme.css", "tree.css", "plot.css"))


# Plots


def test_a_line_goes_through_its_points() -> None:
    figure = line_plot({"up": [(0, 0), (1, 5), (2, 10)]}, title="T", x_label="x", y_label="y")
    root = ET.fromstring(figure)
    course = next(path.get("d", "") for path in root.iter(f"{SVG}path") if path.get("class") == "line")
    (x0, y0), (x1, y1), (x2, y2) = ((float(a), float(b)) for a, b in re.findall(r"([\d.]+) ([\d.]+)", course))
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.02) and y0 - y1 == pytest.approx(y1 - y2, abs=0.02)
    assert y2 < y0  # up is up


def test_powers_of_ten_are_evenly_spaced_on_request() -> None:
    figure = line_plot({"a": [(1, 1), (2, 100), (3, 10**7)]}, title="T", x_label="depth", y_label="nodes", log_y=True)
    ticks = [text.text for text in ET.fromstring(figure).iter(f"{SVG}text") if text.get("class") == "tick"]
    assert ticks == ["1", "10", "100", "1,000", "10,000", "100,000", "10⁶", "10⁷", "1", "2", "3"]


def test_each_series_is_in_the_legend_with_its_own_colour() -> None:
    series = {f"rung <{k}>": [(1.0, k + 1.0), (2.0, k + 2.0)] for k in range(12)}
    root = ET.fromstring(line_plot(series, title="T", x_label="x", y_label="y"))
    legend = [g for g in root.iter(f"{SVG}g") if g.get("class", "").startswith("legend")]
    assert [g.findtext(f"{SVG}text") for g in legend] == list(series)
    assert len({g.get("class") for g in legend}) == 8


def test_bars_are_as_high_as_their_values() -> None:
    root = ET.fromstring(bar_plot({"one": 10, "two": 20, "minus": -5}, title="T", x_label="", y_label="y"))
    heights = [float(bar.get("height", "")) for bar in root.iter(f"{SVG}rect") if bar.get("class") == "bar"]
    assert heights[1] == pytest.approx(2 * heights[0], abs=0.02) and heights[2] == pytest.approx(
        heights[0] / 2, abs=0.02
    )


def test_a_flat_line_and_a_single_point_can_be_plotted() -> None:
    for points in ([(1, 5)], [(1, 0), (2, 0)], [(3, 1e9), (4, 1e9)]):
        for log_y in (False, points[0][1] > 0):
            ET.fromstring(line_plot({"x": points}, title="T", x_label="x", y_label="y", log_y=log_y))


@pytest.mark.parametrize(
    ("series", "log_y", "complaint"),
    [
        ({}, False, "has no points"),
        ({"a": [(1, float("nan"))]}, False, r"the point \(1, nan\)"),
        ({"a": [(1, 0)]}, True, "the value 0: with log_y"),
    ],
)
def test_a_plot_that_cannot_be_is_refused(series: Any, log_y: bool, complaint: str) -> None:
    with pytest.raises(DrawingError, match=complaint):
        line_plot(series, title="T", x_label="x", y_label="y", log_y=log_y)


# Exact values, bounds, and nodes never looked at


def shown(tree: Tree, algorithm: str, **options: object) -> dict[str, str]:
    """The value of each named node in the finished drawing."""
    found = trace(algorithm, tree, **options)
    canvas = Canvas(tree, found)
    looks = canvas.looks_at(None)
    places = canvas.layout.places
    return {place.node.name: look.value for place, look in zip(places, looks, strict=True) if place.node.name}


def test_a_bound_is_marked_only_where_something_was_cut_or_a_child_is_one() -> None:
    assert shown(CHAPTER_SIX, "alphabeta") == {"A": "3", "B": "3", "C": "≤2", "D": "2"}
    assert shown(CHAPTER_SIX, "minimax") == {"A": "3", "B": "3", "C": "2", "D": "2"}
    assert shown(CHAPTER_SIX, "alphabeta-fail-hard") == {"A": "3", "B": "3", "C": "≤3", "D": "≤3"}
    assert shown(CHAPTER_SIX, "alphabeta", alpha=9) == {"A": "≤5", "B": "≤3", "C": "≤2", "D": "≤5"}


@pytest.mark.parametrize("name", ["alphabeta", "negamax", "pvs", "table", "deepening", "alphabeta-fail-hard"])
def test_every_value_shown_is_true_of_the_node(name: str) -> None:
    for seed in range(samples(40)):
        tree = Tree.random(seed, depth=4)
        canvas = Canvas(tree, trace(name, tree))
        looks = canvas.looks_at(None)
        for place, look in zip(canvas.layout.places, looks, strict=True):
            if look.status != "done" or not place.node.children:
                continue
            value = trace("minimax", Tree(place.node)).value
            number = float(look.value.lstrip("≤≥").replace("−", "-"))
            holds = {"≤": value <= number, "≥": value >= number}.get(look.value[0], value == number)
            assert holds, (tree.to_text(), place.path, look.value, value)


def test_what_nobody_looked_at_shows_no_value() -> None:
    tree = Tree.from_text("(A (B @9 ! 9 -5) (C @2 2 7))")
    canvas = Canvas(tree, trace("quiescence", tree, depth=1))
    looks = dict(zip([place.path for place in canvas.layout.places], canvas.looks_at(None), strict=True))
    assert (looks[0, 0].value, looks[0, 1].value) == ("9", "−5")
    assert {(looks[path].status, looks[path].value) for path in ((1, 0), (1, 1))} == {("outside", "")}


def test_positions_of_a_game_that_were_cut_off_show_no_value() -> None:
    game = load("tictactoe")
    found = trace("alphabeta", game, game.parse_state("x...o...."), depth=2)
    canvas = Canvas(found.tree, found)
    cut = [look.value for look in canvas.looks_at(None) if look.status == "cut"]
    assert cut and set(cut) == {""}


def test_labels_of_neighbours_do_not_run_together() -> None:
    tree = Tree.from_text("(A (B 0.5: heads=2 0.5: tails=4) 3)")
    drawing = ET.fromstring(tree_svg(tree))
    labels = [e for e in drawing.iter() if e.get("class") == "label"]
    assert [e.text for e in labels] == ["heads · 0.5", "tails · 0.5"]
    left, right = (float(e.get("x") or 0) for e in labels)
    assert right - left > 11 * 6.0  # the width of eleven characters
