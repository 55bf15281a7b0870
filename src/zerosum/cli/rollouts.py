"""Reports of running rollouts as a live table, JSON lines, or the final table alone."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any

from zerosum.cli.common import print_json
from zerosum.cli.output import console, count, drawn_table, duration, is_live, print_table, rate
from zerosum.game import MAX, MIN, Game
from zerosum.search.rollout import Rollout

if TYPE_CHECKING:
    from rich.console import Group

MOST_MARGINS = 4
"""If there are more different margins of victory than this, only the winner is shown, not the margin."""


def names_of(game: Game, s: Any) -> tuple[Sequence[str], Sequence[str]]:
    """The game's names for wins by at least 1, 2, 3 …, of MAX and of MIN; empty if it has none."""
    if not game.has("chances_of"):
        return (), ()
    named = list(game.chances_of(s))
    levels = (len(named) + 1) // 2
    return named[:levels], ["", *named[levels:]]


def columns_of(
    found: tuple[Rollout, ...], names: tuple[Sequence[str], Sequence[str]] = ((), ())
) -> list[tuple[str, float, int]]:
    """The columns for the frequencies of results: a heading, the least margin, and the player.

    >>> found = (Rollout(1, 0.5, 0.01, 36, ((-1.0, 9), (1.0, 20), (2.0, 7)), 0, 400, 0.1),)
    >>> columns_of(found)
    [('MAX wins', 1.0, 0), ('by 2+', 2.0, 0), ('MIN wins', 1.0, 1)]
    >>> [heading for heading, _, _ in columns_of(found, (("win", "gammon"), ("", "lose a gammon")))]
    ['MAX wins', 'gammon', 'MIN wins', 'lose a gammon']
    """
    results = {result for rollout in found for result, _ in rollout.outcomes}
    columns: list[tuple[str, float, int]] = []
    for player, name, sign in ((MAX, "MAX", 1), (MIN, "MIN", -1)):
        margins = sorted(sign * result for result in results if sign * result > 0)
        least = margins[0] if margins else 1.0
        named = names[player]
        if named:
            least = 1.0
            further = [(heading, float(margin), player) for margin, heading in enumerate(named[1:], 2)]
        else:
            few = len(margins) <= MOST_MARGINS
            further = [(f"by {margin:g}+", margin, player) for margin in margins[1:]] if few else []
        columns += [(f"{name} wins", least, player), *further]
    return columns


def table_of(
    game: Game, s: Any, found: tuple[Rollout, ...], names: tuple[Sequence[str], Sequence[str]] = ((), ())
) -> tuple[list[str], list[list[str]]]:
    """Headings and rows: the move, its value with the 95 % interval, the frequencies of results, and the games.

    >>> from zerosum.games import load
    >>> pig = load("pig")
    >>> won = Rollout(1, 0.5, 0.01, 36, ((-1.0, 9), (1.0, 27)), 0, 400, 0.1)
    >>> table_of(pig, pig.initial(), (won,))
    (['move', 'value', 'MAX wins', 'MIN wins', 'games'], [['roll', '+0.5000 ± 0.0196', '75.0 %', '25.0 %', '36']])
    """
    columns = columns_of(found, names)
    rows = [
        [
            "" if rollout.move is None else game.format_move(s, rollout.move),
            rollout.in_words(),
            *(f"{100 * rollout.chance(least, player):.1f} %" for _, least, player in columns),
            count(rollout.games),
        ]
        for rollout in found
    ]
    return ["move", "value", *(heading for heading, _, _ in columns), "games"], rows


class RolloutView:
    """Shows the rollouts of the moves of ``s``. Use as a context manager."""

    def __init__(self, game: Game, s: Any, json: bool) -> None:
        self.game, self.s, self.json = game, s, json
        self.names = names_of(game, s)
        self.last: tuple[Rollout, ...] = ()
        self.begin = monotonic()
        self.live: Any = None

    def __enter__(self) -> RolloutView:
        if is_live() and not self.json:
            from rich.live import Live

            self.live = Live(get_renderable=self._draw, console=console(), refresh_per_second=4, transient=True)
            self.live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.live is not None:
            self.live.stop()

    def report(self, found: tuple[Rollout, ...]) -> None:
        """Show the results so far."""
        self.last = found
        if self.json:
            self._print_json(found, final=False)
        elif self.live is not None:
            self.live.refresh()

    def finish(self, found: tuple[Rollout, ...]) -> None:
        """Show the final results or, after Ctrl-C, those of the games that were done."""
        if self.json:
            self._print_json(found, final=True)
            return
        if self.live is not None:
            self.live.stop()
        if not any(rollout.games for rollout in found):
            print("stopped before the first games were done")
            return
        self._print(found)

    def _print(self, found: tuple[Rollout, ...]) -> None:
        headings, rows = table_of(self.game, self.s, found, self.names)
        print_table(headings, rows, right=range(1, len(headings)))
        games, seconds = sum(rollout.games for rollout in found), found[0].seconds
        print(f"{count(games)} games in {duration(seconds)}, {rate(games / max(seconds, 1e-9))}; values are for MAX")
        best = found[0]
        if best.move is None:
            print(f"the position, {best.in_words()}")
        else:
            print(f"best move: {self.game.format_move(self.s, best.move)}, {best.in_words()}")

    def _print_json(self, found: tuple[Rollout, ...], final: bool) -> None:
        print_json({"rollouts": [rollout.as_dict(self.game, self.s) for rollout in found], "final": final})

    def _draw(self) -> Group:
        from rich.console import Group
        from rich.text import Text

        clock = Text(f"rolling out … {duration(monotonic() - self.begin)}  (Ctrl-C stops)", style="dim")
        if not self.last:
            return Group(clock)
        headings, rows = table_of(self.game, self.s, self.last, self.names)
        return Group(drawn_table(headings, rows, right=range(1, len(headings))), clock)
