"""``zerosum solve``: the exact value of a position, or of a file of positions."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zerosum.cli import complain
from zerosum.cli.common import chosen_algorithm, line_to, load_game, open_database, print_json
from zerosum.cli.files import check_outputs
from zerosum.cli.options import (
    DatabaseOption,
    GameArgument,
    GpuOption,
    HashOption,
    JsonOption,
    MovesOption,
    PositionArgument,
    SearchOption,
    SecondsOption,
    SetOption,
    ThreadsOption,
)
from zerosum.cli.output import console, count, duration, is_live, rate, size
from zerosum.cli.progress import Bar
from zerosum.errors import CertificateError, ZerosumError
from zerosum.game import Game, Line
from zerosum.search.algorithms import DEFAULT
from zerosum.value_display import ending, report

if TYPE_CHECKING:
    from zerosum.engine import Engine
    from zerosum.search.result import Result
    from zerosum.solving import Solved


def command(
    game: GameArgument,
    position: PositionArgument = "",
    moves: MovesOption = "",
    file: Annotated[
        str,
        typer.Option(
            "--file", metavar="FILE", help="File of positions to solve, one per line; - is stdin.", show_default=False
        ),
    ] = "",
    certificate: Annotated[
        str,
        typer.Option(
            "--certificate",
            metavar="FILE",
            help="Write a proof of the value to a file; 'zerosum verify' checks it.",
            show_default=False,
        ),
    ] = "",
    seconds: SecondsOption = None,
    threads: ThreadsOption = 1,
    gpu: GpuOption = False,
    hash_mb: HashOption = 64,
    database: DatabaseOption = "",
    algorithm: Annotated[
        str,
        typer.Option(
            "--algorithm",
            metavar="NAME",
            help="Algorithm: alphabeta (bisection) or proof (proof numbers); default: the one that suits the game.",
            show_default=False,
        ),
    ] = "",
    options: SearchOption = [],  # noqa: B006
    settings: SetOption = [],  # noqa: B006
    json: JsonOption = False,
) -> int:
    """Find the exact value of a position.

    Says who wins in how many plies, or by how much, and shows the line. Without --seconds it runs until
    it knows; if the time runs out, the exit code is 1. With --database, lines that reach a solved
    ending need no search; a database without distances says who wins, but not when.

    There are two ways to solve. Bisection with alpha-beta finds the nearest win. Proof-number search
    finds some win; it is faster if wins are forced and far away, such as mates in chess, and is the
    default for games in which positions can repeat, unless --algorithm or --database is given. Both are
    equally certain; "wins within 9 plies" means that there may be a nearer win than the one shown.

    With --file, each line holds one position: in the game's own notation; or as moves from the start,
    separated by spaces or commas; or, if every move is one character, as a run of them such as
    32164625. The rest of such a line is ignored, and so is everything after a tab or a semicolon, empty
    lines, and lines that begin with #. The output has one line for each position, separated by tabs:
    position, value (for MAX; a win in n plies is 1048576 - n), plies to the end, nodes, seconds.
    Invalid lines are reported, and the exit code is then 1. Ctrl-C keeps what is done.

    With --gpu, a GPU solves thousands of them at once. This is for positions near the end of the game,
    such as the last 12 squares of Othello; the processor solves those that take too long on the GPU.

    With --certificate, the proof is written to a file: a move for every position that the winner can
    reach, down to the end of the game; for a draw, or if margins count, for both players. 'zerosum
    verify' checks it without the search. The proof treats the position as the start of the game. With
    --database it ends at the solved endings, and identifies the database by its hash.

    \b
    Examples:
      zerosum solve connect-four --set width=5 --set height=5
      zerosum solve connect-four --moves "4 4 4 4 4 2" --threads 2 --hash 512
      zerosum solve tictactoe "xx.oo...." --json
      zerosum solve connect-four --file positions.txt > values.tsv
      zerosum solve othello --file endings.txt --gpu > values.tsv
      zerosum solve chess "7k/8/8/8/8/8/R7/1R5K w - - 0 1" --algorithm alphabeta
      zerosum solve chess "8/8/8/4k3/8/8/8/KBN5 w - - 0 1" --database chess-4
      zerosum solve connect-four --set width=5 --set height=4 --certificate draw.proof
    """
    from zerosum.engine import Engine
    from zerosum.search.limits import Limits
    from zerosum.solving import for_solving, solver_of

    loaded = load_game(game, settings)
    if certificate:
        _check_certificate(certificate, file, game)
    # Options without an algorithm belong to the default one.
    name = algorithm or (DEFAULT if options else solver_of(loaded, bool(database)))
    rules, chosen = for_solving(loaded, chosen_algorithm(name, options))
    Limits(seconds=seconds)
    solved = open_database(rules, database)
    if file:
        if position or moves:
            raise ZerosumError(f"--file {file!r} gives the positions: leave out {position or moves!r}")
        lines = _read(file)
        engine = Engine(rules, algorithm=chosen, threads=threads, hash_mb=hash_mb, database=solved)
        total = None if file == "-" else len(lines)
        return _solve_file(engine, lines, total, seconds, "gpu" if gpu else "cpu", json)
    if gpu:
        raise ZerosumError("--gpu solves many positions at once: give them with --file")
    line = line_to(rules, position, moves)
    engine = Engine(rules, algorithm=chosen, threads=threads, hash_mb=hash_mb, database=solved)
    if certificate:
        line = Line(rules, line.state)  # the moves before it are not part of the proof
    return _solve_one(engine, line, seconds, json, certificate)


# One position


def _solve_one(engine: Engine, line: Line, seconds: float | None, json: bool, certificate: str) -> int:
    game, s = line.game, line.state
    guesses: list[Result] = []  # results before the proof
    if is_live() and not json:
        from zerosum.cli.reports import print_board

        print_board(console(), game, s)
        with console().status("solving …  (Ctrl-C stops)") as status:

            def show(found: Result) -> None:
                guesses.append(found)
                status.update(f"{_so_far(found, game)}; proving …  (Ctrl-C stops)")

            result = engine.solve(line, seconds=seconds, on_report=show)
    else:
        result = engine.solve(line, seconds=seconds, on_report=guesses.append)
    if json:
        print_json({"position": game.format_state(s), **report(result, game, s), "words": _words(result, game)})
    elif not result.proven:
        print(f"not solved within {duration(seconds or result.seconds)}; {count(result.nodes)} nodes")
        if result.numbers is not None:
            print(_so_far(result, game))
        elif guesses:
            print(_so_far(guesses[-1], game))
    elif result.move is None:
        print(f"the game is over: {ending(game, s)}")
    else:
        print(_words(result, game))
        print(f"line: {' '.join(result.pv_texts(game, s))}")
        speed_in_words = rate(result.nodes_per_second)
        print(f"{count(result.nodes)} nodes, {duration(result.seconds)}, {speed_in_words}", flush=True)
    if certificate and result.proven:
        return _certify(engine, s, result, certificate, json)
    return 0 if result.proven else 1


def _check_certificate(certificate: str, file: str, game: str) -> None:
    """Raise ZerosumError, before the work begins, if the certificate cannot be written."""
    if file:
        raise ZerosumError(f"--certificate {certificate!r} is for one position, not for those of --file {file!r}")
    check_outputs([("--certificate", certificate)], [("GAME", game)])


def _certify(engine: Engine, s: Any, result: Result, certificate: str, json: bool) -> int:
    from zerosum.certifying.writing import certify

    started = time.perf_counter()
    try:
        with Bar() as bar:

            def show(done: int, waiting: int) -> None:
                bar.show(done / (done + waiting), f"{count(done)} positions written, {count(waiting)} waiting")

            entries = certify(engine, s, result, certificate, show)
    except CertificateError as problem:
        complain(str(problem))
        return 1
    seconds, written = time.perf_counter() - started, Path(certificate).stat().st_size
    if json:
        print_json({"certificate": certificate, "entries": entries, "bytes": written, "seconds": round(seconds, 3)})
    else:
        print(f"{certificate}: {count(entries)} positions, {size(written)}, {duration(seconds)}")
    return 0


def _so_far(found: Result, game: Game) -> str:
    """What is known before the proof, in words."""
    if found.numbers is not None:
        asked, proof, disproof = found.numbers
        return f"{asked}? Proof number {count(proof)}, disproof number {count(disproof)}"
    return f"with {found.depth} moves left, {found.confidence} % sure: {found.in_words(game)}"


def _words(result: Result, game: Game) -> str:
    return result.in_words(game) if result.proven else "not solved"


# Many positions


def _read(file: str) -> Any:
    """The lines of a file, or of stdin as they arrive."""
    if file == "-":
        return sys.stdin
    try:
        with open(file, encoding="utf-8", errors="replace") as stream:
            return stream.readlines()
    except OSError as problem:
        raise ZerosumError(f"--file {file!r} cannot be read: {problem.strerror or problem}") from problem


def _solve_file(engine: Engine, lines: Any, total: int | None, seconds: float | None, device: str, json: bool) -> int:
    from zerosum.solving import solve_lines

    bad = unsolved = 0

    def complain_of(number: int, problem: ZerosumError) -> None:
        nonlocal bad
        bad += 1
        complain(f"line {number}: {problem}")

    # A bar would get mixed up with the results.
    with Bar(total is not None and not sys.stdout.isatty()) as bar:
        for done, solved in enumerate(solve_lines(engine, lines, seconds, complain_of, device), 1):
            unsolved += not solved.result.proven
            _print_result(engine.game, solved, json)
            if total:
                bar.show(solved.number / total, f"{count(done)} solved")
    if unsolved:
        complain(f"{count(unsolved)} not solved within {duration(seconds or 0)} each")
    if bad:
        complain(f"{count(bad)} {'line is' if bad == 1 else 'lines are'} invalid")
    return 1 if unsolved or bad else 0


def _print_result(game: Game, solved: Solved, json: bool) -> None:
    result, plies = solved.result, solved.plies_to_the_end(game)
    if json:
        found = {
            "position": solved.text,
            **result.as_dict(game, solved.state),
            "plies": plies,
            "words": _words(result, game),
        }
        if not result.proven:
            found["value"] = None
        print_json(found)
        return
    value = str(result.value) if result.proven else "?"
    length = "?" if plies is None else str(plies)
    print(f"{solved.text}\t{value}\t{length}\t{result.nodes}\t{result.seconds:.6f}", flush=True)
