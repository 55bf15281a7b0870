"""English draughts (American checkers): capture all of the opponent's pieces, or leave them without a move.

Black moves first and is MAX. Jumping is compulsory. A move continues jumping until no further jump is possible; a man
that reaches the last row is crowned, which ends the move. A player who cannot move loses. The game is drawn after forty
moves by each side without a jump or a man's move, or when a position occurs for the third time.

>>> game = checkers()
>>> s = game.parse_state("W:W22,K30:B1,10,18")
>>> [game.format_move(s, move) for move in game.moves(s)]
['22x6']
>>> print(game.show(game.play(s, game.parse_move(s, "22x15x6"))))
  b   .   .   .   1-4
.   w   .   .     5-8
  .   .   .   .   9-12
.   .   .   .     13-16
  .   .   .   .   17-20
.   .   .   .     21-24
  .   .   .   .   25-28
.   W   .   .     29-32
Black to move
"""

from __future__ import annotations

import numpy as np

from zerosum.errors import GameError
from zerosum.game import MIN, Game
from zerosum.games.boards import checkers as drawing
from zerosum.games.checkers.active import ACTIVE_FEATURES, MAX_ACTIVE, PHASES, active, phase
from zerosum.games.checkers.ballots import openings
from zerosum.games.checkers.evaluate import evaluate, order
from zerosum.games.checkers.fen import from_fen, to_fen
from zerosum.games.checkers.index import is_valid, rank, tier, tiers, unrank
from zerosum.games.checkers.notation import format_move, parse_move, show
from zerosum.games.checkers.position import Position
from zerosum.games.checkers.rules import (
    clock,
    initial,
    is_forced,
    key,
    moves,
    noisy_moves,
    play,
    reversible,
    to_move,
    utility,
)
from zerosum.games.checkers.terms import terms
from zerosum.games.checkers.weights import trained_tables, untrained_tables, weights_of, with_weights
from zerosum.games.pgn.format import TreeFormat
from zerosum.games.trained import check_switches, evaluated_with

PDN = TreeFormat(".pdn", "PDN", "zerosum.games.checkers.pdn", MIN)  # Black moves first

# Twelve kings with 16 ways to jump each, the most that a king can have: the tests try all cases.
MOST_MOVES = 192

MOST_DRAWS = 10_000

# The unit of the evaluation is a hundredth of a man.
ADVICE = {
    "quiescence": True,
    "forced": True,
    "reductions": True,
    "futility": True,
    "late_pruning": True,
    "iir": True,
    "early_repetition": True,
}


def checkers(draws: int = 40, trained: int = 1, network: int = 1) -> Game:
    """Checkers, drawn after ``draws`` moves by each side without progress, or by repetition; with 0, by neither.

    The evaluation is a network; with ``network=0``, a sum of features with tuned weights; with ``trained=0``, the same
    sum with the hand-set weights from which tuning started.

    >>> checkers().repetition, checkers(draws=0).repetition
    (3, 0)
    """
    if not 0 <= draws <= MOST_DRAWS:
        raise GameError(f"draws must be a whole number from 0 to {MOST_DRAWS}, not {draws!r}")
    check_switches("checkers", trained=trained, network=network)
    tables = trained_tables() if trained else untrained_tables()
    game = Game(
        "checkers",
        Position,
        initial,
        to_move,
        moves,
        play,
        utility,
        max_moves=MOST_MOVES,
        clock=clock if draws else None,
        repetition=3 if draws else 0,
        key=key,
        evaluate=evaluate,
        order=order,
        noisy_moves=noisy_moves,
        is_forced=is_forced,
        reversible=reversible,
        tables=tables._replace(patience=np.array([2 * draws])),
        advice=ADVICE,
        unit=100,
        tiers=tiers,
        tier=tier,
        rank=rank,
        unrank=unrank,
        is_valid=is_valid,
        weights_of=weights_of,
        with_weights=with_weights,
        terms=terms,
        active=active,
        active_features=ACTIVE_FEATURES,
        max_active=MAX_ACTIVE,
        phase=phase,
        phases=PHASES,
        players=("Black", "White"),
        **drawing.board(),
        formats=(PDN,),
        openings=openings,
        show=show,
        parse_move=parse_move,
        format_move=format_move,
        parse_state=from_fen,
        format_state=to_fen,
        about="English draughts: jumps are compulsory; FEN and PDN",
    )
    return evaluated_with("checkers/network.npz", game) if network and trained else game
