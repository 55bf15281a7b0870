"""Rollouts on a card: the same games as on the processor, move by move in waves."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from samples import THOROUGH

import zerosum as zs
from zerosum.cli import main
from zerosum.errors import GameError, LimitError
from zerosum.games.pig import pig
from zerosum.jit.bits import mix
from zerosum.jit.target import CPU, GPU, PLAIN, Target
from zerosum.running.stopping import Stop
from zerosum.search.rollout import Rollout, roll_out
from zerosum.search.rollout_games import GamesInWaves, GamesOneByOne, games_of

pytestmark = pytest.mark.usefixtures("card")

GAME = pig(15)
STARTS = [GAME.initial(), GAME.play(GAME.initial(), 1)]


def facts(found: tuple[Rollout, ...]) -> list[Any]:
    return [(r.value, r.error, r.games, r.outcomes, r.unfinished, r.plies) for r in found]


def options(**others: int) -> dict[str, int]:
    return {"seed": mix(0, 3), "most_moves": 1 << 40, "luck": 0, "spread": 6, **others}


@pytest.mark.parametrize(
    "limits",
    [
        {"games": 720},
        {"games": 500, "luck": 2},
        {"games": 360, "plies": 4},
        {"games": 360, "plies": 5, "luck": 100, "spread": 0},
        {"precision": 0.1},
    ],
    ids=str,
)
def test_the_card_finds_what_the_processor_finds(limits: dict[str, Any]):
    on_processor = roll_out(GAME, STARTS, seed=3, **limits)
    assert facts(roll_out(GAME, STARTS, seed=3, device="gpu", **limits)) == facts(on_processor)


@pytest.mark.parametrize("target", [PLAIN, CPU, GPU], ids=str)
@pytest.mark.parametrize("luck", [0, 3])
def test_games_that_find_no_room_wait(target: Target, luck: int):
    chosen = options(luck=luck)
    one_by_one = GamesOneByOne(GAME, STARTS, 1, PLAIN if target is PLAIN else CPU, chosen)
    expected = one_by_one.crew.run(lambda report: one_by_one.rounds(0, 3, 9))
    for room in (16, 40, 5000) if THOROUGH or target is not PLAIN else (16, 5000):
        waves = GamesInWaves(GAME, STARTS, target, chosen, room=room, most_games=200)
        found = waves.crew.run(lambda report, waves=waves: waves.rounds(0, 3, 9))
        assert all(np.array_equal(one, other) for one, other in zip(expected, found, strict=True))
        again = waves.crew.run(lambda report, waves=waves: waves.rounds(1, 2, 9))  # earlier games are kept
        assert np.array_equal(again.values, expected.values[:, 1:])


def test_no_room_at_all_is_an_error():
    waves = GamesInWaves(GAME, STARTS, PLAIN, options(), room=1)
    with pytest.raises(LimitError, match="pig: 2 positions follow one position, but there is room for 1"):
        waves.crew.run(lambda report: waves.rounds(0, 1, 1))


def test_without_an_evaluation_a_thread_plays_a_whole_game():
    game = GAME.with_(evaluate=None)
    assert isinstance(games_of(game, STARTS, 1, GPU, options()), GamesOneByOne)
    assert facts(roll_out(game, STARTS, games=360, device="gpu")) == facts(roll_out(game, STARTS, games=360))


def test_a_stop_leaves_whole_rounds_only():
    stop = Stop()

    def enough(found: tuple[Rollout, ...]) -> None:
        stop.set()

    (found,) = roll_out(GAME, STARTS[:1], device="gpu", games=10**6, on_report=enough, stop=stop)
    assert found.games % 36 == 0 and 0 < found.games < 10**6
    stop = Stop()
    stop.set()
    (found,) = roll_out(GAME, STARTS[:1], device="gpu", games=360, stop=stop)
    assert found.games == 0


def test_the_engine_and_the_command_line_take_a_card(capsys: pytest.CaptureFixture[str]):
    engine = zs.Engine(GAME)
    for roll in (engine.rollout, engine.rollout_moves):
        found, expected = roll(STARTS[0], games=360, device="gpu"), roll(STARTS[0], games=360)
        if isinstance(found, Rollout):
            found, expected = (found,), (expected,)
        assert facts(found) == facts(expected)
    with pytest.raises(LimitError, match="only machine code"):
        zs.Engine(GAME, jit=False).rollout(STARTS[0], device="gpu")
    shown = []
    for words in ([], ["--gpu"]):
        assert main(["analyze", "pig", "60 70 15 max", "--rollout", "--games", "360", *words]) == 0
        shown.append(capsys.readouterr().out.splitlines()[:3])
    assert shown[0] == shown[1] and "± " in shown[0][1]
    assert main(["analyze", "pig", "--gpu"]) == 2
    assert "--gpu applies only to rollouts" in capsys.readouterr().err


class Toss(NamedTuple):
    thrown: int


def toss(**others: Any) -> zs.Game:
    """A single coin toss, without a move by a player."""

    def coin(s):
        yield 1, 0.5
        yield 2, 0.5

    rules: dict[str, Any] = {"chances": coin, "evaluate": lambda s: 0.0, **others}
    return zs.Game(
        "toss",
        Toss,
        lambda: Toss(0),
        lambda s: zs.CHANCE if s.thrown < 1 else zs.MAX,
        lambda s: iter(()),
        lambda s, move: Toss(move),
        lambda s: 2 * s.thrown - 3,
        2,
        max_chances=2,
        **rules,
    )


def test_a_position_without_moves_ends_the_game():
    for luck in (0, 1):
        found = roll_out(toss(), [Toss(0)], games=72, luck=luck, device="gpu")
        assert facts(found) == facts(roll_out(toss(), [Toss(0)], games=72, luck=luck))
        assert found[0].outcomes == ((-1.0, 36), (1.0, 36)) and found[0].plies == 144


def test_a_rule_that_breaks_its_promise_is_reported_with_its_state():
    def half(s):
        yield 1, 0.5

    with pytest.raises(GameError, match=r"add up to 0\.5"):
        roll_out(toss(chances=half), [Toss(0)], games=36, device="gpu")

    def too_many(s):
        for move in range(5):
            yield move

    with pytest.raises(GameError, match=r"Toss\(thrown="):
        roll_out(toss().with_(moves=too_many), [Toss(0)], games=36, device="gpu")
