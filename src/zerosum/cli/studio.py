"""``zerosum studio``: the games in the browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zerosum.cli import complain
from zerosum.cli.options import HashOption, ThreadsOption, whole_number
from zerosum.errors import MissingExtra, PortTaken, UnknownGame, nearest
from zerosum.files import is_there, why_not_a_file

if TYPE_CHECKING:
    import socket


def command(
    games: Annotated[
        list[str],
        typer.Argument(
            metavar="[GAME]...",
            help="The game to open: a name, or a file with a game of your own, which joins the built-in ones.",
            show_default=False,
        ),
    ] = [],  # noqa: B006
    port: Annotated[
        int, typer.Option("--port", metavar="N", help="As in --port 9000.", parser=whole_number("--port", 0, 65535))
    ] = 8765,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Other than this machine: asks for a token.")
    ] = "127.0.0.1",
    token: Annotated[
        str, typer.Option("--token", metavar="TEXT", help="Instead of a random one.", show_default=False)
    ] = "",
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in your browser.")] = True,
    databases: Annotated[
        list[str],
        typer.Option("--database", metavar="DIR", help="An endgame database; may be repeated.", show_default=False),
    ] = [],  # noqa: B006
    files: Annotated[
        list[str],
        typer.Option(
            "--games",
            metavar="FILE",
            help="Games, or a book, for the opening explorer; may be repeated.",
            show_default=False,
        ),
    ] = [],  # noqa: B006
    training: Annotated[
        list[str],
        typer.Option(
            "--training",
            metavar="FILE",
            help="The --out of 'zerosum train', to be watched while it runs; may be repeated.",
            show_default=False,
        ),
    ] = [],  # noqa: B006
    threads: ThreadsOption = 1,
    hash_mb: HashOption = 16,
) -> None:
    """Play, analyse and watch games in the browser.

    Starts a server on this machine and opens its page. Nothing comes from the network, and nothing goes
    there. Ctrl-C ends it; pages keep their games and continue when it is started again. With --host other
    machines can reach it, if they have the token that is part of the printed address.

    \b
    Examples:
      zerosum studio
      zerosum studio chess
      zerosum studio my_game.py
      zerosum studio --training network.npz
      zerosum studio --port 9000 --no-browser
      zerosum studio --host 0.0.0.0
    """
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
        import websockets  # noqa: F401
    except ImportError as problem:
        raise MissingExtra(
            f"the studio needs {problem.name!r}, which is not installed: pip install 'zerosum[studio]'"
        ) from None
    import secrets
    from urllib.parse import quote

    from zerosum.search.limits import check_hash
    from zerosum.studio.databases import Databases
    from zerosum.studio.explorer import Explorer
    from zerosum.studio.offered_games import OfferedGames
    from zerosum.studio.security import Guard, is_loopback
    from zerosum.studio.server import serve
    from zerosum.studio.tab import Studio
    from zerosum.studio.training import checked_files

    own = [game for game in games if Path(game).is_file()]
    for game in games:
        if game not in own:
            _check_name(game)
    check_hash(hash_mb)  # refuse a bad size now, not when the first search begins
    offered, kept, explorer = OfferedGames(own), Databases(databases), Explorer(files)
    followed = checked_files(training)
    for file in followed:
        if not is_there(Path(file)):
            complain(f"--training {file!r} does not exist yet; it is shown as soon as 'zerosum train' writes it")
    if not token and not is_loopback(host):
        token = secrets.token_urlsafe(16)
    listening = _bind(host, port)
    port = listening.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    place = f"#/{quote(offered.id_of(games[0]))}/play" if len(games) == 1 else ""
    address = f"http://{shown}:{port}/{f'?token={token}' if token else ''}{place}"
    print(f"zerosum studio: {address}  (Ctrl-C to stop)", flush=True)
    if browser:
        _open_when_ready(address)
    try:
        studio = Studio(offered, hash_mb, threads, databases=kept, explorer=explorer, training=followed)
        serve(studio, Guard(host, token), listening)
    except KeyboardInterrupt:
        print("\nGoodbye.", flush=True)


def _check_name(name: str) -> None:
    """Raise UnknownGame unless a game has this name; a name that looks like a file is a missing file."""
    from zerosum.games import catalogue

    if name.endswith(".py") or "/" in name:
        raise UnknownGame(f"{name!r} {why_not_a_file(name)}; built-in games need no file")
    if name not in catalogue():
        raise UnknownGame(f"unknown game {name!r}{nearest(name, catalogue())}; 'zerosum games' lists them")


def _bind(host: str, port: int) -> socket.socket:
    """Bind the port or, if the user agrees, the next free one."""
    from zerosum.studio.server import bind

    try:
        return bind(host, port)
    except PortTaken as taken:
        if not (sys.stdin is not None and sys.stdin.isatty() and taken.free):
            raise
        complain(str(taken))
        if not _agrees(f"Use port {taken.free}? [Y/n] "):
            raise typer.Exit(2) from None
        return bind(host, taken.free)


def _agrees(question: str) -> bool:
    try:
        return input(question).strip().lower() in ("", "y", "yes")
    except EOFError:  # Ctrl-D
        print()
        return False


def _open_when_ready(address: str) -> None:
    import threading
    import webbrowser

    threading.Timer(0.5, webbrowser.open, (address,)).start()
