"""What is solved can be written down, and what is written down is checked with plain rules."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from certificates.making import entries_of, proof

import zerosum
from zerosum.certificates.file import Certificate
from zerosum.certificates.verifying import verify
from zerosum.certifying.writing import certify
from zerosum.engine import Engine
from zerosum.errors import CertificateError, ZerosumError
from zerosum.games import load
from zerosum.search.result import Result

SOURCE = Path(zerosum.__file__).parent

PLAIN = {"zerosum.jit", "zerosum.jit.bits"}
"""What the rules of games use of the compiler's room: counting bits, in plain Python."""

MATE_IN_TWO = "8/8/8/8/8/1K6/7R/k7 w - - 98 60"
"""In three plies: the clock of the fifty moves leaves no more than two."""


@pytest.mark.parametrize(
    ("game", "parameters", "position", "words"),
    [
        ("tictactoe", {}, "x...o....", "a draw from 'x...o....'"),
        ("tictactoe", {}, "xx.oo....", "X wins from 'xx.oo....' within 1 ply"),
        ("tictactoe", {}, "xo.......", "X wins from 'xo.......' within 5 plies"),
        ("nim", {"heaps": "3,4,5"}, "", "MAX wins from '3,4,5 max' within 11 plies"),
        ("nim", {"heaps": "2,2"}, "", "MIN wins from '2,2 max' within 4 plies"),
        ("kalah", {"pits": 2, "seeds": 2}, "", "a draw from '2,2,0/2,2,0 south'"),
        ("connect-four", {"width": 4, "height": 4}, "x.../o.../x..x/oxoo x", "?"),
        ("othello", {}, "?", "?"),
        ("hex", {"size": 2}, "", "Red wins from '../.. red' within 3 plies"),
        ("chess", {}, "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "White wins from '7k/8/5KQ1/8/8/8/8/8 w - - 0 1' within 1 ply"),
    ],
)
def test_a_solved_position_is_proved(game, parameters, position, words, tmp_path):
    game = load(game, **parameters)
    path = proof(game, tmp_path / "a.proof", position)
    proved = verify(game, path)
    assert proved.in_words() == words
    assert proved.entries == sum(map(len, entries_of(path)))
