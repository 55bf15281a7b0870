"""Workers of a cluster that is still starting: others on this machine work until its first worker is ready."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from zerosum.working.cluster_team import ClusterTeam
from zerosum.working.team import READY, TICK, Event, Team
from zerosum.working.work import Found, Unit, Work

if TYPE_CHECKING:
    from zerosum.working.cluster import Cluster

GLANCE = 0.02
"""Seconds to wait for early workers, and then for the cluster, while there are both."""


class StartingTeam(Team[Unit, Found]):
    """Early workers, and then those of a cluster on this machine.

    Both would share its processors, so once a worker of the cluster is ready, early ones get no more units. Their
    numbers are negative here; workers of the cluster keep theirs.
    """

    def __init__(self, cluster: Cluster, work: Work[Unit, Found]) -> None:
        super().__init__(work)
        self._cluster = cluster
        self._early: Team[Unit, Found] | None = cluster.early.team(work)
        self._started: ClusterTeam[Unit, Found] | None = None
        self._is_ready = False

    @property
    def preparing(self) -> int:
        early = self._early.preparing if self._early is not None else 0
        return early + (self._started.preparing if self._started is not None else 1)

    @property
    def where(self) -> str:
        team = self._started if self._is_ready else self._early
        return team.where if team is not None else ""

    @property
    def portion(self) -> int:
        return self._started.portion if self._started is not None and self._is_ready else 1

    def refill(self) -> None:
        if self._started is None and self._cluster.has_answered:
            self._started = ClusterTeam(self._cluster, self.work)
        if self._started is not None:
            self._started.refill()
        if self._early is not None:
            if not self._is_ready:
                self._early.refill()
            elif not any(worker < 0 for worker in self.busy):
                self._early.close()
                self._early = None

    def give(self, worker: int, units: Sequence[Unit]) -> None:
        team: Team[Unit, Found] | None = self._early if worker < 0 else self._started
        assert team is not None
        team.give(_other(worker) if worker < 0 else worker, units)

    def events(self) -> Iterable[Event]:
        if self._early is not None:
            self._early.wait = TICK if self._started is None else GLANCE
            yield from self._of_early(self._early.events())
        if self._started is not None:
            self._started.wait = TICK if self._early is None else GLANCE
            yield from self._of_cluster(self._started.events())

    def _of_early(self, events: Iterable[Event]) -> Iterator[Event]:
        for event in events:
            if event.kind == READY:
                self._cluster.begin()  # not before: it would delay them
                if self._is_ready:
                    continue
            yield event._replace(worker=_other(event.worker))

    def _of_cluster(self, events: Iterable[Event]) -> Iterator[Event]:
        for event in events:
            if event.kind == READY:
                self._is_ready = True
                self.free = [worker for worker in self.free if worker >= 0]
            yield event

    def _done(self, worker: int, count: int) -> list[int]:
        numbers = super()._done(worker, count)
        if self._is_ready and worker < 0:
            self.free.remove(worker)  # early workers get one unit at a time, so it has done its last one
        return numbers

    def dismiss(self) -> None:
        for team in (self._early, self._started):
            if team is not None:
                team.close()


def _other(number: int) -> int:
    """The number of an early worker here, for its number in its own team, or the other way round."""
    return -1 - number
