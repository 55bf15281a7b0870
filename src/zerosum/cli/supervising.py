"""A command that works on a cluster, in a process of its own.

When a cluster goes away, Ray ends the process that uses it, at once and without a word. So another one, this one, waits
beside it and says what has happened.
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
"""Tells the inner process its two pipes: one that ends with this process, one on which it says farewell."""

GONE = "the cluster has gone away; what was finished is kept, and the same command goes on from there"


def supervised(arguments: list[str], run: Callable[[list[str]], int]) -> int:
    """The exit code of ``run(arguments)``, in a process that may be ended from outside."""
    told = os.environ.pop(ENVIRONMENT, "")
    if told:
        return _inside(arguments, run, *(int(word) for word in told.split(",")))
    if os.name != "posix":
        return run(arguments)
    lifeline, ours = os.pipe()
    heard, farewell = os.pipe()
    environment = {**os.environ, ENVIRONMENT: f"{lifeline},{farewell}"}
    command = [sys.executable, "-m", "zerosum", *arguments]
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
    """Ctrl-C reaches the inner process too, which knows what to do about it."""
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
        os.read(lifeline, 1)  # which never comes
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=watch, name="zerosum-lifeline", daemon=True).start()
    try:
        return run(arguments)
    finally:
        os.write(farewell, b".")
