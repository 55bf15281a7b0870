"""Runs a command that uses a cluster in a separate process.

When a cluster disappears, Ray ends the process that uses it, immediately and without a message. So the command runs in
a child process, and this process waits for it and reports what happened.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable

from zerosum.cli import complain

ENVIRONMENT = "ZEROSUM_SUPERVISED"
"""Passes two pipes to the child: one that closes when this process ends, and one on which the child reports its end."""

START = "import runpy, sys; sys.path = [p for p in sys.path if p]; runpy.run_module('zerosum', None, '__main__', True)"
"""What ``python -m zerosum`` does, except that a file in the current folder cannot hide the package."""

GONE = "the connection to the cluster was lost; finished work is kept: run the same command again to continue"


def supervised(arguments: list[str], run: Callable[[list[str]], int]) -> int:
    """Run ``run(arguments)`` in a process that Ray may end, and return its exit code."""
    numbers = os.environ.pop(ENVIRONMENT, "")
    if numbers:
        return _inside(arguments, run, *(int(word) for word in numbers.split(",")))
    if os.name != "posix":
        return run(arguments)
    lifeline, ours = os.pipe()
    heard, farewell = os.pipe()
    environment = {**os.environ, ENVIRONMENT: f"{lifeline},{farewell}"}
    command = [sys.executable, "-c", START, *arguments]
    child = subprocess.Popen(command, env=environment, pass_fds=(lifeline, farewell))
    os.close(lifeline)
    os.close(farewell)
    try:
        _wait(child)
        said = os.read(heard, 1)
    finally:
        os.close(ours)
        os.close(heard)
    if not said:
        complain(GONE)
        return 1
    return child.returncode


def _wait(child: subprocess.Popen[bytes]) -> None:
    """Wait for the child. Ctrl-C reaches it too, so it is ignored here."""
    while True:
        try:
            child.wait()
            return
        except KeyboardInterrupt:
            continue


def _inside(arguments: list[str], run: Callable[[list[str]], int], lifeline: int, farewell: int) -> int:
    for one in (lifeline, farewell):
        os.set_inheritable(one, False)  # not for Ray's processes

    def watch() -> None:
        os.read(lifeline, 1)  # nothing is ever written: this returns when the parent ends
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=watch, name="zerosum-lifeline", daemon=True).start()
    try:
        return run(arguments)
    finally:
        os.write(farewell, b".")
