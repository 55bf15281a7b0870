"""A match started by a page: the boards in play, the standings, and the ratings."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zerosum.arena.match import Match, Plan
from zerosum.arena.players import PlayerSpec, parse_player
from zerosum.arena.referee import Rules
from zerosum.arena.schedule import Fixture
from zerosum.arena.standings import Standings
from zerosum.arena.time_control import TimeControl
from zerosum.errors import StudioError
from zerosum.formats.played import RESULTS
from zerosum.formats.record import GameRecord, replay
from zerosum.game import MAX, MIN, Line
from zerosum.review.luck import knows_luck
from zerosum.studio import positions
from zerosum.studio.messages import Request, in_one_line, number, settings, whole, words
from zerosum.studio.tab import Tab

MOST_GAMES = 10_000
MOST_BOARDS = 4
TICK = 0.25
"""Seconds between two updates of the boards."""

LATEST = 30
"""Number of results listed."""

# Players that a page may choose. No programs and no files: these would let it run or read anything.
KINDS = {
    "random": "random",
    "engine": "engine",
    "mcts": "mcts:{}",
    "level": "level:{}",
    "depth": "depth:{}",
    "nodes": "nodes:{}",
}
MOST = {"level": 10, "depth": 60}
MOST_PLAYERS = 6


def player_of(wish: Any) -> PlayerSpec:
    """The arena player that ``{"kind": "depth", "amount": 4}`` describes."""
    if not isinstance(wish, Mapping) or wish.get("kind") not in KINDS:
        raise StudioError(f"a player must be one of {', '.join(KINDS)}, not {str(wish)[:60]!r}")
    pattern = KINDS[wish["kind"]]
    if "{}" not in pattern:
        return parse_player(pattern)
    return parse_player(pattern.format(whole(wish, "amount", 1, MOST.get(wish["kind"], 10**9))))


def plan_of(tab: Tab, body: Mapping[str, Any]) -> Plan:
    game = tab.studio.offered.game(words(body, "game", "tictactoe"), settings(body))
    players = body.get("players")
    if not isinstance(players, list) or not 2 <= len(players) <= MOST_PLAYERS:
        raise StudioError(f"a match needs at least two players and at most {MOST_PLAYERS}")
    seconds = number(body, "seconds", 0.01, 60.0, 0.1)
    plies = whole(body, "plies", 0, 40, 2)
    return Plan(
        game,
        [player_of(player) for player in players],
        Rules(TimeControl.parse(f"movetime {seconds:g}"), max_plies=600),
        games=whole(body, "games", 1, MOST_GAMES, 10),
        seed=whole(body, "seed", 0, 10**9, 0),
        openings=f"random:{plies}" if plies else "",
    )


class Contest:
    """A match in its own thread, which reports its progress to its tab."""

    def __init__(self, tab: Tab, plan: Plan, boards: int, named: Mapping[str, Any]) -> None:
        self.tab, self.plan = tab, plan
        self.named = named  # the game and its parameters, as the page names them
        self.folder = tempfile.TemporaryDirectory(prefix="zerosum-match-", ignore_cleanup_errors=True)
        self.match = Match(
            plan,
            Path(self.folder.name) / "games.jsonl",
            concurrency=boards,
            on_move=self._moved,
            luck=knows_luck(plan.game),
        )
        self.lock = threading.Lock()
        self.boards = boards
        self.lines: dict[int, tuple[Fixture, Line]] = {}  # the games on the boards, by number
        self.latest: list[GameRecord] = []
        self.records: dict[int, GameRecord] = {}
        # Like the match's own, which the thread that plays changes while another would read it.
        self.standings = Standings(plan.names)
        self.state, self.problem, self.written = "preparing", "", ""
        self.undrawn = ""  # why the boards cannot be drawn
        self.changed = threading.Event()
        self.over = threading.Event()

    def start(self) -> None:
        for target in (self._run, self._report):
            threading.Thread(target=target, name="zerosum-match", daemon=True).start()

    def stop(self) -> None:
        self.match.stop()

    def games(self) -> str:
        """The finished games, in the format of the arena."""
        with self.lock:
            return self.written or self._read()

    def _read(self) -> str:
        return self.match.out.read_text(encoding="utf-8") if self.match.out.exists() else ""

    def _run(self) -> None:
        state, problem = "done", ""
        try:
            self.match.run(self._ended, self._begun)
        except KeyboardInterrupt:
            state = "stopped"
        except Exception as found:  # also of a rule of a user's game
            state, problem = "failed", in_one_line(found)
        with self.lock:
            self.state, self.problem = state, problem
            self.standings = self.match.standings  # after a stop it also contains games that finished out of turn
            self.written = self._read()
            self.folder.cleanup()
        self.changed.set()
        self.over.set()  # last: what _report finds unchanged after this, it has sent

    def _begun(self, match: Match) -> None:
        self.state = "playing"
        self.changed.set()

    def _moved(self, fixture: Fixture, line: Line) -> None:
        with self.lock:
            self.lines[fixture.number] = (fixture, line)
            # A finished game stays on its board until the next one needs it.
            finished = [record.number for record in reversed(self.latest) if record.number in self.lines]
            while len(self.lines) > self.boards and finished:
                del self.lines[finished.pop(0)]
        self.changed.set()

    def _ended(self, record: GameRecord, standings: Standings) -> None:
        with self.lock:
            self.latest = [record, *self.latest][:LATEST]
            self.records[record.number] = record
            self.standings.add(record)
        self.changed.set()

    def _report(self) -> None:
        """Update the page at a rate that a person can follow; end the match if the page has left."""
        while True:
            self.changed.wait(TICK)
            if self.tab.deliver is None:
                self.stop()
                return
            if self.changed.is_set():
                self.changed.clear()
                self._tell()
            if self.over.is_set() and not self.changed.is_set():
                return
            self.over.wait(TICK)

    def _tell(self) -> None:
        try:
            self.tab.send("match", self.as_json())
        except Exception as problem:  # of a rule of a user's game
            self.undrawn = in_one_line(problem)
            self.stop()
            self.changed.set()

    def as_json(self) -> dict[str, Any]:
        """The state of the match, as data."""
        with self.lock:
            on_boards = [] if self.undrawn else sorted(self.lines.items())[-self.boards :]
            latest = list(self.latest)
            found = {"state": self.state, "problem": self.problem, "standings": self.standings.as_dict()}
        if self.undrawn:
            found |= {"state": "failed", "problem": self.undrawn}
        results = {record.number: record.in_words() for record in latest}
        names = self.plan.names
        return {
            **found,
            "names": names,
            "total": self.plan.total,
            "boards": [
                {
                    "number": number,
                    "players": [names[fixture.max_player], names[fixture.min_player]],
                    "result": results.get(number, ""),
                    **last_move(line),
                    "pieces": positions.pieces(line.game, line.state),
                    "text": line.game.show(line.state),
                }
                for number, (fixture, line) in on_boards
            ],
            "latest": [brief(record) for record in latest],
        }


def brief(record: GameRecord) -> dict[str, Any]:
    """A finished game as a row of a table."""
    return {
        "number": record.number,
        "players": [record.max_player, record.min_player],
        "result": RESULTS[record.result],
        "why": record.detail or record.reason,
        "length": len(record.moves),
        "luck": record.luck,
    }


def last_move(line: Line) -> dict[str, Any]:
    """The last move, as text and as its cells."""
    if not line.moves:
        return {"way": [], "last": ""}
    before, move = line.states[-2], line.moves[-1]
    return {"way": positions.way(line.game, before, move), "last": line.game.format_move(before, move)}


def begin(tab: Tab, request: Request) -> None:
    plan = plan_of(tab, request.body)
    boards = whole(request.body, "boards", 1, MOST_BOARDS, 2)
    running = tab.extras.pop("arena", None)
    if running is not None:
        running.stop()
    named = {"game": words(request.body, "game", "tictactoe"), "settings": settings(request.body)}
    contest = tab.extras["arena"] = Contest(tab, plan, boards, named)
    tab.send("contest", {**positions.board(plan.game), "sides": [MAX, MIN]}, request.number)
    contest.start()


def stop(tab: Tab, request: Request) -> None:
    running = tab.extras.get("arena")
    if running is not None:
        running.stop()
    tab.send("stopped", {}, request.number)


def save(tab: Tab, request: Request) -> None:
    running = _contest(tab)
    tab.send("games", {"name": f"{running.plan.game.name}-match.jsonl", "text": running.games()}, request.number)


def games(tab: Tab, request: Request) -> None:
    """Send the finished games, the latest first: at most ``most``, or all of them."""
    contest = _contest(tab)
    with contest.lock:
        records = [contest.records[number] for number in sorted(contest.records, reverse=True)]
    most = whole(request.body, "most", 1, MOST_GAMES, MOST_GAMES)
    tab.send("match-games", {"games": [brief(record) for record in records[:most]]}, request.number)


def game(tab: Tab, request: Request) -> None:
    """Send a finished game in the form in which a page stores its own games, so that it can open it."""
    contest, number = _contest(tab), whole(request.body, "number", 1, MOST_GAMES * MOST_PLAYERS**2)
    record = contest.records.get(number)
    if record is None:
        raise StudioError(f"game {number} has not been played")
    line = replay(contest.plan.game, record)
    start = "" if line.start == line.game.start() else record.start
    body = {**contest.named, "position": start, "moves": list(line.moves), **brief(record)}
    tab.send("match-game", body, request.number)


def _contest(tab: Tab) -> Contest:
    found = tab.extras.get("arena")
    if not isinstance(found, Contest):
        raise StudioError("no match has been played here")
    return found


HANDLERS = {"match-games": games, "match-game": game, "match": begin, "match-stop": stop, "match-save": save}
