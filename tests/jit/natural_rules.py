"""Rules in natural Python: one function for each idiom. Compiled, each must return the same as in plain Python.

``test_natural.py`` runs them; those that are refused are in ``natural_refusals.py``.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections import deque, namedtuple
from enum import IntEnum
from functools import reduce
from itertools import chain, combinations, pairwise, permutations, product
from typing import NamedTuple

import numpy as np

import zerosum as zs

D = {0: 5, 1: -5}
WEIGHT = {0: 3, 1: 1, 2: 4, 5: 9}
STEPS = {(0, 0): 7, (0, 1): 8, (1, 2): 9}
NEAR = {0: [1, 2], 1: [0], 2: [0, 3, 4], 3: [], 4: [2], 5: [1]}
WORDS = {0: "ab", 1: "b"}
S = {1, 4, 6}
CORNERS = frozenset({0, 2, 3, 5})
BLOCKED = {(0, 1), (2, 2)}
T = ((0, 1), (2, 3, 4), (5,))
L = [[1, 2], [3, 4, 5]]
LINES = [(0, 1, 2), (3, 4, 5), (0, 3, 5)]
PAIRS = [[(0, 1), (1, 2)], [(3, 4)], []]
ROWS = [[0, 1, 2], [3, 4, 5]]
NAMES = "abcdef"
LABELS = ["x", "o", "z"]
CELLS = range(6)
EMPTY, WHITE, BLACK = 0, 1, 2
SHARES = {0: 0.5, 1: 1.5}
MIXED = [(0, 1.5), (1, 2.5)]
Point = namedtuple("Point", "x y")
SPOTS = [Point(0, 1), Point(2, 3)]


class C(IntEnum):
    X = 1
    O = 2


class P(NamedTuple):
    b: tuple[int, int, int, int, int, int]
    turn: int

    @property
    def other(self):
        return 1 - self.turn

    @property
    def empty(self):
        return sum(x == 0 for x in self.b)

    def at(self, cell):
        return self.b[cell]

    def owner_of(self, cell, wanted=1):
        return self.at(cell) == wanted

    def neighbours(self, cell):
        for n in NEAR[cell]:
            yield n

    @staticmethod
    def twice(n):
        return 2 * n

    SIZE = 6


# Constants


def dict_constant(s):
    return D[s.turn]


def dict_local(s):
    d = {0: 5, 1: -5}
    return d[s.turn]


def dict_inline(s):
    return {0: 5, 1: -5}[s.turn]


def dict_get(s):
    return D.get(s.turn, 0) + WEIGHT.get(s.b[0] + 3, 100) + WEIGHT.get(s.b[1], 0)


def dict_in(s):
    return 1 if s.b[0] + 3 in WEIGHT else 0


def dict_by_pairs(s):
    return STEPS.get((s.turn, s.b[0]), -1) + (STEPS[0, 1] if (0, s.b[1]) in STEPS else 0)


def dict_of_lists(s):
    n = 0
    for cell in range(6):
        for other in NEAR[cell]:
            n += cell * s.b[other]
    return n


def dict_items(s):
    return sum(k * s.b[k] * v for k, v in WEIGHT.items()) + len(WEIGHT)


def dict_keys(s):
    n = 0
    for cell in NEAR:
        n += len(NEAR[cell]) * s.b[cell]
    return n + sum(WEIGHT.values())


def dict_of_fractions(s):
    return int(SHARES[s.turn] * 4)


def set_constant(s):
    return sum(1 for i in range(6) if i in S and s.b[i] == 0)


def set_not_in(s):
    return 1 if s.b[0] not in CORNERS else 2


def set_of_pairs(s):
    return 1 if (s.b[0], s.b[1]) in BLOCKED else 0


def set_inline(s):
    return 1 if s.b[0] in {1, 2} else 0


def set_loop(s):
    return sum(s.b[c] for c in CORNERS)


def set_local(s):
    edges = {0, 5}
    return sum(s.b[i] for i in range(6) if i in edges)


def ragged_tuple(s):
    n = 0
    for x in T[s.b[0]]:
        n += x
    return n


def ragged_list(s):
    n = 0
    for x in L[s.b[0] % 2]:
        n += x
    return n


def ragged_loop(s):
    n = 0
    for t in T:
        for x in t:
            n += s.b[x]
    return n


def ragged_item(s):
    return T[s.turn][1] + len(T[s.b[0]]) + len(T) + T[-1][0]


def ragged_in(s):
    return 1 if s.b[0] in T[1] else 0


def ragged_enumerate(s):
    n = 0
    for i, t in enumerate(T):
        for j, x in enumerate(t):
            n += i * j * s.b[x]
    return n


def ragged_argument(s):
    return _sum_of(T[s.turn], s.b) + _sum_of(T[2], s.b)


def _sum_of(cells, board):
    return sum(board[c] for c in cells)


def ragged_table_argument(s):
    return _first_of(T, s.turn) + _first_of(L, s.turn)


def _first_of(table, i):
    return table[i][0]


def list_of_tuples(s):
    n = 0
    for a, b, c in LINES:
        if s.b[a] == s.b[b] == s.b[c] != 0:
            n += 1
    return n


def list_of_tuples_by_index(s):
    a, b, c = LINES[s.turn]
    return s.b[a] + 2 * s.b[b] + 3 * s.b[c]


def list_of_lists_of_tuples(s):
    n = 0
    for a, b in PAIRS[s.b[0]]:
        n += s.b[a] * 3 + s.b[b]
    return n


def lists_of_rows(s):
    return sum(s.b[c] for row in ROWS for c in row) + ROWS[s.turn][2]


def list_methods(s):
    numbers = [3, 1, 2]
    return [4, 5, 6].index(5) + numbers.count(s.turn)


def list_of_namedtuples(s):
    return sum(p.x * s.b[p.y] for p in SPOTS)


def list_of_mixed_tuples(s):
    total = 0.0
    for i, w in MIXED:
        total += s.b[i] * w
    return int(total * 2)


def list_of_strings(s):
    return 1 if LABELS[s.turn] == "x" else 0


def range_constant(s):
    return sum(s.b[i] * i for i in CELLS)


def string_index(s):
    return 1 if NAMES[s.turn] == "a" else 0


def enum_constant(s):
    return 1 if s.b[0] == C.X else 0


def in_a_constant_list(s):
    return 1 if s.b[0] in [1, 2] else 0


# any, all, sum, min, max


def any_generator(s):
    return 1 if any(x == 2 for x in s.b) else 0


def all_generator(s):
    return 1 if all(x < 2 for x in s.b) else 0


def all_list(s):
    return 1 if all([x == 1 for x in s.b]) else 0


def any_all_nested(s):
    return 1 if any(all(s.b[c] == s.turn + 1 for c in line) for line in LINES) else 0


def any_and(s):
    return 1 if (s.turn == 0 and any(x for x in s.b)) or not any(s.b) else 0


def any_of_tuple(s):
    return int(any(s.b)) + 2 * all(s.b)


def sum_generator(s):
    return sum(x for x in s.b)


def sum_list(s):
    return sum([x for x in s.b])


def sum_of_truths(s):
    return sum(x == 1 for x in s.b) - sum(x == 2 for x in s.b)


def sum_with_start(s):
    return sum((x * x for x in s.b), 10) + sum(s.b, 5)


def sum_two_loops(s):
    return sum(s.b[a] * s.b[b] for a in range(6) for b in range(a) if a != b + 1)


def sum_enumerate(s):
    return sum(i * x for i, x in enumerate(s.b))


def sum_zip(s):
    return sum(x * w for x, w in zip(s.b, (3, 1, 4, 1, 5, 9)))


def sum_slice(s):
    return sum(s.b[0:3])


def sum_moving_slice(s):
    return sum(s.b[s.turn : s.turn + 3])


def sum_map(s):
    return sum(map(lambda x: x * x, s.b)) + sum(map(abs, s.b))


def sum_conditional(s):
    return sum(1 if x == 1 else -1 if x == 2 else 0 for x in s.b)


def max_key(s):
    return max(range(6), key=lambda i: s.b[i])


def min_key_pair(s):
    return min(range(6), key=lambda i: (s.b[i], -i))


def max_generator(s):
    return max(x * (i + 1) for i, x in enumerate(s.b))


def max_default(s):
    return max((x for x in s.b if x > 5), default=-1) + min((x for x in s.b if x > 0), default=0)


def max_star(s):
    return max(*s.b) + min(*s.b)


def max_tuple(s):
    return max(s.b) - min(s.b)


def max_of_a_list(s):
    return max([s.b[i] for i in range(3)])


def max_by_method(s):
    return max(range(6), key=s.b.__getitem__)


def count_generator(s):
    return len([x for x in s.b if x == 0]) + len(list(x for x in s.b if x))


def next_generator(s):
    return next((i for i in range(6) if s.b[i] == 0), -1)


def any_filter(s):
    return sum(filter(lambda x: x > 1, s.b)) + len(list(filter(None, s.b)))


# Tuples


def tuple_index(s):
    return s.b.index(0) if 0 in s.b else -1


def tuple_count(s):
    return s.b.count(0) - s.b.count(2)


def tuple_in(s):
    return 1 if 1 in s.b else 0


def tuple_sorted(s):
    return sorted(s.b)[0] + sorted(s.b, reverse=True)[1] * 10


def tuple_sorted_key(s):
    return sorted(range(6), key=lambda i: (s.b[i], -i))[2]


def tuple_enumerate(s):
    n = 0
    for i, x in enumerate(s.b):
        n += i * x
    return n


def tuple_enumerate_from_one(s):
    n = 0
    for i, x in enumerate(s.b, start=1):
        n += i * x
    return n


def tuple_zip(s):
    n = 0
    for x, y in zip(s.b, s.b[1:]):
        n = n * 2 + (x == y)
    return n


def tuple_zip_strict(s):
    n = 0
    for x, y in zip(s.b, range(6), strict=True):
        n += x * y
    return n


def tuple_reversed(s):
    n = 0
    for x in reversed(s.b):
        n = n * 3 + x
    return n


def range_reversed(s):
    n = 0
    for i in reversed(range(6)):
        n = n * 3 + s.b[i]
    return n


def tuple_backwards(s):
    n = 0
    for x in s.b[::-1]:
        n = n * 3 + x
    return n


def tuple_star(s):
    a, *rest = s.b
    return a * 100 + len(rest) + rest[1]


def tuple_star_middle(s):
    a, *middle, z = s.b
    return a * 9 + z * 3 + sum(middle)


def tuple_sum(s):
    return len(s.b + (1,))


def tuple_times(s):
    empty = (0,) * 6
    return 1 if s.b == empty else len(empty)


def tuple_unpacked(s):
    a, b, c, d, e, f = s.b
    return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6


def tuple_compared(s):
    return 1 if s.b > s.b[::-1] else 0


def tuple_mapped(s):
    swapped = tuple(3 - x if x else 0 for x in s.b)
    return swapped[0] * 3 + swapped[5]


def tuple_of_range(s):
    squares = tuple(i * s.b[i] for i in range(6))
    return squares[s.turn + 3]


def tuple_from_list(s):
    b = list(s.b)
    b[0], b[5] = b[5], b[0]
    b[2] += 7
    b[-2] = 1
    t = tuple(b)
    return t[0] * 1000 + t[2] * 100 + t[4] * 10 + t[5]


def list_copied(s):
    b = [*s.b]
    b[s.turn] = 9
    return max(b) + len(b) + b.count(0) + sum(b)


def list_appended(s):
    found = []
    for i in range(6):
        if s.b[i] == 0:
            found.append(i)
    return len(found) * 10 + (found[-1] if found else 0)


def list_stack(s):
    stack, seen, n = [0], set(), 0
    while stack:
        cell = stack.pop()
        if cell in seen:
            continue
        seen.add(cell)
        n += s.b[cell] + 1
        for other in NEAR[cell]:
            if other not in seen:
                stack.append(other)
    return n


def list_of_flags(s):
    seen = [False] * 6
    for x in s.b:
        seen[x] = True
    return sum(seen)


def list_is_empty(s):
    empty = [i for i in range(6) if s.b[i] == 0]
    if not empty:
        return -1
    return empty[0]


def set_made(s):
    return len(set(s.b)) + len({x for x in s.b if x})


def dict_made(s):
    d = {i: x for i, x in enumerate(s.b)}
    return d[0]


def dict_counted(s):
    counts = {}
    for x in s.b:
        counts[x] = counts.get(x, 0) + 1
    return max(counts.values()) if counts else 0


def queue(s):
    q = deque([0])
    n = 0
    while q:
        cell = q.popleft()
        n = n * 7 + cell
        if cell < 3:
            q.append(cell + 1 + s.turn)
    return n


# Numbers


def bin_count(s):
    return bin(s.b[0]).count("1")


def bit_count(s):
    return s.b[0].bit_count() + (s.b[1] << 40).bit_length()


def walrus(s):
    if (n := s.b[0] + s.b[1]) > 1:
        return n
    return -n


def walrus_in_while(s):
    n, i = 0, 0
    while i < 6 and (x := s.b[i]) < 2:
        n += x + 1
        i += 1
    return n


def divided(s):
    quotient, rest = divmod(s.b[0] + 7, 3)
    return quotient * 10 + rest + pow(2, s.b[1]) + abs(-s.turn) + round(2.6) + int(7 / 2)


def mathematics(s):
    return math.isqrt(17 + s.turn) + math.gcd(12, 18) + int(math.sqrt(16)) + math.prod(x + 1 for x in s.b)


def conditions(s):
    return 1 if 0 <= s.b[0] < 2 <= s.b[1] + 2 else (2 if not s.turn else 3)


def arrays(s):
    a = np.array(s.b)
    return a.sum()


def reduced(s):
    return reduce(lambda x, y: x * 3 + y, s.b, 1) + functools.reduce(operator.add, s.b)


# Statements


def recursion(s):
    return _recursive(5)


def _recursive(n):
    return 0 if n == 0 else 1 + _recursive(n - 1)


@functools.cache
def _remembered(n):
    return n * 2


def cached(s):
    return _remembered(s.b[0])


def raising(s):
    if s.turn > 5:
        raise ValueError(f"bad {s.turn}")
    return 0


def asserting(s):
    assert 0 <= s.turn < 2, f"{s.turn} is nobody's turn"
    return s.turn


def none_until_found(s):
    best = None
    for x in s.b:
        if best is None or x > best:
            best = x
    return best


def matching(s):
    match s.b[0]:
        case 0:
            return 10
        case 1 | 2 if s.turn == 0:
            return 20
        case _:
            return 30


def inner_function(s):
    def worth(cell):
        return s.b[cell] * (cell + 1)

    return worth(0) + worth(5)


def inner_lambda(s):
    own = lambda cell: s.b[cell] == s.turn + 1
    return sum(own(c) for c in range(6))


def inner_generator(s):
    def own():
        for i in range(6):
            if s.b[i] == 1:
                yield i

    return sum(i for i in own())


def inner_recursion(s):
    def depth(n):
        return 0 if n <= 0 else 1 + depth(n - s.turn - 1)

    return depth(6)


def for_else(s):
    for x in s.b:
        if x == 2:
            break
    else:
        return 1
    return 0


def a_generator_helper(s):
    return sum(x * 2 for x in _cells_of(s, 1))


def _cells_of(s, colour):
    for i in range(6):
        if s.b[i] == colour:
            yield i


def a_list_helper(s):
    return len(_empty(s)) + (1 if 3 in _empty(s) else 0)


def _empty(s):
    return [i for i in range(6) if s.b[i] == EMPTY]


def annotated(s: P) -> int:
    total: int = 0
    for x in s.b:
        total += x
    return total


def keywords(s):
    return _weighted(s, cell=2, weight=5) + _weighted(s, 1)


def _weighted(s, cell, weight=3):
    return s.b[cell] * weight


def star_call(s):
    pair = (1, 2)
    return _weighted(s, *pair)


# Methods of the State


def state_method(s):
    return s.at(2) + s.owner_of(1) + s.owner_of(1, wanted=2)


def state_property(s):
    return s.other * 10 + s.empty


def state_generator(s):
    return sum(s.b[n] for n in s.neighbours(2))


def state_static(s):
    return P.twice(3) + s.twice(s.turn) + P.SIZE + s.SIZE


def state_made(s):
    t = P(s.b, 1 - s.turn)
    return t.other + t.at(0)


def state_replaced(s):
    return s._replace(turn=1 - s.turn).other


# itertools


def product_constant(s):
    n = 0
    for i, j in product(range(3), range(2)):
        n += s.b[i * 2 + j] * (i + j)
    return n


def product_repeat(s):
    return sum(s.b[i] * s.b[j] for i, j in itertools.product(range(3), repeat=2) if i != j)


def product_of_tuples(s):
    n = 0
    for x, y in product(s.b, (1, 2)):
        n = n * 2 + x * y
    return n % 1000


def combinations_constant(s):
    return sum(s.b[a] == s.b[b] for a, b in combinations(range(6), 2))


def combinations_of_tuple(s):
    return sum(x * y for x, y in combinations(s.b, 2))


def permutations_constant(s):
    return sum(s.b[a] * a + b for a, b in permutations(range(3), 2))


def pairs(s):
    return sum(x != y for x, y in pairwise(s.b))


def chained(s):
    return sum(s.b[i] * i for i in chain(range(2), range(4, 6)))


IDIOMS = [f for f in list(globals().values()) if getattr(f, "__module__", "") == __name__ and hasattr(f, "__code__")]
IDIOMS = [f for f in IDIOMS if not f.__name__.startswith("_")]


# Whole rules


def moves(s):
    for i in range(6):
        if s.b[i] == 0:
            yield i


def play(s, i):
    return P(zs.replace(s.b, i, 1 + s.turn), 1 - s.turn)


def play_by_list(s, i):
    b = list(s.b)
    b[i] = 1 + s.turn
    return P(tuple(b), 1 - s.turn)


def play_by_list_and_replace(s, i):
    b = list(s.b)
    b[i] = 1 + s.turn
    return s._replace(b=tuple(b), turn=s.other)


def play_by_slices(s, i):
    return P(s.b[:i] + (1 + s.turn,) + s.b[i + 1 :], 1 - s.turn)


def play_by_stars(s, i):
    return P((*s.b[:i], 1 + s.turn, *s.b[i + 1 :]), 1 - s.turn)


def play_by_generator(s, i):
    return P(tuple(1 + s.turn if j == i else x for j, x in enumerate(s.b)), 1 - s.turn)


def play_by_comprehension(s, i):
    return P(tuple([1 + s.turn if j == i else s.b[j] for j in range(6)]), 1 - s.turn)


def play_by_append(s, i):
    board = []
    for j in range(6):
        board.append(1 + s.turn if j == i else s.b[j])
    return P(tuple(board), 1 - s.turn)


def play_by_helper(s, i):
    return P(_with(s.b, i, 1 + s.turn), 1 - s.turn)


def _with(board, i, value):
    cells = list(board)
    cells[i] = value
    return tuple(cells)


PLAYS = [f for f in list(globals().values()) if getattr(f, "__name__", "").startswith("play_")]


def moves_enumerated(s):
    return [i for i, x in enumerate(s.b) if x == 0]


def moves_filtered(s):
    return list(filter(lambda i: s.b[i] == 0, range(6)))


def moves_of_a_method(s):
    return [i for i in CELLS if s.at(i) == EMPTY]


def moves_guarded(s):
    if any(all(s.b[c] == 1 for c in line) for line in LINES):
        return
    for i in range(6):
        if not s.b[i]:
            yield i


def moves_from_a_set(s):
    for i in sorted({i for i in range(6) if s.b[i] == 0}):
        yield i


def moves_sorted(s):
    return sorted((i for i in range(6) if s.b[i] == 0), key=lambda i: -i)


def moves_in_an_inner_function(s):
    def free():
        for i in range(6):
            if s.b[i] == 0:
                yield i

    yield from free()


MOVES = [f for f in list(globals().values()) if getattr(f, "__name__", "").startswith("moves_")]


def game(**changes):
    rules = {
        "name": "natural",
        "State": P,
        "initial": lambda: P((0,) * 6, zs.MAX),
        "to_move": lambda s: s.turn,
        "moves": moves,
        "play": play,
        "utility": lambda s: 0,
        "max_moves": 6,
    }
    return zs.Game(**{**rules, **changes})


STATES = [
    P((0, 0, 0, 0, 0, 0), 0),
    P((1, 0, 2, 0, 0, 0), 0),
    P((2, 1, 2, 1, 0, 2), 1),
    P((1, 1, 1, 2, 2, 1), 1),
    P((2, 2, 1, 1, 2, 1), 0),
    P((0, 1, 2, 1, 1, 1), 1),
]
