"""Zebra, an Othello program with a text interface, as a player that speaks NBoard's protocol.

    zerosum match engine nboard:'python bench/zebra_player.py FOLDER,depth=12' --game othello …

FOLDER contains the program `zebra`, built from its source, and its `coeffs2.bin`. Zebra searches `depth` plies ahead,
plays the last `depth` + 4 squares exactly and looks for a win two squares earlier. It receives the opponent's move only
when it is asked for its own, so its time is the time it takes to answer.
"""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import termios
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

ROW = re.compile(r"^ {6}[1-8] ((?: [ *O]){8})")
WAITS = ("Black move: ", "White move: ", "Positions evaluated:")
SECONDS = 120


class Zebra:
    """One game. The boards that Zebra draws show what it has played."""

    def __init__(self, folder: Path, depth: int, black: bool, opening: list[str]) -> None:
        levels = [depth, depth + 4, depth + 6]
        both = [*levels, 0] if black else [0, *levels]
        words = ["-e", 1, "-w", 0, "-b", 0, "-r", 0, "-slack", 0, "-h", 20, "-l", *both, "-seq", "".join(opening)]
        self.terminal, end = pty.openpty()
        settings = termios.tcgetattr(end)
        settings[3] &= ~termios.ECHO
        termios.tcsetattr(end, termios.TCSANOW, settings)
        self.program = subprocess.Popen(
            [folder / "zebra", *map(str, words)], cwd=folder, stdin=end, stdout=end, stderr=end
        )
        os.close(end)
        self.line_ends = False

    def boards(self) -> list[str]:
        """Return all boards drawn until Zebra waits for input, each a text of 64 characters."""
        text, passes = "", 0
        while not any(word in text[-400:] for word in WAITS):
            if not select.select([self.terminal], [], [], SECONDS)[0]:
                raise TimeoutError(f"no output from Zebra; its last output: {text[-100:]!r}")
            text += os.read(self.terminal, 65536).decode(errors="replace")
            while text.count("please press Enter") > passes:
                passes += 1
                # The end of the line with the last move is still unread, and counts as an Enter.
                if not self.line_ends:
                    os.write(self.terminal, b"\n")
                self.line_ends = False
        rows = [found[1][1::2] for line in text.splitlines() if (found := ROW.match(line))]
        return ["".join(rows[i : i + 8]) for i in range(0, len(rows) - 7, 8)]

    def tell(self, move: str) -> None:
        os.write(self.terminal, f"{move}\n".encode())
        self.line_ends = True

    def close(self) -> None:
        self.program.kill()
        self.program.wait()
        os.close(self.terminal)


def taken(boards: list[str], disc: str) -> Iterator[str]:
    """Yield the squares that one side has taken, in order."""
    for before, after in pairwise(boards):
        for square, (old, new) in enumerate(zip(before, after, strict=True)):
            if old == " " and new == disc:
                yield f"{'ABCDEFGH'[square % 8]}{square // 8 + 1}"


class Player:
    def __init__(self, folder: Path) -> None:
        self.folder, self.depth = folder, 12
        self.zebra: Zebra | None = None
        self.moves: list[tuple[bool, str]] = []  # whether Black moved, and the move
        self.entered = 0
        self.board = ""
        self.waiting: list[str] = []  # Zebra's moves that are not yet in the game

    def set_game(self, ggf: str) -> None:
        self.close()
        self.moves = [(colour == "B", plain(move)) for colour, move in re.findall(r"\b([BW])\[(\w+)[\]/]", ggf)]

    def to_move(self) -> bool:
        """Return whether it is Black's turn."""
        return not self.moves[-1][0] if self.moves else True

    def go(self) -> str:
        """Return Zebra's move. If its opponent had to pass, it has already moved again."""
        black = self.to_move()
        if self.zebra is None:
            # Zebra passes by itself, and does not accept a pass in a sequence.
            opening = [move for _, move in self.moves if move != "pass"]
            self.zebra = Zebra(self.folder, self.depth, black, opening)
            boards = self.zebra.boards()
            self.waiting = list(taken(boards, "*" if black else "O"))
            del self.waiting[: sum(mover == black and move != "pass" for mover, move in self.moves)]
            self.board = boards[-1]
        else:
            for mover, move in self.moves[self.entered :]:
                if mover != black and move != "pass":
                    self.zebra.tell(move)
                    boards = [self.board, *self.zebra.boards()]
                    self.waiting += taken(boards, "*" if black else "O")
                    self.board = boards[-1]
                elif mover == black and self.waiting and self.waiting[0].lower() == move:
                    self.waiting.pop(0)
        self.entered = len(self.moves)
        return self.waiting[0]

    def close(self) -> None:
        if self.zebra:
            self.zebra.close()
        self.zebra, self.entered = None, 0


def plain(word: str) -> str:
    """
    >>> plain("PA"), plain("F5/1.00/0.1")
    ('pass', 'f5')
    """
    word = word.split("/")[0].lower()
    return "pass" if word.startswith("pa") else word


def main() -> None:
    player = Player(Path(sys.argv[1]))
    for line in sys.stdin:
        match line.split(maxsplit=2):
            case ["set", "depth", depth]:
                player.depth = int(depth)
            case ["set", "game", ggf]:
                player.set_game(ggf)
            case ["move", word, *_]:
                player.moves.append((player.to_move(), plain(word)))
            case ["go"]:
                print(f"=== {player.go()}", flush=True)
            case ["ping", number]:
                print(f"pong {number}", flush=True)
            case ["quit"]:
                break
    player.close()


if __name__ == "__main__":
    main()
