"""Games to begin with: ``zerosum new`` writes one of these, under your name, with a test.

Each template is a whole game that plays as it is. Its own name, MY_GAME below, becomes that of the new file.
"""

from __future__ import annotations

from pathlib import Path

from zerosum.errors import GameError, nearest

TEMPLATES = {
    "three-in-a-row": "stones on a square board, three in a row win",
    "connect-four": "stones fall into columns, four in a row win; any size",
    "hex": "hexagons, a chain from side to side wins; any size",
    "dice": "a race with dice: chance moves too",
}
"""What there is to begin with; the first is the usual one."""

NAME = "my-game"


def written(path: Path, like: str) -> tuple[Path, Path]:
    """Write a new game and its test; GameError if there is something of that name, or no such template."""
    if like not in TEMPLATES:
        raise GameError(f"there is no template {like!r}{nearest(like, TEMPLATES)}; there are {', '.join(TEMPLATES)}")
    if path.suffix != ".py" or not path.stem.isidentifier():
        raise GameError(f"{str(path)!r} cannot be the file of a game: take a name such as my_game.py")
    test = path.with_name(f"test_{path.name}")
    for file in (path, test):
        if file.exists():
            raise GameError(f"{str(file)!r} is there already: take another name")
    if not path.parent.is_dir():
        raise GameError(f"there is no folder {str(path.parent)!r}")
    here = Path(__file__).parent
    game = (here / f"{like.replace('-', '_')}.py").read_text(encoding="utf-8")
    check = (here / "test_template.txt").read_text(encoding="utf-8")
    name = path.stem.replace("_", "-")
    path.write_text(game.replace(f'"{NAME}"', f'"{name}"'), encoding="utf-8")
    facts = (here / f"{like.replace('-', '_')}_facts.txt").read_text(encoding="utf-8")
    test.write_text((check + facts).replace("my_game", path.stem).replace(NAME, name), encoding="utf-8")
    return path, test
