"""Watching training: a run started by a page, and a file written by another process."""

from __future__ import annotations

import pytest

from zerosum.errors import StudioError
from zerosum.games import load
from zerosum.learn.td_training import TdOptions, TdTraining
from zerosum.networks.network import Network
from zerosum.studio.offered_games import OfferedGames
from zerosum.studio.tab import Studio
from zerosum.studio.training import checked_files, own_game

from .conftest import Page, serving

SMALL = {"width": 4, "height": 4, "k": 3}


def test_a_page_starts_a_run_and_watches_it(page):
    offered = page.ask("training-watch")
    assert "connect-four" in offered["games"] and "tictactoe" not in offered["games"] and offered["files"] == []
    page.ask("training", game="connect-four", settings=SMALL, games=20, hidden=0)
    done = page.wait_for("training", lambda body: body["state"] in ("done", "failed"))
    assert done["problem"] == "" and done["games"] == done["total"] == 20
    games, points, error = done["curve"][-1]
    assert games == 20 and -1 <= points <= 1 and error >= 0
    assert len(done["line"]["texts"]) == len(done["line"]["moves"]) >= 5 and done["layout"]["cells"]


@pytest.mark.parametrize(
    ("wish", "words"),
    [({"game": "chess"}, "features"), ({"game": "connect-four", "games": 0}, "games must be"), ({"game": "/x"}, "/x")],
)
def test_what_cannot_learn(page, wish, words):
    assert words in page.complaint("training", **wish)


def test_a_file_is_followed_as_it_is_rewritten(tmp_path):
    game = load("connect-four")
    file = tmp_path / "net.npz"
    with serving(Studio(OfferedGames(), hash_mb=1, jit=False, training=(str(file),))) as (port, _):
        page = Page(port)
        assert page.ask("training-watch")["files"] == ["net.npz"]
        assert page.wait_for("training")["state"] == "waiting"
        training = TdTraining(game, TdOptions(games=10, hidden=0), jit=False)
        training.save(file)
        first = page.wait_for("training", lambda body: body["state"] == "learning")
        assert (first["name"], first["games"], first["total"]) == ("net.npz", 0, 10)
        training.advance(10)
        training.save(file)
        assert page.wait_for("training", lambda body: body["state"] == "done")["games"] == 10
        page.close()


def test_a_file_of_something_else_is_said_to_be_none(tmp_path):
    file = tmp_path / "net.npz"
    file.write_text("rubbish")
    with serving(Studio(OfferedGames(), hash_mb=1, jit=False, training=(str(file),))) as (port, _):
        page = Page(port)
        page.ask("training-watch")
        assert "net.npz" in page.wait_for("training")["problem"]
        page.close()


def test_folders_of_files_must_be_there(tmp_path):
    assert checked_files([str(tmp_path / "later.npz")])
    with pytest.raises(StudioError, match="does not exist"):
        checked_files([str(tmp_path / "nowhere" / "later.npz")])


def test_a_network_that_knows_the_end_wins_at_once():
    """Whatever its values of other positions, it prefers a won game."""
    game = load("connect-four", **SMALL)
    line = own_game(game, Network.fresh(game, hidden=0))
    assert game.is_over(line.state)
