"""Communication with another program by lines over two pipes, in which every wait has a limit.

One thread reads the program's output and notes the time of each line. It waits if too many lines are unread, so a
program that prints endlessly only blocks itself. Another thread writes, so that a program that reads nothing cannot
block the match when the pipe is full. (On Windows there is no other way to write to a pipe without blocking.)
"""

from __future__ import annotations

import contextlib
import os
import queue
import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import NamedTuple

from zerosum.arena.player import Fault, Stopped
from zerosum.children import end, own_process_group, split_command
from zerosum.errors import ArenaError
from zerosum.protocols.uci_words import shortened

LONGEST_LINE = 65536
UNREAD = 1000
"""Maximum number of unread lines."""

EXIT_SECONDS = 0.5
"""Seconds that a program has to exit after being told to."""

GAMES_FOLDERS = ("/usr/games", "/usr/local/games")
"""Where Debian installs games; not every PATH includes these folders."""

WRITE_SECONDS = 5.0
"""Seconds for which a program may leave a full pipe unread."""

Log = Callable[[str], None]


class Words(NamedTuple):
    """A line that was received, and when (``time.perf_counter()``)."""

    text: str
    at: float


def find_program(command: str) -> list[str]:
    """The program and its arguments; ArenaError quotes the command if the program does not exist.

    >>> find_program("no/such/program -x")
    Traceback (most recent call last):
    zerosum.errors.ArenaError: there is no program 'no/such/program' (for the player 'no/such/program -x')
    """
    try:
        words = split_command(command)
    except ValueError as problem:
        raise ArenaError(f"{command!r} is not a valid command: {problem}") from None
    if not words:
        raise ArenaError(f"{command!r} does not name a program")
    found = shutil.which(words[0])
    if found is None and os.sep not in words[0]:
        found = shutil.which(words[0], path=os.pathsep.join(GAMES_FOLDERS))
    if found is None:
        there = os.path.exists(words[0])
        reason = f"{words[0]!r} cannot be executed" if there else f"there is no program {words[0]!r}"
        raise ArenaError(f"{reason} (for the player {command!r})")
    return [found, *words[1:]]


class Conversation:
    """One running program. For use by one thread; only ``interrupt`` may be called from others."""

    def __init__(self, command: list[str], log: Log | None = None) -> None:
        self.log = log
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                **own_process_group(),  # Ctrl-C goes to the match, which ends its programs itself
            )
        except OSError as problem:
            raise ArenaError(f"{command[0]!r} cannot be started: {problem.strerror or problem}") from problem
        assert self._process.stdin is not None
        self._input = self._process.stdin.fileno()
        self._outgoing: queue.SimpleQueue[tuple[str, Future[None]] | None] = queue.SimpleQueue()
        self._lines: queue.Queue[Words | None] = queue.Queue(UNREAD)
        self._closed = False
        self._interrupted = False
        self._ended: float | None = None  # when it was seen that the program has ended
        self.last_words = ""
        self.last_complaint = ""
        self._readers = [
            threading.Thread(target=target, name="zerosum-listener", daemon=True)
            for target in (self._read, self._read_complaints)
        ]
        self._writer = threading.Thread(target=self._write, name="zerosum-writer", daemon=True)
        for thread in (*self._readers, self._writer):
            thread.start()

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        with contextlib.suppress(OSError, ValueError):
            while data := stream.readline(LONGEST_LINE):
                if not self._put(Words(data.decode("utf-8", "replace").strip(), time.perf_counter())):
                    return
        self._put(None)

    def _read_complaints(self) -> None:
        """Read the program's stderr, which is not part of the protocol but may explain a crash."""
        stream = self._process.stderr
        assert stream is not None
        with contextlib.suppress(OSError, ValueError):
            while data := stream.readline(LONGEST_LINE):
                text = data.decode("utf-8", "replace").strip()
                if text:
                    self.last_complaint = text
                    if self.log is not None:
                        self.log(f"! {text}")

    def _put(self, words: Words | None) -> bool:
        """Queue a line as soon as there is room; False if the conversation is closed."""
        while not self._closed:
            with contextlib.suppress(queue.Full):
                self._lines.put(words, timeout=0.05)
                return True
        return False

    def _write(self) -> None:
        while (letter := self._outgoing.get()) is not None:
            text, written = letter
            data = f"{text}\n".encode()
            try:
                while data:
                    data = data[os.write(self._input, data) :]
                written.set_result(None)
            except (OSError, ValueError) as problem:
                written.set_exception(problem)

    def _post(self, text: str) -> Future[None]:
        """Queue a line for writing; the future is done once it is written."""
        written: Future[None] = Future()
        self._outgoing.put((text, written))
        return written

    def send(self, text: str) -> None:
        """Write a line; Fault if the program is gone, or hangs with its pipe full."""
        if self.log is not None:
            self.log(f"> {text}")
        until = time.perf_counter() + WRITE_SECONDS
        written = self._post(text)
        while not wait([written], 0.1).done:
            if self._interrupted:
                raise Stopped
            if time.perf_counter() > until:
                raise Fault("hang", "it does not read its input")
        if written.exception() is not None:
            raise Fault("crash", self._exit_report())

    def receive(self, until: float) -> Words | None:
        """The next line, or None if none comes before ``until``; Fault if the program is gone."""
        while True:
            if self._interrupted:
                raise Stopped
            left = until - time.perf_counter()
            try:
                # In steps, so that an interrupt is noticed.
                words = self._lines.get(timeout=min(max(left, 0.0), 0.1)) if left > 0 else self._lines.get_nowait()
            except queue.Empty:
                if left <= 0:
                    return None
                if self._has_left_others():
                    raise Fault("crash", self._exit_report()) from None
                continue
            if words is None:
                self._lines.put(None)  # so that later calls see the end too
                raise Fault("crash", self._exit_report())
            if words.text:
                self.last_words = words.text
                if self.log is not None:
                    self.log(f"< {words.text}")
                return words

    def _has_left_others(self) -> bool:
        """Whether the program has ended, and other processes that it started keep its output open."""
        if self._process.poll() is None:
            return False
        self._ended = self._ended or time.perf_counter()
        return time.perf_counter() > self._ended + EXIT_SECONDS  # by then its last lines have been read

    def drain(self) -> None:
        """Discard lines that came unasked."""
        for _ in range(UNREAD):
            if self.receive(0.0) is None:
                return

    def _exit_report(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(EXIT_SECONDS)
        self._readers[1].join(EXIT_SECONDS)
        code = self._process.returncode
        last = self.last_complaint or self.last_words
        said = f"; its last words: {shortened(last)}" if last else ""
        if code is None:
            return f"it has closed its output{said}"
        how = f"was killed by signal {-code}" if code < 0 else f"has ended with exit code {code}"
        return f"the program {how}{said}"

    @property
    def is_alive(self) -> bool:
        return not self._closed and self._process.poll() is None

    def interrupt(self) -> None:
        """Make a waiting ``receive`` raise Stopped."""
        self._interrupted = True

    def close(self, goodbye: str = "") -> None:
        """End the program: first with its quit command, if it has one, then by force."""
        if self._closed:
            return
        self._closed = True
        process = self._process
        if goodbye and process.poll() is None:
            self._post(goodbye)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(EXIT_SECONDS)
        end(process)
        self._outgoing.put(None)
        streams = (process.stdin, process.stdout, process.stderr)
        for thread, stream in zip((self._writer, *self._readers), streams, strict=True):
            assert stream is not None
            thread.join(2.0)
            if not thread.is_alive():  # otherwise closing would wait for it
                with contextlib.suppress(OSError):
                    stream.close()
