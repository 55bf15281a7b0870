"""Backgammon: bring fifteen checkers home and bear them off, with dice. MAX rolls first.

>>> game = backgammon()
>>> s = game.play(game.initial(), 31)
>>> len(game.legal_moves(s))
16
>>> s = game.play(s, game.parse_move(s, "8/5 6/5"))
>>> game.format_state(s)
'sGfwATDgc/ABMA:min'
"""

from __future__ import annotations

from zerosum.game import Game
from zerosum.games.backgammon.board import show
from zerosum.games.backgammon.evaluate import chances_of, evaluation_by
from zerosum.games.backgammon.features import NAMES, NETWORKS, features
from zerosum.games.backgammon.generate import MOST_MOVES, moves
from zerosum.games.backgammon.mat_format import MAT
from zerosum.games.backgammon.notation import format_move, parse_move
from zerosum.games.backgammon.position import Position
from zerosum.games.backgammon.position_id import format_state, parse_state
from zerosum.games.backgammon.rules import MOST_ROLLS, chances, initial, is_terminal, play, to_move, utility
from zerosum.games.backgammon.tables import trained
from zerosum.games.boards import backgammon as drawing


def backgammon() -> Game:
    """Backgammon without the doubling cube: a gammon counts 2 points, a backgammon 3.

    >>> backgammon().bounds(backgammon().initial())
    (-3, 3)
    """
    shape, tables = trained()
    return Game(
        "backgammon",
        Position,
        initial,
        to_move,
        moves,
        play,
        utility,
        max_moves=MOST_MOVES,
        is_terminal=is_terminal,
        chances=chances,
        max_chances=MOST_ROLLS,
        scored=True,
        evaluate=evaluation_by(shape),
        bounds=(-3, 3),
        # The network evaluates positions before the roll, so there is no need to average over the rolls.
        advice={"evaluate_events": True},
        tables=tables,
        features=features,
        feature_names=NAMES,
        networks=NETWORKS,
        chances_of=chances_of,
        show=show,
        parse_move=parse_move,
        format_move=format_move,
        parse_state=parse_state,
        format_state=format_state,
        players=("White", "Black"),
        **drawing.board(),
        formats=(MAT,),
        about="race home and bear off, with dice; gammons count",
    )
