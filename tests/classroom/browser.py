"""A real browser for tests: Chromium without a window, driven over a pipe by its own DevTools protocol.

It needs only the standard library: no driver that must match the browser's version, and no open port. Keys, clicks and
screenshots are the browser's own, so a test sees what a person would see.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path
from typing import Any

from patience import PATIENCE

PROGRAMS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
# The browser reads its commands from file 3 and answers on file 4.
LAUNCH = """
import fcntl, os, sys
commands, answers = (fcntl.fcntl(int(file), fcntl.F_DUPFD, 10) for file in sys.argv[1:3])
os.dup2(commands, 3)
os.dup2(answers, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
KEYS = {"ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35, " ": 32, "Tab": 9, "Enter": 13}


def chromium() -> str | None:
    """The path of the browser, or None if it is not installed."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class Browser:
    """A running browser, as a context manager."""

    def __init__(self, program: str) -> None:
        self._program = program

    def __enter__(self) -> Browser:
        self._folder = tempfile.mkdtemp(prefix="zerosum-browser-")
        commands_out, self._commands = os.pipe()
        self._answers, answers_in = os.pipe()
        options = [
            "--headless=new",
            "--remote-debugging-pipe",
            f"--user-data-dir={self._folder}",
            "--no-sandbox",  # tests run as root in containers, where Chromium's own sandbox cannot start
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-extensions",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
            "--force-color-profile=srgb",
            "about:blank",
        ]
        launcher = [sys.executable, "-I", "-S", "-c", LAUNCH, str(commands_out), str(answers_in)]
        self._log = (Path(self._folder) / "log").open("wb")
        self._process = subprocess.Popen(
            [*launcher, self._program, *options],
            pass_fds=(commands_out, answers_in),
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
        )
        os.close(commands_out)
        os.close(answers_in)
        self._count, self._buffer = 0, b""
        self.events: list[dict[str, Any]] = []
        return self

    def __exit__(self, *problem: object) -> None:
        try:
            self.ask("Browser.close")
            self._process.wait(timeout=10)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._commands)
        os.close(self._answers)
        self._log.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def ask(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its answer; other messages in between are kept in ``events``."""
        self._count += 1
        number = self._count
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.hear()
            if answer.get("id") != number:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            else:
                return dict(answer["result"])

    def hear(self) -> dict[str, Any]:
        """The browser's next message."""
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._answers], [], [], max(0.0, end - time.monotonic()))
            piece = os.read(self._answers, 1 << 20) if ready else b""
            if not piece:
                self._log.flush()
                said = (Path(self._folder) / "log").read_text(errors="replace")[-2000:]
                raise RuntimeError(f"the browser {'is gone' if ready else 'does not answer'}: {said}")
            self._buffer += piece
        message, self._buffer = self._buffer.split(b"\0", 1)
        return dict(json.loads(message))

    def open(self, url: str, width: int, height: int, *, phone: bool = False, dark: bool = False) -> Page:
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, target)
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.ask(f"{domain}.enable")
        page.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        if phone:
            page.ask("Emulation.setTouchEmulationEnabled", enabled=True)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        page.ask("Emulation.setEmulatedMedia", features=scheme)
        page.ask("Page.navigate", url=url)
        page.wait_for("Page.loadEventFired")
        return page


class Page:
    """A new tab."""

    def __init__(self, browser: Browser, session: str, target: str) -> None:
        self._browser, self._session, self._target = browser, session, target

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self._browser.ask(method, self._session, **parameters)

    def events(self, method: str) -> list[dict[str, Any]]:
        """All messages of this kind so far."""
        mine = [m for m in self._browser.events if m.get("sessionId") == self._session and m["method"] == method]
        return [dict(message["params"]) for message in mine]

    def wait_for(self, method: str) -> None:
        while not self.events(method):
            self._browser.events.append(self._browser.hear())

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def press(self, key: str, times: int = 1) -> None:
        """Press and release a key."""
        code = {"key": key, "code": "Space" if key == " " else key, "windowsVirtualKeyCode": KEYS[key]}
        for _ in range(times):
            self.ask("Input.dispatchKeyEvent", type="keyDown", **({"text": " "} if key == " " else {}), **code)
            self.ask("Input.dispatchKeyEvent", type="keyUp", **code)

    def click(self, selector: str) -> None:
        """Scroll to an element and click it where it is visible."""
        box = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            " e.scrollIntoView({block: 'center', behavior: 'instant'}); const r = e.getBoundingClientRect();"
            " return [r.left + r.width / 2, r.top + r.height / 2]; })()"
        )
        where = {"x": box[0], "y": box[1], "button": "left", "clickCount": 1}
        self.ask("Input.dispatchMouseEvent", type="mousePressed", **where)
        self.ask("Input.dispatchMouseEvent", type="mouseReleased", **where)

    def screenshot(self, clip: dict[str, float] | None = None) -> bytes:
        """A PNG of the visible page, or of the part in ``clip``: x, y, width, height."""
        part = {"clip": {**clip, "scale": 1}} if clip is not None else {}
        return base64.b64decode(self.ask("Page.captureScreenshot", format="png", **part)["data"])

    def close(self) -> None:
        self._browser.ask("Target.closeTarget", targetId=self._target)


Pixel = tuple[int, int, int]


def pixels(png: bytes) -> list[list[Pixel]]:
    """The rows of a PNG with eight bits per channel and no interlacing, as browsers write them (RFC 2083)."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    place, packed, width, height, channels = 8, b"", 0, 0, 0
    while place < len(png):
        length, kind = struct.unpack(">I4s", png[place : place + 8])
        content = png[place + 8 : place + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", content)
            assert (depth, interlace) == (8, 0) and colour in (2, 6)
            channels = 3 if colour == 2 else 4
        elif kind == b"IDAT":
            packed += content
        place += length + 12
    raw, stride = zlib.decompress(packed), width * channels
    above = bytearray(stride)
    rows = []
    for y in range(height):
        start = y * (stride + 1)
        kind, line = raw[start], bytearray(raw[start + 1 : start + 1 + stride])
        for i in range(stride):
            left = line[i - channels] if i >= channels else 0
            corner = above[i - channels] if i >= channels else 0
            line[i] = (line[i] + _guess(kind, left, above[i], corner)) & 255
        rows.append([(line[i], line[i + 1], line[i + 2]) for i in range(0, stride, channels)])
        above = line
    return rows


def _guess(kind: int, left: int, up: int, corner: int) -> int:
    """The prediction of a PNG filter for a byte, from its neighbours."""
    if kind == 4:
        return min((left, up, corner), key=lambda near: abs(left + up - corner - near))
    return (0, left, up, (left + up) // 2)[kind]
