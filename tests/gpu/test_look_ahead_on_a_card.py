"""Look-ahead self-play on a card: the positions and values of the processor's games."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from zerosum.cli import main
from zerosum.errors import LimitError
from zerosum.game import Game
from zerosum.games import load
from zerosum.jit.gpu.card import Card, SimulatedCard
from zerosum.jit.target import CPU, GPU, PLAIN, Target
from zerosum.learn.lookahead_games import LookaheadGames
from zerosum.learn.lookahead_training import LookaheadTraining
from zerosum.learn.training import TdOptions

sys.path.insert(0, str(Path(__file__).parents[1] / "learn"))

from walks import walk

pytestmark = pytest.mark.usefixtures("card")

FOUR = load("connect-four", width=4, height=4, k=3)


def options(games: int, **others: object) -> TdOptions:
    chosen: dict[str, object] = {"hidden": 19, "rate": 0.05, "last_rate": 0.005, "seed": 4, "look_ahead": True}
    return TdOptions(games, **{**chosen, **others})  # type: ignore[arg-type]


@pytest.mark.parametrize("target", [PLAIN, CPU, GPU], ids=str)
@pytest.mark.parametrize(("explore", "trace"), [(0.0, 0.8), (0.3, 0.0), (0.3, 0.8)])
@pytest.mark.parametrize("game", [walk(), FOUR], ids=str)
def test_games_are_those_of_the_processor(game: Game, explore: float, trace: float, target: Target):
    training = LookaheadTraining(game, options(60, explore=explore, trace=trace), jit=False)
    expected = training._play(60, None)
    for room in (60, 9000):  # with little room, games wait for each other
        reported: list[int] = []
        waves = LookaheadGames(
            game, training.shape, target, seed=4, trace=trace, explore=explore, room=room, most=35, log_room=50
        )
        found = waves.crew.run(
            lambda report, waves=waves, reported=reported: waves.play(
                training.weights, 0, 60, lambda over, positions: reported.append(positions)
            )
        )
        features, values, nets = training._learned(*found)
        assert np.array_equal(features, expected[0]) and np.array_equal(nets, expected[2])
        assert values == pytest.approx(expected[1], abs=1e-5)
        assert max(reported) > 50  # the log had to grow


@pytest.fixture
def fits(card: Card) -> None:
    """Fits on a real card need CuPy."""
    if not isinstance(card, SimulatedCard):
        pytest.importorskip("cupy")


@pytest.mark.usefixtures("fits")
def test_a_run_on_a_card_is_the_run_of_the_processor():
    processor, card = (
        LookaheadTraining(walk(), options(60, hidden=3, round_games=20), gpu=gpu, jit=True) for gpu in (False, True)
    )
    seen: list[int] = []
    for training in (processor, card):
        training.advance(40, lambda progress: seen.append(progress.games))
    assert card.positions == processor.positions and card.games == 40 and max(seen) <= 40
    assert card.weights == pytest.approx(processor.weights, abs=1e-4)
    again = LookaheadTraining.resume(walk(), card.network(), gpu=True)
    again.advance(20)
    assert again.games == 60


def test_what_a_card_cannot_do_is_refused(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(LimitError, match="only machine code"):
        LookaheadTraining(walk(), options(20), gpu=True, jit=False)
    assert main(["train", "connect-four", "--gpu"]) == 2
    assert "a GPU can be used only with --look-ahead" in capsys.readouterr().err


@pytest.mark.usefixtures("fits")
def test_the_command_line(tmp_path: Path):
    out = tmp_path / "four.npz"
    words = ["--look-ahead", "--gpu", "--games", "40", "--round-games", "20", "--hidden", "4", "--matches", "0"]
    small = [word for size in ("width=4", "height=4", "k=3") for word in ("--set", size)]
    assert main(["train", "connect-four", *words, *small, "--out", str(out)]) == 0
    assert out.exists()
