"""The tree of moves over the WebSocket: navigation, boards in advance, saving whole games, reviews."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from zerosum.errors import StudioError
from zerosum.game import Line
from zerosum.games import load
from zerosum.search.result import Result
from zerosum.studio import messages, whole_game
from zerosum.studio.conversation import HANDLERS
from zerosum.studio.messages import NEWS, WISHES, texts
from zerosum.studio.reports import report
from zerosum.studio.searches import Search
from zerosum.studio.server import _content


@pytest.fixture
def tree(page):
    page.open("tictactoe", mode="analyse", people=[0, 1])
    return page


def test_lines_are_sorted_for_the_side_to_move():
    """A later line may turn out better than the first; then it comes first, and the value is its own."""

    def line(move, value):
        return Result(move, value, None, None, False, (move,), 3, 10, 0.1)

    for moves, best in (("", 40), ("5", -30)):
        found = [line(1, 10), line(2, 40), line(3, -30)]
        result = Result(1, 10, None, None, False, (1,), 3, 10, 0.1, lines=tuple(found))
        search = Search(Line.parse(load("tictactoe"), moves), "analyse", lambda *_: None, lambda _: None)
        search.position = "here"
        answer = report(search, result, None)
        values = [one["value"] for one in answer["lines"]]
        assert values == sorted(values, reverse=not moves) and answer["value"] == best and answer["position"] == "here"


def test_reports_and_searches_say_which_position_they_are_about(tree):
    tree.ask("go", moves=[4, 0])
    tree.send("analyse", lines=1)
    search = tree.wait_for("search", lambda body: body["state"] == "thinking")
    found = tree.wait_for("report")
    assert found["position"] == search["position"] == "o...x...."
    tree.send("stop")


def test_a_finished_position_tells_its_result_and_is_not_searched(tree):
    tree.send("analyse", lines=1)
    tree.wait_for("search", lambda body: body["state"] == "thinking")
    at = tree.ask("go", moves=[0, 3, 1, 4, 2])
    assert at["over"] and at["words"] == "X wins" and at["moves"] == [] and at["line"] == ["1", "2", "3"]
    assert tree.ask("go", moves=[0])["over"] is False
    kinds = [message["kind"] for message in tree.news if message["body"].get("ply") == 5]
    assert kinds == []  # neither a search nor a report


def test_boards_along_a_line_come_at_once_and_change_nothing(tree):
    found = tree.ask("boards", moves=[4, 0, 8])
    assert [board["ply"] for board in found["boards"]] == [0, 1, 2, 3] and found["ways"] == [[], ["5"], ["1"], ["9"]]
    assert [len(board["pieces"]) for board in found["boards"]] == [0, 1, 2, 3]
    assert "moves" not in found["boards"][0]
    rest = tree.ask("boards", moves=[4, 0, 8], first=2)
    assert [board["position"] for board in rest["boards"]] == [board["position"] for board in found["boards"][2:]]
    assert rest["ways"] == [["1"], ["9"]]
    assert tree.ask("go", moves=[4, 0])["ply"] == 2


def test_boards_come_in_parts(page, monkeypatch):
    monkeypatch.setattr("zerosum.studio.analysis.MOST_BOARDS", 2)
    page.open("tictactoe", mode="analyse")
    assert len(page.ask("boards", moves=[4, 0, 8])["boards"]) == 2
    assert len(page.ask("boards", moves=[4, 0, 8], first=3)["boards"]) == 1


@pytest.mark.parametrize(
    ("wish", "body", "words"),
    [
        ("boards", {"moves": [4, 4]}, "not a legal move"),
        ("boards", {"moves": [4], "first": 2}, "first must be a whole number from 0 to 1"),
        ("go", {"moves": "e4"}, "moves must be a list"),
        ("review", {"moves": []}, "no moves"),
        ("save", {"nodes": {"move": 4}}, "nodes must be a list"),
        ("save", {"nodes": [4]}, "nodes must be a list"),
        ("save", {"nodes": [{"move": True}]}, "as numbers"),
        ("save", {"nodes": [{"move": 4, "variations": 3}]}, "variations must be a list"),
        ("save", {"nodes": [{"move": 4}, {"move": 4}]}, "move 2: '4' is not a legal move"),
        ("save", {"nodes": [{"move": 4, "comment": "x" * 5000}]}, "comment must be a text"),
        ("save", {"names": ["a"]}, "two players"),
        ("save", {"names": ["a", 5]}, "name must be a text"),
        ("save", {"result": 7}, "result must be"),
        ("save", {"notes": {"White!": "x"}}, "must be a word"),
        ("open", {"game": "tictactoe", "line": "5 5"}, "move 2"),
        ("threat", {}, "has no rule skip"),
        ("set-up", {"glyphs": {"1": "queen"}, "turn": 0}, "cannot put 'queen' on '1'"),
        ("set-up", {"glyphs": {"77": "ring"}, "turn": 0}, "on '77'"),
        ("set-up", {"glyphs": {"1": "ring"}, "turn": 0}, "x moves first"),
        ("set-up", {"glyphs": ["1"], "turn": 0}, "glyphs must be an object"),
        ("set-up", {"glyphs": {}, "turn": 2}, "turn must be"),
        ("stop", {"what": "x" * 50}, "what must be a text"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(tree, wish, body, words):
    assert words in tree.complaint(wish, **body)
    assert tree.ask("go", moves=[])["ply"] == 0  # and nothing has changed


def test_variations_are_kept_so_deep_and_no_deeper(tree):
    nodes = [{"move": 0}]
    for _ in range(whole_game.MOST_NESTED + 1):
        nodes = [{"move": 0, "variations": [nodes]}]
    assert "deep" in tree.complaint("save", nodes=nodes)


def test_every_message_is_documented():
    assert set(WISHES) == {*HANDLERS, "hello", "ping"}
    kinds = {word for text in WISHES.values() for word in re.findall(r"[\w-]+", text)} | set(NEWS)
    for file in Path(messages.__file__).parent.glob("*.py"):
        for kind in re.findall(r'(?:\.send|write)\(\s*"([\w-]+)"', file.read_text(encoding="utf-8")):
            assert kind in kinds, (file.name, kind)


def test_words_beside_tags_are_short():
    with pytest.raises(StudioError, match="at most 2 texts"):
        texts({"notes": {"a": "", "b": "", "c": ""}}, "notes", 2)


GAME = '[White "Anna"]\n[Black "Otto"]\n\n1. e4 (1. d4 d5) e5 { a comment } 2. Nf3 1-0'


def test_a_download_keeps_the_whole_game_whatever_is_shown(page):
    page.open("chess", mode="analyse")
    reading = page.ask("read", text=GAME)
    assert reading["players"] == ["Anna", "Otto"] and reading["result"] == 1
    kept = [
        {name: node[name] for name in ("move", "comment", "variations") if name in node} for node in reading["nodes"]
    ]
    page.ask("go", moves=reading["moves"][:1])
    file = page.ask("save", nodes=kept, names=reading["players"], result=1, notes={"Site": "Vienna"})
    for part in ('[White "Anna"]', '[Site "Vienna"]', "(1. d4 d5)", "{ a comment }"):
        assert part in file["text"]
    assert file["text"].rstrip().endswith("1-0") and "2. Nf3" in file["text"]
    again = page.ask("read", text=file["text"])
    assert again["nodes"] == reading["nodes"]


def test_a_download_of_a_game_without_a_format_of_its_own_keeps_all_too(tree):
    nodes = [{"move": 4, "comment": "the centre"}, {"move": 1, "variations": [[{"move": 0}, {"move": 8}]]}]
    file = tree.ask("save", nodes=nodes, names=["Anna", ""], result=-1)
    assert file["text"] == '[X "Anna"]\n\n5 { the centre } 2 ( 1 9 ) 0-1\n'
    again = tree.ask("read", text=file["text"])
    assert again["players"] == ["Anna", ""] and again["result"] == -1
    assert again["nodes"][0]["comment"] == "the centre" and len(again["nodes"][1]["variations"][0]) == 2


def test_the_rules_say_how_a_finished_game_ended(tree):
    nodes = [{"move": move} for move in (0, 3, 1, 4, 2)]
    assert tree.ask("save", nodes=nodes, result=-1)["text"].rstrip().endswith("1-0")


def test_a_review_marks_moves_names_better_ones_and_sums_up(tree):
    tree.send("review", seconds=10, moves=[0, 4, 1, 8])  # every search ends with a proof
    tree.ask("go", moves=[0])  # going elsewhere does not stop it
    evaluations = [tree.wait_for("evaluation") for _ in range(5)]
    assert (
        evaluations[3]["mark"] == "??"
        and evaluations[3]["best"] == "3"
        and evaluations[3]["way"] == ["3"]
        and evaluations[3]["move"] == 2
    )
    found = tree.wait_for("review")
    assert [side["player"] for side in found["sides"]] == ["X", "O"]
    assert found["sides"][0]["accuracy"] > 90 > found["sides"][1]["accuracy"]
    assert found["sides"][1]["marks"] == {"??": 1, "?": 0, "?!": 0} and "luck" not in found["sides"][0]


def test_a_review_of_a_game_with_dice_tells_the_luck(page):
    page.open("pig", mode="analyse", settings={"target": 10}, line="roll 6 roll 1")
    page.send("review", seconds=0.02)
    found = page.wait_for("review")
    luck = [side["luck"] for side in found["sides"]]
    assert luck[0] == -luck[1] != 0


def test_a_review_is_stopped(page):
    page.open("connect-four", mode="analyse", moves=[3] * 6)
    page.send("review", seconds=10)  # for each of seven positions
    page.wait_for("search", lambda body: body["purpose"] == "review" and body["state"] == "thinking")
    page.send("stop", what="review")
    assert page.wait_for("search", lambda body: body["purpose"] == "review" and body["state"] == "stopped")


def test_a_second_engine_runs_beside_the_first(page):
    page.open("connect-four", mode="analyse")  # neither engine gets to the end of it
    page.send("analyse", lines=1, algorithm="alphabeta")
    page.send("analyse", lines=1, algorithm="mcts", beside=True)
    seen = set()
    while seen != {"analyse", "beside"}:
        seen.add(page.wait_for("report")["purpose"])
    page.ask("go", moves=[3])
    seen = set()
    while seen != {"analyse", "beside"}:
        seen.add(page.wait_for("report", lambda body: body["ply"] == 1)["purpose"])
    page.send("stop", what="beside")
    page.wait_for("search", lambda body: body["purpose"] == "beside" and body["state"] == "stopped")
    page.send("stop")


def test_moves_of_a_link_are_written_as_people_write_them(page):
    position = page.open("tictactoe", mode="analyse", line="5 1 9")
    assert position["ply"] == 3 and [entry["text"] for entry in position["history"]] == ["5", "1", "9"]


def test_a_board_is_set_up_from_glyphs(tree):
    found = tree.ask("set-up", glyphs={"1": "cross", "5": "ring"}, turn=1)
    assert found["position"] == "x...o...." and found["turn"] == 0 and len(found["pieces"]) == 2


def test_a_threat_is_what_the_other_side_would_do(page):
    page.open("chess", mode="analyse", position="6k1/n4ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1")
    found = page.ask("threat", seconds=0.01)
    assert found["text"] == "Rd8#" and found["way"] == ["d1", "d8"] and found["position"].endswith("b - - 0 1")
    page.open("chess", mode="analyse", position="3R2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1")
    assert "no player is to move" in page.complaint("threat")
    page.open("chess", mode="analyse", position="6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1")
    assert "passing might be" in page.complaint("threat")
    page.open("chess", mode="analyse", position="3R2k1/6pp/8/8/8/8/5PPP/6K1 b - - 0 1")
    assert "must already answer a threat" in page.complaint("threat")


def test_the_page_asks_once_for_all_its_modules():
    page, bundle = ((_content(name) or b"").decode() for name in ("index.html", "app.js"))
    assert re.findall(r'<script [^>]*src="/assets/([\w.]+)">', page) == ["theme.js", "app.js"]
    brought = {f"{name}.js" for name in re.findall(r"^const zs_(\w+) = ", bundle, re.MULTILINE)}
    assets = Path(messages.__file__).parent / "assets"
    assert brought | {"theme.js", "app.js"} == {path.name for path in assets.glob("*.js")}
