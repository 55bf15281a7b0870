"""Step thousands of games with one compiled call, with NumPy arrays as input and output.

>>> import numpy as np
>>> envs = VectorEnv("tictactoe", 3, jit=False)
>>> envs.reset().masks.sum(axis=1)
array([9, 9, 9])
>>> step = envs.step(np.array([4, 0, 8]))
>>> step.masks[0].astype(int)
array([1, 1, 1, 1, 0, 1, 1, 1, 1])
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from zerosum.errors import LimitError, MoveError
from zerosum.game import Game
from zerosum.games import load
from zerosum.jit.bits import mix
from zerosum.jit.row import Row
from zerosum.jit.target import target_for
from zerosum.neighbours import stepping
from zerosum.neighbours.actions import OBSERVATIONS, Actions, observation_size
from zerosum.neighbours.game_in_progress import LONGEST
from zerosum.running.crew import Crew
from zerosum.search.limits import check_threads

PORTIONS = 4
"""Pieces of work per thread; small enough that no thread waits long for another."""


class Step(NamedTuple):
    """The result of a step of n games: arrays with one row, or one number, per game.

    Attributes:
        observations: n × size bytes, 0 or 1, from the point of view of the player to move; zeros if the game is over.
        rewards: the utility for MAX of a game that this step ended, otherwise 0.
        terminated: whether this step ended the game by its rules.
        truncated: whether the game was cut off after ``longest`` plies.
        masks: n × actions, whether each action is legal; none is if the game is over.
    """

    observations: Any
    rewards: Any
    terminated: Any
    truncated: Any
    masks: Any


class VectorEnv:
    """Many instances of one game, which all make a move in each step.

    Args:
        game: a Game, or anything that ``zerosum.load`` takes.
        count: number of games.
        seed: seed of the dice. Equal seeds and actions give equal games, whatever ``threads``.
        threads: number of threads.
        auto_reset: in the same step, restart a game that ends: rewards and flags belong to the old game, observations
            and masks to the new one. Without it, finished games stay as they are, and their actions are ignored.
        actions: ``"moves"``: an action is a move, if the game declares ``actions``; ``"places"``: it is the index of
            the move in the list of legal moves. The default is moves if possible.
        observe: ``"active"``, the game's own features; ``"bits"``, all bits of the State; ``"nothing"``. The
            default is the first if the game has it.
        longest: plies after which a game is truncated.
        copy: False returns the arrays that the next step overwrites, which is faster.
        jit: False runs everything uncompiled.
        parameters: parameters of the game, as for ``zerosum.load``.

    Attributes:
        players: the side to move in each game, MAX or MIN.
        counts, moves: the number of legal moves of each game, and the moves; entries beyond that number are stale.
        words: the States, n × words.
    """

    def __init__(
        self,
        game: Game | str | Path,
        count: int,
        *,
        seed: int = 0,
        threads: int = 1,
        auto_reset: bool = False,
        actions: str | None = None,
        observe: str | None = None,
        longest: int = LONGEST,
        copy: bool = True,
        jit: bool = True,
        **parameters: Any,
    ) -> None:
        import numpy as np

        self.game = game = load(game, **parameters)
        for name, number, most in (("count", count, 2**24), ("longest", longest, 2**20)):
            if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= most:
                raise LimitError(f"{name} must be a whole number from 1 to {most}, not {number!r}")
        self.count, self.copy = count, copy
        self.threads, self.longest = check_threads(threads), longest
        self.actions = Actions.of(game, actions)
        self.observe, self.observation_size = observation_size(game, observe)
        target = target_for(game, jit)
        size, mask_words, seen_words = game.state_type.size, -(-self.actions.count // 8), -(-self.observation_size // 8)
        sizes = dict.fromkeys(("chosen", "dice", "plies", "since", "noted", "flags", "rewards", "movers", "counts"), 1)
        sizes |= {"states": size, "moves": game.max_moves, "masks": mask_words, "seen": seen_words}
        sizes["keys"] = longest + 1 if game.repetition else 0
        try:
            self._rows = {name: Row(count * each, target) for name, each in sizes.items()}
        except MemoryError as problem:
            needed = 8 * count * sum(sizes.values()) >> 20
            raise LimitError(f"not enough memory for {count:,} games of {game.name}: {needed:,} MB needed") from problem
        self._crew = Crew(stepping.STEP, game, self.threads, target)
        self._crew.put(
            **{f"{name}_at": row.address for name, row in self._rows.items()},
            resets=int(auto_reset),
            longest=longest,
            actions=self.actions.count if self.actions.are_moves else 0,
            observed=OBSERVATIONS.index(self.observe),
            mask_words=mask_words,
            seen_words=seen_words,
        )
        first = game.start()
        for member in self._crew:
            member.put_state(first)
        self._portion = count if threads == 1 else max(1, -(-count // (PORTIONS * threads)))
        self._is_begun = False
        self._numbers = np.arange(count)
        self._sow(seed)

    def __repr__(self) -> str:
        return f"<VectorEnv of {self.count:,} × {self.game.name}>"

    def reset(self, seed: int | None = None) -> Step:
        """Restart all games; with a ``seed``, reseed the dice too."""
        if seed is not None:
            self._sow(seed)
        self._run(anew=1)
        self._is_begun = True
        return self._step()

    def step(self, actions: Any) -> Step:
        """Play one action in each game, then roll dice until a player is to move.

        Raises MoveError if one of the actions is illegal; then no game has moved.
        """
        import numpy as np

        chosen = np.asarray(actions)
        if not self._is_begun:
            raise LimitError("the games have not been started: call reset() before step()")
        if chosen.shape != (self.count,) or chosen.dtype.kind not in "iu":
            kind = f"{chosen.dtype} of shape {chosen.shape}"
            raise LimitError(f"actions must be whole numbers, one for each of {self.count} games, not {kind}")
        chosen = chosen.astype(np.int64, copy=False)
        self._check(chosen)
        row = self._rows["chosen"].row
        row[:] = chosen if not isinstance(row, list) else chosen.tolist()
        self._run(anew=0)
        return self._step()

    def sample(self, rng: Any) -> Any:
        """A random legal action for each game, from a NumPy generator; 0 if the game is over."""
        import numpy as np

        places = (rng.random(self.count) * self.counts).astype(np.int64)
        return self.moves[self._numbers, places] if self.actions.are_moves else places

    def state(self, number: int) -> Any:
        """The State of one game."""
        return self.game.state_type.from_words(self.words[number].tolist())

    def move(self, number: int, action: int) -> int:
        """The move that an action stands for in one game now."""
        return action if self.actions.are_moves else int(self.moves[number, action])

    @property
    def players(self) -> Any:
        return self._array("movers")

    @property
    def counts(self) -> Any:
        return self._array("counts")

    @property
    def moves(self) -> Any:
        return self._array("moves", self.game.max_moves)

    @property
    def words(self) -> Any:
        return self._array("states", self.game.state_type.size)

    def _check(self, chosen: Any) -> None:
        """Raise MoveError unless every unfinished game has a legal action."""
        import numpy as np

        masks, is_over = self._bytes("masks", self.actions.count), self._array("counts") == 0
        if chosen.min() >= 0 and chosen.max() < self.actions.count:
            legal = masks[self._numbers, chosen].astype(bool) | is_over
        else:
            within = (chosen >= 0) & (chosen < self.actions.count)
            legal = masks[self._numbers, np.where(within, chosen, 0)].astype(bool) & within | is_over
        if not legal.all():
            first = int(legal.argmin())
            some = np.flatnonzero(masks[first])
            listed = ", ".join(map(str, some[:8])) + (", …" if len(some) > 8 else "")
            raise MoveError(f"game {first}: {int(chosen[first])} is not a legal action here; legal: {listed}")

    def _sow(self, seed: int) -> None:
        if not isinstance(seed, int) or isinstance(seed, bool):
            raise LimitError(f"seed must be a whole number, not {seed!r}")
        self._rows["dice"].row[:] = [mix(seed, i) for i in range(self.count)]

    def _run(self, anew: int) -> None:
        self._crew.put(anew=anew)
        self._crew.do_now(self.count, self._portion)

    def _step(self) -> Step:
        import numpy as np

        flags = self._array("flags")
        found = Step(
            self._bytes("seen", self.observation_size),
            self._array("rewards").view(np.float64),
            flags == stepping.TERMINATED,
            flags == stepping.TRUNCATED,
            self._bytes("masks", self.actions.count).view(np.bool_),
        )
        return Step(*(array.copy() for array in found)) if self.copy else found

    def _array(self, row: str, width: int = 0) -> Any:
        words = self._rows[row].array()
        return words.reshape(self.count, width) if width else words

    def _bytes(self, row: str, width: int) -> Any:
        import numpy as np

        words = self._rows[row].array()
        return words.view(np.uint8).reshape(self.count, -1 if len(words) else 0)[:, :width]
