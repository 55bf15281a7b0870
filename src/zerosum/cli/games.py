"""``zerosum games``: list the games, or describe one of them."""

from __future__ import annotations

from typing import Any

from zerosum.cli.common import load_game, print_json
from zerosum.cli.options import JsonOption, OptionalGame, SetOption
from zerosum.cli.output import print_table
from zerosum.contract import OPTIONAL
from zerosum.game import Game


def command(game: OptionalGame = "", settings: SetOption = [], json: JsonOption = False) -> None:  # noqa: B006
    """List the games, or show what GAME defines.

    Every command takes these names, or your own file; set parameters with --set.

    \b
    Examples:
      zerosum games
      zerosum games connect-four
      zerosum games my_game.py
      zerosum games --json
    """
    if game:
        _describe(game, load_game(game, settings), json)
    else:
        _list(json)


def _list(json: bool) -> None:
    from zerosum.games import catalogue

    found: list[dict[str, Any]] = [
        {"name": name, "about": entry.about, "parameters": _parameters(name)} for name, entry in catalogue().items()
    ]
    if json:
        print_json(found)
        return
    rows = [(game["name"], game["about"], _assignments(game["parameters"])) for game in found]
    print_table(("game", "about", "parameters"), rows)


def _describe(where: str, game: Game, json: bool) -> None:
    given = dict(game.source[1]) if game.source else {}
    facts: dict[str, Any] = {
        "name": game.name,
        "about": game.about,
        "parameters": {**_parameters(where), **given},
        "state": {field: str(kind) for field, kind in _fields(game)},
        "max_moves": game.max_moves,
        "scored": game.scored,
        "chance": game.has("chances"),
        "repetition": game.repetition,
        "defines": [rule for rule in OPTIONAL if game.has(rule)],
        "lacks": [rule for rule in OPTIONAL if not game.has(rule)],
    }
    if json:
        print_json(facts)
        return
    print_table(
        ("game", game.name),
        [
            ("about", game.about or "-"),
            ("parameters", _assignments(facts["parameters"])),
            ("state", ", ".join(f"{field}: {kind}" for field, kind in facts["state"].items())),
            ("moves", f"at most {game.max_moves} in a position"),
            ("result", "the margin counts" if game.scored else "win, draw or loss; the nearest win is best"),
            ("chance", f"yes, at most {game.max_chances} outcomes" if facts["chance"] else "no"),
            ("repetition", f"a position seen {game.repetition} times is a draw" if game.repetition else "never a draw"),
            ("defines", ", ".join(facts["defines"]) or "only the required functions"),
            ("lacks", ", ".join(facts["lacks"]) or "nothing"),
        ],
    )


def _parameters(where: str) -> dict[str, Any]:
    """The parameters that a game takes, with their defaults."""
    from zerosum.games import parameters_of

    try:
        return parameters_of(where)
    except Exception as problem:
        # One broken package must not hide the other games.
        return {"": f"does not load: {type(problem).__name__}: {problem}"}


def _assignments(parameters: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value}" if name else str(value) for name, value in parameters.items()) or "-"


def _fields(game: Game) -> list[tuple[str, Any]]:
    """The State's fields with their annotations as the author wrote them."""
    hints = getattr(game.State, "__annotations__", {})
    return [(field, getattr(hints.get(field), "__name__", None) or _text(hints.get(field))) for field in _names(game)]


def _names(game: Game) -> tuple[str, ...]:
    return tuple(game.State._fields)  # type: ignore[attr-defined]


def _text(annotation: Any) -> str:
    return str(getattr(annotation, "__forward_arg__", annotation))
