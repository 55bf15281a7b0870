"""The positions file: what is written can be read, by any process, after any accident."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from samples import THOROUGH

import zerosum as zs
from zerosum.errors import PositionsFileError
from zerosum.game import Game
from zerosum.jit.notices import listening_with
from zerosum.learn.columns import compress_column, decompress_column
from zerosum.learn.positions_file import PREFIX, Columns, PositionsFile

GAME = zs.load("tictactoe")
SIZE = GAME.state_type.size


def some(count: int, seed: int = 0) -> Columns:
    """Return numbers of all sizes and both signs, many of them similar."""
    dice = np.random.default_rng(seed)
    words = dice.integers(-(2**63), 2**63, (count, SIZE + 3), np.int64) >> dice.integers(0, 64, (1, SIZE + 3))
    words[1::2] = words[::2][: count // 2]
    return Columns(words[:, :SIZE], words[:, SIZE], dice.integers(-3, 4, count), words[:, SIZE + 2] & 7)


def equal(one: Columns, other: Columns) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "some.zsp"


@pytest.fixture
def words() -> Iterator[list[str]]:
    """Collect the notices printed meanwhile."""
    found: list[str] = []
    with listening_with(lambda text, is_warning: found.append(text)):
        yield found


@pytest.mark.parametrize("count", [0, 1, 2, 1000])
@pytest.mark.parametrize("bits", [1, 7, 8, 15, 16, 31, 32, 63])
def test_columns_of_all_widths_come_back(count: int, bits: int) -> None:
    column = np.random.default_rng(bits).integers(-(2**bits), 2**bits, count, np.int64, endpoint=bits < 63)
    assert np.array_equal(decompress_column(*compress_column(column), count), column)


def test_a_column_that_is_alike_takes_little() -> None:
    kind, data = compress_column(np.full(100_000, 2**60))
    assert (kind, len(data) < 5_000) == ("<i8", True)
    assert compress_column(np.full(100, 5))[0] == "<i1"


def test_what_is_added_is_read_in_order(path: Path) -> None:
    file, parts = PositionsFile(path, GAME), [some(count, seed=count) for count in (5, 1, 3000, 0, 20)]
    for number, part in enumerate(parts):
        assert file.add(part, {"seed": number, "games": 2}).number == number
    again = PositionsFile(path, GAME)
    assert all(equal(again.columns(block), part) for block, part in zip(again.blocks(), parts, strict=True))
    assert [block.head["seed"] for block in again.blocks()] == [0, 1, 2, 3, 4]
    samples, whole = again.read(), [np.concatenate(column) for column in zip(*parts, strict=True)]
    assert np.array_equal(samples.states, whole[0]) and samples.games == 8
    assert samples.values is not None and samples.utilities is not None
    assert np.array_equal(samples.utilities, whole[2])
    assert np.array_equal(samples.results, np.where(whole[2] > 0, 1.0, np.where(whole[2] < 0, 0.0, 0.5)))
    for first, last in ((7, None), (None, 7), (3026, None), (None, 9999), (5, 3025)):
        begin, end = max(0, 3026 - last) if last else 0, min(first, 3026) if first else 3026
        assert np.array_equal(again.read(first, last).states, whole[0][begin : max(begin, end)])


def test_whoever_cuts_the_file_anywhere_loses_the_last_block_only(path: Path, words: list[str]) -> None:
    file = PositionsFile(path, GAME)
    parts = [some(3, 1), some(4, 2)]
    ends = [file.add(part, {}).end for part in parts]
    content, begin = path.read_bytes(), file.blocks()[0].place
    for length in range(0, len(content), 1 if THOROUGH else 3):
        path.write_bytes(content[:length])
        left = sum(end <= length for end in ends)
        cut = PositionsFile(path, GAME)
        assert len(cut.blocks()) == left
        torn = length - ([begin, *ends][left] if length >= begin else 0)
        assert cut.half_written == torn
        words.clear()
        if left:
            assert len(cut.read()) == 3 and bool(words) == (torn > 0)
        assert path.read_bytes() == content[:length], "readers change nothing"
        cut.add(parts[left], {})
        assert path.read_bytes()[: ends[left]] == content[: ends[left]]
        assert all(equal(cut.columns(block), part) for block, part in zip(cut.blocks(), parts, strict=False))


def test_zeros_that_a_crash_of_the_machine_has_left_are_cut_off(path: Path, words: list[str]) -> None:
    file = PositionsFile(path, GAME)
    file.add(some(3, 1), {})
    content = path.read_bytes()
    for zeros in (1, 23, 24, 25, 5_000):
        path.write_bytes(content + bytes(zeros))
        again = PositionsFile(path, GAME)
        assert len(again.read()) == 3 and again.half_written == zeros and words
        again.add(some(4, 2), {})
        assert [block.positions for block in PositionsFile(path, GAME).blocks()] == [3, 4]


def test_a_bit_that_flips_anywhere_in_a_block_is_noticed_in_that_block(path: Path) -> None:
    file = PositionsFile(path, GAME)
    ends = [file.add(some(3, seed), {"seed": seed}).end for seed in (1, 2)]
    content, begin = path.read_bytes(), file.blocks()[0].place
    for place in range(begin, len(content), 1 if THOROUGH else 3):
        damaged = bytearray(content)
        damaged[place] ^= 1 << place % 8
        path.write_bytes(damaged)
        number = int(place >= ends[0])
        with pytest.raises(PositionsFileError) as caught:
            PositionsFile(path, GAME).read()
        start = [begin, ends[0]][number]
        assert f"{str(path)!r} is damaged in block {number}, at byte {start}" in str(caught.value)
        assert str(caught.value).endswith(f"the first {start} bytes can be kept") and "\n" not in str(caught.value)


def test_damage_is_never_cut_off_as_if_it_were_a_torn_end(path: Path) -> None:
    file = PositionsFile(path, GAME)
    block = file.add(some(3), {})
    file.add(some(4), {})
    damaged = bytearray(path.read_bytes())
    damaged[block.place + PREFIX.size - 12] ^= 1  # a bit of the body's length
    path.write_bytes(damaged)
    with pytest.raises(PositionsFileError, match="block 0"):
        PositionsFile(path, GAME).add(some(1), {})
    assert path.read_bytes() == damaged


def _add_many(path: Path, seed: int) -> None:
    file = PositionsFile(path, GAME)
    for number in range(40):
        file.add(some(10, 100 * seed + number), {"seed": seed, "number": number})


def test_two_processes_add_to_one_file_at_once(path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_add_many, args=(path, seed)) for seed in (1, 2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    file = PositionsFile(path, GAME)
    for seed in (1, 2):
        mine = [block for block in file.blocks() if block.head["seed"] == seed]
        assert [block.head["number"] for block in mine] == list(range(40))
        assert all(equal(file.columns(block), some(10, 100 * seed + i)) for i, block in enumerate(mine))


def test_one_object_sees_what_another_adds_or_cuts(path: Path) -> None:
    one, other = PositionsFile(path, GAME), PositionsFile(path, GAME)
    one.add(some(3), {})
    end = other.add(some(4), {}).end
    one.add(some(5), {})
    assert [block.positions for block in other.blocks()] == [3, 4, 5]
    with path.open("r+b") as file:
        file.truncate(end)
    assert [block.positions for block in one.blocks()] == [3, 4]


def test_an_error_of_the_check_leaves_the_file_as_it_was(path: Path) -> None:
    file = PositionsFile(path, GAME)
    file.add(some(3), {})
    before = path.read_bytes()

    def refuse(blocks: object) -> None:
        raise PositionsFileError("no")

    with pytest.raises(PositionsFileError, match="no"):
        file.add(some(3), {}, refuse)
    assert path.read_bytes() == before


def other_state() -> Game:
    """Return a game of the same name with another State."""
    return zs.load("connect-four").with_(name="tictactoe")


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (zs.load("connect-four"), "holds positions of 'tictactoe', not of connect-four"),
        (other_state(), "holds positions of tictactoe with another State: gather new ones"),
    ],
)
def test_positions_of_another_game_are_refused(path: Path, game: Game, said: str) -> None:
    PositionsFile(path, GAME).add(some(3), {})
    with pytest.raises(PositionsFileError, match=said):
        PositionsFile(path, game)


def test_boards_of_another_size_are_another_game(path: Path) -> None:
    small, large = zs.load("connect-four", width=5, height=4), zs.load("connect-four")
    row = np.array([small.state_type.words(small.initial())])
    PositionsFile(path, small).add(Columns(row, *np.zeros((3, 1), np.int64)), {})
    with pytest.raises(PositionsFileError, match="with other parameters: its games start from"):
        PositionsFile(path, large)


@pytest.mark.parametrize("content", [b"hello\n", b"\x00" * 100, b'{"zerosum weights": 1}\n', b"[]\n", b"x" * 100])
def test_other_files_are_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(PositionsFileError, match="is not a file of the format 'zerosum positions'"):
        PositionsFile(path, GAME)
    assert path.read_bytes() == content


def test_a_newer_version_is_refused(path: Path) -> None:
    PositionsFile(path, GAME).add(some(1), {})
    path.write_bytes(path.read_bytes().replace(b'"zerosum positions": 1', b'"zerosum positions": 2'))
    with pytest.raises(PositionsFileError, match=r"has version 2 .* this program reads version 1"):
        PositionsFile(path, GAME)


def test_what_cannot_be_read_or_written_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(PositionsFileError, match="cannot be written: No such file or directory"):
        PositionsFile(tmp_path / "no" / "folder.zsp", GAME).add(some(1), {})
    with pytest.raises(PositionsFileError, match="cannot be read: Is a directory"):
        PositionsFile(tmp_path, GAME)
    with pytest.raises(PositionsFileError, match="contains no positions"):
        PositionsFile(tmp_path / "new.zsp", GAME).read()
