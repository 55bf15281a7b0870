"""Reviews of games for a page: the value of each position, the loss of each move, and a summary of both players."""

from __future__ import annotations

from typing import Any

from zerosum.engine import Engine
from zerosum.errors import StudioError
from zerosum.game import MAX, MIN, Line
from zerosum.review.luck import Luck, knows_luck
from zerosum.review.reviewing import MARKS, ReviewedMove, blunder_of, is_a_choice, review_move, summary
from zerosum.search.result import Result
from zerosum.studio import positions
from zerosum.studio.messages import Request, moves, number
from zerosum.studio.searches import Search
from zerosum.studio.tab import REVIEW, Tab
from zerosum.value_display import at_the_board, data


def review(tab: Tab, request: Request) -> None:
    """Review the line of ``moves``, or else the current line; search each position for ``seconds``.

    Sends an ``evaluation`` for each position, and a ``review`` at the end. It runs alongside all other searches.
    """
    line = tab.follow(None, moves(request.body)) if "moves" in request.body else tab.playing()
    seconds = number(request.body, "seconds", 0.01, 10, 0.2)
    if not len(line):
        raise StudioError("there are no moves to review yet")

    def work(engine: Engine, search: Search) -> None:
        found: list[ReviewedMove] = []
        for ply in range(len(line) + 1):
            if ply == len(line) and positions.ending_of(line) is not None:
                break  # the rules give its value
            reviewed = None
            if is_a_choice(line, ply):
                reviewed = review_move(engine, line, ply, seconds=seconds, stop=search.stop)
                result = reviewed.best
            else:
                result = engine.search(line.back(len(line) - ply), seconds=seconds, stop=search.stop)
            if search.stop.is_set():
                return  # the interrupted result is worth little
            if reviewed is not None:
                found.append(reviewed)
            message = {"search": search.number, "plies": len(line), **_evaluation(engine, line, ply, result, reviewed)}
            tab.send("evaluation", message)
        tab.send("review", {"search": search.number, **_summary(tab, engine, line, found)})

    tab.start_search("review", work, line, searcher=REVIEW)


def _evaluation(engine: Engine, line: Line, ply: int, result: Result, reviewed: ReviewedMove | None) -> dict[str, Any]:
    """The evaluation of a position of the game, and of the move played there."""
    game, s = line.game, line.states[ply]
    found: dict[str, Any] = {
        "ply": ply,
        "depth": result.depth,
        **data(result, game.unit),
        "words": at_the_board(result, game),
        "best": "",
    }
    if result.move is not None:
        found |= {"best": game.format_move(s, result.move), "move": result.move, "turn": int(game.to_move(s))}
        found["way"] = positions.way(game, s, result.move)
    if reviewed is not None:
        found |= {"loss": round(reviewed.loss / game.unit, 4), "mark": reviewed.mark(blunder_of(game, engine.unit))}
    return found


def _summary(tab: Tab, engine: Engine, line: Line, reviewed: list[ReviewedMove]) -> dict[str, Any]:
    """A summary for MAX and MIN; luck is what each gained from the dice."""
    game = line.game
    blunder = blunder_of(game, engine.unit)
    sides = []
    for side, found in sorted(summary(reviewed, blunder).items()):
        marks = [one.mark(blunder) for one in reviewed if one.player == side]
        sides.append(
            {
                "player": game.players[side],
                "moves": found.moves,
                "accuracy": found.accuracy,
                "loss": round(found.mean_loss / game.unit, 4),
                "marks": {mark: marks.count(mark) for mark in MARKS},
            }
        )
    if knows_luck(game):
        luck = sum(Luck(game, jit=tab.studio.jit).of(line).values())
        for side, sign in ((MAX, 1), (MIN, -1)):
            sides[side]["luck"] = round(sign * luck, 3)
    return {"plies": len(line), "blunder": blunder / game.unit, "sides": sides}


HANDLERS = {"review": review}
