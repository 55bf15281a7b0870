"""Terms of the glossary: alpha-beta, the techniques of programs, chance."""

from __future__ import annotations

from zerosum.classroom.glossary_entry import CHANCE, CHAPTER, ENDGAME, GALLERY, HISTORY, LADDER, SEARCH, Term, example

# Alpha-beta
OF_ALPHA_BETA = (
    Term(
        "alpha-beta pruning",
        ("alpha-beta", "α-β", "alpha beta search", "a-b", "alpha-beta search", "alpha-beta procedure", "α-β pruning"),
        "Minimax that skips what cannot affect the result: whatever is certainly worse than something already found is "
        "cut off. The value is the same as that of minimax.",
        example("alpha-beta-chapter-6"),
    ),
    Term(
        "alpha",
        ("α", "alpha value", "lower bound"),
        "The best value that MAX has so far along the path: a lower bound. It never falls.",
        example("alpha-beta-chapter-6"),
    ),
    Term(
        "beta",
        ("β", "beta value", "upper bound", "higher bound"),
        "The best value that MIN has so far along the path: an upper bound. It never rises.",
        example("alpha-beta-chapter-6"),
    ),
    Term(
        "window",
        ("alpha-beta window", "search window", "bounds"),
        "The values between alpha and beta. Only these matter: for any other value, a bound is enough.",
        example("aspiration-window"),
        SEARCH,
    ),
    Term(
        "pruning",
        ("prune", "cut off", "cutoff", "cut-off"),
        "Leaving out parts of the tree. The pruning of alpha-beta is safe; forward pruning is a guess.",
        example("alpha-cutoff"),
    ),
    Term(
        "alpha cut-off",
        ("alpha cutoff", "alpha-pruned", "alpha pruning", "α cut"),
        "The search below a MIN node ends, because its value has fallen to the alpha of a MAX node above it.",
        example("alpha-cutoff"),
    ),
    Term(
        "beta cut-off",
        ("beta cutoff", "beta-pruned", "beta pruning", "β cut"),
        "The search below a MAX node ends, because its value has risen to the beta of a MIN node above it: your "
        "opponent's alpha cut-off.",
        example("beta-cutoff"),
    ),
    Term(
        "deep cut-off",
        ("deep cutoff", "deep pruning", "ancestor's bound"),
        "A cut-off by the bound of an ancestor that is not the parent.",
        example("alpha-beta-four-plies"),
    ),
    Term(
        "forward pruning",
        ("unsound pruning", "aggressive pruning", "null move", "null-move pruning", "null move heuristic"),
        "Leaving out moves that only look bad, which may be wrong. The best-known method is the null move: if a player "
        "could even pass and would still get a cut-off, the player's moves are not searched.",
        example("null-move"),
        SEARCH,
    ),
    Term(
        "zugzwang",
        ("compulsion to move",),
        "A position in which every move does harm and passing would be best. There the null move is wrong.",
        example("null-move-zugzwang"),
        SEARCH,
    ),
    Term(
        "best case",
        ("b^(m/2)", "b^(d/2)", "b^(h/2)", "perfect ordering", "Knuth and Moore", "minimal tree"),
        "With each player's best move first, alpha-beta looks at b^⌈m/2⌉ + b^⌊m/2⌋ − 1 leaves. No algorithm needs "
        "fewer.",
        example("alpha-beta-best-and-worst"),
        LADDER,
    ),
    Term(
        "worst case",
        ("no pruning",),
        "With each player's best move last, alpha-beta may cut off nothing and look at all b^m leaves.",
        example("alpha-beta-best-and-worst"),
        LADDER,
    ),
    Term(
        "move ordering",
        ("order of the moves", "ordering", "best move first", "killer move", "killer moves", "killer heuristic"),
        "Looking at good moves first. The gain of alpha-beta depends on it. One way to find good moves is to try "
        "killer moves, which refuted a sibling.",
        example("killer-moves"),
        SEARCH,
    ),
    Term(
        "branching factor",
        ("b", "average branching factor", "effective branching factor"),
        "The average number of moves in a position: 35 in chess. The effective branching factor is that of a uniform "
        "tree with as many nodes as the search visits; in Deep Blue it was about 6.",
        "zerosum measure tictactoe --games 20",
        LADDER,
    ),
)

# Techniques of programs
OF_TECHNIQUES = (
    Term(
        "iterative deepening",
        ("deepening", "iterative-deepening search", "anytime", "anytime algorithm"),
        "Searching to depth 1, then 2, then 3 …; each search improves the move ordering of the next. It costs little, "
        "needs little memory, and has an answer at any time.",
        example("iterative-deepening"),
        SEARCH,
    ),
    Term(
        "transposition table",
        ("transposition", "table", "hash", "hash table", "memory table", "repeated states"),
        "A table of positions with their search results, so that a position reached again by other moves is not "
        "searched again.",
        example("transposition-table"),
        SEARCH,
    ),
    Term(
        "aspiration window",
        ("aspiration search", "aspiration", "narrow window"),
        "Searching within a narrow window around the expected value, and again if the value is outside.",
        example("aspiration-window"),
        SEARCH,
    ),
    Term(
        "principal variation search",
        ("PVS", "NegaScout", "scout", "empty window", "null window"),
        "After the first move, a search with an empty window only asks whether another move is better; if it is, it is "
        "searched again.",
        f"zerosum trace {CHAPTER} --algorithm pvs",
        SEARCH,
    ),
    Term(
        "MTD(f)",
        ("mtdf", "memory-enhanced test driver"),
        "Only empty windows: the value is found by one yes-or-no question after another.",
        f"zerosum trace {CHAPTER} --algorithm mtdf",
    ),
    Term(
        "fail-soft",
        ("fail-hard", "fail soft", "fail hard"),
        "Fail-hard alpha-beta never returns a value outside its window; fail-soft returns the tightest bound it found.",
        f"zerosum trace {CHAPTER} --algorithm alphabeta-fail-hard",
    ),
    Term(
        "parallel search",
        ("multiple processors", "search overhead", "threads", "young brothers wait"),
        "Several processors share one tree. The hardest part is to avoid search overhead: work that the results of the "
        "others make useless.",
        example("parallel-search"),
        SEARCH,
    ),
    Term(
        "lookup table",
        ("endgame database", "endgame databases", "tablebase", "endgame table", "retrograde analysis", "endings"),
        "Positions with few pieces, solved in advance from the end of the game backwards, which the search looks up. "
        "Chinook had all positions with 8 pieces.",
        example("lookup-table"),
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
        example("bitboards"),
        "docs/games/chess.md",
    ),
    Term(
        "solved game",
        ("solve", "solving", "solved", "game-theoretic solution"),
        "A game whose value in the initial state is proven. Tic-tac-toe and checkers are draws; connect four is a win.",
        example("tic-tac-toe-program"),
        "docs/certificates.md",
    ),
    Term(
        "game-tree size",
        ("game tree size", "game-tree complexity", "size of the tree", "10^120", "10^40", "Knuth's sampling"),
        "The number of nodes in the whole tree: according to the notes, 10^120 in chess and 10^40 in checkers. That is "
        "too many to count, but they can be estimated.",
        "zerosum measure chess --games 1",
        GALLERY,
    ),
    Term(
        "PSPACE-complete",
        ("PSPACE", "computational complexity"),
        "The complexity of many games on boards of any size: as hard as any problem that can be solved with memory "
        "polynomial in its size, and believed to be harder than NP.",
        example("sizes-of-trees"),
        HISTORY,
    ),
    Term(
        "learning",
        ("reinforcement learning", "weight tuning", "TD learning", "temporal difference learning", "machine learning"),
        "Finding the weights of an evaluation by playing instead of by hand, as TD-Gammon did for backgammon.",
        "zerosum train --help",
        "docs/learning.md",
    ),
    Term(
        "proof number",
        ("proof numbers", "proof-number search", "disproof number", "most proving node", "PN search"),
        "The smallest number of leaves that must turn out well to prove a yes. Proof-number search always continues "
        "where the least work is left.",
        example("proof-chapter-6"),
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
        "Playing random games and growing a tree where they go well. It needs no evaluation.",
        example("mcts-chapter-6"),
        SEARCH,
    ),
)

# Chance
OF_CHANCE = (
    Term(
        "chance node",
        ("chance nodes", "nature"),
        "A node where dice decide, drawn as a circle. It is worth the average of its successors, weighted by their "
        "probabilities.",
        example("expectimax"),
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
        "The last outcome of a chance node can always be cut short, the others only if all values have bounds.",
        example("bounded-leaves"),
        CHANCE,
    ),
    Term(
        "order-preserving change",
        ("relative-order preserving", "exact values don't matter", "linear transformation", "monotonic transformation"),
        "New leaf values in the same order never change the decision of minimax, but may change that of "
        "expectiminimax. Positive linear changes are safe for both.",
        example("meaning-of-values"),
        CHANCE,
    ),
)
