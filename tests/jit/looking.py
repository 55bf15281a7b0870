"""Two small kernels for tests of the compiler: they compile several times as fast as a search."""

from __future__ import annotations

from zerosum.jit.kernel import Kernel
from zerosum.jit.plan import Region
from zerosum.running.crew import CPU, Crew


def build_guess(rules):
    unpack, evaluate, state = rules.unpack, rules.evaluate, rules.at.state

    def entry(mem):
        """The evaluation of the position."""
        return evaluate(unpack(mem, state), mem)

    return entry


def build_step(rules):
    is_terminal, moves, play, unpack, fail = rules.is_terminal, rules.moves, rules.play, rules.unpack, rules.fail
    width, state, buffer = rules.max_moves, rules.at.state, rules.at["buffer"]

    def entry(mem):
        """The number of moves that lead to the end of the game."""
        s = unpack(mem, state)
        n = moves(s, mem, buffer, buffer + width)
        if n < 0:
            return fail(s, n, mem)
        found = 0
        for i in range(n):
            if is_terminal(play(s, mem[buffer + i], mem), mem):
                found += 1
        return found

    return entry


GUESS = Kernel("guess", ("evaluate",), build_guess)
STEP = Kernel(
    "step", ("moves", "play", "is_terminal"), build_step, regions=lambda game: [Region("buffer", game.max_moves)]
)


def guess(game, s):
    """The compiled evaluation of a position."""
    (member,) = Crew(GUESS, game, target=CPU)
    member.put_state(s)
    return member.run()
