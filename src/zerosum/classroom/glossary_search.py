"""Terms of the glossary: alpha-beta, the techniques of programs, chance."""

from __future__ import annotations

from zerosum.classroom.glossary_entry import CHANCE, CHAPTER, ENDGAME, GALLERY, HISTORY, LADDER, SEARCH, Term, example

# Alpha-beta
OF_ALPHA_BETA = (
    Term(
        "alpha-beta pruning",
        ("alpha-beta", "α-β", "alpha beta search", "a-b", "alpha-beta search", "alpha-beta procedure", "α-β pruning"),
        "Minimax that does not look where it cannot matter: what is surely worse than something found already is cut "
        "off. The value is that of minimax.",
        example("alpha-beta-chapter-6"),
    ),
    Term(
        "alpha",
        ("α", "alpha value", "lower bound"),
        "The best that MAX has so far along the path: a lower bound. It never falls.",
        example("alpha-beta-chapter-6"),
    ),
    Term(
        "beta",
        ("β", "beta value", "upper bound", "higher bound"),
        "The best that MIN has so far along the path: an upper bound. It never rises.",
        example("alpha-beta-chapter-6"),
    ),
    Term(
        "window",
        ("alpha-beta window", "search window", "bounds"),
        "The values between alpha and beta. Only those matter: others are as good as their bound.",
        example("aspiration-window"),
        SEARCH,
    ),
    Term(
        "pruning",
        ("prune", "cut off", "cutoff", "cut-off"),
        "Leaving out parts of the tree. Alpha-beta's pruning is safe; forward pruning is a guess.",
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
        "Leaving out moves that only look bad, which may be wrong. The null move is the best known: a player who could "
        "even pass, and would still be too well off, need not look at moves.",
        example("null-move"),
        SEARCH,
    ),
    Term(
        "zugzwang",
        ("compulsion to move",),
        "Every move does harm, and passing would be best. There the null move is wrong.",
        example("null-move-zugzwang"),
        SEARCH,
    ),
    Term(
        "best case",
        ("b^(m/2)", "b^(d/2)", "b^(h/2)", "perfect ordering", "Knuth and Moore", "minimal tree"),
        "With each player's best move first, alpha-beta looks at b^⌈m/2⌉ + b^⌊m/2⌋ − 1 leaves, and no algorithm can do "
        "with less.",
        example("alpha-beta-best-and-worst"),
        LADDER,
    ),
    Term(
        "worst case",
        ("no pruning",),
        "With each player's best move last alpha-beta may cut off nothing, and looks at all b^m leaves.",
        example("alpha-beta-best-and-worst"),
        LADDER,
    ),
    Term(
        "move ordering",
        ("order of the moves", "ordering", "best move first", "killer move", "killer moves", "killer heuristic"),
        "Looking at good moves first, on which alpha-beta's gain hangs. Killer moves, which refuted a brother, are one "
        "way to find them.",
        example("killer-moves"),
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
OF_TECHNIQUES = (
    Term(
        "iterative deepening",
        ("deepening", "iterative-deepening search", "anytime", "anytime algorithm"),
        "Depth 1, then 2, then 3 …, each search put in order by the last. It costs little, needs little memory, and "
        "has an answer at any time.",
        example("iterative-deepening"),
        SEARCH,
    ),
    Term(
        "transposition table",
        ("transposition", "hash table", "memory table", "repeated states"),
        "A memory of positions with what is known of them, so that a position reached by other moves is not searched "
        "again.",
        example("transposition-table"),
        SEARCH,
    ),
    Term(
        "aspiration window",
        ("aspiration search", "aspiration", "narrow window"),
        "Searching within a narrow window around the value that one expects, and again if it lies outside.",
        example("aspiration-window"),
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
        example("parallel-search"),
        SEARCH,
    ),
    Term(
        "lookup table",
        ("endgame database", "endgame databases", "tablebase", "endgame table", "retrograde analysis", "endings"),
        "Positions with few pieces, solved once and for all from the end backwards, and looked up by the search. "
        "Chinook had all with 8 pieces.",
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
        "The value of the initial state is proved. Tic-tac-toe and checkers are drawn, connect four is won.",
        example("tic-tac-toe-program"),
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
        example("sizes-of-trees"),
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
        "Random games, and a tree that grows where they go well. It needs no evaluation.",
        example("mcts-chapter-6"),
        SEARCH,
    ),
)

# Chance
OF_CHANCE = (
    Term(
        "chance node",
        ("chance nodes", "nature"),
        "A node at which dice decide, drawn as a circle. It is worth the average of its successors, weighted with "
        "their probabilities.",
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
        "The last outcome of an event can be cut short always, the others where all values have bounds.",
        example("bounded-leaves"),
        CHANCE,
    ),
    Term(
        "order-preserving change",
        ("relative-order preserving", "exact values don't matter", "linear transformation", "monotonic transformation"),
        "New values in the same order never change minimax's decision, but may change that of expectiminimax. Linear "
        "changes are safe for both.",
        example("meaning-of-values"),
        CHANCE,
    ),
)
