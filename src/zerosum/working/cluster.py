"""Workers on the nodes of a Ray cluster, or on this machine alone.

Ray's ports let whoever reaches them run any program. A cluster that is started here is bound to this machine; for more
machines see docs/cluster.md.
"""

from __future__ import annotations

import logging
import os
import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

from zerosum import __version__
from zerosum.errors import MissingExtra, WorkError
from zerosum.working.cluster_team import ClusterTeam
from zerosum.working.nodes import Node, facts
from zerosum.working.sharing import Shared
from zerosum.working.team import Team, Workers
from zerosum.working.work import Found, Unit, Work

HERE = "here"
"""The address of a cluster that is started for one command, on this machine."""

ADDRESS = re.compile(r"here|auto|[\w.\-]+:\d+|\[[0-9a-fA-F:]+\]:\d+")

PROBE_SECONDS = 60.0
"""Seconds in which a node must tell its versions: its first process starts then."""


def is_address(word: str) -> bool:
    """Whether this can be where a cluster is.

    >>> is_address("10.0.0.5:6379"), is_address("auto"), is_address("engine")
    (True, True, False)
    """
    return ADDRESS.fullmatch(word) is not None


@dataclass(frozen=True)
class Stored(Shared):
    """A value in Ray's store: a node fetches it once for all its workers."""

    reference: Any

    def get(self) -> Any:
        import ray

        return ray.get(self.reference)


class Cluster(Workers):
    """A connection to a cluster; use as a context. With the address ``here`` it is started, and ends with the context.

    ``log`` shows what workers print; ``processors`` is how many are used if it is started.
    """

    def __init__(self, address: str = HERE, *, log: bool = False, processors: int | None = None) -> None:
        if not is_address(address):
            raise WorkError(f"--cluster {address!r} is no address: write HOST:PORT, auto, or nothing for this machine")
        self.address = address
        self._ray = _ray(address, log)
        _connect(self._ray, address, log, processors)
        self._own = own_node()

    @property
    def where(self) -> str:
        return "this machine" if self.is_here else self.address

    @property
    def count(self) -> int:
        return sum(node.cpus for node in self.alive())

    def team(self, work: Work[Unit, Found]) -> Team[Unit, Found]:
        return ClusterTeam(self, work)

    def share(self, value: Any) -> Shared:
        return Stored(self._ray.put(value))

    def close(self) -> None:
        self._ray.shutdown()

    # Nodes

    def alive(self) -> list[Node]:
        """The nodes as the cluster lists them, without their versions."""
        found = []
        try:
            listed = self._ray.nodes()
        except Exception as problem:
            raise WorkError(f"the cluster ({self.where}) does not answer: {_first_line(problem)}") from problem
        for one in listed:
            if one["Alive"]:
                has = one["Resources"]
                name = f"{one['NodeManagerHostname']} ({one['NodeManagerAddress']})"
                found.append(Node(one["NodeID"], name, int(has.get("CPU", 0)), int(has.get("GPU", 0))))
        return found

    @property
    def is_here(self) -> bool:
        """Whether this machine is all there is: then nobody needs to be asked for versions or sent kernels."""
        return self.address == HERE

    def own(self, node: Node) -> Node:
        """The node with the versions of this process."""
        return replace(node, **facts()())

    def probe(self, node: Node) -> Any:
        """A reference to a node's versions, which come when it has told them."""
        ask = self._ray.remote(num_cpus=0, max_retries=0)(facts())
        return ask.options(scheduling_strategy=self.only_on(node.id)).remote()

    def nodes(self) -> list[Node]:
        """All nodes, with their versions."""
        if self.is_here:
            return [self.own(node) for node in self.alive()]
        asked = {self.probe(node): node for node in self.alive()}
        self._ray.wait(list(asked), num_returns=len(asked), timeout=PROBE_SECONDS)
        return [self.answered(node, reference, 0.0) for reference, node in asked.items()]

    def answered(self, node: Node, reference: Any, seconds: float | None = None) -> Node:
        """The node with what it has told, or with the reason why it has not."""
        try:
            return replace(node, **self._ray.get(reference, timeout=seconds))
        except self._ray.exceptions.GetTimeoutError:
            return replace(node, problem=f"it has not answered for {PROBE_SECONDS:.0f} s")
        except self._ray.exceptions.RayError as problem:
            return replace(node, problem=_first_line(problem))

    def refusal(self, node: Node) -> str:
        """Why a node cannot be used, in words; '' if it can."""
        return node.refusal(self._own)

    def only_on(self, node: str) -> Any:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        return NodeAffinitySchedulingStrategy(node, soft=False)


def own_node() -> Node:
    """What the process that asks has itself."""
    import numba

    return Node("", "", 0, 0, __version__, platform.python_version(), numba.__version__)


def _ray(address: str, log: bool) -> Any:
    """Ray, with nothing sent to its makers, and bound to this machine if it is started here."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    if address == HERE:
        # Its name is of another purpose, but on every system this keeps all ports on the loopback address.
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
        # No processes beforehand: every worker gets one of its own, and there is nothing else to do.
        os.environ.setdefault("RAY_enable_worker_prestart", "0")
        os.environ.setdefault("RAY_prestart_worker_first_driver", "0")
        # Ray's workers stand back behind all other programs; those of a pool of processes do not.
        os.environ.setdefault("RAY_worker_niceness", "0")
    try:
        import ray
    except ImportError as problem:
        raise MissingExtra("--cluster needs Ray, which is not installed: pip install 'zerosum[cluster]'") from problem
    if not log:
        _hush()
    return ray


def _hush() -> None:
    """Keep Ray from printing about workers that die, on stdout of all places: it is we who say what matters."""
    import ray._private.worker as private

    if hasattr(private, "print_to_stdstream"):
        private.print_to_stdstream = lambda *_, **__: None


def _connect(ray: Any, address: str, log: bool, processors: int | None) -> None:
    options: dict[str, Any] = {"log_to_driver": log, "logging_level": logging.ERROR}
    if address == HERE:
        options |= {"address": "local", "include_dashboard": False, "_node_ip_address": "127.0.0.1"}
        options["num_cpus"] = processors
    else:
        options |= {"address": address}
    try:
        with _without_helpers(log) if address == HERE else nullcontext():
            ray.init(**options)
    except Exception as problem:  # Ray raises plain ones too, as when a node takes longer than 30 s to start
        where = "here" if address == HERE else f"at {address!r}"
        raise WorkError(f"there is no cluster {where} to join: {_first_line(problem)}") from problem


@contextmanager
def _without_helpers(log: bool) -> Iterator[None]:
    """Start a node without the process that asks clouds for machines, and without the reader of logs nobody wants.

    Ray has no option for that, and they take as long to start as all the rest; a Ray that calls them otherwise has
    them.
    """
    from ray._private.node import Node as RayNode

    unwanted = ["start_monitor", "start_api_server", *(["start_log_monitor"] * (not log))]
    kept = {name: getattr(RayNode, name) for name in unwanted if hasattr(RayNode, name)}
    for name in kept:
        setattr(RayNode, name, lambda self, *given, **more: None)
    try:
        yield
    finally:
        for name, method in kept.items():
            setattr(RayNode, name, method)


def _first_line(problem: BaseException) -> str:
    text = " ".join(str(problem).split())
    return text if len(text) <= 200 else f"{text[:199]}…"
