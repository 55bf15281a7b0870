"""zerosum games as PettingZoo environments: agents move in turn (AEC), with masks of legal actions."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

from zerosum.errors import LimitError, MissingExtra, MoveError
from zerosum.game import CHANCE, MAX, MIN, Game
from zerosum.games import load
from zerosum.neighbours.actions import Actions, observation, observation_size
from zerosum.neighbours.game_in_progress import LONGEST, GameInProgress

AGENTS = {MAX: "player_0", MIN: "player_1"}
RENDER_MODES = ("human", "ansi")

ILLEGAL_REWARD = -1.0
"""The reward for an illegal action, which ends the game: PettingZoo's convention."""


def pettingzoo_env(
    game: Game | str | Path,
    *,
    render_mode: str | None = None,
    actions: str | None = None,
    observe: str | None = None,
    longest: int = LONGEST,
    **parameters: Any,
) -> Any:
    """Convert a zerosum game, or anything that ``zerosum.load`` takes, to an ``AECEnv``.

    ``player_0`` is MAX. An observation is ``{"observation": …, "action_mask": …}``, from its agent's point of view.
    ``actions`` and ``observe`` are those of ``VectorEnv``. The environment rolls the dice, with the seed of ``reset``.
    After ``longest`` plies a game is truncated. ``render_mode`` is ``"ansi"``, which returns a text, or ``"human"``,
    which prints it.
    """
    try:
        from pettingzoo.utils import wrappers
    except ImportError as problem:
        raise MissingExtra(f"PettingZoo is not installed ({problem}): pip install 'zerosum[pettingzoo]'") from problem
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise LimitError(f"render_mode must be 'human' or 'ansi', not {render_mode!r}")
    if not isinstance(longest, int) or longest < 1:
        raise LimitError(f"longest must be a whole number of at least 1, not {longest!r}")
    env = _env_class()(load(game, **parameters), render_mode, actions, observe, longest)
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


@cache
def _env_class() -> type:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv

    class ZerosumEnv(AECEnv):  # type: ignore[misc]
        """One game, one agent at a time."""

        def __init__(
            self, game: Game, render_mode: str | None, actions: str | None, observe: str | None, longest: int
        ) -> None:
            super().__init__()
            self.game, self.render_mode, self.longest = game, render_mode, longest
            self.metadata = {
                "render_modes": list(RENDER_MODES),
                "name": f"zerosum_{game.name}_v0",
                "is_parallelizable": False,
            }
            self.actions = Actions.of(game, actions)
            self.kind, size = observation_size(game, observe)
            self.possible_agents = list(AGENTS.values())
            seen = spaces.Box(0, 1, (size,), np.int8)
            mask = spaces.Box(0, 1, (self.actions.count,), np.int8)
            both = {agent: spaces.Dict({"observation": seen, "action_mask": mask}) for agent in self.possible_agents}
            self.observation_spaces = both
            self.action_spaces = {agent: spaces.Discrete(self.actions.count) for agent in self.possible_agents}
            self.dice = random.Random()

        def observation_space(self, agent: str) -> Any:
            return self.observation_spaces[agent]

        def action_space(self, agent: str) -> Any:
            return self.action_spaces[agent]

        def reset(self, seed: int | None = None, options: Any = None) -> None:
            if seed is not None:
                self.dice = random.Random(seed)
            self.agents = self.possible_agents[:]
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
            self.terminations = dict.fromkeys(self.agents, False)
            self.truncations = dict.fromkeys(self.agents, False)
            self.infos: dict[str, Any] = {agent: {} for agent in self.agents}
            self._settle(GameInProgress.begin(self.game))

        def step(self, action: Any) -> None:
            agent = self.agent_selection
            if self.terminations[agent] or self.truncations[agent]:
                self._was_dead_step(action)
                return
            if action not in self.legal_actions:
                some = ", ".join(map(str, self.legal_actions[:8]))
                raise MoveError(f"{action!r} is not a legal action here; legal: {some}")
            self._cumulative_rewards[agent] = 0.0
            self._settle(self.current.after(self.game, self.actions.move(int(action), self.legal)))
            self._accumulate_rewards()
            if self.render_mode == "human":
                self.render()

        def _settle(self, current: GameInProgress) -> None:
            """Roll the dice until a player is to move or the game is over; then set agent, rewards and flags."""
            game = self.game
            while (legal := current.legal(game)) and current.plies < self.longest and game.mover(current.s) == CHANCE:
                current = current.after(game, game.roll(current.s, self.dice))
            self.current, self.legal = current, legal
            self.legal_actions: list[int] = []
            if not legal:
                value = current.value(game)
                self.rewards = {AGENTS[MAX]: value, AGENTS[MIN]: -value}
                self.terminations = dict.fromkeys(self.agents, True)
            elif current.plies >= self.longest:
                self.truncations = dict.fromkeys(self.agents, True)
            else:
                self.legal_actions = self.actions.of_moves(legal)
            player = game.mover(current.s)
            self.agent_selection = AGENTS[MAX if player == CHANCE else player]

        def observe(self, agent: str) -> Any:
            player = MAX if agent == AGENTS[MAX] else MIN
            mask = np.zeros(self.actions.count, np.int8)
            if agent == self.agent_selection:
                mask[self.legal_actions] = 1
            seen = observation(self.game, self.kind, self.current.s, player).view(np.int8)
            return {"observation": seen, "action_mask": mask}

        def render(self) -> str | None:
            text = self.game.show(self.current.s)
            if self.render_mode == "human":
                print(text)
                return None
            return text

        def close(self) -> None:
            """Do nothing: no resources are held."""

    return ZerosumEnv
