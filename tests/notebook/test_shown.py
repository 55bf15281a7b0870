"""How a notebook displays games, lines, results and standings."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

import zerosum as zs
from zerosum.arena.standings import Standings
from zerosum.board import PAINTS
from zerosum.formats.record import GameRecord
from zerosum.notebook import styles
from zerosum.studio.bundling import asset, bundle


def parsed(shown: str) -> ElementTree.Element:
    """Check that markup is well formed: every element is closed and properly nested."""
    return ElementTree.fromstring(shown)


def words(shown: str) -> str:
    return " ".join(" ".join(parsed(re.sub(r"<style>.*?</style>", "", shown, flags=re.DOTALL)).itertext()).split())


@pytest.mark.parametrize("name", ["chess", "hex", "kalah", "nim", "tictactoe"])
def test_a_game_shows_its_board_and_what_it_is(name):
    game = zs.load(name)
    shown = game._repr_html_()
    assert game.name in words(shown) and game.about in words(shown)
    assert '<svg xmlns="http://www.w3.org/2000/svg" class="zs-board"' in shown


def test_a_line_shows_its_moves_the_last_one_marked_and_who_is_to_move():
    line = zs.Line.parse(zs.load("chess"), "e4 e5 Nf3")
    shown = line._repr_html_()
    assert words(shown).endswith("Black to move e4 e5 Nf3")
    assert shown.count('class="touched"') == 2


def test_a_castling_is_marked_though_the_king_is_not_where_it_was():
    line = zs.Line.parse(zs.load("chess"), "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O")
    cells = re.findall(r'data-cell="(\w+)">(?:(?!</g>).)*touched', line._repr_html_())
    assert sorted(cells) == ["e1", "g1"]


def test_a_finished_game_says_who_has_won():
    game = zs.load("tictactoe")
    assert "X wins" in words(zs.Line.parse(game, "1 4 2 5 3")._repr_html_())


def test_a_game_without_a_board_is_shown_as_its_text():
    game = zs.load("pig").with_(layout=None, pieces=None, path=None)
    assert "<pre>" in zs.Line(game)._repr_html_()


def test_names_cannot_break_out_of_their_place():
    game = zs.load("tictactoe").with_(name="<b>&", about="</div><script>")
    assert "<script>" not in game._repr_html_() and "<b>& : X" in words(game._repr_html_())


def test_a_result_knows_its_position_and_shows_board_value_and_line():
    game = zs.load("tictactoe")
    result = zs.Engine(game, jit=False).search(game.parse_state("xx.oo...."), depth=3)
    assert words(result._repr_html_()).startswith("X wins in 1 ply 3 depth")
    assert repr(result).startswith("<Result: X wins in 1 ply; 3; depth")
    assert result.position is not None and result.position.state == game.parse_state("xx.oo....")


def test_several_lines_are_a_table():
    game = zs.load("tictactoe")
    result = zs.Engine(game, jit=False).search(game.parse_state("xx.oo...."), depth=3, multipv=2)
    assert len(parsed(result._repr_html_()).findall(".//tbody/tr")) == 2


def test_results_are_equal_and_travel_without_their_positions():
    game = zs.load("tictactoe")
    result = zs.Engine(game, jit=False).search(game.initial(), depth=1)
    there = pickle.loads(pickle.dumps(result))
    assert there == result and there.position is None
    assert "5" in repr(result) and "4" in repr(there), "without a position moves are numbers"
    assert "4" in words(there._repr_html_())


def test_standings_show_their_table():
    games = [GameRecord(number, "<a>", "b", 2 - number, "rules", "", "", ()) for number in (1, 2)]
    standings = Standings(["<a>", "b"], games)
    assert "<a> 2 1 1 0 75.0 %" in words(standings._repr_html_())
    assert re.search(r"1 +<a> +2 +1 +1 +0 +75.0 %", repr(standings))


def test_every_paint_has_a_colour_by_day_and_by_night_wherever_it_is_shown():
    for sheet in (styles.in_page("theme.css", "board.css"), styles.in_widget("theme.css", "board.css")):
        for paint in (*(f"--board-{paint}" for paint in PAINTS), "--ink", "--paper", "--max"):
            assert sheet.count(f"{paint}:") >= 2, paint
        assert ":root" not in sheet, "a notebook's own page keeps its colours"


def test_dark_rules_are_dark():
    sheet = styles.in_page("theme.css")
    dark = re.search(r'data-jp-theme-light="false"\][^{]*\{([^}]*)\}', sheet)
    light = re.search(r'data-jp-theme-light="true"\][^{]*\{([^}]*)\}', sheet)
    assert dark and light and "--paper: #15181c" in dark[1] and "--paper: #fbfaf7" in light[1]


def test_whatever_the_studio_draws_on_a_board_has_its_look_in_a_notebook_too():
    sheet = styles.in_widget(*styles.of_boards())
    drawn = set(re.findall(r'"([\w-]*ring|dot|light-up)"', asset("board.js")))
    assert {"dot", "light-up", "last-ring"} <= drawn
    assert not [name for name in drawn if f".zs-board .{name} {{" not in sheet]


@pytest.mark.parametrize(
    ("text", "exports"),
    [(styles.module("board_view.js"), 1), (styles.module("stepper_view.js"), 1), (bundle("app.js"), 0)],
    ids=["board", "stepper", "studio"],
)
def test_a_bundle_is_one_module_whose_parts_have_what_they_import(text, exports):
    assert (
        not re.search(r"^import ", text, re.MULTILINE) and len(re.findall(r"^export ", text, re.MULTILINE)) == exports
    )
    for names, module in re.findall(r"^const \{([^}]*)\} = (zs_\w+);", text, re.MULTILINE):
        returned = re.search(
            rf"const {module} = \(\(\) => \{{\n(.*?)\nreturn \{{ ([^}}]*) \}};\n\}}\)\(\);", text, re.DOTALL
        )
        assert returned
        for one in names.split(","):
            name = one.split(":")[0].strip()
            assert name in returned[2]
            assert re.search(rf"^(?:const|let|function|class|async function) {name}\b", returned[1], re.MULTILINE)


def test_to_look_at_a_board_loads_neither_numpy_nor_numba():
    code = (
        "import sys, zerosum as zs\n"
        "shown = zs.Line(zs.load('tictactoe'))._repr_html_()\n"
        "print(sorted({'numpy', 'numba', 'anywidget', 'starlette'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
