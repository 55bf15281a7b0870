"""What a page may wish for while a position is looked into."""

from __future__ import annotations

from typing import Any

from zerosum.engine import Engine
from zerosum.errors import StudioError
from zerosum.game import CHANCE, MAX, MIN, Line
from zerosum.review.judging import Judged, blunder_of, is_a_choice, judge_move
from zerosum.search.algorithms import algorithm_named
from zerosum.search.result import Result
from zerosum.studio import positions
from zerosum.studio.formats import read_text, save
from zerosum.studio.messages import Request, moves, number, whole, words
from zerosum.studio.playing import tell_and_go_on
from zerosum.studio.searches import Search
from zerosum.studio.tab import Tab
from zerosum.telling import at_the_board, data, verdict

MOST_LINES = 10
MOST_LOOKED_AHEAD = 64


def analyse(tab: Tab, request: Request) -> None:
    """Search the position, and every one that the page goes to, until told to stop; the best ``lines`` of it.

    ``algorithm`` names what to search with.
    """
    lines = whole(request.body, "lines", 1, MOST_LINES, 1)
    algorithm = words(request.body, "algorithm", "auto", most=40)
    algorithm_named(algorithm)
    tab.playing()

    def begin() -> None:
        line = tab.playing()

        def work(engine: Engine, search: Search) -> Result:
            return engine.search(line, multipv=lines, on_report=search.report, stop=search.stop)

        tab.start_search("analyse", work, algorithm=algorithm)

    tab.wanted = begin
    if tab.is_over:
        tab.searcher.stop()
    else:
        begin()


def go(tab: Tab, request: Request) -> None:
    """To another position: these moves, from the start of the line or from ``position``."""
    text = request.body.get("position")
    start = tab.game.parse_state(words(request.body, "position")) if text else None
    if text == "":
        start = tab.game.start()
    line = tab.follow(start, moves(request.body))
    tab.set_line(line)
    tell_and_go_on(tab, request.number)


def look(tab: Tab, request: Request) -> None:
    """The board after some moves from where the game stands, to be shown for a moment."""
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
    """What a pasted text stands for: the page opens it then."""
    found = read_text(tab.game, words(request.body, "text"))
    line = found.line()
    body = {"position": found.position, "moves": list(line.moves), "nodes": _with_texts(tab, line.start, found.nodes)}
    tab.send("reading", body, request.number)


def _with_texts(tab: Tab, s: Any, nodes: Any) -> list[dict[str, Any]]:
    """The moves with their texts, so that variations can be shown before anybody goes there."""
    told = []
    for node in nodes:
        shown = {**node, "text": tab.game.format_move(s, node["move"]), "turn": int(tab.game.to_move(s))}
        if "variations" in node:
            shown["variations"] = [_with_texts(tab, s, other) for other in node["variations"]]
        told.append(shown)
        s = tab.game.play(s, node["move"])
    return told


def keep(tab: Tab, request: Request) -> None:
    """The game as a file to download."""
    line = tab.playing()
    ending = tab.ended or positions.ending_of(line)
    names = tuple("person" if side in tab.people else "zerosum" for side in (MAX, MIN))
    winner = ending["winner"] if ending is not None else None
    file = save(line, winner, ending is not None, (names[MAX], names[MIN]))
    tab.send("file", {"name": file.name, "text": file.text}, request.number)


def review(tab: Tab, request: Request) -> None:
    """What every position of the game is worth, each searched for ``seconds``, and what each move gave away."""
    line = tab.playing()
    seconds = number(request.body, "seconds", 0.01, 10, 0.2)
    if not len(line):
        raise StudioError("there are no moves to look into yet")

    def work(engine: Engine, search: Search) -> Result | None:
        result = None
        for ply in range(len(line) + 1):
            judged = None
            if is_a_choice(line, ply):
                judged = judge_move(engine, line, ply, seconds=seconds, stop=search.stop)
                result = judged.best
            else:
                result = engine.search(line.back(len(line) - ply), seconds=seconds, stop=search.stop)
            if search.stop.is_set():
                break  # with an answer that is worth little
            tab.send("evaluation", {"search": search.number, **_evaluation(engine, line, ply, result, judged)})
        return result

    tab.wanted = None
    tab.start_search("review", work)


def _evaluation(engine: Engine, line: Line, ply: int, result: Result, judged: Judged | None) -> dict[str, Any]:
    """A position of the game, and the move that was played there."""
    game = line.game
    found = {
        "ply": ply,
        "depth": result.depth,
        **data(result, game.unit),
        "words": at_the_board(result, game),
        "best": game.format_move(line.states[ply], result.move) if result.move is not None else "",
    }
    if judged is not None:
        mark = judged.mark(blunder_of(game, engine.unit))
        found |= {"loss": round(judged.loss / game.unit, 4), "mark": mark}
    return found


def database_verdict(tab: Tab, request: Request) -> None:
    """What the endgame database says about the position, '' where there is none or it does not know."""
    line = tab.playing()
    game, s = line.game, line.state
    found = None if game.to_move(s) == CHANCE else tab.studio.databases.probe(game, s)
    said = "" if found is None else verdict(found.outcome, found.distance, game.players)
    tab.send("verdict", {"ply": len(line), "words": said}, request.number)


HANDLERS = {
    "analyse": analyse,
    "go": go,
    "look": look,
    "read": read,
    "save": keep,
    "review": review,
    "verdict": database_verdict,
}
