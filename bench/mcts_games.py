"""Games that both zerosum and OpenSpiel have, and OpenSpiel's Monte-Carlo tree search in C++: shared by mcts*.py."""

from __future__ import annotations

from typing import Any, NamedTuple

import zerosum as zs

HEX_SIZE = 7


class Shared(NamedTuple):
    """A game of both libraries; with ``same_moves``, a move is the same number on both sides."""

    ours: str
    theirs: str
    same_moves: bool = True

    def load(self) -> zs.Game:
        if self.ours == "hex":
            return zs.load("hex", size=HEX_SIZE)
        return zs.load(self.ours)


GAMES = {
    "connect-four": Shared("connect-four", "connect_four"),
    "othello": Shared("othello", "othello"),
    "chess": Shared("chess", "chess", same_moves=False),
    "hex": Shared("hex", f"hex(board_size={HEX_SIZE})"),
    "backgammon": Shared("backgammon", "backgammon", same_moves=False),
}

UCT_C = 2.0
"""The exploration constant of OpenSpiel's own example program."""


def missing_peer() -> str:
    """Return why OpenSpiel cannot take part, or ''."""
    try:
        import pyspiel  # noqa: F401
    except ImportError as problem:
        return f"OpenSpiel skipped, {problem}; to measure it: pip install open_spiel"
    return ""


def start_of(game: zs.Game) -> Any:
    """Return the first position in which a player moves: with dice, after the first possible roll."""
    s = game.start()
    while game.to_move(s) == zs.CHANCE:
        s = game.successor(s, next(iter(game.chances(s)))[0])
    return s


def their_start(rules: Any) -> Any:
    state = rules.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state


def bot(rules: Any, seconds: float, seed: int = 1, uct_c: float = UCT_C, simulations: int | None = None) -> Any:
    """Return OpenSpiel's bot with one random game per leaf and its solver on; negative seconds mean no limit."""
    import pyspiel

    return pyspiel.MCTSBot(
        rules,
        pyspiel.RandomRolloutEvaluator(1, seed),
        uct_c=uct_c,
        max_simulations=simulations or 2**31 - 1,
        max_memory_mb=2000,
        solve=True,
        seed=seed,
        verbose=False,
        max_wall_clock_time=seconds,
    )
