"""All classes of cases by name, with the functions that create their cases and worlds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from certainty import endings, graph_cases, shipped, suites
from certainty.cases import Case, case_rng, proof_options
from certainty.graphs import KINDS
from certainty.worlds import World

CLASSES = (
    *(f"graph:{name}" for name in KINDS),
    *(f"game:{name}" for name in shipped.SHIPPED),
    *(f"ending:{name}" for name in endings.ENDINGS),
    "suite:pons",
    "suite:ffo",
)


@dataclass(frozen=True)
class Places:
    """The folders of databases and of published positions."""

    folder: Path
    data: Path = suites.DATA
    quick: bool = True  # compute the truth about graphs in compiled code
    proofs: bool = False  # use proof-number search in all cases

    def case(self, world: str, seed: int, number: int) -> Case:
        """Return the case with this number: always the same for a class and seed."""
        rng = case_rng(world, seed, number)
        case = self._case(world, rng)
        return replace(case, options=proof_options(rng)) if self.proofs else case

    def _case(self, world: str, rng: Random) -> Case:
        room, _, name = world.partition(":")
        if room == "graph":
            return graph_cases.random_case(name, rng)
        if room == "game":
            return shipped.random_case(name, rng)
        if room == "ending":
            return endings.random_case(name, rng, self.folder)
        return suites.random_case(name, rng, self.data)

    def world(self, case: Case) -> World:
        room = case.world.partition(":")[0]
        if room == "graph":
            return graph_cases.world_of(case, self.quick)
        if room == "game":
            return shipped.world_of(case)
        if room == "ending":
            return endings.world_of(case, self.folder)
        return suites.world_of(case, self.data)

    def missing(self, world: str) -> str:
        """Return why a class cannot run here, or "" if it can."""
        room, _, name = world.partition(":")
        return suites.available(name, self.data) if room == "suite" else ""
