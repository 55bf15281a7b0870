"""The pages of the classroom, the arena and training."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow


def go(table, page):
    table.page.evaluate("page => { location.hash = page; }", page)


def test_an_example_can_be_stepped_through(table):
    go(table, "classroom")
    table.page.click("text=Alpha-beta on the tree of chapter 6")
    lesson = table.page.frame_locator("iframe.lesson")
    lesson.locator(".sheet svg").wait_for()
    assert lesson.locator("h1").inner_text() == "Alpha-beta on the tree of chapter 6, steps (a) to (f)"
    assert lesson.locator(".at").inner_text() == "0"
    lesson.locator("[data-do=next]").click()
    assert lesson.locator(".at").inner_text() == "1"
    assert lesson.locator(".said").inner_text() == "(a) B looks at 3; β of B falls to 3."
    assert "Reconstructed: The six drawings" in lesson.locator("header").inner_text()
    lesson.locator("[data-do=last]").click()
    assert "The value is 3" in lesson.locator(".result").inner_text()
    table.picture("classroom example")


def test_the_arrow_key_works_at_once_and_beside_the_frame(table):
    go(table, "classroom")
    table.page.click("text=Alpha-beta on the tree of chapter 6")
    lesson = table.page.frame_locator("iframe.lesson")
    lesson.locator(".zs-page.ready").wait_for()
    table.page.wait_for_function("() => document.activeElement.tagName === 'IFRAME'")
    table.page.keyboard.press("ArrowRight")
    assert lesson.locator(".at").inner_text() == "1"
    table.page.evaluate("() => document.activeElement.blur()")
    table.page.keyboard.press("ArrowRight")
    assert lesson.locator(".at").inner_text() == "2"


def test_a_slip_is_told_in_words(table):
    go(table, "classroom")
    table.page.locator("h3:has-text('Slips') + ul a").first.click()
    table.page.wait_for_selector("pre.report")
    words = table.page.inner_text("pre.report")
    assert "written:" in words and "meant:" in words and "cost:" in words


def test_a_tree_of_your_own_is_traced(table):
    go(table, "classroom/trace")
    table.page.wait_for_selector("iframe.lesson")
    table.page.fill("#other [name=tree]", "(A (B 1 2) (C 30 40))")
    table.page.select_option("#other [name=algorithm]", "minimax")
    table.page.click("#other button[type=submit]")
    lesson = table.page.frame_locator("iframe[title^=minimax]")
    lesson.locator("[data-do=last]").click()
    assert "The value is 30" in lesson.locator(".result").inner_text()


def test_a_game_is_traced(table):
    go(table, "classroom/trace")
    table.page.wait_for_selector("iframe.lesson")
    table.page.select_option("#other [name=what]", "tictactoe")
    table.page.fill("#other [name=moves]", "1 2 3 4 5 6")
    table.page.fill("#other [name=depth]", "1")
    table.page.click("#other button[type=submit]")
    lesson = table.page.frame_locator("iframe[title^=alphabeta] >> nth=0")
    lesson.locator("h1:has-text('tictactoe')").wait_for()


def test_simulations_have_a_number_and_a_seed_in_place_of_a_depth(table):
    go(table, "classroom/trace")
    table.page.wait_for_selector("iframe.lesson")
    assert not table.page.is_visible("#other [name=simulations]")
    table.page.select_option("#other [name=what]", "tictactoe")
    assert table.page.is_visible("#other [name=depth]")
    table.page.select_option("#other [name=algorithm]", "mcts")
    assert not table.page.is_visible("#other [name=depth]")
    table.page.fill("#other [name=simulations]", "12")
    table.page.fill("#other [name=seed]", "3")
    table.page.click("#other button[type=submit]")
    lesson = table.page.frame_locator("iframe[title^=mcts]")
    lesson.locator("[data-do=last]").click()
    assert "12 simulations." in lesson.locator(".result").inner_text()


@pytest.mark.parametrize("tree", ["(A (B 1", "[1, [2", "nonsense"])
def test_a_tree_that_is_none(table, tree):
    go(table, "classroom/trace")
    table.page.wait_for_selector("iframe.lesson")
    table.page.fill("#other [name=tree]", tree)
    table.page.click("#other button[type=submit]")
    table.page.wait_for_function("() => document.querySelector('#other .problem').textContent")
    assert table.page.is_visible("#other .problem")


def test_an_evaluation_is_taken_apart(table):
    go(table, "classroom/evaluate")
    table.page.wait_for_selector(".room table")
    assert "open for X" in table.page.inner_text(".room table")
    table.page.fill("#other [name=position]", ".o..x....")
    table.page.click("#other button[type=submit]")
    table.page.wait_for_function("() => document.querySelector('.room tbody').textContent.includes('sum2')")
    table.picture("classroom evaluation")


def test_a_quiz_is_answered_and_explained(table):
    """Seed 7 always gives the same tree and questions."""
    from zerosum.classroom.quiz import make_quiz

    quiz = make_quiz("alphabeta", 7)
    go(table, "classroom/quiz/alphabeta/2/7")
    page = table.page
    page.wait_for_selector(".questions li")
    assert page.locator(".question").all_inner_texts() == [question.text for question in quiz.questions]
    page.wait_for_function("() => document.querySelector('img.drawing').naturalWidth > 0")
    for place, question in enumerate(quiz.questions):
        entry = page.locator(".questions li").nth(place)
        if place == 1:
            entry.locator(".tell").click()
        elif question.words:
            entry.locator("select").select_option(question.answer)
            entry.locator("button[type=submit]").click()
        else:
            entry.locator("input").fill(question.answer)
            entry.locator("button[type=submit]").click()
        entry.locator(".verdict .why").first.wait_for()
        assert question.answer in entry.locator(".verdict").inner_text()
    # After the last answer the tree is still visible.
    page.locator(".questions li").last.scroll_into_view_if_needed()
    box = page.locator("img.drawing").bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= page.viewport_size["height"]
    assert page.inner_text(".score") == f"{len(quiz.questions) - 1} of {len(quiz.questions)} right."
    table.picture("classroom quiz")


def test_a_word_is_no_number(table):
    go(table, "classroom/quiz/minimax/1/3")
    entry = table.page.locator(".questions li:has(input)").first
    entry.locator("input").fill("seven")
    entry.locator("button[type=submit]").click()
    entry.locator(".verdict.problem:has-text('seven')").wait_for()


def test_a_ladder_is_climbed(table):
    go(table, "classroom/ladder")
    page = table.page
    page.select_option("#other [name=game]", "tictactoe")
    # A rung ends as soon as the value is proven, so this is a limit that only a busy machine comes near.
    page.fill("#other [name=seconds]", "5")
    page.click("#other button[type=submit]")
    page.wait_for_selector("#other img.drawing", state="visible")
    rungs = page.locator(".rungs tbody th").all_inner_texts()
    assert rungs[:2] == ["minimax", "alpha-beta"]
    nodes = [page.locator(".rungs tbody tr").nth(k).locator("td").first.inner_text() for k in (0, 1)]
    assert int(nodes[0].split()[0].replace(",", "")) > int(nodes[1].split()[0].replace(",", ""))
    table.picture("classroom ladder")


def test_a_game_of_chance_has_no_ladder(table):
    go(table, "classroom/ladder")
    table.page.select_option("#other [name=game]", "pig")
    table.page.click("#other button[type=submit]")
    table.page.wait_for_function("() => /chance/.test(document.querySelector('#other .problem').textContent)")


def at_random(page):
    """Set all players to random moves."""
    for choice in page.locator(".player-choice select").all():
        choice.select_option("random")


def test_a_match_is_watched(table):
    go(table, "arena")
    page = table.page
    page.wait_for_selector("#other form")
    page.select_option("[name=game]", "tictactoe")
    at_random(page)
    page.fill("[name=games]", "6")
    page.click("#other button[type=submit]")
    page.wait_for_selector("text=All 6 games played.")
    assert page.locator(".small-board svg .pieces > g").count() >= 5
    rows = page.locator("#other .standings tbody tr")
    assert rows.count() == 2
    won, drawn, lost = (int(rows.first.locator("td").nth(k).inner_text()) for k in range(3))
    assert won + drawn + lost == 6
    assert "±" in rows.first.inner_text() and "no number" not in page.inner_text("#other")
    assert page.locator(".played tbody tr").count() == 6
    assert page.is_visible(".elo figure svg")
    with page.expect_download() as saved:
        page.click("#other .save")
    assert saved.value.suggested_filename == "tictactoe-match.jsonl"
    table.picture("arena match")


def test_a_match_can_be_stopped(table):
    go(table, "arena")
    page = table.page
    page.wait_for_selector("#other form")
    page.select_option("[name=game]", "connect-four")
    at_random(page)
    page.fill("[name=games]", "10000")
    page.click("#other button[type=submit]")
    page.wait_for_selector(".played tbody tr")
    page.click("#other .stop")
    page.wait_for_selector("text=/Stopped after \\d+ of 10000 games/")
    assert not page.is_visible("#other .stop")


def test_games_that_end_between_the_last_two_reports_are_listed(table):
    page = table.page
    page.evaluate("() => { studio.connection.on('match', (match) => { window.last = match; }); }")
    go(table, "arena")
    page.wait_for_selector("#other form")
    page.select_option("[name=game]", "tictactoe")
    at_random(page)
    page.fill("[name=games]", "6")
    page.click("#other button[type=submit]")
    page.wait_for_selector("text=All 6 games played.")
    # In one call: the server may report the end once more.
    rows = page.evaluate(
        "() => [{ ...last, state: 'playing', latest: last.latest.slice(2) }, last].map((match) => {"
        " studio.connection.tell('match', match); return document.querySelectorAll('.played tbody tr').length; })"
    )
    assert rows == [4, 6]


def test_three_players_have_a_crosstable_and_their_games_can_be_opened(table):
    go(table, "arena")
    page = table.page
    page.wait_for_selector("#other form")
    page.select_option("[name=game]", "tictactoe")
    page.click("#other .add")
    at_random(page)
    page.fill("[name=games]", "2")
    page.click("#other button[type=submit]")
    page.wait_for_selector("text=All 6 games played.")
    assert page.locator(".crosstable tbody tr").count() == 3
    names = page.locator(".standings tbody th").all_inner_texts()
    assert len(page.locator(".elo figure svg text").all_inner_texts()) == 3 and len(set(names)) == 3
    page.click("[aria-label='Open game 4']")
    page.wait_for_selector("[data-page=analyse] .moves button.move")
    page.wait_for_function("() => document.querySelectorAll('.moves button.move').length >= 5")
    shown = {page.inner_text(f".player.{place} .name") for place in ("above", "below")}
    assert len(shown) == 2 and shown <= set(names)


def test_the_tables_of_a_match_and_the_ladder_fit_a_phone(browser, studio):
    from stage import Table, visitor

    with visitor(browser, viewport={"width": 320, "height": 640}) as context:
        table = Table(context, studio.address)
        page = table.page
        go(table, "arena")
        page.wait_for_selector("#other form")
        page.select_option("[name=game]", "tictactoe")
        at_random(page)
        page.fill("[name=games]", "2")
        page.click("#other button[type=submit]")
        page.wait_for_selector("text=All 2 games played.")
        go(table, "arena")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        box = page.locator(".standings").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 320
        go(table, "classroom/ladder")
        page.wait_for_selector("#other form")
        page.select_option("#other [name=game]", "tictactoe")
        page.fill("#other [name=seconds]", "0.1")
        page.click("#other button[type=submit]")
        page.wait_for_selector(".rungs tbody tr:nth-child(2)")
        # In one call: the table is redrawn with each rung.
        left, right = page.evaluate(
            "() => ((box) => [box.left, box.right])(document.querySelector('.rungs').getBoundingClientRect())"
        )
        assert 0 <= left < right <= 320


@pytest.mark.parametrize("hidden", [0, 5])
def test_a_network_is_watched_while_it_learns(table, hidden):
    go(table, "training")
    page = table.page
    page.wait_for_selector("#other form")
    page.select_option("#other [name=game]", "connect-four")
    page.fill("#other [name=games]", "100")
    page.fill("#other [name=hidden]", str(hidden))
    page.click("#other button[type=submit]")
    page.wait_for_selector("text=Done: 100 games.")
    assert page.locator(".curve .point").count() >= 1 and page.is_visible(".own-game svg")
    played = page.inner_text(".moves-text").split(".")[0].split()
    page.click("text=Open this game")
    page.wait_for_selector("[data-page=analyse] .moves button.move")
    page.wait_for_function("count => document.querySelectorAll('.moves button.move').length === count", arg=len(played))
    assert table.moves == played
