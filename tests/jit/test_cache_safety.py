"""Other users cannot decide what is run: kernels come only from files and folders that belong to the user."""

from __future__ import annotations

import hashlib
import json
import os

import pytest
from samples import THOROUGH
from test_cache import COLD, WARM, compiled, place, run, the_entry, warm  # noqa: F401

from zerosum.errors import CacheWarning
from zerosum.jit import store

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs POSIX owners and permissions")
DIGEST, CODE = "0" * 64, b"machine code"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A cache with one kernel in it."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("ZEROSUM_CACHE_DIR", str(folder))
    monkeypatch.setattr(store, "_warned", set())
    keep()
    assert store.read(DIGEST) == (CODE, [])
    return folder


def keep(digest=DIGEST):
    store.write(digest, CODE, [], "game", "kernel", 1.0)


def the_warning(work):
    with pytest.warns(CacheWarning) as caught:
        assert work() is None
    assert len(caught) == 1 and "\n" not in str(caught[0].message)
    return str(caught[0].message)


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702, 0o1777])
def test_a_folder_that_others_may_write_to_is_neither_read_nor_written(folder, mode):
    folder.chmod(mode)
    warning = the_warning(lambda: store.read(DIGEST))
    assert f"others may write to it (its mode is {mode:o}); run 'chmod go-w {folder}'" in warning
    keep("1" * 64)  # without a second warning
    assert len(list(folder.iterdir())) == 1
    folder.chmod(0o755)
    assert store.read(DIGEST) == (CODE, [])


@pytest.mark.parametrize("mode", [0o666, 0o620, 0o602])
def test_a_file_that_others_may_write_to_is_not_read_and_the_next_one_is(folder, mode):
    path = folder / f"{DIGEST}.kernel"
    path.chmod(mode)
    assert f"its mode is {mode:o}" in the_warning(lambda: store.read(DIGEST))
    keep()
    assert store.read(DIGEST) == (CODE, []) and path.stat().st_mode & 0o022 == 0


def test_what_belongs_to_somebody_else_is_not_read_by_root_either(folder, monkeypatch):
    """The same files, read by users who do not own them."""
    owner = os.geteuid()
    for user in (0, 1000) if owner not in (0, 1000) else (12345,):
        monkeypatch.setattr(os, "geteuid", lambda user=user: user)
        warning = the_warning(lambda: store.read(DIGEST))
        assert f"it belongs to user {owner}, not to you, user {user}; choose another with ZEROSUM_CACHE_DIR" in warning
        keep("1" * 64)
    assert len(list(folder.iterdir())) == 1


def test_a_link_is_judged_by_where_it_leads(folder, monkeypatch, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(folder)
    monkeypatch.setenv("ZEROSUM_CACHE_DIR", str(link))
    assert store.read(DIGEST) == (CODE, [])
    folder.chmod(0o777)
    assert "others may write" in the_warning(lambda: store.read(DIGEST))


def test_where_files_have_no_owners_the_folder_is_trusted(folder, monkeypatch):
    folder.chmod(0o777)
    monkeypatch.delattr(os, "geteuid")
    assert store.read(DIGEST) == (CODE, [])


def test_a_new_folder_is_closed_to_others_whatever_the_umask(folder, monkeypatch):
    monkeypatch.setenv("ZEROSUM_CACHE_DIR", str(folder.parent / "another"))
    before = os.umask(0)
    try:
        keep()
    finally:
        os.umask(before)
    assert (folder.parent / "another").stat().st_mode & 0o777 == 0o700
    assert store.read(DIGEST) == (CODE, [])


def test_the_cache_says_why_it_is_not_used(folder):
    assert store.refusal() == ""
    folder.chmod(0o707)
    assert "others may write to it (its mode is 707)" in store.refusal()


def test_a_folder_that_cannot_be_made_means_one_warning(folder, monkeypatch):
    monkeypatch.setenv("ZEROSUM_CACHE_DIR", str(folder / f"{DIGEST}.kernel" / "cache"))
    assert str(folder) in the_warning(keep)
    keep()  # without a second warning


def test_a_planted_kernel_with_the_right_checksum_is_not_run(warm):  # noqa: F811
    """The code is nothing but zeros: running it would end the process."""
    path = the_entry(warm)
    header, _, code = path.read_bytes().partition(b"\n")
    facts = json.loads(header)
    code = bytes(len(code))
    facts["checksum"] = hashlib.sha256(json.dumps([facts["digest"], facts["outside"]]).encode() + code).hexdigest()
    path.write_bytes(json.dumps(facts).encode() + b"\n" + code)
    (warm / "cache").chmod(0o777)
    done = run(warm, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, COLD), done.stderr
    assert done.stderr.count("CacheWarning: ") == 1
    path.unlink()
    (warm / "cache").chmod(0o700)
    assert not THOROUGH or [run(warm), run(warm)] == [COLD, WARM]


def test_no_flipped_bit_of_a_kernel_is_run(folder):
    """For each bit of the file, the code that is read is the code that was stored, or nothing."""
    path = folder / f"{DIGEST}.kernel"
    whole, read = path.read_bytes(), 0
    for bit in range(8 * len(whole)):
        data = bytearray(whole)
        data[bit // 8] ^= 1 << bit % 8
        path.write_bytes(data)
        found = store.read(DIGEST)
        assert found in (None, (CODE, [])), bit
        read += found is not None
    assert read < len(whole)  # flips in the game's name or in the time it took, which do not matter
