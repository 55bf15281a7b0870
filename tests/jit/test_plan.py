"""Words and regions of a kernel's memory have names, and no two share a place."""

from __future__ import annotations

import pytest

import zerosum as zs
from zerosum.endgame.coding import CODE
from zerosum.endgame.kernel import RETROGRADE
from zerosum.endgame.reversing import REVERSE
from zerosum.endgame.sweeping import SWEEP
from zerosum.jit.kernel import Kernel
from zerosum.jit.plan import COMMON, HEADER, LINE, Region, Words
from zerosum.learn import duel
from zerosum.running.crew import CPU, PLAIN, Crew
from zerosum.search.alphabeta import ALPHABETA
from zerosum.search.memory import SEARCH, search_regions
from zerosum.search.perft import PERFT
from zerosum.search.playout import PLAYOUT
from zerosum.search.selfplay import SELF_PLAY

GAME = zs.load("tictactoe")
KERNELS = [ALPHABETA, SELF_PLAY, PERFT, PLAYOUT, RETROGRADE, SWEEP, REVERSE, CODE]


@pytest.mark.parametrize("words", [*(kernel.words for kernel in KERNELS), duel.WORDS])
def test_no_two_words_are_in_one_place(words):
    assert sorted(words.place.values()) == list(range(len(words.place)))
    assert len(words.place) <= HEADER and list(words.place)[: len(COMMON.place)] == list(COMMON.place)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_regions_lie_one_behind_the_other_on_cache_lines(kernel):
    plan = kernel.plan(GAME)
    end = plan.spare
    for region in kernel.regions(GAME):
        assert plan[region.name] >= end and plan[region.name] % LINE == 0
        end = plan[region.name] + region.words
    assert plan.words >= end


def test_a_word_is_named_once():
    with pytest.raises(ValueError, match="two words of one memory cannot both be called 'depth'"):
        SEARCH.then("depth")
    with pytest.raises(ValueError, match="'twice'"):
        Words("twice", "twice")
    with pytest.raises(ValueError, match="64 words before its position"):
        Words(*(f"word {n}" for n in range(HEADER)))


def nothing(rules):
    return lambda mem: 0


@pytest.mark.parametrize("size", [10, 1 << 18])
def test_a_compiled_memory_begins_on_a_cache_line_whatever_its_size(size):
    kernel = Kernel("nothing", (), nothing, regions=lambda game: [Region("numbers", size, bits=16)])
    for member in Crew(kernel, GAME, workers=5, target=CPU):
        assert member.address % (8 * LINE) == 0 and len(member.row) == kernel.plan(GAME).words


@pytest.mark.parametrize("target", [PLAIN, CPU])
def test_words_are_attributes_of_a_memory(target):
    (member,) = Crew(PLAYOUT, GAME, target=target)
    member.seed = 7
    assert (member.seed, member.done) == (7, 0)
    assert member.row[PLAYOUT.words.place["seed"]] == 7
    with pytest.raises(AttributeError, match=r"this memory has no word 'colour'; its words are stop, nodes, .* total"):
        _ = member.colour
    with pytest.raises(AttributeError, match="'sead'"):
        member.sead = 7


def test_a_kernel_that_contains_another_has_its_words_and_regions():
    assert SELF_PLAY.words.place.items() >= SEARCH.place.items()
    assert [region.name for region in SELF_PLAY.regions(GAME)] == [
        *(region.name for region in search_regions(GAME)),
        "start",
        "records",
    ]
