"""The README's pictures are what the program draws now."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from docs.pictures import DRAWINGS, FOLDER, ROOT, SIZE, STUDIO, studio_picture

MOST_BYTES = 200_000


def size_of(picture: Path) -> tuple[int, int]:
    """Width and height of a PNG file, from its first chunk."""
    head = picture.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n" and head[12:16] == b"IHDR"
    width, height = struct.unpack(">II", head[16:])
    return width, height


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_what_the_program_draws_now(name):
    drawn = DRAWINGS[name]()
    assert (FOLDER / name).read_text(encoding="utf-8") == drawn, "draw anew: python tests/docs/pictures.py drawings"


@pytest.mark.parametrize("picture", [*(FOLDER / name for name in DRAWINGS), STUDIO], ids=lambda path: path.name)
def test_the_readme_shows_every_picture_and_it_is_small(picture):
    assert f"({picture.relative_to(ROOT).as_posix()})" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert picture.stat().st_size < MOST_BYTES


def test_the_picture_of_the_studio_has_the_size_that_the_script_makes():
    assert size_of(STUDIO) == (SIZE["width"], SIZE["height"])


@pytest.mark.slow
def test_the_picture_of_the_studio_can_be_made_anew(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "studio" / "browser"))
    from chromium import launched

    with launched() as browser:
        studio_picture(browser, tmp_path / "studio.png")
    assert size_of(tmp_path / "studio.png") == size_of(STUDIO)
    assert 10_000 < (tmp_path / "studio.png").stat().st_size < MOST_BYTES, "a blank page, or far too much"
