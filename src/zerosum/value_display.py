"""Values for display: in words, in hundredths of the game's unit, and as data for a page.

All code that shows a value uses these functions, so that the terminal, the browser and the protocols agree.
Values are for MAX; ``names`` are the names of the two players.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zerosum.game import CHANCE, MAX, MIN, Game

if TYPE_CHECKING:
    from zerosum.search.result import Result

NAMES = ("MAX", "MIN")
PLAYERS = {MAX: "MAX", MIN: "MIN", CHANCE: "chance"}

SURE_WIN = 100_000.0
"""The score of a certain win; a win in n plies scores n less."""

KNOWN_WIN = 10_000.0
"""The score of a win from an endgame database that does not give its length."""

EVEN = 0.05
"""An advantage smaller than this, in the game's unit, is shown as even."""


# In words


def verdict(value: float, distance: int | None = None, names: tuple[str, str] = NAMES, exact: bool = True) -> str:
    """Who is certain to win, by the sign of ``value``, and in how many plies if that is known.

    >>> verdict(1, 5), verdict(-1, names=("White", "Black")), verdict(0), verdict(1, 8, exact=False)
    ('MAX wins in 5 plies', 'Black wins', 'a draw', 'MAX wins within 8 plies')
    """
    if not value:
        return "a draw"
    wins = f"{_better(value, names)} wins"
    if not distance:
        return wins
    # "within 1 ply" would mean the same as "in 1 ply".
    how = "in" if exact or distance == 1 else "within"
    return f"{wins} {how} {distance:,} {'ply' if distance == 1 else 'plies'}"


def ending(game: Game, s: Any) -> str:
    """How the game has ended in the finished state ``s``: 'White wins', 'MIN wins by 3', 'a draw'."""
    value = game.final_value(s)
    return f"{verdict(value, names=game.players)}{margin_in_words(game, value)}"


def margin_in_words(game: Game, value: float) -> str:
    """The margin of a finished game: ' by 3', or '' if only winning counts."""
    return f" by {_number(value)}" if game.scored and value else ""


def in_words(result: Result, names: tuple[str, str] = NAMES, unit: int = 1) -> str:
    """The value in a few words: who wins, or a signed number in the game's unit (pawns, not centipawns).

    >>> from zerosum.search.result import Result
    >>> guess = Result(3, 43, None, None, False, (3,), 5, 100, 0.1)
    >>> in_words(guess), in_words(guess, unit=100)
    ('+43', '+0.43')
    """
    certain = _certainty(result, names) or undecided(result)
    if certain:
        return certain
    if isinstance(result.value, float):
        # With chance, the value is an average over all outcomes: even an exact one does not say who wins.
        return (f"{result.value:+.5g}" if result.value else "even") + _exact(result)
    if not result.value:
        return "even"
    return f"{result.value:+d}" if unit == 1 else f"{result.value / unit:+.2f}"


def at_the_board(result: Result, game: Game) -> str:
    """The value in words, with the game's names for the players and in its unit.

    >>> from zerosum.games import load
    >>> from zerosum.search.result import Result
    >>> at_the_board(Result(3, -130, None, None, False, (3,), 5, 100, 0.1), load("chess"))
    'Black is better by 1.3'
    """
    certain = _certainty(result, game.players) or undecided(result)
    if certain:
        return certain
    value = result.value / game.unit
    better, much = _better(value, game.players), abs(value)
    if isinstance(result.value, float):
        return (f"{better} expects {much:.3f}" if much >= 0.0005 else "even") + _exact(result)
    if much < EVEN:
        return "even"
    return f"{better} {'leads' if game.scored else 'is better'} by {much:{'.2g' if much < 10 else '.0f'}}"


def _certainty(result: Result, names: tuple[str, str]) -> str:
    """What is certain: who wins, when, by how much; '' if the value is an estimate or an average."""
    value, outcome = result.value, result.outcome
    if isinstance(value, float) and outcome is None:
        return ""
    if outcome and result.distance is not None:
        return verdict(outcome, result.distance, names, result.exact)
    if result.is_undated_win:
        return verdict(value, names=names) + ("" if result.proven else ", the clock aside")
    if not result.proven:
        return ""
    return verdict(value, names=names) + (f" by {_number(value)}" if value else "")


def undecided(result: Result) -> str:
    """How near proof-number search is to a proof and to a refutation; '' if there is a value."""
    return f"open, {result.numbers.proof:,} : {result.numbers.disproof:,}" if result.numbers else ""


def _exact(result: Result) -> str:
    return " (exact)" if result.proven else ""


def _better(value: float, names: tuple[str, str]) -> str:
    return names[MAX] if value > 0 else names[MIN]


def _number(value: float) -> str:
    return f"{abs(value):g}" if value % 1 else str(abs(int(value)))


# As numbers for one player


def hundredths(result: Result, player: int, unit: float) -> float:
    """The value for ``player``, in hundredths of ``unit``."""
    sign = 1 if player == MAX else -1
    if result.is_undated_win:
        return sign * (KNOWN_WIN if result.value > 0 else -KNOWN_WIN)
    return 100 * sign * result.value / unit


def mate(result: Result, player: int) -> int | None:
    """The number of its own moves in which ``player`` wins, negative if it loses; None if neither is certain."""
    if result.distance is None or not result.outcome:
        return None
    # The winner makes the last ply, so an odd number is a win for the player to move.
    wins = (result.outcome > 0) == (player == MAX)
    return (result.distance + 1) // 2 if wins else -(result.distance // 2)


def score(result: Result, player: int, unit: float) -> float:
    """One number for ``player``: ``hundredths``, with certain wins above every estimate."""
    if result.outcome and result.distance is not None:
        wins = (result.outcome > 0) == (player == MAX)
        return (1 if wins else -1) * (SURE_WIN - result.distance)
    most = SURE_WIN / 2
    return round(max(-most, min(hundredths(result, player, unit), most)), 2)


def report(result: Result, game: Game, s: Any) -> dict[str, Any]:
    """A result of the position ``s`` for programs, with the keys of ``--json`` and of ``zerosum serve``."""
    speed = round(result.nodes_per_second)
    return {**result.as_dict(game, s), "nodes_per_second": speed, "words": result.in_words(game)}


def data(result: Result, unit: float) -> dict[str, float | int | None]:
    """The value as numbers for a page: for MAX, in ``unit``, and who is certain to win."""
    return {
        "value": round(float(result.value) / unit, 4),
        "won": result.outcome if result.proven else None,
        "distance": result.distance,
    }
