"""Kalah: sow seeds around the board, end in your store to move again, capture, and collect the most.

MAX is South and moves first. A side is one word: its pits from its owner's left to right, then its store, each
in a field of a few bits. Sowing adds 1 to a run of fields, which takes a single addition.

>>> game = kalah()
>>> s = game.initial()
>>> s = game.play(s, game.parse_move(s, "3"))    # the fourth seed falls into the store: South moves again
>>> print(game.show(s))
      6  5  4  3  2  1
      4  4  4  4  4  4
   0                    1
      4  4  0  5  5  5
      1  2  3  4  5  6   South to move
>>> game.format_state(s)
'4,4,0,5,5,5,1/4,4,4,4,4,4,0 south'
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

from zerosum.errors import GameError
from zerosum.game import MAX, MIN, Game
from zerosum.games.boards import kalah as drawing

SIDES = ("south", "north")
PHASES = 4  # phases of the game for networks, by the seeds left in pits
MOVE_AGAIN = 3  # what another move is worth in seeds, roughly, for move ordering


class Sides(NamedTuple):
    south: int  # MAX
    north: int  # MIN
    turn: int


def kalah(pits: int = 6, seeds: int = 4) -> Game:
    """The game with this number of pits a side, and of seeds in each pit at the start.

    >>> kalah(4, 3).max_moves
    4
    """
    width = check(pits, seeds)
    total = 2 * pits * seeds
    field = (1 << width) - 1
    store = width * pits  # where the store's field begins
    in_pits = (1 << store) - 1
    ones = sum(1 << width * pit for pit in range(pits))
    ones_and_store = ones | 1 << store
    ring = 2 * pits + 1  # both sides' pits and the sower's own store

    side_features = pits * (ring + 1) + total + 1

    # Rules

    def initial():
        return Sides(ones * seeds, ones * seeds, MAX)

    def to_move(s):
        return s.turn

    def moves(s):
        own = s.south if s.turn == MAX else s.north
        for pit in range(pits - 1, -1, -1):  # nearest to the store first
            if own >> width * pit & field:
                yield pit

    def play(s, pit):
        own, other = s.south, s.north
        if s.turn == MIN:
            own, other = other, own
        # 1. Sow: each whole lap adds a seed to every field of the ring; the rest are sown from the next pit on.
        hand = own >> width * pit & field
        own -= hand << width * pit
        laps, rest = hand // ring, hand % ring
        end = pit + 1 + rest  # the place after the last seed, counted along the ring from the sower's first pit
        own += ones_and_store * laps
        other += ones * laps
        own += ones_and_store & ((1 << width * min(end, pits + 1)) - (1 << width * (pit + 1)))
        if end > pits + 1:
            other += ones & ((1 << width * min(end - pits - 1, pits)) - 1)
        if end > ring:
            own += ones & ((1 << width * (end - ring)) - 1)
        last = (end - 1) % ring
        # 2. Capture: the last seed fell into an empty pit of the sower's, and the pit opposite is not empty.
        if last < pits and own >> width * last & field == 1:
            opposite = width * (pits - 1 - last)
            prey = other >> opposite & field
            if prey:
                own += ((prey + 1) << store) - (1 << width * last)
                other -= prey << opposite
        # 3. The end: one side has no seeds left, and the other side's seeds go to its own store.
        if own & in_pits == 0 or other & in_pits == 0:
            own, other = gathered(own), gathered(other)
        turn = s.turn if last == pits else 1 - s.turn
        return Sides(own, other, turn) if s.turn == MAX else Sides(other, own, turn)

    def seeds_left(side):
        count = 0
        for pit in range(pits):
            count += side >> width * pit & field
        return count

    def gathered(side):
        """The side with all its seeds in its store."""
        return ((side >> store) + seeds_left(side)) << store

    def is_terminal(s):
        return (s.south | s.north) & in_pits == 0

    def utility(s):
        return (s.south >> store) - (s.north >> store)

    # Knowledge

    def bounds(s):
        """The current margin, with all seeds still in pits going to one player or to the other."""
        margin = (s.south >> store) - (s.north >> store)
        left = total - (s.south >> store) - (s.north >> store)
        return margin - left, margin + left

    def order(s, pit):
        """The seeds won by the move, with a bonus for moving again."""
        after = play(s, pit)
        gain = utility(after) - utility(s)
        if s.turn == MIN:
            gain = -gain
        return gain + MOVE_AGAIN if after.turn == s.turn else gain

    def active(s, player):
        """For the player's side, then the opponent's: each pit with its seeds, capped at a full lap, and the store."""
        own, other = (s.south, s.north) if player == MAX else (s.north, s.south)
        for pit in range(pits):
            yield pit * (ring + 1) + min(own >> width * pit & field, ring)
            yield side_features + pit * (ring + 1) + min(other >> width * pit & field, ring)
        yield pits * (ring + 1) + (own >> store)
        yield side_features + pits * (ring + 1) + (other >> store)

    def phase(s):
        return tier(s) * PHASES // (total + 1)

    # The endgame database: a tier for each number of seeds in the pits, which no move increases. An index combines how
    # the seeds are distributed, how many South has in store, and the side to move.

    ways = [[ways_to_share(seeds, among) for among in range(2 * pits + 1)] for seeds in range(total + 1)]

    def tiers(n: int) -> list[tuple[str, int]]:
        most = min(n, total)
        return [(f"{k} seeds in pits", ways[k][2 * pits] * (total - k + 1) * 2) for k in range(most + 1)]

    def tier(s):
        return total - (s.south >> store) - (s.north >> store)

    def rank(s):
        left = tier(s)
        in_stores = total - left
        index = 0
        for place in range(2 * pits):
            side = s.south if place < pits else s.north
            here = side >> width * (place % pits) & field
            # All distributions with fewer seeds here come first.
            index += ways[left][2 * pits - place] - ways[left - here][2 * pits - place]
            left -= here
        return (index * (in_stores + 1) + (s.south >> store)) * 2 + s.turn

    def unrank(tier, index):
        turn = index & 1
        index >>= 1
        in_stores = total - tier
        south = index % (in_stores + 1) << store
        north = (in_stores << store) - south
        index //= in_stores + 1
        left = tier
        for place in range(2 * pits):
            among = 2 * pits - place - 1
            here = 0
            while index >= ways[left - here][among]:
                index -= ways[left - here][among]
                here += 1
            left -= here
            if place < pits:
                south += here << width * place
            else:
                north += here << width * (place - pits)
        return Sides(south, north, turn)

    def is_valid(s):
        """Whether both sides have seeds in their pits or neither does: a side without seeds ends the game."""
        return (s.south & in_pits == 0) == (s.north & in_pits == 0)

    # Notation and display

    def counts(side: int) -> list[int]:
        """The seeds in each pit, then in the store."""
        return [side >> width * place & field for place in range(pits + 1)]

    def show(s: Sides) -> str:
        south, north = counts(s.south), counts(s.north)
        size = max(2, len(str(total)))

        def row(numbers: list[int]) -> str:
            return "  " + " " * size + "".join(f" {number:{size}}" for number in numbers)

        stores = f"  {north[-1]:{size}}{' ' * (size + 1) * pits} {south[-1]:{size}}"
        names = list(range(1, pits + 1))
        mover = "the game is over" if is_terminal(s) else f"{SIDES[s.turn].capitalize()} to move"
        return "\n".join(
            [row(names[::-1]), row(north[-2::-1]), stores, row(south[:-1]), f"{row(names)}   {mover}"],
        )

    def parse_move(s: Sides, text: str) -> int:
        return int(text) - 1

    def format_move(s: Sides, pit: int) -> str:
        return str(pit + 1)

    def format_state(s: Sides) -> str:
        """South's pits and store, North's pits and store, each from the owner's left, and the side to move."""
        south, north = (",".join(map(str, counts(side))) for side in (s.south, s.north))
        return f"{south}/{north} {SIDES[s.turn]}"

    def parse_state(text: str) -> Sides:
        words = text.lower().split()
        if not words or words[-1] not in SIDES:
            raise ValueError("it must end with the side to move: south or north")
        turn = SIDES.index(words.pop())
        parts = "".join(words).split("/")
        if len(parts) != 2:
            raise ValueError("it needs two sides, separated by '/'")
        sides = [read_side(part) for part in parts]
        found = sum(sum(side) for side in sides)
        if found != total:
            raise ValueError(f"it has {found} seeds instead of {total}")
        empty = [not any(side[:-1]) for side in sides]
        if any(empty) and not all(empty):
            raise ValueError(
                f"{SIDES[empty.index(True)]} has no seeds in its pits, so the seeds of the other side go to its store"
            )
        south, north = (sum(n << width * place for place, n in enumerate(side)) for side in sides)
        return Sides(south, north, turn)

    def read_side(part: str) -> list[int]:
        words = part.split(",")
        if len(words) != pits + 1:
            raise ValueError(f"{part!r} has {len(words)} numbers instead of {pits} pits and a store")
        for word in words:
            if not word.isdecimal():
                raise ValueError(f"{word!r} is not a number of seeds")
        return [int(word) for word in words]

    return Game(
        "kalah",
        Sides,
        initial,
        to_move,
        moves,
        play,
        utility,
        max_moves=pits,
        actions=pits,
        is_terminal=is_terminal,
        scored=True,
        evaluate=utility,
        bounds=bounds,
        order=order,
        active=active,
        active_features=2 * side_features,
        max_active=2 * (pits + 1),
        phase=phase,
        phases=PHASES,
        tiers=tiers,
        tier=tier,
        rank=rank,
        unrank=unrank,
        is_valid=is_valid,
        show=show,
        parse_move=parse_move,
        format_move=format_move,
        parse_state=parse_state,
        format_state=format_state,
        players=("South", "North"),
        **drawing.board(pits, counts),
        about=f"{pits} pits a side, {seeds} seeds each",
    )


def ways_to_share(seeds: int, pits: int) -> int:
    """The number of ways to distribute seeds among pits.

    >>> ways_to_share(2, 3), ways_to_share(0, 0)
    (6, 1)
    """
    if pits == 0:
        return int(seeds == 0)
    return comb(seeds + pits - 1, pits - 1)


def check(pits: int, seeds: int) -> int:
    """The number of bits that a field needs to hold all seeds; GameError if a side needs more than 62."""
    for name, number in (("pits", pits), ("seeds", seeds)):
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise GameError(f"kalah: {name} must be a whole number of at least 1, not {number!r}")
    width = (2 * pits * seeds).bit_length()
    if width * (pits + 1) > 62:
        raise GameError(f"kalah: pits={pits}, seeds={seeds} is too big: a side must fit in 62 bits")
    return width
