"""``isready`` while kernels compile: answered when they are ready, after eight seconds, or immediately in a search."""

from __future__ import annotations

import queue
import threading

import pytest
from patience import PATIENCE
from test_uci import Client

from zerosum.games import load
from zerosum.protocols import readiness
from zerosum.protocols.uci import Uci


class Kernels(threading.Event):
    """An event that stands for the kernels; it records each wait and its timeout."""

    def __init__(self):
        super().__init__()
        self.asked: queue.SimpleQueue[float] = queue.SimpleQueue()
        self.patience_ends = threading.Event()

    def wait(self, timeout=None):
        self.asked.put(timeout)
        while not self.is_set() and not self.patience_ends.is_set():
            self.patience_ends.wait(0.01)
        return self.is_set()


class Compiling(Client):
    """An engine whose kernels are being compiled until the test says otherwise."""

    def __init__(self, game="connect-four"):
        self.lines = queue.SimpleQueue()
        self.uci = Uci(load(game), self.lines.put)
        self.uci.session._thread = threading.current_thread()  # as if compilation had started
        self.kernels = self.uci.session.ready = Kernels()

    def get_ready(self):
        self.uci.session.want(jit=False)  # nothing is compiled in this test
        self.kernels.set()


@pytest.fixture
def client():
    made = Compiling()
    yield made
    made.kernels.set()
    made.uci.close()


def test_readyok_waits_for_the_kernels(client):
    client.send("isready")
    assert client.kernels.asked.get(timeout=60) <= readiness.PATIENCE
    assert client.lines.empty()
    client.get_ready()
    assert client.until("readyok") == ["readyok"]


def test_readyok_comes_without_kernels_when_patience_ends_and_says_so(client):
    client.send("isready")
    client.kernels.asked.get(timeout=60)
    client.kernels.patience_ends.set()
    notice, answer = client.until("readyok")
    assert notice.startswith("info string connect-four is still being compiled") and answer == "readyok"


def test_patience_is_counted_from_the_start_not_from_each_question(client):
    client.uci.session.begun -= readiness.PATIENCE + 1
    client.send("isready")
    assert client.kernels.asked.get(timeout=60) == 0.0


def test_every_question_has_its_answer(client):
    client.send("isready", "isready")
    client.get_ready()
    assert client.until("readyok") + client.until("readyok") == ["readyok", "readyok"]


def test_during_a_search_readyok_comes_at_once(client):
    client.send("go infinite", "isready")
    assert "readyok" in client.until("readyok")
    client.send("stop").until("bestmove")


def test_a_search_that_begins_ends_the_waiting(client):
    client.send("isready", "go depth 1")
    assert client.lines.get() == "readyok"
    lines = client.until("bestmove")
    client.get_ready()
    client.uci.readiness.finish()
    assert "readyok" not in lines and client.lines.empty()


def test_the_end_of_input_waits_for_the_answer():
    client = Compiling()
    reader = threading.Thread(target=client.uci.run, args=(["isready"],))
    reader.start()
    client.kernels.asked.get(timeout=60)
    client.get_ready()
    reader.join(60)
    assert not reader.is_alive() and client.until("readyok") == ["readyok"]


def test_quit_does_not_wait(client):
    client.uci.run(["isready", "quit"])
    assert not client.kernels.is_set() and client.lines.get() == "readyok"


def test_when_it_is_ready_the_table_has_the_size_that_was_asked_for():
    client = Client("tictactoe").send("setoption name Hash value 3", "isready")
    client.until("readyok")
    session = client.uci.session
    engine = session.current
    assert engine is not None and session.engine() is engine and session.spec.hash_mb == 3
    client.send("isready").until("readyok")
    assert session.engine() is engine
    client.uci.close()


def test_a_table_that_does_not_fit_is_no_reason_to_search_uncompiled():
    lines: list[str] = []
    uci = Uci(load("tictactoe"), lines.append)
    uci.session.want(hash_mb=1 << 40)
    uci.session.warm_up()
    assert uci.session.ready.wait(PATIENCE)
    assert len(lines) == 1 and "memory" in lines[0] and uci.session.spec.jit


def test_a_table_that_memory_has_no_room_for_is_told_and_readyok_comes(monkeypatch):
    client = Client("tictactoe")

    def refuse():
        raise MemoryError("no room")

    monkeypatch.setattr(client.uci.session, "engine", refuse)
    answer, notice = client.send("isready").until("info string")
    assert answer == "readyok" and "no room" in notice
    client.uci.close()
