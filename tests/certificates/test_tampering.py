"""A certificate with a fault proves nothing, and the fault is shown in one line."""

from __future__ import annotations

import random

import pytest

from certificates.builders import entries_of, handmade, proof, written
from zerosum.certificates.file import NO_MOVE, Certificate
from zerosum.certificates.verifying import verify
from zerosum.errors import CertificateError
from zerosum.games import load

NIM = load("nim", heaps="1,2,4")


@pytest.fixture
def nim(tmp_path):
    """MAX wins, and has a single winning move in each position."""
    return proof(NIM, tmp_path / "nim.proof")


def refusal(game, path) -> str:
    with pytest.raises(CertificateError) as refused:
        verify(game, path)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_whole_it_is_a_proof(nim):
    assert verify(NIM, nim).in_words() == "MAX wins from '1,2,4 max' within 7 plies"
    written(nim, entries_of(nim), at_once=3)
    assert verify(NIM, nim).in_words() == "MAX wins from '1,2,4 max' within 7 plies"


def test_every_entry_is_needed(nim):
    (entries,) = entries_of(nim)
    assert len(entries) > 10
    for missing in range(len(entries)):
        written(nim, [entries[:missing] + entries[missing + 1 :]])
        position = NIM.format_state(NIM.state_type.from_words(_words(entries[missing][0])))
        assert refusal(NIM, nim) == f"not proved: the position {position!r}: it can be reached but has no entry"


def _words(row: bytes) -> list[int]:
    return [int.from_bytes(row[at : at + 8], "big", signed=True) for at in range(0, len(row), 8)]


def test_every_other_move_is_refused(nim):
    (entries,) = entries_of(nim)
    tried = 0
    for place, (row, move, rank) in enumerate(entries):
        if move == NO_MOVE:
            continue
        s = NIM.state_type.from_words(_words(row))
        for other in (*NIM.legal_moves(s), 99_999):
            if other != move:
                written(nim, [[*entries[:place], (row, other, rank), *entries[place + 1 :]]])
                assert refusal(NIM, nim).startswith("not proved: the position '")
                tried += 1
    assert tried > 10


def test_a_move_that_is_not_legal_is_quoted(nim):
    (entries,) = entries_of(nim)
    place = next(place for place, entry in enumerate(entries) if entry[1] != NO_MOVE)
    row, _, rank = entries[place]
    written(nim, [[*entries[:place], (row, 12345, rank), *entries[place + 1 :]]])
    assert "its move 12345 is not legal there" in refusal(NIM, nim)


def test_a_move_for_the_other_player_is_refused(nim):
    (entries,) = entries_of(nim)
    place = next(place for place, entry in enumerate(entries) if entry[1] == NO_MOVE)
    row, _, rank = entries[place]
    written(nim, [[*entries[:place], (row, 0, rank), *entries[place + 1 :]]])
    assert "but the other player is to move" in refusal(NIM, nim)


def test_the_winner_must_have_a_move(nim):
    (entries,) = entries_of(nim)
    written(nim, [[(row, NO_MOVE, rank) for row, _, rank in entries]])
    assert "it has no move for MAX" in refusal(NIM, nim)


@pytest.mark.parametrize("rank", [0, 1, 2, 2**32 - 1])
def test_ranks_must_fall(nim, rank):
    (entries,) = entries_of(nim)
    written(nim, [[(row, move, rank) for row, move, _ in entries]])
    assert "rank" in refusal(NIM, nim)


@pytest.mark.parametrize("claim", [(1, 1), (1, 0)])
def test_another_claim_is_not_proved(nim, claim):
    player, least = claim
    written(nim, entries_of(nim), claims=[{"player": player, "least": least}])
    assert refusal(NIM, nim).startswith("not proved: ")


@pytest.mark.parametrize("least", [-1, 2])
def test_who_claims_less_than_a_draw_claims_nothing(nim, least):
    """Losing is always possible; a claim of less than a draw would only look like one."""
    written(nim, entries_of(nim), claims=[{"player": 1, "least": least}])
    assert refusal(NIM, nim).endswith(f"claims {least}; in nim only 0 and 1 can be claimed")


def test_a_position_is_told_by_its_numbers_if_its_words_hide_something(tmp_path):
    """The key of a chess position does not show in its FEN."""
    game = load("chess")
    s = game.parse_state("8/8/8/8/8/1K6/7R/k7 w - - 0 1")
    wrong = s._replace(key=5)
    mate = next(move for move in game.legal_moves(s) if game.is_over(game.play(s, move)))
    path = handmade(game, tmp_path / "a.proof", (0, 1), [(s, mate, 1)], s)
    assert verify(game, path).in_words() == f"White wins from {game.format_state(s)!r} within 1 ply"
    path = handmade(game, tmp_path / "a.proof", (0, 1), [(wrong, mate, 1)], wrong)
    numbers = " ".join(str(int(number)) for number in wrong)
    assert verify(game, path).in_words() == f"White wins from {numbers!r} within 1 ply"


def test_another_start_is_not_proved(nim):
    other = NIM.parse_state("1,2,3 max")  # MIN wins
    written(nim, entries_of(nim), start=NIM.state_type.words(other), position="1,2,4 max")
    assert refusal(NIM, nim) == "not proved: the position '1,2,3 max': it can be reached but has no entry"


def test_what_a_file_says_for_people_proves_nothing(nim):
    written(nim, entries_of(nim), position="0,0,0 max")
    assert verify(NIM, nim).in_words() == "MAX wins from '1,2,4 max' within 7 plies"


def test_a_finished_start_needs_no_entry_but_must_be_good(tmp_path):
    game = load("tictactoe")
    path = proof(game, tmp_path / "a.proof", "xxxoo....")
    assert verify(game, path).entries == 0
    written(path, [[]], claims=[{"player": 1, "least": 1}])
    assert "the game ends there with -1 for O, but 1 is claimed" in refusal(game, path)


def test_a_line_that_ends_badly_is_shown(tmp_path):
    """X's moves for a draw, claimed as a win."""
    game = load("tictactoe")
    path = proof(game, tmp_path / "a.proof", "xoxoox.x.")
    first = entries_of(path)[0]
    written(path, [first, []], claims=[{"player": 0, "least": 1}, {"player": 1, "least": 0}])
    assert "the game ends there with 0 for X, but 1 is claimed" in refusal(game, path)


def test_entries_out_of_order_or_twice_are_refused(nim):
    (entries,) = entries_of(nim)
    for wrong in (entries[::-1], [entries[0], *entries]):
        written(nim, [wrong])
        assert "its entries are not in order" in refusal(NIM, nim)
    written(nim, [entries[::-1]], at_once=1)
    assert "its entries are not in order" in refusal(NIM, nim)


def test_a_finished_position_needs_no_entry(nim):
    (entries,) = entries_of(nim)
    over = NIM.parse_state("0,0,0 min")
    row = b"".join(word.to_bytes(8, "big", signed=True) for word in NIM.state_type.words(over))
    written(nim, [sorted([*entries, (row, NO_MOVE, 1)])])
    assert "the game is over there, but it has an entry" in refusal(NIM, nim)


def test_positions_that_cannot_be_are_no_crash(tmp_path):
    game = load("chess")
    path = proof(game, tmp_path / "a.proof", "8/8/8/8/8/1K6/7R/k7 w - - 0 1")
    size, dice = Certificate(path).row_size, random.Random(1)
    (entries,) = entries_of(path)
    for _ in range(20):
        written(path, [sorted([*entries, (dice.randbytes(size), 0, 1)])])
        assert refusal(game, path).startswith("not proved: the position ")


# Files that are damaged, or for another game


def test_every_flipped_bit_is_noticed(nim):
    whole = nim.read_bytes()
    for bit in random.Random(1).sample(range(8 * len(whole)), 300):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        nim.write_bytes(damaged)
        refusal(NIM, nim)


def test_every_truncated_file_is_noticed(nim):
    whole = nim.read_bytes()
    for size in range(len(whole)):
        nim.write_bytes(whole[:size])
        refusal(NIM, nim)
    nim.write_bytes(whole + b"\0")
    assert refusal(NIM, nim) == f"{str(nim)!r} is damaged: its checksum does not match"


def test_another_game_or_other_parameters_are_named(nim):
    assert "is a certificate for nim, not for tictactoe" in refusal(load("tictactoe"), nim)
    assert "is for nim with --set heaps=1,2,4, not with --set heaps=3,4,5" in refusal(load("nim"), nim)


def test_another_state_is_refused(nim):
    written(nim, entries_of(nim), words=["int", "u64", "int", "int"][: len(Certificate(nim).header.words)])
    assert "was made for a different State of nim" in refusal(NIM, nim)


def test_a_game_of_chance_has_no_certificates(nim):
    pig = load("pig")
    written(nim, entries_of(nim), game="pig", parameters=dict(pig.settings))
    assert "pig has chance nodes" in refusal(pig, nim)


def test_a_later_version_is_told(nim):
    nim.write_bytes(nim.read_bytes().replace(b'"zerosum certificate": 1', b'"zerosum certificate": 2'))
    assert "has version 2 of the format 'zerosum certificate'; this program reads version 1" in refusal(NIM, nim)


def test_a_missing_file(tmp_path):
    assert "cannot be read: No such file or directory" in refusal(NIM, tmp_path / "none.proof")


def test_a_block_that_unpacks_to_gigabytes_is_refused(nim):
    """Memory use stays bounded whatever a file contains."""
    written(nim, entries_of(nim), claims=[{"player": 0, "least": 1}])
    whole = nim.read_bytes()
    at = whole.index(b"\n") + 1
    for count in (0, 2**31, 2**20):
        nim.write_bytes(whole[:at] + count.to_bytes(4, "big") + whole[at + 4 :])
        assert "is damaged: a block of" in refusal(NIM, nim)
    nim.write_bytes(whole[: at + 4] + b"\x7f" + whole[at + 5 :])
    assert "bytes, where" in refusal(NIM, nim)


def test_a_start_that_cannot_be_is_no_crash(tmp_path):
    game, dice = load("chess"), random.Random(2)
    path = proof(game, tmp_path / "a.proof", "8/8/8/8/8/1K6/7R/k7 w - - 0 1")
    for _ in range(20):
        start = [dice.getrandbits(63) for _ in Certificate(path).header.words]
        written(path, entries_of(path), start=start)
        assert refusal(game, path).startswith("not proved: the position ")
