"""Navigation in a real browser: local, instant, and always with the evaluation of the position on the board."""

from __future__ import annotations

import random

import pytest

from zerosum.engine import Engine
from zerosum.game import Line
from zerosum.games import load
from zerosum.value_display import at_the_board

pytestmark = pytest.mark.slow

# Anderssen - Kieseritzky, London 1851.
IMMORTAL = (
    "1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6 10. g4 Nf6 "
    "11. Rg1 cxb5 12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2 18. Bd6 Bxg1 19. e5 Qxa1+ "
    "20. Ke2 Na6 21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7# 1-0"
)
PRESSES = """async (keys) => {
  const pause = 2000 / keys.length;
  for (const key of keys) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    await new Promise((done) => setTimeout(done, pause));
  }
}"""
VALUE = "document.querySelector('.thinking .value').textContent"
STEPS = {"ArrowLeft": -1, "ArrowRight": 1}


def analyse(table, game, text):
    page = table.page
    page.goto(f"{table.address}#/{game}/analyse")
    page.wait_for_selector(f".title[data-game='{game}']")
    page.wait_for_selector(".lines li")
    page.fill("#position", text)
    root = page.evaluate_handle("studio.record.root")
    page.click("[data-do=read]")
    page.wait_for_function("before => studio.record.root !== before && studio.record.root.board", arg=root)
    page.evaluate("document.activeElement.blur()")
    page.wait_for_function("() => [studio.record.root, ...studio.record.main].every((node) => node.board)")
    return page


def presses(seed, ply, last):
    """Fifty key presses, and the ply where they end."""
    chance = random.Random(seed)
    keys = []
    for _ in range(50):
        key = chance.choice([*STEPS, *STEPS, *STEPS, "ArrowRight"] if ply < last / 2 else [*STEPS])
        keys.append(key)
        ply = min(last, max(0, ply + STEPS[key]))
    return keys, ply


@pytest.mark.parametrize("half", [0, 1])
def test_fifty_presses_in_two_seconds_end_where_they_should(table, half):
    """Ten runs each, on a game in which the value of every position is known."""
    game = load("tictactoe")
    line = Line.parse(game, "1 5 2 3 7 4 6 9 8")
    engine = Engine(game, jit=False)
    page = analyse(table, "tictactoe", " ".join(line.texts()))
    for run in range(10 * half, 10 * half + 10):
        keys, ply = presses(run, page.evaluate("studio.record.path.length"), len(line))
        page.evaluate(PRESSES, keys)
        assert page.evaluate("studio.record.path.length") == ply
        here = line.back(len(line) - ply)
        assert page.evaluate("studio.position.position") == game.format_state(here.state)
        over = game.is_over(here.state)
        verdict = "A draw" if over else at_the_board(engine.search(here, depth=9), game)
        expected = f"{verdict[0].upper()}{verdict[1:]}"
        if not over:  # earlier findings are shown immediately; new ones must arrive too
            page.wait_for_function("() => studio.thinking.report && studio.isHere(studio.thinking.report)")
        page.wait_for_function(
            "words => document.querySelector('.thinking .value').textContent === words", arg=expected
        )


def test_a_long_game_of_chess_is_gone_through_without_a_slip(table):
    game = load("chess")
    page = analyse(table, "chess", IMMORTAL)
    line = Line.parse(game, [word for word in IMMORTAL.split() if not word[0].isdigit()])
    for run in range(4):
        keys, ply = presses(run, page.evaluate("studio.record.path.length"), len(line))
        page.evaluate(PRESSES, keys)
        assert page.evaluate("studio.record.path.length") == ply
        assert page.evaluate("studio.position.position") == game.format_state(line.states[ply])
        page.wait_for_function("() => studio.thinking.report && studio.isHere(studio.thinking.report)")
    shown = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('[data-on]')].map((piece) => [piece.dataset.on, 1]))"
    )
    assert set(shown) == {piece.cell for piece in game.pieces(line.states[ply])}


def test_the_end_of_a_pasted_game_tells_its_result(table):
    page = analyse(table, "chess", IMMORTAL)
    page.keyboard.press("End")
    page.wait_for_selector(".turn.over")
    page.wait_for_function(f"() => {VALUE} === 'White wins'")
    assert page.locator(".lines li").count() == 0
    page.wait_for_timeout(500)  # long enough for a stale report to arrive
    assert page.inner_text(".thinking .value") == "White wins"
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => studio.thinking.report && studio.isHere(studio.thinking.report)")


def test_lines_are_always_in_order(table):
    """Black to move: the lowest value comes first in every report."""
    page = analyse(table, "chess", "1. e4 e5 2. Nf3 Nc6 3. Bc4 *")
    page.keyboard.press("End")
    # A last report on the previous position may still arrive; the page ignores it.
    page.evaluate(
        "window.seen = []; studio.connection.on('report', (report) =>"
        " studio.isHere(report) && seen.push(report.lines.map(({ value }) => value)))"
    )
    page.wait_for_function("() => window.seen.length >= 10")
    for values in page.evaluate("window.seen"):
        assert values == sorted(values)


def test_moves_are_numbered_once_where_a_player_moves_again(table):
    """In Kalah, a player whose last seed lands in their own store moves again."""
    page = analyse(table, "kalah", "3 2 6")
    numbers = page.locator(".moves .number").all_inner_texts()
    assert len(numbers) == len(set(numbers)) and numbers[0] == "1."


def test_the_keys_work_wherever_the_pointer_was(table):
    page = analyse(table, "tictactoe", "1 5 2")
    page.click(".moves button.move:has-text('2')")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => studio.record.path.length === 2")
    page.keyboard.press("Home")
    page.wait_for_function("() => studio.record.path.length === 0")
