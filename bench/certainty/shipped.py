"""The built-in games, near their ends: the truth is plain minimax, without table or windows."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, NamedTuple

from certainty.cases import HASHES, Case, Step, random_options
from certainty.claims import Truth, exactly
from certainty.worlds import World
from zerosum.game import WIN, Game
from zerosum.games import load
from zerosum.running.crew import Crew
from zerosum.search.minimax import MINIMAX
from zerosum.search.options import SearchOptions
from zerosum.search.worker import Worker

REMEMBERED = 200_000


class Shipped(NamedTuple):
    """A game, and how near its end plain minimax can search everything that is left."""

    game: str
    parameters: dict[str, Any]
    left: Callable[[Any], int]  # how far the end is, in stones or seeds
    near: int  # up to this distance, minimax searches everything
    far: int  # searches start at most this far away


def _discs(s: Any) -> int:
    return 64 - int(s.black | s.white).bit_count()


def _seeds(pits: int, seeds: int) -> Callable[[Any], int]:
    """Return a function that counts the seeds outside the stores."""
    width = (2 * pits * seeds).bit_length()

    def left(s: Any) -> int:
        field = (1 << width) - 1
        return sum(side >> width * pit & field for side in (s.south, s.north) for pit in range(pits))

    return left


def _cells(width: int, height: int) -> Callable[[Any], int]:
    return lambda s: width * height - int(s.filled).bit_count()


SHIPPED = {
    "tictactoe": Shipped("tictactoe", {}, lambda s: 9, 9, 9),
    "nim": Shipped("nim", {"heaps": "2,3,4"}, lambda s: 9, 9, 9),
    "connect-four-small": Shipped("connect-four", {"width": 4, "height": 4}, _cells(4, 4), 9, 12),
    "connect-four": Shipped("connect-four", {}, _cells(7, 6), 8, 12),
    "kalah": Shipped("kalah", {"pits": 3, "seeds": 2}, _seeds(3, 2), 9, 12),
    "othello": Shipped("othello", {}, _discs, 6, 9),
}


class EndWorld(World):
    """A game whose last moves minimax searches completely; the truth of earlier positions is unknown."""

    def __init__(self, shipped: Shipped, game: Game | None = None) -> None:
        self.shipped = shipped
        self.game = game or loaded(shipped.game, tuple(shipped.parameters.items()))
        self.known: dict[Any, Truth] = {}

    def alone(self, s: Any) -> Truth | None:
        found = self.known.get(s)
        if found is None:
            if self.shipped.left(s) > self.shipped.near:
                return None
            if len(self.known) > REMEMBERED:
                self.known.clear()
            found = self.known[s] = self._minimax(s)
        return found

    def _minimax(self, s: Any) -> Truth:
        game = self.game
        legal = game.legal_moves(s)
        if not legal:
            utility = int(game.utility(s))
            return exactly(utility if game.scored else WIN * ((utility > 0) - (utility < 0)))
        worker = _minimax_worker(game)
        worker.begin(s, None, 0, None)
        found = worker.run(legal, 100)
        assert found.proven, f"minimax does not see the end of {game.format_state(s)}"
        return exactly(int(found.value))


@cache
def loaded(name: str, parameters: tuple[tuple[str, Any], ...]) -> Game:
    return load(name, **dict(parameters))


@cache
def _minimax_worker(game: Game) -> Worker:
    return Worker(Crew(MINIMAX, game)[0], SearchOptions.none().for_game(game))


@cache
def world_of_game(name: str) -> EndWorld:
    return EndWorld(SHIPPED[name])


def random_case(name: str, rng: Random) -> Case:
    """Return searches at several points of one random game, near its end, by one engine."""
    world = world_of_game(name)
    shipped, game = world.shipped, world.game
    late = _late(shipped, game, rng)
    jit = rng.random() >= 0.05
    steps = []
    for _ in range(rng.randint(1, 16 if jit else 3)):
        s = rng.choice(late) if jit else late[-1]
        for _ in range(rng.randint(0, 2)):  # off the line, where the table has some entries
            after = game.successor(s, rng.choice(game.legal_moves(s)))
            s = s if game.is_over(after) else after
        steps.append(random_step(rng, game.state_type.words(s), jit, 0.25))
    options = random_options(rng, game.has)
    threads = rng.choices((1, 2, 4), (6, 2, 1))[0] if jit else 1
    subject = {"walks": rng.randrange(1 << 30)}
    return Case(f"game:{name}", subject, steps, options, threads, rng.choice(HASHES), jit)


def _late(shipped: Shipped, game: Game, rng: Random) -> list[Any]:
    """Return the last positions of a random game that lasts long enough to come near its end."""
    while True:
        s, late, spared = game.start(), [], rng.random() < 0.5
        while not game.is_over(s):
            if shipped.left(s) <= shipped.far:
                late.append(s)
            legal = game.legal_moves(s)
            if spared and len(legal) > 1:
                # Half of the games leave the first cell empty: keys fail there, where a seed can cancel the lowest bit.
                legal = [move for move in legal if move != 0]
            going_on = [move for move in legal if not game.is_over(game.successor(s, move))]
            s = game.successor(s, rng.choice(going_on or legal))
        if late:
            return late


def random_step(rng: Random, start: list[int], jit: bool, seconds: float, moves: list[int] | None = None) -> Step:
    """Return a search or a solve with some limit; a solve takes at most ``seconds``."""
    moves = moves or []
    if rng.random() < 0.02:
        return Step("clear")
    if rng.random() < 0.4:
        return Step("solve", start, moves, seconds=seconds)
    most = 20_000 if jit else 500
    nodes = rng.choice((most, most, 10, 100, 1_000))
    return Step(
        "search", start, moves, rng.choice((None, None, 2, 4, 6, 9)), min(nodes, most), None, rng.choice((1, 1, 1, 2))
    )


def world_of(case: Case) -> World:
    return world_of_game(case.world.partition(":")[2])
