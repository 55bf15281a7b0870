"""``zerosum check``: test whether a game keeps the contract."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from zerosum.cli.common import load_game, print_json
from zerosum.cli.options import GameArgument, JsonOption, SetOption, parse_seconds, whole_number
from zerosum.cli.output import count, duration, print_table
from zerosum.cli.progress import Bar

if TYPE_CHECKING:
    from zerosum.checking import Report


def command(
    game: GameArgument,
    games: Annotated[
        int,
        typer.Option(
            "--games", metavar="N", help="Play N random games, as in --games 1000.", parser=whole_number("--games", 1)
        ),
    ] = 200,
    seed: Annotated[
        int,
        typer.Option(
            "--seed",
            metavar="N",
            help="Number of the first game, to reproduce a finding.",
            parser=whole_number("--seed"),
        ),
    ] = 0,
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds", metavar="S", help="Time limit in seconds, without compilation.", parser=parse_seconds
        ),
    ] = 10.0,
    plain: Annotated[bool, typer.Option("--plain", help="Skip everything that needs the compiler.")] = False,
    settings: SetOption = [],  # noqa: B006
    json: JsonOption = False,
) -> int:
    """Test whether a game keeps the contract.

    Plays random games, computes exact values near their ends, compares searches with and without the
    game's knowledge, and compares the compiled rules with the plain ones: each law of the contract is
    tested as often as time allows. A violation is one line: the rule, what was expected and found, the
    position, and how to reproduce it. The exit code is 1 if there is a violation; warnings alone give
    0.

    \b
    Examples:
      zerosum check connect-four
      zerosum check my_game.py --games 1000 --seconds 60
      zerosum check my_game.py --seed 17 --games 1
      zerosum check kalah --set seeds=3 --json
    """
    from zerosum.checking import check

    rules = load_game(game, settings)
    with Bar() as bar:
        report = check(rules, games=games, seed=seed, seconds=seconds, jit=not plain, on_progress=bar.show)
    if json:
        print_json({**asdict(report), "ok": report.ok, "seed": seed})
    else:
        _print(report)
    return 0 if report.ok else 1


def _print(report: Report) -> None:
    rows = [
        (tried.law, tried.about, count(tried.times), tried.result + (f": {tried.note}" if tried.note else ""))
        for tried in report.tried
        if tried.result != "not defined"
    ]
    print_table(("rule", "law", "tried", "result"), rows, right=(2,))
    missing = [tried.law for tried in report.tried if tried.result == "not defined"]
    if missing:
        print(f"not defined: {', '.join(missing)}")
    for finding in report.findings:
        print(f"{'warning' if finding.warning else 'failed'}: {finding}")
    games = f"{count(report.games)} {'game' if report.games == 1 else 'games'}"
    amount = f"{games}, {count(report.positions)} positions, {duration(report.seconds)}"
    broken = len({finding.rule for finding in report.findings if not finding.warning})
    laws = f"{broken} {'law' if broken == 1 else 'laws'}"
    print(f"{report.game} {f'breaks {laws} of' if broken else 'keeps'} the contract ({amount})")
