"""A line of play as data for the page: the board, the pieces, the legal moves, and how the game stands."""

from __future__ import annotations

from typing import Any

from zerosum.board import data, ways
from zerosum.game import CHANCE, MAX, MIN, Game, Line
from zerosum.value_display import ending

Json = dict[str, Any]

RESIGNS = "resigns"
AGREED = "draw"
"""What a page keeps of a game that both sides have called a draw, where else it keeps who has resigned."""


def board(game: Game) -> Json:
    """What is drawn once: the layout, or None, and what the two players are called."""
    return {
        "game": game.name,
        "title": title_of(game.name),
        "about": game.about,
        "draws": bool(game.repetition),
        "layout": data(game.layout()) if game.has("layout") else None,
        "players": list(game.players),
        "chance": game.has("chances"),
        "threats": game.has("skip"),
        "editable": game.has("set_up"),
        "first": pieces(game, game.start()) if game.has("set_up") else [],
        "scored": game.scored,
        "scale": scale(game),
    }


def scale(game: Game) -> float:
    """An advantage that people call large, in the game's unit: what a bar or a curve shows clearly, but not as a win.

    >>> from zerosum.games import load
    >>> scale(load("chess")), scale(load("kalah")), scale(load("backgammon"))
    (3.0, 8.0, 0.7)
    """
    if game.has("chances"):
        return 0.7
    return 3.0 if game.unit > 1 else 8.0


def title_of(name: str) -> str:
    """A game's name as a title.

    >>> title_of("connect-four")
    'Connect four'
    """
    words = name.replace("-", " ").replace("_", " ")
    return f"{words[:1].upper()}{words[1:]}"


def pieces(game: Game, s: Any) -> list[Json]:
    return [data(piece) for piece in game.pieces(s)] if game.has("layout") else []


def position(line: Line) -> Json:
    """Where the line stands."""
    found = still(line, len(line))
    return {**found, "moves": [] if found["over"] else moves(line)}


def still(line: Line, ply: int) -> Json:
    """What is to be seen after the first ``ply`` moves of the line: all but the moves from there."""
    game, s = line.game, line.states[ply]
    # Where the line goes on, the game does too; only a repetition may be played on from, and is told when one is there.
    over = ending_of(line) if ply == len(line) else None
    return {
        "ply": ply,
        "turn": game.mover(s),
        "position": game.format_state(s),
        "text": "" if game.has("layout") else game.show(s),
        "pieces": pieces(game, s),
        "counts": counts(game, s),
        "line": list(game.winning_line(s)) if over and game.has("winning_line") else [],
        **(over or {"over": False, "words": "", "winner": None}),
    }


def counts(game: Game, s: Any) -> list[Json]:
    """What the two players have, as the game counts it."""
    found = game.counts(s) if game.has("counts") else {}
    return [{"name": str(name), "numbers": list(numbers)} for name, numbers in found.items()]


def moves(line: Line) -> list[Json]:
    """The legal moves, or the outcomes of chance: as text, and by the cells that a person may point at."""
    game, s = line.game, line.state
    return [
        {"move": move, "text": game.format_move(s, move), "ways": _ways(game, s, move)} for move in game.legal_moves(s)
    ]


def _ways(game: Game, s: Any, move: int) -> list[list[str]]:
    if not game.has("path") or game.to_move(s) == CHANCE:
        return []
    return [list(way) for way in ways(game, s, move)]


def way(game: Game, s: Any, move: int) -> list[str]:
    """The cells that a move touches, in order; [] where the game does not say."""
    found = _ways(game, s, move)
    return found[0] if found else []


def history(line: Line, first: int = 0) -> list[Json]:
    """The moves played, from the ``first`` on."""
    game = line.game
    found = []
    for ply in range(first, len(line)):
        s, move = line.states[ply], line.moves[ply]
        found.append(
            {"move": move, "text": game.format_move(s, move), "turn": int(game.to_move(s)), "way": way(game, s, move)}
        )
    return found


def ending_of(line: Line) -> Json | None:
    """How the game has ended; None while it goes on."""
    game, s = line.game, line.state
    if line.is_repetition:
        return _ending(None, f"a draw: this position has occurred {game.repetition} times")
    if not game.is_over(s):
        return None
    value = game.final_value(s)
    winner = None if not value else MAX if value > 0 else MIN
    return _ending(winner, ending(game, s))


def given_up(game: Game, loser: int, how: str) -> Json:
    """The end of a game that a player has resigned, or lost on time."""
    names, winner = game.players, MAX + MIN - loser
    ended = _ending(winner, f"{names[loser]} {how}: {names[winner]} wins")
    return {**ended, "resigned": loser} if how == RESIGNS else ended


def agreed() -> Json:
    """The end of a game that both sides call a draw."""
    return {**_ending(None, "a draw by agreement"), "resigned": AGREED}


def _ending(winner: int | None, words: str) -> Json:
    return {"over": True, "words": f"{words[0].upper()}{words[1:]}", "winner": winner}
