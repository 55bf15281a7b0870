"""The studio's figures: page weight, time until it can be used, and response times while it searches.

    python bench/studio.py [--clients 50] [--seconds 8]
    python bench/studio.py --minutes 60                     # its memory, while users come and go

The server runs in a separate process; clients speak the page's protocol over WebSockets. A round trip is the time from
sending a move to receiving the position after it. The time to interactive needs Playwright and Chromium.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from websockets.asyncio.client import connect

import zerosum

ASSETS = Path(zerosum.__file__).parent / "studio" / "assets"
FILES = re.findall(r'"/assets/([\w.-]+)"', (ASSETS / "index.html").read_text(encoding="utf-8"))
"""The files that the page requests; app.js contains all modules."""


class Client:
    """A browser tab, without the browser."""

    def __init__(self, port: int) -> None:
        self.port, self.number, self.waiting, self.reports = port, 0, {}, 0
        self.dropped = False

    async def __aenter__(self) -> Client:
        self.socket = await connect(
            f"ws://127.0.0.1:{self.port}/talk", origin=f"http://127.0.0.1:{self.port}", compression=None, max_size=None
        )
        self.reader = asyncio.create_task(self._read())
        await self.ask("hello", session="")
        return self

    async def __aexit__(self, *problem: object) -> None:
        self.reader.cancel()
        await self.socket.close()

    async def _read(self) -> None:
        try:
            async for text in self.socket:
                message = json.loads(text)
                self.reports += message["kind"] == "report"
                waiting = self.waiting.pop(message["re"], None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(message)
        finally:
            self.dropped = True

    async def ask(self, wish: str, **body: object) -> dict:
        self.number += 1
        self.waiting[self.number] = asyncio.get_running_loop().create_future()
        answer = self.waiting[self.number]
        await self.socket.send(json.dumps({"v": 1, "n": self.number, "do": wish, "body": body}))
        message = await asyncio.wait_for(answer, 60)
        if message["kind"] == "error":
            raise RuntimeError(message["body"]["message"])
        return message["body"]

    async def wish(self, wish: str, **body: object) -> None:
        self.number += 1
        await self.socket.send(json.dumps({"v": 1, "n": self.number, "do": wish, "body": body}))


async def round_trips(port: int, game: str, seconds: float) -> list[float]:
    """Return the milliseconds of each move in a game of two people, at about ten moves a second."""
    taken = []
    async with Client(port) as client:
        end = time.perf_counter() + seconds
        position = await client.ask("open", game=game, people=[0, 1])
        while time.perf_counter() < end:
            if position["over"] or position["ply"] >= 40:
                position = await client.ask("open", game=game, people=[0, 1])
            moves = position["moves"]
            move = moves[len(taken) * 7 % len(moves)]["move"]
            started = time.perf_counter()
            position = await client.ask("move", ply=position["ply"], move=move)
            taken.append(1000 * (time.perf_counter() - started))
            await asyncio.sleep(0.05)
    return taken


async def thinking(port: int, game: str, number: int) -> list[Client]:
    """Return this many clients, each with an analysis that has sent at least one report."""
    clients = []
    for _ in range(number):
        client = await Client(port).__aenter__()
        await client.ask("open", game=game, mode="analyse", people=[0, 1])
        await client.wish("analyse", lines=1)
        clients.append(client)
    for client in clients:
        while not client.reports:
            await asyncio.sleep(0.05)
    return clients


def show(name: str, taken: list[float]) -> None:
    taken.sort()
    p95 = taken[int(0.95 * (len(taken) - 1))]
    print(f"{name:48} p50 {statistics.median(taken):7.1f} ms   p95 {p95:7.1f} ms   ({len(taken)} moves)", flush=True)


async def measure(port: int, clients: int, seconds: float, pid: int) -> None:
    for game in ("connect-four", "chess"):
        warm = await thinking(port, game, 1)  # compile or load once
        await warm[0].__aexit__()
        await asyncio.sleep(0.5)
        show(f"{game}: move round trip, idle", await round_trips(port, game, seconds))
        busy = await thinking(port, game, 2)
        show(f"{game}: move round trip, two searches", await round_trips(port, game, seconds))
        for client in busy:
            await client.__aexit__()
        await asyncio.sleep(0.5)
        command = [
            "nice",
            "-n",
            "12",
            sys.executable,
            "-m",
            "zerosum",
            "analyze",
            game,
            "--seconds",
            str(seconds + 30),
            "--json",
        ]
        others = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(2)]
        await asyncio.sleep(4)  # until they search
        show(f"{game}: the same, searches in processes", await round_trips(port, game, seconds))
        for other in others:
            other.kill()
            other.wait()
    many = await thinking(port, "connect-four", clients)
    for client in many:
        client.reports = 0
    started = time.perf_counter()
    show(f"connect-four: move round trip, {clients} searches", await round_trips(port, "connect-four", seconds))
    passed = time.perf_counter() - started
    reports = [client.reports / passed for client in many]
    print(
        f"{clients} clients analysing at once: {sum(client.dropped for client in many)} dropped, "
        f"{statistics.mean(reports):.1f} reports/s each (fewest {min(reports):.1f})"
    )
    print(f"server: {_size(pid)}")
    for client in many:
        await client.__aexit__()
    await asyncio.sleep(3)
    print(f"server after they have left: {_size(pid)}")


async def visitors(port: int, minutes: float, pid: int) -> None:
    """Simulate users who come, look at one game after another, and leave: does the server's memory stay constant?"""
    started, came, told_at = time.perf_counter(), 0, 0.0
    while (passed := time.perf_counter() - started) < 60 * minutes:
        game = ("connect-four", "othello", "chess", "tictactoe", "backgammon")[came % 5]
        guests = [await Client(port).__aenter__() for _ in range(3)]
        for guest in guests:
            position = await guest.ask("open", game=game, people=[0, 1])
            if position["moves"]:
                await guest.ask("move", ply=position["ply"], move=position["moves"][0]["move"])
        await guests[0].ask("open", game=game, mode="analyse", people=[0, 1])
        await guests[0].wish("analyse", lines=1)
        await asyncio.sleep(1.0)
        for guest in guests:
            await guest.__aexit__()
        came += 1
        if passed >= told_at:
            told_at += max(60.0, 60 * minutes / 12)
            print(f"after {passed / 60:5.1f} min, {3 * came:6,} visitors: {_size(pid)}", flush=True)
        await asyncio.sleep(5)
    await asyncio.sleep(5)
    print(f"after all have left, {3 * came:,} visitors: {_size(pid)}")


def _size(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/status") as file:
            facts = dict(line.split(":", 1) for line in file)
    except OSError:
        return "memory use is available only on Linux"
    return f"{facts['Threads'].strip()} threads, {int(facts['VmRSS'].split()[0]) // 1024} MB"


def weigh(port: int) -> None:
    """Print the size of the page and all its files, uncompressed and as transferred."""
    plain = packed = 0
    for path in ("", *(f"assets/{name}" for name in FILES)):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}") as answer:
            content = answer.read()
        plain += len(content)
        packed += len(gzip.compress(content, 9))
    print(f"page weight: {plain / 1024:.0f} KiB in {1 + len(FILES)} files, {packed / 1024:.0f} KiB as transferred")


def time_to_interactive(port: int) -> None:
    browser_path = shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        browser_path = None
    if browser_path is None:
        print("time to interactive: needs Playwright and Chromium")
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        taken = []
        for _ in range(5):
            page = browser.new_context().new_page()
            started = time.perf_counter()
            page.goto(f"http://127.0.0.1:{port}/#/tictactoe/play", wait_until="commit")
            page.wait_for_selector(".cell.start", state="attached")
            taken.append(time.perf_counter() - started)
            page.context.close()
        browser.close()
    best, usual = min(taken), statistics.median(taken)
    print(f"time to interactive (a move can be made): {best:.2f} s best, {usual:.2f} s median of 5")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--minutes", type=float, help="only measure memory, for this time, while users come and go")
    parser.add_argument("--port", type=int, default=8799)
    options = parser.parse_args()
    command = [sys.executable, "-m", "zerosum", "studio", "--no-browser", "--port", str(options.port)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        print(server.stdout.readline().strip())
        for _ in range(100):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{options.port}/").read()
                break
            except OSError:
                time.sleep(0.1)
        if options.minutes:
            asyncio.run(visitors(options.port, options.minutes, server.pid))
            return
        weigh(options.port)
        time_to_interactive(options.port)
        asyncio.run(measure(options.port, options.clients, options.seconds, server.pid))
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(10)


if __name__ == "__main__":
    main()
