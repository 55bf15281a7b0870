"""Reduce a case to the smallest that still shows a difference."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from certainty.cases import Case, Difference, Tally, run
from certainty.classes import Places
from certainty.graphs import Graph
from certainty.worlds import from_graph
from zerosum.errors import ZerosumError

TRIES = 5
"""Searches with several threads differ from run to run: a difference may need this many runs to show again."""


OPTIONAL = ("noisy", "order", "cautious", "forced", "passed", "slack", "tiers", "guesses", "ended", "resets")
"""The optional lists of a graph."""


NOWHERE = -1
"""The start of a step whose position was removed."""


def shrunk(case: Case, places: Places, budget: int = 3000, seconds: float = 30) -> tuple[Case, Difference | None]:
    """Reduce the case step by step while it shows a difference; return it with that difference."""
    found = fault(case, places)
    if found is None:
        return case, None
    until = time.perf_counter() + seconds
    again = True
    while again:
        again = False
        for smaller in candidates(case, found):
            if budget <= 0 or time.perf_counter() > until:
                return case, found
            if smaller == case:
                continue
            budget -= 1
            shown = fault(smaller, places)
            if shown is not None and (shown.what, shown.where) == (found.what, found.where):
                case, found, again = smaller, shown, True
                break
    return case, found


def fault(case: Case, places: Places) -> Difference | None:
    """Return the first difference that a case shows, if any."""
    if any(step.start and step.start[0] == NOWHERE for step in case.steps) and case.world.startswith("graph:"):
        return None
    for _ in range(TRIES if case.threads > 1 else 1):
        try:
            found = run(case, places.world(case), Tally(), first=True)
        except (ZerosumError, LookupError, ValueError):
            return None  # an invalid case shows nothing
        if found:
            return found[0]
    return None


def candidates(case: Case, found: Difference) -> Iterator[Case]:
    """Yield slightly smaller cases, those with the largest reduction first."""
    steps = case.steps[: found.step + 1]
    if len(steps) < len(case.steps):
        yield replace(case, steps=steps)
    yield replace(case, steps=steps[-1:])
    for i in range(len(steps) - 1):
        yield replace(case, steps=steps[:i] + steps[i + 1 :])
    if case.threads > 1:
        yield replace(case, threads=1)
    if case.jit and case.world.startswith("graph:") and "listed" not in case.world:
        yield replace(case, jit=False)
    if case.hash_mb != 1.0:
        yield replace(case, hash_mb=1.0)
    for name in case.options:
        yield replace(case, options={k: v for k, v in case.options.items() if k != name})
    for i, step in enumerate(steps):
        simpler: list[dict[str, Any]] = [{"multipv": 1}, {"depth": None}, {"only": None}]
        if step.nodes and step.nodes > 20:
            simpler.append({"nodes": step.nodes // 2})
        if step.do == "search" and step.depth:
            simpler.append({"depth": step.depth - 1})
        for change in simpler:
            smaller = replace(step, **change)
            limited = smaller.do != "search" or smaller.depth or smaller.nodes
            if smaller != step and limited and smaller.depth != 0:
                yield replace(case, steps=[*steps[:i], smaller, *steps[i + 1 :]])
        if step.moves:
            yield replace(case, steps=[*steps[:i], replace(step, moves=[]), *steps[i + 1 :]])
            yield replace(case, steps=[*steps[:i], replace(step, moves=step.moves[:-1]), *steps[i + 1 :]])
    if case.world.startswith("graph:"):
        yield from _smaller_graphs(case)


def _smaller_graphs(case: Case) -> Iterator[Case]:
    """Yield cases without a position, a move, or a special property of one."""
    graph = Graph(**case.subject)
    for node in range(graph.size - 1, -1, -1):
        smaller = without_node(graph, node)
        if smaller is not None:
            steps = [replace(step, start=_renumbered(graph, step.start, node)) for step in case.steps]
            yield replace(case, subject=from_graph(smaller), steps=steps)
    for node, row in enumerate(graph.successors):
        for move in range(len(row) - 1, -1, -1):
            yield replace(case, subject=from_graph(without_move(graph, node, move)))
    for name in OPTIONAL:
        if getattr(graph, name):
            yield replace(case, subject=from_graph(replace(graph, **{name: []})))
    for name in ("ended", "forced", "tiers"):
        blank = -1 if name == "tiers" else 0
        for node, item in enumerate(getattr(graph, name)):
            if item != blank:
                changed = [*getattr(graph, name)]
                changed[node] = blank
                yield replace(case, subject=from_graph(replace(graph, **{name: changed})))


def without_node(graph: Graph, node: int) -> Graph | None:
    """Return the graph without a position and the moves to it; None if it is the only one."""
    if graph.size <= 1:
        return None
    for other, row in enumerate(graph.successors):
        for move in range(len(row) - 1, -1, -1):
            if row[move] == node:
                graph = without_move(graph, other, move)

    def drop(rows: list[Any]) -> list[Any]:
        return rows[:node] + rows[node + 1 :]

    def lower(number: int) -> int:
        return number - (number > node) if number != node else 0

    changes: dict[str, Any] = {}
    for item in fields(graph):
        rows = getattr(graph, item.name)
        if isinstance(rows, list) and rows:
            changes[item.name] = drop(rows)
    changes["successors"] = [[lower(to) for to in row] for row in changes["successors"]]
    if graph.passed:
        changes["passed"] = [lower(to) for to in changes["passed"]]
    return replace(graph, **changes)


def without_move(graph: Graph, node: int, move: int) -> Graph:
    changes = {}
    for name in ("successors", "resets", "noisy", "order", "cautious", "twisted"):
        rows = getattr(graph, name)
        if rows:
            row = rows[node][:move] + rows[node][move + 1 :]
            changes[name] = [*rows[:node], row, *rows[node + 1 :]]
    return replace(graph, **changes)


def _renumbered(graph: Graph, start: list[int], node: int) -> list[int]:
    """Return where a step starts after a position is removed."""
    if not start:
        return start
    sides = 2 if graph.twisted else 1
    place, side = divmod(start[0], sides)
    if place == node:
        return [NOWHERE, start[1]]
    return [(place - (place > node)) * sides + side, *start[1:]]
