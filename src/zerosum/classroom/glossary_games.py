"""Terms of the glossary: what a game is, minimax, limits of time and evaluations."""

from __future__ import annotations

from zerosum.classroom.glossary_entry import (
    CHANCE,
    CHAPTER,
    GALLERY,
    GAMES,
    HISTORY,
    LADDER,
    SEARCH,
    TRAINING,
    Term,
    example,
)

# What a game is
OF_GAMES = (
    Term(
        "adversarial search",
        ("adversarial reasoning", "game playing", "multi-agent search", "game search"),
        "Search in which an opponent chooses every other move, and does not want what you want. The answer is not a "
        "path but a strategy: a move for every reply.",
        example("trivial-game"),
        GALLERY,
    ),
    Term(
        "game tree",
        ("tree of a game", "search tree"),
        "The positions that can come up, each joined to those that one move makes of it. The root is the position that "
        "is asked about, the leaves are where the game ends or the search stops.",
        example("tic-tac-toe-questions"),
    ),
    Term(
        "zero-sum game",
        ("zero sum", "zero-sum", "my win is your loss"),
        "What one player wins the other loses, so that one number, for MAX, tells what both get.",
        example("kinds-of-games"),
        GAMES,
    ),
    Term(
        "perfect information",
        ("fully observable", "perfect knowledge", "perfect game", "perfect info"),
        "Both players see everything. Chess and backgammon have it; poker and bridge, with their hidden cards, have "
        "imperfect information, and are not searched here.",
        example("kinds-of-games"),
        HISTORY,
    ),
    Term(
        "imperfect information",
        ("hidden information", "partially observable", "poker", "bridge"),
        "Players do not see everything: cards are hidden. Minimax does not apply, since a good player must mix moves "
        "at random. Not in the scope of this toolkit.",
        example("kinds-of-games"),
        HISTORY,
    ),
    Term(
        "deterministic game",
        ("deterministic", "no luck"),
        "Each move leads to one position: no dice, no cards. Its opposite is a game of chance.",
        example("kinds-of-games"),
        HISTORY,
    ),
    Term(
        "game of chance",
        ("nondeterministic game", "stochastic game", "uncertainty", "dice", "chance game"),
        "Dice or coins decide between the moves. Positions have expected values.",
        example("kinds-of-games"),
        CHANCE,
    ),
    Term(
        "turn-taking",
        ("turn taking", "sequential", "players alternate"),
        "Players move one after the other, not at once. They need not alternate strictly: in kalah a player may move "
        "again.",
        example("kinds-of-games"),
        GAMES,
    ),
    Term(
        "initial state",
        ("start", "initial position", "s0"),
        "Where the game begins, and who is to move: the function initial() of a game.",
        example("game-definition"),
        GAMES,
    ),
    Term(
        "successor function",
        ("successors", "actions", "legal moves", "result", "action model", "transition model"),
        "Gives the legal moves of a state, each with the state that it leads to. Here it is two functions: moves(s) "
        "and play(s, move).",
        example("game-definition"),
        GAMES,
    ),
    Term(
        "terminal test",
        ("terminal state", "terminal node", "goal test", "game over"),
        "Whether the game is over in a state: is_terminal(s), or no moves are left.",
        example("game-definition"),
        GAMES,
    ),
    Term(
        "utility function",
        ("utility", "payoff", "objective function", "score function", "payoff function", "outcome"),
        "What a finished game is worth to MAX: +1, 0 or −1, or a score.",
        example("game-definition"),
        GAMES,
    ),
    Term(
        "state space",
        ("state", "position", "state-space complexity"),
        "All states that can be reached from the initial one. In tic-tac-toe there are 5,478 positions.",
        "zerosum measure tictactoe --games 20",
        GALLERY,
    ),
    Term(
        "MAX",
        ("max player", "maximizer", "you", "max node"),
        "The player who wants the highest value: the system, White in chess, X in tic-tac-toe. Drawn as a triangle "
        "that points up.",
        example("minimax-chapter-6"),
    ),
    Term(
        "MIN",
        ("min player", "minimizer", "opponent", "min node"),
        "The player who wants the lowest value: the opponent. Drawn as a triangle that points down.",
        example("minimax-chapter-6"),
    ),
    Term(
        "strategy",
        ("policy", "optimal strategy", "lookup table of moves"),
        "A move for every position that may come up, whatever the opponent does. A table of them would be huge for "
        "most games; searching finds the moves when they are needed.",
        example("tic-tac-toe-program"),
        "docs/certificates.md",
    ),
    Term(
        "optimal play",
        ("optimal decision", "best play", "rational opponent", "optimal opponent", "perfect play"),
        "Both players choose the best for themselves. Minimax assumes it of the opponent: against a weaker one it "
        "never gets less than it promised, but may miss more.",
        example("minimax-properties"),
    ),
)

# Minimax
OF_MINIMAX = (
    Term(
        "minimax",
        ("minimax algorithm", "minimax procedure", "minimaxing", "min-max"),
        "A MAX node is worth the maximum of its successors, a MIN node the minimum. Computed from the leaves up, this "
        "is the best result that MAX can be sure of.",
        example("minimax-chapter-6"),
    ),
    Term(
        "minimax value",
        ("minimax decision", "game-theoretic value", "value of a node"),
        "What a position is worth if both play optimally from there. The minimax decision is the move to the successor "
        "with the best one.",
        example("trivial-game"),
    ),
    Term(
        "backed-up value",
        ("back up", "backing up", "bring up", "bringing up values", "propagation"),
        "A value that was brought up from the leaves, as opposed to one that an evaluation guesses.",
        example("pbv-walk-through"),
    ),
    Term(
        "PBV",
        ("preliminary backed-up value", "value so far", "best so far", "provisional value"),
        "The best value that a node has so far, from those of its children that were looked at. At your move it never "
        "falls, at your opponent's it never rises.",
        example("pbv-walk-through"),
    ),
    Term(
        "negamax",
        ("nega-max",),
        "Minimax written once for both players: the value for one is minus the value for the other.",
        f"zerosum trace {CHAPTER} --algorithm negamax",
    ),
    Term(
        "depth-first search",
        ("depth-first", "DFS", "depth first exploration"),
        "Going down one line to its end before the next is begun. It needs memory for one line only, b·m nodes.",
        example("minimax-properties"),
    ),
    Term(
        "breadth-first search",
        ("breadth-first", "BFS"),
        "Looking at all nodes of one level before the next. It needs memory for a whole level; iterative deepening has "
        "its virtues at the cost of depth-first search.",
        example("tic-tac-toe-questions"),
    ),
    Term(
        "completeness",
        ("complete", "complete search"),
        "Whether an algorithm always ends with an answer. Minimax does on finite trees.",
        example("minimax-properties"),
    ),
    Term(
        "time complexity",
        ("O(b^m)", "exponential time", "time"),
        "How the work grows: minimax looks at b^m nodes for b moves a position and depth m.",
        example("minimax-properties"),
    ),
    Term(
        "space complexity",
        ("O(bm)", "memory", "O(b·m)", "linear space"),
        "How the memory grows: depth-first search keeps b·m nodes.",
        example("minimax-properties"),
    ),
)

# Limits of time, evaluations
OF_LIMITS = (
    Term(
        "ply",
        ("plies", "half-move", "half move", "plie"),
        "A move by one player. A move in chess, by White and by Black, is two plies.",
        example("alpha-beta-four-plies"),
    ),
    Term(
        "depth",
        ("depth limit", "depth-limited search", "look-ahead", "lookahead", "bounded depth"),
        "How many plies a search looks ahead. Alpha-beta at its best looks twice as deep as minimax in the same time.",
        example("chess-arithmetic"),
        LADDER,
    ),
    Term(
        "horizon",
        ("search horizon",),
        "Where a search stops looking ahead, and judges.",
        example("tic-tac-toe-horizon-2"),
    ),
    Term(
        "horizon effect",
        ("horizon problem",),
        "What happens just beyond the horizon is not seen: a search that stops in the middle of an exchange counts the "
        "pawn that it takes, and not the queen that it loses.",
        example("horizon-effect"),
    ),
    Term(
        "cut-off test",
        ("cutoff test", "CUTOFF-TEST", "cutoff search", "cut-off search"),
        "Whether to stop the search here: the game is over, or the depth is used up. It takes the place of the "
        "terminal test where the whole tree is too large.",
        example("cut-off-test"),
    ),
    Term(
        "evaluation function",
        (
            "heuristic function",
            "heuristic",
            "static evaluation",
            "static evaluator",
            "EVAL",
            "evaluation",
            "h(n)",
            "e(s)",
        ),
        "A quick estimate of what a position is worth to MAX, without looking ahead. It agrees with the utility where "
        "the game is over.",
        'zerosum evaluate tictactoe ".o..x...."',
        TRAINING,
    ),
    Term(
        "weighted sum of features",
        ("linear evaluation", "weighted sum", "linear weighted sum", "feature", "features", "weight", "weights"),
        "The usual evaluation: w₁f₁(s) + w₂f₂(s) + …, such as 9 for each queen more. The features are chosen by "
        "people, the weights may be learned.",
        'zerosum evaluate chess --set network=0 "4k3/2p5/3p4/8/8/3Q4/8/4K3 w - - 0 1"',
        TRAINING,
    ),
    Term(
        "open lines",
        ("open line", "rows, columns and diagonals open"),
        "The notes' evaluation of tic-tac-toe: lines that MAX may still fill, minus those that MIN may.",
        example("tic-tac-toe-open-lines"),
    ),
    Term(
        "quiescence search",
        ("quiescence", "quiescent position", "quiet position", "unstable position", "stand pat"),
        "Judging quiet positions only: beyond the horizon, captures and the like are followed until none is left. A "
        "player may stand pat, that is, take the evaluation as it is.",
        example("quiescence-search"),
        SEARCH,
    ),
    Term(
        "selective extension",
        ("selective extensions", "selective search", "extension", "search extension"),
        "Looking further along lines that are unstable. Deep Blue looked 14 plies ahead everywhere, and 25 along some "
        "lines.",
        example("selective-extension"),
        SEARCH,
    ),
    Term(
        "singular extension",
        ("singular extensions", "singular move"),
        "Looking further along a move that is better than all others by far. It comes from Deep Thought.",
        example("singular-extension"),
        SEARCH,
    ),
    Term(
        "resource limit",
        ("resource limits", "time limit", "nodes per second", "real-time decision", "imperfect real-time decisions"),
        "A search has a limited time: with 10⁴ nodes a second and 100 seconds, 35 moves a position allow four plies.",
        example("chess-arithmetic"),
        LADDER,
    ),
    Term(
        "node",
        ("nodes", "positions searched"),
        "A position of the tree that a search visits. The number of nodes is what a search costs.",
        example("chess-arithmetic"),
        LADDER,
    ),
)
