"""A line of play as data for the page: the board, the pieces, the legal moves, and the state of the game."""

from __future__ import annotations

from typing import Any

from zerosum.board import data, ways
from zerosum.game import CHANCE, MAX, MIN, Game, Line
from zerosum.value_display import ending

Json = dict[str, Any]

RESIGNS = "resigns"
AGREED = "draw"
"""What a page stores after a draw by agreement, in place of the side that resigned."""


def board(game: Game) -> Json:
    """What does not change during a game: the layout, or None, the names of the players, and so on."""
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
    """A large advantage in the game's unit, which a bar or a curve should show clearly, but not as a win.

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
    """The last position of the line, with its legal moves."""
    found = still(line, len(line))
    return {**found, "moves": [] if found["over"] else moves(line)}


def still(line: Line, ply: int) -> Json:
    """The position after the first ``ply`` moves of the line, without its legal moves."""
    game, s = line.game, line.states[ply]
    # A line that continues is not over here, except by repetition, which is only reported at the end of a line.
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
    """What each player has, as the game counts it (material, discs, points)."""
    found = game.counts(s) if game.has("counts") else {}
    return [{"name": str(name), "numbers": list(numbers)} for name, numbers in found.items()]


def moves(line: Line) -> list[Json]:
    """The legal moves, or the outcomes of chance: as text, and as the cells to select for each."""
    game, s = line.game, line.state
    return [
        {"move": move, "text": game.format_move(s, move), "ways": _ways(game, s, move)} for move in game.legal_moves(s)
    ]


def _ways(game: Game, s: Any, move: int) -> list[list[str]]:
    if not game.has("path") or game.to_move(s) == CHANCE:
        return []
    return [list(way) for way in ways(game, s, move)]


def way(game: Game, s: Any, move: int) -> list[str]:
    """The cells that a move touches, in order; [] if the game does not say."""
    found = _ways(game, s, move)
    return found[0] if found else []


def history(line: Line, first: int = 0) -> list[Json]:
    """The moves of the line from number ``first`` on."""
    game = line.game
    found = []
    for ply in range(first, len(line)):
        s, move = line.states[ply], line.moves[ply]
        found.append(
            {"move": move, "text": game.format_move(s, move), "turn": int(game.to_move(s)), "way": way(game, s, move)}
        )
    return found


def ending_of(line: Line) -> Json | None:
    """How the game ended; None if it is not over."""
    game, s = line.game, line.state
    if line.is_repetition:
        return _ending(None, f"a draw: this position has occurred {game.repetition} times")
    if not game.is_over(s):
        return None
    value = game.final_value(s)
    winner = None if not value else MAX if value > 0 else MIN
    return _ending(winner, ending(game, s))


def given_up(game: Game, loser: int, how: str) -> Json:
    """The end of a game that a player resigned or lost on time."""
    names, winner = game.players, MAX + MIN - loser
    ended = _ending(winner, f"{names[loser]} {how}: {names[winner]} wins")
    return {**ended, "resigned": loser} if how == RESIGNS else ended


def agreed() -> Json:
    """The end of a game by agreement to a draw."""
    return {**_ending(None, "a draw by agreement"), "resigned": AGREED}


def _ending(winner: int | None, words: str) -> Json:
    return {"over": True, "words": f"{words[0].upper()}{words[1:]}", "winner": winner}
