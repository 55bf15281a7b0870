"""Parsing of UCI lines, and 100,000 malformed ones that the engine survives."""

from __future__ import annotations

import random

import pytest
from samples import samples

from zerosum.errors import ProtocolError
from zerosum.games import load
from zerosum.protocols.uci import Uci
from zerosum.protocols.uci_words import GO_WORDS, parse_go, parse_position, parse_setoption, shortened


def words(text: str) -> list[str]:
    return text.split()


def test_everything_that_go_knows():
    go = parse_go(
        words(
            "searchmoves e2e4 d2d4 depth 9 nodes 100 mate 3 movetime 50 wtime 1000 btime 2000 winc 10 binc 20 "
            "movestogo 5 infinite ponder"
        )
    )
    assert (go.depth, go.nodes, go.mate, go.movetime, go.movestogo) == (9, 100, 3, 0.05, 5)
    assert (go.left, go.increment) == ((1.0, 2.0), (0.01, 0.02))
    assert go.infinite and go.ponder and not go.ends_by_itself
    assert go.searchmoves == ("e2e4", "d2d4") and not go.unknown


def test_late_clocks_and_depth_nothing_are_taken_as_little():
    go = parse_go(words("wtime -5 btime 0 winc -1 depth 0 nodes -3 movestogo 0"))
    assert (go.left, go.increment, go.depth, go.nodes, go.movestogo) == ((0.0, 0.0), (0.0, 0.0), 1, 1, None)
    assert parse_go(["depth", "9" * 400]).depth == 1000


def test_unknown_words_of_go_are_kept_apart():
    assert parse_go(words("depth 3 quickly")).unknown == ("quickly",)


@pytest.mark.parametrize("line", ["depth", "depth x", "movetime 1.5", "wtime btime 3", "nodes " + "9" * 5000])
def test_numbers_that_are_none(line):
    with pytest.raises(ProtocolError, match="whole number"):
        parse_go(words(line))


@pytest.mark.parametrize("line", ["", "fen", "startpos e2e4", "fen moves e2e4", "moves e2e4", "somewhere"])
def test_positions_that_are_none(line):
    with pytest.raises(ProtocolError, match="position"):
        parse_position(words(line))


def test_options_have_names_and_values_with_blanks():
    assert parse_setoption(words("name SyzygyPath value /a b/c")) == ("SyzygyPath", "/a b/c")
    with pytest.raises(ProtocolError, match="'Hash value 3'"):
        parse_setoption(words("Hash value 3"))
    with pytest.raises(ProtocolError, match="names no option"):
        parse_setoption(words("name value 3"))


def test_what_is_quoted_is_short_and_one_line():
    assert len(shortened("x" * 1000)) <= 100 and "\n" not in shortened("a\nb")


def malformed(chance: random.Random) -> str:
    """A line like those of the protocol, broken in some way."""
    words = [
        *("uci", "isready", "setoption", "ucinewgame", "position", "go", "stop", "ponderhit", "d", "help", "debug"),
        *("startpos", "fen", "moves", "name", "value", "Hash", "MultiPV", "Threads", "Move", "Overhead", "true"),
        *GO_WORDS,
        *("5", "1", "9", "0", "-1", "999999999999999999999", "1e9", "NaN", "xx.oo....", "x........", "e2e4", "0000"),
        *("", " ", "\t", "\x00", "ü", "♞", "\ud800", "'", '"', "%s", "{0}", "\\", "x" * 3000),
    ]
    line = " ".join(chance.choice(words) for _ in range(chance.randrange(1, 9)))
    for _ in range(chance.randrange(3)):
        at = chance.randrange(len(line) + 1)
        line = line[:at] + chance.choice(["", chr(chance.randrange(0x11000)), " "]) + line[at + chance.randrange(3) :]
    return line


def test_the_engine_goes_on_after_100_000_malformed_lines(monkeypatch):
    lines: list[str] = []
    engine = Uci(load("tictactoe"), lines.append, jit=False)
    started = []
    # This tests the parser, not the search: searches are only recorded.
    monkeypatch.setattr("zerosum.protocols.thinking.Thinking.start", lambda self: started.append(self))
    monkeypatch.setattr("zerosum.session.session.Session.warm_up", lambda self: None)
    chance = random.Random(5)
    count = samples(100_000)
    for _ in range(count):
        engine.thinking = None
        line = malformed(chance)
        if line.split()[:1] != ["quit"]:
            assert engine.handle(line)
    assert not [text for text in lines if "Error:" in text]  # a bug of ours would show the name of its exception
    assert started and len([text for text in lines if text.startswith("info string")]) > 3 * count // 10
    lines.clear()
    monkeypatch.undo()
    engine.handle("isready")
    assert lines == ["readyok"]
