"""Terms of the glossary: games, minimax, depth limits and evaluations."""

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
        "Search against an opponent who chooses every other move and wants the opposite of what you want. The answer "
        "is not a path but a strategy: a move for every reply.",
        example("trivial-game"),
        GALLERY,
    ),
    Term(
        "game tree",
        ("tree of a game", "search tree", "tree", "root"),
        "All positions that can arise, each connected to those that one move leads to. The root is the position in "
        "question; the leaves are positions where the game ends or the search stops.",
        example("tic-tac-toe-questions"),
    ),
    Term(
        "zero-sum game",
        ("zero sum", "zero-sum", "my win is your loss"),
        "One player wins what the other loses, so a single number, the value for MAX, describes the result for both.",
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
        "at random. Such games are outside the scope of this toolkit.",
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
        "Between the moves, dice or coins decide. Positions have expected values.",
        example("kinds-of-games"),
        CHANCE,
    ),
    Term(
        "turn-taking",
        ("turn taking", "sequential", "players alternate"),
        "Players move one after the other, not simultaneously. They need not alternate strictly: in kalah a player may "
        "move again.",
        example("kinds-of-games"),
        GAMES,
    ),
    Term(
        "initial state",
        ("start", "initial position", "s0"),
        "The position at the start of the game, including the side to move: the function initial() of a game.",
        example("game-definition"),
        GAMES,
    ),
    Term(
        "successor function",
        ("successors", "actions", "legal moves", "result", "action model", "transition model"),
        "Gives the legal moves of a state, each with the resulting state. Here it is two functions: moves(s) and "
        "play(s, move).",
        example("game-definition"),
        GAMES,
    ),
    Term(
        "terminal test",
        ("terminal state", "terminal node", "goal test", "game over"),
        "Tells whether the game is over in a state: is_terminal(s) says so, or no moves are left.",
        example("game-definition"),
        GAMES,
    ),
    Term(
        "utility function",
        ("utility", "payoff", "objective function", "score function", "payoff function", "outcome"),
        "The value of a finished game for MAX: +1, 0 or −1, or a score.",
        example("game-definition"),
        GAMES,
    ),
    Term(
        "state space",
        ("state", "position", "state-space complexity"),
        "All states that can be reached from the initial one. Tic-tac-toe has 5,478 positions.",
        "zerosum measure tictactoe --games 20",
        GALLERY,
    ),
    Term(
        "MAX",
        ("max player", "maximizer", "you", "max node"),
        "The player who wants the highest value: the system, White in chess, X in tic-tac-toe. Drawn as a triangle "
        "pointing up.",
        example("minimax-chapter-6"),
    ),
    Term(
        "MIN",
        ("min player", "minimizer", "opponent", "min node"),
        "The player who wants the lowest value: the opponent. Drawn as a triangle pointing down.",
        example("minimax-chapter-6"),
    ),
    Term(
        "strategy",
        ("policy", "optimal strategy", "lookup table of moves"),
        "A move for every position that may arise, whatever the opponent does. For most games a table of them would be "
        "huge; a search finds the moves when they are needed.",
        example("tic-tac-toe-program"),
        "docs/certificates.md",
    ),
    Term(
        "optimal play",
        ("optimal decision", "best play", "rational opponent", "optimal opponent", "perfect play"),
        "Both players choose what is best for themselves. Minimax assumes this of the opponent: against a weaker one "
        "it never gets less than its value, but may miss a chance to get more.",
        example("minimax-properties"),
    ),
)

# Minimax
OF_MINIMAX = (
    Term(
        "minimax",
        ("minimax algorithm", "minimax procedure", "minimaxing", "min-max"),
        "A MAX node is worth the maximum of its successors, a MIN node the minimum. Computed from the leaves up, this "
        "is the best result that MAX can guarantee.",
        example("minimax-chapter-6"),
    ),
    Term(
        "minimax value",
        ("minimax decision", "game-theoretic value", "value of a node"),
        "The value of a position if both sides play optimally from there. The minimax decision is the move to the "
        "successor with the best value.",
        example("trivial-game"),
    ),
    Term(
        "backed-up value",
        ("back up", "backing up", "bring up", "bringing up values", "propagation"),
        "A value computed from the leaves upwards, as opposed to the estimate of an evaluation.",
        example("pbv-walk-through"),
    ),
    Term(
        "PBV",
        ("preliminary backed-up value", "value so far", "best so far", "provisional value"),
        "The best value of a node so far, from the children already looked at. At your own move it never falls; at "
        "your opponent's it never rises.",
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
        "Following one line to its end before beginning the next. It needs memory for only one line, b·m nodes.",
        example("minimax-properties"),
    ),
    Term(
        "breadth-first search",
        ("breadth-first", "BFS"),
        "Looking at all nodes of one level before the next. It needs memory for a whole level; iterative deepening has "
        "the same advantages with the memory of depth-first search.",
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
        "How the work grows: minimax looks at b^m nodes, with b moves per position and depth m.",
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
        "A move by one player. A full move in chess, by White and by Black, is two plies.",
        example("alpha-beta-four-plies"),
    ),
    Term(
        "depth",
        ("depth limit", "depth-limited search", "look-ahead", "lookahead", "bounded depth"),
        "The number of plies that a search looks ahead. Alpha-beta at its best searches twice as deep as minimax in "
        "the same time.",
        example("chess-arithmetic"),
        LADDER,
    ),
    Term(
        "horizon",
        ("search horizon",),
        "The depth at which a search stops looking ahead and evaluates.",
        example("tic-tac-toe-horizon-2"),
    ),
    Term(
        "horizon effect",
        ("horizon problem",),
        "A search does not see what happens just beyond its horizon: if it stops in the middle of an exchange, it "
        "counts the pawn that it takes but not the queen that it loses.",
        example("horizon-effect"),
    ),
    Term(
        "cut-off test",
        ("cutoff test", "CUTOFF-TEST", "cutoff search", "cut-off search"),
        "Decides whether to stop the search here: the game is over, or the depth is used up. It replaces the terminal "
        "test when the whole tree is too large.",
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
        "A quick estimate of the value of a position for MAX, without looking ahead. Where the game is over, it agrees "
        "with the utility.",
        'zerosum evaluate tictactoe ".o..x...."',
        TRAINING,
    ),
    Term(
        "weighted sum of features",
        ("linear evaluation", "weighted sum", "linear weighted sum", "feature", "features", "weight", "weights"),
        "The usual evaluation: w₁f₁(s) + w₂f₂(s) + …, such as 9 for each extra queen. People choose the features; the "
        "weights may be learned.",
        'zerosum evaluate chess --set network=0 "4k3/2p5/3p4/8/8/3Q4/8/4K3 w - - 0 1"',
        TRAINING,
    ),
    Term(
        "open lines",
        ("open line", "rows, columns and diagonals open"),
        "The evaluation of tic-tac-toe in the notes: the number of lines that MAX can still fill, minus the number "
        "that MIN can.",
        example("tic-tac-toe-open-lines"),
    ),
    Term(
        "quiescence search",
        ("quiescence", "quiescent position", "quiet position", "unstable position", "stand pat"),
        "Evaluating only quiet positions: beyond the horizon, the search follows captures and similar moves until none "
        "is left. A player may stand pat, that is, accept the evaluation as it is.",
        example("quiescence-search"),
        SEARCH,
    ),
    Term(
        "selective extension",
        ("selective extensions", "selective search", "extension", "search extension"),
        "Looking further along unstable lines. Deep Blue looked 14 plies ahead everywhere, and 25 along some lines.",
        example("selective-extension"),
        SEARCH,
    ),
    Term(
        "singular extension",
        ("singular extensions", "singular move"),
        "Looking further along a move that is far better than all others. Introduced by Deep Thought.",
        example("singular-extension"),
        SEARCH,
    ),
    Term(
        "resource limit",
        ("resource limits", "time limit", "nodes per second", "real-time decision", "imperfect real-time decisions"),
        "A search has limited time: 10⁴ nodes per second and 100 seconds allow four plies with 35 moves per position.",
        example("chess-arithmetic"),
        LADDER,
    ),
    Term(
        "node",
        ("nodes", "positions searched"),
        "A position in the tree that a search visits. The number of nodes measures the cost of a search.",
        example("chess-arithmetic"),
        LADDER,
    ),
)
