"""``zerosum train --probcut``: measure how well shallow searches predict deep ones."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from zerosum import __version__
from zerosum.cli.output import count, print_table
from zerosum.cli.progress import Bar
from zerosum.errors import ZerosumError
from zerosum.game import Game

if TYPE_CHECKING:
    from zerosum.learn.probcut import Measured
    from zerosum.probcut import Fit, ProbCut

SHOWN = 12
"""Maximum number of table rows to print: an even selection of phases, at the greatest depth."""


def measure_probcut(game: Game, asked: Mapping[str, Any]) -> int:
    """Measure, print the results, and write them together with the weights they apply to."""
    from zerosum.learn.files import with_weights_from
    from zerosum.learn.probcut import DEPTH, POSITIONS, measure

    out, start = asked["out"], asked["start"]
    if not out:
        raise ZerosumError("--probcut needs --out FILE: the file for the weights and the measurements")
    trained = with_weights_from(game, Path(start)) if start else game
    wanted, depth = asked["positions"] or POSITIONS, asked["depth"] or DEPTH
    began = monotonic()
    with Bar() as bar:
        found = measure(
            trained,
            wanted,
            depth,
            random_plies=asked["random_plies"],
            seed=asked["seed"],
            threads=asked["threads"],
            on_progress=lambda done: bar.show(done / wanted, f"{count(done)} positions searched"),
        )
    _write(game, trained, found.probcut, Path(out), start)
    _tell(found, depth, monotonic() - began)
    print(f"written to {out}")
    return 0


def _write(game: Game, trained: Game, probcut: ProbCut, out: Path, start: str) -> None:
    """Write the weights with the measurements: a network as a network, other weights by name."""
    from zerosum.learn.files import is_network, write_weights
    from zerosum.networks.sparse_file import SparseNetwork, is_sparse

    command = shlex.join(["zerosum", *(Path(word).name if "/" in word else word for word in sys.argv[1:])])
    if start and is_network(Path(start)):
        if not is_sparse(Path(start)):
            raise ZerosumError(
                f"--weights {start!r}: ProbCut needs an evaluation that searches use, which this network is not"
            )
        network = SparseNetwork.read(Path(start), game)
        made = {**network.made, "probcut": {"command": command, "version": __version__}}
        replace(network, made=made, probcut=probcut).write(out, game)
        return
    weights = trained.weights_of() if trained.has("weights_of") and trained.has("with_weights") else {}
    write_weights(out, trained, weights, {"command": command, "version": __version__}, probcut)


def _tell(found: Measured, depth: int, seconds: float) -> None:
    probcut = found.probcut
    print(f"{count(found.positions)} positions, depths 1 to {depth}, {seconds:.0f} s")
    deepest = max(fit.deep for fit in probcut.depths)
    rows = [fit for fit in probcut.depths if fit.deep == deepest]
    cells = [_cells(fit) for fit in rows[:: -(-len(rows) // SHOWN)]]
    print_table(("phase", "deep", "shallow", "slope", "offset", "sigma"), cells, right=tuple(range(6)))
    if probcut.ends:
        left = [fit.deep for fit in probcut.ends]
        print(f"to the end of the game: {min(left)} to {max(left)} moves left")
    for confidence, within in found.kept:
        sigmas = probcut.margin(confidence)
        print(f"{confidence} % within {sigmas:.2f} sigmas: held out {within:.1f} %")


def _cells(fit: Fit) -> tuple[str, ...]:
    return (*map(str, fit[:3]), f"{fit.slope:.2f}", f"{fit.offset:+.1f}", f"{fit.sigma:.1f}")
