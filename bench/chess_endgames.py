"""Chess endings of up to four men, built by zerosum's own rules and compared with the Syzygy tables on EVERY position.

    python bench/chess_endgames.py build/chess-4 --men 4

This first builds the database in the folder (finished parts are kept), with distances, so that the longest mates
can be compared with the published ones. Then it takes every position of every ending, and compares the winner with
the table of the same ending. Where the best move is a capture, a Syzygy table's value is meaningless, so the value
is the better of the table's and the captures', which lead to endings already compared.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import chess
import chess.syzygy
import numpy as np
from numba import njit
from syzygy_whole import BY_FILE, FLAP, WholeTable, place_with_pawns, place_without_pawns

from zerosum.endgame.build import BuildProgress, build
from zerosum.endgame.serving import best_line, load_shared
from zerosum.engine import Engine
from zerosum.games import load
from zerosum.jit.bits import lowest_bit
from zerosum.jit.kernel import ITEMS, ItemKernel
from zerosum.jit.plan import Region
from zerosum.jit.words import memory_at, u64
from zerosum.running.crew import Crew
from zerosum.solved_tiers import lookup

SYZYGY = Path(__file__).parents[2] / "shared" / "data" / "chess" / "syzygy"
# Moves to mate with best play, as published for distance-to-mate tables (Thompson's and Nalimov's).
LONGEST = {
    "KQvK": 10, "KRvK": 16, "KPvK": 28, "KBNvK": 33, "KBBvK": 19, "KBPvK": 31, "KPPvK": 32, "KQvKQ": 13, "KQvKR": 35,
    "KQvKB": 17, "KQvKN": 21, "KRvKR": 19, "KRvKB": 29, "KRvKN": 40, "KPvKP": 33,
}  # fmt: skip
CHUNK = 1 << 20
WORDS = ITEMS.then("tier", "database", "out", "first")
TIER, DATABASE, OUT, FIRST = WORDS
NO_SQUARE = 64


def listing(rules):
    """Build a kernel that writes each position of a range as one word: our value, and the squares of its men."""
    unrank, is_valid, moves, play = rules.unrank, rules.is_valid, rules.moves, rules.play
    tier_of, rank, width, free = rules.tier, rules.rank, rules.max_moves, rules.at["buffer"]

    def item(i, mem):
        s = unrank(mem[TIER], i, mem)
        word = 0
        if is_valid(s, mem) and s.en_passant == 0:
            verdict = lookup(mem[DATABASE], mem[TIER], i)
            best = 0  # the best capture: 1 loses, 2 draws, 3 wins; 0 if there is none
            for j in range(moves(s, mem, free, free + width)):
                move = mem[free + j]
                if move >> 15 & 7:
                    after = play(s, move, mem)
                    best = max(best, 4 - lookup(mem[DATABASE], tier_of(after, mem), rank(after, mem)))
            men = (s.white | s.black) & ~s.kings
            one = lowest_bit(men)
            two = lowest_bit(men & ~(u64(1) << u64(one))) if one < NO_SQUARE else NO_SQUARE
            word = 1 | verdict << 1 | best << 3 | s.turn << 5
            word |= lowest_bit(s.kings & s.white) << 6 | lowest_bit(s.kings & s.black) << 12 | one << 18 | two << 25
            word |= whose(s, one) << 32 | whose(s, two) << 36
        memory_at(mem[OUT])[i - mem[FIRST]] = word
        return 1

    return item


def whose(s, square):
    """Return the man on a square in Syzygy's code: its kind, plus 8 for Black; 0 for none."""
    if square == NO_SQUARE:
        return 0
    at, one = u64(square), u64(1)
    kind = 0
    if s.pawns >> at & one:
        kind = 1
    if s.knights >> at & one:
        kind = 2
    if s.bishops >> at & one:
        kind = 3
    if s.rooks >> at & one:
        kind = 4
    if s.queens >> at & one:
        kind = 5
    return kind + (8 if s.black >> at & one else 0)


LISTING = ItemKernel(
    "listing of endings",
    ("moves", "play", "tier", "rank", "unrank", "is_valid"),
    listing,
    WORDS,
    lambda game: [Region("buffer", game.max_moves)],
)


@njit(cache=True)
def compare(words, men, with_pawns, by_kings, pawns, orders, norms, factors, values, starts, symmetric):
    """Return the number of positions, and the place of the first that differs, or -1.

    ``orders`` and so on are indexed by the file of the leading pawn and the side to move; ``starts`` says where each
    part begins in ``values``.
    """
    squares, codes, places = np.zeros(4, np.int64), np.zeros(4, np.int64), np.zeros(4, np.int64)
    count = 0
    for number in range(len(words)):
        word = words[number]
        if word == 0:
            continue
        count += 1
        side = word >> 5 & 1
        if symmetric and side == 1:
            return count, number  # our index always has White to move
        squares[0], squares[1] = word >> 6 & 63, word >> 12 & 63
        squares[2], squares[3] = word >> 18 & 127, word >> 25 & 127
        codes[0], codes[1], codes[2], codes[3] = 6, 14, word >> 32 & 15, word >> 36 & 15
        file = 0
        if with_pawns:
            # Among the pawns of the table's first man, the leading one comes first.
            if codes[2] != orders[0, 0, 0] or (codes[3] == codes[2] and FLAP[squares[3]] < FLAP[squares[2]]):
                squares[2], squares[3] = squares[3], squares[2]
                codes[2], codes[3] = codes[3], codes[2]
            file = BY_FILE[squares[2] & 7]
        used = 0
        for i in range(men):
            for j in range(2, men + 2):  # kings last
                k = j % men
                if codes[k] == orders[file, side, i] and not used >> k & 1:
                    places[i] = squares[k]
                    used |= 1 << k
                    break
        if with_pawns:
            index = place_with_pawns(places, men, pawns[0], pawns[1], norms[file, side], factors[file, side])
        else:
            index = place_without_pawns(places, men, by_kings, norms[file, side], factors[file, side])
        start, size = starts[file, side, 0], starts[file, side, 1]
        said = values[start] if size == 1 else values[start + index]
        # 0 to 4: loss, loss saved by the fifty-move rule, draw, win spoiled by it, win.
        theirs = 1 if said < 2 else 2 if said == 2 else 3
        if max(theirs, word >> 3 & 3) != word >> 1 & 3:
            return count, number
    return count, -1


def table_arrays(table: WholeTable):
    files, sides = len(table.parts), len(table.parts[0])
    orders = np.zeros((files, sides, 4), np.int64)
    norms, factors = np.zeros((files, sides, 8), np.int64), np.zeros((files, sides, 8), np.int64)
    starts = np.zeros((files, sides, 2), np.int64)
    values, at = [], 0
    for f, row in enumerate(table.parts):
        for b, part in enumerate(row):
            orders[f, b, : len(part.pieces)] = part.pieces
            norms[f, b, : len(part.norm)] = part.norm
            factors[f, b, : len(part.factor)] = part.factor
            starts[f, b] = at, len(part.values)
            values.append(part.values)
            at += len(part.values)
    return orders, norms, factors, np.concatenate(values), starts


def check_ending(game, database, tier: int) -> int:
    """Compare all positions of one ending and return their number; exit with the position if one differs."""
    name, size = database.tiers[tier].name, database.tiers[tier].size
    if name == "KvK":
        return database.tiers[tier].positions
    table = WholeTable(SYZYGY, name)
    orders, norms, factors, values, starts = table_arrays(table)
    member = Crew(LISTING, game)[0]
    words = np.zeros(CHUNK, np.int64)
    directory = load_shared(database, True)
    member.tier, member.database, member.out = tier, directory.address, words.ctypes.data
    total = 0
    pawns = np.array(table.pawns, np.int64)
    for first in range(0, size, CHUNK):
        last = min(first + CHUNK, size)
        member.first = member.next_item = first
        member.last_item = last
        member.run()
        found, wrong = compare(
            words[: last - first],
            table.men,
            table.with_pawns,
            table.by_kings,
            pawns,
            orders,
            norms,
            factors,
            values,
            starts,
            table.is_symmetric,
        )
        if wrong >= 0:
            s = game.unrank(tier, first + wrong)
            raise SystemExit(f"{name}: {game.format_state(s)!r} is {database.probe(s)}, but Syzygy says otherwise")
        total += found
    return total


def check_en_passant(game, database, tier: int) -> int:
    """Check the positions in which en passant is possible, one by one, with python-chess."""
    from zerosum.games.chess.endgame_tiers import EN_PASSANT_FROM

    count = 0
    with chess.syzygy.open_tablebase(str(SYZYGY)) as tables:
        for index in range(EN_PASSANT_FROM, database.tiers[tier].size):
            s = game.unrank(tier, index)
            if not game.is_valid(s):
                continue
            count += 1
            board = chess.Board(game.format_state(s))
            wdl = tables.probe_wdl(board)
            outcome = ((wdl > 0) - (wdl < 0)) * (1 if board.turn else -1)
            if outcome != database.probe(s).outcome:
                raise SystemExit(f"KPvKP: {board.fen()!r} is {database.probe(s)}, but Syzygy says {wdl}")
    return count


def play_out(game, database, name: str) -> int:
    """Play out the ending's longest win, an engine with the database against best defence; return the moves to mate."""
    tier = next(i for i, record in enumerate(database.tiers) if record.name == name)
    record = database.tiers[tier]
    distances = database.file(tier).all_distances().view("<u2")[: record.size]
    s = game.unrank(tier, int(np.flatnonzero(distances == record.longest)[0]))
    engine = Engine(game, database=database, hash_mb=1)
    moves = 0
    while not game.is_over(s):
        if s.turn == 0:  # the stronger side is White
            move, moves = engine.search(s, depth=4).move, moves + 1
        else:
            (move,) = best_line(database, s, 1)
        s = game.play(s, move)
    assert game.utility(s) == 1
    return moves


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="folder of the database; created if necessary")
    parser.add_argument("--men", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", nargs="*", default=[], help="names of endings, such as KBNvK")
    arguments = parser.parse_args()
    game = load("chess")
    started, last_report = time.perf_counter(), 0.0

    def tell(progress: BuildProgress) -> None:
        nonlocal last_report
        if time.perf_counter() - last_report > 10:
            last_report = time.perf_counter()
            print(f"  {progress.tier}: {progress.done:,} of {progress.total:,}", flush=True)

    database = build(game, arguments.men, arguments.folder, distance=True, threads=arguments.threads, on_progress=tell)
    print(f"built or opened in {time.perf_counter() - started:.1f} s; {database.bytes:,} bytes on disk")
    print(f"{'ending':8}{'positions':>13}{'wins':>13}{'draws':>13}{'losses':>13}{'mate in':>9}{'Syzygy':>10}{'s':>8}")
    everything = 0
    for tier, record in enumerate(database.tiers):
        if arguments.only and record.name not in arguments.only:
            continue
        began = time.perf_counter()
        same = check_ending(game, database, tier)
        if record.name == "KPvKP":
            same += check_en_passant(game, database, tier)
        if same != record.positions:
            raise SystemExit(f"{record.name}: {same:,} positions compared, but it has {record.positions:,}")
        everything += same
        mate = ((record.longest or 0) + 1) // 2
        if record.name in LONGEST and mate != LONGEST[record.name]:
            raise SystemExit(f"{record.name}: the longest mate takes {mate} moves, published: {LONGEST[record.name]}")
        known = "*" if record.name in LONGEST else " "
        print(
            f"{record.name:8}{record.positions:13,}{record.wins:13,}{record.draws:13,}{record.losses:13,}"
            f"{mate:8}{known}{'same':>10}{time.perf_counter() - began:8.1f}",
            flush=True,
        )
    print(f"{everything:,} positions, all as in Syzygy; * as published")
    for name in ("KQvK", "KRvK", "KBNvK", "KQvKR"):
        if any(record.name == name for record in database.tiers):
            moves = play_out(game, database, name)
            print(f"the engine mates in {name} from the longest win, against the best defence, in {moves} moves")
            assert moves == LONGEST[name]


if __name__ == "__main__":
    main()
