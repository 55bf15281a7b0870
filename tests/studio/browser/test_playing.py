"""Playing against the engine: premoves, confirmations, rematches, clocks, watched games."""

from __future__ import annotations

import pytest
from stage import visitor

pytestmark = pytest.mark.slow


def wait_for_moves(table, count):
    table.page.wait_for_function("count => document.querySelectorAll('.moves button.move').length >= count", arg=count)


def against_one_that_thinks(table):
    """Play e4 against an engine that replies only when ``reply`` tells it to."""
    wish = {"game": "chess", "settings": {}, "people": [0], "strength": {"seconds": 3600}, "clock": "", "resigns": True}
    table.page.evaluate("wish => studio.begin(wish)", wish)
    table.my_turn()
    table.point("e2")
    table.point("e4")
    wait_for_moves(table, 1)


def reply(table):
    table.page.evaluate("() => studio.connection.wish('stop')")


def test_a_premove_is_made_when_it_is_ones_turn(table):
    against_one_that_thinks(table)
    table.point("g1")
    table.point("f3")
    assert set(table.cells("premove")) == {"g1", "f3"}
    reply(table)
    wait_for_moves(table, 3)
    assert table.moves[2] == "Nf3" and table.cells("premove") == []


def test_a_premove_that_is_illegal_then_is_dropped(table):
    against_one_that_thinks(table)
    table.point("a1")
    table.point("a5")
    assert set(table.cells("premove")) == {"a1", "a5"}
    reply(table)
    table.my_turn()
    assert len(table.moves) == 2 and table.cells("premove") == []


def test_escape_takes_a_premove_back(table):
    table.page.evaluate("() => { studio.panels.premove.takes = () => true; studio.pick('5'); }")
    assert table.cells("premove") == ["5"]
    table.page.locator("[data-cell='1']").focus()
    table.page.keyboard.press("Escape")
    assert table.cells("premove") == []


def test_a_rematch_changes_sides(table):
    table.new_game("tictactoe", side="first")
    table.page.click("[data-do=resign]")
    table.page.click("dialog.small button.main")
    table.page.wait_for_selector(".turn.over")
    assert "X resigns" in table.status
    table.page.reload()  # a resigned game stays resigned
    table.ready()
    table.page.wait_for_selector(".turn.over")
    table.page.click("[data-do=rematch]")
    table.page.wait_for_selector(".turn:not(.over)")
    wait_for_moves(table, 1)
    table.my_turn()
    assert table.page.evaluate("studio.record.setup.people") == [1] and len(table.moves) == 1
    assert "Your turn (O)" in table.status


def test_a_lost_engine_resigns(table):
    """The engine has a king against two queens, and searches too shallowly to see the mate."""
    table.new_game("chess", "6k1/8/8/8/8/8/2QQ4/K7 w - - 0 1", level=1, network=0)
    for _ in range(8):
        if table.is_over:
            break
        table.point(table.page.evaluate("studio.position.pieces.find(one => one.glyph === 'white-king').cell"))
        before = len(table.moves)
        table.point(table.cells("target")[0])
        table.played(before)
        table.my_turn()
    assert "Black resigns" in table.status


def test_names_stand_beside_the_board(table):
    page = table.page
    page.click("[data-do=new]")
    page.fill(".setup [name=person]", "Ada")
    page.select_option(".setup [name=game]", "othello")
    page.select_option(".setup [name=strength]", "level:2")
    assert "Against level 1" in page.inner_text(".setup .measured")
    page.click(".setup button[type=submit]")
    page.wait_for_selector(".player.below:has-text('Ada')")
    assert "Black" in page.inner_text(".player.below")
    assert "zerosum, level 2" in page.inner_text(".player.above")
    assert "2 discs" in page.inner_text(".player.below .counts")


def test_a_clock_of_ones_own(table):
    page = table.page
    page.click("[data-do=new]")
    page.select_option(".setup [name=clock]", "own")
    page.fill(".setup [name=minutes]", "2")
    page.fill(".setup [name=increment]", "3")
    page.click(".setup button[type=submit]")
    page.wait_for_selector(".clock:visible")
    assert page.evaluate("studio.record.setup.clock") == "120+3"
    assert page.inner_text(".player.above .clock") in ("2:00", "1:59")


def test_a_draw_is_offered_where_games_may_be_drawn(table):
    table.new_game("checkers")
    table.page.click("[data-do=draw]")
    table.page.wait_for_selector(".notice:visible")
    assert "declines" in table.page.inner_text(".notice")
    table.new_game("tictactoe")
    assert not table.page.is_visible("[data-do=draw]")


def test_a_watched_game_is_paused_and_stepped(table):
    page = table.page
    page.evaluate("() => studio.connection.on('search', (search) => { window.searches = search; })")
    table.new_game("connect-four", side="none")
    page.click(".watch >> text=Pause")
    page.wait_for_function(  # a move may have been requested already
        "() => !studio.connection.waiting.size"
        " && (window.searches?.purpose !== 'play' || studio.position.ply > searches.ply)"
    )
    before = len(table.moves)
    page.wait_for_timeout(2500)
    assert len(table.moves) == before
    page.click(".watch >> text=One move")
    wait_for_moves(table, before + 1)
    page.wait_for_timeout(2500)
    assert len(table.moves) == before + 1
    page.locator(".watch input").fill("6")
    page.keyboard.press("p")
    page.wait_for_selector(".turn.over")
    assert page.is_hidden(".watch")


def test_the_speed_of_a_watched_game_is_kept(browser, studio):
    from stage import Table

    with visitor(browser) as context:
        table = Table(context, studio.address)
        table.new_game("connect-four", side="none")
        table.page.locator(".watch input").fill("0")
        table.page.reload()
        table.ready()
        table.page.wait_for_selector(".watch:visible")
        assert table.page.input_value(".watch input") == "0"
        assert table.page.get_attribute(".watch input", "aria-valuetext") == "one move every 5 s"
