"""Damaged files: every fault is reported in one line, never as a crash.

A complete file of each kind is written first; then bits are flipped, and parts cut out, doubled or filled with noise.
"""

from __future__ import annotations

import random
import re
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

import zerosum as zs
from zerosum.arena.search_tuning import SearchPlan, SearchTuning, tunable
from zerosum.certificates.verifying import verify
from zerosum.certifying.writing import certify
from zerosum.errors import ZerosumError
from zerosum.games.backgammon.match_file import Match, format_match, game_of, parse_match, read_match
from zerosum.games.chess.book import Book, BookMaker
from zerosum.games.chess.pgn import parse_game
from zerosum.jit.notices import listening_with
from zerosum.learn.files import read_weights, with_weights_from, write_weights
from zerosum.learn.network_training import Checkpoint
from zerosum.learn.parameter_files import read_parameters
from zerosum.learn.positions_file import Columns, PositionsFile
from zerosum.learn.quantising import rounded
from zerosum.learn.sparse_descent import fresh_row
from zerosum.learn.training import TdOptions, kind_of, resume
from zerosum.networks.network import Network
from zerosum.networks.patterns import PatternShape
from zerosum.networks.sparse import SparseShape
from zerosum.networks.sparse_file import SparseNetwork
from zerosum.protocols.epd import parse_epd
from zerosum.search.options import SearchOptions

TIMES = [pytest.param(150, id="a few"), pytest.param(20_000, id="20,000", marks=pytest.mark.slow)]
GAMES = ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O Nf6 1-0", "1. d4 d5 2. c4 e6 1/2-1/2")
EPD = 'r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; dm 1; id "scholar";'
OBF = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;"

NONSENSE = (b"-1", b"9" * 30, b"nan", b"NaN", b"1e999", b"\x00", b"\xff\xfe", b"[" * 500, b'"')


def damaged(content: bytes, dice: random.Random) -> bytes:
    """The content after one to four accidents."""
    data = bytearray(content)
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(data) + 1)
        size = min(dice.choice([1, 1, 2, 8, 64, 500]), max(len(data) - at, 0))
        accident = dice.randrange(6)
        if accident == 0 and at < len(data):
            data[at] ^= 1 << dice.randrange(8)
        elif accident == 1:
            del data[at : at + size]
        elif accident == 2:
            data[at:at] = data[at : at + size]
        elif accident == 3:
            data[at : at + size] = dice.randbytes(size)
        elif accident == 4:
            data[at:at] = dice.choice(NONSENSE)
        else:
            del data[at:]
    return bytes(data)


@pytest.fixture
def book(tmp_path):
    maker = BookMaker()
    for game in GAMES:
        maker.add(parse_game(game))
    maker.write(tmp_path / "whole.bin")
    chess = zs.load("chess")

    def use(path):
        with Book(path) as found:
            for _, move in zip(range(8), found.moves(chess.start()), strict=False):
                assert move[0] in chess.legal_moves(chess.start())
            found.pick(chess.start(), random.Random(1))

    return tmp_path / "whole.bin", use


@pytest.fixture
def network(tmp_path, monkeypatch):
    game = zs.load("connect-four", width=4, height=4, k=3)
    training = kind_of(False)(game, TdOptions(games=20, hidden=2, explore=0.1), jit=False)
    training.advance(5)
    training.save(tmp_path / "whole.npz")

    def plain_kind(ahead):
        """A kind of file that can be read without a kernel."""
        return SimpleNamespace(resume=partial(kind_of(ahead).resume, jit=False))

    monkeypatch.setattr("zerosum.learn.training.kind_of", plain_kind)

    def use(path):
        with_weights_from(game, path)
        found = Network.read(path, game)
        assert np.isfinite(found.weights).all()
        resume(game, found)

    return tmp_path / "whole.npz", use


@pytest.fixture
def sparse_network(tmp_path):
    game = zs.load("connect-four", width=4, height=4, k=3)
    shape = SparseShape(game.active_features, 16, game.phases)
    numbers, last = rounded(shape, fresh_row(shape, game.max_active, seed=1), scale=100)
    SparseNetwork(game.name, shape, numbers, last).write(tmp_path / "whole.npz", game)
    return tmp_path / "whole.npz", lambda path: with_weights_from(game, path)


@pytest.fixture
def patterns(tmp_path):
    game = zs.load("connect-four", width=4, height=4, k=3)
    shape = PatternShape.of(game)
    numbers = np.random.default_rng(1).integers(-9, 10, shape.size).astype(np.int16)
    SparseNetwork(game.name, shape, numbers, np.array([1, 2, 3, 4, 100])).write(tmp_path / "whole.npz", game)
    return tmp_path / "whole.npz", lambda path: with_weights_from(game, path)


@pytest.fixture
def certificate(tmp_path):
    game = zs.load("nim", heaps="1,2,4")
    engine = zs.Engine(game, jit=False, hash_mb=1)
    certify(engine, game.start(), engine.solve(game.start()), tmp_path / "whole.proof")
    return tmp_path / "whole.proof", lambda path: verify(game, path)


@pytest.fixture
def checkpoint(tmp_path):
    game = zs.load("connect-four", width=4, height=4, k=3)
    numbers = {name: np.arange(20, dtype=np.float32) for name in ("row", "slopes", "best")}
    Checkpoint(game.name, {"epochs": 3}, {"epoch": 1}, numbers).write(tmp_path / "whole.npz.part")
    return tmp_path / "whole.npz.part", lambda path: Checkpoint.read(path, game)


@pytest.fixture
def weights(tmp_path):
    game = zs.load("checkers", network=0)
    write_weights(tmp_path / "whole.json", game, game.weights_of(), {"command": "none"})

    def use(path):
        read_weights(path, game)
        with_weights_from(game, path)

    return tmp_path / "whole.json", use


@pytest.fixture
def parameters(tmp_path):
    game, path = zs.load("chess"), tmp_path / "whole.json"
    plan = SearchPlan(tunable(game, {}), pairs=50, openings="random:4")
    SearchTuning(game, plan, path, {"command": "none"}).write()

    def use(path):
        SearchOptions.advised(game, read_parameters(path))
        SearchTuning.resumed(game, path).spsa.pair(1)

    return path, use


@pytest.fixture
def match(tmp_path):
    game, dice = zs.load("backgammon"), random.Random(5)
    line = zs.Line(game)
    for _ in range(40):
        line = line.play(dice.choice(game.legal_moves(line.state)))
    (tmp_path / "whole.mat").write_text(format_match(Match(("Anna", "Bert"), (game_of(line),), 5)))
    return tmp_path / "whole.mat", lambda path: [game.line() for game in read_match(path).games]


def text_kind(game, text):
    """A line of a file that a game's positions are read from."""

    def made(tmp_path):
        loaded = zs.load(game)
        (tmp_path / "whole.txt").write_text(text)

        def use(path):
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                parse_epd(loaded, line) if game == "chess" else loaded.parse_state(line)

        return tmp_path / "whole.txt", use

    return made


@pytest.fixture
def positions(tmp_path):
    game = zs.load("tictactoe")
    file = PositionsFile(tmp_path / "whole.zsp", game)
    for count in (1, 30):
        states = np.array([game.state_type.words(game.initial())] * count)
        file.add(Columns(states, *np.arange(3 * count).reshape(3, -1)), {"games": 1, "next": count})

    def use(path):
        with listening_with(lambda text, is_warning: None):
            found = PositionsFile(path, game)
            found.check()
            assert len(found.read()) in (1, 30, 31)

    return tmp_path / "whole.zsp", use


epd = pytest.fixture(text_kind("chess", EPD), name="epd")
obf = pytest.fixture(text_kind("othello", OBF), name="obf")


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize(
    "kind",
    [
        "book",
        "network",
        "sparse_network",
        "patterns",
        "certificate",
        "checkpoint",
        "weights",
        "parameters",
        "positions",
        "match",
        "epd",
        "obf",
    ],
)
def test_a_damaged_file_is_read_or_refused_in_one_line(kind, times, request, tmp_path):
    path, use = request.getfixturevalue(kind)
    use(path)  # undamaged, it can be read
    content, refused = path.read_bytes(), 0
    for seed in range(times):
        path.write_bytes(damaged(content, random.Random(seed)))
        try:
            use(path)
        except ZerosumError as problem:
            refused += 1
            assert len(str(problem).splitlines()) == 1, (seed, str(problem))
        except Exception as problem:
            raise AssertionError(f"{kind}, seed {seed}: {type(problem).__name__}: {problem}") from problem
    assert refused


def test_a_match_survives_its_own_text():
    game = zs.load("backgammon")
    text = format_match(Match(("Anna", "Bert"), (game_of(zs.Line(game)),), 5))
    assert parse_match(text).players == ("Anna", "Bert")


def test_a_network_that_is_packed_in_an_unknown_way_is_refused(network):
    """Found by chance: one bit of the archive gives the compression, another says that there is a password."""
    path, use = network
    whole = path.read_bytes()
    for place, value in ((8, 0x40), (6, 0x01)):
        content = bytearray(whole)
        for signature, shift in ((b"PK\x03\x04", 0), (b"PK\x01\x02", 2)):
            at = content.find(signature)
            while at >= 0:
                content[at + place + shift] |= value
                at = content.find(signature, at + 4)
        path.write_bytes(content)
        with pytest.raises(ZerosumError, match="not a network file"):
            use(path)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-1e999", "9" * 400, "2147483648"])
def test_weights_that_no_evaluation_can_hold_are_quoted(weights, number):
    path, use = weights
    name = next(iter(zs.load("checkers", network=0).weights_of()))
    path.write_text(f'{{"format": 1, "game": "checkers", "weights": {{"{name}": {number}}}}}')
    with pytest.raises(ZerosumError, match=rf"the weight {re.escape(repr(name))} is .*too large for an evaluation"):
        use(path)
