"""The threads of a match that a page watches: whatever they do at the same time, the page learns how it ended."""

from __future__ import annotations

import json
import sys
import threading

import pytest
from patience import PATIENCE, wait_until

from zerosum.formats.record import GameRecord
from zerosum.studio.contest import Contest, plan_of
from zerosum.studio.tab import Studio, Tab

RANDOM = [{"kind": "random"}, {"kind": "random"}]


@pytest.fixture
def told():
    """The messages that a page has received."""
    return []


@pytest.fixture
def contest(told):
    """A match of random players, not started yet, that reports to ``told``."""
    tab = Tab(Studio(jit=False))
    tab.deliver = lambda text: told.append(json.loads(text)["body"])
    found = Contest(tab, plan_of(tab, {"game": "tictactoe", "players": RANDOM, "games": 4}), 2, {})
    yield found
    found.folder.cleanup()


def others():
    """The threads of the match, without the current one."""
    return [
        one for one in threading.enumerate() if one.name == "zerosum-match" and one is not threading.current_thread()
    ]


def test_the_end_is_told_even_if_the_reporter_looks_as_soon_as_the_match_is_over(contest, told):
    play = contest.match.run

    def play_and_wait(*heard):
        """All games are reported before the match ends, so that the end is the only news."""
        play(*heard)
        wait_until(lambda: not contest.changed.is_set() and told and told[-1]["standings"]["games"] == 4)

    class Over(threading.Event):
        """Once it is set, the reporter runs to its end before the match's thread goes on."""

        def set(self):
            super().set()
            for thread in others():
                thread.join(PATIENCE)

    contest.match.run, contest.over = play_and_wait, Over()
    contest.start()
    for thread in others():
        thread.join(PATIENCE)
    assert told[-1]["state"] == "done" and told[-1]["standings"]["games"] == 4


def test_games_that_end_while_the_standings_are_computed_do_no_harm(contest):
    """Each adds points to the sums that are being computed."""
    standings, games = contest.match.standings, 8_000

    def play():
        for number in range(1, games + 1):
            record = GameRecord(number, *contest.plan.names, 1, "rules", "", "", (), margin=3.0)
            standings.add(record)
            contest._ended(record, standings)

    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        player = threading.Thread(target=play)
        player.start()
        while player.is_alive():
            contest.as_json()
        player.join()
    finally:
        sys.setswitchinterval(usual)
    assert contest.as_json()["standings"]["games"] == games
