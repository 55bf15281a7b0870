"""Monte-Carlo tree search in matches with equal time per move, one thread on each side.

    python bench/mcts_matches.py connect-four [--against openspiel] [--seconds 0.1] [--games 200]
    python bench/mcts_matches.py othello --against explore=50 --simulations 5000

Opponents:

- openspiel: the C++ MCTSBot with random games and its solver (connect four, Othello, Hex). It keeps track of the time
  itself (max_wall_clock_time), and starts each move with an empty tree.
- alphabeta: zerosum's own, with the game's evaluation; alphabeta-plain is without any knowledge.
- random
- options of Mcts, such as explore=50,order=on: the same search with these options.

Each side plays each opening, two random plies, once. With --simulations both sides get this number, including
OpenSpiel, and time does not matter. --ours sets options for our side. The score is printed with its 95 % error,
computed from pairs of games.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from itertools import count
from typing import Any

from mcts_games import GAMES, UCT_C, Shared, bot, missing_peer
from timing import machine

import zerosum as zs
from zerosum.arena.ratings import Tally

HASH_MB = 128
OPENING = 2

Player = Callable[[zs.Line], int]
"""A function that chooses a move in the last position of a line."""


def mcts_options(text: str) -> dict[str, Any]:
    """Parse options such as ``explore=50,order=on``."""
    pairs = (word.partition("=") for word in text.split(",") if word)
    return {name: zs.Mcts.option(name, value) for name, _, value in pairs}


def engine_player(game: zs.Game, algorithm: Callable[[int], Any], limit: dict[str, Any]) -> Player:
    """Return a player that keeps its tree or table from move to move; a line as short as an opening is a new game.

    Each game has its own seed, because openings repeat and games must not.
    """
    zs.Engine(game, algorithm(0)).search(game.start(), nodes=1)  # compiles or loads the kernel
    seeds = count(1)
    engine: zs.Engine

    def choose(line: zs.Line) -> int:
        nonlocal engine
        if len(line.moves) <= OPENING + 1:
            engine = zs.Engine(game, algorithm(next(seeds)), hash_mb=HASH_MB)
            engine.prepare()
        move = engine.search(line, **limit).move
        assert move is not None
        return move

    return choose


def sampler(game: zs.Game, options: str, limit: dict[str, Any]) -> Player:
    chosen = mcts_options(options)
    return engine_player(game, lambda seed: zs.Mcts(**chosen, seed=seed), limit)


def random_player(game: zs.Game) -> Player:
    chance = random.Random(1)
    return lambda line: chance.choice(list(game.legal_moves(line.state)))


def openspiel_player(theirs: str, limit: dict[str, Any], uct_c: float) -> Player:
    import pyspiel

    rules = pyspiel.load_game(theirs)
    searcher = bot(rules, limit.get("seconds", -1.0), uct_c=uct_c, simulations=limit.get("nodes"))

    def choose(line: zs.Line) -> int:
        state = rules.new_initial_state()
        for move in line.moves:
            state.apply_action(move)
        return searcher.step(state)  # type: ignore[no-any-return]

    return choose


def opening(game: zs.Game, number: int) -> zs.Line:
    chance = random.Random(number)
    line = zs.Line(game)
    for _ in range(OPENING):
        line = line.play(chance.choice(list(game.legal_moves(line.state))))
    return line


def result_of(game: zs.Game, line: zs.Line, players: dict[int, Player]) -> int:
    """Play on to the end; return 1 if MAX wins, -1 if MIN wins, 0 for a draw."""
    while not game.is_over(line.state) and not line.is_repetition:
        line = line.play(players[game.to_move(line.state)](line))
    if line.is_repetition:
        return 0
    points = game.utility(line.state)
    return (points > 0) - (points < 0)


def match(game: zs.Game, ours: Player, other: Player, games: int, first: int) -> Tally:
    counts = {1: 0, 0: 0, -1: 0}
    pairs = [0] * 5
    for pair in range(first, first + games // 2):
        line, points = opening(game, pair), 2
        for sign, players in ((1, {zs.MAX: ours, zs.MIN: other}), (-1, {zs.MAX: other, zs.MIN: ours})):
            found = sign * result_of(game, line, players)
            counts[found] += 1
            points += found
        pairs[points] += 1
    return Tally(counts[1], counts[0], counts[-1], tuple(pairs))  # type: ignore[arg-type]


def opponent(name: str, game: zs.Game, shared: Shared, limit: dict[str, Any], uct_c: float) -> Player:
    if name == "openspiel":
        missing = missing_peer() or ("" if shared.same_moves else f"{game.name}: OpenSpiel numbers moves differently")
        if missing:
            raise SystemExit(missing)
        return openspiel_player(shared.theirs, limit, uct_c)
    if name == "random":
        return random_player(game)
    if name.startswith("alphabeta"):
        if name == "alphabeta-plain":
            game = game.with_(evaluate=None, order=None, bounds=None, advice={})
        return engine_player(game, lambda seed: zs.AlphaBeta(), limit)
    return sampler(game, name, limit)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--against", default="openspiel")
    parser.add_argument("--ours", default="", help="options of Mcts, such as explore=70")
    parser.add_argument("--seconds", type=float, default=0.1, help="seconds per move")
    parser.add_argument("--simulations", type=int, help="simulations per move, instead of seconds")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--uct-c", type=float, default=UCT_C, help="OpenSpiel's exploration constant")
    parser.add_argument("--first", type=int, default=0, help="number of the first opening")
    arguments = parser.parse_args()
    shared = GAMES[arguments.game]
    game = shared.load()
    limit = {"nodes": arguments.simulations} if arguments.simulations else {"seconds": arguments.seconds}
    ours = sampler(game, arguments.ours, limit)
    other = opponent(arguments.against, game, shared, limit, arguments.uct_c)
    tally = match(game, ours, other, arguments.games, arguments.first)
    each = f"{arguments.simulations:,} simulations" if arguments.simulations else f"{arguments.seconds:g} s"
    print(
        f"{arguments.game}, mcts({arguments.ours}) against {arguments.against}, {each} a move, {tally.games} games:"
        f" won {tally.wins}, drawn {tally.draws}, lost {tally.losses},"
        f" {tally.score:.1%} ± {1.96 * tally.error:.1%}; {machine()}"
    )


if __name__ == "__main__":
    main()
