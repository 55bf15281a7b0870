"""Searches of the studio: stopped when the page says so, and freed when the page has left."""

from __future__ import annotations

import threading

import pytest
from patience import PATIENCE

import zerosum as zs
from zerosum.studio.databases import Databases
from zerosum.studio.searches import Search, TabSearcher

GAME = zs.load("connect-four")


class Stage:
    """A searcher whose engine waits during its preparation until the test lets it continue."""

    def __init__(self, monkeypatch):
        self.compiling, self.go_on = threading.Event(), threading.Event()
        self.states, self.over = [], threading.Event()
        self.searcher = TabSearcher(1, 1, True, Databases())
        usual = zs.Engine.prepare

        def prepare(engine):
            self.compiling.set()
            assert self.go_on.wait(PATIENCE)
            usual(engine)

        monkeypatch.setattr(zs.Engine, "prepare", prepare)

    def changed(self, search):
        self.states.append(search.state)
        if search.state in ("done", "stopped", "failed"):
            self.over.set()

    def start(self, purpose="analyse"):
        """A search that only a stop can end."""

        def work(engine, search):
            return engine.search(search.line, on_report=search.report, stop=search.stop)

        search = Search(zs.Line(GAME), purpose, work, self.changed)
        self.searcher.start(search)
        return search


@pytest.fixture
def stage(monkeypatch):
    return Stage(monkeypatch)


def test_a_stop_while_the_engine_is_made_is_not_lost(stage):
    search = stage.start()
    assert stage.compiling.wait(PATIENCE)
    stage.searcher.stop()
    stage.go_on.set()
    assert stage.over.wait(PATIENCE)
    assert stage.states[-1] == "stopped" and search.problem == ""
    assert stage.searcher.is_ready_for(GAME)


def test_the_engine_plays_what_it_has_if_it_is_told_to_while_it_is_made(stage):
    search = stage.start("play")
    assert stage.compiling.wait(PATIENCE)
    search.stop.set()
    stage.go_on.set()
    assert stage.over.wait(PATIENCE)
    assert stage.states[-1] == "done" and search.latest.move in GAME.legal_moves(GAME.initial())


def test_a_page_that_leaves_while_its_engine_is_made_leaves_none_behind(stage):
    stage.start()
    assert stage.compiling.wait(PATIENCE)
    stage.searcher.close()
    stage.go_on.set()
    assert stage.over.wait(PATIENCE)
    stage.searcher._thread.join(PATIENCE)
    assert stage.searcher.engine is None


def test_the_next_search_takes_the_place_of_one_that_never_began(stage):
    stage.start()
    assert stage.compiling.wait(PATIENCE)
    second = stage.start()
    third = stage.start()
    stage.go_on.set()
    third.stop.set()
    stage.searcher._thread.join(PATIENCE)
    assert second.cancelled and second.latest is None
    assert third.latest is not None and third.state == "done"
