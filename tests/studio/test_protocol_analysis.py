"""Analysis over the WebSocket: searches that start, report, and stop."""

from __future__ import annotations

import threading
import time

import pytest
from patience import wait_until

from zerosum.studio import searches


def thinking_threads():
    return [thread for thread in threading.enumerate() if thread.name.startswith("zerosum-search")]


def test_analysis_tells_several_lines_in_words(page):
    page.open("tictactoe", mode="analyse", moves=[0, 4, 1])
    page.send("analyse", lines=3)
    report = page.wait_for("report", lambda body: len(body["lines"]) == 3 and body["depth"] >= 2)
    assert report["ply"] == 3 and report["lines"][0]["texts"][0] == "3"  # it must stop three in a row
    assert report["nodes"] and report["words"] and report["lines"][0]["way"]
    page.send("stop")
    assert page.wait_for("search", lambda body: body["state"] in ("stopped", "done"))


def test_analysis_by_the_algorithm_that_the_page_chooses(page):
    page.open("tictactoe", mode="analyse", people=[0, 1])
    page.send("analyse", lines=2, algorithm="mcts")
    report = page.wait_for("report", lambda body: len(body["lines"]) == 2)
    assert report["words"] and report["lines"][0]["texts"]
    page.send("analyse", lines=1, algorithm="alphabeta")
    page.wait_for("report", lambda body: body["search"] > report["search"])
    assert "unknown algorithm 'guess'" in page.complaint("analyse", lines=1, algorithm="guess")


def test_analysis_follows_to_another_position(page):
    page.open("tictactoe", mode="analyse", people=[0, 1])
    page.send("analyse", lines=1)
    first = page.wait_for("search", lambda body: body["state"] == "thinking")
    page.ask("go", moves=[4, 0])
    second = page.wait_for("search", lambda body: body["state"] == "thinking" and body["ply"] == 2)
    assert second["search"] > first["search"]
    report = page.wait_for("report", lambda body: body["search"] == second["search"])
    assert report["ply"] == 2


def test_at_most_ten_reports_a_second_and_the_newest(page):
    page.open("othello", mode="analyse", people=[0, 1])
    begun = time.monotonic()
    page.send("analyse", lines=1)
    depths = []
    while time.monotonic() < begun + 1.0:
        depths.append(page.wait_for("report")["depth"])
    assert len(depths) <= 10 * (time.monotonic() - begun) + 1 and depths == sorted(depths)
    page.send("stop")


def test_leaving_the_page_stops_its_search(studio, pages):
    page = pages()
    page.open("othello", mode="analyse", people=[0, 1])
    page.send("analyse", lines=1)
    page.wait_for("search", lambda body: body["state"] == "thinking")
    tab = studio[1].state.tabs.tabs[page.welcome["session"]]
    assert tab.searcher.is_busy and thinking_threads()
    page.close()
    wait_until(lambda: tab.deliver is None and not thinking_threads())
    assert tab.searcher.engine is None  # and its memory is free


def test_two_tabs_do_not_mix(pages):
    one, other = pages(), pages()
    assert one.welcome["session"] != other.welcome["session"]
    one.open("tictactoe", people=[0, 1])
    other.open("connect-four", people=[0, 1])
    one.ask("move", ply=0, move=4)
    position = other.ask("move", ply=0, move=3)
    assert position["ply"] == 1 and position["history"][0]["text"] == "4"
    assert one.ask("move", ply=1, move=0)["ply"] == 2
    assert not any(message["kind"] == "position" for message in one.news + other.news)


def test_a_duplicated_tab_gets_a_session_of_its_own(pages):
    one = pages()
    other = pages(session=one.welcome["session"])
    assert other.welcome["session"] != one.welcome["session"]


def test_a_tab_that_comes_back_finds_its_session(pages):
    one = pages()
    one.open("tictactoe", people=[0, 1], moves=[4])
    session = one.welcome["session"]
    one.close()
    wait_until(lambda: pages(session=session).welcome["session"] == session)


def test_so_many_searches_at_once_and_no_more(pages, monkeypatch):
    monkeypatch.setattr(searches, "_running", threading.BoundedSemaphore(1))
    one, other = pages(), pages()
    for page in (one, other):
        page.open("othello", mode="analyse", people=[0, 1])
    one.send("analyse", lines=1)
    one.wait_for("search", lambda body: body["state"] == "thinking")
    assert "searches are already running" in other.complaint("analyse", lines=1)
    one.send("stop")
    one.wait_for("search", lambda body: body["state"] == "stopped")


def test_a_look_ahead_changes_nothing(page):
    page.open("tictactoe", mode="analyse", moves=[4])
    look = page.ask("look", ply=1, moves=[0, 8])
    assert len(look["pieces"]) == 3 and look["way"] == ["9"]
    assert "not a legal move" in page.complaint("look", ply=1, moves=[4])
    assert page.ask("move", ply=1, move=8)["ply"] == 2


@pytest.mark.parametrize(
    ("game", "text", "position", "moves"),
    [
        ("tictactoe", "x...o....", "x...o....", 0),
        ("tictactoe", "5 1 9", "", 3),
        ("tictactoe", "1. 5 1 2. 9 *", "", 3),
        ("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None, 0),
        ("chess", "1. e4 e5 2. Nf3 Nc6 *", "", 4),
        ("chess", '[White "Anna"]\n[Black "Bert"]\n\n1. e4 (1. d4 d5) e5 2. Nf3 1-0', "", 3),
    ],
)
def test_what_is_pasted_is_understood(page, game, text, position, moves):
    page.open(game, mode="analyse")
    reading = page.ask("read", text=text)
    assert len(reading["moves"]) == moves == len(reading["nodes"])
    assert position is None or reading["position"] == position


def test_variations_of_a_pasted_game_are_kept(page):
    page.open("chess", mode="analyse")
    nodes = page.ask("read", text="1. e4 (1. d4 d5 (1... Nf6)) e5 { a comment } *")["nodes"]
    assert [node["text"] for node in nodes] == ["e4", "e5"] and nodes[1]["comment"] == "a comment"
    (variation,) = nodes[0]["variations"]
    assert [node["text"] for node in variation] == ["d4", "d5"]
    assert variation[1]["variations"][0][0]["text"] == "Nf6"


@pytest.mark.parametrize(
    ("game", "text"), [("tictactoe", ""), ("tictactoe", "hello"), ("chess", "1. e4 e4"), ("chess", "8/8/8")]
)
def test_what_is_no_game_is_quoted(page, game, text):
    page.open(game, mode="analyse", moves=[])
    words = page.complaint("read", text=text)
    assert words and (not text or text.split()[-1] in words)


def test_a_game_is_downloaded_in_its_own_format(page):
    page.open("chess", people=[0, 1])
    position = page.ask("open", game="chess", people=[0, 1])
    e4 = next(move["move"] for move in position["moves"] if move["text"] == "e4")
    page.ask("move", ply=0, move=e4)
    file = page.ask("save")
    assert file["name"] == "game.pgn" and "1. e4 *" in file["text"]
    page.open("tictactoe", people=[0, 1], moves=[4, 0])
    assert page.ask("save") == {"name": "tictactoe.txt", "text": '[X "person"]\n[O "person"]\n\n5 1\n'}


def test_a_review_values_every_position(page):
    page.open("tictactoe", mode="analyse", moves=[0, 4, 1, 8])
    page.send("review", seconds=10)  # every search ends with a proof
    evaluations = [page.wait_for("evaluation") for _ in range(5)]
    assert [one["ply"] for one in evaluations] == [0, 1, 2, 3, 4]
    # O must block at 3: any other move gives away the draw, a blunder. No move was made in the last position.
    assert [one.get("mark") for one in evaluations] == ["", "", "", "??", None]
    assert evaluations[3]["loss"] > 0 and "loss" not in evaluations[4]


def test_the_tree_shows_values_bounds_and_work(page):
    page.open("tictactoe", mode="analyse", moves=[0, 4])
    page.send("analyse", lines=1)
    page.wait_for("report", lambda body: body["depth"] >= 4)
    tree = page.ask("tree", moves=[])
    assert len(tree["children"]) == 7 and tree["ply"] == 2
    known = [child for child in tree["children"] if child["value"] is not None]
    assert known and {child["bound"] for child in known} <= {"exact", "lower", "upper"}
    assert known[0]["best"] and known[0]["depth"] >= 1
    deeper = page.ask("tree", moves=[tree["children"][0]["move"]])
    assert len(deeper["children"]) == 6
    assert "not a legal move" in page.complaint("tree", moves=[0])


def rolled(rollout):
    """The number of games rolled out for the first play."""
    return int(rollout["plays"][0]["games"].replace(",", ""))


def test_a_rollout_narrows_its_interval(page):
    page.open("pig", mode="analyse", settings={"target": 10})
    page.send("rollout", candidates=2)
    first = page.wait_for("rollout", lambda body: rolled(body) > 0)
    later = page.wait_for("rollout", lambda body: rolled(body) >= 4 * rolled(first))
    assert float(later["plays"][0]["error"]) < float(first["plays"][0]["error"])
    page.send("stop")
    page.wait_for("search", lambda body: body["state"] in ("stopped", "done"))


def test_a_game_without_dice_is_not_rolled_out(page):
    page.open("tictactoe", mode="analyse")
    assert "no dice" in page.complaint("rollout")


def test_without_a_database_there_is_no_verdict(page):
    page.open("tictactoe", mode="analyse")
    assert page.ask("verdict")["words"] == ""
