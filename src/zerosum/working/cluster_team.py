"""Workers of a cluster that do one piece of work: a seat for each free processor of each suitable node.

Nodes may join and leave. A node that joins is asked for its versions, gets its seats, and takes part. When a node
leaves, only the units in progress there are lost, and other workers do them.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zerosum.errors import WorkError
from zerosum.jit.notices import say
from zerosum.working.cluster_worker import UNFIT, ClusterWorker
from zerosum.working.nodes import Node, Pace, pace_verdict
from zerosum.working.pickling import pickled
from zerosum.working.team import DONE, LOST, PROBLEM, READY, TOLD, UNDONE, Event, Team
from zerosum.working.work import MOST_DEATHS, Found, Unit, Work

if TYPE_CHECKING:
    from zerosum.working.cluster import Cluster

LOOK_AGAIN = 1.0
"""Seconds between two looks at the list of nodes."""

FAREWELL = 3.0
"""Seconds for workers to clean up."""

GET_READY = 120.0
"""Seconds to wait for workers that are not ready: there may be no free processor for them."""

NODE_DIED = "node has died"
"""Ray's message for a death that has nothing to do with the unit."""

PORTION, MOST_UNITS = 0.5, 64
"""Seconds of work, and maximum number of units, in one message: a message takes some 7 ms of processor time."""

PROBED, OPENED, GIVEN, KERNELS = "probed", "opened", "given", "kernels"


@dataclass
class _Seat:
    """A worker's seat: the actor and its state."""

    actor: Any
    node: Node
    began: float
    is_ready: bool = False
    is_left_out: bool = False
    pace: Pace | None = None
    given: int = 0  # the number of units in the last message

    @property
    def is_preparing(self) -> bool:
        return not (self.is_ready or self.is_left_out) and time.monotonic() - self.began < GET_READY


class ClusterTeam(Team[Unit, Found]):
    """See ``Team``."""

    def __init__(self, cluster: Cluster, work: Work[Unit, Found]) -> None:
        super().__init__(work)
        ray = cluster.ray
        self._ray, self._cluster = ray, cluster
        self._pickled_work = ray.put(pickled(work))
        self._seat = ray.remote(num_cpus=work.cores, max_concurrency=2, max_restarts=0)(ClusterWorker)
        self._seats: dict[int, _Seat] = {}
        self._numbers = itertools.count()
        self._nodes: dict[str, Node] = {}  # the suitable ones
        self._known: set[str] = set()  # nodes that were asked for their versions
        self._awaited: dict[Any, tuple[str, Any]] = {}  # by reference: the kind of answer, and the node or seat
        self._kinds: dict[str, Any] = {}  # kernels by kind of processor; None while a worker compiles them
        self._unfit: dict[str, WorkError] = {}  # by the id of the node
        self._deaths: dict[str, int] = {}  # seats lost before they were ready, by the id of the node
        self._looked = 0.0
        self._unit_seconds: float | None = None  # how long a unit takes, from those done last

    # Nodes and seats

    @property
    def preparing(self) -> int:
        asked = sum(what == PROBED for what, _ in self._awaited.values())
        return asked + sum(seat.is_preparing for seat in self._seats.values())

    @property
    def where(self) -> str:
        ready = [seat for seat in self._seats.values() if seat.is_ready]
        nodes = len({seat.node.id for seat in ready})
        return f"{len(ready)} worker{'s' * (len(ready) != 1)} on {nodes} node{'s' * (nodes != 1)}"

    def refill(self) -> None:
        if time.monotonic() - self._looked < LOOK_AGAIN:
            return
        alive = {node.id: node for node in self._cluster.alive()}
        self._looked = time.monotonic()
        for node in alive.values():
            if node.id not in self._known:
                self._known.add(node.id)
                if self._cluster.is_here:
                    self._welcome(self._cluster.own(node))
                else:
                    self._awaited[self._cluster.probe(node)] = PROBED, node
        for gone in self._nodes.keys() - alive.keys():
            say(f"the node {self._nodes.pop(gone).name} has left the cluster; other workers do its work", True)
        for node in self._nodes.values():
            self._fill(node)
        if self._unfit and not self._nodes and not any(what == PROBED for what, _ in self._awaited.values()):
            raise next(iter(self._unfit.values()))

    def _fill(self, node: Node) -> None:
        """Fill the free seats of a node. The first worker on each kind of processor compiles for all others."""
        if self._kinds.get(node.processor, True) is None:
            return
        there = sum(seat.node.id == node.id for seat in self._seats.values())
        wanted = node.cpus // self.work.cores
        if self._cluster.is_here:
            self._kinds[node.processor] = {}  # all use one cache, and wait for the one that compiles
        elif node.processor not in self._kinds:
            self._kinds[node.processor], wanted = None, min(wanted, there + 1)
        for _ in range(wanted - there):
            self._sit(node)

    def _sit(self, node: Node) -> None:
        actor = self._seat.options(scheduling_strategy=self._cluster.only_on(node.id)).remote()
        number = next(self._numbers)
        self._seats[number] = _Seat(actor, node, time.monotonic())
        reference = actor.open.remote(self._pickled_work, self.work.is_timed, self._kinds[node.processor])
        self._awaited[reference] = OPENED, number

    # Work

    @property
    def portion(self) -> int:
        if self._unit_seconds is None or not self.work.in_portions:
            return 1
        return int(min(max(PORTION / max(self._unit_seconds, 1e-6), 1), MOST_UNITS))

    def give(self, worker: int, units: Sequence[Unit]) -> None:
        seat = self._seats[worker]
        seat.given = len(units)
        self._awaited[seat.actor.do.remote(units, PORTION)] = GIVEN, worker

    def events(self) -> Iterable[Event]:
        yield from self._fast_enough()
        if not self._awaited:
            time.sleep(self.wait)
            return
        # The oldest first; otherwise a quick worker would keep the others waiting.
        ready, _ = self._ray.wait(list(self._awaited), num_returns=1, timeout=self.wait)
        for reference in ready:
            what, of = self._awaited.pop(reference)
            if what == PROBED:
                self._welcome(self._cluster.answered(of, reference))
                continue
            if of not in self._seats:
                continue
            try:
                answer = self._ray.get(reference)
            except self._ray.exceptions.RayError as problem:
                yield from self._lost(of, problem)
                continue
            if what == GIVEN:
                yield from self._given(of, *answer)
            elif what == OPENED:
                yield from self._opened(of, *answer)
            elif what == KERNELS:
                self._kinds[self._seats[of].node.processor] = self._ray.put(answer)
                self._looked = 0.0

    def _welcome(self, node: Node) -> None:
        if not node.cpus:
            return  # a head node that does no work
        refusal = self._cluster.refusal(node)
        if not refusal and node.cpus < self.work.cores:
            refusal = f"it has {node.cpus} processors, but a unit of this work takes {self.work.cores}"
        if refusal:
            self._leave_out(node, WorkError(f"the node {node.name} is not used: {refusal}"))
        else:
            self._nodes[node.id] = node
            self._looked = 0.0

    def _leave_out(self, node: Node, problem: WorkError) -> None:
        if node.id not in self._unfit:
            self._unfit[node.id] = problem
            say(str(problem), True)
        self._nodes.pop(node.id, None)

    def _given(self, worker: int, answers: list[tuple[str, Any, list[Any]]], seconds: float) -> Iterator[Event]:
        latest = seconds / len(answers)
        self._unit_seconds = latest if self._unit_seconds is None else (self._unit_seconds + latest) / 2
        if len(answers) < self._seats[worker].given:
            yield Event(UNDONE, worker, len(answers))
        for _, _, reports in answers:
            for word in reports:
                yield Event(TOLD, worker, word)
        results = [what for kind, what, _ in answers if kind == DONE]
        if results:
            yield Event(DONE, worker, results)
        if len(results) < len(answers):
            yield Event(PROBLEM, worker, answers[-1][1])

    def _opened(self, worker: int, kind: str, what: Any) -> Iterator[Event]:
        seat = self._seats[worker]
        if kind == READY:
            seat.pace = what
            if self._kinds.get(seat.node.processor, True) is None:
                self._awaited[seat.actor.kernels.remote()] = KERNELS, worker
            if not self.work.is_timed:
                seat.is_ready = True
                yield Event(READY, worker)
        elif kind == UNFIT:
            self._forget(worker)
            self._leave_out(seat.node, WorkError(f"the node {seat.node.name} is not used: {what}"))
        else:
            yield Event(PROBLEM, worker, what)

    def _fast_enough(self) -> Iterator[Event]:
        """Yield the workers that are fast enough for games with clocks, once all can be compared."""
        waiting = {number: seat for number, seat in self._seats.items() if not (seat.is_ready or seat.is_left_out)}
        measured = [(number, seat) for number, seat in waiting.items() if seat.pace]
        is_coming = self._looked == 0.0 or None in self._kinds.values() or self.preparing > len(measured)
        if not measured or is_coming:
            return
        fastest = max(seat.pace.speed for seat in self._seats.values() if seat.pace)
        verdicts = {number: pace_verdict(seat.pace, fastest) for number, seat in measured if seat.pace}
        others = any(seat.is_ready for seat in self._seats.values())
        for number, seat in measured:
            fits, text = verdicts[number]
            if not fits and not others and not any(fit for fit, _ in verdicts.values()):
                fits, text = True, f"{text.replace('is left out', 'plays anyway')}, but there is no other"
            if text:
                say(f"a worker on the node {seat.node.name} {text}", True)
            if fits:
                seat.is_ready = True
                yield Event(READY, number)
            else:
                seat.is_left_out = True  # it keeps its seat, so that no other worker is started there

    # Lost workers

    def _lost(self, worker: int, problem: BaseException) -> Iterator[Event]:
        seat = self._forget(worker)
        self._looked = 0.0
        if not seat.is_ready:
            self._deaths[seat.node.id] = self._deaths.get(seat.node.id, 0) + 1
            if self._deaths[seat.node.id] >= MOST_DEATHS:
                self._leave_out(seat.node, WorkError(f"the node {seat.node.name} is not used: workers die there"))
        yield Event(LOST, worker, NODE_DIED not in str(problem))

    def _forget(self, worker: int) -> _Seat:
        seat = self._seats.pop(worker)
        if self._kinds.get(seat.node.processor, True) is None:
            del self._kinds[seat.node.processor]  # another worker compiles
        self._awaited = {ref: what for ref, what in self._awaited.items() if what[0] == PROBED or what[1] != worker}
        return seat

    def dismiss(self) -> None:
        seats = [seat for seat in self._seats.values() if seat.pace is not None]
        try:
            farewells = [seat.actor.stop.remote() for seat in seats]
            if farewells:
                self._ray.wait(farewells, num_returns=len(farewells), timeout=FAREWELL)
            for seat in self._seats.values():
                self._ray.kill(seat.actor)
        except Exception as problem:  # if the cluster is gone, so are its workers
            say(f"the cluster is gone: {' '.join(str(problem).split())[:120]}", True)
        self._seats.clear()
        self._awaited.clear()
