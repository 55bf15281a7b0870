"""Facts about files that are written completely or not at all, and about missing memory."""

from __future__ import annotations

import mmap
import os
import threading

import pytest
from patience import PATIENCE

import zerosum as zs
from zerosum.errors import LimitError, ZerosumError
from zerosum.files import check_writable, written_whole
from zerosum.jit import zeros as zeros_module
from zerosum.jit.zeros import LARGE, zeros


@pytest.fixture
def umask():
    """Set the umask for one test."""
    before = os.umask(0o022)
    yield os.umask
    os.umask(before)


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077, 0o027])
def test_a_written_file_is_open_to_whom_the_umask_says(tmp_path, umask, mask):
    umask(mask)
    with written_whole(tmp_path / "whole") as file:
        file.write(b"content")
    assert (tmp_path / "whole").stat().st_mode & 0o777 == 0o666 & ~mask
    assert (tmp_path / "whole").read_bytes() == b"content"


def test_writing_never_touches_the_umask_that_all_threads_share(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "umask", lambda mask: pytest.fail("a thread may create a file just now"))
    with written_whole(tmp_path / "whole") as file:
        file.write(b"content")
    assert [path.name for path in tmp_path.iterdir()] == ["whole"]


def test_a_file_that_is_not_finished_leaves_nothing_behind(tmp_path):
    (tmp_path / "whole").write_bytes(b"old")
    with pytest.raises(RuntimeError), written_whole(tmp_path / "whole") as file:
        file.write(b"half")
        raise RuntimeError
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]


def test_many_may_write_the_same_file_at_once(tmp_path):
    meeting = threading.Barrier(8)

    def write(content):
        with written_whole(tmp_path / "whole") as file:
            meeting.wait(PATIENCE)
            file.write(content)

    threads = [threading.Thread(target=write, args=(bytes([n]) * 1000,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (path,) = tmp_path.iterdir()
    assert len(path.read_bytes()) == 1000 and len(set(path.read_bytes())) == 1


def test_a_folder_that_is_not_there_is_one_line(tmp_path):
    with pytest.raises(ZerosumError, match="cannot be written: No such file"), written_whole(tmp_path / "no" / "x"):
        pass


def test_whether_a_file_can_be_written_is_known_before_the_work_begins(tmp_path, monkeypatch):
    check_writable(tmp_path / "file")
    assert list(tmp_path.iterdir()) == []

    def refused(*arguments: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.open", refused)
    with pytest.raises(ZerosumError, match="file' cannot be written: Permission denied"):
        check_writable(tmp_path / "file")


@pytest.mark.parametrize("words", [0, 1, LARGE // 8 - 1, LARGE // 8, LARGE // 8 + 1, 10**6])
def test_rows_are_zero_and_can_be_written(words):
    row = zeros(words, "no memory")
    assert row.shape == (words,) and not row.any()
    row[:] = -1
    assert (row == -1).all()


def test_a_large_row_goes_back_to_the_system(monkeypatch):
    """It is its own mapping, which is closed with its last user."""
    closed = []

    class Mapping(mmap.mmap):
        def __del__(self):
            closed.append(len(self))

    monkeypatch.setattr(zeros_module.mmap, "mmap", Mapping)
    row = zeros(LARGE // 8, "no memory")
    part = row[5:]
    del row
    assert not closed
    del part
    assert closed == [LARGE]


@pytest.mark.parametrize("problem", [OSError(12, "Cannot allocate memory"), MemoryError()])
def test_a_table_that_does_not_fit_is_one_line_that_quotes_its_size(monkeypatch, problem):
    def refuse(*arguments, **settings):
        raise problem

    game = zs.load("tictactoe")
    engine = zs.Engine(game, hash_mb=64)
    monkeypatch.setattr(zeros_module, "_mapping", refuse)
    with pytest.raises(LimitError) as caught:
        engine.search(game.initial(), depth=1)
    assert str(caught.value) in (
        "not enough memory for a table of 64 MB: choose a smaller hash size",
        "tictactoe: not enough memory for a search: it needs 2 MB for each thread",
    )
    with pytest.raises(LimitError, match="a table of 64 MB: choose a smaller hash size"):
        engine._searcher._table.touch()


@pytest.mark.skipif(os.name != "posix", reason="needs symbolic links")
@pytest.mark.parametrize("old", [b"old", None])
def test_a_link_stays_and_its_target_is_replaced(tmp_path, old):
    if old is not None:
        (tmp_path / "target").write_bytes(old)
    (tmp_path / "link").symlink_to("target")
    check_writable(tmp_path / "link")
    with written_whole(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "target").read_bytes() == b"new"
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_written_into_and_stays_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    check_writable(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with written_whole(pipe) as file:
            file.write(b"content")
        assert os.read(reader, 100) == b"content"
    finally:
        os.close(reader)
    assert pipe.is_fifo() and list(tmp_path.iterdir()) == [pipe]
