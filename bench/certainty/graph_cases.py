"""Random cases on random graphs."""

from __future__ import annotations

from random import Random

from certainty.cases import HASHES, Case, Step, random_options
from certainty.graphs import KINDS, LOWERS, Graph, Kind, random_graph, template
from certainty.worlds import GraphWorld, expanded, from_graph


def random_case(name: str, rng: Random) -> Case:
    """Return a graph of a kind, an engine with random options, and one or two dozen searches of it."""
    kind = KINDS[name]
    graph = random_graph(kind, rng)
    jit = rng.random() >= 0.12
    threads = rng.choices((1, 2, 4), (6, 2, 1))[0] if jit else rng.choices((1, 2), (9, 1))[0]
    options = random_options(rng, template(kind).has)
    steps = [_step(kind, graph, rng, options) for _ in range(rng.randint(1, 40 if jit else 8))]
    return Case(f"graph:{name}", from_graph(graph), steps, options, threads, rng.choice(HASHES), jit)


def world_of(case: Case, quick: bool = True) -> GraphWorld:
    _, _, name = case.world.partition(":")
    return GraphWorld(name, Graph(**case.subject), quick)


def _step(kind: Kind, graph: Graph, rng: Random, options: dict[str, object]) -> Step:
    if rng.random() < 0.03:
        return Step("clear")
    start, moves, choices = _walk(kind, graph, rng)
    ends = (not kind.cyclic or kind.repetition or kind.clocked) and options.get("table", True)
    if ends and rng.random() < 0.35:
        return Step("solve", start, moves, seconds=0.05)
    depth = rng.choice((None, 1, 2, 3, 4, 5, 6, 8, 10, 12))
    nodes = rng.choice((2000, 2000, 2000, 3, 10, 30, 100, 300, 1000))
    multipv = rng.choice((1,) * 8 + (2, 3))
    only = rng.sample(range(choices), rng.randint(1, choices)) if choices and rng.random() < 0.06 else None
    return Step("search", start, moves, depth, nodes, None, multipv, only)


def _walk(kind: Kind, graph: Graph, rng: Random) -> tuple[list[int], list[int], int]:
    """Return an unfinished start, moves from it (often none, more if the past matters), and the choice there."""
    whole = expanded(graph)
    open_nodes = [n for n in range(whole.size) if whole.successors[n] and not whole.ended[n]] or [0]
    node = rng.choice(open_nodes)
    clock = rng.randint(1, whole.longest) if kind.clocked else 0
    start, moves = [node, clock], []
    length = rng.choice((0, 0, 2, 4, 6, 9, 12) if kind.repetition else (0, 0, 0, 1, 2))
    for _ in range(length):
        choices = []
        for move, to in enumerate(whole.successors[node]):
            left = (
                (clock - 1 if whole.resets[node][move] == LOWERS else whole.resets[node][move]) if kind.clocked else 0
            )
            over = whole.ended[to] or not whole.successors[to] or (kind.clocked and left <= 0)
            if not over:
                choices.append((move, to, left))
        if not choices:
            break
        move, node, clock = rng.choice(choices)
        moves.append(move)
    return start, moves, 0 if whole.ended[node] else len(whole.successors[node])
