"""``zerosum book``: make and show opening books in Polyglot format."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zerosum.cli import complain
from zerosum.cli.common import print_json
from zerosum.cli.files import check_outputs
from zerosum.cli.options import JsonOption, whole_number
from zerosum.cli.output import count, print_table, size
from zerosum.cli.progress import Bar
from zerosum.errors import ZerosumError

if TYPE_CHECKING:
    from zerosum.games.chess.book import BookMaker

ACTIONS = ("make", "show")


def parse_percent(text: Any) -> float:
    try:
        number = float(text)
    except ValueError:
        raise ZerosumError(f"--min-score {text!r} is not a number") from None
    if not 0 <= number <= 100:
        raise ZerosumError(f"--min-score {text!r} is not a percentage from 0 to 100")
    return number


def command(
    action: Annotated[str, typer.Argument(metavar="ACTION", help="make or show.", show_default=False)],
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Games in PGN for make; a book for show.", show_default=False)
    ],
    out: Annotated[
        str,
        typer.Option("--out", metavar="FILE", help="Where the book goes, as in --out book.bin.", show_default=False),
    ] = "",
    plies: Annotated[
        int,
        typer.Option("--plies", metavar="N", help="Take N plies of each game.", parser=whole_number("--plies", 1)),
    ] = 30,
    min_games: Annotated[
        int,
        typer.Option(
            "--min-games",
            metavar="N",
            help="Leave out moves played in fewer games.",
            parser=whole_number("--min-games", 1),
        ),
    ] = 2,
    min_score: Annotated[
        float,
        typer.Option(
            "--min-score",
            metavar="PERCENT",
            help="Leave out moves that scored less, in percent.",
            parser=parse_percent,
        ),
    ] = 0.0,
    fen: Annotated[
        str,
        typer.Option("--fen", metavar="FEN", help="The position to show; default: the start.", show_default=False),
    ] = "",
    json: JsonOption = False,
) -> int:
    """Make an opening book from chess games, or look into one.

    Books are in Polyglot format, which most chess programs read. The weight of a move is two for every
    win of the player who made it, plus one for every draw; a game without a result counts as a draw,
    and moves that never scored are left out. Invalid games are reported and skipped, and the exit code
    is then 1. The file appears only when it is complete.

    \b
    Examples:
      zerosum book make games.pgn --out book.bin
      zerosum book make games.pgn --out book.bin --plies 20 --min-games 5 --min-score 45
      zerosum book show book.bin
      zerosum book show book.bin --fen "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    """
    if action == "make":
        if fen:
            raise ZerosumError(f"--fen {fen!r} cannot be used with make; it is for show")
        return _make(file, out, plies, min_games, min_score, json)
    if action == "show":
        if out:
            raise ZerosumError(f"--out {out!r} cannot be used with show; it is for make")
        return _show(file, fen, json)
    raise ZerosumError(f"unknown action {action!r}; 'zerosum book' has {' and '.join(ACTIONS)}")


def _make(file: str, out: str, plies: int, min_games: int, min_score: float, json: bool) -> int:
    from zerosum.games.chess.book import BookMaker

    if not out:
        raise ZerosumError(f"'zerosum book make {file}' needs a name for the book: --out book.bin")
    check_outputs([("--out", out)], [("FILE", file)])
    maker = BookMaker(plies)
    bad = _read(maker, file, plies)
    if not maker.games:
        raise ZerosumError(f"{file!r} contains no games" if not bad else f"{file!r} contains no valid games")
    records = maker.write(out, min_games, min_score)
    written = os.path.getsize(out)
    if json:
        print_json({"book": out, "games": maker.games, "bad_games": bad, "records": records, "bytes": written})
    else:
        print(f"{count(maker.games)} games, {count(records)} moves, {size(written)}, in {out}")
    if bad:
        complain(f"{count(bad)} {'game is' if bad == 1 else 'games are'} invalid")
    return 1 if bad else 0


def _read(maker: BookMaker, file: str, plies: int) -> int:
    """Add all games of a file and return the number of invalid ones."""
    from zerosum.errors import PgnError
    from zerosum.games.chess.pgn import read_games
    from zerosum.games.pgn.read import open_pgn

    bad = 0

    def report(problem: PgnError) -> None:
        nonlocal bad
        bad += 1
        complain(f"{file}, {problem}")

    with open_pgn(file) as stream, Bar() as bar:
        total = os.path.getsize(file) or 1
        for game in read_games(stream, report, plies):
            maker.add(game)
            bar.show(stream.buffer.tell() / total, f"{count(maker.games)} games")
    return bad


def _show(file: str, fen: str, json: bool) -> int:
    from zerosum.games import load

    game = load("chess")
    s = game.parse_state(fen) if fen else game.start()
    with game.book(file) as book:
        found = book.moves(s)
        records = len(book)
    total = sum(weight for _, weight in found) or 1
    if json:
        moves = [{"move": game.format_move(s, move), "weight": weight} for move, weight in found]
        print_json({"book": file, "records": records, "position": game.format_state(s), "moves": moves})
        return 0
    print(f"{file}: {count(records)} moves")
    if not found:
        print("this position is not in the book")
        return 0
    rows = [(game.format_move(s, move), count(weight), f"{100 * weight / total:.1f} %") for move, weight in found]
    print_table(("move", "weight", "share"), rows, right=(1, 2))
    return 0
