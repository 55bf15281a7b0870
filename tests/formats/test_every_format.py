"""Every format declared by a built-in game preserves the game. Newly declared formats are tested automatically."""

from __future__ import annotations

import random
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from samples import samples

import zerosum as zs
from zerosum.arena.games_file import GamesFile
from zerosum.errors import ZerosumError
from zerosum.formats.common import read_game
from zerosum.formats.record import GameRecord
from zerosum.games import GAMES

DECLARED = [(name, form) for name in GAMES for form in zs.load(name).formats]
every_format = pytest.mark.parametrize(("name", "form"), DECLARED, ids=[f"{n}{form.suffix}" for n, form in DECLARED])


@lru_cache
def whole_game(name: str, seed: int) -> zs.Line:
    game = zs.load(name)
    line, draw = zs.Line(game), random.Random(seed)
    while not (game.is_over(line.state) or line.is_repetition):
        line = line.play(draw.choice(game.legal_moves(line.state)))
    return line


def result_of(line: zs.Line) -> int:
    value = line.game.final_value(line.state) if line.game.is_over(line.state) else 0
    return (value > 0) - (value < 0)


def write_match(path: Path, game: zs.Game, lines: list[zs.Line]) -> None:
    header: dict[str, Any] = {"game": game.name, "players": ["Anna", "Otto"], "time": "none"}
    with GamesFile(path, game, header) as file:
        for number in range(len(file.records) + 1, len(lines) + 1):
            line = lines[number - 1]
            file.add(GameRecord(number, "Anna", "Otto", result_of(line), "rules", "", "", ()), line)


@every_format
def test_a_game_that_is_written_can_be_read(name: str, form: zs.Format) -> None:
    game = zs.load(name)
    for seed in range(samples(3)):
        line = whole_game(name, seed)
        text = form.write(zs.Played(line, ("Anna", "Otto"), result_of(line)))
        (again,) = form.parse(game, text)
        assert (again.line.start, again.line.moves) == (line.start, line.moves)
        assert (again.players, again.result) == (("Anna", "Otto"), result_of(line))
        assert form.looks_like(text)


@every_format
def test_a_match_that_was_killed_goes_on(name: str, form: zs.Format, tmp_path: Path) -> None:
    game, path = zs.load(name), tmp_path / f"games{form.suffix}"
    lines = [whole_game(name, seed) for seed in (0, 1)]
    write_match(path, game, lines)
    whole = path.read_bytes()
    for cut in random.Random(0).sample(range(len(whole)), samples(10)):
        path.write_bytes(whole[:cut])
        write_match(path, game, lines)
        assert path.read_bytes() == whole
    for number, line in enumerate(lines, 1):
        assert read_game(game, path, number).line.moves == line.moves


@every_format
def test_nonsense_is_refused_in_a_line_or_holds_no_game(name: str, form: zs.Format) -> None:
    for text in ("", "nonsense", "1. e9 e10", "(;B[a1];)", '{"zerosum match":', "\x00" * 9):
        try:
            assert not [played.line.moves for played in form.parse(zs.load(name), text) if played.line.moves]
        except ZerosumError as problem:
            assert "\n" not in str(problem)
