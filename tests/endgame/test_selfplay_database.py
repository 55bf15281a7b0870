"""Self-play with a database: games end where the database begins, with its result, and tuning learns from that."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from zerosum.cli import main
from zerosum.endgame.build import build
from zerosum.endgame.database import Database
from zerosum.endgame.serving import load_shared
from zerosum.errors import LimitError
from zerosum.game import WIN, Game
from zerosum.games import load
from zerosum.learn.gathering import Playing, gather
from zerosum.learn.samples import from_self_play
from zerosum.learn.tuning import expected, tune
from zerosum.search.result import LONGEST_WIN
from zerosum.search.selfplay import SelfPlay, SelfPlayed, self_play

GAMES = 40
KNOWN = 5
"""Positions with at most this many of the twelve seeds in pits are in the database."""


class Worth(NamedTuple):
    seed: np.ndarray


def who_wins() -> Game:
    """A small kalah in which only the winner counts, with an evaluation that can be tuned."""
    game = load("kalah", pits=3, seeds=2)
    margin = game.given["utility"]
    return game.with_(
        scored=False,
        bounds=None,
        utility=lambda s: 1 if margin(s) > 0 else -1 if margin(s) < 0 else 0,
        tables=Worth(np.array([20])),
        evaluate=lambda s, t: t.seed[0] * margin(s),
        is_forced=lambda s: s.south & 3 == 1,
        weights_of=lambda t: {"seed": int(t.seed[0])},
        with_weights=lambda numbers, t: Worth(np.array([round(numbers["seed"])])),
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("databases")


@pytest.fixture(scope="module")
def endings(folder: Path) -> Database:
    return build(who_wins(), KNOWN, folder / "who-wins", jit=False, threads=1)


def states_of(game: Game, played: SelfPlayed) -> list[Any]:
    return [game.state_type.from_words(row.tolist()) for row in played.states]


def check_ends(game: Game, database: Database, games: list[SelfPlayed]) -> int:
    """Check that no searched position is in the database, and that each game's last move led into it, with its result,
    or to the end of the game. Returns the number of games that the database ended."""
    ended = 0
    for played in games:
        states = states_of(game, played)
        assert not any(s in database for s in states)
        if states:
            after = [game.play(states[-1], move) for move in game.legal_moves(states[-1])]
            known = {database.probe(s).outcome for s in after if s in database and not game.is_over(s)}
            over = {game.utility(s) for s in after if game.is_over(s)}
            assert played.result in known | over
            ended += bool(known) and not over
    return ended


def test_games_end_where_the_database_begins_with_its_result(endings: Database) -> None:
    game = endings.game
    directory = load_shared(endings, False)
    games = list(self_play(game, GAMES, depth=2, random_plies=3, hash_mb=0.5, database=directory, jit=False))
    assert check_ends(game, endings, games) > GAMES // 4
    assert {played.result for played in games} == {1, 0, -1}
    foreseen = 0
    for played in games:
        for value in played.values.tolist():
            if abs(value) > WIN - LONGEST_WIN:
                foreseen += 1
                assert played.result == (1 if value > 0 else -1)
    assert foreseen > GAMES // 4


def test_a_game_of_random_moves_ends_as_soon_as_the_database_knows(endings: Database) -> None:
    """Nothing is searched in such games. By chance alone, MAX, who begins, does not always win."""
    directory = load_shared(endings, False)
    games = list(self_play(endings.game, GAMES, depth=1, random_plies=400, database=directory, jit=False))
    assert len(games) == GAMES and not any(len(played.states) for played in games)
    assert {played.result for played in games} == {1, 0, -1}


def test_where_margins_count_a_database_tells_who_wins(folder: Path) -> None:
    game = load("kalah", pits=3, seeds=2)
    database = build(game, KNOWN, folder / "kalah", jit=False, threads=1)
    directory = load_shared(database, False)
    games = list(self_play(game, 20, depth=2, random_plies=3, hash_mb=0.5, database=directory, jit=False))
    assert check_ends(game, database, games) > 3


def test_gathering_ends_games_by_the_database(endings: Database, tmp_path: Path) -> None:
    game, playing = endings.game, Playing(depth=2, random_plies=3, resign=0, balance=0)
    done = gather(game, tmp_path / "kalah.zsp", positions=60, playing=playing, database=endings, jit=False)
    directory = load_shared(endings, False)
    games = self_play(game, done.games, depth=2, random_plies=3, both_begin=True, database=directory, jit=False)
    assert done.positions == sum(int((played.flags == 0).sum()) for played in games)


def test_gathering_takes_no_database_where_margins_count(endings: Database, tmp_path: Path) -> None:
    with pytest.raises(LimitError, match="a database says only who wins, and kalah is played for points"):
        gather(load("kalah", pits=3, seeds=2), tmp_path / "kalah.zsp", positions=1, database=endings)


@pytest.mark.slow
def test_compiled_games_are_the_same(endings: Database) -> None:
    def games(jit: bool) -> list[tuple[Any, Any, int]]:
        found = self_play(
            endings.game, GAMES, depth=3, hash_mb=0.5, random_plies=3, seed=4,
            database=load_shared(endings, jit), jit=jit, threads=2 if jit else 1,
        )  # fmt: skip
        return [(played.states.tolist(), played.values.tolist(), played.result) for played in found]

    compiled = games(True)
    assert len(compiled) == GAMES and compiled == games(False)


@pytest.mark.slow
def test_positions_that_are_surely_won_are_learned_from(endings: Database) -> None:
    game = endings.game
    samples = from_self_play(game, GAMES, depth=3, random_plies=3, database=endings)
    assert samples.values is not None
    sure = np.abs(samples.values) > WIN - LONGEST_WIN
    assert sure.any() and not sure.all()
    assert (np.sign(samples.values[sure]) == 2 * samples.results[sure] - 1).all()
    assert not any(game.is_forced(game.state_type.from_words(row.tolist())) for row in samples.states[sure])
    # Such a value predicts the result, whatever the scale.
    for scale in (1e-5, 0.003, 10.0):
        assert expected(samples.values[sure], scale) == pytest.approx(samples.results[sure], abs=1e-3)


@pytest.mark.slow
def test_trust_is_a_share(endings: Database) -> None:
    samples = from_self_play(endings.game, 3, depth=1, random_plies=3, database=endings)
    with pytest.raises(LimitError, match=r"trust must be a share from 0 to 1, not 1\.5"):
        tune(endings.game, samples, trust=1.5)


def test_the_command_takes_a_database(
    endings: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("zerosum.cli.train.load_game", lambda name, settings: endings.game)
    # The tests above show that compiled games are the same.
    monkeypatch.setattr(
        "zerosum.learn.self_play_work.SelfPlay", lambda *a, **how: SelfPlay(*a, **{**how, "jit": False})
    )
    monkeypatch.setattr(
        "zerosum.endgame.serving.load_shared", lambda database, _, *more: load_shared(database, False, *more)
    )
    command = ["train", "kalah", "--games", "60", "--depth", "3", "--random-plies", "3", "--rounds", "2"]
    out = tmp_path / "w.json"
    assert main([*command, "--database", str(endings.directory), "--trust", "0.5", "--out", str(out)]) == 0
    assert "60 games" in capsys.readouterr().out
    samples = from_self_play(endings.game, 60, depth=3, random_plies=3, database=endings)
    made = json.loads(out.read_text())["made"]
    assert made["positions"] == len(samples)
    tuned = tune(endings.game, samples, rounds=2, trust=0.5)
    assert made["held-out error"]["before"] == round(tuned.error_before, 6)
    assert tuned.error_before != tune(endings.game, samples, rounds=2).error_before, "trust counts"
    assert main([*command, "--database", str(tmp_path)]) == 2
    assert "does not contain a finished endgame database" in capsys.readouterr().err


CHECKERS = ["checkers", "--set", "network=0"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["othello", "--trust", "1.5"], "--trust '1.5' is not a share from 0 to 1"),
        (["othello", "--trust", "half"], "--trust 'half' is not a number"),
        (
            ["othello", "--set", "patterns=0", "--database", "nowhere"],
            "'nowhere' does not contain a finished endgame database",
        ),
        (["backgammon", "--database", "nowhere"], "--database is for tuning, not for --method td"),
        (["connect-four", "--trust", "0.5"], "--trust is for tuning, not for --method td"),
        ([*CHECKERS, "--from", "games.pdn", "--database", "nowhere"], "--database works only with --from self-play"),
        ([*CHECKERS, "--from", "games.pdn", "--trust", "0.5"], "--trust works only with --from self-play"),
        ([*CHECKERS, "--database", "nowhere"], "'nowhere' does not contain a finished endgame database"),
    ],
)
def test_requests_that_make_no_sense(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", *arguments]) == 2
    assert said in capsys.readouterr().err
