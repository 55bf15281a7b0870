"""A studio in this process, and pages that talk to it without a browser."""

from __future__ import annotations

import contextlib
import json
import threading

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("websockets")

import uvicorn
from patience import PATIENCE, wait_until
from websockets.sync.client import connect

from zerosum.studio.messages import MOST_BYTES
from zerosum.studio.offered_games import OfferedGames
from zerosum.studio.security import Guard
from zerosum.studio.server import bind, make_app
from zerosum.studio.tab import Studio


class Page:
    """The client side of a tab: sends requests, receives answers and events."""

    def __init__(self, port, session="", origin=None, **options):
        origin = f"http://127.0.0.1:{port}" if origin is None else origin
        address = f"ws://127.0.0.1:{port}/talk"
        self.connection = connect(address, origin=origin or None, max_size=None, compression=None, **options)
        self.socket = self.connection.__enter__()
        self.number = 0
        self.news = []
        self.welcome = self.ask("hello", session=session) if session is not None else None

    def send(self, wish, **body):
        self.number += 1
        self.socket.send(json.dumps({"v": 1, "n": self.number, "do": wish, "body": body}))
        return self.number

    def receive(self, timeout=PATIENCE):
        return json.loads(self.socket.recv(timeout))

    def answer(self, wish, **body):
        """The answer to a request; messages that arrive before it are kept as news."""
        number = self.send(wish, **body)
        while True:
            message = self.receive()
            if message["re"] == number:
                return message
            self.news.append(message)

    def ask(self, wish, **body):
        message = self.answer(wish, **body)
        assert message["kind"] != "error", message
        return message["body"]

    def complaint(self, wish, **body):
        message = self.answer(wish, **body)
        assert message["kind"] == "error", message
        return message["body"]["message"]

    def wait_for(self, kind, fits=lambda body: True):
        """The next message of this kind, from the kept messages or a new one; fails at a failure that comes first."""
        while True:
            for place, message in enumerate(self.news):
                if message["kind"] == kind and fits(message["body"]):
                    del self.news[: place + 1]
                    return message["body"]
                assert message["kind"] != "error" and message["body"].get("state") != "failed", message
            self.news.append(self.receive())

    def open(self, game="tictactoe", **wish):
        return self.ask("open", game=game, **wish)

    def close(self):
        self.connection.__exit__(None, None, None)


@contextlib.contextmanager
def serving(studio, guard=None, port=0):
    """A server in its own thread; yields (port, application)."""
    guard = guard or Guard()
    listening = bind("127.0.0.1", port)
    app = make_app(studio, guard)
    config = uvicorn.Config(
        app,
        log_level="critical",
        ws="websockets-sansio",
        ws_max_size=MOST_BYTES,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    wait_until(lambda: server.started, "the start of the server")
    try:
        yield listening.getsockname()[1], app
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        listening.close()


# Plain Python instead of compiled kernels: these tests check messages, not speed.
@pytest.fixture(scope="module")
def studio():
    with serving(Studio(OfferedGames(), hash_mb=1, jit=False)) as (port, app):
        yield port, app


@pytest.fixture
def page(studio):
    """A connected page without a game."""
    page = Page(studio[0])
    yield page
    page.close()


@pytest.fixture
def pages(studio):
    """A function that connects another page."""
    opened = []

    def connect_page(**options):
        opened.append(Page(studio[0], **options))
        return opened[-1]

    yield connect_page
    for one in opened:
        one.close()
