"""Are all proven values right? Tested on random games, shipped games, endings and published positions.

    python bench/soundness.py                               # every class, one minute, all processors
    python bench/soundness.py --seconds 1200 --workers 16 --seed 7 --json found.json
    python bench/soundness.py --only graph: --only ending:chess
    python bench/soundness.py --proofs                      # proof-number search alone
    python bench/soundness.py --case '{"world": …}'         # repeat a case that was printed
    python bench/soundness.py --faults                      # put known faults back: in how many seconds is each found?

Searches and solves on 1, 2 and 4 threads, with tables of 64 KB to 64 MB, with techniques on and off, compiled and
plain, by engines that are new, reused, or were stopped. Their results and the proven entries of their tables are
compared with values found in other ways. The first differences are reduced and printed as commands.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from certainty.cases import Case, Tally
from certainty.classes import CLASSES, Places
from certainty.faults import FAULTS, find_all
from certainty.running import Report, cores, prepare, run_all
from certainty.shrinking import fault, shrunk
from certainty.suites import DATA


def main() -> None:
    arguments = read_arguments()
    with tempfile.TemporaryDirectory(prefix="zerosum-soundness-") as scratch:
        places = Places(arguments.databases or Path(scratch), arguments.data, proofs=arguments.proofs)
        if arguments.case:
            sys.exit(repeat(arguments.case, places))
        if arguments.faults:
            sys.exit(find_faults(arguments, places))
        sys.exit(check(arguments, places))


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="time to search, after everything is compiled")
    parser.add_argument("--workers", type=int, default=cores(), help="number of processes")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other cases")
    parser.add_argument("--only", action="append", metavar="CLASS", help="only classes that begin with this")
    parser.add_argument("--show", type=int, default=5, help="number of differences to print")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file")
    parser.add_argument("--case", metavar="JSON", help="run one case, as printed, and show its difference")
    parser.add_argument("--proofs", action="store_true", help="proof-number search alone")
    parser.add_argument("--faults", action="store_true", help="put known faults back, and show how soon each is found")
    parser.add_argument("--data", type=Path, default=DATA, help="folder with connect4/ and othello/")
    parser.add_argument("--databases", type=Path, help="keep the endgame databases in this folder")
    return parser.parse_args()


def repeat(text: str, places: Places) -> int:
    prepare()
    found = fault(Case.from_json(text), places)
    print(f"{found.what}, {found.where}: {found.text}" if found else "no difference")
    return 1 if found else 0


def find_faults(arguments: argparse.Namespace, places: Places) -> int:
    names = [name for name in FAULTS if not arguments.only or name in arguments.only]
    found = find_all(places, names, arguments.seed, arguments.seconds, min(arguments.workers, len(names)))
    for one in found:
        about = f"{one.fault}, {FAULTS[one.fault].about}"
        if one.difference is None or one.seconds is None:
            print(
                f"{about}: NOT FOUND within {arguments.seconds:g} s, {one.cases:,} cases, {one.proven:,} proven values"
            )
        else:
            print(f"{about}: found after {one.seconds:.2f} s, {one.cases:,} cases, {one.proven:,} values")
            print(f"    {one.world}: {one.difference.what}, {one.difference.text}")
    return 0 if all(one.seconds is not None for one in found) else 1


def check(arguments: argparse.Namespace, places: Places) -> int:
    worlds = chosen(arguments.only, places)
    print(
        f"seed {arguments.seed}, {arguments.workers} processes, {arguments.seconds:g} s, {len(worlds)} classes",
        flush=True,
    )
    shown: set[tuple[str, str, str]] = set()
    started = time.perf_counter()

    def on_report(report: Report) -> None:
        for world, seed, number, difference, case in report.faulty:
            kind = (world, difference.what, difference.where)
            if kind not in shown and len(shown) < arguments.show:
                shown.add(kind)
                after = time.perf_counter() - started
                print(f"\n{world}, case {number} of seed {seed}, after {after:.1f} s: {difference.what}")
                print(difference.text)
                show_smallest(case, places)

    prepare()
    tally = run_all(places, worlds, arguments.seed, arguments.seconds, arguments.workers, on_report)
    print_classes(tally, worlds)
    print_settings(tally)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures(tally, worlds, arguments), indent=1) + "\n")
    return 1 if tally.differences else 0


def chosen(only: list[str] | None, places: Places) -> list[str]:
    worlds = []
    for world in CLASSES:
        if only and not any(world.startswith(begin) for begin in only):
            continue
        why = places.missing(world)
        if why:
            print(f"{world} skipped: {why}")
        else:
            worlds.append(world)
    if not worlds:
        raise SystemExit(f"no class begins with {' or '.join(map(repr, only or []))}; choose from {', '.join(CLASSES)}")
    return worlds


def show_smallest(case: Case, places: Places) -> None:
    smallest, found = shrunk(case, places)
    if found is None:
        print("the difference did not appear again when repeated (several threads, or a time limit)")
        return
    print(f"reduced: {found.what}, {found.text}")
    print(f"python bench/soundness.py --case {shlex.quote(smallest.as_json())}", flush=True)


def print_classes(tally: Tally, worlds: list[str]) -> None:
    titles = " ".join(f"{title:>11}" for title in ("searches", "results", "table", "proven"))
    print(f"\n{'class':34} {titles} {'differences':>12} {'seconds':>9}")
    sums = [0.0] * 6
    for world in worlds:
        wrong = sum(count for (name, _), count in tally.differences.items() if name == world)
        row = (tally.searches[world], tally.results[world], tally.entries[world], tally.proven(world), wrong)
        sums = [a + b for a, b in zip(sums, (*row, tally.seconds[world]), strict=True)]
        print_row(world, [*row, tally.seconds[world]])
        for (name, kind), count in sorted(tally.differences.items()):
            if name == world:
                print(f"    {kind}: {count:,}")
    print_row("all", sums)


def print_row(name: str, numbers: list[Any]) -> None:
    *counts, seconds = numbers
    columns = " ".join(f"{int(count):11,}" for count in counts[:4])
    print(f"{name:34} {columns} {int(counts[4]):12,} {seconds:9,.0f}")


def print_settings(tally: Tally) -> None:
    print("\nproven values by setting")
    for setting, count in sorted(tally.settings.items()):
        print(f"    {setting:28} {count:11,}")


def figures(tally: Tally, worlds: list[str], arguments: argparse.Namespace) -> dict[str, Any]:
    return {
        "seed": arguments.seed,
        "workers": arguments.workers,
        "seconds": arguments.seconds,
        "classes": {
            world: {
                "searches": tally.searches[world],
                "results": tally.results[world],
                "entries": tally.entries[world],
                "proven": tally.proven(world),
                "seconds": round(tally.seconds[world], 1),
                "differences": {kind: n for (name, kind), n in sorted(tally.differences.items()) if name == world},
            }
            for world in worlds
        },
        "settings": dict(sorted(tally.settings.items())),
    }


if __name__ == "__main__":
    main()
