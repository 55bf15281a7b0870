"""JSON lines, uncompiled: the answer to each request, and that every request is answered."""

from __future__ import annotations

import json
import os
import queue
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE

import zerosum as zs
from zerosum.protocols.serving import FIELDS, Server

EXAMPLES = Path(__file__).parents[2] / "examples"


class Client:
    """Sends requests and waits for answers."""

    def __init__(self, game: str, **parameters: Any) -> None:
        self.lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.server = Server(zs.load(game, **parameters), self.lines.put, jit=False)
        self.number = 0

    def send(self, do: str, **fields: Any) -> int:
        self.number += 1
        assert self.server.handle(json.dumps({"id": self.number, "do": do, **fields}))
        return self.number

    def hear(self) -> dict[str, Any]:
        return json.loads(self.lines.get(timeout=PATIENCE))

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        """Send a single request and return its answer."""
        number = self.send(do, **fields)
        answer = self.hear()
        assert answer.pop("id") == number
        return answer

    def error(self, do: str, **fields: Any) -> str:
        answer = self.ask(do, **fields)
        assert list(answer) == ["error"] and "\n" not in answer["error"]
        return answer["error"]


@pytest.fixture
def client() -> Iterator[Client]:
    made = Client("tictactoe")
    yield made
    made.server.close()


def test_the_server_says_what_it_serves(client):
    answer = client.ask("game")
    assert (answer["name"], answer["protocol"], answer["players"]) == ("tictactoe", 1, ["X", "O"])
    assert answer["requests"] == list(FIELDS)
    assert Client("connect-four", width=5).ask("game")["parameters"]["width"] == 5


def test_legal_moves_of_the_start_of_a_position_and_after_moves(client):
    start = client.ask("position")
    assert start["moves"] == [str(n) for n in range(1, 10)] and (start["turn"], start["player"]) == ("MAX", "X")
    later = client.ask("position", position="x...o....", moves="3 2")
    assert later["moves"] == ["4", "6", "7", "8", "9"] and later["turn"] == "MAX"
    assert later == client.ask("position", moves=["1", "5", "3", "2"])


def test_a_move_is_played_and_the_game_ends(client):
    after = client.ask("play", position="xx.oo....", move="3")
    assert after["over"] and after["moves"] == []
    assert (after["utility"], after["winner"], after["words"]) == (1, "MAX", "X wins")
    drawn = client.ask("position", position="xoxxoooxx")
    assert (drawn["utility"], drawn["winner"], drawn["words"]) == (0, None, "a draw")


def test_repetition_is_told_because_moves_keep_the_past():
    moves = ["Nf3", "Nf6", "Ng1", "Ng8"] * 2
    answer = Client("chess").ask("position", moves=moves)
    assert answer["over"] and answer["winner"] is None and "repetition" in answer["words"]


def test_chance_moves_come_with_their_probabilities():
    answer = Client("pig").ask("position", moves=["roll"])
    assert answer["turn"] == "chance" and answer["player"] is None
    assert len(answer["chances"]) == len(answer["moves"]) == 6 and sum(answer["chances"]) == pytest.approx(1)


def test_a_search_has_the_keys_of_analyze_as_json(client):
    found = client.ask("search", position="xx.oo....", depth=4, lines=2)
    assert (found["move"], found["outcome"], found["distance"]) == ("3", 1, 1)
    assert found["words"] == "X wins in 1 ply" and found["final"] and len(found["lines"]) == 2
    assert {"value", "pv", "depth", "nodes", "seconds", "nodes_per_second", "exact"} <= set(found)


def test_reports_come_depth_by_depth_and_the_last_is_final(client):
    number = client.send("search", depth=3, reports=True)
    heard = [client.hear()]
    while not heard[-1]["final"]:
        heard.append(client.hear())
    assert {answer["id"] for answer in heard} == {number}
    assert [answer["depth"] for answer in heard] == [1, 2, 3, 3]


def test_only_some_moves_are_searched(client):
    assert client.ask("search", position="xx.oo....", depth=2, among=["7", "8"])["move"] in ("7", "8")


def test_a_position_is_solved(client):
    found = client.ask("solve")
    assert found["proven"] and found["value"] == 0 and found["words"] == "a draw"


def test_a_finished_game_is_searched_in_no_time(client):
    found = client.ask("search", position="xxxoo....")
    assert found["move"] is None and found["outcome"] == 1 and found["final"]


def test_a_search_without_limits_is_stopped_and_the_next_follows():
    client = Client("connect-four")
    endless = client.send("search", reports=True)
    assert not client.hear()["final"]  # it is running
    waiting = client.send("search", depth=1)
    other = client.send("stop", of="nobody")
    stop = client.send("stop", of=endless)
    heard = []
    while not heard or heard[-1]["id"] != waiting:
        heard.append(client.hear())
    answers = [one for one in heard if one.get("final") or "stopped" in one]
    assert {one["id"]: one.get("stopped") for one in answers} == {
        other: [],
        stop: [endless],
        endless: None,
        waiting: None,
    }
    assert heard[-1]["depth"] == 1


def test_all_is_stopped_where_nobody_says_what():
    client = Client("connect-four")
    both = [client.send("search"), client.send("search")]
    client.send("stop")
    heard = [client.hear() for _ in range(3)]
    assert sorted(one["id"] for one in heard if "final" in one) == both
    assert all(one["move"] for one in heard if "final" in one)  # there is always an answer


@pytest.mark.parametrize(
    ("line", "quoted"),
    [
        ("go", "'go'"),
        ("[1]", "'[1]'"),
        ('{"id": 1}', "not null"),
        ('{"id": 1, "do": "serch"}', "did you mean 'search'?"),
        ('{"id": 1, "do": ["search"]}', '["search"]'),
        ('{"id": [], "do": "game"}', "[]"),
        ('{"id": true, "do": "game"}', "true"),
        ('{"id": 1, "do": "search", "dept": 3}', "did you mean 'depth'?"),
        ('{"id": 1, "do": "search", "depth": "3"}', "'3'"),
        ('{"id": 1, "do": "search", "depth": 0}', "0"),
        ('{"id": 1, "do": "search", "seconds": NaN}', "'NaN'"),
        ('{"id": 1, "do": "search", "lines": 0}', "0"),
        ('{"id": NaN, "do": "position"}', "'NaN' is not a finite number"),
        ('{"id": 1e400, "do": "position"}', "'1e400' is not a finite number"),
        ('{"id": 1, "do": "search", "lines": true}', "lines must be a whole number of at least 1, not true"),
        ('{"id": 1, "do": "search", "nodes": 18446744073709551616}', "nodes must be at most"),
        ('{"id": 1, "do": "stop", "of": [1]}', "of must be a number or a text, not [1]"),
        ('{"id": 1, "do": "search", "among": []}', "among must have at least one move"),
        ('{"id": 1, "do": "search", "among": "5"}', "'5'"),
        ('{"id": 1, "do": "search", "among": ["x"]}', "'x'"),
        ('{"id": 1, "do": "search", "reports": 1}', "1"),
        ('{"id": 1, "do": "position", "position": 3}', "3"),
        ('{"id": 1, "do": "position", "position": "xxxx"}', "'xxxx'"),
        ('{"id": 1, "do": "position", "moves": {"a": 1}}', '{"a": 1}'),
        ('{"id": 1, "do": "position", "moves": "1 1"}', "move 2: '1'"),
        ('{"id": 1, "do": "play"}', "null"),
        ('{"id": 1, "do": "play", "move": "10"}', "'10'"),
        ("[" * 100_000, "[["),
    ],
)
def test_a_bad_request_is_answered_by_one_line_that_quotes_it(client, line, quoted):
    assert client.server.handle(line)
    answer = client.hear()
    assert quoted in answer["error"] and "Traceback" not in answer["error"] and len(answer["error"]) < 400
    assert answer["id"] in (1, None)
    assert client.ask("game")["name"] == "tictactoe"  # and the server continues


def test_empty_lines_are_skipped_and_quit_ends(client):
    assert client.server.handle("\n")
    assert not client.server.handle('{"do": "quit"}')


def test_rules_that_fail_are_one_line(client):
    broken = zs.load("tictactoe").with_(show=lambda s: 1 // 0)
    client.server = Server(broken, client.lines.put, jit=False)
    assert client.error("position").startswith("ZeroDivisionError")


TYPED = '{"id": 1, "do": "search", "position": "xx.oo....", "depth": 3}\n'


def test_at_the_end_of_the_input_searches_with_a_limit_are_finished_and_others_stopped():
    lines: list[str] = []
    server = Server(zs.load("tictactoe"), lines.append, jit=False)
    server.run([TYPED, '{"id": 2, "do": "search"}'])
    assert [(json.loads(line)["id"], json.loads(line)["final"]) for line in lines] == [(1, True), (2, True)]
    assert json.loads(lines[0])["move"] == "3"


def test_the_conversation_of_the_page_is_true(client):
    page = (EXAMPLES.parent / "docs/serve.md").read_text(encoding="utf-8")
    pairs = re.findall(r"^→ (.*)\n← (.*)$", page, re.MULTILINE)
    assert len(pairs) == 3
    for request, shown in pairs:
        client.server.handle(request)
        pattern = ".*".join(map(re.escape, shown.split("…")))
        assert re.fullmatch(pattern, client.lines.get(timeout=PATIENCE))


# As a program


def example(*command: str) -> str:
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "ZEROSUM": f"{sys.executable} -m zerosum"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_in_python():
    assert example(sys.executable, str(EXAMPLES / "serve.py")).splitlines()[-1] == "a draw"


def test_the_example_in_javascript():
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed")
    said = example(node, str(EXAMPLES / "serve.mjs"))
    assert said.splitlines()[-1] == "a draw" and "X plays" in said
