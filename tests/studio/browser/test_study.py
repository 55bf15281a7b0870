"""Studying a game in a real browser: variations, drawings, review, explorer, board editor, links, files."""

from __future__ import annotations

import re

import pytest
from stage import Server, Table, axe_core, visitor
from test_navigation import analyse
from test_pages import violations

pytestmark = pytest.mark.slow

GAME = """[White "Anna"]
[Black "Otto"]
[Site "Vienna"]

1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 { develops } 3. Bb5 a6 1-0"""
KEPT = ('[White "Anna"]', '[Black "Otto"]', '[Site "Vienna"]', "(1... c5 2. Nf3)", "{ develops }", "3. Bb5 a6 1-0")
COPIED = {"position": "rnbqkbnr/pp1ppppp", "game": "(1... c5 2. Nf3)", "link": "#/chess/analyse?moves=e4+c5"}
PLAYED = """[Result "1-0"]

1. e4 e5 1-0

[Result "0-1"]

1. e4 c5 0-1

[Result "1-0"]

1. d4 d5 1-0
"""


def go_to(page, move):
    page.click(f".moves button.move:has-text('{move}')")
    page.wait_for_function(
        "text => studio.record.here.text === text && studio.navigation.told === studio.record.here", arg=move
    )


def saved(page):
    """The text of the downloaded file."""
    with page.expect_download() as download:
        page.click("[data-do=save]")
    with open(download.value.path(), encoding="utf-8") as file:
        return file.read()


def middle(page, cell):
    page.locator(f"[data-cell='{cell}']").scroll_into_view_if_needed()
    box = page.locator(f"[data-cell='{cell}']").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, start, end, button="right"):
    page.mouse.move(*middle(page, start))
    page.mouse.down(button=button)
    page.mouse.move(*middle(page, end))
    page.mouse.up(button=button)


def test_variations_are_promoted_commented_and_deleted(table):
    page = analyse(table, "chess", GAME)
    go_to(page, "c5")
    page.fill("[name=comment]", "the Sicilian")
    page.click("[data-do=promote]")
    page.wait_for_function("() => studio.record.main[1].text === 'c5'")
    assert page.inner_text(".moves .comment >> nth=0") == "the Sicilian"
    page.reload()  # variations survive a reload
    page.wait_for_selector(".moves button.move:has-text('c5')")
    assert page.evaluate("studio.record.main[1].comment") == "the Sicilian"
    go_to(page, "e5")
    page.click("[data-do=delete]")
    page.wait_for_function("() => studio.record.here.text === 'e4'")
    assert table.moves == ["e4", "c5", "Nf3"]


def test_arrows_and_circles_are_drawn_and_kept_with_their_move(table):
    page = analyse(table, "chess", GAME)
    go_to(page, "e4")
    drag(page, "g8", "f6")
    drag(page, "e5", "e5")
    assert page.locator(".arrows .drawn").count() == 2
    page.keyboard.down("Shift")
    drag(page, "d7", "d5", "left")
    page.keyboard.up("Shift")
    assert page.locator(".arrows .arrow.drawn").count() == 2
    assert page.evaluate("studio.record.here.text") == "e4"  # no move was made
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => !document.querySelector('.arrows .drawn')")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".arrows .ring.drawn")
    assert "[%csl Ge5] [%cal Gg8f6,Gd7d5]" in saved(page)
    drag(page, "e5", "e5")  # drawing or clicking again removes it
    page.wait_for_function("() => !document.querySelector('.arrows .ring')")
    page.focus("[data-cell=a1]")
    page.keyboard.press("d")
    page.keyboard.press("d")
    page.wait_for_selector(".arrows .ring.drawn")
    page.click("[data-do=erase]")
    page.wait_for_function("() => !document.querySelector('.arrows .drawn')")


def test_a_download_keeps_the_whole_game(table):
    page = analyse(table, "chess", GAME)
    go_to(page, "e4")
    text = saved(page)
    for part in (
        '[White "Anna"]',
        '[Black "Otto"]',
        '[Site "Vienna"]',
        "(1... c5 2. Nf3)",
        "{ develops }",
        "3. Bb5 a6 1-0",
    ):
        assert part in text
    assert "%eval" not in text
    page.wait_for_function("() => studio.record.here.evaluation")
    page.click("#tab-share")
    page.check("[name=values]")
    assert re.search(r"1\. e4 \{ \[%eval -?\d", saved(page))


def test_a_review_marks_moves_and_jumps_from_mistake_to_mistake(table):
    page = analyse(table, "tictactoe", "1 5 2 9 3")
    page.click("[data-do=review]")
    page.wait_for_selector("table.sides:not([hidden])")
    assert page.locator(".moves .mark.blunder").count() >= 1
    assert "accuracy" in page.inner_text("table.sides") and "luck" not in page.inner_text("table.sides")
    page.click("[data-do=mistake-on]")
    page.wait_for_function("() => studio.record.here.judged?.mark === '??'")
    assert "Best was" in page.inner_text("#panel-review .better")
    best = page.inner_text("#panel-review .better .move")
    page.click("#panel-review .better .move")
    page.wait_for_function("text => studio.record.here.text === text", arg=best)
    page.wait_for_selector(".moves .variation")


def test_a_review_of_a_game_with_dice_tells_the_luck(table):
    page = analyse(table, "pig", "roll 6 roll 5 hold")
    page.click("[data-do=review]")
    page.wait_for_selector("table.sides:not([hidden]) tr:has-text('luck')")


def test_a_board_is_edited(table):
    page = analyse(table, "chess", GAME)
    page.click("#tab-editor")
    page.click("[data-do=edit-clear]")
    for glyph, cell in (("white-king", "e1"), ("white-queen", "d1"), ("black-king", "e8"), ("black-pawn", "a2")):
        page.click(f".tool[data-glyph={glyph}]")
        table.point(cell)
    table.point("a2")  # drawing or clicking again removes it
    page.select_option("#turn", "1")
    page.click("[data-do=edit-done]")
    page.wait_for_function("() => studio.position?.position === '4k3/8/8/8/8/8/8/3QK3 b - - 0 1'")
    assert sum("king" in label for label in table.on_board().values()) == 2
    page.click("#tab-editor")
    page.click("[data-do=edit-clear]")
    page.click("[data-do=edit-done]")
    page.wait_for_selector("#panel-editor .problem:has-text('White has no king')")
    page.click("#tab-review")
    page.wait_for_selector("[data-cell=d1][aria-label*=queen]")
    analyse(table, "kalah", "3")
    assert page.locator("#tab-editor").is_hidden()


def test_a_position_read_directly_after_a_link_leaves_the_way_back(person, studio):
    """Directly: before the address of the first position has been brought up to date."""
    page = person.new_page()

    def never_settle(route):
        script = route.fetch()
        assert "SETTLED = 120;" in script.text()
        route.fulfill(response=script, body=script.text().replace("SETTLED = 120;", "SETTLED = 1e9;"))

    page.route("**/app.js", never_settle)
    page.goto(f"{studio.address}#/chess/analyse?moves=e4")
    page.wait_for_selector("[data-cell=e4][aria-label*=pawn]")
    page.fill("#position", "8/8/8/3k4/8/3K4/3Q4/8 w - - 0 1")
    page.click("[data-do=read]")
    page.wait_for_selector("[data-cell=d2][aria-label*=queen]")
    page.evaluate("studio.settled()")
    page.wait_for_function("() => location.hash.includes('3Q4')")
    page.go_back()
    page.wait_for_selector("[data-cell=e4][aria-label*=pawn]")


def test_links_carry_game_position_and_moves_and_the_back_button_works(table):
    page = table.page
    page.goto(f"{table.address}#/connect-four/analyse?set.width=5&set.height=4&set.k=3&moves=3+3+2")
    page.wait_for_function("() => studio.record.path.length === 3")
    assert table.moves == ["3", "3", "2"] and page.locator("[data-cell]").count() == 20
    page.goto(f"{table.address}#/chess/analyse?fen=4k3%2F8%2F8%2F8%2F8%2F8%2F8%2F3QK3+w+-+-+0+1&moves=Qd7%2B")
    page.wait_for_selector("[data-cell=d7][aria-label*=queen]")
    page.wait_for_function("() => location.hash.includes('Qd7')")
    page.fill("#position", "8/8/8/3k4/8/3K4/3Q4/8 w - - 0 1")
    page.click("[data-do=read]")
    page.wait_for_function("() => location.hash.includes('3Q4')")
    page.go_back()
    page.wait_for_selector("[data-cell=d7][aria-label*=queen]")
    page.go_forward()
    page.wait_for_selector("[data-cell=d2][aria-label*=queen]")
    page.go_back()
    page.go_back()
    page.wait_for_function("() => studio.record.setup.game === 'connect-four' && studio.record.path.length === 3")


def test_positions_games_and_links_are_copied(person, studio):
    person.grant_permissions(["clipboard-read", "clipboard-write"], origin=studio.address.rstrip("/"))
    table = Table(person, studio.address)
    page = analyse(table, "chess", GAME)
    go_to(page, "c5")
    page.click("#tab-share")
    for what, part in COPIED.items():
        page.click(f"[data-do=copy-{what}]")
        page.wait_for_selector(f".copied:has-text('{what}')")
        assert part in page.evaluate("navigator.clipboard.readText()")


def test_the_explorer_counts_games_and_names_openings(person, tmp_path):
    file = tmp_path / "some.pgn"
    file.write_text(PLAYED)
    server = Server(str(file))
    try:
        table = Table(person, server.address)
        page = analyse(table, "chess", "1. e4 c5 *")
        page.click("#tab-explorer")
        page.wait_for_selector("#panel-explorer tr:has-text('e4')")
        assert "2" in page.inner_text("#panel-explorer tr:has-text('e4') td")
        page.click("#panel-explorer button:has-text('e4')")
        page.wait_for_selector("#panel-explorer tr:has-text('c5')")
        assert page.inner_text(".opening") == "King's Pawn"
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(".opening:has-text('Sicilian Defence')")
    finally:
        server.stop()


def test_own_games_are_counted_too(table):
    page = table.page
    table.new_game("tictactoe", side="both")
    for cell in ("5", "1", "9"):
        before = len(table.moves)
        table.point(cell)
        table.played(before)
    page.goto(f"{table.address}#/tictactoe/analyse?fen=start")
    page.wait_for_function("() => studio.analyses && studio.record.path.length === 0")
    page.click("#tab-explorer")
    page.wait_for_selector("#panel-explorer section:has-text('Your own games') tr:has-text('5')")


def test_a_second_engine_and_a_threat(table):
    page = analyse(table, "chess", "6k1/n4ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1")
    page.select_option("[name=beside]", "alphabeta")
    page.wait_for_selector(".second .lines li")
    page.click("[data-do=threat]")
    page.wait_for_selector(".threat:has-text('Rd8#')")
    page.wait_for_selector(".arrows .threat")
    page.select_option("[name=beside]", "")
    page.wait_for_selector(".second", state="hidden")
    analyse(table, "tictactoe", "1 5")
    assert page.locator("[data-do=threat]").is_hidden()


@pytest.mark.parametrize(("width", "look"), [(1440, "light"), (1440, "dark"), (320, "light"), (320, "dark")])
def test_every_tool_can_be_read_by_everybody(browser, tmp_path, width, look):
    """With everything open, axe-core reports nothing, and nothing is wider than the screen."""
    file = tmp_path / "some.pgn"
    file.write_text(PLAYED)
    server = Server(str(file))
    try:
        with visitor(browser, viewport={"width": width, "height": 800}, color_scheme=look) as context:
            table = Table(context, server.address)
            page = analyse(table, "chess", "1. e4 e5 (1... c5 { sharp } 2. Nf3) 2. Qh5 Ke7 3. Qxe5# 1-0")
            page.select_option("[name=beside]", "alphabeta")
            page.click("[data-do=review]")
            page.wait_for_selector("table.sides:not([hidden])")
            go_to(page, "Ke7")
            drag(page, "g8", "f6")
            page.click("[data-do=threat]")
            page.wait_for_selector(".threat:not([hidden])")
            faults = {}
            for name in ("review", "explorer", "editor", "share"):
                page.click(f"#tab-{name}")
                if name == "explorer":
                    go_to(page, "e4")
                    page.wait_for_selector("#panel-explorer tr")
                page.wait_for_timeout(300)
                table.picture(f"{name} {width} {look}")
                assert page.evaluate("document.documentElement.scrollWidth") <= width, name
                faults[name] = violations(page, axe_core())
            assert {name: found for name, found in faults.items() if found} == {}
    finally:
        server.stop()
