"""Chess: mate the king. White is MAX.

A game ends by mate, stalemate, fifty moves without a capture or a pawn move, threefold repetition, or insufficient
material. Rooks may castle from any file, as in Chess960, if a FEN says so.

>>> game = chess()
>>> s = game.parse_state("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
>>> s = game.play(s, game.parse_move(s, "Rd8#"))
>>> print(game.show(s))
8 . . . R . . k .
7 . . . . . p p p
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 . . . . . P P P
1 . . . . . . K .
  a b c d e f g h
checkmate: White wins
>>> game.is_over(s), game.utility(s)
(True, 1)
"""

from __future__ import annotations

from zerosum.game import Game
from zerosum.games.boards import chess as drawing
from zerosum.games.chess.active import ACTIVE_FEATURES, MAX_ACTIVE, PHASES, active, phase
from zerosum.games.chess.attacks import in_check
from zerosum.games.chess.endgame_index import is_valid, rank, tier, unrank
from zerosum.games.chess.endgame_tiers import tiers
from zerosum.games.chess.evaluate import adjust, evaluate
from zerosum.games.chess.fen import from_fen, to_fen
from zerosum.games.chess.generate import moves, noisy_moves
from zerosum.games.chess.named_weights import weights_of, with_weights
from zerosum.games.chess.notation import parse_move, show, to_san
from zerosum.games.chess.order import order
from zerosum.games.chess.play import play, reversible, skip
from zerosum.games.chess.position import Position
from zerosum.games.chess.presentation import presentation
from zerosum.games.chess.rules import clock, initial, is_insufficient, key, to_move, utility
from zerosum.games.chess.tables import Tables, default_tables, untrained_tables
from zerosum.games.chess.terms import terms
from zerosum.games.trained import check_switches, evaluated_with

# The most legal moves of any position.
MOST_MOVES = 218

# The unit of the evaluation is a hundredth of a pawn. All techniques that trade certainty for depth pay off.
ADVICE = {
    "quiescence": True,
    "forced": True,
    "singular": True,
    "null_move": True,
    "reductions": True,
    "futility": True,
    "razoring": True,
    "late_pruning": True,
    "iir": True,
    "early_repetition": True,
}


def parse_state(text: str, t: Tables) -> Position:
    return from_fen(text, t)


def chess(draws: int = 1, trained: int = 1, network: int = 1) -> Game:
    """Chess; with ``draws=0``, without draws by the fifty-move rule, repetition or insufficient material, as in perft.

    The evaluation is a network; with ``network=0``, a sum of features with tuned weights; with ``trained=0``, the same
    sum with the hand-set weights from which tuning started.

    >>> chess().repetition, chess(draws=0).repetition
    (3, 0)
    """
    check_switches("chess", draws=draws, trained=trained, network=network)
    game = Game(
        "chess",
        Position,
        initial,
        to_move,
        moves,
        play,
        utility,
        max_moves=MOST_MOVES,
        is_terminal=is_insufficient if draws else None,
        clock=clock if draws else None,
        repetition=3 if draws else 0,
        key=key,
        evaluate=evaluate,
        order=order,
        noisy_moves=noisy_moves,
        is_forced=in_check,
        skip=skip,
        reversible=reversible,
        tiers=tiers,
        tier=tier,
        rank=rank,
        unrank=unrank,
        is_valid=is_valid,
        tables=default_tables() if trained else untrained_tables(),
        advice=ADVICE,
        unit=100,
        active=active,
        active_features=ACTIVE_FEATURES,
        max_active=MAX_ACTIVE,
        phase=phase,
        adjust=adjust,
        phases=PHASES,
        weights_of=weights_of,
        with_weights=with_weights,
        terms=terms,
        show=show,
        parse_move=parse_move,
        format_move=to_san,
        parse_state=parse_state,
        format_state=to_fen,
        players=("White", "Black"),
        **drawing.board(),
        **presentation(),
        about="mate the king; FEN, SAN and UCI notation",
    )
    return evaluated_with("chess/network.npz", game) if network and trained else game
