"""``zerosum evaluate``: a position's evaluation, feature by feature."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zerosum.cli.common import line_to, load_game, print_json
from zerosum.cli.options import GameArgument, JsonOption, MovesOption, PositionArgument, SetOption
from zerosum.cli.output import print_table
from zerosum.errors import PositionError

if TYPE_CHECKING:
    from zerosum.classroom.evaluation_terms import Evaluation
    from zerosum.game import Game
    from zerosum.terms import Term


def command(
    game: GameArgument,
    position: PositionArgument = "",
    moves: MovesOption = "",
    settings: SetOption = [],  # noqa: B006
    json: JsonOption = False,
) -> None:
    """Explain a position's evaluation, feature by feature.

    Many evaluations are a sum w1·f1 + w2·f2 + …: the count of each feature, MAX's minus MIN's, times
    its weight. This command does not search. A network is not such a sum; for a network, it shows the
    value and the chances of each result.

    \b
    Examples:
      zerosum evaluate tictactoe ".o..x...."
      zerosum evaluate chess --set network=0 "4k3/2p5/3p4/8/8/3Q4/8/4K3 w - - 0 1"
      zerosum evaluate checkers --set network=0 --moves "11-15"
      zerosum evaluate othello --set patterns=0 --moves "f5 d6 c3"
      zerosum evaluate backgammon
    """
    from zerosum.classroom.evaluation_terms import evaluation_of

    rules = load_game(game, settings)
    line = line_to(rules, position, moves)
    if rules.is_over(line.state):
        raise PositionError(f"the game is over in {rules.format_state(line.state)!r}, so it has no evaluation")
    found = evaluation_of(rules, line.state)
    if json:
        print_json({"game": rules.name, "position": rules.format_state(line.state), **found.as_dict()})
        return
    print(rules.show(line.state))
    print()
    _print(rules, found)


def _print(game: Game, found: Evaluation) -> None:
    from zerosum.classroom.evaluation_terms import NETWORK, PATTERNS

    for_whom = game.players[0] if game.players else "MAX"
    if found.terms:
        rows = [_row(term) for term in found.largest_first]
        rows.append(("sum", "", "", _number(found.value)))
        print_table(("feature", "count", "weight", "share"), rows, right=(1, 2, 3))
    else:
        print(f"value for {for_whom}: {_number(found.value)}")
    for name, chance in found.chances:
        print(f"{name}: {chance:.1%}")
    if game.unit != 1:
        print(f"in units of {game.unit:g} points: {_number(found.value / game.unit)} for {for_whom}")
    print(found.in_words)
    if found.kind in (NETWORK, PATTERNS) and not game.has("chances_of"):
        print("--set network=0 or --set patterns=0, if the game has it, selects the handwritten evaluation.")


def _row(term: Term) -> tuple[str, str, str, str]:
    return term.name, _number(term.feature), _number(term.weight), _number(term.share)


def _number(value: float | None) -> str:
    """Format a number with at most two decimals and a true minus sign."""
    if value is None:
        return ""
    text = f"{round(value, 2) + 0.0:,.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text.replace("-", "−")
