"""Templates for new games: ``zerosum new`` writes one of them, under the name you choose, with a test.

Each template is a complete, playable game. Its name, NAME below, is replaced by that of the new file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from zerosum.errors import GameError, nearest
from zerosum.files import written_whole

TEMPLATES = {
    "three-in-a-row": "marks on a square board; three in a row win",
    "connect-four": "stones dropped into columns; four in a row win; any size",
    "hex": "hexagons; a chain from side to side wins; any size",
    "dice": "a race with dice, with chance nodes",
}
"""The templates with descriptions; the first is the default."""

NAME = "my-game"


def written(path: Path, like: str) -> tuple[Path, Path]:
    """Write a new game and its test; GameError if a file exists already or the template is unknown."""
    if like not in TEMPLATES:
        raise GameError(f"unknown template {like!r}{nearest(like, TEMPLATES)}; choose from {', '.join(TEMPLATES)}")
    if path.suffix != ".py" or not path.stem.isidentifier():
        raise GameError(f"{str(path)!r} cannot be the file of a game: choose a name such as my_game.py")
    if path.stem == "zerosum" or path.stem in sys.stdlib_module_names:
        raise GameError(f"{str(path)!r} would hide the module {path.stem!r}: choose a name such as my_game.py")
    test = path.with_name(f"test_{path.name}")
    for file in (path, test):
        if file.exists():
            raise GameError(f"{str(file)!r} already exists: choose another name")
    if not path.parent.is_dir():
        raise GameError(f"the folder {str(path.parent)!r} does not exist")
    here = Path(__file__).parent
    game = (here / f"{like.replace('-', '_')}.py").read_text(encoding="utf-8")
    check = (here / "test_template.txt").read_text(encoding="utf-8")
    name = path.stem.replace("_", "-")
    facts = (here / f"{like.replace('-', '_')}_facts.txt").read_text(encoding="utf-8")
    with written_whole(path) as game_file, written_whole(test) as test_file:  # both or none
        game_file.write(game.replace(f'"{NAME}"', f'"{name}"').encode())
        test_file.write((check + facts).replace("my_game", path.stem).replace(NAME, name).encode())
    return path, test
