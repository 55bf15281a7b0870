"""Analysis in a real browser: lines, arrows, variations, pasted texts, the tree."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow


def analyse(table, game="tictactoe", moves=()):
    table.new_game(game, side="both")
    for cell in moves:
        before = len(table.moves)
        table.point(cell)
        table.played(before)
    table.page.click("nav a[data-page=analyse]")
    table.page.wait_for_selector(".lines li")


def test_lines_are_shown_with_arrows(table):
    analyse(table, moves=["1", "5", "2"])
    page = table.page
    page.wait_for_function("() => document.querySelectorAll('.lines li').length === 3")
    assert page.locator(".lines li").first.inner_text().split()[-1] != ""
    page.wait_for_selector(".arrows .best")
    assert page.inner_text(".value")
    page.click("[data-do=analyse]")
    assert page.inner_text("[data-do=analyse]") == "Analyse"


def test_going_back_and_playing_something_else_makes_a_variation(table):
    analyse(table, moves=["1", "5"])
    page = table.page
    page.click("[data-do=back]")
    page.wait_for_function(
        "() => !document.querySelector('[data-cell=\"5\"]').getAttribute('aria-label').includes('O')"
    )
    table.point("9")
    page.wait_for_selector(".moves button.move:has-text('9')")
    assert set(table.moves) == {"1", "5", "9"}
    page.wait_for_function("() => document.querySelector('[data-cell=\"9\"]').getAttribute('aria-label').includes('O')")
    page.click(".moves button.move:has-text('5')")
    page.wait_for_function("() => document.querySelector('[data-cell=\"5\"]').getAttribute('aria-label').includes('O')")
    assert "O" not in table.on_board()["9"].split(", ")


def test_a_position_is_pasted(table):
    table.new_game("chess", side="both")
    page = table.page
    page.click("nav a[data-page=analyse]")
    page.fill("#position", "8/8/8/3k4/8/3K4/3Q4/8 w - - 0 1")
    page.click("[data-do=read]")
    page.wait_for_selector("[data-cell=d2][aria-label*='white queen']")
    assert sum("king" in label for label in table.on_board().values()) == 2
    page.fill("#position", "not a position")
    page.click("[data-do=read]")
    page.wait_for_selector(".notice:has-text('not a position')")
    assert "white queen" in table.on_board()["d2"]


def test_a_game_is_pasted_with_its_variations(table):
    table.new_game("chess", side="both")
    page = table.page
    page.click("nav a[data-page=analyse]")
    page.fill("#position", "1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *")
    page.click("[data-do=read]")
    page.wait_for_selector(".moves button.move:has-text('c5')")
    assert set(table.moves) == {"e4", "e5", "c5", "Nf3", "Nc3"}


def test_the_tree_opens(table):
    analyse(table, moves=["1", "5", "2"])
    page = table.page
    page.click("nav a[data-page=tree]")
    page.wait_for_selector(".outline [role=treeitem]")
    closed = page.locator(".outline [role=treeitem]").count()
    page.locator(".outline [role=treeitem][aria-expanded=false]").first.click()
    page.wait_for_function("count => document.querySelectorAll('.outline [role=treeitem]').length > count", arg=closed)
    table.picture("tree opened")


def test_a_branch_opened_during_an_update_gets_its_moves_though_no_report_follows(table):
    analyse(table, moves=["1", "5", "2"])
    page = table.page
    page.click("nav a[data-page=tree]")
    page.wait_for_selector(".outline [role=treeitem]")
    page.evaluate("() => { studio.takeReport = () => {}; }")
    page.wait_for_function("() => !studio.outline.busy")
    page.evaluate(
        "() => { studio.outline.update(); document.querySelector('.outline [aria-expanded=false] > .entry').click(); }"
    )
    page.wait_for_selector(".outline [role=group] [role=treeitem]")


def test_plays_are_rolled_out_in_games_with_dice_only(table):
    analyse(table)
    page = table.page
    assert page.locator(".rollout").is_hidden()
    analyse(table, "pig")
    page.click("[data-do=rollout]")
    page.wait_for_selector(".rollout tbody tr")
    assert page.inner_text(".rollout tbody th") == "roll"
    assert page.inner_text("[data-do=rollout]") == "Stop"
    page.click("[data-do=rollout]")
    page.wait_for_selector("[data-do=rollout]:has-text('Roll out')")
