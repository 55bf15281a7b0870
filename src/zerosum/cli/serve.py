"""``zerosum serve``: the engine for programs in any language, as JSON lines."""

from __future__ import annotations

import sys

from zerosum.cli.common import chosen_algorithm, load_game, open_database
from zerosum.cli.options import (
    AlgorithmOption,
    DatabaseOption,
    GameArgument,
    HashOption,
    SearchOption,
    SetOption,
    ThreadsOption,
)
from zerosum.cli.uci import text_lines
from zerosum.search.algorithms import DEFAULT


def command(
    game: GameArgument,
    threads: ThreadsOption = 1,
    hash_mb: HashOption = 64,
    algorithm: AlgorithmOption = DEFAULT,
    options: SearchOption = [],  # noqa: B006
    database: DatabaseOption = "",
    settings: SetOption = [],  # noqa: B006
) -> None:
    """Answer programs in any language, as JSON lines.

    Requests come on stdin, answers go to stdout. A request is one JSON object on one line, with an
    "id" that its answers repeat, and "do": game, position, play, search, solve, stop or quit. Positions
    and moves are in the game's own notation; values are for MAX. A bad request is answered by a line
    with "error". The end of the input ends it, after searches that have a limit. docs/serve.md has
    every request and answer.

    \b
    Examples:
      zerosum serve tictactoe
      echo '{"id": 1, "do": "position", "moves": "4 4 3"}' | zerosum serve connect-four
      echo '{"id": 2, "do": "search", "depth": 8, "lines": 3}' | zerosum serve chess --threads 2
    """
    from zerosum.protocols.serving import serve
    from zerosum.session.session import EngineSpec

    rules = load_game(game, settings)
    solved = open_database(rules, database)
    spec = EngineSpec(rules, chosen_algorithm(algorithm, options), threads, hash_mb, solved)
    serve(rules, text_lines(sys.stdin), sys.stdout, spec=spec)
