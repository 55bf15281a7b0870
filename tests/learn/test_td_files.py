"""Network files are read back as written, or refused with a reason; never half read."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from patience import KILL
from samples import THOROUGH
from walks import walk

import zerosum as zs
from zerosum.cli import main
from zerosum.errors import WeightsError
from zerosum.learn.files import is_network, with_weights_from
from zerosum.learn.td_training import TdTraining
from zerosum.networks.network import Network

HERE = Path(__file__).parent


def header_changed(path: Path, changes: dict[str, Any]) -> None:
    """Rewrite the file with these changes to its header; None removes an entry."""
    with np.load(path) as parts:
        header, weights = json.loads(parts["header"].tobytes()), parts["network"]
    content = io.BytesIO()
    text = json.dumps({key: value for key, value in {**header, **changes}.items() if value is not None}).encode()
    np.savez(content, header=np.frombuffer(text, np.uint8), network=weights)
    path.write_bytes(content.getvalue())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "walk.npz"
    Network.fresh(walk(), 3, seed=5).write(path)
    return path


def test_what_was_written_is_read(file: Path):
    found, made = Network.read(file, walk()), Network.fresh(walk(), 3, seed=5)
    assert np.array_equal(found.weights, made.weights) and found.shape == made.shape
    assert is_network(file)
    assert with_weights_from(walk(), file).has("evaluate")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"zerosum network": 2}, "has version 2 of the format 'zerosum network'; this program reads version 1"),
        ({"zerosum network": "1"}, "has version '1'"),
        ({"game": "backgammon"}, "of 'backgammon', not of walk"),
        ({"features": "0"}, "different features than walk has now"),
        ({"hidden": 4}, "damaged"),
        ({"hidden": None}, "header is damaged"),
        ({"curve": 3}, "header is damaged"),
    ],
)
def test_other_games_and_versions_are_refused(file: Path, changes: dict[str, Any], reason: str):
    header_changed(file, changes)
    with pytest.raises(WeightsError, match=reason) as caught:
        Network.read(file, walk())
    assert str(file) in str(caught.value) and "\n" not in str(caught.value)


def test_a_file_from_before_formats_had_names_is_read(file: Path):
    header_changed(file, {"zerosum network": None, "format": 1})
    assert Network.read(file, walk()).shape.hidden == 3
    header_changed(file, {"format": None})
    with pytest.raises(WeightsError, match="is not a file of the format 'zerosum network'"):
        Network.read(file, walk())


def test_damage_is_noticed(file: Path):
    content = file.read_bytes()
    for cut in (0, 10, len(content) // 2, len(content) - 1):
        file.write_bytes(content[:cut])
        with pytest.raises(WeightsError):
            Network.read(file, walk())
    for place in range(200, len(content), 97):
        flipped = bytearray(content)
        flipped[place] ^= 0x10
        file.write_bytes(bytes(flipped))
        try:
            found = Network.read(file, walk())
        except WeightsError:
            continue
        assert np.array_equal(found.weights, Network.fresh(walk(), 3, seed=5).weights)  # padding of the container
    with pytest.raises(WeightsError, match="cannot read"):
        Network.read(file.parent / "none.npz", walk())


def test_numbers_that_are_none(file: Path):
    network = Network.read(file, walk())
    network.weights[0, 0] = np.nan
    network.write(file)
    with pytest.raises(WeightsError, match="infinities or NaN"):
        Network.read(file, walk())


def test_a_network_that_was_only_read_cannot_be_resumed(file: Path):
    with pytest.raises(WeightsError, match="cannot be resumed"):
        TdTraining.resume(walk(), Network.read(file, walk()), jit=False)


WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from walks import walk
from zerosum.learn.td_training import TdOptions, TdTraining
training = TdTraining(walk(), TdOptions(games=10**6, hidden=500, seed=1), jit=False)
while True:
    training.games += 1
    training.save(Path(sys.argv[1]))
    print(training.games, flush=True)
"""


def test_a_run_killed_while_it_writes_loses_nothing(tmp_path: Path):
    path = tmp_path / "walk.npz"
    last = 0
    for wait in (0.0, 0.003, 0.007) if THOROUGH else (0.0, 0.005):
        command = [sys.executable, "-c", WRITER, str(path), str(HERE)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            for _ in range(5):
                last = int(writer.stdout.readline())
            time.sleep(wait)
            os.kill(writer.pid, KILL)
            rest = writer.stdout.read().split("\n")[:-1]  # the last line may be half a number
        written = int(rest[-1]) if rest else last
        assert Network.read(path, walk()).progress["games"] >= written
        assert TdTraining.resume(walk(), Network.read(path, walk()), jit=False).games >= written


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


@pytest.mark.usefixtures("plain")
def test_the_command_learns_resumes_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    learn_resume_and_draw(tmp_path, capsys)


@pytest.mark.slow
def test_the_command_learns_resumes_and_draws_with_machine_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    learn_resume_and_draw(tmp_path, capsys)


def learn_resume_and_draw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, plot = tmp_path / "walk.npz", tmp_path / "curve.svg"
    arguments = ["train", str(HERE / "walks.py"), "--threads", "1", "--out", str(out)]
    more = ["--games", "300", "--hidden", "3", "--matches", "20", "--opponent", "random", "--plot", str(plot)]
    assert main([*arguments, *more]) == 0
    printed = capsys.readouterr().out
    assert "5 features, 3 hidden units" in printed and "300 games" in printed and "points a game" in printed
    assert plot.read_text().startswith("<svg")
    game = zs.load(str(HERE / "walks.py"))
    network = Network.read(out, game)
    assert network.made["games"] == 300 and network.made["command"].startswith("zerosum") and len(network.curve) == 3
    assert main([*arguments, "--games", "300"]) == 2
    assert "--resume" in capsys.readouterr().err
    assert main([*arguments, "--resume"]) == 0
    assert "continuing after 300 of 300" in (output := capsys.readouterr().out) and "this run is finished" in output


@pytest.mark.usefixtures("plain")
def test_the_command_looks_ahead(tmp_path: Path):
    out = tmp_path / "walk.npz"
    words = ["--look-ahead", "--lambda", "0.8", "--round-games", "20", "--window", "100", "--batch", "8"]
    more = ["--hidden", "3", "--games", "60", "--matches", "0"]
    assert main(["train", str(HERE / "walks.py"), "--out", str(out), *words, *more]) == 0
    options = Network.read(out, zs.load(str(HERE / "walks.py"))).made["options"]
    asked = {"look_ahead": True, "trace": 0.8, "round_games": 20, "window": 100, "batch": 8, "games": 60}
    assert {name: options[name] for name in asked} == asked


def test_a_run_that_is_interrupted_goes_on_as_if_nothing_had_happened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, plain: None
):
    monkeypatch.setattr(TdTraining, "step", 20)
    advance, asked = TdTraining.advance, []

    def interrupted(self: TdTraining, games: int, on_progress: Any = None) -> None:
        asked.append(games)
        if len(asked) == 4:
            advance(self, 10)  # in the middle of a slice
            raise KeyboardInterrupt
        advance(self, games, on_progress)

    words = ["train", str(HERE / "walks.py"), "--games", "120", "--hidden", "3", "--matches", "0", "--threads", "1"]
    assert main([*words, "--out", str(tmp_path / "whole.npz")]) == 0
    monkeypatch.setattr(TdTraining, "advance", interrupted)
    out = str(tmp_path / "parts.npz")
    assert main([*words, "--out", out]) == 130
    error = capsys.readouterr().err.splitlines()[-1]
    assert error == f"zerosum: stopped after 60 games, saved in {out!r}; --out {out} --resume continues"
    assert main(["train", str(HERE / "walks.py"), "--out", out, "--resume", "--matches", "0", "--threads", "1"]) == 0
    game = zs.load(str(HERE / "walks.py"))
    whole, parts = (Network.read(tmp_path / name, game).weights for name in ("whole.npz", "parts.npz"))
    assert np.array_equal(whole, parts) and whole.any()
    asked.clear()
    assert main([*words]) == 130
    assert "nothing is kept without --out FILE" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["tictactoe", "--method", "td"], "features"),
        (["tictactoe", "--method", "guess"], "'guess' is neither td nor tune"),
        (["connect-four", "--games", "none"], "'none' is not a whole number"),
        (["connect-four", "--rate", "fast"], "'fast' is not a number"),
        (["connect-four", "--resume"], "--resume needs --out FILE: the network to continue"),
        (["connect-four", "--weights", "nothing.npz"], "cannot read 'nothing.npz'"),
        (["connect-four", "--rate", "-1"], "--rate '-1' is not a rate"),
        (["connect-four", "--out", "x.npz", "--resume", "--hidden", "3"], "options of the run: leave out --hidden"),
        (["connect-four", "--out", "x.npz", "--resume", "--weights", "y"], "options of the run: leave out --weights"),
        (["connect-four", "--window", "5"], "--window needs --look-ahead"),
        (["connect-four", "--gpu"], "a GPU can be used only with --look-ahead"),
        (["connect-four", "--look-ahead", "--window", "1" + "0" * 18], "1,000,000,000,000,000,000 positions does not"),
        (["connect-four", "--look-ahead", "--batch", "0"], "--batch '0' is less than 1"),
    ],
)
def test_bad_requests_are_one_line(words: list[str], reason: str, capsys: pytest.CaptureFixture[str]):
    assert main(["train", *words]) == 2
    error = capsys.readouterr().err
    assert reason in error and error.count("\n") == 1
