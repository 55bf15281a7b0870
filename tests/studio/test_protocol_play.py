"""Playing a game over the WebSocket."""

from __future__ import annotations

import pytest

from zerosum.game import Line
from zerosum.games import load
from zerosum.studio.playing import is_lost


def texts(position):
    return {move["text"] for move in position["moves"]}


def move_called(position, text):
    return next(move["move"] for move in position["moves"] if move["text"] == text)


def test_the_first_message_lists_the_games_and_levels(page):
    assert {"tictactoe", "chess", "pig"} <= {game["id"] for game in page.welcome["games"]}
    assert len(page.welcome["levels"]) == 10
    connect_four = next(game for game in page.welcome["games"] if game["id"] == "connect-four")
    assert connect_four["parameters"] == {"width": 7, "height": 6, "k": 4, "patterns": 0}


def test_two_people_play_a_game_to_its_end(page):
    position = page.open(people=[0, 1])
    for text in ["5", "1", "9", "4"]:
        position = page.ask("move", ply=position["ply"], move=move_called(position, text))
        assert not position["over"]
    assert texts(position) == {"2", "3", "6", "7", "8"}
    position = page.ask("move", ply=4, move=move_called(position, "7"))
    position = page.ask("move", ply=5, move=move_called(position, "2"))
    position = page.ask("move", ply=6, move=move_called(position, "3"))
    assert position["over"] and position["winner"] == 0 and position["moves"] == []
    assert "wins" in position["words"]
    assert "game is over" in page.complaint("move", ply=7, move=0)


def test_the_engine_answers_and_its_move_is_legal(page):
    position = page.open(people=[0], strength={"depth": 2})
    page.ask("move", ply=0, move=4)
    position = page.wait_for("position", lambda body: body["ply"] == 2)
    assert position["turn"] == 0 and position["history"][-1]["turn"] == 1
    line = Line(load("tictactoe"), None, [4, position["history"][-1]["move"]])
    assert position["position"] == line.game.format_state(line.state)


def test_the_engine_begins_where_the_person_plays_second(page):
    page.open(people=[1], strength={"depth": 1})
    position = page.wait_for("position", lambda body: body["ply"] == 1)
    assert position["turn"] == 1 and position["people"] == [1]


def test_a_win_that_is_there_is_taken(page):
    """After 1 5 2 8 X misses the win on 3, and the engine, as second player, must block there."""
    page.open(people=[0], strength={"depth": 3}, moves=[0, 4, 1, 7])
    page.ask("move", ply=4, move=8)  # a blunder: 3 would win
    position = page.wait_for("position", lambda body: body["over"] or body["ply"] > 5)
    assert position["over"] or position["history"][-1]["text"] in ("2", "3")


def test_an_illegal_move_is_refused_and_the_game_kept(page):
    page.open(people=[0, 1])
    position = page.ask("move", ply=0, move=4)
    assert "'4' is not a legal move here" in page.complaint("move", ply=1, move=4)
    assert page.ask("move", ply=1, move=0)["ply"] == position["ply"] + 1


def test_a_stale_move_is_refused(page):
    page.open(people=[0, 1])
    page.ask("move", ply=0, move=4)
    assert "meant for move 1, but the game is at move 2" in page.complaint("move", ply=0, move=0)


def test_nobody_moves_for_the_engine(page):
    position = page.open("othello", people=[1], strength={"seconds": 3600})  # it runs until it is stopped
    page.wait_for("search", lambda body: body["state"] == "thinking")
    assert "not your turn" in page.complaint("move", ply=0, move=position["moves"][0]["move"])
    page.send("stop")
    assert page.wait_for("position", lambda body: body["ply"] == 1)


def test_undo_goes_back_to_the_persons_last_choice(page):
    page.open(people=[0], strength={"depth": 1})
    page.ask("move", ply=0, move=4)
    page.wait_for("position", lambda body: body["ply"] == 2)
    position = page.ask("undo")
    assert position["ply"] == 0 and position["known"] == 0 and position["history"] == []
    assert "nothing to take back" in page.complaint("undo")


def test_resigning_ends_the_game_and_undo_takes_it_back(page):
    page.open(people=[0, 1], moves=[4])
    position = page.ask("resign")
    assert position["over"] and position["winner"] == 0 and "resigns" in position["words"]
    assert "over" in page.complaint("resign")
    assert not page.ask("undo")["over"]


def test_a_hint_is_a_search_with_a_move(page):
    page.open(people=[0, 1], moves=[0, 4, 1, 3], strength={"seconds": 3600})  # it ends when the win is proven
    page.send("hint")
    page.wait_for("search", lambda body: body["purpose"] == "hint" and body["state"] == "thinking")
    report = page.wait_for("report")
    assert report["lines"][0]["texts"][0] == "3" and "wins" in report["words"]


def test_history_is_told_once(page):
    position = page.open(people=[0, 1], moves=[4, 0])
    assert position["known"] == 0 and [entry["text"] for entry in position["history"]] == ["5", "1"]
    position = page.ask("move", ply=2, move=8)
    assert position["known"] == 2 and [entry["text"] for entry in position["history"]] == ["9"]


def test_dice_are_thrown_by_the_server(page):
    position = page.open("pig", people=[0, 1])
    assert position["turn"] == 0
    position = page.ask("move", ply=position["ply"], move=move_called(position, "roll"))
    thrown = [entry for entry in position["history"] if entry["turn"] == 2]
    assert thrown and thrown[0]["text"] in "123456"
    assert position["turn"] in (0, 1)


def test_a_kept_game_of_dice_is_taken_up_as_it_was(pages):
    one, other = pages(), pages()
    position = one.open("pig", people=[0, 1])
    kept = [entry["move"] for entry in position["history"]]
    while position["ply"] < 6:
        position = one.ask("move", ply=position["ply"], move=move_called(position, "roll"))
        kept = kept[: position["known"]] + [entry["move"] for entry in position["history"]]
    replayed = other.open("pig", people=[0, 1], moves=kept)
    assert replayed["position"] == position["position"]


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"game": "no-such-game"}, "no game 'no-such-game'"),
        ({"game": "../../etc/passwd.py"}, "no game"),
        ({"position": "x"}, "'x' is not a position of tictactoe"),
        ({"moves": [4, 4]}, "move 2: '4' is not a legal move"),
        ({"moves": "4"}, "must be a list"),
        ({"moves": [4.5]}, "must be whole numbers"),
        ({"settings": {"width": 5}}, "takes no parameters"),
        ({"strength": {"level": 11}}, "level must be a whole number from 1 to 10"),
        ({"strength": {"seconds": -1}}, "seconds must be a number"),
        ({"strength": 3}, "strength must be an object"),
        ({"people": [2]}, "people must be a list of sides"),
        ({"clock": "soon"}, "is not a time control"),
        ({"clock": "depth 3"}, "gives no time"),
        ({"mode": "cheat"}, "mode must be one of"),
    ],
)
def test_what_cannot_be_opened_is_quoted_and_the_game_kept(page, wish, words):
    page.open(people=[0, 1], moves=[4])
    assert words in page.complaint("open", **{"game": "tictactoe", **wish})
    assert page.ask("move", ply=1, move=0)["ply"] == 2


def test_a_clock_runs_for_whom_it_is_to_move(page):
    position = page.open(people=[0, 1], clock="3600+1800")
    assert position["clock"]["running"] == 0 and 1800 < position["clock"]["left"][0] <= 3600
    position = page.ask("move", ply=0, move=4)
    assert position["clock"]["running"] == 1 and 3600 < position["clock"]["left"][0] <= 5400


def test_a_flag_falls_only_when_the_servers_clock_says_so(page):
    page.open(people=[0, 1], clock="3600", moves=[4], left=[3600, 1800])
    assert not page.ask("flag")["over"]
    page.open(people=[0, 1], clock="3600", moves=[4], left=[3600, 0])
    position = page.ask("flag")
    assert position["over"] and position["winner"] == 0 and "run out of time" in position["words"]


def test_a_game_of_the_engine_alone_goes_step_by_step(page):
    position = page.open(people=[], strength={"depth": 1})
    while not position["over"]:
        ply = position["ply"]
        page.ask("step", ply=ply)
        position = page.wait_for("position", lambda body, ply=ply: body["ply"] > ply)
        assert position["ply"] == ply + 1  # and it waits for the next step
    assert position["ply"] >= 5
    page.ask("step", ply=position["ply"])  # no effect: the game is over
    page.open(people=[0])
    assert "a person is playing" in page.complaint("step", ply=0)


def test_what_the_players_have_and_the_line_that_has_won_are_told(page):
    position = page.open("othello", people=[0, 1])
    assert position["counts"] == [{"name": "discs", "numbers": [2, 2]}] and position["line"] == []
    position = page.open(people=[0, 1], position="xx.oo....", moves=[2])
    assert position["over"] and set(position["line"]) == {"1", "2", "3"}


# Black has a king against two queens. Without a network the evaluation is faster in plain Python.
LOST = {"position": "6k1/8/8/8/8/8/2QQ4/K7 w - - 0 1", "settings": {"network": 0}}


@pytest.mark.parametrize("resigns", [True, False])
def test_a_lost_engine_resigns_if_it_may(page, resigns):
    position = page.open("chess", people=[0], strength={"depth": 1}, resigns=resigns, **LOST)
    for text in ("Ka2", "Ka1", "Ka2"):
        if position["over"]:
            break
        ply = position["ply"]
        page.news.clear()
        page.send("move", ply=ply, move=move_called(position, text))
        position = page.wait_for("position", lambda body, ply=ply: body["over"] or body["ply"] == ply + 2)
    assert ("resigns" in position["words"]) == resigns == position["over"]


def test_games_of_points_and_dice_are_never_given_up():
    assert is_lost(load("morris"), [-11, -11, -11])
    assert not is_lost(load("othello"), [-40, -40, -40]) and not is_lost(load("pig"), [-1, -1, -1])


def test_a_draw_is_agreed_to_by_an_engine_that_is_not_better(page):
    page.open("checkers", people=[0], position="B:WK1:BK32", strength={"depth": 1})
    assert "agreed" in page.ask("offer-draw") and not page.ask("offer-draw")["agreed"]  # too early
    page.open(people=[0])
    assert "draws by agreement" in page.complaint("offer-draw")
    page.open("checkers", people=[0, 1])
    assert "against the engine" in page.complaint("offer-draw")
    position = page.open("checkers", people=[0], resigned="draw")
    assert position["over"] and position["winner"] is None and "agreement" in position["words"]


def test_a_position_of_ones_own_is_the_start(page):
    position = page.open(people=[0, 1], position="x...o....")
    assert position["ply"] == 0 and position["turn"] == 0 and len(position["moves"]) == 7
