"""Tracing on the command line: the notes' examples, your own trees, games, and errors."""

from __future__ import annotations

import io
import json
import re

import pytest

from zerosum.classroom.gallery import EXAMPLES, SLIPS, Report
from zerosum.classroom.tracing import ALGORITHMS, trace
from zerosum.classroom.tree import Tree
from zerosum.cli.trace_view import _Picture

CHAPTER = "(A (B 3 12 8) (C 2 4 6) (D 14 5 2))"
COINS = "(A (B 0.5: 3 0.5: 7) (C 0.9: 1 0.1: 40))"


@pytest.fixture
def tree_file(tmp_path):
    """``tree_file("A\\n  3\\n  4")`` is a file with this tree."""

    def write(text: str, name: str = "tree.txt") -> str:
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


# The notes' examples


def test_the_list_names_every_example_and_slip_with_its_topic(zerosum):
    ran = zerosum("trace", "--list")
    assert (ran.code, ran.err) == (0, "")
    rows = {line.split()[0]: line for line in ran.out.splitlines() if line}
    for example in (*EXAMPLES.values(), *SLIPS.values()):
        assert example.title in rows[example.name] and rows[example.name].endswith(example.topic)


def test_the_list_as_json(zerosum):
    found = json.loads(zerosum("trace", "--list", "--json", "-").out)
    assert [row["name"] for row in found] == [*EXAMPLES, *SLIPS]


def test_the_chapter_tree_in_the_terminal(zerosum):
    ran = zerosum("trace", "--example", "alpha-beta-chapter-6")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[0] == "Alpha-beta on the tree of chapter 6, steps (a) to (f) (alpha-beta pruning)"
    drawn = ran.out.split("\n\n")[1].splitlines()
    assert drawn == [
        "MAX A = 3   α 3  β ∞",
        "├── MIN B = 3   α −∞  β 3",
        "│   ├── 3",
        "│   ├── 12",
        "│   └── 8",
        "├── MIN C ≤2   α 3  β 2",
        "│   ├── 2",
        "│   ├── 4  cut",
        "│   └── 6  cut",
        "└── MIN D = 2   α 3  β 2",
        "    ├── 14",
        "    ├── 5",
        "    └── 2",
    ]
    assert "alphabeta: value 3; line B → 3; 7 of 9 leaves looked at; 2 branches cut" in ran.out
    assert ran.out.split("\n\n")[3].splitlines() == [
        "1  (a) B looks at 3; β of B falls to 3.",
        "2  (b) B looks at 12; B keeps 3.",
        "3  (c) B looks at 8; B keeps 3; B returns 3; α of A rises to 3.",
        "4  (d) C (α 3, β ∞) looks at 2; β of C falls to 2; alpha cut-off: MIN gets 2 or less, MAX has 3; "
        "4 and 6 are never looked at; C returns 2; A keeps 3.",
        "5  (e) D (α 3, β ∞) looks at 14; β of D falls to 14.",
        "6  (f) D looks at 5; β of D falls to 5.",
        "7  (f) D looks at 2; β of D falls to 2; D returns 2; A keeps 3; A returns 3.",
        "--detail full shows these 7 steps in 44",
    ]


def test_the_chapter_tree_in_full(zerosum):
    out = zerosum("trace", "--example", "alpha-beta-chapter-6", "--detail", "full").out
    assert "23  Alpha cut-off below C: MIN gets 2 or less there, and MAX already has 3." in out
    assert "44  Leave A with 3." in out


def test_cut_branches_are_struck_through_and_the_chosen_line_is_bold():
    from rich.console import Console

    found = trace("alphabeta", Tree.from_text(CHAPTER))
    assert found.tree is not None
    out = io.StringIO()
    Console(file=out, force_terminal=True, color_system="standard", width=80).print(_Picture(found, found.tree).tree())
    assert "\x1b[2;9m4\x1b[0m" in out.getvalue() and "\x1b[2;9m6\x1b[0m" in out.getvalue()
    assert "\x1b[1mMIN B = 3\x1b[0m" in out.getvalue() and "\x1b[1m3\x1b[0m" in out.getvalue()
    assert "\x1b[1mMIN D" not in out.getvalue()


@pytest.mark.parametrize("name", [*EXAMPLES, *SLIPS])
def test_every_example_can_be_shown(zerosum, name):
    ran = zerosum("trace", "--example", name, "--steps", "3")
    assert (ran.code, ran.err) == (0, "") and ran.out.count("\n") > 3
    assert not re.search(r"Report\(|Outcome\(|Trace\(|figures=|lines=|<.* object at|\.txt", ran.out), ran.out
    known = EXAMPLES.get(name) or SLIPS[name]
    shown = known.make()
    if isinstance(shown, Report):
        assert ran.out.endswith("\n".join(shown.lines) + "\n")
    else:
        assert shown.steps()[0].words in ran.out
    assert getattr(known, "reconstructed", "") in ran.out
    assert not re.search(r"(?<![\w.-])-\d", ran.out), "a hyphen instead of a minus sign"


def test_an_example_under_another_algorithm(zerosum):
    ran = zerosum("trace", "--example", "alpha-beta-chapter-6", "--algorithm", "minimax", "--steps", "0")
    assert "minimax: value 3; line B → 3; 9 of 9 leaves looked at; 0 branches cut" in ran.out
    ran = zerosum("trace", "--example", "alpha-beta-chapter-6", "--order", "best", "--steps", "0")
    assert "5 of 9 leaves looked at; 4 branches cut" in ran.out


# Trees and games


@pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS if name != "mcts"])
def test_every_algorithm_but_sampling_finds_3_in_the_chapter_tree(zerosum, algorithm):
    ran = zerosum("trace", CHAPTER, "--algorithm", algorithm, "--steps", "1")
    assert ran.code == 0 and f"{algorithm}: value 3; line B" in ran.out


@pytest.mark.parametrize(
    "text",
    [
        CHAPTER,
        "A\n  B 3 12 8\n  C 2 4 6\n  D\n    14\n    5\n    2\n",
        '{"A": ["B", "C", "D"], "B": [3, 12, 8], "C": [2, 4, 6], "D": [14, 5, 2]}',
        "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]",
    ],
    ids=["brackets", "lines", "mapping", "lists"],
)
def test_every_form_of_a_tree_as_text_as_a_file_and_from_stdin(zerosum, tree_file, text):
    for arguments, typed in (((text,), ""), ((tree_file(text),), ""), (("-",), text)):
        ran = zerosum("trace", *arguments, "--steps", "0", typed=typed)
        assert ran.code == 0 and "7 of 9 leaves looked at; 2 branches cut" in ran.out


def test_a_tree_with_chance_is_averaged(zerosum):
    ran = zerosum("trace", COINS)
    assert "expectiminimax: value 5; line B" in ran.out and "(0.9): 1" in ran.out


def test_simulations_by_number_and_seed(zerosum, tmp_path):
    asked = ("trace", CHAPTER, "--algorithm", "mcts", "--simulations", "12", "--seed", "3")
    ran = zerosum(*asked)
    assert "mcts: value 5.333; line B → 3; 12 simulations" in ran.out and "├── MIN B = 5.8   n 5" in ran.out
    assert zerosum("trace", "--example", "mcts-chapter-6").out.endswith(ran.out)
    assert zerosum(*asked[:-1], "4").out != ran.out == zerosum(*asked).out
    solved = zerosum(*asked, "--option", "solver=on", "--steps", "0").out
    assert "MAX A = 3   n 10  proven" in solved and "mcts: value 3; line B → 3; 10 simulations" in solved
    found = json.loads(zerosum(*asked, "--json", "-").out)
    (last,) = (event for event in found["events"] if event["kind"] == "choose")
    assert last["line"] == found["line"] == [0, 0] and last["frames"][0]["visits"] == 12
    chosen = next(event for event in found["events"] if event["kind"] == "select")
    assert [choice["move"] for choice in chosen["choices"]] == [0, 1, 2]


def test_simulations_of_a_game_draw_the_tree_that_has_grown(zerosum, tmp_path):
    svg, page = tmp_path / "grown.svg", tmp_path / "grown.html"
    files = ("--svg", str(svg), "--html", str(page))
    ran = zerosum("trace", "tictactoe", "--moves", "1 2 3 4 5", "--algorithm", "mcts", "--simulations", "9", *files)
    assert ran.code == 0 and "mcts: value" in ran.out and "9 simulations" in ran.out
    assert "growing" in svg.read_text(encoding="utf-8") and "Simulation 9 of 9." in page.read_text(encoding="utf-8")


def test_a_game_with_its_board_and_moves(zerosum):
    ran = zerosum("trace", "tictactoe", "--moves", "1 5 9", "--depth", "1", "--algorithm", "minimax")
    assert ran.code == 0 and " X | 2 | 3" in ran.out and "├── 2: " in ran.out
    assert "6 of 6 leaves looked at" in ran.out


def test_a_position_and_a_file_of_ones_own_game(zerosum, game_file):
    ran = zerosum("trace", "tictactoe", "--position", "xx.oo....", "--steps", "0")
    assert "value win in 1; line 3" in ran.out
    ran = zerosum("trace", game_file(), "--depth", "9", "--steps", "0")
    assert ran.code == 0 and "value win in 3" in ran.out


def test_a_game_of_chance(zerosum):
    ran = zerosum("trace", "pig", "--set", "target=3", "--depth", "1", "--steps", "0")
    assert ran.code == 0 and "expectiminimax: value" in ran.out and "(1/6)" in ran.out


def test_a_large_tree_is_folded_and_the_steps_are_limited(zerosum):
    ran = zerosum("trace", "connect-four", "--depth", "3", "--steps", "5")
    assert ran.code == 0 and "more nodes" in ran.out and "more steps; --steps " in ran.out
    assert len(ran.out.splitlines()) < 200


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("alpha-beta", "alphabeta"),
        ("iterative-deepening", "deepening"),
        ("killer moves", "killer"),
        ("NegaScout", "pvs"),
    ],
)
def test_algorithms_by_what_the_lecture_calls_them(zerosum, word, name):
    assert f"{name}: value 3" in zerosum("trace", CHAPTER, "--algorithm", word, "--steps", "0").out


def test_expectimax_is_expectiminimax(zerosum):
    assert "expectiminimax: value 5" in zerosum("trace", COINS, "--algorithm", "expectimax", "--steps", "0").out


def test_a_random_tree_by_its_seed(zerosum):
    asked = ("trace", "random", "--depth", "4", "--branching", "3", "--seed", "7")
    ran = zerosum(*asked, "--steps", "0")
    assert ran.code == 0 and re.search(r"\d+ of 81 leaves looked at; \d+ branches cut", ran.out)
    assert zerosum(*asked, "--steps", "0").out == ran.out != zerosum(*asked[:-1], "8", "--steps", "0").out
    assert "81 of 81" in zerosum(*asked, "--algorithm", "minimax", "--steps", "0").out
    sampled = zerosum("trace", "random", "--depth", "2", "--seed", "3", "--algorithm", "mcts", "--steps", "0").out
    assert "100 simulations" in sampled


def test_iterations_count_each_leaf_once_and_name_the_rest_evaluations(zerosum):
    ran = zerosum("trace", CHAPTER, "--algorithm", "deepening", "--steps", "0")
    assert "7 of 9 leaves looked at (10 evaluations in all); 2 branches cut" in ran.out


def test_a_line_too_long_to_draw_is_told_in_the_game_s_own_moves(zerosum, monkeypatch):
    monkeypatch.setattr("zerosum.classroom.tracing.MOST_DRAWN", 5)
    ran = zerosum("trace", "tictactoe", "--moves", "1 5 9", "--depth", "2", "--steps", "1", "--detail", "full")
    assert re.search(r"line [2346-8] → [2346-8];", ran.out) and "too many nodes to draw" in ran.out
    ran = zerosum("trace", "tictactoe", "--moves", "1 5 9", "--depth", "2", "--steps", "1")
    assert "the position after 2 3 is estimated at" in ran.out.lower()


def test_without_bounds_only_the_last_outcome_is_cut_short_and_it_says_so(zerosum):
    tree = "(A (B 0.5: (D 2 2) 0.5: (E 2 1)) (C 0.5: (F 0 1) 0.5: (G 1 -2 7)))"
    ran = zerosum("trace", tree, "--algorithm", "star1", "--option", "bounds=-inf:inf")
    assert "No bounds are known: only the last outcome of a chance node can be cut short" in ran.out
    assert "star1: value 1.5; line B; 7 of 9 leaves looked at; 2 branches cut" in ran.out
    bounded = zerosum("trace", tree, "--algorithm", "star1", "--option", "bounds=-2:2", "--steps", "0").out
    assert "5 of 9 leaves looked at" in bounded


def test_options_of_an_algorithm(zerosum):
    ran = zerosum("trace", CHAPTER, "--algorithm", "alphabeta", "--option", "alpha=5", "--option", "fail_soft=off")
    assert ran.code == 0 and "alphabeta: value 5" in ran.out


# Files


def test_html_svg_and_json(zerosum, tmp_path):
    html, svg, steps = (tmp_path / name for name in ("out.html", "out.svg", "out.json"))
    arguments = ("--html", str(html), "--svg", str(svg), "--json", str(steps))
    ran = zerosum("trace", "--example", "alpha-beta-chapter-6", *arguments)
    assert (ran.code, ran.err) == (0, "")
    page = html.read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and "Reconstructed: The six drawings" in page
    assert svg.read_text(encoding="utf-8").startswith("<svg")
    found = json.loads(steps.read_text(encoding="utf-8"))
    assert (found["example"], found["value"], found["evaluated"]) == ("alpha-beta-chapter-6", 3, 7)
    assert found["topic"] == "alpha-beta pruning" and found["reconstructed"].startswith("The six drawings")
    assert [step["mark"] for step in found["steps"]] == [*"abcdef", "f"]
    assert found["pruned"] == [[1, 1], [1, 2]] and found["line_words"] == ["B", "3"]
    assert [event["words"] for event in found["events"] if event["kind"] == "alpha cut-off"] == [
        "Alpha cut-off below C: MIN gets 2 or less there, and MAX already has 3."
    ]
    assert Tree.from_json(json.dumps(found["tree"])).size == 13
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.html", "out.json", "out.svg"]


def test_json_on_stdout_is_nothing_but_json(zerosum):
    found = json.loads(zerosum("trace", CHAPTER, "--json", "-").out)
    assert found["algorithm"] == "alphabeta" and found["events"][0]["frames"] == [
        {"alpha": None, "beta": None, "pbv": None}
    ]
    report = json.loads(zerosum("trace", "--example", "backgammon-6-5", "--json", "-").out)
    assert "Every listed play is legal." in report["lines"]


# Bad input


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(A (B 3 12 8) (C 2 4 6)", "never closed"),
        ("(A (B 3 12 8)) 4)", "follows the end"),
        ("(A (B 3 twelve 8))", "line 1, column 9: 'twelve' is not a number"),
        ("(A (B 3 12 8) (C))", "line 1, column 15 (C): the node is empty"),
        ("(A (B 0.5: 3 0.4: 7) 4)", "0.5 + 0.4 add up to 0.9, not 1"),
        ("(A (B 0.5: 3 7) 4)", "has no probability"),
        ("(A (B nan 3))", "'nan'"),
        ('{"A": ["B"], "B": ["A"]}', "A → B → A is a cycle"),
        ('{"A": ["B", 3]}', "the mapping has no node with this name"),
        ('{"A": [3, "x" 4]}', "not JSON"),
        ("[[3, 12], [2, null]]", "None is neither a number"),
        ("[[3, 12], []]", "the node is empty"),
        ("()", "the node is empty"),
    ],
)
def test_trees_that_make_no_sense(zerosum, tree_file, text, expected):
    ran = zerosum("trace", text)
    assert expected in ran.complaint() and ran.out == ""
    path = tree_file(text)
    ran = zerosum("trace", path)
    assert expected in ran.complaint() and path in ran.complaint()


@pytest.mark.parametrize("option", ["", "--svg", "--html"])
def test_a_million_nodes_are_refused_at_once(zerosum, tree_file, tmp_path, option):
    inner = f"({' '.join(['1'] * 1000)})"
    path = tree_file(f"({' '.join([inner] * 1000)})")
    more = (option, str(tmp_path / "out")) if option else ()
    complaint = zerosum("trace", path, *more).complaint()
    assert f"{path}: the tree has 1,000,000 numbers and names, too many to draw" in complaint
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("option", ["--svg", "--html"])
def test_a_tree_that_is_searched_quickly_but_too_large_to_draw(zerosum, tmp_path, monkeypatch, option):
    monkeypatch.setattr("zerosum.classroom.drawing.layout.LARGEST", 10)
    complaint = zerosum("trace", CHAPTER, option, str(tmp_path / "out")).complaint()
    assert "has more than 10 nodes below its root, too many to draw" in complaint
    assert not (tmp_path / "out").exists()


def test_a_search_that_never_ends_is_stopped(zerosum, monkeypatch):
    monkeypatch.setattr("zerosum.cli.trace.MOST_STEPS", 1000)
    complaint = zerosum("trace", "tictactoe", "--depth", "9").complaint()
    assert "alphabeta takes more than 1,000 steps here: give a smaller depth" in complaint


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "zerosum trace --list"),
        (["--example", "alpha-beta-chapter-7"], "did you mean 'alpha-beta-chapter-6'?"),
        (["--example", "xyzzy"], "'xyzzy'; 'zerosum trace --list'"),
        (["tictacto"], "did you mean 'tictactoe'?"),
        (["nowhere.json"], "'nowhere.json' is neither a file"),
        (["nowhere/my_game.py"], "'nowhere/my_game.py'"),
        (
            ["tictactoe", "--algorithm", "alfabeta"],
            "'alfabeta'; did you mean 'alphabeta'? Choose from minimax, alphabeta",
        ),
        ([CHAPTER, "--branching", "3"], "--branching 3 is only for a random tree"),
        (["random", "--branching", "0"], "'0'"),
        (["random", "--branching", "9", "--depth", "9"], "too many"),
        (["tictactoe", "--depth", "-1"], "-1"),
        (["tictactoe", "--depth", "two"], "'two'"),
        (["tictactoe", "--steps", "-1"], "'-1'"),
        (["tictactoe", "--position", "xyz"], "'xyz'"),
        (["tictactoe", "--moves", "5 5"], "'5'"),
        (["tictactoe", "--order", "best"], "'tictactoe' is a game"),
        ([CHAPTER, "--order", "middle"], "'middle'"),
        ([CHAPTER, "--moves", "5"], "--moves '5' cannot be combined"),
        ([CHAPTER, "--position", "B"], "--position 'B' cannot be combined"),
        ([CHAPTER, "--set", "width=5"], "--set ['width=5'] cannot be combined"),
        ([CHAPTER, "--list"], "cannot be combined with --list"),
        ([CHAPTER, "--example", "two-dice"], "cannot be combined with --example 'two-dice'"),
        ([CHAPTER, "--option", "guess"], "'guess' is not NAME=on"),
        ([CHAPTER, "--option", "guess=5"], "'guess' is not an option of alphabeta"),
        ([CHAPTER, "--simulations", "9"], "--simulations 9 is not an option of alphabeta"),
        (
            [CHAPTER, "--algorithm", "mcts", "--depth", "3"],
            "--depth 3 is not an option of mcts; its options: --simulations, --seed, exploration, solver",
        ),
        ([CHAPTER, "--algorithm", "mcts", "--simulations", "0"], "'0'"),
        ([CHAPTER, "--option", "alpha=on"], "'alpha' must be a number"),
        ([COINS, "--algorithm", "star1", "--option", "bounds=3"], "'bounds' must be LOW:HIGH, as in -2:2"),
        ([CHAPTER, "--detail", "some"], "--detail 'some' is not one of brief, full"),
        ([CHAPTER, "--option", "fail_soft=1"], "'fail_soft' must be on or off"),
        ([CHAPTER, "--option", "alpha=nan"], "'alpha=nan'"),
        ([CHAPTER, "--html", "."], "--html '.' is a folder"),
        ([CHAPTER, "--svg", "nowhere/out.svg"], "the folder 'nowhere' does not exist"),
        ([COINS, "--algorithm", "alphabeta"], "chance"),
        (["pig", "--algorithm", "minimax"], "chance"),
        (["--example", "backgammon-6-5", "--svg", "out.svg"], "it has no tree to draw"),
        (["--example", "backgammon-6-5", "--algorithm", "pvs"], "it has no tree to search"),
    ],
)
def test_arguments_that_make_no_sense(zerosum, tmp_path, monkeypatch, arguments, expected):
    monkeypatch.chdir(tmp_path)
    ran = zerosum("trace", *arguments)
    assert expected in ran.complaint() and ran.out == ""
    assert not list(tmp_path.iterdir())


def test_too_many_steps(zerosum, monkeypatch):
    monkeypatch.setattr("zerosum.cli.trace.MOST_STEPS", 2_000)
    ran = zerosum("trace", CHAPTER, "--algorithm", "mcts", "--simulations", "99999")
    assert "mcts takes more than 2,000 steps here: give fewer" in ran.complaint() and ran.out == ""
