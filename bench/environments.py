"""Many games stepped by random agents: zerosum's VectorEnv, Pgx and OpenSpiel, on one core of the processor.

All sides play random legal moves, restart finished games, and return observations, rewards and legal actions after
every step, except "OpenSpiel, moves only", which lists and makes moves and does nothing else. Pgx draws its moves
inside its compiled function, up to a hundred steps per call, which suits it best; zerosum's are drawn by NumPy, with a
call for every step. Times are processor time, and everything is bound to one core, so a busy machine matters little.
Compiling does not count. Steps per game show whether all sides play the same game.

The observations differ: zerosum returns the features that a game defines (``active``) or the bits of its State, the
others return planes of the board, Pgx in chess with the seven previous positions. In backgammon a step is a whole play
in zerosum, the move of one checker in Pgx, and of two in OpenSpiel.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from timing import interleaved, machine, speed_ratio

# Bind to one core before JAX counts the cores.
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
os.environ.setdefault("JAX_PLATFORMS", "cpu")

from zerosum.neighbours import VectorEnv


class Rival(NamedTuple):
    """A game by its names, the number of games at once, and its steps a round: in zerosum, in Pgx, in OpenSpiel."""

    ours: str
    pgx: str
    openspiel: str
    count: int
    steps: tuple[int, int, int]


GAMES = [
    Rival("tictactoe", "tic_tac_toe", "tic_tac_toe", 4096, (400, 200, 20_000)),
    Rival("connect-four", "connect_four", "connect_four", 4096, (400, 100, 20_000)),
    Rival("othello", "othello", "othello", 4096, (200, 100, 10_000)),
    Rival("chess", "chess", "chess", 256, (200, 20, 2_000)),
    Rival("backgammon", "backgammon", "backgammon", 1024, (100, 20, 4_000)),
]

INSIDE = 100
"""The most steps of Pgx in one call."""

VECTOR = 64
"""Environments in OpenSpiel's SyncVectorEnv."""

Side = Callable[[], tuple[int, int]]
"""Plays one round; returns the number of steps, and of games that ended."""


def zerosum_side(rival: Rival) -> Side:
    import numpy as np

    envs, rng = VectorEnv(rival.ours, rival.count, auto_reset=True), np.random.default_rng(1)
    envs.reset()

    def play() -> tuple[int, int]:
        ended = 0
        for _ in range(rival.steps[0]):
            step = envs.step(envs.sample(rng))
            ended += int(step.terminated.sum() + step.truncated.sum())
        return rival.steps[0] * rival.count, ended

    return play


def pgx_side(rival: Rival) -> Side:
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    inside = min(INSIDE, rival.steps[1])
    env = pgx.make(rival.pgx)  # type: ignore[arg-type]
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(carry: Any, key: Any) -> tuple[Any, None]:
        state, ended = carry
        draw, dice = jax.random.split(key)
        chances = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        state = step(state, jax.random.categorical(draw, chances, axis=1), jax.random.split(dice, rival.count))
        return (state, ended + (state.terminated | state.truncated).sum()), None

    @jax.jit
    def many(state: Any, key: Any) -> Any:
        return jax.lax.scan(one, (state, jnp.int32(0)), jax.random.split(key, inside))[0]

    keys = jax.random.split(jax.random.PRNGKey(0), rival.count)
    now = [jax.jit(jax.vmap(env.init))(keys), jax.random.PRNGKey(1)]
    jax.block_until_ready(many(now[0], now[1]))  # compiles

    def play() -> tuple[int, int]:
        total = 0
        for _ in range(rival.steps[1] // inside):
            now[1], key = jax.random.split(now[1])
            now[0], ended = many(now[0], key)
            total += int(ended)
        jax.block_until_ready(now[0])
        return rival.steps[1] // inside * inside * rival.count, total

    return play


def openspiel_moves(rival: Rival) -> Side:
    """Drive OpenSpiel states from Python: list and make moves, nothing else."""
    import pyspiel

    rules, dice = pyspiel.load_game(rival.openspiel), random.Random(1)
    now = [rules.new_initial_state()]

    def play() -> tuple[int, int]:
        done = ended = 0
        state = now[0]
        while done < rival.steps[2]:
            if state.is_terminal():
                state, ended = rules.new_initial_state(), ended + 1
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(dice.choices(outcomes, chances)[0])
                continue
            state.apply_action(dice.choice(state.legal_actions()))
            done += 1
        now[0] = state
        return done, ended

    return play


def openspiel_vector(rival: Rival) -> Side:
    """Step OpenSpiel's vectorised environment, with observations."""
    from open_spiel.python import rl_agent, rl_environment
    from open_spiel.python.vector_env import SyncVectorEnv

    envs = SyncVectorEnv([rl_environment.Environment(rival.openspiel) for _ in range(VECTOR)])
    dice, now = random.Random(1), [envs.reset()]

    def play() -> tuple[int, int]:
        total, rounds = 0, max(1, rival.steps[2] // VECTOR // 4)
        for _ in range(rounds):
            seen = [step.observations for step in now[0]]
            chosen = [dice.choice(one["legal_actions"][one["current_player"]]) for one in seen]
            outputs = [rl_agent.StepOutput(action=action, probs=[]) for action in chosen]
            now[0], _, done, _ = envs.step(outputs, reset_if_done=True)
            total += sum(done)
        return rounds * VECTOR, total

    return play


SIDES = {
    "zerosum": zerosum_side,
    "Pgx": pgx_side,
    "OpenSpiel, moves only": openspiel_moves,
    "OpenSpiel, SyncVectorEnv": openspiel_vector,
}


def compare(rival: Rival, repeats: int) -> None:
    ready: dict[str, Side] = {}
    for name, make in SIDES.items():
        try:
            ready[name] = make(rival)
        except ImportError as problem:
            print(f"{rival.ours}: {name} skipped, {problem}", flush=True)
    steps: dict[str, list[int]] = {name: [] for name in ready}
    ended: dict[str, list[int]] = {name: [] for name in ready}

    def side(name: str) -> Callable[[], float]:
        def run() -> float:
            begun = time.process_time()
            made, over = ready[name]()
            taken = time.process_time() - begun
            steps[name].append(made)
            ended[name].append(over)
            return taken / made

        return run

    times = interleaved({name: side(name) for name in ready}, repeats)
    print(f"\n{rival.ours}, {rival.count:,} games at once")
    for name, each in times.items():
        share = sum(ended[name]) / sum(steps[name])
        print(f"  {name}: {1 / min(each):,.0f} steps/s, {share / min(each):,.0f} games/s", end="")
        print(f" ({1 / share:.1f} steps a game)" if share else " (no game ended)")
    for name in times:
        if name != "zerosum":
            print(f"    zerosum / {name}: {speed_ratio(times, 'zerosum', name)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--games", nargs="*", default=[rival.ours for rival in GAMES])
    asked = parser.parse_args()
    print(machine())
    for rival in GAMES:
        if rival.ours in asked.games:
            compare(rival, asked.repeats)


if __name__ == "__main__":
    main()
