"""zerosum games as Python games of OpenSpiel, for its algorithms and its tests.

For the other direction, ``zerosum.load("openspiel:NAME")``, see ``games/openspiel.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from zerosum.errors import LimitError
from zerosum.game import CHANCE, MAX, MIN, Game
from zerosum.games import load
from zerosum.games.openspiel import the_library
from zerosum.neighbours.actions import Actions, observation, observation_size
from zerosum.neighbours.game_in_progress import LONGEST, GameInProgress

Maker = Callable[..., Game]

_registered: dict[str, Any] = {}  # by short name: what was registered


def to_openspiel(
    game: Game | str | Path,
    *,
    actions: str | None = None,
    observe: str | None = None,
    longest: int = LONGEST,
    utility: float | None = None,
    **parameters: Any,
) -> Any:
    """Convert a zerosum game, or anything that ``zerosum.load`` takes, to a registered ``pyspiel.Game``.

    MAX is player 0, MIN is player 1, and dice are OpenSpiel's chance player. ``actions`` and ``observe`` are those of
    ``VectorEnv``. After ``longest`` plies a game counts as a draw. ``utility`` is the largest result of a scored game,
    by default the larger of the ``bounds`` of its start.

    After ``to_openspiel("connect-four")``, pyspiel.load_game("zerosum_connect_four", {"width": 5}) works too.
    """
    made = load(game, **parameters)
    if not isinstance(longest, int) or longest < 1:
        raise LimitError(f"longest must be a whole number of at least 1, not {longest!r}")
    options = (actions, observe, longest, utility)
    if made.source is not None and not made.origin[3]:
        where, given = made.source
        name = _name(made, ("loaded", where, options), lambda **chosen: load(where, **_chosen(chosen)), options)
        return the_library().load_game(name, {word: _scalar(value) for word, value in given.items()})
    return the_library().load_game(_name(made, ("made", made, options), lambda: made, options))


def _name(game: Game, what: tuple[Any, ...], make: Maker, options: tuple[Any, ...]) -> str:
    """The short name of a game in OpenSpiel; registers it the first time."""
    plain = f"zerosum_{''.join(letter if letter.isalnum() else '_' for letter in game.name)}"
    name, number = plain, 1
    while name in _registered and _registered[name] != what:
        number += 1
        name = f"{plain}_{number}"
    if name not in _registered:
        _register(name, game, make, options, what[0] == "loaded")
        _registered[name] = what
    return name


def _register(name: str, game: Game, make: Maker, options: tuple[Any, ...], is_loaded: bool) -> None:
    pyspiel = the_library()
    kinds = pyspiel.GameType
    observed = observation_size(game, options[1])[1] > 0
    # A Game that was not loaded by name has no parameters to change.
    settings = game.settings if is_loaded else {}
    kind = kinds(
        short_name=name,
        long_name=f"{game.name} of zerosum",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if game.has("chances") else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=observed,
        parameter_specification={word: _scalar(value) for word, value in settings.items()},
    )
    pyspiel.register_game(kind, _game_class(kind, make, options))


def _scalar(value: Any) -> Any:
    """A parameter as OpenSpiel stores it: a number or a text, with semicolons in place of the commas of a list."""
    if isinstance(value, (list, tuple)):
        value = ",".join(map(str, value))
    return value.replace(",", ";") if isinstance(value, str) else value


def _chosen(parameters: dict[str, Any]) -> dict[str, Any]:
    """Parameters stored by OpenSpiel, in the form that zerosum takes."""
    return {word: v.replace(";", ",") if isinstance(v, str) else v for word, v in parameters.items()}


def _most(game: Game, utility: float | None) -> float:
    """The largest absolute result of a game."""
    if not game.scored:
        return 1.0
    if utility is not None:
        return float(utility)
    if not game.has("bounds"):
        raise LimitError(f"{game.name} is scored and has no bounds: give its largest result, as in utility=64")
    return float(max(map(abs, game.bounds(game.start()))))


def _game_class(kind: Any, make: Maker, options: tuple[Any, ...]) -> type:
    pyspiel = the_library()
    actions, observe, longest, utility = options

    class ZerosumGame(pyspiel.Game):  # type: ignore[misc, name-defined]
        """A game with zerosum's rules."""

        def __init__(self, params: Any = None) -> None:
            rules = make(**(params or {}))
            self.rules, self.actions = rules, Actions.of(rules, actions)
            most = _most(rules, utility)
            info = pyspiel.GameInfo(
                num_distinct_actions=self.actions.count,
                max_chance_outcomes=rules.max_chances,
                num_players=2,
                min_utility=-most,
                max_utility=most,
                utility_sum=0.0,
                max_game_length=longest,
            )
            super().__init__(kind, info, params or {})
            own = {"rules": rules, "actions": self.actions, "options": options, "longest": longest}
            self.state_class = type("ZerosumState", (_state_class(),), own)

        def new_initial_state(self, state: Any = None) -> Any:
            return self.state_class(self)

        def max_chance_nodes_in_history(self) -> int:
            return longest if self.rules.has("chances") else 0

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            from open_spiel.python.observation import IIGObserverForPublicInfoGame

            if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
                return Observer(self.rules, observe)
            return IIGObserverForPublicInfoGame(iig_obs_type, params)

    return ZerosumGame


@cache
def _state_class() -> type:
    pyspiel = the_library()
    nobody, chance = pyspiel.PlayerId.TERMINAL, pyspiel.PlayerId.CHANCE

    class ZerosumState(pyspiel.State):  # type: ignore[misc, name-defined]
        """A position. OpenSpiel copies and pickles its attributes, all plain numbers; the rules are in the class."""

        rules: Game
        actions: Actions
        options: tuple[Any, ...]
        longest: int

        def __init__(self, game: Any) -> None:
            super().__init__(game)
            self._go_to(GameInProgress.begin(self.rules))

        def _go_to(self, current: GameInProgress) -> None:
            self.words = tuple(self.rules.state_type.words(current.s))
            self.rest: Any = current[1:]
            self.legal = tuple(current.legal(self.rules))

        @property
        def current(self) -> GameInProgress:
            return GameInProgress(self.rules.state_type.from_words(self.words), *self.rest)

        def __reduce__(self) -> Any:
            return _restored, (self.rules, self.options, self.history())

        def current_player(self) -> Any:
            if self.is_terminal():
                return nobody
            player = self.rules.mover(self.current.s)
            return chance if player == CHANCE else player - MAX

        def is_terminal(self) -> bool:
            plies, *_ = self.rest
            return not self.legal or plies >= self.longest

        def _legal_actions(self, player: int) -> list[int]:
            return sorted(self.actions.of_moves(list(self.legal)))

        def chance_outcomes(self) -> list[tuple[int, float]]:
            return [(i, p) for i, (_, p) in enumerate(self.rules.checked_chances(self.current.s))]

        def _move(self, action: int) -> int:
            """The move, or the outcome of chance, that an action stands for here."""
            if self.rules.to_move(self.current.s) == CHANCE:
                return self.legal[action]
            return self.actions.move(action, list(self.legal))

        def _apply_action(self, action: int) -> None:
            self._go_to(self.current.after(self.rules, self._move(action)))

        def _action_to_string(self, player: int, action: int) -> str:
            return self.rules.format_move(self.current.s, self._move(action))

        def returns(self) -> list[float]:
            if self.legal or not self.is_terminal():
                return [0.0, 0.0]
            value = self.current.value(self.rules)
            if not self.rules.scored:
                value = float((value > 0) - (value < 0))
            return [value, -value] if value else [0.0, 0.0]

        def __str__(self) -> str:
            return self.rules.format_state(self.current.s)

    return ZerosumState


def _restored(rules: Game, options: tuple[Any, ...], history: list[int]) -> Any:
    """Restore a pickled state, possibly from another process that registered the game."""
    actions, observe, longest, utility = options
    game = to_openspiel(rules, actions=actions, observe=observe, longest=longest, utility=utility)
    state = game.new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


class Observer:
    """An OpenSpiel observer: what a player sees of a position, as a vector of zeros and ones and as a text."""

    def __init__(self, rules: Game, observe: str | None) -> None:
        import numpy as np

        self.rules = rules
        self.kind, size = observation_size(rules, observe)
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: Any, player: int) -> None:
        self.tensor[:] = observation(self.rules, self.kind, state.current.s, MIN if player == 1 else MAX)

    def string_from(self, state: Any, player: int) -> str:
        return str(state)
