"""Tuning the search by games: the same result whatever happens, in a file that players can read."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from patience import PATIENCE, heed_interrupts, wait_until

import zerosum as zs
from zerosum.arena.pairs import Contest, Meeting, PairRunner, results
from zerosum.arena.player import Stopped
from zerosum.arena.players import parse_player
from zerosum.arena.referee import Rules
from zerosum.arena.search_tuning import SearchPlan, SearchTuning, tunable
from zerosum.arena.time_control import TimeControl
from zerosum.cli import main
from zerosum.errors import LimitError, ParametersError
from zerosum.learn.parameter_files import read_parameters
from zerosum.working.processes import Processes
from zerosum.working.threads import Threads

FOUR = zs.load("connect-four", width=5, height=4)
TICTACTOE = zs.load("tictactoe")
GUESSES = {"bounds": False, "reductions": True, "iir": True, "futility": True, "late_pruning": True}
PLAN = SearchPlan(tunable(FOUR, GUESSES), 6, GUESSES, control="nodes 120", openings="random:2", seed=5, round=2)
BY_NODES = Rules(TimeControl.parse("nodes 40"))
ON_LINE = ["--option", "reductions=on", "--option", "iir=on", "--nodes", "60", "--random-plies", "1"]


def tuning(out: Path, plan: SearchPlan = PLAN) -> SearchTuning:
    return SearchTuning(FOUR, plan, out, {"command": "a test"}, jit=False)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an uninterrupted run."""
    out = tmp_path_factory.mktemp("tuning") / "whole.json"
    tuning(out).run()
    return out


def test_what_can_be_tuned_are_the_numbers_of_techniques_that_are_on():
    assert {name.partition("_")[0] for name in tunable(FOUR, {"reductions": True, "iir": True})} == {"reduction", "iir"}
    assert len(tunable(zs.load("chess"), {})) == 33
    assert tunable(zs.load("chess"), {}, ["null_base"]) == ("null_base",)
    with pytest.raises(LimitError, match="null_base is a parameter of 'null_move', which is off"):
        tunable(FOUR, GUESSES, ["null_base"])
    with pytest.raises(LimitError, match="unknown search parameter 'iir_deep'; did you mean 'iir_depth'"):
        tunable(FOUR, GUESSES, ["iir_deep"])
    with pytest.raises(LimitError, match="connect-four uses no technique that has parameters"):
        tunable(FOUR, {})
    with pytest.raises(LimitError, match="pig is a game of chance"):
        tunable(zs.load("pig"), {})


def test_a_run_writes_numbers_that_players_read(whole: Path):
    content = json.loads(whole.read_text())
    assert content["made"] == {"command": "a test", "games": 12, "seed": 5}
    assert content["run"]["done"] == 6 and content["run"]["values"] != content["run"]["start"]
    numbers = read_parameters(whole)
    assert set(numbers) == set(PLAN.names)
    player = parse_player(f"engine:parameters={whole},reductions=on,iir_depth=7").make(TICTACTOE)
    assert player.engine.algorithm == zs.AlphaBeta(**{**numbers, "reductions": True, "iir_depth": 7})


def test_a_run_that_was_interrupted_goes_on_to_the_same_end(whole: Path, tmp_path: Path):
    def leave(now: SearchTuning) -> None:
        if now.games == 8:
            raise KeyboardInterrupt

    out = tmp_path / "parts.json"
    with pytest.raises(KeyboardInterrupt):
        tuning(out).run(on_round=leave)
    SearchTuning.resumed(FOUR, out, jit=False).run()
    assert out.read_text() == whole.read_text()


def test_another_seed_is_another_run(whole: Path, tmp_path: Path):
    tuning(tmp_path / "other.json", replace(PLAN, seed=6)).run()
    one, other = (json.loads(file.read_text())["run"] for file in (whole, tmp_path / "other.json"))
    assert one["values"] != other["values"]


def test_numbers_that_are_given_are_where_tuning_starts_and_those_not_tuned_are_kept(tmp_path: Path):
    options = {**GUESSES, "iir_depth": 6, "reduction_cut": 120}
    run = tuning(tmp_path / "x.json", replace(PLAN, names=("iir_depth",), options=options))
    assert run.start == {"iir_depth": 6}
    run.write()
    assert read_parameters(tmp_path / "x.json") == {"iir_depth": 6, "reduction_cut": 120}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"zerosum parameters": 2}, "has version 2 of the format 'zerosum parameters'"),
        ({"game": "chess"}, "is a run of 'chess' with other settings"),
        ({"run": None}, "it has no object 'run'"),
        ({"run": {"settings": {"width": 5, "height": 4}}}, "not a run that can be resumed: 'names' is missing"),
    ],
)
def test_a_file_that_holds_no_run_is_refused(whole: Path, tmp_path: Path, change: dict[str, object], said: str):
    out = tmp_path / "bad.json"
    out.write_text(json.dumps({**json.loads(whole.read_text()), **change}))
    with pytest.raises(ParametersError, match=re.escape(said)):
        SearchTuning.resumed(FOUR, out)


def test_wrong_files_of_parameters_are_one_line(tmp_path: Path):
    file = tmp_path / "p.json"
    for text, said in (
        ("{", "is not a parameters file"),
        ("{}", "is not a file of the format 'zerosum parameters'"),
        ('{"zerosum parameters": 1, "parameters": {"x": 1}, "made": {}, "run": {}}', "unknown search parameter 'x'"),
        ('{"zerosum parameters": 1, "parameters": {"null_base": 99}, "made": {}, "run": {}}', "from 1 to 12, not 99"),
    ):
        file.write_text(text)
        with pytest.raises(ParametersError, match=said):
            read_parameters(file)
    with pytest.raises(ParametersError, match="cannot read"):
        read_parameters(tmp_path / "nowhere.json")


# Pairs of games


def test_equal_settings_share_the_points_of_a_pair_whatever_the_opening():
    runner = PairRunner(Contest(TICTACTOE, BY_NODES, "random:3", seed=1, jit=False))
    assert [runner.play(Meeting(number, {}, {})) for number in (1, 2, 3)] == [0, 0, 0]


def test_the_result_of_a_pair_is_for_its_first_side():
    """A side that searches only two moves loses."""
    careless = {"late_pruning": True, "late_base": 200, "late_slope": 0, "late_depth": 30, "reductions": True}
    careless |= {"bounds": False, "reduction_base": 500}
    runner = PairRunner(Contest(FOUR, Rules(TimeControl.parse("nodes 150")), "random:2", seed=5, jit=False))
    results = [runner.play(Meeting(1, *sides)) for sides in (({}, careless), (careless, {}))]
    assert results[0] > 0 and results[1] == -results[0]


def test_pairs_are_the_same_in_one_process_and_in_two():
    contest = Contest(TICTACTOE, Rules(TimeControl.parse("nodes 6")), "random:2", seed=3, jit=False)
    meetings = [Meeting(number, {"table": False}, {"order": False, "pvs": False}) for number in range(1, 9)]
    with Threads().team(contest) as here:
        expected = results(here, meetings)
    assert any(expected), "one of them is better"
    with Processes(2).team(contest) as there:
        assert results(there, meetings) == expected
        wrong = Meeting(1, {"null_base": 99}, {})
        with pytest.raises(LimitError, match="null_base is a whole number from 1 to 12, not 99"):
            results(there, [wrong])


def test_a_game_ends_at_the_next_move_when_it_is_told_to():
    runner = PairRunner(Contest(TICTACTOE, BY_NODES, jit=False))
    runner.stop()
    with pytest.raises(Stopped):
        runner.play(Meeting(1, {}, {}))


# The command


def test_the_command_tunes_resumes_and_advises_a_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "search.json"
    words = ["train", "tictactoe", "--search", "--out", str(out), "--threads", "1"]
    assert main([*words, *ON_LINE, "--games", "8", "--batch", "2", "--only", "iir_depth"]) == 0
    output = capsys.readouterr().out
    assert "1 parameter of tictactoe: 8 games, nodes 60" in output and "4 games," in output
    assert "iir_depth" in output and f"written to {out}" in output
    command = next(line.partition("better: ")[2] for line in output.splitlines() if "play a match" in line)
    assert command.startswith(f"zerosum match engine:parameters={out},reductions=on,iir=on engine:reductions=on,iir=on")
    assert command.endswith("--game tictactoe --time 'nodes 60' --openings random:1 --games 20000 --sprt 0,5")
    assert main([*words, *ON_LINE]) == 2 and "exists already: continue it with --resume" in capsys.readouterr().err
    assert main([*words, "--resume"]) == 0
    assert "continuing after 8 of 8 games\nthis run is finished" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tictactoe", "--search"], "--search needs --out FILE"),
        (["tictactoe", "--search", "--out", "OUT"], "uses no technique that has parameters"),
        (["tictactoe", "--search", "--out", "OUT", *ON_LINE, "--games", "3"], "--games 3 is odd"),
        (["tictactoe", "--search", "--out", "OUT", *ON_LINE, "--only", "iir_deep"], "did you mean 'iir_depth'?"),
        (["tictactoe", "--search", "--out", "OUT", *ON_LINE, "--depth", "3"], "--depth cannot be used with --search"),
        (["tictactoe", "--search", "--out", "OUT", *ON_LINE, "--time", "1+1"], "--nodes or by --time"),
        (["tictactoe", "--search", "--out", "OUT", "--time", "soon"], "'soon' is not a time control"),
        (["tictactoe", "--search", "--out", "OUT", "--option", "iirr=on"], "did you mean 'iir'?"),
        (["tictactoe", "--search", "--out", "OUT", "--resume"], "cannot read"),
        (["tictactoe", "--search", "--out", "OUT", "--resume", "--seed", "1"], "leave out --seed"),
        (["othello", "--only", "null_base"], "--only needs --search"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    if "soon" in words:
        words = [*words, "--option", "iir=on"]
    assert main(["train", *(str(tmp_path / "out.json") if word == "OUT" else word for word in words)]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1 and not (tmp_path / "out.json").exists()


def of_parent(pid: int) -> set[int]:
    """The processes that a process has started."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text(errors="replace").rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        if parent == pid:
            found.add(int(stat.parent.name))
    return found


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def long_run(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Start or resume a run of many games in two processes; returns after some rounds."""
    out = tmp_path / "search.json"

    def begin(*more: str) -> subprocess.Popen[str]:
        before = out.read_text() if out.exists() else ""
        command = [sys.executable, "-m", "zerosum", "train", "tictactoe", "--search", "--out", str(out), *more]
        run = subprocess.Popen(
            [*command, "--threads", "2"], stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
        )
        wait_until(lambda: (out.exists() and out.read_text() != before) or run.poll() is not None, "a step")
        assert run.poll() is None
        return run

    return begin


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_run_that_is_killed_leaves_a_whole_file_and_no_processes(
    long_run: Callable[..., subprocess.Popen[str]], tmp_path: Path
):
    out = tmp_path / "search.json"
    with long_run(*ON_LINE, "--games", "1000000", "--batch", "4") as run:
        helpers = of_parent(run.pid)
        assert len(helpers) >= 2
        run.kill()
    wait_until(lambda: not any(map(is_running, helpers)), "the end of all processes")
    games = SearchTuning.resumed(TICTACTOE, out).games
    assert games > 0
    with long_run("--resume") as run:
        os.kill(run.pid, signal.SIGINT)
        _, error = run.communicate(timeout=PATIENCE)
    assert run.returncode == 130 and "--resume continues" in error and "Traceback" not in error
    assert SearchTuning.resumed(TICTACTOE, out).games > games
