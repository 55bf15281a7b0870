"""``zerosum verify``: check a certificate."""

from __future__ import annotations

from typing import Annotated

import typer

from zerosum.cli import complain
from zerosum.cli.common import load_game, open_database, print_json
from zerosum.cli.options import DatabaseOption, GameArgument, JsonOption, SetOption, whole_number
from zerosum.cli.output import count, duration
from zerosum.cli.progress import Bar
from zerosum.errors import CertificateError
from zerosum.processors import usable_processors
from zerosum.search.limits import MOST_THREADS


def command(
    game: GameArgument,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The certificate.", show_default=False)],
    processes: Annotated[
        int,
        typer.Option(
            "--processes",
            metavar="N",
            help="Number of processes; 0 for one per processor.",
            parser=whole_number("--processes", 0, MOST_THREADS),
        ),
    ] = 0,
    database: DatabaseOption = "",
    settings: SetOption = [],  # noqa: B006
    json: JsonOption = False,
) -> int:
    """Check the certificate of a solved position.

    Says what is proved, or shows the first fault; then the exit code is 1. The check uses only the
    game's rules, in plain Python: nothing of the search, and nothing compiled. The game's parameters
    must be those of the certificate, which 'zerosum solve --certificate' writes. docs/certificates.md
    describes the format, in case you want to write your own checker. A certificate that rests on an
    endgame database needs that database, with --database.

    Each process uses about 150 MB of memory, whatever the size of the file. The rest goes to the
    temporary folder; set TMPDIR to a folder with room for a large file.

    \b
    Examples:
      zerosum verify tictactoe tictactoe.proof
      zerosum verify connect-four small.proof --set width=5 --set height=4
      zerosum verify my_game.py my_game.proof --processes 2 --json
    """
    from zerosum.certificates.verifying import verify

    rules = load_game(game, settings)
    endings, several = open_database(rules, database), processes or usable_processors()
    try:
        with Bar() as bar:
            proved = verify(rules, file, endings=endings, processes=several, on_progress=bar.show)
    except CertificateError as problem:
        if json:
            print_json({"file": file, "proved": None, "fault": str(problem)})
        complain(str(problem))
        return 1
    if json:
        claims = [{"player": c.player, "least": c.least, "plies": plies or None} for c, plies in proved.claims]
        found = {"file": file, "position": proved.position, "proved": proved.in_words(), "claims": claims}
        effort = {"entries": proved.entries, "seconds": round(proved.seconds, 3)}
        print_json({**found, "database": proved.database or None, **effort})
    else:
        print(f"proved: {proved.in_words()}")
        if proved.database:
            print(f"provided that the endgame database in {database} is correct (SHA-256 {proved.database})")
        print(f"{count(proved.entries)} positions checked, {duration(proved.seconds)}")
    return 0
