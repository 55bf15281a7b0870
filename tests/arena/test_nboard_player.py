"""Programs that speak NBoard's protocol as players: the commands they receive, and failures."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from arena.children import children
from patience import PATIENCE

from zerosum.arena import nboard_player, process
from zerosum.arena.plain_players import RandomPlayer
from zerosum.arena.player import Fault, Player
from zerosum.arena.players import parse_player
from zerosum.arena.referee import Referee, Rules
from zerosum.arena.time_control import Budget, TimeControl
from zerosum.errors import ArenaError
from zerosum.game import Line
from zerosum.games import load

FAKE = Path(__file__).parent / "fake_nboard.py"
OTHELLO = load("othello")
BUDGET = Budget(movetime=0.4, limit=PATIENCE)


@pytest.fixture(autouse=True)
def _slow_programs_are_no_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nboard_player, "HANDSHAKE", PATIENCE)


@pytest.fixture(autouse=True)
def _nobody_left_behind() -> Iterator[None]:
    """No program outlives its test, not even as a zombie."""
    before = children()
    yield
    assert children() <= before


def fake(way: str, options: str = "") -> str:
    return f"nboard:{sys.executable} {FAKE} {way}{options}"


def made(text: str, log: Any = None) -> Player:
    player = parse_player(text).make(OTHELLO, log)
    player.prepare()
    return player


def sent(said: list[str]) -> list[str]:
    return [text[2:] for text in said if text.startswith("> ") and not text.startswith("> ping")]


def test_a_program_is_told_the_game_and_then_the_moves() -> None:
    said: list[str] = []
    player = made(fake("good C3 C4", ",depth=9,name=N"), said.append)
    line = Line.parse(OTHELLO, "f5d6")
    player.begin(line, "")
    answer = player.choose(line, Budget(left=90.0, increment=1.0, limit=PATIENCE))
    assert (answer.move, answer.score, answer.depth) == (OTHELLO.parse_move(line.state, "c3"), 250.0, 12)
    assert answer.seconds is not None and 0 < answer.seconds < PATIENCE
    line = Line.parse(OTHELLO, "f5d6c3d3")
    assert player.choose(line, BUDGET).move == OTHELLO.parse_move(line.state, "c4")
    player.close()
    hello, depth, game, *rest = sent(said)
    assert (player.name, hello, depth) == ("N", "nboard 2", "set depth 9")
    assert game.startswith("set game (;GM[Othello]PC[zerosum]") and game.endswith("B[f5]W[d6];)")
    assert "TI[01:30/00:01]" in game
    assert rest == ["go", "move C3", "move D3", "go"]


def test_from_another_start_the_board_is_told() -> None:
    said: list[str] = []
    player = made(fake("short H5"), said.append)
    ending = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X"
    line = Line(OTHELLO, OTHELLO.parse_state(ending))
    player.begin(line, "")
    answer = player.choose(line, BUDGET)
    assert (OTHELLO.format_move(line.state, answer.move or 0), answer.score, answer.depth) == ("h5", None, None)
    player.close()
    assert f"BO[8 {ending.replace('X', '*')}]" in sent(said)[2]


@pytest.mark.parametrize(
    ("options", "budget", "depth"),
    [
        ("", Budget(movetime=1.0, limit=PATIENCE), nboard_player.DEFAULT_DEPTH),
        ("", Budget(depth=4, limit=PATIENCE), 4),
        (",depth=7", Budget(depth=4, limit=PATIENCE), 7),
    ],
)
def test_the_depth_is_the_players_or_the_matchs_or_twelve(options: str, budget: Budget, depth: int) -> None:
    said: list[str] = []
    player = made(fake("good F5", options), said.append)
    player.begin(Line(OTHELLO), "")
    player.choose(Line(OTHELLO), budget)
    player.close()
    assert [text for text in sent(said) if text.startswith("set depth")][-1] == f"set depth {depth}"


def test_answers_with_blanks_are_understood() -> None:
    player = made(fake("blanks f5"))
    player.begin(Line(OTHELLO), "")
    answer = player.choose(Line(OTHELLO), BUDGET)
    assert (OTHELLO.format_move(OTHELLO.initial(), answer.move or 0), answer.score) == ("f5", -100.0)
    player.close()


def test_what_is_said_about_the_past_does_not_count() -> None:
    player = made(fake("stale F5"))
    player.begin(Line(OTHELLO), "")
    answer = player.choose(Line(OTHELLO), BUDGET)
    assert OTHELLO.format_move(OTHELLO.initial(), answer.move or 0) == "f5"
    player.close()


def test_nobody_is_asked_about_a_pass_but_told_of_it() -> None:
    line = line_to_a_pass()
    said: list[str] = []
    player = made(fake("good F5"), said.append)
    player.begin(line, "")
    answer = player.choose(line, BUDGET)
    assert (OTHELLO.format_move(line.state, answer.move or 0), answer.seconds) == ("pass", 0.0)
    assert "go" not in sent(said)
    line = line.play(answer.move or 0)
    with pytest.raises(Fault, match="F5"):  # the square is taken
        player.choose(line, BUDGET)
    assert any(text.startswith("set game") and text.endswith("[pa];)") for text in sent(said))
    player.close()


def line_to_a_pass() -> Line:
    for seed in range(100):
        line, draw = Line(OTHELLO), random.Random(seed)
        while legal := OTHELLO.legal_moves(line.state):
            # The other player then has a choice.
            if OTHELLO.format_move(line.state, legal[0]) == "pass":
                if len(OTHELLO.legal_moves(line.play(legal[0]).state)) > 1:
                    return line
            line = line.play(draw.choice(legal))
    raise AssertionError


@pytest.mark.parametrize(
    ("way", "limit", "last_call", "kind", "quoted"),
    [
        ("crash", PATIENCE, 0.1, "crash", "killed by signal 6; its last words: 'status alas'"),
        ("illegal", PATIENCE, 0.1, "illegal move", "'=== Z9/1.00/0.1'"),
        ("silent", 0.2, 0.1, "hang", "nor when told to stop"),
        ("late F5", 0.5, PATIENCE, "time", "no move within its 0.5 s"),
    ],
)
def test_programs_that_fail_say_how_and_can_begin_again(
    way: str, limit: float, last_call: float, kind: str, quoted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nboard_player, "LAST_CALL", last_call)
    if way == "crash":
        monkeypatch.setattr(process, "EXIT_SECONDS", PATIENCE)  # wait for its exit code, however slow the machine is
    player = made(fake(way))
    for _ in range(2):
        player.begin(Line(OTHELLO), "")
        with pytest.raises(Fault) as fault:
            player.choose(Line(OTHELLO), Budget(movetime=0.4, limit=limit))
        assert fault.value.kind == kind and quoted in str(fault.value)
    player.close()


def test_what_cannot_play_is_refused_before_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ArenaError, match="unknown option 'Hash'; the options are name and depth"):
        made(fake("good", ",Hash=64"))
    with pytest.raises(ArenaError, match="no node limit; give a depth"):
        made(fake("good", ",nodes=64"))
    player = parse_player(fake("good")).make(load("tictactoe"))
    with pytest.raises(ArenaError, match="tictactoe does not support NBoard's protocol"):
        player.prepare()
    monkeypatch.setattr(nboard_player, "HANDSHAKE", 1.0)
    with pytest.raises(ArenaError, match="no answer to 'ping' within 1 s: does it speak NBoard's protocol"):
        made(fake("deaf"))


def test_a_limit_of_nodes_is_refused() -> None:
    player = made(fake("good F5"))
    player.begin(Line(OTHELLO), "")
    with pytest.raises(ArenaError, match="no node limit"):
        player.choose(Line(OTHELLO), Budget(nodes=10, limit=PATIENCE))
    player.close()


def test_our_own_engine_plays_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # so that the program compiles nothing
    player = made(f"nboard:{sys.executable} -m zerosum nboard,depth=1,name=ours")
    other = RandomPlayer("random")
    rules = Rules(TimeControl.parse("none"), patience=PATIENCE)
    record = Referee(Line.parse(OTHELLO, "f5d6"), {0: player, 1: other}, rules, "", "1").play(1)
    player.close()
    assert record.reason == "rules" and not record.fault and len(record.moves) > 20
    assert any(score is not None for score in record.scores)
