"""NBoard's protocol, uncompiled: the answer to each command, and that every line ends a search."""

from __future__ import annotations

import queue
import random
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from patience import PATIENCE

import zerosum as zs
from zerosum.errors import ProtocolError
from zerosum.game import MAX
from zerosum.protocols.nboard import Nboard, format_for_games

OTHELLO = zs.load("othello")
GAME = "(;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[15:00]TY[8]{}B[F5]W[F6]B[D3]W[C5]B[E6];)"
SIX_EMPTY = "***O****O*******OO******OOO*****OOO**OO-OOOOO---OOOOOOO-OOOOOOO-"


class Client:
    """Sends lines and waits for answers."""

    def __init__(self, seconds: float | None = None, depth: int | None = None) -> None:
        self.lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.nboard = Nboard(OTHELLO, self.lines.put, seconds=seconds, depth=depth, jit=False)

    def send(self, *lines: str) -> Client:
        for line in lines:
            assert self.nboard.handle(line)
        return self

    def until(self, start: str) -> list[str]:
        """All lines up to the one that starts with this."""
        found: list[str] = []
        while not found or not found[-1].startswith(start):
            found.append(self.lines.get(timeout=PATIENCE))
        return found

    def everything(self) -> list[str]:
        """All lines so far."""
        return self.send("ping 999").until("pong 999")[:-1]


Make = Callable[..., Client]


@pytest.fixture
def client() -> Iterator[Make]:
    made: list[Client] = []

    def make(**settings: float) -> Client:
        made.append(Client(**settings))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for one in made:
        one.nboard.close()


def test_the_engine_says_its_name_and_depth(client: Make) -> None:
    said = client().send("nboard 2", "set depth 6").everything()
    assert re.fullmatch(r"set myname zerosum \S+", said[0]) and said[1] == f"{said[0]} depth 6"


def test_a_move_comes_with_its_value_and_time(client: Make) -> None:
    c = client().send("nboard 2", "set depth 3", f"set game {GAME.format('')}", "go")
    said = c.until("===")
    assert re.fullmatch(r"=== [A-H][1-8]/-?\d+\.\d\d/\d+\.\d\d", said[-1])
    assert any(re.fullmatch(r"search ([A-H][1-8]){3} -?\d+\.\d\d 0 3", line) for line in said)
    assert any(re.fullmatch(r"nodestats \d+ \d+\.\d\d", line) for line in said)
    assert "status thinking" in said and c.until("status") == ["status"]
    assert len(c.nboard.line) == 5  # the move is suggested, not played


def test_moves_are_played_with_or_without_value_and_time(client: Make) -> None:
    c = client().send("move F5", "move d6/1.2/0.5", "move C3//0.1")
    assert list(c.nboard.line.texts()) == ["f5", "d6", "c3"]
    assert c.everything() == []


def test_in_the_first_version_moves_stand_alone(client: Make) -> None:
    c = client().send("nboard 1", "F5")
    assert list(c.nboard.line.texts()) == ["f5"]
    c.send("nboard 2", "D6")
    assert list(c.nboard.line.texts()) == ["f5"] and "'D6' is not a command" in c.everything()[-1]


def test_the_values_of_the_best_moves_are_told_after_each_depth(client: Make) -> None:
    c = client().send("set depth 2", "move F5", "hint 2")
    said = [*c.until("nodestats"), *c.until("nodestats"), *c.until("status")]
    found = [line.split() for line in said if line.startswith("search")]
    assert [line[4] for line in found] == ["1", "1", "2", "2"]
    assert float(found[2][2]) >= float(found[3][2]) and found[2][1][:2] != found[3][1][:2]
    assert said[-1] == "status" and not [line for line in said if line.startswith("===")]


def test_the_end_of_a_game_is_solved_whatever_the_depth(client: Make) -> None:
    c = client().send("set depth 1", f"set game (;GM[Othello]TY[8]BO[8 {SIX_EMPTY} *];)", "go")
    *said, answer = c.until("===")
    assert answer.startswith("=== H5/6.00/")  # as the FFO suite has it
    assert any(line == "search H5 6.00 0 100%" or line.endswith(" 6.00 0 100%") for line in said)


def test_values_are_for_the_player_to_move(client: Make) -> None:
    swapped = SIX_EMPTY.translate(str.maketrans("*O", "O*"))
    c = client().send("set depth 1", f"set game (;GM[Othello]TY[8]BO[8 {swapped} O];)", "go")
    assert c.until("===")[-1].startswith("=== H5/6.00/")


def test_a_whole_game_is_analysed_from_its_end(client: Make) -> None:
    c = client().send("set depth 1", "move F5", "move F6", "analyze")
    assert c.until("status")[-1] == "status analyzing"
    said = c.until("status")
    assert [line.split()[:2] for line in said[:-1]] == [["analysis", str(made)] for made in (2, 1, 0)]
    assert all(re.fullmatch(r"analysis \d -?\d+\.\d\d", line) for line in said[:-1])


def test_a_finished_game_is_analysed_too_and_has_no_move(client: Make) -> None:
    c = client(depth=1)
    c.send(*(f"move {move}" for move in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]), "analyze")
    c.until("status")
    first = c.until("analysis")[0]
    assert first == f"analysis 9 {'-' if OTHELLO.to_move(c.nboard.line.state) != MAX else ''}64.00"
    c.send("go").until("status thinking")
    assert c.until("status") == ["status the game is over: there is no move"]


@pytest.mark.parametrize("command", ["go", "hint 3", "analyze"])
@pytest.mark.parametrize("line", ["ping 3", "set depth 2", "move F5", "nonsense", "learn", "go"])
def test_every_line_ends_a_search(client: Make, command: str, line: str) -> None:
    c = client(depth=40).send(command, line, "set depth 1", "ping 5")
    assert c.until("pong 5")[-1] == "pong 5"
    assert c.nboard.work is None
    assert not [t for t in threading.enumerate() if t.name in ("zerosum-search", "zerosum-analysis") and t.is_alive()]


def test_a_search_that_is_ended_still_answers_before_the_pong(client: Make) -> None:
    said = client(depth=40).send("go", "ping 1").until("pong 1")
    assert [line for line in said if line.startswith("===")] and said[-1] == "pong 1"


def test_a_time_limit_ends_the_search(client: Make) -> None:
    client(seconds=0.05, depth=50).send("go").until("===")
    assert client(seconds=0.05).nboard._limits(zs.Line(OTHELLO)).movetime == 0.05
    assert client().nboard._limits(zs.Line(OTHELLO)).movetime == 2.0
    assert client(depth=3).nboard._limits(zs.Line(OTHELLO)).movetime is None


def test_what_is_learned_and_despised_has_no_effect(client: Make) -> None:
    assert client().send("learn", "set contempt -100").everything() == ["learned"]


def test_a_game_that_goes_on_keeps_what_was_found_out(client: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    c = client()
    cleared: list[bool] = []
    monkeypatch.setattr(c.nboard.session, "clear", lambda: cleared.append(True))
    c.send("set game (;B[f5];)", "set game (;B[f5]W[d6];)", "move c3", "set\tgame  (;B[f5]W[d6]B[c3]W[d3];)")
    assert not cleared and len(c.nboard.line) == 4
    c.send("set game (;B[f5];)")  # possibly another game with the same opening
    c.send("set game (;B[d3];)")
    assert cleared == [True, True]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("hello", "'hello' is not a command; 'help' lists them"),
        ("move", "'move': '' is not a legal move here"),
        ("move a1", "'move a1': 'a1' is not a legal move here; legal: d3, c4, f5, e6"),
        ("set", "unknown setting ''"),
        ("set speed 9", "unknown setting 'speed'"),
        ("set depth deep", "'set depth' needs a whole number, not 'deep'"),
        ("set depth " + "9" * 5000, "needs a whole number"),
        ("set game", "needs one game in GGF, not 0"),
        ("set game (;GM[Chess];)", "the game is 'Chess', not othello"),
        ("set game (;B[d3];)(;B[d3];)", "needs one game in GGF, not 2"),
        ("set game (;B[d3]W[d3];)", "move 2: 'd3'"),
        ("set game nonsense", "'nonsense' is not GGF"),
        ("set contempt x", "'set contempt' needs a whole number, not 'x'"),
        ("hint many", "'hint' needs a whole number, not 'many'"),
        ("nboard two", "'nboard' needs a whole number, not 'two'"),
    ],
)
def test_a_line_that_makes_no_sense_is_a_status(client: Make, line: str, said: str) -> None:
    c = client().send("move f5", line) if line.startswith("set") else client().send(line)
    (status,) = c.everything()
    assert status.startswith("status ") and said in status and len(status) < 400
    assert len(c.nboard.line) == line.startswith("set")  # the game is unchanged


def test_noise_does_no_harm(client: Make) -> None:
    draw, c = random.Random(3), client(depth=1)
    words = [
        "set",
        "game",
        "depth",
        "move",
        "hint",
        "(;",
        "B[d3]",
        ";)",
        "-1",
        "99",
        "d3",
        "pa",
        "ping",
        "\x00",
        "/",
        "é",
    ]
    for _ in range(300):
        c.send(" ".join(draw.choices(words, k=draw.randrange(6))))
    assert all(line.startswith(("status", "set myname", "pong", "search", "nodestats")) for line in c.everything())


def test_the_input_may_end_during_a_search_and_quit_ends_at_once() -> None:
    said: list[str] = []
    Nboard(OTHELLO, said.append, depth=2, jit=False).run(["go"])
    assert said[-2].startswith("===")
    said.clear()
    Nboard(OTHELLO, said.append, depth=40, jit=False).run(["go", "quit", "ping 1"])
    assert "pong 1" not in said


def test_when_nobody_reads_any_more_it_ends() -> None:
    def broken(text: str) -> None:
        raise BrokenPipeError

    nboard = Nboard(OTHELLO, broken, depth=40, jit=False)
    nboard.handle("go")
    assert not nboard.handle("ping 1")
    nboard.close()


def test_a_game_without_a_format_for_it_is_refused() -> None:
    with pytest.raises(ProtocolError, match=r"tictactoe does not support .* no Programs\(games=\)"):
        Nboard(zs.load("tictactoe"), print)
    with pytest.raises(ProtocolError, match="chess does not support"):
        format_for_games(zs.load("chess"))


def test_any_game_with_such_a_format_can_be_spoken_about() -> None:
    nim = zs.load("nim")

    def read(game: zs.Game, text: str) -> Iterator[zs.Played]:
        yield zs.Played(zs.Line.parse(game, text))

    rows = zs.Format(".rows", "rows", read, lambda played: " ".join(played.line.texts()))
    programs = zs.Programs(nim.format_move, nim.parse_move, games=rows)
    said: list[str] = []
    Nboard(nim.with_(formats=(rows,), programs=programs), said.append, depth=3, jit=False).run(["set game a1", "go"])
    assert said[-2].startswith("=== ")


def test_the_document_names_every_command() -> None:
    text = (Path(__file__).parents[2] / "docs" / "nboard.md").read_text(encoding="utf-8")
    nboard = Nboard(OTHELLO, print, jit=False)
    for command in (*nboard._commands, *(f"set {name}" for name in nboard._settings)):
        assert command in ("set", "help") or f"`{command}" in text
