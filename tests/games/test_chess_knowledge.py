"""The chess evaluation, exchanges and move ordering."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from samples import samples

import zerosum as zs
from zerosum.errors import WeightsError
from zerosum.games.chess.exchange import wins_at_least
from zerosum.games.chess.weights import FEATURES, ROW, ROWS, endgame, middle_game, packed
from zerosum.learn.files import with_weights_from

GAME, HANDWRITTEN = zs.load("chess"), zs.load("chess", network=0)


def mirrored(fen: str) -> str:
    """The same position with colours swapped."""
    board, turn, castling, en_passant, *clocks = fen.split()
    board = "/".join(row.swapcase() for row in reversed(board.split("/")))
    turn = "b" if turn == "w" else "w"
    if en_passant != "-":
        en_passant = en_passant[0] + str(9 - int(en_passant[1]))
    return " ".join([board, turn, "".join(sorted(castling.swapcase())), en_passant, *clocks])


def random_positions(count: int, seed: int) -> list[Any]:
    chance = random.Random(seed)
    found: list[Any] = []
    while len(found) < count:
        s = GAME.initial()
        for _ in range(chance.randrange(4, 120)):
            moves = GAME.legal_moves(s)
            if not moves:
                break
            s = GAME.play(s, chance.choice(moves))
        if not GAME.is_over(s):
            found.append(s)
    return found


def test_both_colours_are_judged_alike() -> None:
    for s in random_positions(samples(40), seed=3):
        fen = GAME.format_state(s)
        for game in (GAME, HANDWRITTEN):
            assert game.evaluate(GAME.parse_state(mirrored(fen))) == pytest.approx(-game.evaluate(s), abs=1), fen


@pytest.mark.slow
def test_the_compiled_evaluation_is_the_plain_one() -> None:
    for s in random_positions(30, seed=4):
        assert GAME.compiled.evaluate(s) == GAME.evaluate(s), GAME.format_state(s)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        # A king behind its pawns, a rook on an open file, two bishops, a central knight, an advanced passed pawn.
        (
            "rnbq1rk1/ppp2ppp/8/8/8/8/PPP2PPP/RNBQ1RK1 w - - 0 1",
            "rnbq1rk1/ppp2ppp/8/8/5PPP/8/PPP5/RNBQ1RK1 w - - 0 1",
        ),
        ("6k1/pppp1ppp/8/8/8/8/PPPP1PPP/4R1K1 w - - 0 1", "6k1/pppp1ppp/8/8/8/8/PPPP1PPP/3R2K1 w - - 0 1"),
        ("4k3/pp6/8/8/8/8/PP6/2B1KB2 w - - 0 1", "4k3/pp6/8/8/8/8/PP6/2B1KN2 w - - 0 1"),
        ("4k3/pp6/8/8/4N3/8/PP6/4K3 w - - 0 1", "4k3/pp6/8/8/8/8/PP6/N3K3 w - - 0 1"),
        ("5nk1/8/P7/8/8/8/8/4K1N1 w - - 0 1", "5nk1/8/8/8/8/P7/8/4K1N1 w - - 0 1"),
    ],
)
@pytest.mark.parametrize("game", [GAME, HANDWRITTEN], ids=["network", "by hand"])
def test_what_is_better_is_judged_better(better: str, worse: str, game: zs.Game) -> None:
    assert game.evaluate(GAME.parse_state(better)) > game.evaluate(GAME.parse_state(worse))


@pytest.mark.parametrize(
    ("fen", "move", "wins"),
    [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 100),  # an undefended pawn
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", -220),  # it is defended often enough
        ("4k3/8/3p4/4n3/3P4/8/8/4K3 w - - 0 1", "dxe5", 220),  # pawn takes knight, pawn takes back
        ("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "exd5", 950),
        ("4k3/3r4/8/3p4/8/8/3R4/3QK3 w - - 0 1", "Rxd5", 100),  # the queen is behind the rook
        ("3rk3/3r4/8/3p4/8/8/3R4/4K3 w - - 0 1", "Rxd5", -400),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "exd6", 100),  # en passant
        ("4k3/4P3/8/8/8/8/8/1K6 w - - 0 1", "Kb2", 0),
        ("3rk3/4P3/8/8/8/8/8/1K6 w - - 0 1", "exd8=Q+", 400),  # rook and a queen for a pawn; the king takes back
    ],
)
def test_exchanges_on_one_square(fen: str, move: str, wins: int) -> None:
    s = GAME.parse_state(fen)
    number = GAME.parse_move(s, move)
    assert wins_at_least(s, number, wins, GAME.tables)
    assert not wins_at_least(s, number, wins + 1, GAME.tables)


def test_exchanges_equal_a_search_of_captures_on_the_square() -> None:
    """An independent implementation: minimax over captures on one square, cheapest first; either side may stop."""
    tried = 0
    for s in random_positions(60, seed=5):
        for move in GAME.noisy_moves(s):
            if move >> 18 & 7:  # promotions change the piece on the square: tested above
                continue
            wanted = swap_value(s, move)
            tried += 1
            assert wins_at_least(s, move, wanted, GAME.tables), (GAME.format_state(s), GAME.format_move(s, move))
            assert not wins_at_least(s, move, wanted + 1, GAME.tables), (
                GAME.format_state(s),
                GAME.format_move(s, move),
            )
    assert tried > 100


def swap_value(s: Any, move: int) -> int:
    """The exchange by recursion on a dictionary of pieces: slow, and independent of the engine's code."""
    values = {"p": 100, "n": 320, "b": 330, "r": 500, "q": 950, "k": 20000}
    board: dict[int, str] = {}
    rows = GAME.format_state(s).split()[0].split("/")
    for i, row in enumerate(rows):
        column = 0
        for sign in row:
            if sign.isdigit():
                column += int(sign)
            else:
                board[(7 - i) * 8 + column] = sign
                column += 1
    origin, target = move & 63, move >> 6 & 63
    won = values[board[target].lower()] if target in board else 100
    if target not in board:  # en passant
        del board[target - 8 if s.turn == 0 else target + 8]
    board[target] = board.pop(origin)
    return won - take_back(board, target, s.turn == 1, values)


def take_back(board: dict[int, str], target: int, white: bool, values: dict[str, int]) -> int:
    attackers = [sq for sq, sign in board.items() if sign.isupper() == white and sees(board, sq, target)]
    if not attackers:
        return 0
    taker = min(attackers, key=lambda sq: values[board[sq].lower()])
    after = dict(board)
    won = values[after[target].lower()]
    after[target] = after.pop(taker)
    back = [sq for sq, sign in after.items() if sign.isupper() != white and sees(after, sq, target)]
    if board[taker].lower() == "k" and back:
        return 0
    return max(0, won - take_back(after, target, not white, values))


def sees(board: dict[int, str], origin: int, target: int) -> bool:
    sign = board[origin]
    up, right = (target >> 3) - (origin >> 3), (target & 7) - (origin & 7)
    kind = sign.lower()
    if (up, right) == (0, 0):
        return False
    if kind == "p":
        return up == (1 if sign.isupper() else -1) and abs(right) == 1
    if kind == "n":
        return {abs(up), abs(right)} == {1, 2}
    if kind == "k":
        return max(abs(up), abs(right)) == 1
    straight, diagonal = up == 0 or right == 0, abs(up) == abs(right)
    if not ((straight and kind in "rq") or (diagonal and kind in "bq")):
        return False
    step = 8 * ((up > 0) - (up < 0)) + (right > 0) - (right < 0)
    at = origin + step
    while at != target:
        if at in board:
            return False
        at += step
    return True


def test_order_tries_good_captures_first_and_bad_ones_last() -> None:
    s = GAME.parse_state("4k3/8/2p5/3r1p2/4P3/8/3Q4/4K3 w - - 0 1")
    by_text = {GAME.format_move(s, move): GAME.order(s, move) for move in GAME.legal_moves(s)}
    assert by_text["exd5"] > by_text["exf5"] > 0 > by_text["Qxd5"]
    assert by_text["Qe2"] == 0


def test_a_pair_of_weights_is_one_word() -> None:
    for pair in ((0, 0), (-1, 1), (1, -1), (-3000, -5000), (32000, -32000)):
        assert (middle_game(packed(*pair)), endgame(packed(*pair))) == pair
    words = packed(-5, 7) * 3 + packed(2, -30)
    assert (middle_game(words), endgame(words)) == (-13, -9)
    assert len(ROW) == len(FEATURES)
    assert len(GAME.tables.weights) == ROWS


def test_zugzwang_is_not_skipped() -> None:
    pawns_only = GAME.parse_state("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1")
    assert GAME.skip(pawns_only) == pawns_only
    with_a_knight = GAME.parse_state("4k3/4p3/8/8/8/8/4P3/4KN2 w - - 0 1")
    assert GAME.skip(with_a_knight).turn == 1
    # A position where the other side could not be skipped is read all the same.
    assert GAME.parse_state("1Q3k2/8/8/8/8/8/8/4K3 b - - 0 1").turn == 1


def test_drawn_endings_are_known_and_a_lonely_king_is_driven() -> None:
    def value(fen: str) -> int:
        return int(GAME.evaluate(GAME.parse_state(fen)))

    assert value("4k3/8/8/8/8/8/8/2B1K2N w - - 0 1") > 300  # bishop and knight mate
    # A dark-squared bishop mates on a1 and h8, not on a8.
    assert value("7k/8/8/8/8/8/8/2B1K2N w - - 0 1") > value("k7/8/8/8/8/8/8/2B1K2N w - - 0 1") + 100
    # An extra bishop without pawns does not win, and opposite-coloured bishops win less easily than others.
    assert abs(value("4k3/4b3/8/8/8/8/8/2B1KB2 w - - 0 1")) < 150
    assert value("4kb2/8/8/8/8/8/PP6/4KB2 w - - 0 1") < value("4kb2/8/8/8/8/8/PP6/2B1K3 w - - 0 1") - 50


def test_the_shipped_weights_say_how_they_were_made() -> None:
    from importlib.resources import files
    from json import loads

    content = loads(files("zerosum.games.chess").joinpath("weights.json").read_text(encoding="utf-8"))
    assert content["game"] == "chess" and content["made"]["command"].startswith("zerosum train chess")
    assert content["weights"] == HANDWRITTEN.weights_of()


def test_the_shipped_network_says_how_it_was_made() -> None:
    from importlib.resources import files

    from zerosum.networks.sparse_file import SparseNetwork

    content = files("zerosum.games.chess").joinpath("network.npz").read_bytes()
    made = SparseNetwork.parse(content, HANDWRITTEN, "network.npz").made
    assert made["command"].startswith("zerosum train chess --network 256")
    assert all(part["command"].startswith("zerosum gather chess") for part in made["data"])
    assert len(content) < 2**20


def test_weights_by_name_are_not_for_the_network(tmp_path: Path) -> None:
    (tmp_path / "weights.json").write_text('{"zerosum weights": 1, "game": "chess", "weights": {"tempo": 3}}')
    with pytest.raises(WeightsError, match="chess is evaluated by a network: add --set network=0"):
        with_weights_from(GAME, tmp_path / "weights.json")
