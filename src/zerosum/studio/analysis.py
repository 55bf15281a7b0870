"""Requests of a page while it analyses a position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zerosum.engine import Engine
from zerosum.errors import StudioError
from zerosum.game import CHANCE, Game, Line
from zerosum.search.algorithms import algorithm_named
from zerosum.search.result import Result
from zerosum.studio import positions
from zerosum.studio.formats import read_text
from zerosum.studio.messages import Request, moves, number, whole, words
from zerosum.studio.searches import Search
from zerosum.studio.tab import BESIDE, MAIN, THREAT, Tab
from zerosum.value_display import verdict

MOST_LINES = 10
MOST_LOOKED_AHEAD = 64

LEAST_DEPTH = 3
"""Plies that a threat is searched, however busy the machine is."""

MOST_BOARDS = 64
"""Boards in one message: these take a tenth of a second to write. The page requests the rest separately."""


def analyse(tab: Tab, request: Request) -> None:
    """Search the position, and every position that the page goes to, until told to stop.

    ``lines`` is the number of best lines to find, and ``algorithm`` the name of the algorithm. With ``beside``, this is
    a second engine, which runs alongside the first.
    """
    lines = whole(request.body, "lines", 1, MOST_LINES, 1)
    algorithm = words(request.body, "algorithm", "auto", most=40)
    algorithm_named(algorithm)
    tab.playing()
    is_beside = request.body.get("beside") is True

    def begin() -> None:
        line = tab.playing()

        def work(engine: Engine, search: Search) -> Result:
            return engine.search(line, multipv=lines, on_report=search.report, stop=search.stop)

        purpose, searcher = ("beside", BESIDE) if is_beside else ("analyse", MAIN)
        tab.start_search(purpose, work, algorithm=algorithm, searcher=searcher)

    if is_beside:
        tab.wanted_beside = begin
    else:
        tab.wanted = begin
    if tab.is_over:
        tab.searcher_of(BESIDE if is_beside else MAIN).stop()
    else:
        begin()


def go(tab: Tab, request: Request) -> None:
    """Go to another position: play these moves from the start of the line or from ``position``."""
    text = request.body.get("position")
    start = tab.game.parse_state(words(request.body, "position")) if text else None
    if text == "":
        start = tab.game.start()
    tab.set_line(tab.follow(start, moves(request.body)))
    tab.tell_at(request.number)
    if not tab.is_over:
        _go_on(tab.wanted)
        _go_on(tab.wanted_beside)


def _go_on(wanted: Callable[[], None] | None) -> None:
    if wanted is not None:
        wanted()


def boards(tab: Tab, request: Request) -> None:
    """Send the boards along a line, after ``first`` moves and later, so that the page can navigate on its own."""
    wanted = moves(request.body)
    first = whole(request.body, "first", 0, len(wanted), 0)
    line = tab.ahead = tab.follow(None, wanted)
    plies = range(first, min(len(line) + 1, first + MOST_BOARDS))
    ways = [entry["way"] for entry in positions.history(line.back(len(line) - plies[-1]), max(0, first - 1))]
    found = [positions.still(line, ply) for ply in plies]
    tab.send("boards", {"first": first, "boards": found, "ways": ways if first else [[], *ways]}, request.number)


def look(tab: Tab, request: Request) -> None:
    """Send the board after some moves from the current position, for a preview."""
    line, ahead = tab.playing(), moves(request.body)[:MOST_LOOKED_AHEAD]
    ply = whole(request.body, "ply", 0, len(line), len(line))
    line = line.back(len(line) - ply)
    for move in ahead:
        line = line.play(move)
    game, s = line.game, line.state
    last = positions.way(game, line.states[-2], line.moves[-1]) if len(line) else []
    body = {"ply": ply, "moves": ahead, "pieces": positions.pieces(game, s), "text": game.show(s), "way": last}
    tab.send("look", body, request.number)


def read(tab: Tab, request: Request) -> None:
    """Read a pasted position or game; the page then opens it."""
    found = read_text(tab.game, words(request.body, "text"))
    line = found.line()
    body = {
        "position": found.position,
        "moves": list(line.moves),
        "nodes": _with_texts(tab.game, line.start, found.nodes),
        "players": list(found.players),
        "result": found.result,
        "notes": dict(found.notes),
    }
    tab.send("reading", body, request.number)


def _with_texts(game: Game, s: Any, nodes: Any) -> list[dict[str, Any]]:
    """The moves with their texts, so that the page can show variations that were never visited."""
    moves = []
    for node in nodes:
        shown = {**node, "text": game.format_move(s, node["move"]), "turn": int(game.to_move(s))}
        if "variations" in node:
            shown["variations"] = [_with_texts(game, s, other) for other in node["variations"]]
        moves.append(shown)
        s = game.play(s, node["move"])
    return moves


def threat(tab: Tab, request: Request) -> None:
    """Find what the other side would play if it were its turn, with a search of ``seconds``."""
    line = tab.playing()
    game, s = line.game, line.state
    seconds = number(request.body, "seconds", 0.01, 10, 0.5)
    if not game.has("skip"):
        raise StudioError(f"{game.name} has no rule skip(s), so threats cannot be shown")
    if tab.is_over or game.to_move(s) == CHANCE:
        raise StudioError("no player is to move, so there is no threat")
    if game.is_forced(s):
        raise StudioError("the side to move must already answer a threat")
    passed = game.skip(s)
    if game.to_move(passed) == game.to_move(s):
        raise StudioError("passing might be the best move here, so a threat would mean nothing")
    other = Line(game, passed)

    def work(engine: Engine, search: Search) -> Result:
        found = engine.search(other, seconds=seconds, stop=search.stop)
        if found.depth < LEAST_DEPTH and not found.proven:  # the machine is busy
            found = engine.search(other, depth=LEAST_DEPTH, stop=search.stop)
        return found

    def finished(search: Search) -> None:
        found = search.latest
        if found is None or found.move is None:
            tab.send("error", {"message": "no threat was found in this time"}, request.number)
            return
        body = {
            "ply": len(line),
            "position": game.format_state(s),
            "text": game.format_move(other.state, found.move),
            "way": positions.way(game, other.state, found.move),
        }
        tab.send("threat", body, request.number)

    tab.start_search("threat", work, other, finished, searcher=THREAT)


def database_verdict(tab: Tab, request: Request) -> None:
    """Send the verdict of the endgame database on the position and each move; '' if it does not contain them."""
    line = tab.playing()
    game, s = line.game, line.state
    found = _verdict(tab, game, s)
    moves = []
    if found and not tab.is_over:
        for move in game.legal_moves(s):
            t = game.successor(s, move)
            said = "ends the game" if game.is_over(t) else _verdict(tab, game, t)
            moves.append({"move": move, "text": game.format_move(s, move), "words": said or "not in the database"})
    tab.send("verdict", {"ply": len(line), "words": found, "moves": moves}, request.number)


def _verdict(tab: Tab, game: Game, s: Any) -> str:
    found = None if game.to_move(s) == CHANCE else tab.studio.databases.probe(game, s)
    return "" if found is None else verdict(found.outcome, found.distance, game.players)


HANDLERS = {
    "analyse": analyse,
    "go": go,
    "boards": boards,
    "look": look,
    "read": read,
    "threat": threat,
    "verdict": database_verdict,
}
