"""UCI with games other than chess, uncompiled: the answer to each command, and when it comes."""

from __future__ import annotations

import queue
import re
import threading
import time
from pathlib import Path

import pytest
from patience import PATIENCE

from zerosum.games import load
from zerosum.protocols import thinking
from zerosum.protocols.uci import Uci
from zerosum.protocols.uci_info import InfoWriter
from zerosum.protocols.uci_options import Options


class Client:
    """Sends lines and waits for answers."""

    def __init__(self, game, **settings):
        self.lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.uci = Uci(load(game, **settings), self.lines.put, jit=False)
        self.uci.session.warm_up()
        assert self.uci.session.ready.wait(PATIENCE)

    def send(self, *lines):
        for line in lines:
            assert self.uci.handle(line)
        return self

    def until(self, start):
        """All lines up to the one that starts with this."""
        found = []
        while not found or not found[-1].startswith(start):
            found.append(self.lines.get(timeout=PATIENCE))
        return found

    def nothing(self, start, seconds):
        """All lines of the next seconds; none may start with this."""
        time.sleep(seconds)
        found = []
        while not self.lines.empty():
            found.append(self.lines.get())
        assert not [line for line in found if line.startswith(start)], found
        return found


@pytest.fixture
def client():
    made = []

    def make(game="tictactoe", **settings):
        made.append(Client(game, **settings))
        return made[-1]

    yield make
    for client in made:
        client.uci.close()


def test_a_greeting_names_the_engine_and_its_options(client):
    lines = client().send("uci").until("uciok")
    assert lines[0].startswith("id name zerosum ") and lines[1].startswith("id author ")
    assert "option name Hash type spin default 64 min 1" in "\n".join(lines)
    for name in ("Threads", "MultiPV", "Ponder", "Move Overhead", "Clear Hash"):
        assert any(line.startswith(f"option name {name} type ") for line in lines)
    assert client().send("isready").until("readyok") == ["readyok"]


def test_a_win_is_told_in_moves_for_the_side_to_move(client):
    c = client().send("position fen xx.oo.... moves", "go depth 3")
    *info, best = c.until("bestmove")
    assert best == "bestmove 3" and " score mate 1 " in info[-1] and info[-1].endswith(" pv 3")
    lost = c.send("position fen xx.oo.... moves 3", "go depth 3").until("bestmove")
    assert lost == ["info depth 0 score mate 0", "bestmove (none)"]
    # O must stop two threats at once: it loses in two plies, which is one move of its own.
    lost = c.send("position startpos moves 1 2 5 9 7", "go depth 5").until("bestmove")
    assert " score mate -1 " in lost[-2]
    won = c.send("position startpos moves 1 2 5 9", "go depth 5").until("bestmove")
    assert " score mate 2 " in won[-2]


def test_a_drawn_end_has_no_move(client):
    c = client().send("position startpos moves 5 1 3 7 4 6 2 8 9", "go")
    assert c.until("bestmove") == ["info depth 0 score cp 0", "bestmove (none)"]


def test_info_has_everything(client):
    *info, best = client().send("position startpos moves 5", "go depth 4").until("bestmove")
    for line in info:
        assert re.fullmatch(
            r"info depth \d+ seldepth \d+ multipv 1 score (cp|mate) -?\d+ nodes \d+ nps \d+ hashfull \d+ tbhits 0"
            r" time \d+ pv( \d)+",
            line,
        )
    assert re.fullmatch(r"bestmove \d ponder \d", best)
    assert [int(line.split()[2]) for line in info] == [1, 2, 3, 4]


def test_a_search_without_limit_ends_with_a_stop(client):
    c = client("connect-four").send("go infinite")
    assert c.until("info depth 2")
    c.nothing("bestmove", 0.1)
    c.send("stop").until("bestmove")


def test_a_stop_right_after_go_is_not_lost(client):
    c = client("connect-four")
    for _ in range(30):
        c.send("go infinite", "stop").until("bestmove")


def test_an_infinite_search_keeps_its_answer_though_everything_is_proven(client):
    c = client().send("position fen xx.oo....", "go infinite")
    c.nothing("bestmove", 0.2)
    assert c.send("stop").until("bestmove")[-1] == "bestmove 3"


def test_pondering_waits_for_the_hit_and_then_uses_the_clock(client):
    c = client("connect-four").send("go ponder wtime 2000 btime 2000")
    c.nothing("bestmove", 0.3)
    c.send("ponderhit").until("bestmove")
    c.send("go ponder movetime 200")
    c.nothing("bestmove", 0.4)
    started = time.monotonic()
    c.send("ponderhit").until("bestmove")
    assert time.monotonic() - started > 0.1  # the clock starts at the ponderhit
    c.send("go ponder wtime 2000 btime 2000", "stop").until("bestmove")  # another move was played


def test_several_lines(client):
    c = client().send("setoption name MultiPV value 3", "position startpos moves 5 1", "go depth 5")
    *info, best = c.until("bestmove")
    last = info[-3:]
    assert [line.split()[6] for line in last] == ["1", "2", "3"]
    moves = [line.split(" pv ")[1].split()[0] for line in last]
    assert len(set(moves)) == 3 and best.split()[1] == moves[0]


def test_only_the_moves_asked_for(client):
    c = client().send("position fen xx.oo....")
    assert c.send("go depth 4 searchmoves 7 8").until("bestmove")[-1].split()[1] in "78"
    assert c.send("go searchmoves 9 depth 2").until("bestmove")[-1].split()[1] == "9"
    (line,) = c.send("go searchmoves 1").until("info string")
    assert "'1' is not a legal move" in line


def test_limits(client):
    c = client("connect-four")
    assert c.send("go depth 2").until("bestmove")[-2].split()[2] == "2"
    nodes = int(c.send("go nodes 300").until("bestmove")[-2].split(" nodes ")[1].split()[0])
    assert nodes <= 300
    started = time.monotonic()
    c.send("go movetime 300").until("bestmove")
    assert time.monotonic() - started > 0.2


def test_a_mate_that_is_found_ends_the_search_for_it(client):
    c = client("connect-four").send("position startpos moves 4 1 4 1 4 2", "go mate 1")
    *info, best = c.until("bestmove")
    assert best.startswith("bestmove 4") and " score mate 1 " in info[-1]


@pytest.mark.parametrize("clock", ["wtime 300 btime 300", "wtime 50 btime 9999", "wtime -20 btime 1", "wtime 0"])
def test_the_clock_is_kept(client, clock):
    """Only the planned time is checked: on a busy machine, no program can promise how long a move really takes."""
    c = client("connect-four").send("debug on", f"go {clock}")
    planned = next(line for line in c.until("bestmove") if " planned" in line)
    soft, hard = map(int, re.search(r"(\d+) to (\d+) planned", planned).groups())
    assert soft <= hard < max(int(clock.split()[1]), 2)


def test_a_game_by_the_clock_knows_the_past(client):
    c = client("othello").send("ucinewgame")
    moves: list[str] = []
    for _ in range(8):
        c.send(f"position startpos moves {' '.join(moves)}", "go wtime 400 btime 400 winc 20 binc 20")
        moves.append(c.until("bestmove")[-1].split()[1])
    assert len(c.uci.line) == 7 and len(moves) == 8


def test_positions_follow_each_other_without_being_played_again(client, monkeypatch):
    c = client("connect-four").send("position startpos moves 4 4 3")
    read = []
    original = c.uci.notation.read
    monkeypatch.setattr(c.uci.notation, "read", lambda s, word: read.append(word) or original(s, word))
    c.send("position startpos moves 4 4 3 2 1")
    assert read == ["2", "1"] and list(c.uci.line.texts()) == ["4", "4", "3", "2", "1"]
    c.send("position startpos moves 4 4 2")
    assert read == ["2", "1", "2"] and list(c.uci.line.texts()) == ["4", "4", "2"]
    c.send("position startpos moves 4 4")
    assert read == ["2", "1", "2"] and list(c.uci.line.texts()) == ["4", "4"]
    c.send("position startpos")
    assert len(c.uci.line) == 0


def test_a_bad_position_leaves_the_last_one(client):
    c = client().send("position startpos moves 5 1")
    for line in ("position startpos moves 5 5", "position fen xyz", "position", "position fen x moves"):
        (answer,) = c.send(line).until("info string")
        assert repr(line) in answer
    assert len(c.uci.line) == 2


def test_what_makes_no_sense_is_quoted_and_the_engine_goes_on(client):
    c = client()
    for line, expected in {
        "xyzzy 1 2": "'xyzzy' is not a command",
        "go depth many": "'many'",
        "setoption name Colour value red": "'Colour'",
        "setoption name Hash value 0": "'0'",
        "setoption name Hash value big": "'big'",
        "setoption name Ponder value maybe": "'maybe'",
        "setoption": "setoption name NAME",
        "position startpos moves ten": "'ten'",
    }.items():
        (answer,) = c.send(line).until("info string")
        assert expected in answer
    assert c.send("", "   ", "debug on", "register later", "stop", "ponderhit", "isready").until("readyok") == [
        "readyok"
    ]


def test_debug_tells_where_the_time_has_gone(client):
    c = client().send("debug on", "go wtime 1000 btime 1000")
    assert any(re.search(r"info string \d+ ms spent, \d+ to \d+ planned", line) for line in c.until("bestmove"))
    assert "'debug maybe'" in c.send("debug maybe").until("info string")[0]
    c.send("debug off", "go wtime 1000 btime 1000")
    assert not any(line.startswith("info string") for line in c.until("bestmove"))


def test_a_second_go_is_refused_while_the_first_runs(client):
    c = client("connect-four").send("go infinite", "go depth 3")
    assert any("while a search is running" in line for line in c.until("info string"))
    c.send("setoption name Hash value 2", "ucinewgame", "stop").until("bestmove")
    c.send("go depth 3").until("bestmove")
    assert c.uci.session.spec.hash_mb == 2


def test_the_position_is_shown(client):
    lines = client().send("position startpos moves 5", "d").until("Moves:")
    assert "Position: ....x...." in lines and lines[-1] == "Moves: 1 2 3 4 6 7 8 9"


def test_a_search_that_fails_still_gives_a_legal_move(client, monkeypatch):
    c = client()

    def broken(*arguments, **settings):
        raise RuntimeError("out of order")

    monkeypatch.setattr("zerosum.engine.Engine.search", broken)
    *info, best = c.send("go depth 3").until("bestmove")
    assert info == ["info string the search failed: RuntimeError: out of order"] and best == "bestmove 1"


def test_a_move_that_cannot_be_written_is_told_and_the_search_is_answered():
    lines: list[str] = []
    Uci(load("tictactoe").with_(format_move=lambda s, move: 1 // 0), lines.append, jit=False).run(["go depth 1"])
    assert lines[-2].startswith("info string the move cannot be written: ZeroDivisionError: ")
    assert lines[-1] == "bestmove (none)"


def test_the_clock_runs_on_though_the_progress_cannot_be_told(client, monkeypatch):
    monkeypatch.setattr(thinking, "PROGRESS_AFTER", 0.05)
    monkeypatch.setattr(InfoWriter, "progress", lambda info, engine: 1 // 0)
    c = client("connect-four").send("go movetime 3600000")
    c.until("info string the progress cannot be reported: ZeroDivisionError: ")
    c.uci.thinking.pace.deadline = 0.0
    assert not any("progress" in line for line in c.until("bestmove"))


def test_the_move_being_searched_is_told(client, monkeypatch):
    monkeypatch.setattr(thinking, "PROGRESS_AFTER", 0.05)
    c = client("connect-four").send("go infinite")
    line = c.lines.get(timeout=PATIENCE)
    while " currmove " not in line:
        line = c.lines.get(timeout=PATIENCE)
    assert re.fullmatch(
        r"info depth \d+ currmove \d currmovenumber \d nodes \d+ nps \d+ hashfull \d+ tbhits 0 time \d+", line
    )


# While kernels compile


class Compiling(Client):
    """An engine whose kernels are not ready until ``get_ready`` is called."""

    def __init__(self, game):
        self.lines = queue.SimpleQueue()
        self.uci = Uci(load(game), self.lines.put, jit=True)
        self.uci.session._thread = threading.current_thread()  # as if compilation had started

    def get_ready(self):
        self.uci.session.want(jit=False)  # nothing is compiled in this test
        self.uci.session.ready.set()


def test_while_kernels_compile_everything_is_answered():
    c = Compiling("connect-four")
    assert c.send("uci").until("uciok")
    c.send("go infinite")
    c.nothing("bestmove", 0.2)
    assert re.match(r"bestmove [1-7]", c.send("stop").until("bestmove")[-1])
    # With a clock, and to a depth that needs no compiled kernels.
    c.send("go wtime 3000 btime 3000").until("bestmove")
    assert c.send("go depth 2").until("bestmove")[-2].split()[2] == "2"


def test_when_kernels_are_ready_the_search_goes_on_with_them():
    c = Compiling("connect-four").send("go depth 9")
    c.nothing("bestmove", 0.05)
    c.get_ready()
    assert c.until("bestmove")[-2].split()[2] == "9"


def test_rules_that_do_not_compile_are_told_and_played_all_the_same(monkeypatch):
    from zerosum.engine import Engine
    from zerosum.errors import KernelError

    def refuse(self):
        if self.jit:
            raise KernelError("stones: moves cannot be compiled")
        original(self)

    original = Engine.prepare
    monkeypatch.setattr(Engine, "prepare", refuse)
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    uci = Uci(load("tictactoe"), lines.put)
    uci.run(["position fen xx.oo....", "go depth 1"])
    answers = []
    while not lines.empty():
        answers.append(lines.get())
    assert "info string stones: moves cannot be compiled" in answers and answers[-1] == "bestmove 3"


# The end


def test_the_end_of_input_lets_a_limited_search_finish_and_quit_does_not():
    lines: list[str] = []
    Uci(load("connect-four"), lines.append, jit=False).run(["go depth 4"])
    assert lines[-1].startswith("bestmove") and lines[-2].split()[2] == "4"
    lines.clear()
    Uci(load("connect-four"), lines.append, jit=False).run(["go movetime 3600000", "quit", "isready"])
    assert lines[-1].startswith("bestmove") and "readyok" not in lines
    Uci(load("connect-four"), lines.append, jit=False).run(["go infinite"])


def test_the_document_names_every_option_and_its_code_runs():
    text = (Path(__file__).parents[2] / "docs" / "uci.md").read_text(encoding="utf-8")
    for option in Options(load("chess")).known:
        assert f"`{option.name}`" in text
    (block,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(block, {})
