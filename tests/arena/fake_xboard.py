"""A program that speaks xboard's protocol for tic-tac-toe: ``python fake_xboard.py WAY``.

It plays the first free square. Ways: good, old (version 1), resign, claim, refuse.
"""

from __future__ import annotations

import sys


def say(text: str) -> None:
    print(text, flush=True)


def main(way: str) -> None:
    played: list[str] = []
    watching = True
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "protover" and way != "old":
            say('feature myname="Fake" ping=1 setboard=0 usermove=1 memory=1 done=1')
        elif words[0] == "ping":
            say(f"pong {words[1]}")
        elif words[0] == "new":
            played, watching = [], False
        elif words[0] == "force":
            watching = True
        elif words[0] == "usermove" or (way == "old" and words[0].isdecimal()):
            played.append(words[-1])
            if way == "refuse":
                say(f"Illegal move: {words[-1]}")
            elif not watching:
                answer(way, played)
        elif words[0] == "sd" and way == "refuse":
            say(f"Illegal move: {' '.join(words)}")
        elif words[0] == "go":
            watching = False
            answer(way, played)
        elif words[0] == "quit":
            return


def answer(way: str, played: list[str]) -> None:
    if way == "resign":
        say("resign")
        return
    if way == "claim":
        say("1/2-1/2 {I am tired}")
        return
    square = next(square for square in "123456789" if square not in played)
    played.append(square)
    say("  4   -25     1      99  5 1 9")
    say(f"My move is: {square}" if way == "old" else f"move {square}")


if __name__ == "__main__":
    main(sys.argv[1])
