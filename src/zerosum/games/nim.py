"""Nim: take any number of objects from one heap; the player who takes the last one wins.

Up to eight heaps of up to 127 objects fit in one word, seven bits each. A move is a heap and a number
to take: ``heap * 128 + number``, written ``b3`` for three from the second heap.

>>> game = nim("3,4,5")
>>> s = game.initial()
>>> s = game.play(s, game.parse_move(s, "a2"))
>>> print(game.show(s))
a  o           1
b  o o o o     4
c  o o o o o   5
>>> game.format_state(s)
'1,4,5 min'
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from zerosum.errors import GameError
from zerosum.game import MAX, MIN, Game
from zerosum.games.boards import nim as drawing

MOST_HEAPS = 8
BITS = 7
LARGEST = (1 << BITS) - 1
SIDES = ("max", "min")
HEAP_NAMES = "abcdefgh"
WON_BY_RULE = 100
LONGEST_ROW = 40  # a larger heap is shown only as a number


class Heaps(NamedTuple):
    heaps: int  # the first heap in the lowest seven bits
    turn: int


def nim(heaps: str | int | Sequence[int] = (3, 4, 5)) -> Game:
    """The game that starts with these heaps: numbers, or text such as ``"3,4,5"``.

    >>> nim([1, 2]).max_moves
    3
    """
    sizes = read_start(heaps)
    count = len(sizes)

    def initial():
        return Heaps(packed(sizes), MAX)

    def moves(s):
        for heap in range(count):
            for number in range(1, (s.heaps >> BITS * heap & LARGEST) + 1):
                yield heap << BITS | number

    def evaluate(s):
        """The player to move wins unless the exclusive or of the heaps is 0 (C. L. Bouton, 1901)."""
        total = 0
        for heap in range(count):
            total ^= s.heaps >> BITS * heap & LARGEST
        mover_wins = total != 0
        return WON_BY_RULE if mover_wins == (s.turn == MAX) else -WON_BY_RULE

    def canonical(s):
        """The heaps from largest to smallest: their order does not matter."""
        ordered = 0
        for heap in range(count):
            size = s.heaps >> BITS * heap & LARGEST
            place = 0
            for other in range(heap):
                place += (ordered >> BITS * other & LARGEST) >= size
            below = ordered & ((1 << BITS * place) - 1)
            ordered = below | size << BITS * place | (ordered ^ below) << BITS
        return Heaps(ordered, s.turn)

    # The endgame database: one tier; each heap is a digit with its own base

    def tiers(n: int) -> list[tuple[str, int]]:
        return [("all", 2 * prod(size + 1 for size in sizes))]

    def rank(s):
        index = 0
        for heap in range(count):
            index = index * (sizes[heap] + 1) + (s.heaps >> BITS * heap & LARGEST)
        return 2 * index + s.turn

    def unrank(tier, index):
        turn = index & 1
        index >>= 1
        heaps = 0
        for heap in range(count - 1, -1, -1):
            heaps |= index % (sizes[heap] + 1) << BITS * heap
            index //= sizes[heap] + 1
        return Heaps(heaps, turn)

    def show(s: Heaps) -> str:
        rows = ["o " * size if size <= LONGEST_ROW else "…" for size in heap_sizes(s.heaps, count)]
        margin = max(map(len, rows))
        lines = zip(HEAP_NAMES, rows, heap_sizes(s.heaps, count), strict=False)
        return "\n".join(f"{name}  {row:{margin}}  {size}" for name, row, size in lines)

    def format_state(s: Heaps) -> str:
        return f"{','.join(map(str, heap_sizes(s.heaps, count)))} {SIDES[s.turn]}"

    def parse_state(text: str) -> Heaps:
        """Heaps separated by commas, then the side to move: ``max`` (the default) or ``min``."""
        words = text.lower().split()
        turn = MAX
        if words and words[-1] in SIDES:
            turn = SIDES.index(words.pop())
        found = numbers("".join(words))
        if len(found) != count:
            raise ValueError(f"it has {len(found)} heaps instead of {count}")
        for size, start in zip(found, sizes, strict=True):
            if not 0 <= size <= start:
                raise ValueError(f"a heap of {start} cannot become {size}")
        return Heaps(packed(found), turn)

    return Game(
        "nim",
        Heaps,
        initial,
        to_move,
        moves,
        play,
        utility,
        max_moves=sum(sizes),
        is_terminal=is_terminal,
        evaluate=evaluate,
        canonical=canonical,
        tiers=tiers,
        tier=lambda s: 0,
        rank=rank,
        unrank=unrank,
        show=show,
        parse_move=parse_move,
        format_move=format_move,
        parse_state=parse_state,
        format_state=format_state,
        **drawing.board(sizes, HEAP_NAMES, heap_sizes, BITS),
        about=f"heaps of {', '.join(map(str, sizes))}; taking the last object wins",
    )


def to_move(s):
    return s.turn


def play(s, move):
    heap, number = move >> BITS, move & LARGEST
    return Heaps(s.heaps - (number << BITS * heap), 1 - s.turn)


def is_terminal(s):
    return s.heaps == 0


def utility(s):
    # The player who has just moved took the last object.
    return 1 if s.turn == MIN else -1


# Notation and display


def format_move(s: Heaps, move: int) -> str:
    return f"{HEAP_NAMES[move >> BITS]}{move & LARGEST}"


def parse_move(s: Heaps, text: str) -> int:
    text = text.strip().lower()
    return HEAP_NAMES.index(text[:1] or "?") << BITS | int(text[1:])


def packed(sizes: Sequence[int]) -> int:
    return sum(size << BITS * heap for heap, size in enumerate(sizes))


def heap_sizes(heaps: int, count: int) -> list[int]:
    return [heaps >> BITS * heap & LARGEST for heap in range(count)]


def numbers(text: str) -> list[int]:
    """The whole numbers in text such as ``3,4,5``; ValueError quotes anything else."""
    for word in text.split(","):
        if not word.strip().isdecimal():
            raise ValueError(f"{word!r} is not a number of objects")
    return [int(word) for word in text.split(",")]


def read_start(heaps: str | int | Sequence[int]) -> tuple[int, ...]:
    """The heaps as numbers; GameError quotes them if a game cannot start with them."""
    try:
        if isinstance(heaps, int):
            sizes = [heaps]
        else:
            sizes = numbers(heaps.strip(" ()[]")) if isinstance(heaps, str) else list(heaps)
    except (ValueError, TypeError) as problem:
        raise GameError(f"nim: heaps={heaps!r}: {problem}; give numbers such as 3,4,5") from problem
    if not 1 <= len(sizes) <= MOST_HEAPS:
        raise GameError(f"nim: heaps={heaps!r} has {len(sizes)} heaps; there must be 1 to {MOST_HEAPS}")
    for size in sizes:
        if not isinstance(size, int) or isinstance(size, bool) or not 1 <= size <= LARGEST:
            raise GameError(f"nim: heaps={heaps!r}: a heap holds 1 to {LARGEST} objects, not {size!r}")
    return tuple(sizes)
