"""Requests of a page during a game."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from zerosum.arena.engine_player import OVERHEAD
from zerosum.arena.time_control import Clock, TimeControl
from zerosum.engine import Engine
from zerosum.errors import MoveError, StudioError
from zerosum.formats.common import moves_of
from zerosum.game import CHANCE, MAX, MIN, Game, Line
from zerosum.levels import DEFAULT_SECONDS, LEVELS, Strength
from zerosum.review.reviewing import DECIDED
from zerosum.search.result import Result
from zerosum.session.pace import think
from zerosum.studio import positions
from zerosum.studio.messages import MOST_MOVES, Request, moves, number, settings, whole, words
from zerosum.studio.searches import Search
from zerosum.studio.tab import BESIDE, REVIEW, Tab
from zerosum.value_display import EVEN, SURE_WIN, score

LONGEST_THINKING = 3600.0
MOVES_BEFORE_RESIGNING = 3
"""Consecutive moves that the engine must consider lost before it resigns."""

PLIES_BEFORE_DRAWS = 20
"""Draw offers before this ply are declined."""
MODES = ("play", "analyse")


def open_game(tab: Tab, request: Request) -> None:
    """Start a game, or resume one that the page has stored: every move is checked again.

    The moves are given as ``moves``, numbers, or as ``line``, in the game's notation.
    """
    body = request.body
    name, chosen, mode = words(body, "game", tab.studio.offered.first), settings(body), words(body, "mode", "play")
    if mode not in MODES:
        raise StudioError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
    strength, people = strength_of(body), people_of(body)
    clock = clock_of(body)
    game = tab.studio.offered.game(name, chosen)
    text = words(body, "position").strip()
    line = Line(game, game.parse_state(text) if text else None)
    for place, move in enumerate(moves(body), 1):
        try:
            line = line.play(move)
        except MoveError as problem:
            raise MoveError(f"move {place}: {problem}") from problem
    written = words(body, "line")
    if written.strip():
        line = moves_of(game, written, text)
    game.mover(line.state)
    tab.stop_all()
    tab.set_line(line)
    tab.name, tab.settings, tab.mode = name, dict(chosen), mode
    tab.people, tab.strength, tab.clock = people, strength, clock
    tab.gives_up, tab.scores = body.get("resigns") is True, []
    resigned = body.get("resigned")
    if resigned in (MAX, MIN) and not tab.is_over:
        tab.ended = positions.given_up(game, resigned, positions.RESIGNS)
    elif resigned == positions.AGREED and not tab.is_over:
        tab.ended = positions.agreed()
    tab.forget_sent()
    tab.send("board", {**positions.board(game), "id": name, "settings": dict(chosen), "start": text})
    tell_and_go_on(tab, request.number)
    if tab.people != frozenset((MAX, MIN)):
        warm_up(tab)


def strength_of(body: Mapping[str, Any]) -> Strength:
    """The strength of the engine: ``{"level": 4}``, ``{"seconds": 1}`` or ``{"depth": 6}``."""
    wish = body.get("strength", {})
    if not isinstance(wish, dict):
        raise StudioError(f"strength must be an object, not {wish!r}")
    if "level" in wish:
        return Strength.of(whole(wish, "level", min(LEVELS), max(LEVELS)))
    depth = whole(wish, "depth", 1, 100) if "depth" in wish else None
    least = 0.01
    seconds = number(wish, "seconds", least, LONGEST_THINKING) if "seconds" in wish else None
    return Strength.of(seconds=seconds, depth=depth)


def people_of(body: Mapping[str, Any]) -> frozenset[int]:
    wish = body.get("people", [MAX])
    if not isinstance(wish, list) or not all(side in (MAX, MIN) and not isinstance(side, bool) for side in wish):
        raise StudioError(f"people must be a list of sides, 0 and 1, not {wish!r}")
    return frozenset(wish)


def clock_of(body: Mapping[str, Any]) -> Clock | None:
    """The two clocks, from ``"clock": "300+3"``; ``left`` holds the remaining times of a resumed game."""
    text = words(body, "clock", most=40).strip()
    if not text or text == "none":
        return None
    control = TimeControl.parse(text)
    if control.seconds is None:
        raise StudioError(f"the clock {text!r} gives no time for the game: write '300+3' (seconds + increment)")
    clock = Clock(control)
    left = body.get("left")
    if isinstance(left, list) and len(left) == 2:
        for side in (MAX, MIN):
            clock.left[side] = number({"left": left[side]}, "left", 0, 1e6)
    return clock


def tell_and_go_on(tab: Tab, answers: int | None = None) -> None:
    """Roll the dice if it is their turn, send the position, and let the engine move if it is its turn."""
    if tab.mode == "play":
        tab.roll_dice()
    tab.tell_position(answers)
    if tab.is_over:
        return
    if tab.mode == "analyse":
        if tab.wanted is not None:
            tab.wanted()
    elif tab.people and tab.game.to_move(tab.playing().state) not in tab.people:
        _answer(tab)


def step(tab: Tab, request: Request) -> None:
    """Make the engine's next move in a game against itself; the page controls the pace."""
    line = tab.playing()
    if tab.people or tab.mode != "play":
        raise StudioError("a person is playing: the engine moves by itself on its turn")
    if len(line) >= MOST_MOVES:
        raise StudioError(f"{tab.game.name}: not over after {MOST_MOVES} moves")
    search = tab.searcher.search
    thinks = tab.searcher.is_busy and search is not None and search.purpose == "play"
    if whole(request.body, "ply", 0, MOST_MOVES) == len(line) and not tab.is_over and not thinks:
        _answer(tab)
    tab.send("stepped", {}, request.number)


def warm_up(tab: Tab) -> None:
    """Prepare the engine while the user looks at the board."""
    if not tab.searcher.is_busy and not tab.searcher.is_ready_for(tab.game):
        tab.start_search("warm", lambda engine, search: None)


def _answer(tab: Tab) -> None:
    """Let the engine think about its move, and play it."""
    line, strength = tab.playing(), tab.strength
    clock = tab.clock.budget(int(tab.game.to_move(line.state))).time if tab.clock is not None else None

    def work(engine: Engine, search: Search) -> Result | None:
        search.answer = strength.lapse(line, tab.dice)
        if search.answer is not None:
            return None
        depth, heard = strength.depth, search.report
        if clock is not None:
            return think(engine, line, clock, overhead=OVERHEAD, depth=depth, on_report=heard, stop=search.stop)
        return engine.search(line, depth=depth, seconds=strength.seconds, on_report=heard, stop=search.stop)

    def finished(search: Search) -> None:
        move = search.answer if search.answer is not None else search.latest.move if search.latest else None
        if move is None or tab.playing() is not line or tab.is_over:
            return
        side = int(tab.game.to_move(line.state))
        if search.latest is not None and search.answer is None:
            value = score(search.latest, side, tab.game.unit) / 100
            tab.scores = [*tab.scores, value][-MOVES_BEFORE_RESIGNING:]
        if tab.gives_up and tab.people and is_lost(tab.game, tab.scores):
            tab.ended = positions.given_up(tab.game, side, positions.RESIGNS)
            tab.tell_position()
            return
        tab.make(move)
        tell_and_go_on(tab)

    tab.start_search("play", work, finished=finished)


def is_lost(game: Game, scores: Sequence[float]) -> bool:
    """Whether the engine may resign; ``scores`` are its values of its last moves, for itself, in the game's unit.

    It never resigns scored games, where every point counts, or games with dice, where luck may turn.

    >>> from zerosum.games import load
    >>> is_lost(load("chess"), [-10.5, -11, -12]), is_lost(load("chess"), [-2, -11, -12])
    (True, False)
    """
    if game.scored or game.has("chances") or len(scores) < MOVES_BEFORE_RESIGNING:
        return False
    # If the game declares no unit, only a certain loss counts as lost.
    worst = -DECIDED if game.unit > 1 else -SURE_WIN / 200
    return all(score < worst for score in scores)


def offer_draw(tab: Tab, request: Request) -> None:
    """Offer a draw to the engine, which accepts if it does not think that it is better."""
    line = tab.playing()
    if tab.is_over or tab.mode != "play" or len(tab.people) != 1:
        raise StudioError("a draw can only be offered in a running game against the engine")
    if not tab.game.repetition:
        raise StudioError(f"{tab.game.name}: draws by agreement are not possible in this game")
    agrees = len(line) >= PLIES_BEFORE_DRAWS and bool(tab.scores) and tab.scores[-1] <= EVEN
    if agrees:
        tab.searcher.stop()
        tab.ended = positions.agreed()
        tab.tell_position()
    tab.send("offered", {"agreed": agrees}, request.number)


def move(tab: Tab, request: Request) -> None:
    """Make a person's move; ``ply`` says which position it was meant for."""
    line = tab.playing()
    ply, wanted = whole(request.body, "ply", 0, MOST_MOVES), whole(request.body, "move", 0, 2**31 - 1)
    if ply != len(line):
        raise StudioError(f"this move was meant for move {ply + 1}, but the game is at move {len(line) + 1}")
    if tab.is_over:
        raise StudioError("the game is over: start a new one")
    side = tab.game.to_move(line.state)
    if tab.mode == "play" and side not in tab.people:
        raise StudioError(
            "it is not your turn: the engine is thinking" if side != CHANCE else "the dice are rolled first"
        )
    tab.make(wanted)
    tell_and_go_on(tab, request.number)


def undo(tab: Tab, request: Request) -> None:
    """Go back to the last earlier position in which a person was to move."""
    line = tab.playing()
    shorter = line.back()
    while len(shorter) and tab.game.mover(shorter.state) not in tab.people:
        shorter = shorter.back()
    if tab.ended is not None:
        shorter = line  # the game resumes where it was resigned, agreed drawn or lost on time
    elif len(shorter) == len(line) or tab.game.mover(shorter.state) not in tab.people:
        raise StudioError("there is nothing to take back")
    tab.set_line(shorter)
    tab.scores = []
    tell_and_go_on(tab, request.number)


def hint(tab: Tab, request: Request) -> None:
    """Search for a good move for the person, at full strength whatever the level."""
    line = tab.playing()
    if tab.is_over or tab.game.to_move(line.state) == CHANCE:
        raise StudioError("there is no move to suggest here")
    if tab.mode == "play" and tab.game.to_move(line.state) not in tab.people:
        raise StudioError("the engine is already thinking")
    seconds = tab.strength.seconds or DEFAULT_SECONDS

    def work(engine: Engine, search: Search) -> Result:
        return engine.search(line, seconds=seconds, on_report=search.report, stop=search.stop)

    tab.start_search("hint", work)


def resign(tab: Tab, request: Request) -> None:
    line = tab.playing()
    if tab.is_over:
        raise StudioError("the game is already over")
    side = int(tab.game.to_move(line.state))
    if side not in tab.people:
        side = next(iter(sorted(tab.people)), MAX)
    tab.searcher.stop()
    tab.ended = positions.given_up(tab.game, side, positions.RESIGNS)
    tab.tell_position(request.number)


def flag(tab: Tab, request: Request) -> None:
    """Handle a clock that ran out in the page; the server's clock decides."""
    line = tab.playing()
    side = int(tab.game.to_move(line.state))
    if tab.clock is None or tab.is_over or side == CHANCE:
        return
    left = tab.clock.left[side]
    if left is not None and time.monotonic() - tab.turn_began > left:
        tab.searcher.stop()
        tab.clock.left[side] = 0.0
        tab.ended = positions.given_up(tab.game, side, "has run out of time")
    tab.tell_position(request.number)


def stop(tab: Tab, request: Request) -> None:
    """End the search; an engine that was to move plays its best move so far. ``what`` names another search to end."""
    what = words(request.body, "what", most=40)
    if what == BESIDE:
        tab.wanted_beside = None
    if what in (BESIDE, REVIEW):
        tab.searcher_of(what).stop()
        return
    search = tab.searcher.search
    if search is not None and search.purpose == "play":
        search.stop.set()
        return
    tab.wanted = None
    tab.searcher.stop()


HANDLERS = {
    "open": open_game,
    "move": move,
    "undo": undo,
    "hint": hint,
    "resign": resign,
    "step": step,
    "offer-draw": offer_draw,
    "flag": flag,
    "stop": stop,
}
