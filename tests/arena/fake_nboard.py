"""A program that speaks NBoard's protocol, or fails to: ``python fake_nboard.py WAY``.

It answers the n-th ``go`` with the n-th of the moves that follow WAY. Ways: good, blanks (like Edax), short, crash,
illegal, silent (never answers), late (answers when pinged), deaf (ignores pings), stale (repeats an old answer).
"""

from __future__ import annotations

import os
import sys


def say(text: str) -> None:
    print(text, flush=True)


def main(way: str, moves: list[str]) -> None:
    asked = 0
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "ping" and way != "deaf":
            if way == "stale":
                say("=== A1/9.99/9")
            if way == "late" and asked:
                say(f"=== {moves[(asked - 1) % len(moves)]}")
            if way != "silent" or not asked:
                say(f"pong {rest}")
        elif word == "go":
            asked += 1
            say("status thinking")
            answer(way, moves[(asked - 1) % len(moves)] if moves else "")
        elif word == "quit" and way != "silent":
            return


def answer(way: str, move: str) -> None:
    if way == "crash":
        sys.stdout.write("status alas")
        sys.stdout.flush()
        os.abort()
    elif way == "illegal":
        say("=== Z9/1.00/0.1")
    elif way == "blanks":
        say(f"=== {move} -1.00 0.5")
    elif way == "short":
        say(f"=== {move}")
    elif way in ("good", "stale"):
        say(f"search {move}D6C3 2.50 0 12 text")
        say(f"search {move}D6C3 2.50 0 100%W")
        say("nodestats 100 0.1")
        say(f"=== {move}/2.50/0.1")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
