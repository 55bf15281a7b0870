"""The terms of the lecture notes, as data. Each command prints its term, or another name of it; a test runs them."""

from __future__ import annotations

from typing import NamedTuple


class Term(NamedTuple):
    """A word of the field: ``also`` are its other names, ``command`` shows it, ``read`` is a page to read on."""

    name: str
    also: tuple[str, ...]
    text: str
    command: str
    read: str = "docs/classroom.md"


def _example(name: str) -> str:
    return f"zerosum trace --example {name}"


CHAPTER = '"(A (B 3 12 8) (C 2 4 6) (D 14 5 2))"'
SEARCH, GAMES, CHANCE, ENDGAME = "docs/search.md", "docs/contract.md", "docs/chance.md", "docs/endgame.md"
GALLERY, LADDER, HISTORY, TRAINING = "docs/gallery.md", "docs/ladder.md", "docs/history.md", "docs/training.md"

# What a game is
_GAMES = (
    Term(
        "adversarial search",
        ("adversarial reasoning", "game playing", "multi-agent search", "game search"),
        "Search in which an opponent chooses every other move, and does not want what you want. The answer is not a "
        "path but a strategy: a move for every reply.",
        _example("trivial-game"),
        GALLERY,
    ),
    Term(
        "game tree",
        ("tree of a game", "search tree"),
        "The positions that can come up, each joined to those that one move makes of it. The root is the position that "
        "is asked about, the leaves are where the game ends or the search stops.",
        _example("tic-tac-toe-questions"),
    ),
    Term(
        "zero-sum game",
        ("zero sum", "zero-sum", "my win is your loss"),
        "What one player wins the other loses, so that one number, for MAX, tells what both get.",
        _example("kinds-of-games"),
        GAMES,
    ),
    Term(
        "perfect information",
        ("fully observable", "perfect knowledge", "perfect game", "perfect info"),
        "Both players see everything. Chess and backgammon have it; poker and bridge, with their hidden cards, have "
        "imperfect information, and are not searched here.",
        _example("kinds-of-games"),
        HISTORY,
    ),
    Term(
        "imperfect information",
        ("hidden information", "partially observable", "poker", "bridge"),
        "Players do not see everything: cards are hidden. Minimax does not apply, since a good player must mix moves "
        "at random. Not in the scope of this toolkit.",
        _example("kinds-of-games"),
        HISTORY,
    ),
    Term(
        "deterministic game",
        ("deterministic", "no luck"),
        "Each move leads to one position: no dice, no cards. Its opposite is a game of chance.",
        _example("kinds-of-games"),
        HISTORY,
    ),
    Term(
        "game of chance",
        ("nondeterministic game", "stochastic game", "uncertainty", "dice", "chance game"),
        "Dice or coins decide between the moves. Positions have expected values.",
        _example("kinds-of-games"),
        CHANCE,
    ),
    Term(
        "turn-taking",
        ("turn taking", "sequential", "players alternate"),
        "Players move one after the other, not at once. They need not alternate strictly: in kalah a player may move "
        "again.",
        _example("kinds-of-games"),
        GAMES,
    ),
    Term(
        "initial state",
        ("start", "initial position", "s0"),
        "Where the game begins, and who is to move: the function initial() of a game.",
        _example("game-definition"),
        GAMES,
    ),
    Term(
        "successor function",
        ("successors", "actions", "legal moves", "result", "action model", "transition model"),
        "Gives the legal moves of a state, each with the state that it leads to. Here it is two functions: moves(s) "
        "and play(s, move).",
        _example("game-definition"),
        GAMES,
    ),
    Term(
        "terminal test",
        ("terminal state", "terminal node", "goal test", "game over"),
        "Whether the game is over in a state: is_terminal(s), or no moves are left.",
        _example("game-definition"),
        GAMES,
    ),
    Term(
        "utility function",
        ("utility", "payoff", "objective function", "score function", "payoff function", "outcome"),
        "What a finished game is worth to MAX: +1, 0 or −1, or a score.",
        _example("game-definition"),
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
        _example("minimax-chapter-6"),
    ),
    Term(
        "MIN",
        ("min player", "minimizer", "opponent", "min node"),
        "The player who wants the lowest value: the opponent. Drawn as a triangle that points down.",
        _example("minimax-chapter-6"),
    ),
    Term(
        "strategy",
        ("policy", "optimal strategy", "lookup table of moves"),
        "A move for every position that may come up, whatever the opponent does. A table of them would be huge for "
        "most games; searching finds the moves when they are needed.",
        _example("tic-tac-toe-program"),
        "docs/certificates.md",
    ),
    Term(
        "optimal play",
        ("optimal decision", "best play", "rational opponent", "optimal opponent", "perfect play"),
        "Both players choose the best for themselves. Minimax assumes it of the opponent: against a weaker one it "
        "never gets less than it promised, but may miss more.",
        _example("minimax-properties"),
    ),
)

# Minimax
_MINIMAX = (
    Term(
        "minimax",
        ("minimax algorithm", "minimax procedure", "minimaxing", "min-max"),
        "A MAX node is worth the maximum of its successors, a MIN node the minimum. Computed from the leaves up, this "
        "is the best result that MAX can be sure of.",
        _example("minimax-chapter-6"),
    ),
    Term(
        "minimax value",
        ("minimax decision", "game-theoretic value", "value of a node"),
        "What a position is worth if both play optimally from there. The minimax decision is the move to the successor "
        "with the best one.",
        _example("trivial-game"),
    ),
    Term(
        "backed-up value",
        ("back up", "backing up", "bring up", "bringing up values", "propagation"),
        "A value that was brought up from the leaves, as opposed to one that an evaluation guesses.",
        _example("pbv-walk-through"),
    ),
    Term(
        "PBV",
        ("preliminary backed-up value", "value so far", "best so far", "provisional value"),
        "The best value that a node has so far, from those of its children that were looked at. At your move it never "
        "falls, at your opponent's it never rises.",
        _example("pbv-walk-through"),
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
        _example("minimax-properties"),
    ),
    Term(
        "breadth-first search",
        ("breadth-first", "BFS"),
        "Looking at all nodes of one level before the next. It needs memory for a whole level; iterative deepening has "
        "its virtues at the cost of depth-first search.",
        _example("tic-tac-toe-questions"),
    ),
    Term(
        "completeness",
        ("complete", "complete search"),
        "Whether an algorithm always ends with an answer. Minimax does on finite trees.",
        _example("minimax-properties"),
    ),
    Term(
        "time complexity",
        ("O(b^m)", "exponential time", "time"),
        "How the work grows: minimax looks at b^m nodes for b moves a position and depth m.",
        _example("minimax-properties"),
    ),
    Term(
        "space complexity",
        ("O(bm)", "memory", "O(b·m)", "linear space"),
        "How the memory grows: depth-first search keeps b·m nodes.",
        _example("minimax-properties"),
    ),
)

# Limits of time, evaluations
_LIMITS = (
    Term(
        "ply",
        ("plies", "half-move", "half move", "plie"),
        "A move by one player. A move in chess, by White and by Black, is two plies.",
        _example("alpha-beta-four-plies"),
    ),
    Term(
        "depth",
        ("depth limit", "depth-limited search", "look-ahead", "lookahead", "bounded depth"),
        "How many plies a search looks ahead. Alpha-beta at its best looks twice as deep as minimax in the same time.",
        _example("chess-arithmetic"),
        LADDER,
    ),
    Term(
        "horizon",
        ("search horizon",),
        "Where a search stops looking ahead, and judges.",
        _example("tic-tac-toe-horizon-2"),
    ),
    Term(
        "horizon effect",
        ("horizon problem",),
        "What happens just beyond the horizon is not seen: a search that stops in the middle of an exchange counts the "
        "pawn that it takes, and not the queen that it loses.",
        _example("horizon-effect"),
    ),
    Term(
        "cut-off test",
        ("cutoff test", "CUTOFF-TEST", "cutoff search", "cut-off search"),
        "Whether to stop the search here: the game is over, or the depth is used up. It takes the place of the "
        "terminal test where the whole tree is too large.",
        _example("cut-off-test"),
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
        _example("tic-tac-toe-open-lines"),
    ),
    Term(
        "quiescence search",
        ("quiescence", "quiescent position", "quiet position", "unstable position", "stand pat"),
        "Judging quiet positions only: beyond the horizon, captures and the like are followed until none is left. A "
        "player may stand pat, that is, take the evaluation as it is.",
        _example("quiescence-search"),
        SEARCH,
    ),
    Term(
        "selective extension",
        ("selective extensions", "selective search", "extension", "search extension"),
        "Looking further along lines that are unstable. Deep Blue looked 14 plies ahead everywhere, and 25 along some "
        "lines.",
        _example("selective-extension"),
        SEARCH,
    ),
    Term(
        "singular extension",
        ("singular extensions", "singular move"),
        "Looking further along a move that is better than all others by far. It comes from Deep Thought.",
        _example("singular-extension"),
        SEARCH,
    ),
    Term(
        "resource limit",
        ("resource limits", "time limit", "nodes per second", "real-time decision", "imperfect real-time decisions"),
        "A search has only so many seconds: with 10⁴ nodes a second and 100 seconds, 35 moves a position allow four "
        "plies.",
        _example("chess-arithmetic"),
        LADDER,
    ),
    Term(
        "node",
        ("nodes", "positions searched"),
        "A position of the tree that a search visits. The number of nodes is what a search costs.",
        _example("chess-arithmetic"),
        LADDER,
    ),
)

# Alpha-beta
_ALPHA_BETA = (
    Term(
        "alpha-beta pruning",
        ("alpha-beta", "α-β", "alpha beta search", "a-b", "alpha-beta search", "alpha-beta procedure", "α-β pruning"),
        "Minimax that does not look where it cannot matter: what is surely worse than something found already is cut "
        "off. The value is that of minimax.",
        _example("alpha-beta-chapter-6"),
    ),
    Term(
        "alpha",
        ("α", "alpha value", "lower bound"),
        "The best that MAX has so far along the path: a lower bound. It never falls.",
        _example("alpha-beta-chapter-6"),
    ),
    Term(
        "beta",
        ("β", "beta value", "upper bound", "higher bound"),
        "The best that MIN has so far along the path: an upper bound. It never rises.",
        _example("alpha-beta-chapter-6"),
    ),
    Term(
        "window",
        ("alpha-beta window", "search window", "bounds"),
        "The values between alpha and beta. Only those matter: others are as good as their bound.",
        _example("aspiration-window"),
        SEARCH,
    ),
    Term(
        "pruning",
        ("prune", "cut off", "cutoff", "cut-off"),
        "Leaving out parts of the tree. Alpha-beta's pruning is safe; forward pruning is a guess.",
        _example("alpha-cutoff"),
    ),
    Term(
        "alpha cut-off",
        ("alpha cutoff", "alpha-pruned", "alpha pruning", "α cut"),
        "The search below a MIN node ends, because its value has fallen to the alpha of a MAX node above it.",
        _example("alpha-cutoff"),
    ),
    Term(
        "beta cut-off",
        ("beta cutoff", "beta-pruned", "beta pruning", "β cut"),
        "The search below a MAX node ends, because its value has risen to the beta of a MIN node above it: your "
        "opponent's alpha cut-off.",
        _example("beta-cutoff"),
    ),
    Term(
        "deep cut-off",
        ("deep cutoff", "deep pruning", "ancestor's bound"),
        "A cut-off by the bound of an ancestor that is not the parent.",
        _example("alpha-beta-four-plies"),
    ),
    Term(
        "forward pruning",
        ("unsound pruning", "aggressive pruning", "null move", "null-move pruning", "null move heuristic"),
        "Leaving out moves that only look bad, which may be wrong. The null move is the best known: a player who could "
        "even pass, and would still be too well off, need not look at moves.",
        _example("null-move"),
        SEARCH,
    ),
    Term(
        "zugzwang",
        ("compulsion to move",),
        "Every move does harm, and passing would be best. There the null move is wrong.",
        _example("null-move-zugzwang"),
        SEARCH,
    ),
    Term(
        "best case",
        ("b^(m/2)", "b^(d/2)", "b^(h/2)", "perfect ordering", "Knuth and Moore", "minimal tree"),
        "With each player's best move first, alpha-beta looks at b^⌈m/2⌉ + b^⌊m/2⌋ − 1 leaves, and no algorithm can do "
        "with less.",
        _example("alpha-beta-best-and-worst"),
        LADDER,
    ),
    Term(
        "worst case",
        ("no pruning",),
        "With each player's best move last alpha-beta may cut off nothing, and looks at all b^m leaves.",
        _example("alpha-beta-best-and-worst"),
        LADDER,
    ),
    Term(
        "move ordering",
        ("order of the moves", "ordering", "best move first", "killer move", "killer moves", "killer heuristic"),
        "Looking at good moves first, on which alpha-beta's gain hangs. Killer moves, which refuted a brother, are one "
        "way to find them.",
        _example("killer-moves"),
        SEARCH,
    ),
    Term(
        "branching factor",
        ("b", "average branching factor", "effective branching factor"),
        "Moves of a position, on average: 35 in chess. The effective one is that of a uniform tree with as many nodes "
        "as the search visits; in Deep Blue it was about 6.",
        "zerosum measure tictactoe --games 20",
        LADDER,
    ),
)

# Techniques of programs
_TECHNIQUES = (
    Term(
        "iterative deepening",
        ("deepening", "iterative-deepening search", "anytime", "anytime algorithm"),
        "Depth 1, then 2, then 3 …, each search put in order by the last. It costs little, needs little memory, and "
        "has an answer at any time.",
        _example("iterative-deepening"),
        SEARCH,
    ),
    Term(
        "transposition table",
        ("transposition", "hash table", "memory table", "repeated states"),
        "A memory of positions with what is known of them, so that a position reached by other moves is not searched "
        "again.",
        _example("transposition-table"),
        SEARCH,
    ),
    Term(
        "aspiration window",
        ("aspiration search", "aspiration", "narrow window"),
        "Searching within a narrow window around the value that one expects, and again if it lies outside.",
        _example("aspiration-window"),
        SEARCH,
    ),
    Term(
        "principal variation search",
        ("PVS", "NegaScout", "scout", "principal variation", "empty window", "null window"),
        "After the first move, others are only asked whether they are better, with an empty window; those that are get "
        "searched again. The principal variation is the line of best moves.",
        f"zerosum trace {CHAPTER} --algorithm pvs",
        SEARCH,
    ),
    Term(
        "MTD(f)",
        ("mtdf", "memory-enhanced test driver"),
        "Nothing but empty windows: the value is found by one question after the other.",
        f"zerosum trace {CHAPTER} --algorithm mtdf",
    ),
    Term(
        "fail-soft",
        ("fail-hard", "fail soft", "fail hard"),
        "Fail-hard alpha-beta returns nothing outside of its window; fail-soft returns the sharpest bound it saw.",
        f"zerosum trace {CHAPTER} --algorithm alphabeta-fail-hard",
    ),
    Term(
        "parallel search",
        ("multiple processors", "search overhead", "threads", "young brothers wait"),
        "Several processors share one tree. The hardest part is to give each something that the others' results will "
        "not make useless: the search overhead.",
        _example("parallel-search"),
        SEARCH,
    ),
    Term(
        "lookup table",
        ("endgame database", "endgame databases", "tablebase", "endgame table", "retrograde analysis", "endings"),
        "Positions with few pieces, solved once and for all from the end backwards, and looked up by the search. "
        "Chinook had all with 8 pieces.",
        _example("lookup-table"),
        ENDGAME,
    ),
    Term(
        "opening book",
        ("book", "openings", "opening library"),
        "Good first moves, collected from games and played without searching.",
        "zerosum book --help",
        "docs/chess-files.md",
    ),
    Term(
        "bitboard",
        ("bitboards", "bitboard representation", "64-bit vector"),
        "A board as the bits of one number: 64 for chess, one number for each kind of piece and colour.",
        _example("bitboards"),
        "docs/games/chess.md",
    ),
    Term(
        "solved game",
        ("solve", "solving", "solved", "game-theoretic solution"),
        "The value of the initial state is proved. Tic-tac-toe and checkers are drawn, connect four is won.",
        _example("tic-tac-toe-program"),
        "docs/certificates.md",
    ),
    Term(
        "game-tree size",
        ("game tree size", "game-tree complexity", "size of the tree", "10^120", "10^40", "Knuth's sampling"),
        "How many nodes the whole tree has: 10^120 in chess and 10^40 in checkers, as the notes tell. Too many to "
        "count, but not to estimate.",
        "zerosum measure chess --games 1",
        GALLERY,
    ),
    Term(
        "PSPACE-complete",
        ("PSPACE", "computational complexity"),
        "How hard games of any size are: as hard as any problem that needs memory in proportion to a power of its "
        "size, and believed to be harder than NP.",
        _example("sizes-of-trees"),
        HISTORY,
    ),
    Term(
        "learning",
        ("reinforcement learning", "weight tuning", "TD learning", "temporal difference learning", "machine learning"),
        "Weights of an evaluation found by playing, not by hand: TD-Gammon learned backgammon so.",
        "zerosum train --help",
        "docs/learning.md",
    ),
    Term(
        "proof number",
        ("proof numbers", "proof-number search", "disproof number", "most proving node", "PN search"),
        "How many leaves must at least turn out well for a yes. Proof-number search goes where the least work is left.",
        _example("proof-chapter-6"),
        SEARCH,
    ),
    Term(
        "tree sampling",
        (
            "game tree sampling",
            "Monte-Carlo tree search",
            "MCTS",
            "UCT",
            "playout",
            "simulation",
            "rollout",
            "Monte Carlo",
        ),
        "Random games, and a tree that grows where they go well. It needs no evaluation.",
        _example("mcts-chapter-6"),
        SEARCH,
    ),
)

# Chance
_CHANCE = (
    Term(
        "chance node",
        ("chance nodes", "nature"),
        "A node at which dice decide, drawn as a circle. It is worth the average of its successors, weighted with "
        "their probabilities.",
        _example("expectimax"),
        CHANCE,
    ),
    Term(
        "expectiminimax",
        ("ExpectMinimax", "expectimax", "expectimin", "expected minimax", "expected value", "expectation"),
        "Minimax with chance nodes: MAX takes the highest value, MIN the lowest, chance the average.",
        'zerosum trace "(A (B 0.5: 3 0.5: 7) (C 0.9: 1 0.1: 40))"',
        CHANCE,
    ),
    Term(
        "pruning at chance nodes",
        ("Star1", "Star2", "star-minimax", "*-minimax", "Ballard", "bounded leaves"),
        "The last outcome of an event can be cut short always, the others where all values have bounds.",
        _example("bounded-leaves"),
        CHANCE,
    ),
    Term(
        "order-preserving change",
        ("relative-order preserving", "exact values don't matter", "linear transformation", "monotonic transformation"),
        "New values in the same order never change minimax's decision, but may change that of expectiminimax. Linear "
        "changes are safe for both.",
        _example("meaning-of-values"),
        CHANCE,
    ),
)

TERMS: tuple[Term, ...] = (*_GAMES, *_MINIMAX, *_LIMITS, *_ALPHA_BETA, *_TECHNIQUES, *_CHANCE)
