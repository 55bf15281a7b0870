"""Tuning finds the true weights behind results, and leaves weights without evidence alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import zerosum as zs
from zerosum.cli import main
from zerosum.errors import LimitError, MissingRule, WeightsError
from zerosum.learn.files import read_weights, with_weights_from, write_weights
from zerosum.learn.samples import Samples, distinct, from_lines
from zerosum.learn.tuning import best_scale, error, expected, tune

NAMES = ("first", "second", "third")


class Hand(NamedTuple):
    first: int
    second: int
    third: int
    turn: int


class Weights(NamedTuple):
    worth: np.ndarray


def initial():
    return Hand(0, 0, 0, 0)


def to_move(s):
    return s.turn


def moves(s):
    yield 0


def play(s, move):
    return Hand(s.first, s.second, s.third, 1 - s.turn)


def utility(s):
    return 0


def evaluate(s, t):
    return s.first * t.worth[0] + s.second * t.worth[1] + s.third * t.worth[2]


def weights_of(t):
    return {name: float(number) for name, number in zip(NAMES, t.worth, strict=True)}


def with_weights(numbers, t):
    return Weights(np.array([round(numbers[name]) for name in NAMES]))


def hands(worth: tuple[int, int, int] = (50, 50, 50)) -> zs.Game:
    return zs.Game(
        "hands",
        Hand,
        initial,
        to_move,
        moves,
        play,
        utility,
        1,
        evaluate=evaluate,
        tables=Weights(np.array(worth)),
        weights_of=weights_of,
        with_weights=with_weights,
    )


def samples_of(worth: tuple[int, int, int], count: int = 20_000, seed: int = 1) -> Samples:
    """Hands whose results follow the logistic law with these true weights."""
    chance = np.random.default_rng(seed)
    cards = chance.integers(-3, 4, (count, 3))
    likely = expected(cards @ np.array(worth), 0.01)
    results = (chance.random(count) < likely).astype(float)
    states = np.concatenate([cards, np.zeros((count, 1), int)], axis=1).astype(np.int64)
    return Samples(states, results, count)


def test_true_weights_are_found():
    true = (100, 20, -40)
    # The initial weights are right on average, so the scale is the true one.
    tuned = tune(hands((80, 40, 10)), samples_of(true))
    found = np.array([tuned.after[name] for name in NAMES])
    ratio = found / found[0]
    assert ratio == pytest.approx(np.array(true) / true[0], abs=0.06)
    assert tuned.error_after < tuned.error_before
    assert tuned.moved == 3


def test_weights_without_evidence_stay():
    samples = samples_of((100, 20, 0))
    samples.states[:, 2] = 0  # the third card never appears
    assert tune(hands((100, 50, 77)), samples).after["third"] == 77


def test_only_named_weights_move():
    tuned = tune(hands((80, 80, 80)), samples_of((100, 20, -40)), names=["second"])
    assert tuned.after["first"] == tuned.after["third"] == 80
    assert tuned.after["second"] < 80


def test_equal_seeds_give_equal_weights():
    one, other = (tune(hands(), samples_of((9, 5, 1)), seed=3) for _ in range(2))
    assert one == other


def test_noise_is_not_learned():
    """If results are random, held-out games keep the weights at or near their initial values."""
    samples = samples_of((0, 0, 0), 4000)
    tuned = tune(hands((10, -10, 5)), samples)
    assert len(tuned.curve) <= 4
    assert tuned.error_after == pytest.approx(0.25, abs=0.01)


def test_the_best_scale_has_the_least_error():
    values = np.array([-300.0, -100, 0, 50, 400])
    results = expected(values, 0.004)
    scale = best_scale(values, results)
    assert scale == pytest.approx(0.004, rel=1e-3)
    assert error(values, results, scale) <= min(error(values, results, scale * f) for f in (0.9, 1.1))


def test_bad_requests():
    with pytest.raises(MissingRule, match="weights_of"):
        tune(zs.load("tictactoe"), samples_of((1, 1, 1)))
    with pytest.raises(LimitError, match="'fourth'"):
        tune(hands(), samples_of((1, 1, 1)), names=["fourth"])
    with pytest.raises(LimitError, match="no quiet position in 3 games"):
        distinct(np.zeros((0, 4), np.int64), np.zeros(0), 3)


def test_equal_positions_count_once_with_the_mean_of_their_results():
    states = np.array([[1, 2], [3, 4], [1, 2]], np.int64)
    found = distinct(states, np.array([1.0, 0.0, 0.5]), 2, np.array([10, 20, 30]))
    assert found.states.tolist() == [[1, 2], [3, 4]]
    assert found.results.tolist() == [0.75, 0.0]
    assert found.values is not None and found.values.tolist() == [20.0, 20.0]


def test_lines_give_their_quiet_positions():
    game = zs.load("chess")
    line = zs.Line(game)
    for text in ("e4", "d5", "exd5", "Qxd5", "Nc3", "Qa5", "d4", "c6"):
        line = line.play(game.parse_move(line.state, text))
    found = from_lines(game, [(line, 0.5)], skip=2)
    # Six positions from ply 2 on; in two of them the move played was a capture.
    assert len(found) == 4 and set(found.results) == {0.5}


CHECKERS_GAMES = """[Event "White wins"]
[Result "1-0"]

1. 9-13 22-18 2. 12-16 18-14 3. 10x17 21x14 4. 16-20 24-19 5. 6-10 25-21 1-0

[Event "Black wins"]
[Result "0-1"]

1. 11-15 22-18 2. 15x22 25x18 3. 8-11 29-25 4. 4-8 25-22 5. 12-16 24-20 0-1

[Event "unfinished"]

1. 11-15 *
"""


def test_games_of_checkers_from_a_file_count_for_black(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Black, who begins, is MAX, and 1-0 is White's win."""
    file = tmp_path / "games.pdn"
    file.write_text(CHECKERS_GAMES)
    learned: list[Samples] = []

    def tune_nothing(game: zs.Game, samples: Samples, **settings: Any) -> Any:
        learned.append(samples)
        raise LimitError("seen enough")

    monkeypatch.setattr("zerosum.learn.plans.tune", tune_nothing)
    assert main(["train", "checkers", "--set", "network=0", "--from", str(file)]) == 2
    assert "seen enough" in capsys.readouterr().err
    (samples,) = learned
    assert samples.games == 2 and samples.results.tolist() == [0, 0, 1, 1]
    ninth = zs.Line.parse(zs.load("checkers"), "9-13 22-18 12-16 18-14 10x17 21x14 16-20 24-19").state
    assert samples.states[0].tolist() == zs.load("checkers").state_type.words(ninth)


@pytest.mark.parametrize(
    ("keep", "said"),
    [
        (["zebra"], "--keep 'zebra': no weight name of checkers contains this"),
        (["many", "few"], "--keep 'few' leaves no weight of checkers to tune"),
    ],
)
def test_weights_to_keep_that_make_no_sense(keep: list[str], said: str, capsys: Any, monkeypatch: Any) -> None:
    """The error comes before any game is played."""
    monkeypatch.setattr("zerosum.learn.plans.from_self_play", lambda *_, **__: pytest.fail("games were played"))
    assert main(["train", "checkers", "--set", "network=0", *(word for text in keep for word in ("--keep", text))]) == 2
    assert said in capsys.readouterr().err


def test_weights_to_keep_stay_where_they_are(monkeypatch: Any) -> None:
    chosen: list[list[str]] = []

    def tune_nothing(*_: Any, names: list[str], **__: Any) -> None:
        chosen.append(names)
        raise zs.ZerosumError("seen enough")

    monkeypatch.setattr("zerosum.learn.plans.from_self_play", lambda *_, **__: None)
    monkeypatch.setattr("zerosum.learn.plans.tune", tune_nothing)
    assert main(["train", "checkers", "--set", "network=0", "--keep", "few pieces", "--keep", "man (many"]) == 2
    (names,) = chosen
    assert "king (many pieces)" in names and "man (many pieces)" not in names
    assert not any("few" in name for name in names)


@pytest.mark.parametrize(
    ("game", "file", "said"),
    [
        ("othello --set patterns=0", "games.pdn", "has no format '.pdn'; use .ggf, .transcript, .jsonl or .txt"),
        ("checkers --set network=0", "games.pgn", "checkers has no format '.pgn'"),
        ("chess --set network=0", "games.pdn", "chess has no format '.pdn'"),
        ("chess", "games.pgn", "chess is evaluated by a network: use --network 256 to train a new one"),
        ("checkers --set network=0", "games.pdn", "'games.pdn' cannot be read"),
    ],
)
def test_files_of_other_games_are_refused(game: str, file: str, said: str, capsys: Any) -> None:
    assert main(["train", *game.split(), "--from", file]) == 2
    assert said in capsys.readouterr().err


def test_a_file_keeps_weights_and_where_they_come_from(tmp_path: Path):
    game, path = hands(), tmp_path / "w.json"
    write_weights(path, game, {"first": 7.0, "second": -3.0}, {"command": "zerosum train hands"})
    assert read_weights(path, game) == {"first": 7.0, "second": -3.0}
    assert json.loads(path.read_text())["made"]["command"] == "zerosum train hands"
    assert with_weights_from(game, path).weights_of() == {"first": 7, "second": -3, "third": 50}
    assert [p.name for p in tmp_path.iterdir()] == ["w.json"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("nonsense", "is not a weights file"),
        ("[]", "is not a file of the format 'zerosum weights'"),
        ('{"zerosum network": 1}', "is not a file of the format 'zerosum weights'"),
        ('{"zerosum weights": 2}', "has version 2 of the format 'zerosum weights'; this program reads version 1"),
        ('{"format": 2, "game": "hands", "weights": {}}', "has version 2"),
        ('{"zerosum weights": 1, "game": "hands"}', "has no object 'weights'"),
        ('{"format": 1, "game": "chess", "weights": {}}', "holds weights of 'chess', not of hands"),
        ('{"format": 1, "game": "hands", "weights": {"fifth": 1}}', "no weight 'fifth'"),
        ('{"format": 1, "game": "hands", "weights": {"first": "x"}}', "'x', not a number"),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, content: str, said: str):
    path = tmp_path / "w.json"
    path.write_text(content)
    with pytest.raises(WeightsError, match=said):
        read_weights(path, hands())


@pytest.mark.slow
def test_the_command_trains_writes_and_draws(tmp_path: Path, capsys: Any):
    out, plot = tmp_path / "o.json", tmp_path / "o.svg"
    arguments = ["train", "othello", "--set", "patterns=0", "--games", "30", "--depth", "2"]
    arguments += ["--rounds", "2", "--seed", "1"]
    assert main([*arguments, "--out", str(out), "--plot", str(plot), "--match", "2"]) == 0
    output = capsys.readouterr().out
    assert "30 games" in output and "held-out error" in output
    # Two players with an engine each, one game from either side.
    assert "game 2:" in output and "new: Elo" in output
    assert main([*arguments, "--match", "2"]) == 2
    assert "--match needs --out" in capsys.readouterr().err
    assert set(json.loads(out.read_text())["weights"]) == set(zs.load("othello", patterns=0).weights_of())
    assert plot.read_text().startswith("<svg")
    assert main(["train", "othello", "--set", "patterns=0", "--weights", str(plot)]) == 2
    assert main(["train", "tictactoe"]) == 2
    assert main(["train", "othello", "--set", "patterns=0", "--from", "nowhere.pgn"]) == 2
