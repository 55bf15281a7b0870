"""Old faults, put back on purpose: the harness must find each of them.

Every fault changes a running process before anything is compiled there, and names the classes in which it must show.
Each has its own kernel cache.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from certainty.cases import Difference, Tally, run
from certainty.classes import Places
from certainty.running import prepare, warm_up


@dataclass(frozen=True)
class Fault:
    """A fault: ``put_back`` restores it in this process, ``worlds`` are the classes in which it shows."""

    about: str
    worlds: tuple[str, ...]
    put_back: Callable[[], None]


@dataclass(frozen=True)
class Found:
    """How soon a fault was found: ``seconds`` excludes compilation, and is None if it was not found."""

    fault: str
    seconds: float | None
    cases: int
    proven: int
    world: str = ""
    difference: Difference | None = None


def old_othello_key() -> None:
    """Combine the turn with the discs by XOR, where it cancels a1."""
    from certainty import shipped
    from zerosum.jit.bits import mix
    from zerosum.jit.words import u64

    def key(s: Any) -> Any:
        return mix(mix(0, s.black ^ u64(s.turn)), s.white)

    game = shipped.loaded("othello", ()).with_(key=key)
    world = shipped.EndWorld(shipped.SHIPPED["othello"], game)
    shipped.world_of_game = lambda name: world  # type: ignore[assignment]


def clock_left_out_of_the_table() -> None:
    """Use table entries found at one clock at every other clock."""
    from zerosum.search import alphabeta, peek, quiescence

    def any_time(stored, bound, left):  # type: ignore[no-untyped-def]
        return bound

    for module in (alphabeta, quiescence, peek):
        vars(module)["bound_in_time"] = any_time


def past_left_out_of_the_table() -> None:
    """Use values found without past positions where past positions could repeat."""
    from zerosum.search import alphabeta

    original = alphabeta.repetition_test

    def repetition_test(rules):  # type: ignore[no-untyped-def]
        repeated, note_position, repeats_past, _ = original(rules)

        def salt_at(ply, mem):  # type: ignore[no-untyped-def]
            return 0

        return repeated, note_position, repeats_past, salt_at

    vars(alphabeta)["repetition_test"] = repetition_test


def distances_called_exact() -> None:
    """Call the distance of every certain win exact, as if no nearer win could have been skipped."""
    from zerosum.search.worker import Worker

    original = Worker.run

    def run_and_believe(self: Worker, *arguments: Any) -> Any:
        found = original(self, *arguments)
        return replace(found, exact=found.proven)

    Worker.run = run_and_believe  # type: ignore[method-assign]


def databases_without_a_clock() -> None:
    """Use the database's value however little is left on the clock."""
    from zerosum.search import alphabeta, quiescence
    from zerosum.search.memory import FOREVER

    original = alphabeta.probing

    def probing(rules):  # type: ignore[no-untyped-def]
        has_database, probed, *others = original(rules)

        def at_any_time(s, ply, left, mem):  # type: ignore[no-untyped-def]
            return probed(s, ply, FOREVER, mem)

        return has_database, at_any_time, *others

    for module in (alphabeta, quiescence):
        vars(module)["probing"] = probing


def returned_moves_dropped() -> None:
    """Compile a rule that returns its moves as if it had none, without the check that compares them."""
    import ast

    from zerosum.jit import compare, yields

    original = yields.as_generator

    def as_generator(tree: Any, generates: bool, *others: Any) -> Any:
        if generates:
            return original(tree, generates, *others)
        tree.body = [ast.copy_location(ast.Return(None), tree.body[0])]
        return tree

    vars(yields)["as_generator"] = as_generator
    vars(compare)["must_agree"] = lambda answers: None


FAULTS = {
    "1a": Fault("Othello's key: the turn cancels a1", ("game:othello",), old_othello_key),
    "1b": Fault(
        "the table ignores the clock",
        ("graph:clock", "graph:clock-threefold", "ending:checkers"),
        clock_left_out_of_the_table,
    ),
    "1c": Fault("the table ignores the past", ("graph:twofold", "graph:threefold"), past_left_out_of_the_table),
    "1d": Fault("distances are called exact", ("graph:trees", "graph:cycles"), distances_called_exact),
    "1e": Fault(
        "databases ignore the clock",
        ("graph:database-clock", "ending:checkers"),
        databases_without_a_clock,
    ),
    "1f": Fault("moves that are returned are dropped", ("graph:listed-moves",), returned_moves_dropped),
}


def find_all(places: Places, names: list[str], seed: int, seconds: float, workers: int) -> list[Found]:
    """Search for each fault in a separate process, ``workers`` at a time."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(workers, maxtasksperchild=1) as pool:
        return pool.starmap(find, [(places, name, seed, seconds) for name in names], chunksize=1)


def find(places: Places, name: str, seed: int, seconds: float) -> Found:
    """Put a fault back and run its classes in turn until it shows, or time is up."""
    fault = FAULTS[name]
    # A fault in the compiler does not change fingerprints, so its kernels must not be mistaken for good ones.
    os.environ["ZEROSUM_CACHE_DIR"] = str(places.folder / f"kernels-{name}")
    fault.put_back()
    prepare()
    for world in fault.worlds:
        warm_up(places, world)
    tally, number = Tally(), 0
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        for world in fault.worlds:
            case = places.case(world, seed, number)
            found = run(case, places.world(case), tally, first=True)
            if found and found[0].what == "error":
                raise RuntimeError(f"fault {name} cannot be put back into this version: {found[0].text}")
            if found:
                return Found(name, time.perf_counter() - started, number + 1, _proven(tally), world, found[0])
        number += 1
    return Found(name, None, number, _proven(tally))


def _proven(tally: Tally) -> int:
    return sum(tally.results.values()) + sum(tally.entries.values())
