"""The page keeps its game, is separate from other tabs, and is accessible."""

from __future__ import annotations

import json

import pytest
from stage import DESKTOP, PHONE, Server, Table, axe_core, visitor

pytestmark = pytest.mark.slow

# Each page, and a selector that matches once it is complete.
PAGES = {
    "": ".lobby .thumb svg",
    "play": ".board svg",
    "analyse": ".lines li",
    "tree": ".outline [role=treeitem]",
    "classroom": ".shelf li",
    "classroom/trace": "iframe.lesson",
    "classroom/evaluate": ".room table",
    "classroom/quiz": ".questions li",
    "classroom/ladder": "#other form",
    "arena": "#other form",
    "training": "#other form",
}


def start_of_chess(table):
    table.new_game("chess")
    for start, end in (("e2", "e4"), ("g1", "f3")):
        before = len(table.moves)
        table.point(start)
        table.point(end)
        table.played(before + 1)
        table.my_turn()
    return table.moves, table.on_board()


def test_a_reload_keeps_the_game(table):
    moves, board = start_of_chess(table)
    table.page.reload()
    table.ready()
    table.my_turn()
    assert table.moves == moves and table.on_board() == board
    table.any_move()
    assert table.moves[: len(moves)] == moves and len(table.moves) > len(moves)


def test_a_page_opens_its_game_once(person, studio):
    """If it did so twice, the second answer would undo what its user does after the first."""
    asked = []
    page = person.new_page()
    page.on("websocket", lambda socket: socket.on("framesent", lambda text: asked.append(json.loads(text)["do"])))
    page.goto(f"{studio.address}#/chess/analyse")
    page.wait_for_selector(".lines li")
    assert asked[:3] == ["hello", "open", "analyse"] and asked.count("open") == 1


def test_a_restart_of_the_server_keeps_the_game(person):
    server = Server()
    try:
        table = Table(person, server.address)
        moves, board = start_of_chess(table)
        server.stop()
        table.page.wait_for_selector("body[data-connection=lost]")
        assert "Trying again" in table.page.inner_text(".connection")
        table.picture("disconnected")
        server.start()
        table.page.wait_for_selector("body[data-connection=open]")
        table.page.wait_for_selector(".cell.start")
        assert table.moves == moves and table.on_board() == board
        table.any_move()
        assert len(table.moves) > len(moves)
    finally:
        server.stop()


def test_two_tabs_do_not_mix(person, studio):
    one, two = Table(person, studio.address), Table(person, studio.address, seed=2)
    one.new_game("tictactoe", side="both")
    two.new_game("connect-four", side="both")
    one.point("5")
    one.played(0)
    two.point("4-1")
    two.played(0)
    one.point("1")
    one.played(1)
    assert one.moves == ["5", "1"] and two.moves == ["4"]
    one.page.reload()
    one.ready()
    one.my_turn()
    assert one.moves == ["5", "1"]
    assert two.page.inner_text(".title") == "Connect four"


def test_undo_hint_and_resign(table):
    table.new_game("tictactoe", side="both")
    table.point("5")
    table.played(0)
    table.page.click("[data-do=undo]")
    table.page.wait_for_function("() => !document.querySelector('.moves button.move')")
    assert "X" not in table.on_board()["5"].split(", ")
    table.page.click("[data-do=hint]")
    table.page.wait_for_selector(".arrows .hint")
    table.page.click("[data-do=resign]")
    table.page.click("dialog.small >> text=Keep playing")
    assert not table.is_over
    table.page.click("[data-do=resign]")
    table.page.click("dialog.small button.main")
    table.page.wait_for_selector(".turn.over")
    assert "resign" in table.status


@pytest.mark.parametrize(
    ("game", "position", "words"),
    [("chess", "rubbish", "rubbish"), ("tictactoe", "xxxxxxxxx", "xxxxxxxxx"), ("checkers", "W:W99:B1", "99")],
)
def test_a_position_that_is_none_is_said_to_be_none(table, game, position, words):
    """The dialog stays open and shows the error; the previous game continues."""
    table.new_game("tictactoe", side="both")
    table.point("5")
    table.played(0)
    page = table.page
    page.click("[data-do=new]")
    page.select_option(".setup select[name=game]", game)
    page.fill(".setup input[name=position]", position)
    page.click(".setup button[type=submit]")
    page.wait_for_function("() => document.querySelector('.setup .problem').textContent")
    assert words in page.inner_text(".setup .problem")
    page.click(".setup [data-do=cancel]")
    page.wait_for_selector(".moves button.move:has-text('5')")
    table.my_turn()
    assert page.inner_text(".title") == "Tictactoe" and table.moves == ["5"]


def test_your_own_game_with_and_without_a_board(person, tmp_path):
    rules = (
        "from typing import NamedTuple\nimport zerosum as zs\n"
        "class Pile(NamedTuple):\n    stones: int\n    turn: int\n"
        "def moves(s):\n    for n in (1, 2, 3):\n        if n <= s.stones:\n            yield n\n"
        "game = zs.Game('pile', Pile, lambda: Pile(5, 0), lambda s: s.turn, moves,\n"
        "    lambda s, n: Pile(s.stones - n, 1 - s.turn), lambda s: -1 if s.turn == 0 else 1, 3)\n"
    )
    board = (
        "from zerosum.board import Cell, Layout, Piece, circle\n"
        "game = game.with_(\n"
        "    layout=lambda: Layout(50, 10, tuple(Cell(str(n), circle(10 * n + 5, 5, 4, 'light')) for n in range(5)),\n"
        "        {'stone': (circle(0, 0, 45, 'black'),)}, size=7),\n"
        "    pieces=lambda s: [Piece(str(n), 'stone', 'stone') for n in range(s.stones)],\n"
        "    path=lambda s, n: (str(s.stones - n),))\n"
    )
    plain, drawn, broken = tmp_path / "plain.py", tmp_path / "drawn.py", tmp_path / "broken.py"
    plain.write_text(rules)
    drawn.write_text(rules + board)
    broken.write_text("import zerosum\n\n1 / 0\n")
    server = Server(str(plain), str(drawn), str(broken))
    try:
        table = Table(person, server.address)
        assert table.page.inner_text(".title") == "Pile"
        assert "stones 5" in table.page.inner_text(".board pre")
        assert table.page.locator(".choose button").all_inner_texts() == ["1", "2", "3"]
        table.play_to_the_end()
        assert "stones 0" in table.page.inner_text(".board pre")
        table.new_game("drawn.py")
        assert sum("stone" in label for label in table.on_board().values()) == 5
        table.play_to_the_end()
        assert not any("stone" in label for label in table.on_board().values())
        page = table.page
        page.click("[data-do=new]")
        page.select_option(".setup select[name=game]", "broken.py")
        page.click(".setup button[type=submit]")
        page.wait_for_function("() => document.querySelector('.setup .problem').textContent")
        assert "line 3" in page.inner_text(".setup .problem")
    finally:
        server.stop()


SIZES = {"desktop": DESKTOP, "phone": PHONE, "small": {"width": 320, "height": 640}}


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("device", SIZES)
def test_every_page_can_be_read_by_everybody(browser, studio, device, look):
    """axe-core reports nothing, nothing is wider than the screen, and screenshots are saved."""
    size, script = SIZES[device], axe_core()
    with visitor(browser, viewport=size, color_scheme=look) as context:
        table = Table(context, studio.address)
        table.new_game("chess", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", side="both")
        page, faults = table.page, {}

        def look_at(name):
            table.picture(f"{name} {device} {look}")
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], name
            faults[name] = violations(page, script)

        for name, complete in PAGES.items():
            page.evaluate("page => { location.hash = page; }", f"#/{name}")
            page.wait_for_selector(f"body[data-page={name.partition('/')[0] or 'lobby'}] {complete}")
            look_at(name.replace("/", " ") or "lobby")
        page.evaluate("location.hash = '#/analyse'")
        for tab in ("review", "explorer", "editor", "share"):
            page.click(f"[data-tab={tab}]")
            look_at(tab)
        page.evaluate("location.hash = '#/play'")
        page.click("[data-do=new]")
        look_at("new game")
        page.keyboard.press("Escape")
        page.keyboard.press("?")
        look_at("help")
        assert {name: found for name, found in faults.items() if found} == {}


def violations(page, script):
    """The violations that axe-core reports: the rule, and some of the elements."""
    page.evaluate(script)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [(rule["id"], [node["target"] for node in rule["nodes"]][:3]) for rule in found]


def test_axe_would_find_something(table):
    """It reports an image without alternative text."""
    script = axe_core()
    table.page.evaluate("document.body.append(document.createElement('img'))")
    assert "image-alt" in [rule for rule, _ in violations(table.page, script)]
