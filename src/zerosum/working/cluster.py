"""Workers on the nodes of a Ray cluster, or on this machine alone.

Anyone who can reach Ray's ports can run any program. A cluster that is started here is bound to this machine; for
several machines see docs/cluster.md.
"""

from __future__ import annotations

import logging
import os
import platform
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from zerosum import __version__
from zerosum.errors import MissingExtra, WorkError
from zerosum.processors import usable_processors
from zerosum.working.cluster_team import ClusterTeam
from zerosum.working.nodes import Node, facts
from zerosum.working.sharing import Shared
from zerosum.working.starting_team import StartingTeam
from zerosum.working.team import Team, Workers
from zerosum.working.threads import Threads
from zerosum.working.work import Found, Unit, Work

HERE = "here"
"""The address of a cluster that is started on this machine for one command."""

ADDRESS = re.compile(r"here|auto|[\w.\-]+:\d+|\[[0-9a-fA-F:]+\]:\d+")

KNOCK = 10.0
"""Seconds in which the machine at an address must answer."""

GIVEN_UP = 10.0
"""Seconds to wait for a connection that is no longer needed: it would leave processes behind."""

PROBE_SECONDS = 60.0
"""Seconds in which a node must report its versions, including the start of its first process."""


def is_address(word: str) -> bool:
    """Whether this can be the address of a cluster.

    >>> is_address("10.0.0.5:6379"), is_address("auto"), is_address("engine")
    (True, True, False)
    """
    return ADDRESS.fullmatch(word) is not None


@dataclass(frozen=True)
class Stored(Shared):
    """A value in Ray's object store: a node fetches it once for all its workers."""

    reference: Any

    def get(self) -> Any:
        import ray

        return ray.get(self.reference)


class LaterStored(Shared):
    """A value that goes to Ray's object store when it is first sent to a worker of a cluster. Threads read it here."""

    def __init__(self, value: Any, cluster: Cluster) -> None:
        self._value, self._cluster = value, cluster
        self._reference: Any = None

    def get(self) -> Any:
        return self._value

    def __reduce__(self) -> tuple[Any, ...]:
        if self._reference is None:
            self._reference = self._cluster.ray.put(self._value)
        return Stored, (self._reference,)


class Cluster(Workers):
    """A connection to a cluster. Use as a context manager. With the address ``here``, a cluster is started and ended.

    It is made in the background, which takes seconds; whatever needs it waits, and raises WorkError if it fails.
    ``log`` shows what workers print. A cluster that is started has this many ``processors``; by default, all that this
    process may use. While it starts, ``early`` workers of this machine do the work, unless there are clocks. They must
    be threads if units contain shared values.
    """

    def __init__(
        self, address: str = HERE, *, log: bool = False, processors: int | None = None, early: Workers | None = None
    ) -> None:
        if not is_address(address):
            raise WorkError(
                f"--cluster {address!r} is not an address: write HOST:PORT, auto, or nothing for this machine"
            )
        if find_spec("ray") is None:
            raise MissingExtra("--cluster needs Ray, which is not installed: pip install 'zerosum[cluster]'")
        self.address = address
        self.processors = processors or usable_processors()
        self.early = early or Threads(self.processors)
        self._own = own_node()
        self._found: Any = None
        self._problem: BaseException | None = None
        self._connected, self._closed = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._connect, args=(log,), name="zerosum-cluster", daemon=True)
        if not self.is_here:
            self.begin()

    def begin(self) -> None:
        """Begin to connect. A cluster here is started when it is needed, so that it does not delay early workers."""
        if self._thread.ident is None:
            self._thread.start()

    def _connect(self, log: bool) -> None:
        try:
            ray = _ray(self.address, log)
            _connect(ray, self.address, log, self.processors)
            self._found = ray
        except BaseException as problem:
            self._problem = problem
        self._connected.set()
        self._closed.wait()  # on Linux, Ray's processes end with the thread that has started them

    @property
    def ray(self) -> Any:
        """The ray module, connected to the cluster. Never use it before: it would start a cluster of its own."""
        self.begin()
        self._connected.wait()
        if self._problem is not None:
            raise self._problem
        return self._found

    @property
    def has_answered(self) -> bool:
        """Whether the connection has been made, or has failed."""
        return self._connected.is_set()

    @property
    def is_connected(self) -> bool:
        return self.is_here or self.has_answered

    @property
    def where(self) -> str:
        return "this machine" if self.is_here else self.address

    @property
    def count(self) -> int:
        return self.processors if self.is_here else sum(node.cpus for node in self.alive())

    @property
    def per_machine(self) -> int:
        return self.processors if self.is_here else max((node.cpus for node in self.alive()), default=0)

    def team(self, work: Work[Unit, Found]) -> Team[Unit, Found]:
        if self.is_here and not work.is_timed and not self.has_answered:
            return StartingTeam(self, work)
        return ClusterTeam(self, work)

    def share(self, value: Any) -> Shared:
        return Stored(self.ray.put(value)) if self.has_answered else LaterStored(value, self)

    def close(self) -> None:
        if self._thread.ident is not None:
            self._connected.wait(GIVEN_UP)
        if self._found is not None:
            self._found.shutdown()
        self._closed.set()

    # Nodes

    def alive(self) -> list[Node]:
        """The nodes as the cluster lists them, without their versions."""
        found, ray = [], self.ray
        try:
            listed = ray.nodes()
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
        """Whether the cluster is this machine alone: then versions need no check, and kernels need not be sent."""
        return self.address == HERE

    def own(self, node: Node) -> Node:
        """The node with the versions of this process."""
        return replace(node, **facts()())

    def probe(self, node: Node) -> Any:
        """A reference to a node's versions, which are available when it has reported them."""
        ask = self.ray.remote(num_cpus=0, max_retries=0)(facts())
        return ask.options(scheduling_strategy=self.only_on(node.id)).remote()

    def nodes(self) -> list[Node]:
        """All nodes, with their versions."""
        if self.is_here:
            return [self.own(node) for node in self.alive()]
        asked = {self.probe(node): node for node in self.alive()}
        self.ray.wait(list(asked), num_returns=len(asked), timeout=PROBE_SECONDS)
        return [self.answered(node, reference, 0.0) for reference, node in asked.items()]

    def answered(self, node: Node, reference: Any, seconds: float | None = None) -> Node:
        """The node with the versions it reported, or with the reason why it did not."""
        try:
            return replace(node, **self.ray.get(reference, timeout=seconds))
        except self.ray.exceptions.GetTimeoutError:
            return replace(node, problem=f"it has not answered for {PROBE_SECONDS:.0f} s")
        except self.ray.exceptions.RayError as problem:
            return replace(node, problem=_first_line(problem))

    def refusal(self, node: Node) -> str:
        """Why a node cannot be used, in words; '' if it can."""
        return node.refusal(self._own)

    def only_on(self, node: str) -> Any:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        return NodeAffinitySchedulingStrategy(node, soft=False)


def own_node() -> Node:
    """The versions of this process."""
    return Node("", "", 0, 0, __version__, platform.python_version(), version("numba"))


def _ray(address: str, log: bool) -> Any:
    """The ray module, without usage statistics, and bound to this machine if a cluster is started here."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    if address == HERE:
        # Despite its name, this keeps all ports on the loopback address, on every system.
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
        # Start no processes in advance: every worker gets its own, and nothing else needs one.
        os.environ.setdefault("RAY_enable_worker_prestart", "0")
        os.environ.setdefault("RAY_prestart_worker_first_driver", "0")
        # By default, Ray's workers run at a lower priority than other programs; those of a process pool do not.
        os.environ.setdefault("RAY_worker_niceness", "0")
        # Otherwise the end waits a quarter of a second for statistics about what was done, which nobody reads.
        os.environ.setdefault("RAY_task_events_report_interval_ms", "0")
    import ray

    if not log:
        _hush()
    return ray


def _hush() -> None:
    """Keep Ray from printing to stdout about workers that die: zerosum reports what matters."""
    import ray._private.worker as private

    if hasattr(private, "print_to_stdstream"):
        private.print_to_stdstream = lambda *_, **__: None


def _connect(ray: Any, address: str, log: bool, processors: int) -> None:
    options: dict[str, Any] = {"log_to_driver": log, "logging_level": logging.ERROR}
    if address == HERE:
        options |= {"address": "local", "include_dashboard": False, "_node_ip_address": "127.0.0.1"}
        options["num_cpus"] = processors
    else:
        options |= {"address": address}
    try:
        _check_reachable(address)
        with _without_helpers(log) if address == HERE else nullcontext():
            ray.init(**options)
    except Exception as problem:  # Ray also raises plain ones, for example if a node takes longer than 30 s to start
        where = "here" if address == HERE else f"at {address!r}"
        raise WorkError(f"could not join a cluster {where}: {_first_line(problem)}") from problem


def _check_reachable(address: str) -> None:
    """Raise OSError if nothing listens at HOST:PORT, which Ray would take minutes to find out."""
    host, colon, port = address.rpartition(":")
    if colon:
        socket.create_connection((host.strip("[]"), int(port)), KNOCK).close()


@contextmanager
def _without_helpers(log: bool) -> Iterator[None]:
    """Start a node without the autoscaler, the API server and, unless ``log`` is set, the log monitor.

    Ray has no option for this, and they take as long to start as everything else. In a version of Ray that names them
    differently, they are started.
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
