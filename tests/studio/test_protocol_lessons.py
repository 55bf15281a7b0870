"""The classroom and the arena over the WebSocket."""

from __future__ import annotations

import http.client

import pytest
from patience import PATIENCE

from zerosum.studio import documents, lessons


def fetch(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", path)
    answer = connection.getresponse()
    content = answer.read().decode()
    connection.close()
    return answer, content


def test_examples_are_pages_and_slips_are_told_in_lines(page):
    found = page.ask("gallery")
    assert len(found["examples"]) >= 20 and len(found["slips"]) >= 8 and "alphabeta" in found["algorithms"]
    assert page.ask("example", name="alpha-beta-chapter-6")["page"].endswith(".html")
    assert any("cost" in line for line in page.ask("example", name=found["slips"][0]["name"])["lines"])
    assert "unknown example 'nothing'" in page.complaint("example", name="nothing")


def test_a_lesson_has_a_policy_of_its_own_and_may_be_framed_by_us_only(page, studio):
    shown = page.ask("trace", tree="(A (B 3 12) (C 2 4))")
    answer, content = fetch(studio[0], shown["page"])
    policy = answer.getheader("Content-Security-Policy")
    assert answer.status == 200 and content.startswith("<!DOCTYPE html>")
    assert "default-src 'none'" in policy and "frame-ancestors 'self'" in policy
    front, _ = fetch(studio[0], "/")
    assert "script-src 'self'" in front.getheader("Content-Security-Policy")
    assert "unsafe-inline" not in front.getheader("Content-Security-Policy")


def test_a_drawing_that_is_gone_says_so(studio):
    answer, content = fetch(studio[0], "/made/nothing.svg")
    assert answer.status == 404 and "request it again" in content
    answer, _ = fetch(studio[0], "/made/..%2f..%2fetc%2fpasswd.svg")
    assert answer.status == 404


def test_only_the_last_drawings_are_kept(monkeypatch):
    monkeypatch.setattr(documents, "KEPT", 3)
    addresses = [documents.keep(f"<svg>{n}</svg>", "svg") for n in range(5)]
    assert [address.removeprefix("/made/") in documents._documents for address in addresses] == [
        False,
        False,
        True,
        True,
        True,
    ]


def test_a_game_is_traced_from_where_moves_lead(page, studio):
    shown = page.ask("trace", game="tictactoe", moves="1 2 3 4 5 6", depth=2, algorithm="minimax")
    assert "tictactoe" in fetch(studio[0], shown["page"])[1]
    assert page.ask("trace", game="pig", depth=1)["algorithm"] == "expectiminimax"


def test_simulations_of_a_tree_and_of_a_game(page, studio):
    assert page.ask("gallery")["sampling"] == ["mcts", "mcts-solver"]
    for subject in ({"tree": "(A (B 3 12) (C 2 4))"}, {"game": "tictactoe", "moves": "1 2 3", "depth": 2}):
        shown = page.ask("trace", **subject, algorithm="mcts", simulations=9, seed=3)
        assert "Simulation 9 of 9." in fetch(studio[0], shown["page"])[1]


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        (
            {"tree": "(A 1 2)", "algorithm": "mcts", "simulations": 0},
            "simulations must be a whole number from 1 to 1000",
        ),
        ({"tree": "(A (B 1"}, "the bracket that opens here is never closed"),
        ({"tree": "(A 1 2)", "algorithm": "oracle"}, "oracle"),
        ({"tree": "(A 1 2)", "order": "any"}, "any"),
        ({"game": "no-such-game"}, "no-such-game"),
        ({"game": "tictactoe", "moves": "1 1"}, "'1' is not a legal move"),
        ({"game": "tictactoe", "depth": 99}, "depth must be a whole number from 1 to 6"),
        ({"game": "tictactoe", "depth": 6, "algorithm": "minimax"}, "takes more than 10,000 steps"),
    ],
)
def test_what_cannot_be_traced_is_told(page, wish, words):
    assert words in page.complaint("trace", **wish)


def test_no_file_is_read_as_a_tree(page):
    assert "root:" not in page.complaint("trace", tree="/etc/passwd")


def test_a_trace_that_takes_too_long_is_refused(page, monkeypatch):
    monkeypatch.setattr(lessons, "LONGEST_TRACE", 0.0)
    words = page.complaint("trace", game="tictactoe", depth=2, algorithm="minimax")
    assert words == "minimax takes more than 0 s here: give a smaller depth, or fewer simulations"


def test_a_quiz_is_the_same_whenever_it_is_asked_for(page, studio):
    one, two = (page.ask("quiz", subject="minimax", seed=11, difficulty=1) for _ in range(2))
    assert one["questions"] == two["questions"] and one["seed"] == 11
    assert all("answer" not in question for question in one["questions"])
    solved = page.ask("quiz", subject="minimax", seed=11, difficulty=1, solved=True)
    assert fetch(studio[0], one["drawing"])[1] != fetch(studio[0], solved["drawing"])[1]


def test_answers_are_judged_and_explained(page):
    wish = {"subject": "minimax", "seed": 11, "difficulty": 1, "question": 0}
    answered = page.ask("answer", **wish, answer="")
    assert answered["right"] is False and answered["why"]
    assert page.ask("answer", **wish, answer=answered["answer"])["right"] is True
    assert "not an answer" in page.complaint("answer", **wish, answer="what?")
    assert "question" in page.complaint("answer", **{**wish, "question": 77}, answer="1")
    assert "cooking" in page.complaint("quiz", subject="cooking")


def test_a_ladder_tells_rung_by_rung(page, studio):
    page.ask("ladder", game="tictactoe", seconds=0.1)
    done = page.wait_for("ladder", lambda body: body["state"] == "done")
    assert [rung["rung"] for rung in done["rungs"]][:2] == ["minimax", "alpha-beta"]
    assert fetch(studio[0], done["drawing"])[1].startswith("<svg")
    page.ask("ladder", game="pig", seconds=0.1)
    assert "chance" in page.wait_for("ladder", lambda body: body["state"] == "failed")["now"]


def test_a_ladder_can_be_stopped(page):
    page.ask("ladder", game="connect-four", seconds=10)  # per rung, so it is stopped before it is done
    page.wait_for("ladder", lambda body: body["state"] == "climbing")
    page.ask("ladder-stop")
    assert page.wait_for("ladder", lambda body: body["state"] == "done")["now"] == "Stopped."


RANDOM = [{"kind": "random"}, {"kind": "random"}]


def test_a_match_is_told_to_its_end(page):
    board = page.ask("match", game="tictactoe", players=RANDOM, games=6, boards=2)
    assert board["layout"]["cells"] and board["players"] == ["X", "O"]
    match = page.wait_for("match", lambda body: body["state"] == "done")
    assert match["standings"]["games"] == 6 and len(match["latest"]) == 6
    assert 1 <= len(match["boards"]) <= 2 and match["boards"][0]["pieces"]
    low, high = match["standings"]["pairings"][0]["elo_interval"]
    assert low is None or high is None or low <= high
    games = page.ask("match-save")
    assert len(games["text"].splitlines()) == 7  # the header, and the games


def test_games_of_a_match_can_be_opened(page):
    assert "no match" in page.complaint("match-game", number=1)
    page.ask("match", game="tictactoe", players=RANDOM, games=4)
    page.wait_for("match", lambda body: body["state"] == "done")
    games = page.ask("match-games")["games"]
    assert [game["number"] for game in games] == [4, 3, 2, 1]
    assert len(page.ask("match-games", most=2)["games"]) == 2
    game = page.ask("match-game", number=3)
    assert game["players"] == games[1]["players"] and len(game["moves"]) == game["length"] >= 5
    position = page.open(game["game"], moves=game["moves"], position=game["position"], mode="analyse")
    assert position["over"] and position["ply"] == game["length"]
    assert "has not been played" in page.complaint("match-game", number=5)


def test_a_match_is_stopped_by_a_wish_and_by_leaving(pages, studio):
    page = pages()
    page.ask("match", game="connect-four", players=RANDOM, games=10_000)
    page.wait_for("match", lambda body: body["standings"]["games"] > 0)
    page.ask("match-stop")
    match = page.wait_for("match", lambda body: body["state"] == "stopped")
    assert 0 < match["standings"]["games"] < 10_000
    page.ask("match", game="connect-four", players=RANDOM, games=10_000)
    tab = studio[1].state.tabs.tabs[page.welcome["session"]]
    contest = tab.extras["arena"]
    page.wait_for("match", lambda body: body["standings"]["games"] > 0)
    page.close()
    assert contest.over.wait(PATIENCE)
    assert contest.state == "stopped"


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"players": [{"kind": "uci", "amount": 1}, *RANDOM[:1]]}, "a player must be one of"),
        ({"players": ["uci:/bin/sh", {"kind": "random"}]}, "a player must be one of"),
        ({"players": RANDOM[:1]}, "two players"),
        ({"players": 4 * RANDOM}, "at most 6"),
        ({"players": [{"kind": "level", "amount": 11}, *RANDOM[:1]]}, "amount"),
        ({"players": RANDOM, "games": 0}, "games must be"),
        ({"players": [{"kind": "depth"}, *RANDOM[:1]]}, "amount"),
        ({"players": RANDOM, "seconds": "soon"}, "seconds must be"),
    ],
)
def test_a_match_that_makes_no_sense(page, wish, words):
    """No programs and no files: with these a page could run or read anything."""
    assert words in page.complaint("match", game="tictactoe", **wish)


def test_an_evaluation_is_told_feature_by_feature(page):
    found = page.ask("evaluation", game="tictactoe", position=".o..x....")
    assert [(term["feature"], term["share"]) for term in found["terms"]] == [(6, 6), (4, -4)] and found["value"] == 2
    assert "X | 6" in found["board"] and "weighted sum" in found["words"]
    by_hand = page.ask("evaluation", game="othello", settings={"patterns": 0}, moves="f5 d6")
    assert by_hand["kind"] == "sum"
    assert "the game is over" in page.complaint("evaluation", game="tictactoe", position="xxxoo....")
