"""Terms of the glossary: words that the documentation and the output of the commands use."""

from __future__ import annotations

from zerosum.classroom.glossary_entry import ENDGAME, GAMES, SEARCH, TRAINING, Term, example

ARENA, COMPILER, NETWORKS = "docs/arena.md", "docs/compiler.md", "docs/networks.md"

OF_PROGRAMS = (
    Term(
        "engine",
        ("search engine", "game engine"),
        "The part of a program that finds moves, as opposed to the board that people see. UCI connects engines and "
        "boards by different authors.",
        "zerosum uci --help",
        SEARCH,
    ),
    Term(
        "leaf",
        ("leaves", "leaf node", "tip"),
        "A node at the end of a tree, without successors: the game is over there, or the search stops. Leaves have "
        "values of their own; all other values are computed from them.",
        example("minimax-chapter-6"),
    ),
    Term(
        "principal variation",
        ("pv", "best line", "main line", "line of best moves"),
        "The line that both sides play if each makes the best move that the search has found. Several lines may be "
        "equally good.",
        "zerosum analyze tictactoe",
        SEARCH,
    ),
    Term(
        "proven",
        ("proven value", "certain", "proof of a value"),
        "A value that rests on finished games alone, with no estimate: every line that could change it has been "
        "followed to the end, or cut off with good reason.",
        "zerosum analyze tictactoe --json",
        SEARCH,
    ),
    Term(
        "perft",
        ("performance test", "path enumeration", "leaves/s", "divide"),
        "The number of lines of play of a given length, counted by playing them all. It tests the rules against "
        "known counts, and measures their speed. The name comes from 'performance test'.",
        "zerosum perft tictactoe 4",
        GAMES,
    ),
    Term(
        "pure function",
        ("pure", "purity", "side effect"),
        "A function whose result depends only on its arguments and on constants, and that changes nothing. Rules must "
        "be pure, so that a search can try moves in any order and go back.",
        "zerosum check nim --games 3 --plain",
        GAMES,
    ),
    Term(
        "kernel",
        ("compiled kernel", "compiled code", "machine code", "compilation"),
        "A search or another algorithm, compiled to machine code together with the rules of one game. Compilation "
        "takes some seconds, once; the result is kept on disk.",
        "zerosum cache --help",
        COMPILER,
    ),
    Term(
        "tier",
        ("tiers of positions",),
        "A set of positions that an endgame database solves at once, such as all with one king each. Moves lead to "
        "positions of the same tier, or of tiers that are solved already.",
        "zerosum endgame --help",
        ENDGAME,
    ),
    Term(
        "Elo",
        ("Elo rating", "rating", "Elo difference", "LOS", "likelihood of superiority"),
        "A scale of strength. A player 100 Elo stronger scores about 64 %, 200 Elo 76 %, 300 Elo 85 %. LOS is the "
        "likelihood that the player with the better score really is the stronger one.",
        "zerosum match --help",
        ARENA,
    ),
    Term(
        "SPRT",
        ("sequential probability ratio test", "sequential test"),
        "A test that decides after each game of a match whether the result is clear enough to stop. It needs fewer "
        "games than a match of fixed length.",
        "zerosum match --help",
        ARENA,
    ),
    Term(
        "self-play",
        ("self play", "playing itself", "plays itself"),
        "An engine plays games against itself, which serve as examples to learn from.",
        "zerosum gather --help",
        TRAINING,
    ),
    Term(
        "network",
        ("neural network", "NNUE", "hidden unit", "epoch", "held out"),
        "An evaluation that is learned rather than written: features are weighted, added up in hidden units, and "
        "weighted again. An epoch is one pass over all examples; held-out examples are not learned from, and show "
        "whether it has learned or only memorised.",
        "zerosum train --help",
        NETWORKS,
    ),
)
