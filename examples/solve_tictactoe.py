"""X has opened in a corner. Which replies save O? This solves tic-tac-toe after each of them.

python examples/solve_tictactoe.py
"""

import zerosum as zs

game = zs.load("tictactoe")
engine = zs.Engine(game)


def verdicts(s):
    """The result after each move from ``s`` with perfect play, in words, by the text of the move."""
    return {game.format_move(s, move): engine.solve(game.play(s, move)).in_words() for move in game.legal_moves(s)}


if __name__ == "__main__":
    corner = zs.Line.parse(game, "1").state
    print(game.show(corner), end="\n\n")
    for move, verdict in verdicts(corner).items():
        print(f"O at {move}: {verdict}")
