"""A program that speaks UCI for tic-tac-toe, or fails to: ``python fake_engine.py WAY``.

It plays the first free square. Ways: good, crash, orphan, illegal, silent, rubbish, late, deaf, and ``pausing FILE``:
after some moves it waits until the file exists.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import time

BEFORE_THE_PAUSE = 20
"""Moves: a few games."""


def say(text: str) -> None:
    print(text, flush=True)


def main(way: str, file: str = "") -> None:
    played: list[str] = []
    moves = 0
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "uci":
            say("id name Fake")
            say("option name Hash type spin default 16 min 1 max 1024")
            say("option name Own Book type check default true")
            say("option name Ponder type check default true")
            say("uciok")
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "position":
            played = words[3:]
        elif words[0] == "go":
            moves += 1
            while way == "pausing" and moves > BEFORE_THE_PAUSE and not os.path.exists(file):
                time.sleep(0.01)
            answer(way, played)
        elif words[0] == "stop" and way == "late":
            say(f"bestmove {free(played)}")
        elif words[0] == "quit" and way != "silent":
            return


def answer(way: str, played: list[str]) -> None:
    if way == "crash":
        sys.stdout.write("info string alas")
        sys.stdout.flush()
        os.abort()
    elif way == "orphan":  # it ends, but a process that it has started keeps the pipes open
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
        os._exit(7)
    elif way == "illegal":
        say("bestmove z9")
    elif way == "rubbish":
        for line in itertools.count():
            if line > 10_000:  # more than any reader leaves unread
                time.sleep(0.001)
            say("%$ öäü \x00 segmentation fault? no. info depth score cp bestmove")
    elif way == "deaf":
        while True:
            say(f"bestmove {free(played)}")
    elif way in ("good", "pausing"):
        say("info depth 3 score cp 12 pv 5")
        say(f"bestmove {free(played)} ponder 9")


def free(played: list[str]) -> str:
    return next(square for square in "123456789" if square not in played)


if __name__ == "__main__":
    main(*sys.argv[1:])
