"""Watching a match: every position of every game is reported, and a match can be ended from outside."""

from __future__ import annotations

import threading

import pytest
from patience import PATIENCE

from zerosum.arena.match import Match, Plan
from zerosum.arena.players import parse_player
from zerosum.games import load


def plan(games):
    return Plan(load("tictactoe"), [parse_player("random"), parse_player("random")], games=games)


def test_every_move_is_told(tmp_path):
    seen = {}
    match = Match(plan(4), tmp_path / "games.jsonl", on_move=lambda f, line: seen.setdefault(f.number, []).append(line))
    records = []
    match.run(lambda record, standings: records.append(record))
    assert sorted(seen) == [1, 2, 3, 4]
    for record in records:
        lines = seen[record.number]
        assert [len(line.moves) for line in lines] == list(range(len(record.moves) + 1))
        assert record.moves[-1] == lines[0].game.format_move(lines[-2].state, lines[-1].moves[-1])


def test_a_match_is_ended_from_outside(tmp_path):
    match = Match(plan(10_000), tmp_path / "games.jsonl")
    begun, ended = threading.Event(), threading.Event()
    threading.Thread(target=lambda: (begun.wait(PATIENCE), match.stop(), ended.set()), daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        match.run(lambda record, standings: (begun.set(), ended.wait(PATIENCE)))
    assert 0 < match.standings.games < 10_000
