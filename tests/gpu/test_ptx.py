"""Kernels for cards can be compiled on any machine: LLVM writes PTX, NVIDIA's assembly language, without a card."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import zerosum as zs
from zerosum.endgame.reversing import REVERSE
from zerosum.endgame.sweeping import SWEEP
from zerosum.games import GAMES
from zerosum.jit.gpu.kernels import llvm_for_gpu
from zerosum.jit.gpu.ptx import CAPABILITIES, ptx_of
from zerosum.jit.kernel import ItemKernel
from zerosum.jit.lift import Lifter
from zerosum.search.playout import PLAYOUT
from zerosum.search.waves import COUNT, LIST, PLAY

TUTORIAL = str(Path(__file__).parents[2] / "examples" / "hexapawn.py")


def lower(game: zs.Game, kernels: list[ItemKernel]) -> None:
    lifter = Lifter(game.state_type)
    for kernel in kernels:
        plan = kernel.plan(game)
        ptx = ptx_of(llvm_for_gpu(kernel, game, lifter).text, plan.words, plan.spare, 90, kernel.min_blocks)
        assert ".visible .entry zerosum_card(" in ptx, kernel.name
        assert not re.search(r"\bcall\b", ptx), f"{kernel.name}: a call costs a card its registers"


@pytest.mark.parametrize("name", [*GAMES, TUTORIAL])
def test_random_games_lower_to_ptx(name):
    lower(zs.load(name), [PLAYOUT])


@pytest.mark.parametrize(
    "name",
    [*(pytest.param(name, marks=pytest.mark.slow) for name in ("tictactoe", "connect-four", "checkers")), TUTORIAL],
)
def test_leaves_and_databases_lower_to_ptx(name):
    game = zs.load(name)
    lower(game, [COUNT, *([SWEEP] if game.has("tiers") else [])])


@pytest.mark.slow
@pytest.mark.parametrize("name", [*GAMES, TUTORIAL])
def test_all_kernels_of_a_card_lower_to_ptx(name):
    game = zs.load(name)
    lower(game, [LIST, PLAY, COUNT, *([SWEEP, REVERSE] if game.has("tiers") else [])])


@cache
def leaves() -> tuple[str, int, int]:
    """A kernel as LLVM IR, which is the same for every card, and the sizes of its memory."""
    game = zs.load("tictactoe")
    plan = COUNT.plan(game)
    return llvm_for_gpu(COUNT, game).text, plan.words, plan.spare


@pytest.mark.parametrize("capability", [*CAPABILITIES, 999])
def test_every_kind_of_card_gets_code(capability):
    ptx = ptx_of(*leaves(), capability)
    assert f".target sm_{min(capability, CAPABILITIES[-1])}" in ptx
