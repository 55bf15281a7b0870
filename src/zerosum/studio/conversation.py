"""One WebSocket: messages are handled one at a time and sent in order; of reports only the newest, ten a second."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from zerosum.errors import StudioError
from zerosum.studio import (
    analysis,
    contest,
    editing,
    exploring,
    lessons,
    playing,
    reviews,
    rollouts,
    training,
    trees,
    whole_game,
)
from zerosum.studio.messages import MOST_BYTES, Request, in_one_line, read, write
from zerosum.studio.pool import Pool
from zerosum.studio.tab import Tab
from zerosum.studio.tabs import Tabs
from zerosum.studio.welcome import welcome

TICK = 0.1
"""Seconds between two reports of one search."""

RATE, BURST = 50.0, 150.0
"""Messages that a page may send per second on average, and in one burst."""

MOST_WAITING = 1000
"""Messages that may wait for a page; if there are more, the page is no longer reading."""

TOO_MUCH, TOO_BIG, FULL = 1008, 1009, 1013

Handler = Callable[[Tab, Request], None]
HANDLERS: dict[str, Handler] = {
    **playing.HANDLERS,
    **analysis.HANDLERS,
    **reviews.HANDLERS,
    **whole_game.HANDLERS,
    **exploring.HANDLERS,
    **editing.HANDLERS,
    **rollouts.HANDLERS,
    **trees.HANDLERS,
    **lessons.HANDLERS,
    **contest.HANDLERS,
    **training.HANDLERS,
}


class Bucket:
    """A token bucket that limits messages: it fills up over time, and every message takes one out.

    >>> bucket = Bucket(rate=1, size=2)
    >>> [bucket.take(now) for now in (0.0, 0.1, 0.2, 1.5)]
    [True, True, False, True]
    """

    def __init__(self, rate: float, size: float) -> None:
        self.rate, self.size, self.content, self.last = rate, size, size, 0.0

    def take(self, now: float) -> bool:
        self.content = min(self.size, self.content + self.rate * max(0.0, now - self.last))
        self.last = now
        if self.content < 1:
            return False
        self.content -= 1
        return True


class Conversation:
    """A page and its tab, from the first message to the last."""

    def __init__(self, socket: WebSocket, tabs: Tabs, pool: Pool, reporters: Pool) -> None:
        self.socket, self.tabs, self.pool, self.reporters = socket, tabs, pool, reporters
        self.outgoing: asyncio.Queue[str] = asyncio.Queue(MOST_WAITING)
        self.loop = asyncio.get_running_loop()
        self.tab: Tab | None = None
        self.ending: asyncio.Task[None] | None = None

    async def run(self) -> None:
        await self.socket.accept()
        helpers = [asyncio.create_task(self._write()), asyncio.create_task(self._report())]
        try:
            await self._read()
        except (WebSocketDisconnect, asyncio.CancelledError):  # the page has left, or the server ends
            pass
        finally:
            for helper in helpers:
                helper.cancel()
            if self.tab is not None:
                with suppress(asyncio.CancelledError):  # the server does not wait for a tab that is busy
                    await self.loop.run_in_executor(self.pool, self.tab.leave)

    def deliver(self, text: str) -> None:
        """Queue a message for sending; may be called from any thread."""

        def put() -> None:
            try:
                self.outgoing.put_nowait(text)
            except asyncio.QueueFull:
                # A page that misses messages would show a wrong game, so make it reconnect.
                self.ending = self.ending or self.loop.create_task(
                    self._close(FULL, "the page does not read its messages fast enough")
                )

        with suppress(RuntimeError):  # the server has stopped in the meantime
            self.loop.call_soon_threadsafe(put)

    async def _read(self) -> None:
        bucket = Bucket(RATE, BURST)
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            if not bucket.take(time.monotonic()):
                await self._close(TOO_MUCH, "too many messages at once: wait a little, then reload the page")
                return
            if text is None:
                self._complain("a message must be text, not bytes", None)
            elif len(text) > MOST_BYTES:
                await self._close(TOO_BIG, f"a message may have at most {MOST_BYTES // 1024} KiB")
                return
            elif not await self._handle(text):
                return

    async def _handle(self, text: str) -> bool:
        """Handle a message; return False if the conversation is over."""
        number = None
        try:
            request = read(text)
            number = request.number
            if self.tab is None:
                return await self._greet(request)
            if request.do == "ping":
                self.deliver(write("pong", {}, number))
                return True
            handler = HANDLERS.get(request.do)
            if handler is None:
                raise StudioError(f"unknown request {request.do[:40]!r}")
            await self.loop.run_in_executor(self.pool, _locked, handler, self.tab, request)
        except Exception as problem:  # also of a rule of a user's game, or a bug of ours: the server continues
            self._complain(in_one_line(problem), number)
        return True

    async def _greet(self, request: Request) -> bool:
        if request.do != "hello":
            raise StudioError("the first message must be hello")
        wanted = request.body.get("session", "")
        try:
            self.tab = self.tabs.enter(wanted if isinstance(wanted, str) else "")
        except StudioError as problem:
            await self._close(FULL, str(problem))
            return False
        self.tab.deliver = self.deliver
        content = await self.loop.run_in_executor(self.pool, welcome, self.tab)
        self.deliver(write("welcome", content, request.number))
        return True

    def _complain(self, message: str, number: int | None) -> None:
        self.deliver(write("error", {"message": message}, number))

    async def _close(self, code: int, reason: str) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # the page has already disconnected
            await self.socket.send_text(write("error", {"message": reason, "closed": True}))
            await self.socket.close(code, reason[:100])

    async def _write(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self.socket.send_text(await self.outgoing.get())

    async def _report(self) -> None:
        """Send reports of running searches, as often as a person can read them and the page accepts them."""
        while True:
            await asyncio.sleep(TICK)
            tab = self.tab
            if tab is not None and tab.has_news() and self.outgoing.qsize() < 5:
                await self.loop.run_in_executor(self.reporters, _locked_report, tab)


def _locked(handler: Handler, tab: Tab, request: Request) -> None:
    with tab.lock:
        handler(tab, request)


def _locked_report(tab: Tab) -> None:
    with tab.lock:
        if tab.has_news():
            tab.tell_reports()
