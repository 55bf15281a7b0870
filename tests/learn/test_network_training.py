"""``zerosum train --network`` and ``--patterns``: from a game to weights that engines use, without losing any work."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zerosum as zs
from zerosum.cli import main
from zerosum.learn.blas import _functions, one_thread_each
from zerosum.learn.files import with_weights_from
from zerosum.learn.network_training import NetworkRun
from zerosum.learn.pattern_descent import PatternDescent
from zerosum.learn.plans import NetworkPlan
from zerosum.learn.positions_file import PositionsFile
from zerosum.learn.sparse_descent import SparseDescent
from zerosum.networks.patterns import PatternShape
from zerosum.networks.sparse import shape_of
from zerosum.networks.sparse_file import SparseNetwork

FOUR = zs.load("connect-four", width=5, height=4)
SMALL_GAME = ("connect-four", "--set", "width=5", "--set", "height=4")


def train(*options: str) -> int:
    return main(["train", *SMALL_GAME, *options])


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Positions gathered once for all tests."""
    folder = tmp_path_factory.mktemp("positions")
    options = ("--network", "16", "--positions", "1500", "--depth", "2", "--epochs", "2", "--seed", "3")
    assert train(*options, "--random-plies", "3", "--out", str(folder / "first.npz")) == 0
    return folder / "first.zsp"


def test_one_command_gathers_fits_and_writes(data: Path):
    network = SparseNetwork.read(data.with_suffix(".npz"), FOUR)
    assert network.shape.hidden == 16 and network.made["positions"] >= 1500
    assert network.made["command"].startswith("zerosum") and network.made["version"] == zs.__version__
    assert network.made["data"][0]["depth"] == 2 and network.made["data"][0]["seeds"] == [3]
    assert len(network.made["curve"]) == 3 and network.made["in whole numbers"]["positions"] > 0
    assert sorted(path.name for path in data.parent.iterdir()) == ["first.npz", "first.zsp"]


def test_weights_may_be_such_a_network(data: Path):
    trained = with_weights_from(FOUR, data.with_suffix(".npz"))
    assert shape_of(trained) is not None
    assert isinstance(trained.evaluate(trained.initial()), int)


def test_what_is_there_is_not_gathered_again(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(NetworkRun, "gather", None)
    there = PositionsFile(data, FOUR).positions
    out, plot = tmp_path / "net.npz", tmp_path / "error.svg"
    options = ("--data", str(data), "--positions", "900", "--epochs", "1", "--plot", str(plot))
    assert train("--network", "32", *options, "--out", str(out)) == 0
    output = capsys.readouterr().out
    assert f"{there:,} positions, batches of 64" in output and "epoch   1: error 0." in output
    assert "in integers: held-out error" in output and f"written to {out}" in output
    assert "held out" in plot.read_text()


def broken_off_before(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Press Ctrl-C between two steps."""
    whole_step = SparseDescent.step

    def interrupted(descent: SparseDescent, *arguments: Any) -> Any:
        if descent.steps + 1 == step:
            raise KeyboardInterrupt
        return whole_step(descent, *arguments)

    monkeypatch.setattr(SparseDescent, "step", interrupted)


def test_ctrl_c_keeps_everything_and_resume_ends_as_if_nothing_had_happened(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    command = ("--network", "16", "--data", str(data), "--epochs", "2", "--seed", "4", "--out")
    whole, resumed = tmp_path / "whole.npz", tmp_path / "resumed.npz"
    assert train(*command, str(whole)) == 0
    with monkeypatch.context() as patch:
        broken_off_before(30, patch)
        assert train(*command, str(resumed)) == 130
    assert "stopped in epoch 2, saved in " in capsys.readouterr().err
    assert not resumed.exists()
    assert train(*command, str(resumed)) == 2
    assert "belongs to an unfinished fit: add --resume to continue it" in capsys.readouterr().err
    assert train(*command, str(resumed), "--epochs", "3", "--resume") == 2
    assert "with epochs = 2, not 3" in capsys.readouterr().err
    assert train(*command, str(resumed), "--resume") == 0
    assert "continuing in epoch 2 of 2" in capsys.readouterr().out
    one, other = (SparseNetwork.read(path, FOUR) for path in (whole, resumed))
    assert np.array_equal(one.numbers, other.numbers) and one.made["curve"] == other.made["curve"]
    assert [path.name for path in tmp_path.glob("*.part")] == []
    assert train(*command, str(resumed), "--resume") == 0
    assert "this run is finished" in capsys.readouterr().out


def test_a_fit_can_begin_with_a_network(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    begun = str(data.with_suffix(".npz"))
    options = ("--data", str(data), "--seed", "3", "--epochs", "1", "--rate", "0.0001", "--weights", begun)
    assert train("--network", "16", *options, "--out", str(tmp_path / "next.npz")) == 0
    assert "16 hidden units, from --weights" in capsys.readouterr().out
    first, following = (
        SparseNetwork.read(path, FOUR).made["curve"] for path in (data.with_suffix(".npz"), tmp_path / "next.npz")
    )
    assert following[0][1] == pytest.approx(min(point[1] for point in first), rel=0.2)
    assert train("--network", "32", *options, "--out", str(tmp_path / "other.npz")) == 0
    assert "32 hidden units;" in capsys.readouterr().out  # another shape: it serves only as the teacher


def test_patterns_are_fitted_to_the_same_positions(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    command = ("--patterns", "--data", str(data), "--epochs", "4", "--seed", "4", "--out")
    whole, resumed = tmp_path / "whole.npz", tmp_path / "resumed.npz"
    assert train(*command, str(whole)) == 0
    output = capsys.readouterr().out
    assert "12 patterns in 19 places, 4 phases, 247,536 weights; scale" in output and "all in each step" in output
    trained = with_weights_from(FOUR, whole)
    assert isinstance(shape_of(trained), PatternShape) and isinstance(trained.evaluate(trained.initial()), int)
    with monkeypatch.context() as patch:
        whole_step, steps = PatternDescent.step, []

        def interrupted(descent: PatternDescent, *arguments: Any) -> Any:
            steps.append(1)
            if len(steps) == 3:
                raise KeyboardInterrupt
            return whole_step(descent, *arguments)

        patch.setattr(PatternDescent, "step", interrupted)
        assert train(*command, str(resumed)) == 130
    assert "stopped in epoch 3, saved in " in capsys.readouterr().err
    assert train(*command, str(resumed), "--resume", "--prior", "3") == 2
    assert "with prior = 10.0, not 3.0" in capsys.readouterr().err
    assert main(["train", *SMALL_GAME, "--network", "16", "--data", str(data), "--resume", "--out", str(resumed)]) == 2
    assert "belongs to a fit with epochs = 4, not 10" in capsys.readouterr().err
    assert train(*command, str(resumed), "--resume") == 0
    one, other = (SparseNetwork.read(path, FOUR) for path in (whole, resumed))
    assert np.array_equal(one.numbers, other.numbers) and one.made["curve"] == other.made["curve"]
    assert train(*command, str(tmp_path / "next.npz"), "--weights", str(whole)) == 0
    assert "247,536 weights, from --weights" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["connect-four", "--network", "20", "--out", "x.npz"], "16, 32, 48 … up to 2048 hidden units, not 20"),
        (["nim", "--network", "16", "--out", "x.npz"], "--network needs active(s, player), which nim does not define"),
        (["connect-four", "--network", "16"], "--network needs --out FILE"),
        (["connect-four", "--network", "16", "--out", "x.npz", "--data", "none.zsp"], "'none.zsp' does not exist"),
        (["connect-four", "--network", "16", "--out", "x.npz", "--games", "9"], "--games cannot be used with --net"),
        (["connect-four", "--network", "16", "--out", "x.npz", "--method", "td"], "leave --method td out"),
        (["connect-four", "--network", "16", "--out", "x.npz", "--power", "9"], "at most 4, not 9.0"),
        (["connect-four", "--epochs", "3"], "--epochs needs --network N or --patterns"),
        (["kalah", "--patterns", "--out", "x.npz"], "--patterns needs patterns, which kalah does not define"),
        (["nim", "--patterns", "--out", "x.npz"], "--patterns needs active(s, player), which nim does not define"),
        (["connect-four", "--patterns"], "--patterns needs --out FILE"),
        (["connect-four", "--patterns", "--network", "16", "--out", "x.npz"], "leave --network 16 out"),
        (["connect-four", "--patterns", "--out", "x.npz", "--rate", "0.1"], "--rate cannot be used with --patterns"),
        (["connect-four", "--patterns", "--out", "x.npz", "--prior", "-1"], "greater than 0, not -1.0"),
        (["connect-four", "--network", "16", "--out", "x.npz", "--prior", "5"], "--prior cannot be used with --net"),
    ],
)
def test_what_cannot_be_is_said_in_a_line(
    options: list[str],
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    assert main(["train", *options]) == 2
    output = capsys.readouterr().err
    assert reason in output and output.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_positions_of_another_game_are_refused(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    options = ("--network", "16", "--data", str(data), "--out", str(tmp_path / "net.npz"))
    assert main(["train", "othello", *options]) == 2
    assert "holds positions of 'connect-four', not of othello" in capsys.readouterr().err


def test_a_damaged_checkpoint_is_refused(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "net.npz"
    command = ("--network", "16", "--data", str(data), "--out", str(out), "--resume")
    for content, reason in [
        (b"PK nothing", "is not the checkpoint of a fit, or it is damaged"),
        (archive(header={"zerosum fit": 2}), "has version 2 of the format 'zerosum fit'"),
        (archive(header={"zerosum fit": 1, "game": "chess"}), "belongs to a fit for 'chess', not for connect-four"),
        (
            archive(header={"zerosum fit": 1, "game": "connect-four"}),
            "is not the checkpoint of a fit, or it is damaged",
        ),
    ]:
        Path(f"{out}.part").write_bytes(content)
        assert train(*command) == 2
        output = capsys.readouterr().err
        assert reason in output and output.count("\n") == 1


def archive(header: dict[str, Any]) -> bytes:
    content = io.BytesIO()
    np.savez(content, header=np.frombuffer(json.dumps(header).encode(), np.uint8))
    return content.getvalue()


@pytest.mark.slow
def test_a_match_tells_whether_the_network_is_better(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = str(tmp_path / "net.npz")
    assert train("--network", "16", "--data", str(data), "--epochs", "1", "--out", out, "--match", "2") == 0
    assert "SPRT 0 against 10" in capsys.readouterr().out


def test_the_file_of_positions_is_beside_the_network_unless_it_is_named(tmp_path: Path):
    asked = {"network": 16, "out": str(tmp_path / "net.npz")}
    assert NetworkPlan.of(FOUR, asked).data_file == tmp_path / "net.zsp"
    assert NetworkPlan.of(FOUR, {**asked, "data": "my.zsp", "positions": 5}).data_file == Path("my.zsp")
    assert not NetworkPlan.of(FOUR, asked).playing.quiet and NetworkPlan.of(zs.load("chess"), asked).playing.quiet
    assert NetworkPlan.of(FOUR, asked).wanted(0) == 1_000_000 and NetworkPlan.of(FOUR, asked).wanted(7) == 7


@pytest.mark.skipif(sys.platform == "darwin" or _functions() is None, reason="this NumPy does not come with OpenBLAS")
def test_matrix_products_use_one_thread_only_as_long_as_asked():
    ask, _ = _functions()  # type: ignore[misc]
    before = ask()
    with one_thread_each():
        assert ask() == 1
    assert ask() == before
