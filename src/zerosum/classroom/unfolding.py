"""The tree of a game, to a given depth."""

from __future__ import annotations

from typing import Any

from zerosum.classroom.node import HIGHEST, LEAF, Node
from zerosum.classroom.walk import PASS, guess_of, outcome_of
from zerosum.errors import TreeError
from zerosum.game import CHANCE, Game

MOST_NODES = 20_000

Path = tuple[int, ...]


def unfolded(
    game: Game,
    s: Any,
    depth: float,
    limit: int = MOST_NODES,
    only: set[Path] | None = None,
    shown: set[Path] | None = None,
    with_guesses: bool = True,
) -> Node:
    """The tree of ``s``, ``depth`` moves deep; chance uses no depth. With ``only``, only these paths are entered.

    With ``shown``, a player's node has only these children; chance nodes keep all outcomes. Without ``with_guesses``
    inner nodes have no evaluation.

    A finished state is a leaf with its minimax value (a win in n is ``WIN - n`` unless the game is scored); a state at
    the horizon is a leaf with its evaluation.
    """
    left = limit
    line: list[Any] = []

    def grow(s: Any, depth: float, path: Path) -> Node:
        nonlocal left
        left -= 1
        if left < 0:
            raise TreeError(
                f"unfolding {game.name} makes more than {limit:,} nodes: give a smaller depth or a larger limit"
            )
        if len(path) > HIGHEST:
            raise TreeError(f"unfolding {game.name}: a line of {HIGHEST} moves has not ended; give a smaller depth")
        picture = game.show(s)
        if game.terminal_test(s):
            return Node(LEAF, value=outcome_of(game, s, len(path)), picture=picture)
        player = game.to_move(s)
        if game.repetition and path and player != CHANCE and line.count(s) + 1 >= game.repetition:
            return Node(LEAF, value=0, picture=picture)
        guess = guess_of(game, s)
        if (depth <= 0 and player != CHANCE) or (only is not None and path not in only):
            return Node(LEAF, value=guess, picture=picture)
        moves = game.legal_moves(s)
        if not moves:
            return Node(LEAF, value=outcome_of(game, s, len(path)), picture=picture)
        if shown is not None and player != CHANCE:
            moves = [move for move in [*moves, PASS] if (*path, move) in shown]
        shares = tuple(share for _, share in game.checked_chances(s)) if player == CHANCE else ()
        line.append(s)
        below = depth if player == CHANCE else depth - 1
        children = tuple(grow(after(game, s, move), below, (*path, move)) for move in moves)
        line.pop()
        return Node(
            player,
            value=guess if game.has("evaluate") and with_guesses else None,
            children=children,
            moves=tuple(moves),
            labels=tuple(move_word(game, s, move) for move in moves),
            probabilities=shares,
            picture=picture,
            noisy=player != CHANCE and game.has("noisy_moves") and any(True for _ in game.noisy_moves(s)),
        )

    return grow(s, depth, ())


def after(game: Game, s: Any, move: int) -> Any:
    """The state after a move, or after the null move."""
    return game.skip(s) if move == PASS else game.play(s, move)


def move_word(game: Game, s: Any, move: int) -> str:
    return "pass" if move == PASS else game.format_move(s, move)


def moves_in_words(game: Game, s: Any, path: Path) -> list[str]:
    """Successive moves from ``s``, in the game's notation.

    >>> from zerosum.games import load
    >>> tictactoe = load("tictactoe")
    >>> moves_in_words(tictactoe, tictactoe.initial(), (0, 4, 1))
    ['1', '5', '2']
    """
    words = []
    for move in path:
        words.append(move_word(game, s, move))
        s = after(game, s, move)
    return words
