"""Kernels give the same result on a card as on the processor; those that cannot run there say so in one line."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from broken_games import PROMISES, broken_game

import zerosum as zs
from zerosum.endgame.build import build
from zerosum.engine import divide
from zerosum.errors import DeviceError, GameError, KernelError, LimitError
from zerosum.jit import store
from zerosum.jit.gpu import card as cards
from zerosum.jit.gpu import kernels
from zerosum.jit.kernel import ITEMS, ItemKernel
from zerosum.jit.row import Row
from zerosum.jit.rules import recursive
from zerosum.jit.target import CPU, GPU, PLAIN, target_of
from zerosum.jit.words import add_shared, memory_at, reserve
from zerosum.running.crew import Crew
from zerosum.search.alphabeta import ALPHABETA
from zerosum.search.waves import Waves

SMALL = [("tictactoe", {}), ("connect-four", {"width": 5, "height": 4}), ("pig", {"target": 15})]


@pytest.mark.parametrize(("name", "parameters"), SMALL)
def test_perft_and_divide_are_the_processors(name, parameters, card):
    game = zs.load(name, **parameters)
    s = game.initial()
    for depth in range(6):
        assert zs.perft(game, s, depth, device="gpu") == zs.perft(game, s, depth)
    assert divide(game, s, 5, device="gpu") == divide(game, s, 5)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chess", "checkers", "othello", "kalah", "backgammon", "hex", "nim"])
def test_perft_of_every_game_is_the_processors(name, card):
    game = zs.load(name)
    depth = 2 if name == "backgammon" else 3 if name == "hex" else 5
    assert zs.perft(game, game.initial(), depth, device="gpu") == zs.perft(game, game.initial(), depth)


@pytest.mark.parametrize("target", [PLAIN, CPU, GPU])
def test_waves_that_fit_a_small_memory_count_the_same(target, card):
    game = zs.load("tictactoe")
    for room, longest in ((9, 9), (11, 40), (1000, 1000)):
        assert Waves(game, target, None, room, longest).count(game.initial(), 6) == zs.perft(game, game.initial(), 6)


def test_progress_ends_with_all_of_it(card):
    reported: list[float] = []
    game = zs.load("tictactoe")
    zs.perft(game, game.initial(), 5, device="gpu", on_progress=reported.append)
    assert reported == sorted(reported)
    assert reported[-1] == pytest.approx(1.0)


@pytest.mark.parametrize(("name", "parameters"), SMALL)
def test_random_games_are_the_processors_to_the_bit(name, parameters, card):
    game = zs.load(name, **parameters)
    ours, theirs = (zs.playouts(game, game.initial(), 300, seed=7, device=device) for device in ("gpu", "cpu"))
    same = ("games", "plies", "wins", "draws", "losses", "mean")
    assert [getattr(ours, what) for what in same] == [getattr(theirs, what) for what in same]


@pytest.mark.parametrize("distance", [pytest.param(False, marks=pytest.mark.slow), True])
def test_databases_are_the_processors_byte_for_byte(distance, tmp_path, card):
    game = zs.load("tictactoe")
    prints = []
    for device in ("gpu", "cpu"):
        build(game, 9, tmp_path / device, distance=distance, device=device)
        files = sorted((tmp_path / device).iterdir())
        prints.append([(path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in files])
    assert prints[0] == prints[1]


@pytest.mark.parametrize("promise", PROMISES)
@pytest.mark.parametrize("work", ["games", "lines"])
def test_a_broken_promise_is_reported_as_on_the_processor(work, promise, card):
    game = broken_game(promise)
    if work == "games":
        with pytest.raises(GameError, match=PROMISES[promise]):
            zs.playouts(game, game.initial(), 1000, device="gpu")
    else:
        for depth in (7, 9):
            with pytest.raises(GameError, match=PROMISES[promise]):
                zs.perft(game, game.initial(), depth, device="gpu")


def test_sums_and_shared_words_lose_nothing(card):
    words = ITEMS.then("row", "total")
    row_at, total = words

    def count(rules):
        def item(i, mem):
            row = memory_at(mem[row_at])
            add_shared(row, 0, i)
            row[1 + reserve(row, 1001, 1)] = 1
            mem[total] += i
            return 1

        return item

    kernel = ItemKernel("count", (), count, words, sums=("total",))
    crew, row = Crew(kernel, zs.load("tictactoe"), 1, GPU), Row(1002, GPU)
    crew.put(row=row.address)
    crew.do_items(1000)
    assert row.get(0) == crew[0].total == sum(range(1000))
    assert row.array()[1:].tolist() == [1] * 1000 + [1000]


def test_rows_on_a_card_hold_what_is_put_there(card):
    numbers = np.arange(-3, 1000)
    row = Row.of(numbers, GPU)
    assert (row.array() == numbers).all()
    row.put(5, 1 << 62)
    assert row.get(5) == 1 << 62
    assert row.array(2).tolist() == [-3, -2]
    row.clear()
    assert not row.array().any()


def test_code_for_a_card_is_kept(card, monkeypatch):
    game = zs.load("tictactoe")
    zs.playouts(game, game.initial(), 10, device="gpu")
    assert any(entry.kernel == f"playout ({card.kind})" for entry in store.entries())
    monkeypatch.setattr(kernels, "_loaded", {})
    monkeypatch.setattr(kernels, "llvm_for_gpu", None)  # not needed again
    assert zs.playouts(game, game.initial(), 10, device="gpu").games == 10


def test_a_search_says_that_it_cannot_run_there(card):
    with pytest.raises(KernelError, match=r"tictactoe: .* one position at a time, .* a graphics card cannot run it"):
        ALPHABETA.of(zs.load("tictactoe"), GPU)


def test_a_kernel_that_calls_itself_is_refused(card):
    def build_recursion(rules):
        @recursive("int", "int", "memory")
        def down(n, mem):
            return n + down(n - 1, mem) if n > mem[0] else down(n - 2, mem) * 3 if n > 0 else 0

        def item(i, mem):
            mem[1] += down(i, mem)
            return 1

        return item

    with pytest.raises(KernelError, match=r"tictactoe: deep cannot run on a graphics card: .* calls itself"):
        ItemKernel("deep", (), build_recursion).of(zs.load("tictactoe"), GPU)


def test_without_a_driver_one_line_says_what_to_install(monkeypatch):
    monkeypatch.delenv("ZEROSUM_GPU", raising=False)
    cards._found.cache_clear()
    monkeypatch.setattr("ctypes.CDLL", lambda name: (_ for _ in ()).throw(OSError(name)))
    game = zs.load("tictactoe")
    with pytest.raises(DeviceError, match=r"NVIDIA's driver \(.*\) is not installed; install it, or leave --gpu"):
        zs.perft(game, game.initial(), 3, device="gpu")
    cards._found.cache_clear()


@pytest.mark.parametrize(("jit", "device"), [(True, "tpu"), (False, "gpu")])
def test_what_makes_no_sense_is_quoted(jit, device):
    with pytest.raises(LimitError, match=f"'{device}'"):
        target_of(jit, device)


def test_memory_that_was_given_back_is_used_again(card):
    first = cards.Buffer(1000)
    address = first.address
    first.put(np.full(100, 7))
    del first
    again = cards.Buffer(1020)
    found = np.empty(100, np.int64)
    again.get(found)
    assert (again.address, found.any()) == (address, False)


def test_the_command_line_counts_on_a_card(card, capsys):
    from zerosum.cli import main

    assert main(["perft", "tictactoe", "4", "--gpu", "--divide"]) == 0
    assert "3,024" in capsys.readouterr().out


def test_examples_of_users_run_there(card):
    game = zs.load(str(Path(__file__).parents[2] / "examples" / "snort.py"))
    assert zs.perft(game, game.initial(), 4, device="gpu") == zs.perft(game, game.initial(), 4)
