"""Tic-tac-toe, the engine against itself, through JSON lines: python examples/serve.py

In Python you would normally ``import zerosum``; this works the same in any language.
"""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

COMMAND = os.environ.get("ZEROSUM", "zerosum").split()


class Engine:
    """zerosum in a separate process, which answers one request at a time."""

    def __init__(self, game: str) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([*COMMAND, "serve", game], stdin=pipe, stdout=pipe, text=True, bufsize=1)

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        assert self.process.stdin and self.process.stdout
        print(json.dumps({"id": 1, "do": do, **fields}), file=self.process.stdin, flush=True)
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer

    def close(self) -> None:
        self.process.communicate()  # zerosum exits at the end of its input


def main() -> None:
    engine = Engine("tictactoe")
    moves: list[str] = []
    now = engine.ask("position")
    while not now["over"]:
        found = engine.ask("search", moves=moves, depth=3)
        print(f"{now['player']} plays {found['move']}: {found['words']}")
        moves.append(found["move"])
        now = engine.ask("position", moves=moves)
    print(now["text"])
    print(now["words"])
    engine.close()


if __name__ == "__main__":
    main()
