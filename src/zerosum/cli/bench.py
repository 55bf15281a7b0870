"""``zerosum bench``: a fixed workload for comparing machines and versions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from zerosum.cli.common import chosen_algorithm, load_game, print_json
from zerosum.cli.options import (
    AlgorithmOption,
    DepthOption,
    GpuOption,
    JsonOption,
    OptionalGame,
    SearchOption,
    SetOption,
)
from zerosum.cli.output import count, duration, rate
from zerosum.errors import ZerosumError
from zerosum.search.algorithms import DEFAULT

if TYPE_CHECKING:
    from zerosum.search.algorithm import Algorithm

WIDTHS = (14, 5, 9, 15, 10, 10, 9)
HEADINGS = ("game", "depth", "positions", "nodes", "time", "nodes/s", "branching")


def command(
    game: OptionalGame = "",
    depth: DepthOption = None,
    algorithm: AlgorithmOption = DEFAULT,
    options: SearchOption = [],  # noqa: B006
    settings: SetOption = [],  # noqa: B006
    gpu: GpuOption = False,
    json: JsonOption = False,
) -> None:
    """Search fixed positions to fixed depths.

    The node counts are the signature of the search: they are the same on every machine and change only
    when the search does. Use nodes per second to compare machines. Branching is the factor by which the
    work grows with one more ply of depth. Without GAME, all built-in games without chance are searched.

    With --gpu, measure the rules instead, on the GPU and on all processors: perft leaves and
    random-game plies per second.

    \b
    Examples:
      zerosum bench
      zerosum bench connect-four
      zerosum bench connect-four --option table=off --depth 8
      zerosum bench othello --gpu
      zerosum bench my_game.py --json
    """
    chosen = chosen_algorithm(algorithm, options)
    if settings and not game:
        raise ZerosumError(f"--set {settings[0]!r} is a parameter of a game: give a GAME too")
    if gpu:
        if depth is not None or options or algorithm != DEFAULT:
            raise ZerosumError("--gpu measures rules, not searches: leave out --depth, --algorithm and --option")
        _on_gpu(game, settings, json)
        return
    rows = []
    for row in _rows(game, settings, depth, chosen):
        rows.append(row)
        if not json:
            if len(rows) == 1:
                _print(HEADINGS)
            _print(_cells(row))
    nodes, seconds = sum(row["nodes"] for row in rows), sum(row["seconds"] for row in rows)
    total = {"nodes": nodes, "seconds": round(seconds, 6), "nodes_per_second": round(nodes / max(seconds, 1e-9))}
    if json:
        print_json({"games": rows, **total})
    elif len(rows) > 1:
        _print(("total", "", "", count(nodes), duration(seconds), rate(total["nodes_per_second"]), ""))


def _on_gpu(game: str, settings: list[str], json: bool) -> None:
    """Measure the speed of the rules on the GPU and on the processors."""
    from zerosum.games import GAMES
    from zerosum.jit.gpu.card import the_card
    from zerosum.speeds import speed_of

    card, rows = the_card().name, []
    if not json:
        print(f"{card}, and all processors")
        _print_speeds(("game", "leaves/s", "processors", "ratio", "plies/s", "processors", "ratio"))
    for name in [game] if game else GAMES:
        rules = load_game(name, settings)
        there, here = speed_of(rules, "gpu"), speed_of(rules)
        row: dict[str, Any] = {"game": rules.name}
        cells = [rules.name]
        for what in ("leaves", "plies"):
            ours, theirs = getattr(there, what), getattr(here, what)
            row |= {f"{what}_per_second": round(ours), f"processors_{what}_per_second": round(theirs)}
            cells += [rate(ours), rate(theirs), f"{ours / max(theirs, 1e-9):.1f}"]
        rows.append(row)
        if not json:
            _print_speeds(cells)
    if json:
        print_json({"card": card, "games": rows})


def _print_speeds(cells: Sequence[str]) -> None:
    print(f"{cells[0]:14}" + "".join(f"{cell:>12}" for cell in cells[1:]), flush=True)


def _rows(game: str, settings: list[str], depth: int | None, algorithm: Algorithm) -> Iterator[dict[str, Any]]:
    from zerosum.games import GAMES
    from zerosum.signature import signature

    for name in [game] if game else GAMES:
        rules = load_game(name, settings)
        if not game and rules.has("chances"):
            continue
        found = signature(rules, depth, algorithm)
        yield {
            "game": found.game,
            "depth": found.depth,
            "positions": found.positions,
            "nodes": found.nodes,
            "seconds": round(found.seconds, 6),
            "nodes_per_second": round(found.nodes_per_second),
            "branching": round(found.branching, 3),
        }


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    return (
        row["game"],
        str(row["depth"]),
        str(row["positions"]),
        count(row["nodes"]),
        duration(row["seconds"]),
        rate(row["nodes_per_second"]),
        f"{row['branching']:.2f}",
    )


def _print(cells: tuple[str, ...]) -> None:
    first, *others = (
        cell.rjust(width) if number else cell.ljust(width)
        for number, (cell, width) in enumerate(zip(cells, WIDTHS, strict=True))
    )
    print("  ".join([first, *others]).rstrip(), flush=True)
