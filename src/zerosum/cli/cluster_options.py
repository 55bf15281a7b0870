"""``--cluster``: the workers that do a command's work."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zerosum.processors import usable_processors

if TYPE_CHECKING:
    from zerosum.working.team import Workers

ClusterOption = Annotated[
    str,
    typer.Option(
        "--cluster",
        metavar="[ADDRESS]",
        help="Use a Ray cluster: HOST:PORT, or auto for the one this machine belongs to; without an address,"
        " Ray on this machine. See docs/cluster.md.",
        show_default=False,
    ),
]
ClusterLogOption = Annotated[
    bool, typer.Option("--cluster-log", help="Show what the workers of a cluster print.", show_default=False)
]

OPTION = "--cluster"


def with_addresses(arguments: list[str]) -> list[str]:
    """The command line, with an address after every ``--cluster`` that has none.

    >>> with_addresses(["match", "--cluster", "engine", "random"])
    ['match', '--cluster=here', 'engine', 'random']
    >>> with_addresses(["gather", "--cluster", "10.0.0.5:6379"])
    ['gather', '--cluster=10.0.0.5:6379']
    """
    if OPTION not in arguments:
        return arguments
    from zerosum.working.cluster import HERE, is_address

    at = arguments.index(OPTION)
    behind = arguments[at + 1 : at + 2]
    is_there = bool(behind) and is_address(behind[0])
    named = behind[0] if is_there else HERE
    return [*arguments[:at], f"{OPTION}={named}", *with_addresses(arguments[at + 1 + is_there :])]


def without_place(arguments: list[str]) -> list[str]:
    """The command line without ``--cluster`` and ``--threads``, which do not affect the results.

    >>> without_place(["gather", "chess", "--cluster", "--threads", "4", "--seed", "1"])
    ['gather', 'chess', '--seed', '1']
    """
    found: list[str] = []
    words = iter(with_addresses(arguments))
    for word in words:
        if word == "--threads":
            next(words, None)
        elif not word.startswith((OPTION, "--threads=")):
            found.append(word)
    return found


def recorded_command() -> str:
    """The command as recorded in files: without this machine's folders, and without ``--cluster`` and ``--threads``."""
    words = [Path(word).name if "/" in word else word for word in without_place(sys.argv[1:])]
    return shlex.join(["zerosum", *words])


def workers(address: str, count: int, log: bool = False) -> Workers:
    """The workers of the cluster at this address; without an address, this many threads.

    A cluster that is started here gets this many processors; 0: all.
    """
    from zerosum.working.threads import Threads

    return _workers(address, Threads(count or usable_processors()), log)


def processes(address: str, count: int, log: bool = False) -> Workers:
    """The workers of the cluster at this address; otherwise processes, for work that is partly plain Python."""
    if count == 1:
        return workers(address, count, log)
    from zerosum.working.processes import Processes

    return _workers(address, Processes(count), log)


def _workers(address: str, here: Workers, log: bool) -> Workers:
    """These workers of this machine, or those of a cluster."""
    if not address:
        return here
    from zerosum.working.cluster import Cluster

    return Cluster(address, log=log, processors=here.count, early=here)
