"""A game can be sent to another process, as loaded or with changes; otherwise one line says why not."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import NamedTuple

import pytest

import zerosum as zs
from zerosum.errors import GameError

FILE = """
from typing import NamedTuple
import zerosum as zs

class Pile(NamedTuple):
    stones: int
    turn: int

def game(stones: int = 7):
    return zs.Game("pile", Pile, lambda: Pile(stones, 0), lambda s: s.turn, lambda s: range(1, min(3, s.stones) + 1),
                   lambda s, move: Pile(s.stones - move, 1 - s.turn), lambda s: 1 if s.turn else -1, max_moves=3)
"""


class Counter(NamedTuple):
    count: int


def one() -> Counter:
    return Counter(1)


def nothing(s: Counter) -> int:
    return 0


def same(s: Counter, move: int) -> Counter:
    return s


def sent(game: zs.Game) -> zs.Game:
    return pickle.loads(pickle.dumps(game))


@pytest.mark.parametrize("name", ["tictactoe", "chess", "checkers", "backgammon"])
def test_a_shipped_game_travels(name):
    game = sent(zs.load(name))
    assert game.name == name and game.source == zs.load(name).source


def test_a_game_with_changes_keeps_them():
    game = sent(zs.load("connect-four", width=5).with_(evaluate=nothing).with_(order=None, repetition=3))
    assert game.evaluate is nothing and not game.has("order") and game.repetition == 3
    assert len(game.legal_moves(game.initial())) == 5
    assert game.source is None  # it is no longer the game that the name refers to


def test_a_game_that_stands_in_a_module_travels():
    game = zs.Game("counter", Counter, one, nothing, nothing, same, nothing, 1)
    assert sent(game).initial() == Counter(1)


def test_a_game_of_a_file_is_loaded_from_it_by_another_process(tmp_path):
    path = tmp_path / "pile.py"
    path.write_text(FILE)
    game = zs.load(path, stones=4).with_(about="four stones")
    (tmp_path / "game").write_bytes(pickle.dumps(game))
    text = "import pickle, sys; game = pickle.load(open(sys.argv[1], 'rb')); print(game.about, game.initial().stones)"
    done = subprocess.run([sys.executable, "-c", text, str(tmp_path / "game")], capture_output=True, text=True)
    assert done.stdout == "four stones 4\n", done.stderr


def test_what_cannot_travel_is_named():
    with pytest.raises(
        GameError, match=r"^tictactoe cannot be sent to another process: its evaluate is not found .*lambda"
    ):
        pickle.dumps(zs.load("tictactoe").with_(evaluate=lambda s: 0))
