"""Matches: complete, resumable, and finished whatever the players do."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from statistics import stdev
from typing import Any

import pytest

from zerosum.arena.adjudication import Adjudication
from zerosum.arena.games_file import read_games_file
from zerosum.arena.match import Match, Plan
from zerosum.arena.player import Answer, Player
from zerosum.arena.players import PlayerSpec, parse_player
from zerosum.arena.ratings import Sprt
from zerosum.arena.referee import Referee, Rules
from zerosum.arena.standings import Points, Standings
from zerosum.arena.time_control import Budget, TimeControl
from zerosum.errors import ArenaError
from zerosum.formats.record import GameRecord, replay
from zerosum.game import CHANCE, MAX, MIN, Game, Line
from zerosum.games import load
from zerosum.review.luck import Luck

FAKE = Path(__file__).parent / "fake_engine.py"
DEPTH_ONE = TimeControl(depth=1)


@pytest.fixture(autouse=True)
def _no_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # engines run the same search as plain Python


def plan_of(game: str | Game, *players: str, **more: Any) -> Plan:
    return Plan(load(game), [parse_player(text) for text in players], **{"games": 10, **more})


def fake(way: str) -> str:
    return f"uci:{sys.executable} {FAKE} {way},name={way}"


def played(path: Path) -> list[GameRecord]:
    """The games of a file, without anything that differs from run to run."""
    return [replace(record, date="", seconds=()) for record in read_games_file(path)[1]]


def test_luck_is_taken_out_of_results(tmp_path: Path) -> None:
    plan = plan_of(load("pig", target=20), "depth:1", "random", games=8, rules=Rules(DEPTH_ONE))
    standings = Match(plan, tmp_path / "games.jsonl", luck=True).run()
    dice, found = Luck(plan.game), []
    for record in read_games_file(tmp_path / "games.jsonl")[1]:
        assert record.luck == pytest.approx(sum(dice.of(replay(plan.game, record)).values()))
        found.append((1 if record.max_player == "depth:1" else -1) * (record.result - record.luck))
    points, without = standings.points(), standings.points(without_luck=True)
    assert points is not None and points.games == 8 and points.mean == pytest.approx(2 * standings.tally().score - 1)
    assert without is not None and without.games == 8 and without.mean == pytest.approx(sum(found) / 8)
    (pairing,) = standings.as_dict()["pairings"]
    assert pairing["points_without_luck"]["mean"] == pytest.approx(without.mean, abs=1e-4)
    assert Match(plan, tmp_path / "games.jsonl").run().points(without_luck=True) == without  # as in the file


def test_luck_needs_dice(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="luck needs a game with dice and an evaluation, which tictactoe is not"):
        Match(plan_of("tictactoe", "random", "random"), tmp_path / "games.jsonl", luck=True)


def test_points_of_pairs_have_the_error_of_their_means() -> None:
    by_game = {1: 3.0, 2: -1.0, 3: 2.0, 4: 2.0, 5: -1.0, 6: -3.0}
    found = Points.of(by_game)
    means = [1.0, 2.0, -2.0]
    assert found is not None and found.mean == pytest.approx(sum(means) / 3)
    assert found.error == pytest.approx(stdev(means) / 3**0.5)
    assert Points.of({}) is None and str(Points.of({1: 2.0, 2: 1.0})) == "+1.5000 ± ∞"


def test_looking_ahead_beats_random_play(tmp_path: Path) -> None:
    plan = plan_of("tictactoe", "depth:2", "random", games=20)
    standings = Match(plan, tmp_path / "games.jsonl").run()
    tally = standings.tally()
    assert tally.games == 20 and tally.score > 0.7 and sum(tally.pairs) == 10
    game = plan.game
    for record in read_games_file(tmp_path / "games.jsonl")[1]:
        line = replay(game, record)
        value = game.utility(line.state)
        assert game.is_over(line.state) and (value > 0) - (value < 0) == record.result


def test_connect_four_from_random_openings_played_from_both_sides(tmp_path: Path) -> None:
    plan = plan_of("connect-four", "depth:1", "random", "depth:2", games=4, openings="random:3", seed=5)
    path = tmp_path / "games.jsonl"
    Match(plan, path, concurrency=2).run()
    records = {record.number: record for record in read_games_file(path)[1]}
    assert sorted(records) == list(range(1, 13))
    for number in range(1, 13, 2):
        one, other = records[number], records[number + 1]
        assert (one.max_player, one.min_player) == (other.min_player, other.max_player)
        assert one.moves[:3] == other.moves[:3] and one.opening == 3
    # All pairings of a cycle share the opening; the next cycle has another.
    assert len({record.moves[:3] for record in records.values()}) == 2


def test_the_same_seed_gives_the_same_match_however_many_at_a_time(tmp_path: Path) -> None:
    files = []
    for number, (concurrency, seed) in enumerate([(1, 4), (4, 4), (1, 5)]):
        plan = plan_of("tictactoe", "random", "random", games=30, seed=seed)
        files.append(tmp_path / f"{number}.jsonl")
        Match(plan, files[-1], concurrency=concurrency).run()
    assert played(files[0]) == played(files[1]) != played(files[2])


def test_both_games_of_a_pair_have_the_same_dice(tmp_path: Path) -> None:
    pig, path = load("pig", target=20), tmp_path / "games.jsonl"
    Match(plan_of(pig, "random", "random", games=12), path).run()
    rolls = {}
    for record in read_games_file(path)[1]:
        line = replay(pig, record)
        rolls[record.number] = [m for s, m in zip(line.states, line.moves, strict=False) if pig.to_move(s) == CHANCE]
    alike = {}
    for one, other in combinations(sorted(rolls), 2):
        both = min(len(rolls[one]), len(rolls[other]))
        alike[one, other] = rolls[one][:both] == rolls[other][:both]
    assert all(alike[number, number + 1] for number in range(1, 12, 2))
    assert sum(alike.values()) < 12


def test_a_match_goes_on_where_it_was_and_can_be_prolonged(tmp_path: Path) -> None:
    path, whole = tmp_path / "games.jsonl", tmp_path / "whole.jsonl"
    Match(plan_of("tictactoe", "random", "random", games=40), whole).run()
    for games in (7, 20, 40):
        match = Match(plan_of("tictactoe", "random", "random", games=games), path, concurrency=2)
        standings = match.run()
        assert standings.games == games
    assert played(path) == played(whole)
    again = Match(plan_of("tictactoe", "random", "random", games=40), path)
    again.run(on_game=lambda record, standings: pytest.fail("nothing was left to play"))
    assert again.resumed == 40


def test_interrupted_a_match_keeps_what_was_played(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"

    def interrupt(record: GameRecord, standings: Standings) -> None:
        if standings.games == 5:
            raise KeyboardInterrupt

    plan = plan_of("tictactoe", "random", "random", games=40)
    with pytest.raises(KeyboardInterrupt):
        Match(plan, path, concurrency=2).run(interrupt)
    assert 5 <= len(played(path)) < 40
    assert Match(plan, path).run().games == 40
    assert not [t for t in threading.enumerate() if t.name.startswith("zerosum-team")]


def test_a_player_that_breaks_down_in_this_process_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("tictactoe")

    class Broken(Player):
        def choose(self, line: Line, budget: Budget) -> Answer:
            raise ZeroDivisionError("oh")

    class Cheat(Player):
        def choose(self, line: Line, budget: Budget) -> Answer:
            return Answer(99)

    class Slow(Player):
        def choose(self, line: Line, budget: Budget) -> Answer:
            return Answer(game.legal_moves(line.state)[0], seconds=3.0)

    class Quitter(Player):
        def choose(self, line: Line, budget: Budget) -> Answer:
            return Answer(None)

    rules = Rules(TimeControl.parse("2+1"))
    found = {}
    for player in (Broken("broken"), Cheat("cheat"), Slow("slow"), Quitter("quitter")):
        record = Referee(Line(game), {MAX: player, MIN: Slow("other")}, rules, "", "").play(1)
        found[player.name] = (record.result, record.reason, record.fault)
    assert found == {
        "broken": (-1, "crash", "broken"),
        "cheat": (-1, "illegal move", "cheat"),
        "slow": (-1, "time", "slow"),
        "quitter": (-1, "resignation", ""),
    }


class Scripted(Player):
    """Plays the first legal move with a given score."""

    def __init__(self, name: str, scores: Sequence[float | None]) -> None:
        super().__init__(name)
        self.scores = list(scores)

    def choose(self, line: Line, budget: Budget) -> Answer:
        return Answer(line.game.legal_moves(line.state)[0], self.scores.pop(0) if self.scores else None)


def adjudicated(
    mine: Sequence[float | None], other: Sequence[float | None], win: str, draw: str
) -> tuple[int, str, int]:
    line = Line(load("connect-four"))
    rules = Rules(adjudication=Adjudication.parse(win, draw))
    referee = Referee(line, {MAX: Scripted("a", mine), MIN: Scripted("b", other)}, rules, "", "")
    record = referee.play(1)
    return record.result, record.reason, len(record.moves)


def test_games_are_adjudicated_where_both_agree() -> None:
    # Scores are from each player's point of view.
    assert adjudicated([0, 700, 800], [0, -650, -900], "2:600", "") == (1, "adjudication", 6)
    assert adjudicated([0, -700, -800], [0, 650, 900], "2:600", "") == (-1, "adjudication", 6)
    assert adjudicated([5, -5, 0, 3], [0, 0, -10, 1], "", "3:2:10") == (0, "adjudication", 6)
    # The score of one player alone decides nothing.
    assert adjudicated([700] * 50, [0] * 50, "2:600", "")[1] == "rules"
    assert adjudicated([700] * 50, [None] * 50, "2:600", "1:1:10")[1] == "rules"


@pytest.mark.parametrize(("win", "draw"), [("4", ""), ("x:600", ""), ("0:600", ""), ("", "40:8"), ("", "40:0:5")])
def test_adjudication_that_makes_no_sense(win: str, draw: str) -> None:
    with pytest.raises(ArenaError) as problem:
        Adjudication.parse(win, draw)
    assert repr(win or draw) in str(problem.value)


def test_repetition_and_length_are_draws() -> None:
    chess = load("chess")

    class Shuffler(Player):
        def choose(self, line: Line, budget: Budget) -> Answer:
            words = ("Nf3", "Nf6", "Ng1", "Ng8")
            return Answer(chess.parse_move(line.state, words[len(line) % 4]))

    players = {MAX: Shuffler("a"), MIN: Shuffler("b")}
    record = Referee(Line(chess), players, Rules(), "", "").play(1)
    assert (record.result, record.reason, len(record.moves)) == (0, "repetition", 8)
    record = Referee(Line(chess), players, Rules(max_plies=5), "", "").play(1)
    assert (record.result, record.reason, len(record.moves)) == (0, "length", 5)


def test_a_sequential_test_ends_the_match_early(tmp_path: Path) -> None:
    sprt = Sprt(0, 200)
    plan = plan_of("tictactoe", "depth:3", "random", games=500, sprt=sprt)
    standings = Match(plan, tmp_path / "games.jsonl", concurrency=1).run()
    assert sprt.decision(standings.tally()) == "elo1" and standings.games < 100
    again = Match(plan, tmp_path / "games.jsonl").run()
    assert again.games == standings.games


def test_chess_goes_to_a_pgn(tmp_path: Path) -> None:
    plan = plan_of("chess", "random", "random", games=2, rules=Rules(max_plies=10))
    Match(plan, tmp_path / "games.pgn").run()
    text = (tmp_path / "games.pgn").read_text()
    assert text.count("[Event ") == 2 and '[Reason "length"]' in text
    assert Standings(plan.names, read_games_file(tmp_path / "games.pgn", plan.game)[1]).tally().draws == 2


@pytest.mark.parametrize(
    ("players", "more", "quoted"),
    [
        (["random"], {}, "at least two players"),
        (["random", "random"], {"games": 0}, "at least one game"),
        (["random", "random", "random"], {"sprt": Sprt(0, 5)}, "needs exactly two players, not 3"),
    ],
)
def test_plans_that_make_no_sense(players: list[str], more: dict[str, Any], quoted: str) -> None:
    with pytest.raises(ArenaError, match=quoted):
        plan_of("tictactoe", *players, **more)


def test_a_missing_program_or_bad_opening_is_told_before_the_first_game(tmp_path: Path) -> None:
    bad = tmp_path / "lines.txt"
    bad.write_text("5 1\n5 5\n")
    with pytest.raises(ArenaError, match="no program 'no-such'"):
        Match(plan_of("tictactoe", "random", "uci:no-such"), tmp_path / "a.jsonl").run()
    with pytest.raises(ArenaError, match="line 2"):
        Match(plan_of("tictactoe", "random", "random", openings=str(bad)), tmp_path / "b.jsonl").run()


def test_an_illegal_opening_found_late_keeps_what_was_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zerosum.arena.match.CHECKED", 1)
    lines = tmp_path / "lines.txt"
    lines.write_text("".join(f"{a} {b}\n" for a in range(1, 10) for b in range(1, 10) if a != b) + "1 1\n")
    path = tmp_path / "games.jsonl"
    plan = plan_of("tictactoe", "random", "random", games=146, openings=str(lines), seed=1)
    with pytest.raises(ArenaError, match="line 73"):
        Match(plan, path, concurrency=1).run()
    assert played(path)


def test_names_are_kept_apart() -> None:
    plan = plan_of("tictactoe", "random", "random", "depth:1")
    assert plan.names == ["random", "random (2)", "depth:1"]
    assert isinstance(plan.players[0], PlayerSpec)


def test_a_person_at_the_keyboard_plays_and_can_leave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["5", "1", "2", "3", "4", "6", "7", "8", "9"] * 2)  # a taken square is asked for again
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))
    monkeypatch.setattr("builtins.print", lambda text: None)
    path = tmp_path / "games.jsonl"
    Match(plan_of("tictactoe", "person", "random", games=1), path).run()
    assert len(played(path)) == 1
    monkeypatch.setattr("builtins.input", lambda prompt: "quit")
    with pytest.raises(KeyboardInterrupt):
        Match(plan_of("tictactoe", "person", "random", games=2), path).run()
    assert len(played(path)) == 1
