"""The shipped backgammon player against GNU Backgammon's network (gnubg-nn, 0-ply) and against pubeval.

    python bench/backgammon_matches.py [--games 10000] [--depth 1] [--against gnubg] [--weights FILE] [--seed 1]

Cubeless money games, gammons and backgammons counted; each dice sequence is played twice, with sides swapped. Depth 1
is without look-ahead: the play that leads to the best position. Depth 2 looks one roll ahead.

With --luck the result is also given without the luck of the dice: each game's result is corrected, for both sides, by
how much better every roll was than the average of all 21 (by our network, each roll played as well as it can). Luck is
0 on average, whatever the network thinks, so the expected result is the same, but its error is as small as that of
some fifteen times as many games.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pubeval import PubevalTables, order, read_weights
from timing import machine

import zerosum as zs
from zerosum.arena.standings import Points
from zerosum.cli.common import chosen_algorithm
from zerosum.game import MAX
from zerosum.games.backgammon.position import Position
from zerosum.games.backgammon.position_id import position_of, sides
from zerosum.jit.kernel import Kernel
from zerosum.jit.rules import Rules
from zerosum.learn.files import with_weights_from
from zerosum.learn.rows import Rows
from zerosum.learn.td import BEST, USES, WORDS, player_of, regions
from zerosum.networks.network import levels_of, shape_for
from zerosum.review.luck import Luck
from zerosum.running.crew import Crew
from zerosum.search.algorithm import Algorithm
from zerosum.search.algorithms import DEFAULT

Player = Callable[[Position], Position]


def gnubg_player() -> Player:
    """Return GNU Backgammon's player without look-ahead; a play is identified by the position it leads to."""
    import gnubg_nn

    def play(s: Position) -> Position:
        own, other = sides(s)
        board = [other[1:], own[1:]]
        large, small = divmod(s.roll, 10)
        steps, key = gnubg_nn.best_move(board, large, small, n=0, b=1)[:2]
        if not steps:
            return position_of(other, own, 1 - s.player)
        moved, waiting = gnubg_nn.board_from_position_key(key)  # the player who has moved is no longer on turn
        full = [[15 - sum(side), *side] for side in (waiting, moved)]
        return position_of(full[0], full[1], 1 - s.player)

    return play


def pubeval_player(game: zs.Game) -> Player:
    tables = PubevalTables(read_weights())

    def play(s: Position) -> Position:
        return game.play(s, max(game.moves(s), key=lambda move: order(s, move, tables)))  # type: ignore[no-any-return]

    return play


def quick_player(game: zs.Game) -> Player:
    """Return a player that makes the engine's choice at depth 1, without its overhead."""
    outputs = 2 * levels_of(game) - 1
    shape = shape_for(game, (game.tables.network.shape[1] - outputs) // (len(game.feature_names) + 1 + outputs))

    def build(rules: Rules) -> Any:
        look, unpack, pack, play, at = player_of(rules, shape), rules.unpack, rules.pack, rules.play, rules.at.state
        buffer = rules.at["buffer"]

        def entry(mem: Any) -> int:
            s = unpack(mem, at)
            look(s, mem)
            pack(play(s, mem[buffer + mem[BEST]], mem), mem, at)
            return 0

        return entry

    member = Crew(Kernel("quick player", USES, build, WORDS, regions), game)[0]
    rows = Rows(member, shape, game.tables.network)
    size, at = game.state_type.size, member.at.state

    def play(s: Position) -> Position:
        assert rows.kept
        member.put_state(s)
        member.run()
        return Position(*(int(word) for word in member.row[at : at + size]))

    return play


def our_player(game: zs.Game, depth: int, algorithm: Algorithm) -> Player:
    if depth == 1:
        return quick_player(game)
    engine = zs.Engine(game, algorithm)

    def play(s: Position) -> Position:
        moves = game.legal_moves(s)
        move = moves[0] if len(moves) == 1 else engine.search(s, depth=depth).move
        return game.play(s, move)  # type: ignore[no-any-return]

    return play


def play_game(game: zs.Game, players: list[Player], dice: random.Random, luck: Luck | None) -> tuple[float, float]:
    """Play a game; return its result for MAX, and how much of it was luck."""
    s = game.initial()
    lucky = 0.0
    while not game.is_terminal(s):
        a, b = dice.randint(1, 6), dice.randint(1, 6)
        before, s = s, game.play(s, 10 * max(a, b) + min(a, b))
        if luck is not None:
            lucky += luck.gift(before, s)
        s = players[s.player](s)
    return float(game.utility(s)), lucky


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--depth", type=int, default=1)
    parser.add_argument("--against", choices=("gnubg", "pubeval"), default="gnubg")
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--option", action="append", default=[], help="a search technique, as in filter=on")
    parser.add_argument("--luck", action="store_true", help="also print the result without luck; takes 80 ms a game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=500)
    arguments = parser.parse_args()
    print(machine(), flush=True)
    game = zs.load("backgammon")
    if arguments.weights:
        game = with_weights_from(game, arguments.weights)
    ours = our_player(game, arguments.depth, chosen_algorithm(DEFAULT, arguments.option))
    other = gnubg_player() if arguments.against == "gnubg" else pubeval_player(game)
    luck = Luck(game) if arguments.luck else None
    results: dict[int, float] = {}
    without_luck: dict[int, float] = {}
    kinds = dict.fromkeys((3, 2, 1, -1, -2, -3), 0)
    began = time.perf_counter()
    for number in range(arguments.games):
        dice = random.Random(f"{arguments.seed} {number // 2}")
        side = number % 2
        players = [ours, other] if side == MAX else [other, ours]
        sign = 1 if side == MAX else -1
        result, lucky = play_game(game, players, dice, luck)
        results[number + 1] = sign * result
        without_luck[number + 1] = sign * (result - lucky)
        kinds[int(sign * result)] += 1
        if (number + 1) % arguments.every == 0 or number + 1 == arguments.games:
            also = f" ({Points.of(without_luck)} without luck)" if luck else ""
            print(
                f"{len(results):,} games against {arguments.against}, depth {arguments.depth}:"
                f" {Points.of(results)} points a game{also}; {kinds}; {time.perf_counter() - began:.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
