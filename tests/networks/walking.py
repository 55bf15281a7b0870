"""Random walks through a game that evaluate every position twice: with updated sums, and with sums computed anew."""

from __future__ import annotations

from zerosum.game import Game
from zerosum.jit.kernel import Kernel
from zerosum.jit.plan import STOP, Words
from zerosum.jit.rules import Rules
from zerosum.running.crew import Crew
from zerosum.search.dice import next_below
from zerosum.search.incremental_evaluation import RULES_USED, evaluation_regions, make_evaluation

PLIES = 30
WALK = Words("games", "dice", "judged", "differing")
GAMES, DICE, JUDGED, DIFFERING = WALK


def build(rules: Rules):
    judge, evaluate, moves, play = make_evaluation(rules), rules.evaluate, rules.moves, rules.play
    is_terminal, unpack, state, width = rules.is_terminal, rules.unpack, rules.at.state, rules.max_moves
    buffer = rules.at["buffer"]

    def entry(mem):
        for _ in range(mem[GAMES]):
            s = unpack(mem, state)
            ply = 0
            while not is_terminal(s, mem):
                n = moves(s, mem, buffer, buffer + width)
                if n <= 0:
                    break
                if judge(s, ply, mem) != evaluate(s, mem):
                    mem[DIFFERING] += 1
                mem[JUDGED] += 1
                if mem[STOP]:
                    return 0
                # Sometimes at a ply other than the next one: slots may hold anything.
                ply = ply + 1 if ply < PLIES and next_below(4, DICE, mem) else next_below(PLIES, DICE, mem)
                s = play(s, mem[buffer + next_below(n, DICE, mem)], mem)
        return 0

    return entry


def regions(game: Game):
    from zerosum.jit.plan import Region

    return [Region("buffer", game.max_moves), *evaluation_regions(game, PLIES + 1)]


WALKING = Kernel(
    "walk",
    ("to_move", "moves", "play", "is_terminal", "utility", "evaluate", *RULES_USED),
    build,
    WALK,
    regions,
)


def walk(game: Game, games: int, seed: int = 1) -> tuple[int, int]:
    """Return the number of positions evaluated, and of those whose two values differ."""
    crew = Crew(WALKING, game)
    crew.put(games=games, dice=seed)
    crew[0].put_state(game.initial())
    crew.run(lambda report: crew[0].run())
    return crew[0].judged, crew[0].differing
