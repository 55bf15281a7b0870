"""Child processes on any system: split a command line, start a process in a group of its own, and end it."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
from typing import Any


def split_command(command: str) -> list[str]:
    """The words of a command line; ValueError if a quote is left open. On Windows a backslash is part of a path.

    >>> split_command("gnuchess 'my book'")
    ['gnuchess', 'my book']
    """
    if sys.platform != "win32":
        return shlex.split(command)
    words = shlex.shlex(command, posix=True, punctuation_chars=False)
    words.whitespace_split, words.commenters, words.escape = True, "", ""
    return list(words)


def own_process_group() -> dict[str, Any]:
    """Arguments for Popen that put the child in its own group: Ctrl-C, or killing our group, does not reach it."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}


def end(process: subprocess.Popen[Any]) -> None:
    """Kill a process that was started ``own_process_group``, and its own children, and wait for it to end."""
    if sys.platform == "win32":
        with contextlib.suppress(OSError):
            words = ["taskkill", "/T", "/F", "/PID", str(process.pid)]
            subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    else:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    if process.poll() is None:
        process.kill()
    process.wait()
