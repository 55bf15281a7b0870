"""Tunes parameters of the search by playing: pairs of games between two settings, and a step towards the winner.

``zerosum.learn.spsa`` determines the settings and the steps. A run consists of rounds: all pairs of a round are played
around the same values, so the result does not depend on how many are played at a time. After each round the file is
rewritten with the current values, which players can use, and everything needed to resume.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from zerosum.arena.pairs import Contest, Meeting, PairRunner, results
from zerosum.arena.referee import Rules
from zerosum.arena.time_control import TimeControl
from zerosum.errors import LimitError, ParametersError
from zerosum.game import Game
from zerosum.learn.files import with_weights_from
from zerosum.learn.parameter_files import read_file, write_parameters
from zerosum.learn.spsa import Spsa, TunedNumber
from zerosum.search.options import SearchOptions
from zerosum.search.parameters import DEFAULTS, PARAMETERS, check_parameter
from zerosum.working.pickling import path_with_content
from zerosum.working.team import Workers
from zerosum.working.threads import Threads

MOST_PAIRS = 10**9
ROUND = 64
"""Pairs of games between two steps: enough to keep many processors busy, but few compared with a whole run."""


@dataclass(frozen=True)
class SearchPlan:
    """Everything that determines the result of a run, except the game and, if there is a clock, the machine.

    Attributes:
        names: the parameters to tune.
        pairs: the total number of pairs of games.
        options: alpha-beta options of both sides; parameters among them are the start values.
        control: the time control of the games, such as ``nodes 5000`` or ``1+0.01``.
        openings: the openings of the games: see ``Openings``.
        weights: a file of weights or a network to play with; '' for the game's own evaluation.
        round: pairs of games between two steps.
    """

    names: tuple[str, ...]
    pairs: int
    options: Mapping[str, Any] = field(default_factory=dict)
    control: str = "nodes 5000"
    openings: str = "random:8"
    weights: str = ""
    seed: int = 0
    round: int = ROUND

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        TimeControl.parse(self.control)
        for name in ("pairs", "round"):
            number = getattr(self, name)
            if not isinstance(number, int) or not 1 <= number <= MOST_PAIRS:
                raise LimitError(f"{name} must be a whole number from 1 to {MOST_PAIRS}, not {number!r}")
        if not self.names:
            raise LimitError("names must have at least one parameter to tune")


def tunable(game: Game, options: Mapping[str, Any], only: Sequence[str] = ()) -> tuple[str, ...]:
    """The parameters whose techniques are on in a game with these options; with ``only``, those named.

    >>> from zerosum.games import load
    >>> tunable(load("tictactoe"), {"iir": True, "reductions": True}, ["iir_depth"])
    ('iir_depth',)
    """
    if game.has("chances"):
        raise LimitError(f"{game.name} is a game of chance: its search has no parameters to tune")
    chosen = SearchOptions.advised(game, options)
    for name in only:
        check_parameter(name, DEFAULTS.get(name))
        if not getattr(chosen, PARAMETERS[name].technique):
            technique = PARAMETERS[name].technique
            raise LimitError(f"{name} is a parameter of {technique!r}, which is off in {game.name}")
    names = tuple(
        each.name for each in PARAMETERS.values() if getattr(chosen, each.technique) and (not only or each.name in only)
    )
    if not names:
        raise LimitError(f"{game.name} uses no technique that has parameters; switch one on, such as reductions=on")
    return names


class SearchTuning:
    """A run: started from a plan, or resumed from a file.

    Attributes:
        start: the start values of the parameters.
        spsa: the state of the optimisation.
    """

    def __init__(self, game: Game, plan: SearchPlan, out: Path, made: Mapping[str, Any], *, jit: bool = True) -> None:
        """``made`` is stored in the file to document how it was made."""
        self.game, self.plan, self.out, self.made = game, plan, out, made
        chosen = SearchOptions.advised(game, plan.options).parameters
        self.start = {name: {**DEFAULTS, **chosen}[name] for name in plan.names}
        self.spsa = Spsa([_tuned_number(name, value) for name, value in self.start.items()], plan.pairs, plan.seed)
        self._jit = jit

    @classmethod
    def resumed(cls, game: Game, out: Path, *, jit: bool = True) -> SearchTuning:
        """Resume the run in a file; ParametersError if it has none, or one of another game."""
        content = read_file(out)
        if content.get("game") != game.name or content["run"].get("settings") != _settings(game):
            raise ParametersError(f"{str(out)!r} is a run of {content.get('game')!r} with other settings")
        run = content["run"]
        try:
            plan = SearchPlan(**{each.name: run[each.name] for each in fields(SearchPlan)})
            tunable(game, plan.options, plan.names)
            tuning = cls(game, plan, out, content["made"], jit=jit)
            tuning.spsa.go_on(run["values"], run["done"])
        except KeyError as problem:
            raise ParametersError(f"{str(out)!r} is not a run that can be resumed: {problem} is missing") from problem
        except (AttributeError, TypeError, ValueError) as problem:
            raise ParametersError(f"{str(out)!r} is not a run that can be resumed: {problem}") from problem
        return tuning

    @property
    def games(self) -> int:
        """The number of games played and learned from."""
        return 2 * self.spsa.done

    @property
    def is_finished(self) -> bool:
        return self.spsa.done >= self.plan.pairs

    def moved(self) -> list[tuple[str, float]]:
        """The distance of each parameter from its start, in its own steps; the largest first."""
        steps = [(n, (value - self.start[n]) / PARAMETERS[n].step) for n, value in self.spsa.values.items()]
        return sorted(steps, key=lambda each: -abs(each[1]))

    def run(self, workers: Workers | None = None, on_round: Callable[[SearchTuning], None] | None = None) -> None:
        """Play the remaining games, by default in this process. An interrupt loses only the current round."""
        plan, spsa = self.plan, self.spsa
        game = with_weights_from(self.game, Path(plan.weights)) if plan.weights else self.game
        openings = path_with_content(plan.openings)
        contest = Contest(game, Rules(TimeControl.parse(plan.control)), openings, plan.seed, self._jit)
        # Report errors in the options now, and compile everything before the games.
        PairRunner(contest).player("one", {**plan.options, **spsa.rounded})
        with (workers or Threads()).team(contest) as team:
            while not self.is_finished:
                last = min(spsa.done + plan.round, plan.pairs)
                pairs = [spsa.pair(number) for number in range(spsa.done + 1, last + 1)]
                meetings = [
                    Meeting(one.number, {**plan.options, **one.plus}, {**plan.options, **one.minus}) for one in pairs
                ]
                spsa.learn(zip(pairs, results(team, meetings), strict=True))
                self.write()
                if on_round is not None:
                    on_round(self)

    def write(self) -> None:
        """Write the current parameters and everything needed to resume."""
        given = {name: value for name, value in self.plan.options.items() if name in PARAMETERS}
        run = {
            **asdict(self.plan),
            "settings": _settings(self.game),
            "done": self.spsa.done,
            "start": self.start,
            "values": self.spsa.values,
        }
        made = {**self.made, "games": self.games, "seed": self.plan.seed}
        write_parameters(self.out, self.game.name, {**given, **self.spsa.rounded}, made, run)


def _tuned_number(name: str, start: int) -> TunedNumber:
    each = PARAMETERS[name]
    return TunedNumber(name, start, each.least, each.most, each.step)


def _settings(game: Game) -> dict[str, Any]:
    """The parameters that the game was loaded with."""
    return dict(game.source[1]) if game.source is not None else {}
