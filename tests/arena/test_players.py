"""Players: their descriptions, and programs that fail."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from arena.children import children
from patience import PATIENCE

from zerosum.arena import process, uci_player, xboard_player
from zerosum.arena.engine_player import EnginePlayer
from zerosum.arena.plain_players import PersonPlayer, RandomPlayer
from zerosum.arena.player import Answer, Fault, Player, Stopped
from zerosum.arena.players import parse_player
from zerosum.arena.time_control import Budget
from zerosum.errors import ArenaError
from zerosum.game import Line
from zerosum.games import load

HERE = Path(__file__).parent
TICTACTOE = load("tictactoe")
AMPLE = Budget(movetime=0.4, limit=PATIENCE)


@pytest.fixture(autouse=True)
def _slow_programs_are_no_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for programs that work correctly, however busy the machine is."""
    monkeypatch.setattr(uci_player, "HANDSHAKE", PATIENCE)
    monkeypatch.setattr(xboard_player, "FEATURES", PATIENCE)


@pytest.fixture(autouse=True)
def _nobody_left_behind() -> Iterator[None]:
    """No program outlives its test, not even as a zombie."""
    before = children()
    yield
    assert children() <= before


def fake(way: str, protocol: str = "uci") -> str:
    script = HERE / ("fake_engine.py" if protocol == "uci" else "fake_xboard.py")
    return f"{protocol}:{sys.executable} {script} {way}"


def made(text: str, log: Any = None) -> Player:
    player = parse_player(text).make(TICTACTOE, log)
    player.prepare()
    return player


@pytest.mark.parametrize(
    ("text", "kind", "name", "target", "options"),
    [
        ("engine", "engine", "engine", "", {}),
        ("engine:threads=2,null_move=off,hash=64", "engine", "engine:threads=2,null_move=off,hash=64", "", None),
        ("engine:name=new, table=off", "engine", "new", "", {"name": "new", "table": "off"}),
        ("mcts", "mcts", "mcts", "", {}),
        ("mcts:10000,explore=70", "mcts", "mcts:10000,explore=70", "10000", {"nodes": "10000", "explore": "70"}),
        ("mcts:explore=70", "mcts", "mcts:explore=70", "", {"explore": "70"}),
        ("path/to/my_game.py", "file", "path/to/my_game.py", "path/to/my_game.py", {}),
        ("my_game.py:threads=2", "file", "my_game.py:threads=2", "my_game.py", {"threads": "2"}),
        ("random", "random", "random", "", {}),
        ("depth:4", "depth", "depth:4", "4", {"depth": "4"}),
        ("level:3", "level", "level:3", "3", {"level": "3"}),
        ("nodes:10000,order=off", "nodes", "nodes:10000,order=off", "10000", {"nodes": "10000", "order": "off"}),
        ("person:name=Anna", "person", "Anna", "", {"name": "Anna"}),
        ("uci:toga2", "uci", "toga2", "toga2", {}),
        ("uci:/path/to/x -a b", "uci", "x", "/path/to/x -a b", {}),
        ('uci:"/path/x -a,b",Own Book=off', "uci", "x", "/path/x -a,b", {"Own Book": "off"}),
        ("xboard:phalanx,memory=16", "xboard", "phalanx", "phalanx", {"memory": "16"}),
        ("nboard:ntest x,depth=16", "nboard", "ntest", "ntest x", {"depth": "16"}),
    ],
)
def test_players_as_people_write_them(
    text: str, kind: str, name: str, target: str, options: dict[str, str] | None
) -> None:
    spec = parse_player(text)
    assert (spec.kind, spec.name, spec.target) == (kind, name, target)
    assert options is None or spec.options == options


@pytest.mark.parametrize(
    "text",
    [
        "",
        "motor",
        "uci:",
        "uci: ,Hash=1",
        "depth:",
        "depth:0",
        "depth:x",
        "level:11",
        "level:0",
        "nodes:-1",
        "random:5",
        "person:x=1",
        "engine:threads",
        "engine:hash=1,hash=2",
        "engine:name=",
        "xboard",
        "depth",
    ],
)
def test_texts_that_are_no_player_are_quoted(text: str) -> None:
    with pytest.raises(ArenaError) as problem:
        parse_player(text)
    assert repr(text) in str(problem.value)


def test_processors_are_counted_where_players_tell() -> None:
    texts = ("engine", "engine:threads=2", "uci:x", "uci:x,Number of Threads=3", "xboard:x,cores=4", "random")
    assert [parse_player(text).threads for text in texts] == [1, 2, 1, 3, 4, 1]


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("engine:speed=9", "unknown option 'speed'"),
        ("engine:algorithm=guess", "unknown algorithm 'guess'"),
        ("engine:algorithm=minimax,table=off", "unknown option 'table'"),
        ("engine:table=maybe", "table is on or off, not 'maybe'"),
        ("engine:unit=on", "unit is a whole number, not 'on'"),
        ("engine:threads=0", "threads must be a whole number of at least 1, not '0'"),
        ("engine:nodes=99999999999999999999", "nodes must be at most 1000000000000000000"),
        ("nodes:99999999999999999999", "nodes must be at most 1000000000000000000"),
        ("depth:1001", "depth must be at most 1000, not '1001'"),
        ("engine:threads=1025", "threads must be at most 1024, not '1025'"),
        ("engine:overhead=x", "overhead must be from 0 to 60 seconds, not 'x'"),
        ("uci:no-such-engine", "there is no program 'no-such-engine'"),
        ("uci:/etc/passwd", "'/etc/passwd' cannot be executed"),
        ('uci:x "unclosed', "is not a valid command"),
    ],
)
def test_players_that_cannot_be_made(text: str, quoted: str) -> None:
    with pytest.raises(ArenaError) as problem:
        parse_player(text).make(TICTACTOE)
    assert quoted in str(problem.value)


def test_an_engine_of_another_game_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("from zerosum.games import load\ngame = load('nim')\n")
    with pytest.raises(ArenaError, match="plays nim, not tictactoe"):
        parse_player(str(file)).make(TICTACTOE)


def test_an_engine_with_the_rules_of_a_file_follows_the_match(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("from zerosum.games import load\ngame = load('tictactoe').with_(about='mine')\n")
    own = load(str(file))
    player = EnginePlayer("mine", own, depth=9, jit=False)
    line = Line.parse(TICTACTOE, "1 5 2")
    player.begin(line, "")
    assert player.choose(line, Budget()).move == TICTACTOE.parse_move(
        line.state, "3"
    )  # the only move that does not lose
    longer = line.play(TICTACTOE.parse_move(line.state, "3")).play(6)
    assert player.choose(longer, Budget()).move in TICTACTOE.legal_moves(longer.state)


def test_an_engine_with_other_weights_follows_the_match() -> None:
    """Its game differs from that of the match, but has the same States."""
    game = load("chess", network=0)
    own = game.with_(tables=game.with_weights({"pawn on e2 (middle game)": 500, "pawn on e4 (middle game)": 9}))
    player = EnginePlayer("heavy", own, depth=1, jit=False)
    line = Line(game).play(game.parse_move(game.initial(), "e4"))
    player.begin(Line(game), "")
    player.choose(line, Budget(depth=1))
    followed = player._line.state
    assert own.format_state(followed) == game.format_state(line.state)
    assert followed == own.parse_state(game.format_state(line.state))


def test_an_engine_keeps_to_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("connect-four")
    player = EnginePlayer("slow", game, jit=False)
    search, limits = player.engine.search, []

    def search_for(*about: Any, seconds: float, **how: Any) -> Any:
        limits.append(seconds)
        return search(*about, seconds=seconds, **how)

    monkeypatch.setattr(player.engine, "search", search_for)
    for budget in (Budget(movetime=0.2), Budget(left=2.0, increment=0.05)):
        answer = player.choose(Line(game), budget)
        assert answer.move in game.legal_moves(game.initial())
    assert 0 < limits[0] < 0.2 and 0 < limits[1] < 0.5
    with pytest.raises(ArenaError, match="needs a limit"):
        player.choose(Line(game), Budget())


def test_a_random_player_plays_the_same_in_the_same_game() -> None:
    def game(seed: str) -> list[int | None]:
        player = RandomPlayer("r")
        player.begin(Line(TICTACTOE), seed)
        return [player.choose(Line(TICTACTOE), Budget()).move for _ in range(20)]

    assert game("1") == game("1") != game("2")


def test_a_low_level_plays_a_random_move_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    line = Line.parse(TICTACTOE, "1 4 2 5")  # X wins immediately, with 3

    def wins(level: int) -> int:
        player = parse_player(f"level:{level}").make(TICTACTOE)
        player.begin(line, "1")
        return sum(TICTACTOE.format_move(line.state, player.choose(line, Budget()).move) == "3" for _ in range(40))

    assert 20 < wins(1) < 40 == wins(4)


def test_a_person_is_asked_until_the_move_is_legal() -> None:
    typed, shown = iter(["z9", "5"]), []
    player = PersonPlayer("Anna", lambda prompt: next(typed), shown.append)
    line = Line(TICTACTOE)
    assert player.choose(line, Budget()).move == TICTACTOE.parse_move(line.state, "5")
    assert any("'z9' is not a legal move" in text for text in shown)
    assert PersonPlayer("Anna", lambda prompt: "resign", shown.append).choose(line, Budget()).move is None
    with pytest.raises(Stopped):
        PersonPlayer("Anna", lambda prompt: "quit", shown.append).choose(line, Budget())


# Programs


def test_a_program_that_speaks_uci_plays(tmp_path: Path) -> None:
    said: list[str] = []
    player = made(fake("good") + ",hash=32,Own Book=off,name=G", said.append)
    try:
        line = Line.parse(TICTACTOE, "1 2")
        player.begin(line, "")
        answer = player.choose(line, Budget(left=2.0, increment=0.05, other_left=1.5, moves_to_go=7, limit=PATIENCE))
        assert answer[:3] == Answer(TICTACTOE.parse_move(line.state, "3"), 12.0, 3)[:3]
        assert answer.seconds is not None and 0 < answer.seconds < PATIENCE
    finally:
        player.close()
    assert player.name == "G"
    assert "> setoption name Hash value 32" in said and "> setoption name Own Book value false" in said
    assert "> setoption name Ponder value false" in said
    assert "> position startpos moves 1 2" in said and "< bestmove 3 ponder 9" in said
    assert "> go wtime 2000 btime 1500 winc 50 binc 50 movestogo 7" in said


def test_from_another_start_the_position_is_told() -> None:
    said: list[str] = []
    player = made(fake("good"), said.append)
    line = Line(TICTACTOE, TICTACTOE.parse_state("x........"))
    player.begin(line, "")
    with pytest.raises(Fault, match="bestmove 1"):  # it reads only the moves
        player.choose(line, AMPLE)
    player.close()
    assert any(text.startswith("> position fen x........") for text in said)


@pytest.mark.parametrize(
    ("way", "limit", "last_call", "kind", "quoted"),
    [
        ("crash", PATIENCE, 0.1, "crash", "killed by signal 6; its last words: 'info string alas'"),
        ("orphan", PATIENCE, 0.1, "crash", "has ended with exit code 7; its last words: 'readyok'"),
        ("illegal", PATIENCE, 0.1, "illegal move", "'bestmove z9'"),
        ("silent", 0.2, 0.1, "hang", "nor when told to stop"),
        ("rubbish", 2.0, 0.1, "hang", "segmentation fault?"),
        ("late", 0.5, PATIENCE, "time", "no move within its 0.5 s"),
    ],
)
def test_programs_that_fail_say_how_and_can_begin_again(
    way: str, limit: float, last_call: float, kind: str, quoted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uci_player, "LAST_CALL", last_call)
    if way == "crash":
        monkeypatch.setattr(process, "EXIT_SECONDS", PATIENCE)  # wait for its exit code, however slow the machine is
    player = made(fake(way))
    line = Line(TICTACTOE)
    for _ in range(2):
        player.begin(line, "")
        with pytest.raises(Fault) as fault:
            player.choose(line, Budget(movetime=0.4, limit=limit))
        assert fault.value.kind == kind and quoted in str(fault.value)
    player.close()


def test_a_program_that_never_reads_does_not_stop_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zerosum.arena.process.WRITE_SECONDS", 0.5)
    player = made(fake("deaf"))
    line = Line(TICTACTOE)
    player.begin(line, "")
    player.choose(line, AMPLE)
    talk = player._talk  # type: ignore[attr-defined]
    with pytest.raises(Fault) as fault:
        for _ in range(100):
            talk.send("x" * 8192)
    assert fault.value.kind == "hang"
    player.close()


def test_a_program_that_is_no_engine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    receive = process.Conversation.receive

    def receive_the_first(talk: process.Conversation, until: float) -> process.Words | None:
        """Its first line, however late it comes; then none that comes after ``until``."""
        return receive(talk, until if talk.last_words else until + PATIENCE)

    with monkeypatch.context() as patient:
        patient.setattr(uci_player, "HANDSHAKE", 0.1)
        patient.setattr(process.Conversation, "receive", receive_the_first)
        with pytest.raises(ArenaError, match=r"no 'uciok' within 0.1 s: does it speak UCI.*never heard of chess"):
            made('uci:sh -c "echo I have never heard of chess; exec sleep 1000"')
    monkeypatch.setattr(process, "EXIT_SECONDS", PATIENCE)  # wait for its exit code, however slow the machine is
    with pytest.raises(ArenaError, match="exit code 0"):
        made("uci:true,name=true")
    with pytest.raises(ArenaError, match="exit code 3; its last words: 'no licence'"):
        made('uci:sh -c "echo no licence >&2; exit 3"')
    with pytest.raises(ArenaError, match="has no option 'Speed'; it has Hash, Own Book, Ponder"):
        made(fake("good") + ",Speed=9")


def test_a_waiting_player_can_be_stopped_from_outside() -> None:
    player = made(fake("silent"))
    line = Line(TICTACTOE)
    player.begin(line, "")
    threading.Timer(0.2, player.stop).start()
    with pytest.raises(Stopped):
        player.choose(line, Budget(depth=5, limit=PATIENCE))
    player.close()


@pytest.mark.parametrize("way", ["good", "old"])
def test_a_program_that_speaks_xboard_plays(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xboard_player, "FEATURES", PATIENCE if way == "good" else 0.3)
    said: list[str] = []
    player = made(fake(way, "xboard"), said.append)
    line = Line.parse(TICTACTOE, "1 2")
    budget = Budget(left=2.0, increment=0.05, other_left=1.5, limit=PATIENCE)
    player.begin(line, "")
    answer = player.choose(line, budget)
    assert answer[:3] == (TICTACTOE.parse_move(line.state, "3"), -25.0, 4)
    line = line.play(answer.move or 0).play(TICTACTOE.parse_move(line.state, "9"))
    assert player.choose(line, budget).move == TICTACTOE.parse_move(line.state, "4")
    player.close()
    usermove = "usermove " if way == "good" else ""
    sent = [text for text in said if text.startswith(("> level", "> time", "> otim", "> go", f"> {usermove}9"))]
    first = ["> level 0 0:02 0.05", "> time 200", "> otim 150", "> go"]
    assert sent == [*first, "> time 200", "> otim 150", f"> {usermove}9"]


def test_xboard_programs_may_resign_and_may_not_claim_or_refuse() -> None:
    line = Line.parse(TICTACTOE, "1 2")
    outcomes = {}
    for way in ("resign", "claim", "refuse"):
        player = made(fake(way, "xboard"))
        player.begin(line, "")
        try:
            # A program that claims a win makes no move, so waiting for one is in vain.
            limit = 1.0 if way == "claim" else PATIENCE
            outcomes[way] = str(player.choose(line, Budget(movetime=0.4, limit=limit)).move)
        except Fault as fault:
            outcomes[way] = f"{fault.kind}: {fault}"
        player.close()
    assert outcomes["resign"] == "None"
    assert "I am tired" in outcomes["claim"] and outcomes["claim"].startswith("hang")
    assert "refuses a legal move" in outcomes["refuse"]


def test_a_limit_that_a_program_does_not_know_is_named() -> None:
    player = made(fake("refuse", "xboard"))
    player.begin(Line(TICTACTOE), "")
    with pytest.raises(ArenaError, match="does not support the limit 'sd 3'"):
        player.choose(Line(TICTACTOE), Budget(depth=3, limit=PATIENCE))
    with pytest.raises(ArenaError, match="no node limit"):
        player.choose(Line(TICTACTOE), Budget(nodes=3, limit=PATIENCE))
    player.close()


def test_xboard_options_that_a_program_lacks_are_named() -> None:
    with pytest.raises(ArenaError, match="unknown option 'Speed'"):
        made(fake("good", "xboard") + ",Speed=9")
    with pytest.raises(ArenaError, match="lacks the feature 'smp'"):
        made(fake("good", "xboard") + ",cores=2")
