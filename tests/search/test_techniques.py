"""A technique is described once, and everything else follows its record."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

import zerosum as zs
from zerosum.classroom.ladder import ESSENTIAL, RUNGS
from zerosum.errors import LimitError, MissingRule
from zerosum.games import GAMES
from zerosum.search.options import (
    CHANCE_SOUND,
    CHANCE_UNSOUND,
    GUESSES,
    QUANTITIES,
    SOUND,
    TECHNIQUES,
    UNSOUND,
    Games,
    SearchOptions,
    Sound,
    switch,
    technique,
)
from zerosum.search.parameters import PARAMETERS

DOCS = Path(__file__).parents[2] / "docs"
ROW = re.compile(r"^\| `(\w+)` \| (.+?) \| ?(?:`(\w+)` )?\| (.+) \|$", re.MULTILINE)


def test_a_technique_that_does_not_say_whether_it_is_sound_cannot_be_written():
    with pytest.raises(TypeError, match="sound"):
        technique(False, does="nobody knows")


def test_every_option_is_a_technique_or_a_quantity_and_every_technique_is_of_one_kind():
    assert {field.name for field in fields(SearchOptions)} == {*TECHNIQUES, *QUANTITIES, "parameters"}
    kinds = [*SOUND, *UNSOUND, *CHANCE_SOUND, *CHANCE_UNSOUND, *(t.name for t in TECHNIQUES.values() if t.part_of)]
    assert sorted(kinds) == sorted(TECHNIQUES)


def test_every_technique_has_a_bit_of_its_own_which_is_set_when_it_is_on():
    assert len({switch(name) for name in TECHNIQUES}) == len(TECHNIQUES)
    assert SearchOptions.none().switches() == 0
    for name in TECHNIQUES:
        assert SearchOptions(**{**dict.fromkeys(TECHNIQUES, False), name: True}).switches() == switch(name)


def test_what_guesses_is_off_unless_asked_for_and_never_used_to_solve():
    chess, everything = zs.load("chess"), {name: True for name in TECHNIQUES if TECHNIQUES[name].fits(False)}
    assert not any(getattr(SearchOptions(), name) for name in GUESSES)
    solving = SearchOptions(**everything).for_solving(chess)
    used = [name for name in TECHNIQUES if getattr(solving, name)]
    assert used == list(SOUND)
    assert SearchOptions().for_solving(zs.load("connect-four")).bounds, "bounds are never wrong"


@pytest.mark.parametrize("each", TECHNIQUES.values(), ids=lambda each: each.name)
def test_a_technique_without_its_rule_or_in_the_wrong_kind_of_game_is_refused(each):
    game = zs.load("pig" if each.games is Games.WITH_CHANCE else "tictactoe")
    if each.needs:
        bare = game.with_(**{each.needs: None})
        # Star2 alone is off without star1.
        chosen = {"star1": True, each.name: True} if each.name == "star2" else {each.name: True}
        with pytest.raises(MissingRule, match=f"technique '.*' needs {each.needs}, which {game.name} does not define"):
            SearchOptions(**chosen).for_game(bare)
    if each.games is not Games.ALL:
        other = zs.load("tictactoe" if each.games is Games.WITH_CHANCE else "pig")
        if each.sound is Sound.YES:
            assert not getattr(SearchOptions(**{each.name: True}).for_game(other), each.name)
        else:
            with pytest.raises(LimitError, match=f"{each.name!r} is a technique .* {other.name} has"):
                SearchOptions(**{each.name: True}).for_game(other)


def test_techniques_need_rules_that_games_can_define_and_belong_to_techniques_that_exist():
    games = [zs.load(name) for name in GAMES]
    for each in TECHNIQUES.values():
        assert not each.needs or any(game.has(each.needs) for game in games), each.name
    assert {each.part_of for each in TECHNIQUES.values()} - {""} <= set(TECHNIQUES)


def test_the_ladder_climbs_every_sound_technique_of_alpha_beta_once():
    climbed = [name for rung in RUNGS for name in rung.techniques]
    assert len(set(climbed)) == len(climbed)
    assert set(SOUND) <= set(climbed) <= {*SOUND, *GUESSES}
    assert ESSENTIAL == ("quiescence", "forced", "null_move")


@pytest.mark.parametrize("page, with_chance", [("search.md", False), ("chance.md", True)])
def test_the_tables_of_the_documentation_are_the_records(page, with_chance):
    shown = {found[1]: found.groups() for found in ROW.finditer((DOCS / page).read_text(encoding="utf-8"))}
    assert shown == {
        each.name: (each.name, each.does, each.needs or None, each.sound.value)
        for each in TECHNIQUES.values()
        if (each.games is Games.WITH_CHANCE) == with_chance
    }


def test_help_names_every_technique():
    documentation = zs.AlphaBeta.__doc__ or ""
    for name in (*TECHNIQUES, *QUANTITIES, *PARAMETERS):
        assert f"\n        {name}: " in documentation
