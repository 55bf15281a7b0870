"""Terms on the command line."""

from __future__ import annotations

import json

import pytest


def test_a_term_in_words(zerosum):
    ran = zerosum("explain", "horizon", "effect")
    assert (ran.code, ran.err) == (0, "")
    name, text, command, read = ran.out.splitlines()
    assert name == "horizon effect (horizon problem)"
    assert text.startswith("A search does not see what happens just beyond its horizon")
    assert command == "try:   zerosum trace --example horizon-effect" and read == "read:  docs/classroom.md"


@pytest.mark.parametrize("word", ["α-β", "Alpha Beta", "alpha_beta search", "a-b"])
def test_however_it_is_written(zerosum, word):
    assert zerosum("explain", word).out.startswith("alpha-beta pruning (")


def test_history_and_the_list(zerosum):
    assert "200,000,000 positions per second" in zerosum("explain", "deep blue").out
    out = zerosum("explain", "--list").out
    assert "transposition table" in out and "TD-Gammon" in out
    found = json.loads(zerosum("explain", "ply", "--json").out)
    assert found["name"] == "ply" and "half-move" in found["also"]
    assert len(json.loads(zerosum("explain", "--list", "--json").out)) > 70


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("quiesence",), "did you mean 'quiescence'"),
        (("wibble",), "unknown term 'wibble'; 'zerosum explain --list' lists all terms"),
        ((), "give a term"),
        (("ply", "--list"), "cannot be combined with --list"),
    ],
)
def test_what_is_not_known(zerosum, arguments, expected):
    assert expected in zerosum("explain", *arguments).complaint()
