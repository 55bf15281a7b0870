"""Rollouts: games per second and the standard error after ten seconds, compared with GNU Backgammon.

Both sides play every move by their evaluation alone (0-ply), on one thread, cubeless. gnubg's error depends on its
variance reduction, which is on and off in turn, as is ours. Values differ as much as the players do. Seconds are
processor time, so a busy machine favours neither side; errors are for ten seconds.
"""

from __future__ import annotations

import argparse
import os
import pty
import re
import select
import shutil
import signal
import tempfile
import time
from pathlib import Path
from typing import Any

from timing import machine

import zerosum as zs
from zerosum.search.rollout import roll_out

ALL = 10**6
ASKED = 10.0
"""Errors are converted to this many seconds, whatever time was measured: they shrink with its square root."""

POSITIONS = {"after an opening 31": "sGfwATDgc/ABMA", "race": "2+4OAADs7g4AAA"}


def ours(game: zs.Game, position: str, seconds: float) -> None:
    s = game.parse_state(f"{position}:min")
    roll_out(game, [s], games=36)  # compiles or loads the kernel before timing
    for spread, luck in ((0, 0), (1, 0), (6, 0), (6, 8), (6, ALL)):
        games = games_in(game, s, seconds, luck)
        begin = time.process_time()
        (found,) = roll_out(game, [s], games=games, spread=spread, luck=luck)
        used = time.process_time() - begin
        print(
            f"| zerosum | {spread} | {'no' if not luck else luck if luck < ALL else 'yes'} | {found.games:,} "
            f"| {found.games / used:,.0f} | {-found.value:+.4f} | {found.error * (used / ASKED) ** 0.5:.4f} |",
            flush=True,
        )


def games_in(game: zs.Game, s: Any, seconds: float, luck: int) -> int:
    """Return about how many games take ``seconds``."""
    begin = time.process_time()
    roll_out(game, [s], games=72, luck=luck)
    return max(72, int(72 * seconds / (time.process_time() - begin)))


def gnubg(position: str, seconds: float) -> None:
    for reduction in ("off", "on"):
        games, value, error, used = gnubg_rollout(position, seconds, reduction)
        print(
            f"| gnubg 0-ply | all | {'yes' if reduction == 'on' else 'no'} | {games:,} | {games / used:,.0f} "
            f"| {value:+.4f} | {error * (used / ASKED) ** 0.5:.4f} |",
            flush=True,
        )


def gnubg_rollout(position: str, seconds: float, reduction: str) -> tuple[int, float, float, float]:
    """Return games, equity, standard error and processor seconds of a rollout that stops after about ``seconds``.

    gnubg shows results only on a terminal, so it gets one.
    """
    commands = [
        "set threads 1",
        "set player 0 human",
        "set automatic game off",
        "set automatic roll off",
        "new game",
        "set turn 1",
        "set board " + position,
        "set rollout trials 1000000",
        "set rollout cubeful off",
        f"set rollout varredn {reduction}",
        "set rollout quasirandom on",
        "set rollout truncation enable off",
        "set rollout bearofftruncation exact off",
        "set rollout bearofftruncation onesided off",
        "set rollout chequerplay plies 0",
        "rollout",
    ]
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "commands")
        script.write_text("\n".join(commands) + "\n")
        child, terminal = pty.fork()
        if child == 0:
            os.execvp("gnubg", ["gnubg", "-t", "-q", "-r", "-c", str(script)])
        text = ""
        try:
            while processor_seconds(child) < seconds:
                if select.select([terminal], [], [], 0.05)[0]:
                    text += os.read(terminal, 65536).decode(errors="replace")
        finally:
            os.kill(child, signal.SIGKILL)
            used = os.wait4(child, 0)[2].ru_utime
    reports = re.findall(r"CL +(-?[\d.]+)\s+\[[^\]]*CL +([\d.]+)\][^\[]*?(\d+) games", text)
    if not reports:
        raise SystemExit(f"unexpected output from gnubg:\n{text[-2000:]}")
    value, error, games = reports[-1]
    return int(games), float(value), float(error), used


def processor_seconds(process: int) -> float:
    """Return the processor time that a running process has used so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0, help="seconds to measure for each line")
    arguments = parser.parse_args()
    game = zs.load("backgammon")
    print(machine())
    for name, position in POSITIONS.items():
        print(f"\n{name}: {position}\n")
        print(f"| program | spread rolls | luck removed | games | games/s | equity | error in {ASKED:g} s |")
        print("|---|---:|---:|---:|---:|---:|---:|")
        ours(game, position, arguments.seconds)
        if shutil.which("gnubg"):
            gnubg(position, arguments.seconds)
        else:
            print("\ngnubg is not installed: apt-get install gnubg")


if __name__ == "__main__":
    main()
