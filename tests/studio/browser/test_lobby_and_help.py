"""The lobby leads to every game and to recent games; keyboard, colours, accessibility and translation."""

from __future__ import annotations

import pytest
from stage import PHONE, Server, Table, visitor

from zerosum.games import GAMES

pytestmark = pytest.mark.slow

PILE = """from typing import NamedTuple
import zerosum as zs
class Pile(NamedTuple):
    stones: int
    turn: int
def moves(s):
    for n in (1, 2, 3):
        if n <= s.stones:
            yield n
game = zs.Game('five stones', Pile, lambda: Pile(5, 0), lambda s: s.turn, moves,
    lambda s, n: Pile(s.stones - n, 1 - s.turn), lambda s: -1 if s.turn == 0 else 1, 3, about='take the last one')
"""


def lobby(table):
    table.page.evaluate("location.hash = '#/'")
    table.page.wait_for_selector(".lobby .thumb svg")


def test_every_game_has_a_board_and_three_ways(table):
    lobby(table)
    page = table.page
    page.wait_for_function("count => document.querySelectorAll('.lobby .thumb svg').length === count", arg=len(GAMES))
    assert page.locator(".lobby .thumb svg.zs-board").count() == len(GAMES)
    titles = page.locator(".lobby h3").all_inner_texts()
    assert "Connect four" in titles and "Chess" in titles
    chess = page.locator(".lobby li", has=page.locator("h3", has_text="Chess"))
    assert chess.locator("a.button").all_inner_texts() == ["Play", "Analyse", "Learn"]
    chess.locator("a.button.main").click()
    page.wait_for_selector("[data-page=play] .title[data-game=chess]")
    assert page.evaluate("location.hash") == "#/chess/play"
    lobby(table)
    page.locator("[aria-label='Analyse Othello']").click()
    page.wait_for_selector("[data-page=analyse] .title[data-game=othello]")
    lobby(table)
    page.locator("[aria-label='Learn how Tictactoe is searched']").click()
    page.wait_for_selector("[data-page=classroom] [name=what]")
    assert page.input_value("[name=what]") == "tictactoe"


def test_your_own_game_comes_first_by_its_own_name(person, tmp_path):
    file = tmp_path / "my_file.py"
    file.write_text(PILE)
    server = Server(str(file))
    try:
        table = Table(person, server.address)
        assert table.page.inner_text(".title") == "Five stones"
        lobby(table)
        first = table.page.locator(".lobby li").first
        assert first.locator("h3").inner_text() == "Five stones" and "take the last one" in first.inner_text()
        assert "my_file" not in table.page.inner_text("main")
        table.page.click("[data-page=play]")
        table.page.click("[data-do=new]")
        assert "my_file" not in table.page.inner_text(".setup")
    finally:
        server.stop()


def test_recent_games_are_kept_and_taken_up(table):
    table.new_game("tictactoe", side="both")
    for place, cell in enumerate("14253"):
        table.point(cell)
        table.played(place)
    table.new_game("connect-four", side="both")
    table.point("4-1")
    table.played(0)
    lobby(table)
    page = table.page
    page.wait_for_selector(".recent .games .thumb svg")
    texts = page.locator(".recent .words").all_inner_texts()
    assert "Connect four" in texts[0] and "1 move, unfinished" in texts[0]
    assert "Tictactoe" in texts[1] and "X wins" in texts[1]
    page.locator(".recent .games button").first.click()
    page.wait_for_selector("[data-page=play] .moves button.move")
    assert table.moves == ["4"]
    lobby(table)
    page.locator(".recent .games button").nth(1).click()
    page.wait_for_function("() => document.querySelectorAll('[data-page=analyse] .moves button.move').length === 5")
    assert table.moves == ["1", "4", "2", "5", "3"]
    lobby(table)
    page.click("text=Clear list")
    page.reload()
    page.wait_for_selector(".lobby .thumb svg")
    assert not page.is_visible(".recent")


def test_a_board_that_arrives_late_does_not_lead_back(table):
    """Between a click on a link and the browser's event about it, news of the game before may arrive."""
    page = table.page
    page.evaluate("() => { studio.connection.on('board', (board) => { window.late = board; }); }")
    table.new_game("connect-four")
    page.wait_for_function("() => window.late && location.hash === '#/connect-four/play'")
    page.evaluate("() => { location.hash = '#/classroom'; studio.connection.tell('board', { ...late, id: 'hex' }); }")
    page.wait_for_selector("body[data-page=classroom]")
    assert page.evaluate("location.hash") == "#/classroom"


def test_help_and_colours_by_keyboard(table):
    page = table.page
    page.keyboard.press("?")
    assert "take back" in page.inner_text("dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog.small", state="detached")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.keyboard.press("t")
    assert page.evaluate("document.documentElement.dataset.theme") == "light" and page.evaluate(paper) == light
    page.keyboard.press("t")
    dark = page.evaluate(paper)
    assert dark != light
    page.reload()
    table.ready()
    assert page.evaluate(paper) == dark  # the choice is remembered
    page.evaluate("location.hash = '#/classroom'")
    page.click("text=Alpha-beta on the tree of chapter 6")
    page.frame_locator("iframe.lesson").locator("[data-do=next]").wait_for()
    lesson = page.frames[-1]
    lesson.wait_for_function("() => document.documentElement.dataset.theme === 'dark'")
    page.click(".switches .look")
    assert page.evaluate("document.documentElement.dataset.theme") == "auto" and page.evaluate(paper) == light


def test_a_chosen_colour_beats_the_system_s(browser, studio):
    with visitor(browser, color_scheme="dark") as context:
        table = Table(context, studio.address)
        paper = "getComputedStyle(document.body).backgroundColor"
        dark = table.page.evaluate(paper)
        table.page.click(".switches .look")
        assert table.page.evaluate(paper) != dark


def test_who_wants_no_motion_gets_none(table):
    """The browser contexts of these tests request reduced motion."""
    moving = "[...document.querySelectorAll('*')].filter(one => one.getAnimations().length).length"
    table.new_game("chess", side="both")
    table.point("e2")
    table.point("e4")
    assert table.page.evaluate(moving) == 0
    assert table.page.evaluate("getComputedStyle(document.querySelector('.gauge .part')).transitionDuration") == "0s"


def test_moves_are_announced(table):
    page = table.page
    table.new_game("chess", side="first")
    table.point("e2")
    table.point("e4")
    table.played(1)
    table.my_turn()
    said = page.inner_text(".announce")
    assert table.moves[1] in said and "Your turn" in said
    assert page.get_attribute(".announce", "aria-live") == "polite"


def test_a_game_by_keyboard_alone(table):
    table.new_game("tictactoe", side="both")
    page = table.page
    page.evaluate("document.activeElement.blur()")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.cell')"):
            break
    ring = page.locator(".focus-ring").bounding_box()
    cell = page.locator(".cell:focus").bounding_box()
    assert abs(ring["width"] - cell["width"]) < 8 and abs(ring["x"] - cell["x"]) < 8
    for keys in (["Enter"], ["ArrowDown", "Enter"], ["ArrowUp", "ArrowRight", "Enter"], ["ArrowDown", "Enter"]):
        before = len(table.moves)
        for key in keys:
            page.keyboard.press(key)
        table.played(before)
    for key in ("ArrowUp", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector(".turn.over")
    assert table.cells("won") == ["1", "2", "3"]


@pytest.mark.parametrize("width", [320, 390])
def test_the_evaluation_is_above_the_fold_on_phones(browser, studio, width):
    with visitor(browser, viewport={"width": width, "height": 640}) as context:
        table = Table(context, studio.address)
        table.page.evaluate("location.hash = '#/connect-four/analyse'")
        table.page.wait_for_selector("[data-page=analyse] .lines li")
        table.page.evaluate("scrollTo(0, 0)")
        bar = table.page.locator(".gauge").bounding_box()
        assert bar["y"] + bar["height"] < 640 and bar["width"] > 200
        assert table.page.get_attribute(".gauge", "aria-valuetext") not in (None, "", "not evaluated yet")


def test_long_names_do_not_overflow(browser, studio):
    name = "Wolfeschlegelsteinhausenbergerdorff der Ältere"[:40]
    with visitor(browser, viewport={**PHONE, "width": 320}) as context:
        table = Table(context, studio.address)
        page = table.page
        page.click("[data-do=new]")
        page.fill(".setup [name=person]", name)
        page.click(".setup button[type=submit]")
        page.wait_for_selector(".setup", state="hidden")
        page.wait_for_function("name => document.body.textContent.includes(name)", arg=name)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        box = page.locator(".player.below .who").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 320


def test_the_page_speaks_another_language(browser, studio):
    """One file translates fixed phrases, phrases with inserted values, and labels for screen readers."""
    words = {
        "Play": "Spielen",
        "Your turn ({})": "Du bist dran: {}",
        "Keyboard shortcuts": "Tasten",
        "No moves yet.": "Noch kein Zug.",
    }

    def german(route):
        text = route.fetch().text().replace('LANGUAGE = "en"', 'LANGUAGE = "de"')
        for phrase, translation in words.items():
            text = text.replace(f'  "{phrase}": "{phrase}",', f'  "{phrase}": "{translation}",')
        route.fulfill(body=text, content_type="text/javascript")

    with visitor(browser) as context:
        context.route("**/app.js", german)  # the bundle contains texts.js
        table = Table(context, studio.address)
        page = table.page
        page.wait_for_function("() => document.querySelector('.turn').textContent === 'Du bist dran: X'")
        assert page.inner_text("nav [data-page=play]") == "Spielen" and page.inner_text(".moves") == "Noch kein Zug."
        assert page.get_attribute(".switches button:last-child", "aria-label") == "Tasten"
        assert page.get_attribute("html", "lang") == "de"
