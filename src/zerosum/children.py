"""Programs that are started beside this one, on any system: how they are named, begun apart and ended."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
from typing import Any


def split_command(command: str) -> list[str]:
    """The words of a command line; ValueError where a quote is left open. On Windows a backslash is part of a path.

    >>> split_command("gnuchess 'my book'")
    ['gnuchess', 'my book']
    """
    if sys.platform != "win32":
        return shlex.split(command)
    words = shlex.shlex(command, posix=True, punctuation_chars=False)
    words.whitespace_split, words.commenters, words.escape = True, "", ""
    return list(words)


def apart() -> dict[str, Any]:
    """What Popen needs so that Ctrl-C, and whoever ends all processes of a group, means the one that starts it."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}


def end(process: subprocess.Popen[Any]) -> None:
    """End a process that was started ``apart``, with those that it has started itself, and wait for it."""
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
