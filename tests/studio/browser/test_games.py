"""Every game can be played to its end by clicking, and the page shows what happens."""

from __future__ import annotations

import pytest
from stage import PHONE, Table, visitor

import zerosum as zs
from zerosum.game import MAX
from zerosum.games import GAMES

pytestmark = pytest.mark.slow

# Small boards, or positions near the end, so that games are short.
SOON_OVER = {
    "tictactoe": {},
    "connect-four": {"width": 4, "height": 4, "k": 3},
    "kalah": {"pits": 3, "seeds": 2},
    "nim": {},
    "hex": {"size": 3},
    "pig": {"target": 12},
    "othello": {"position": "X" * 26 + "OOOO" + "X" * 6 + "O" * 20 + "--OOOO-X X"},
    "chess": {"position": "7k/8/5K2/8/8/8/8/6R1 w - - 0 1"},
    "checkers": {"position": "B:W24:B15,K11"},
    "backgammon": {},
    "morris": {"position": "wwwbbb.................. 0 0 w"},
}


def bearing_off() -> str:
    """Backgammon with two checkers left on each side."""
    from zerosum.games.backgammon.position import Position, packed

    side = packed([(0, 13), (1, 1), (3, 1)])
    return zs.load("backgammon").format_state(Position(*side, *side, MAX, 0))


def test_every_game_of_the_table_is_played_here():
    assert set(SOON_OVER) == set(GAMES)


@pytest.mark.parametrize("name", [name for name in GAMES if name != "chess"])
def test_a_whole_game_by_mouse(table, name):
    wish = dict(SOON_OVER[name])
    if name == "backgammon":
        wish["position"] = bearing_off()
    table.new_game(name, **wish)
    before = table.on_board()
    table.play_to_the_end()
    assert table.page.is_visible(".turn.over") and table.status
    assert table.moves and table.on_board() != before
    table.picture(f"end of {name}")


def test_chess_is_won_by_mouse(table):
    """The rook mates in two; the engine has only one reply."""
    table.new_game("chess", **SOON_OVER["chess"])
    for start, end in (("f6", "f7"), ("g1", "h1")):
        assert table.my_turn()
        table.point(start)
        assert table.cells("selected") == [start] and end in table.cells("target")
        before = len(table.moves)
        table.point(end)
        table.played(before)
    assert not table.my_turn()
    assert "White wins" in table.status
    assert table.moves == ["Kf7", "Kh7", "Rh1#"]
    assert "white rook" in table.on_board()["h1"] and "white" not in table.on_board()["g1"]


def test_a_whole_game_of_chess_from_the_start(table):
    """Arbitrary moves against an engine that takes what it can: the game ends with mate or a draw."""
    table.new_game("chess")
    table.play_to_the_end(most=400)
    assert len(table.moves) > 10 and table.page.is_visible(".turn.over")
    assert any(word in table.status for word in ("wins", "draw", "Draw"))
    table.picture("end of chess")


def test_a_piece_can_be_dragged(table):
    table.new_game("chess", side="both")
    page = table.page
    start, end = (page.locator(f"[data-cell={cell}]").bounding_box() for cell in ("e2", "e4"))
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(end["x"] + 30, end["y"] + 10, steps=5)
    assert page.is_visible(".dragged")
    page.mouse.up()
    table.played(0)
    assert table.moves == ["e4"] and "white pawn" in table.on_board()["e4"]


def test_a_pawn_asks_what_to_become(table):
    table.new_game("chess", "8/P6k/8/8/8/8/8/K7 w - - 0 1", side="both")
    table.point("a7")
    table.point("a8")
    offered = table.page.locator(".choose button").all_inner_texts()
    assert {text.strip("+")[-1] for text in offered} == set("QRBN")
    table.picture("promotion")
    table.page.click(".choose button:has-text('N')")
    table.played(0)
    assert "white knight" in table.on_board()["a8"]
    assert not table.page.locator(".choose button").count()


def test_castling_by_the_rook(table):
    table.new_game("chess", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", side="both")
    table.point("e1")
    table.point("h1")
    table.played(0)
    assert "white king" in table.on_board()["g1"] and "white rook" in table.on_board()["f1"]


def test_a_double_jump_square_by_square(table):
    table.new_game("checkers", "B:W11,18,27,28:B8,2", side="both")
    table.point("8")
    assert table.cells("target") == ["15"]
    table.point("15")
    table.played(0)
    board = table.on_board()
    assert "black man" in board["22"] and "man" not in board["11"] + board["18"] + board["8"]
    table.picture("double jump")


def test_a_choice_of_jumps_is_made_by_the_square_where_they_part(table):
    """Two double jumps start alike: more cells are needed until one is left."""
    table.new_game("checkers", "B:W11,18,19,32:B8", side="both")
    table.point("8")
    table.point("15")
    assert not table.moves and sorted(table.cells("target")) == ["22", "24"]
    table.point("24")
    table.played(0)
    board = table.on_board()
    assert "black man" in board["24"] and "white" in board["18"] and "white" not in board["11"] + board["19"]


def test_dice_are_thrown_and_seen(table):
    table.new_game("backgammon", side="first")
    dice = table.on_board()["dice-max"]
    assert sum(f"a {face}" in dice for face in range(1, 7)) >= 1
    table.any_move()
    assert len(table.moves) >= 2  # the roll, and the play
    table.picture("backgammon")


def test_pig_shows_the_die(table):
    table.new_game("pig")
    table.point("roll")
    table.played(0)
    assert table.my_turn()
    assert "die" in table.on_board()["die"]


def test_either_checker_of_a_roll_may_go_first(table):
    game = zs.load("backgammon")
    s = game.play(game.initial(), 31)
    table.new_game("backgammon", game.format_state(s), side="both")
    for cell in ("6", "5", "8", "5"):
        table.point(cell)
    table.page.wait_for_selector(".moves button.move:has-text('8/5 6/5')")
    assert "2 white checkers" in table.on_board()["5"]


def test_a_pass_is_a_button(table):
    table.new_game("othello", "XO" + 25 * "-" + "OO---" + "---OO---" + 24 * "-" + " O", side="both")
    assert not table.cells("start")
    table.page.click(".choose button:has-text('pass')")
    table.played(0)
    assert table.moves == ["pass"] and "Black" in table.status


def test_by_keyboard_alone(table):
    """From the dialog to the last move without a mouse."""
    page = table.page
    page.keyboard.press("n")
    page.wait_for_selector(".setup[open]")
    page.focus(".setup select[name=game]")
    page.keyboard.type("tictactoe")
    tab_to(page, "[type=submit]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".setup", state="hidden")
    for _ in range(9):
        if not table.my_turn():
            break
        before = len(table.moves)
        tab_to(page, ".cell")
        wanted = table.cells("start")
        # Go to the upper left corner, then row by row to a free cell.
        for key in ("ArrowUp", "ArrowUp", "ArrowLeft", "ArrowLeft"):
            page.keyboard.press(key)
        for _ in range(3):
            for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowDown"):
                if page.evaluate("document.activeElement.dataset.cell") not in wanted:
                    page.keyboard.press(key)
        page.keyboard.press("Enter")
        table.played(before)
    assert page.is_visible(".turn.over")


def tab_to(page, selector):
    """Press Tab until an element that matches has the focus."""
    for _ in range(60):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached by keyboard")


def test_by_touch_on_a_phone(browser, studio):
    with visitor(browser, viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2) as context:
        table = Table(context, studio.address, touch=True)
        table.new_game("connect-four", width=4, height=4, k=3)
        table.play_to_the_end()
        assert table.page.is_visible(".turn.over")
        wide = table.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= PHONE["width"], f"the page is {wide} px wide"
        table.picture("phone by touch")
