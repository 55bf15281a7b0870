"""``zerosum cluster``: the nodes of a cluster, and which of them can be used."""

from __future__ import annotations

from typing import Annotated

import typer

from zerosum.cli import complain
from zerosum.cli.common import print_json
from zerosum.cli.options import JsonOption
from zerosum.cli.output import count, print_table


def command(
    address: Annotated[
        str,
        typer.Argument(
            metavar="ADDRESS",
            help="HOST:PORT, or auto for the cluster this machine belongs to; default: Ray on this machine.",
            show_default=False,
        ),
    ] = "here",
    json: JsonOption = False,
) -> int:
    """Show the nodes of a Ray cluster.

    Each is shown with its processors, GPUs and versions. Nodes whose version of zerosum, Python or
    Numba differs from this machine's are not used; a line names them, and the exit code is 1. 'zerosum
    match', 'gather', 'train' and 'endgame build' use a cluster with --cluster. Anyone who can reach a
    cluster's ports can run programs on it: keep it in a private network (docs/cluster.md).

    \b
    Examples:
      zerosum cluster
      zerosum cluster 10.0.0.5:6379 --json
    """
    from zerosum.working.cluster import Cluster

    with Cluster(address) as cluster:
        nodes = sorted(cluster.nodes(), key=lambda node: node.name)
        refusals = {node.id: cluster.refusal(node) for node in nodes}
    if json:
        listed = [{**vars(node), "refused": refusals[node.id] or None} for node in nodes]
        print_json({"cluster": cluster.address, "nodes": listed})
    else:
        rows = [
            (node.name, count(node.cpus), count(node.gpus), node.zerosum, node.python, node.numba, node.processor)
            for node in nodes
        ]
        print_table(("node", "processors", "GPUs", "zerosum", "Python", "Numba", "kind"), rows, right=(1, 2))
        fit = [node for node in nodes if not refusals[node.id]]
        print(f"{len(fit)} of {len(nodes)} nodes can be used: {count(sum(node.cpus for node in fit))} processors")
    for node in nodes:
        if refusals[node.id]:
            complain(f"the node {node.name} is refused: {refusals[node.id]}")
    return 1 if any(refusals.values()) else 0
