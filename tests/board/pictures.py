"""The boards in the documentation. ``python tests/board/pictures.py`` redraws them."""

from __future__ import annotations

from pathlib import Path

from zerosum.classroom.drawing import board_svg
from zerosum.game import Line
from zerosum.games import load

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
WIDTH = 360

# Some moves from the start of each game.
SHOWN = {
    "chess": "e4 e5 Nf3 Nc6 Bb5",
    "backgammon": "31 8/5,6/5 42",
    "kalah": "3 6 5",
    "checkers": "11-15 23-19 8-11 22-17",
    "hex": "f6 g4 e7 e5 d6 h6 i5",
}


def picture(name: str) -> str:
    game = load(name)
    line = Line(game)
    for word in SHOWN[name].split():
        line = line.play(game.parse_move(line.state, word.replace(",", " ")))
    return board_svg(game, line.state, width=WIDTH) + "\n"


def path_of(name: str) -> Path:
    return FOLDER / f"board-{name}.svg"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for shown in SHOWN:
        path_of(shown).write_text(picture(shown), encoding="utf-8")
        print(path_of(shown))
