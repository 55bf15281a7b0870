"""A session with an engine: prepared in the background, replaced when another is wanted, with a listener."""

from __future__ import annotations

import threading

import pytest
from patience import PATIENCE

from zerosum.engine import Engine
from zerosum.errors import KernelError
from zerosum.games import load
from zerosum.jit.notices import listening_with, noticed, say
from zerosum.session.session import EngineSpec, Session

GAME = load("tictactoe")
SPEC = EngineSpec(GAME, hash_mb=1, jit=False)


@pytest.fixture
def heard():
    """The notices of a session, and the listener that collects them."""
    texts: list[tuple[str, bool]] = []
    return texts, lambda text, is_warning: texts.append((text, is_warning))


def compiling(monkeypatch, act):
    """Replace the preparation of engines; nothing is compiled."""
    monkeypatch.setattr(Engine, "prepare", act)


def test_an_engine_is_kept_until_another_one_is_wanted():
    session = Session(SPEC)
    assert session.current is None
    first = session.engine()
    session.want(hash_mb=1)
    assert session.engine() is first
    session.want(hash_mb=2)
    assert session.current is None
    assert session.engine() is not first and session.current is session.engine()


def test_another_game_is_another_engine():
    session = Session(SPEC)
    session.engine()
    session.want(game=load("nim"))
    assert session.engine().game.name == "nim" and session.plain().game.name == "nim"


def test_closed_it_keeps_nothing_and_can_be_used_again():
    session = Session(SPEC)
    first = session.engine()
    session.close()
    assert session.current is None and session.engine() is not first


def test_what_goes_wrong_in_the_background_is_raised_where_the_engine_is_needed(monkeypatch):
    def fail(engine):
        raise KernelError("stones: moves cannot be compiled")

    compiling(monkeypatch, fail)
    session = Session(EngineSpec(GAME))
    session.warm_up()
    assert session.ready.wait(PATIENCE)
    for _ in range(2):
        with pytest.raises(KernelError, match="stones"):
            session.engine()
    monkeypatch.undo()
    session.want(jit=False)
    assert not session.engine().jit


def test_who_must_answer_searches_rules_that_do_not_compile_as_they_are(monkeypatch, heard):
    usual = Engine.prepare

    def fail(engine):
        if engine.jit:
            raise KernelError("stones: moves cannot be compiled")
        usual(engine)

    compiling(monkeypatch, fail)
    texts, listener = heard
    session = Session(EngineSpec(GAME), listener=listener, always_answers=True)
    session.warm_up()
    assert session.ready.wait(PATIENCE)
    assert not session.engine().jit
    assert [text.split(":")[0] for text, _ in texts] == ["stones", "the rules cannot be compiled"]


def test_an_engine_of_another_size_that_is_wanted_meanwhile_is_the_one_that_gets_ready(monkeypatch):
    preparing, go_on = threading.Event(), threading.Event()

    def wait(engine):
        preparing.set()
        assert go_on.wait(PATIENCE)

    compiling(monkeypatch, wait)
    session = Session(EngineSpec(GAME, hash_mb=1))
    session.warm_up()
    assert preparing.wait(PATIENCE)
    session.want(hash_mb=2)
    go_on.set()
    assert session.ready.wait(PATIENCE) and session.current is not None


def test_each_session_hears_what_its_own_engine_has_to_say(monkeypatch, capsys):
    compiling(monkeypatch, lambda engine: say(f"compiling {engine.game.name}"))
    notices: dict[str, list[str]] = {"nim": [], "tictactoe": []}
    for name, texts in notices.items():
        session = Session(EngineSpec(load(name)), listener=lambda text, is_warning, texts=texts: texts.append(text))
        session.warm_up()
        session.engine()
    assert notices == {"nim": ["compiling nim"], "tictactoe": ["compiling tictactoe"]}
    Session(SPEC).engine()
    assert capsys.readouterr().err == "zerosum: compiling tictactoe\n"


def test_work_that_takes_long_is_told_to_who_waits_from_whatever_thread(monkeypatch, heard):
    from zerosum.jit import notices

    monkeypatch.setattr(notices, "TOLD_AFTER", 0.0)
    texts, listener = heard
    spoken = threading.Event()
    with listening_with(lambda text, is_warning: (listener(text, is_warning), spoken.set())), noticed("compiling"):
        assert spoken.wait(PATIENCE)
    assert texts == [("compiling; the result is kept for the next start", False)]
