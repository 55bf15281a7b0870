"""More rules in natural Python, in addition to those of ``natural_rules.py``."""

from __future__ import annotations
import itertools, math, operator, functools
from collections import *
from dataclasses import dataclass
from enum import Enum, IntEnum, IntFlag
from itertools import *
from typing import NamedTuple, Final
import numpy as np
import zerosum as zs
from natural_rules import P

D = {0: 5, 1: -5}
ADJ = {0: (1, 3), 1: (0, 2, 4), 2: (1, 5), 3: (0, 4), 4: (1, 3, 5), 5: (2, 4)}
ADJL = [[1, 3], [0, 2, 4], [1, 5], [0, 4], [1, 3, 5], [2, 4]]
ADJS = [{1, 3}, {0, 2, 4}, {1, 5}, {0, 4}, {1, 3, 5}, {2, 4}]
MILLS = ((0, 1, 2), (3, 4, 5))
LINES_OF = {c: [line for line in MILLS if c in line] for c in range(6)}
LINES_AT = [[line for line in MILLS if c in line] for c in range(6)]
DIRS = [(-1, 0), (1, 0), (0, -1), (0, 1)]
COORD = [(i // 3, i % 3) for i in range(6)]
INDEX = {(i // 3, i % 3): i for i in range(6)}
VALUE = {"pawn": 1}
MASKS = [0b111, 0b111000]
BIG = 2**62
NESTED = {0: {0: 1, 1: 2}, 1: {0: 3, 1: 4}}
GRID3 = [[[1, 2], [3]], [[4], [5, 6]]]
Move = namedtuple("Move", "src dst")
MOVES = [Move(0, 1), Move(2, 3)]
BOOLS = [True, False, True, False, True, True]
NPA = np.array([3, 1, 4, 1, 5, 9])
NP2 = np.arange(12).reshape(6, 2)
OPP = {1: 2, 2: 1}
NAMES = {0: "white", 1: "black"}


class Colour(Enum):
    WHITE = 1
    BLACK = 2


class Cell(IntEnum):
    EMPTY = 0
    WHITE = 1
    BLACK = 2


class Params:
    size = 6
    weights = [1, 2, 3, 4, 5, 6]
    table = {0: 1, 1: 2, 2: 3}
    near = ((1,), (0, 2), (1,), (4,), (3, 5), (4,))

    @staticmethod
    def f(x):
        return x + 1

    @classmethod
    def g(cls, x):
        return x + cls.size


def adj_dict(s):
    return sum(s.b[n] for c in ADJ for n in ADJ[c])


def adj_list(s):
    return sum(1 for c in range(6) if s.b[c] == 1 and any(s.b[n] == 0 for n in ADJL[c]))


def adj_sets(s):
    return sum(1 for c in range(6) for n in ADJS[c] if s.b[n] == s.b[c])


def in_adj_set(s):
    return 1 if s.b[0] in ADJS[s.turn] else 0


def lines_of(s):
    return sum(all(s.b[x] == 1 for x in line) for line in LINES_OF[s.b[0]])


def lines_at(s):
    n = 0
    for a, b, c in LINES_AT[s.b[1]]:
        if s.b[a] == s.b[b] == s.b[c]:
            n += 1
    return n


def closes(s):
    return int(any(all(s.b[x] == s.turn + 1 or x == 3 for x in line) for line in MILLS if 3 in line))


def dirs(s):
    n = 0
    for dr, dc in DIRS:
        r, c = 0 + dr, 1 + dc
        if (r, c) in INDEX and s.b[INDEX[(r, c)]] == 0:
            n += 1
    return n


def coords(s):
    r, c = COORD[s.b[0]]
    return r * 10 + c


def get_none(s):
    x = INDEX.get((s.turn, s.b[0]))
    return -1 if x is None else x


def nested_dict(s):
    return NESTED[s.turn][s.b[0] % 2]


def three_deep(s):
    return sum(x for a in GRID3 for b in a for x in b) + GRID3[s.turn][1][0] + len(GRID3[1][1])


def named_moves(s):
    return sum(m.dst - m.src for m in MOVES if s.b[m.src] == 0)


def bools(s):
    return sum(1 for i in range(6) if BOOLS[i] and s.b[i])


def numpy_const(s):
    return int(NPA[s.b[0]] + NP2[s.b[1], 1] + NP2.sum())


def numpy_rows(s):
    n = 0
    for a, b in NP2:
        n += a * s.turn + b
    return n


def opp(s):
    return OPP[s.turn + 1]


def enum_value(s):
    return 1 if s.b[0] == Colour.WHITE.value else 0


def enum_list(s):
    return sum(s.b[i] == Cell.WHITE for i in range(6)) - sum(x == Cell.BLACK for x in s.b)


def enum_call(s):
    return 1 if Cell(s.b[0]) == Cell.WHITE else 0


def enum_loop(s):
    return sum(s.b.count(c) * c for c in Cell)


def class_const(s):
    return Params.size + Params.weights[s.turn] + Params.table[s.turn] + sum(s.b[x] for x in Params.near[1])


def class_static(s):
    return Params.f(s.turn)


def ternary_chain(s):
    return "white" == NAMES[s.turn]


def str_eq(s):
    return 1 if NAMES[s.turn] == "black" else 2


def abs_diff(s):
    return abs(s.b[0] - s.b[1]) + max(s.b[0], s.b[1], 1) + min(3, s.turn)


def while_else(s):
    i = 0
    while i < 6:
        if s.b[i] == 2:
            break
        i += 1
    else:
        return -1
    return i


def nested_if_any(s):
    if not any(x for x in s.b):
        return 0
    elif all(s.b):
        return 1
    return 2


def multi_any(s):
    return int(any(s.b[i] == p for i in range(6) for p in (1, 2) if i != p))


def sum_len(s):
    return len({x for x in s.b}) * 10 + len(set(s.b))


def set_ops(s):
    mine = {i for i in range(6) if s.b[i] == 1}
    theirs = {i for i in range(6) if s.b[i] == 2}
    return len(mine & theirs) + len(mine | theirs) * 10 + len(mine - theirs) * 100


def set_subset(s):
    mine = {i for i in range(6) if s.b[i] == 1}
    return int(any(set(line) <= mine for line in MILLS))


def set_issub(s):
    mine = {i for i in range(6) if s.b[i] == 1}
    return int(any(mine.issuperset(line) for line in MILLS))


def flood(s):
    seen = set()

    def visit(c):
        if c in seen or s.b[c] != s.b[0]:
            return
        seen.add(c)
        for n in ADJ[c]:
            visit(n)

    visit(0)
    return len(seen)


def flood_stack(s):
    todo, seen = [0], {0}
    while todo:
        c = todo.pop()
        for n in ADJL[c]:
            if n not in seen and s.b[n] == s.b[c]:
                seen.add(n)
                todo.append(n)
    return len(seen)


def flood_bits(s):
    seen, front = 1, [0]
    for c in front:
        for n in ADJ[c]:
            if not seen >> n & 1 and s.b[n] == s.b[c]:
                seen |= 1 << n
                front.append(n)
    return bin(seen).count("1")


def union_find(s):
    parent = list(range(6))

    def find(x):
        while parent[x] != x:
            x = parent[x]
        return x

    for c in range(6):
        for n in ADJL[c]:
            if s.b[c] == s.b[n]:
                parent[find(c)] = find(n)
    return len({find(c) for c in range(6)})


def two_d(s):
    grid = [s.b[:3], s.b[3:]]
    return grid[1][s.turn]


def two_d_list(s):
    grid = [list(s.b[:3]), list(s.b[3:])]
    grid[0][1] = 9
    return sum(sum(row) for row in grid)


def two_d_comp(s):
    grid = [[s.b[3 * r + c] for c in range(3)] for r in range(2)]
    return sum(grid[r][c] * (r + c) for r in range(2) for c in range(3))


def transpose(s):
    rows = (s.b[:3], s.b[3:])
    return sum(a * b for a, b in zip(*rows))


def zip_const(s):
    return sum(s.b[i] * w for i, w in zip(range(6), [1, 2, 3, 4, 5, 6]))


def zip_three(s):
    return sum(a * b + c for a, b, c in zip(s.b, s.b[1:], s.b[2:]))


def dict_zip(s):
    d = dict(zip(range(6), s.b))
    return d[3]


def enumerate_const(s):
    n = 0
    for i, (a, b, c) in enumerate(MILLS):
        n += i * s.b[a] + s.b[c]
    return n


def sort_inplace(s):
    b = list(s.b)
    b.sort()
    return b[0] * 10 + b[-1]


def sort_reverse_inplace(s):
    b = sorted(s.b, reverse=True)
    b.reverse()
    return b[0]


def sorted_pairs(s):
    return sorted((x, i) for i, x in enumerate(s.b))[0][1]


def max_pair(s):
    return max((x, -i) for i, x in enumerate(s.b))[1]


def argmax(s):
    return max(enumerate(s.b), key=lambda p: p[1])[0]


def argmax2(s):
    return s.b.index(max(s.b))


def counter_list(s):
    counts = [0] * 3
    for x in s.b:
        counts[x] += 1
    return counts[0] * 100 + counts[1] * 10 + counts[2]


def counter_tuple(s):
    return tuple(s.b.count(x) for x in range(3))[1]


def reversed_enum(s):
    n = 0
    for i, x in enumerate(reversed(s.b)):
        n += i * x
    return n


def range_step(s):
    return sum(s.b[i] for i in range(0, 6, 2)) + sum(s.b[i] for i in range(5, -1, -2))


def neg_index(s):
    return s.b[-1] * 10 + s.b[-2]


def chained_assign(s):
    a = b = s.b[0]
    a += 1
    return a * 10 + b


def swap(s):
    a, b = s.b[0], s.b[1]
    a, b = b, a
    return a * 10 + b


def global_fn_late(s):
    return late(s.b[0])


def try_bare(s):
    try:
        x = s.b[0]
    except Exception:
        x = 5
    return x


def pass_tuple(s):
    return helper_tuple(s.b, (1, 2))


def helper_tuple(b, pair):
    x, y = pair
    return b[x] * 10 + b[y]


def return_tuple(s):
    lo, hi = extremes(s.b)
    return hi - lo


def extremes(b):
    return min(b), max(b)


def return_namedtuple(s):
    m = best_move(s)
    return m.src * 10 + m.dst


def best_move(s):
    return Move(s.b[0], s.b[1])


def nested_gen(s):
    return sum(sum(s.b[x] for x in line) ** 2 for line in MILLS)


def gen_of_helper(s):
    return max(score(s, m) for m in gen_moves(s)) if any(True for _ in gen_moves(s)) else 0


def gen_moves(s):
    for i in range(6):
        if s.b[i] == 0:
            yield i


def score(s, m):
    return m * 2


def list_gen(s):
    ms = list(gen_moves(s))
    return len(ms)


def sorted_gen(s):
    return len(sorted(gen_moves(s), key=lambda m: -m))


def min_moves(s):
    return min(gen_moves(s), default=99)


def len_gen(s):
    return sum(1 for _ in gen_moves(s))


def bool_ret(s):
    return s.turn == 0


def xor(s):
    return (s.b[0] == 1) ^ (s.b[1] == 1)


def isin_range(s):
    return int(s.b[0] in range(1, 3))


def compare_chain(s):
    return int(s.b[0] == s.b[1] == s.b[2] != 0)


def starred_list(s):
    xs = [*s.b, 7]
    return len(xs) + xs[-1]


def slice_list(s):
    xs = list(s.b)
    return sum(xs[1:4]) + len(xs[::2])


def del_item(s):
    xs = list(s.b)
    del xs[0]
    return len(xs)


def list_remove(s):
    xs = [0, 1, 2]
    xs.remove(1)
    return xs[1]


def list_insert(s):
    xs = [1]
    xs.insert(0, s.turn)
    xs.extend([3, 4])
    return xs[0] + len(xs)


def list_concat(s):
    return len([1, 2] + [x for x in s.b])


def in_list(s):
    xs = [i for i in range(6) if s.b[i]]
    return int(3 in xs)


def str_join(s):
    return 1 if "a" in "abc" else 0


def shift(s):
    mask = 0
    for i, x in enumerate(s.b):
        if x:
            mask |= 1 << i
    return mask


def mask_any(s):
    mask = sum(1 << i for i, x in enumerate(s.b) if x == 1)
    return int(any(mask & m == m for m in MASKS))


def bits_loop(s):
    total = 0
    for i in zs.bits(0b101):
        total += s.b[i]
    return total


def popcount_m(s):
    return (s.b[0] | 4).bit_count()


def int_float(s):
    return int(s.b[0] * 1.5) + round(s.b[1] / 2) + math.floor(2.7) + math.ceil(2.1)


def sign(s):
    return (s.b[0] > s.b[1]) - (s.b[0] < s.b[1])


def copysign(s):
    return int(math.copysign(3, -1))


def ifexp_none(s):
    winner = None
    for a, b, c in MILLS:
        if s.b[a] == s.b[b] == s.b[c] and s.b[a]:
            winner = s.b[a]
    return 0 if winner is None else winner


def early_none(s):
    w = winner_of(s)
    if w is None:
        return 0
    return 1 if w == 1 else -1


def winner_of(s):
    for a, b, c in MILLS:
        if s.b[a] == s.b[b] == s.b[c] != 0:
            return s.b[a]
    return None


def winner_implicit(s):
    w = winner_imp(s)
    return 5 if w is None else w


def winner_imp(s):
    for a, b, c in MILLS:
        if s.b[a] == s.b[b] == s.b[c] != 0:
            return s.b[a]


def or_default(s):
    return s.b[0] or s.b[1] or 7


def and_value(s):
    return s.b[0] and s.b[1]


def walrus_any(s):
    return int(any((x := s.b[i]) == 2 and x > i for i in range(6)))


def walrus_comp(s):
    return sum([y for x in s.b if (y := x * 2) > 1])


def walrus_elif(s):
    if s.turn == 5:
        return 1
    elif (n := s.b.count(1)) > 2:
        return n
    return -1


def local_import(s):
    from itertools import product
    import math

    return sum(i * j for i, j in product(range(2), range(3))) + math.gcd(4, 6)


def local_tuple_table(s):
    table = ((0, 1), (2,), (3, 4, 5))
    return sum(s.b[x] for x in table[s.turn])


def local_list_table(s):
    table = [[0, 1], [2], [3, 4, 5]]
    return sum(s.b[x] for x in table[s.turn])


def local_range_list(s):
    order = [3, 2, 4, 1, 5, 0]
    return next((i for i in order if s.b[i] == 0), -1)


def lambda_arg(s):
    return apply(lambda x: x + 1, s.turn)


def apply(f, x):
    return f(x)


def type_check(s):
    return 1 if isinstance(s.turn, int) else 0


def pow_(s):
    return 2 ** s.b[0] + 10**2


def floor_neg(s):
    return -7 // 2 + (-7 % 3) + (-s.b[0]) // 2


def accumulate_(s):
    return sum(accumulate(s.b))


def islice_(s):
    return sum(islice(s.b, 2))


def takewhile_(s):
    return sum(1 for _ in takewhile(lambda x: x == 0, s.b))


def cycle_(s):
    return sum(repeat(s.turn, 3))


def itemgetter_(s):
    return max(MILLS, key=operator.itemgetter(1))[0]


def any_map(s):
    return int(any(map(lambda line: all(s.b[x] == 1 for x in line), MILLS)))


def all_in(s):
    return int(all(x in (0, 1, 2) for x in s.b))


def dict_comp_local(s):
    pos = {x: i for i, x in enumerate(s.b)}
    return sum(pos.values()) + len(pos)


def setdefault_(s):
    d = {}
    for x in s.b:
        d.setdefault(x, 5)
    return len(d)


def tuple_concat_many(s):
    return sum((0,) + s.b + (1, 2))


def tuple_slice_var(s):
    n = 3
    return sum(s.b[:n])


def tuple_eq(s):
    return int(s.b[:3] == (1, 1, 1))


def tuple_in_tuple(s):
    return int(s.b[:3] in ((1, 1, 1), (2, 2, 2)))


def set_of_tuples_local(s):
    wins = {(1, 1, 1), (2, 2, 2)}
    return int(s.b[:3] in wins)


def unpack_nested(s):
    (a, b), c = (s.b[0], s.b[1]), s.b[2]
    return a * 100 + b * 10 + c


def for_tuple_lit(s):
    n = 0
    for i in 0, 2, 4:
        n += s.b[i]
    return n


def for_pairs_lit(s):
    n = 0
    for a, b in ((0, 1), (2, 3)):
        n += s.b[a] * s.b[b]
    return n


def for_pairs_list_lit(s):
    n = 0
    for a, b in [(0, 1), (2, 3)]:
        n += s.b[a] * s.b[b]
    return n


def gen_pairs_lit(s):
    return sum(s.b[a] for a, b in [(0, 1), (2, 3)] if s.b[b])


def method_chain(s):
    return s._replace(turn=1 - s.turn).at(0)


def state_unpack(s):
    b, turn = s
    return b[0] + turn


def state_index(s):
    return s[1]


def state_eq(s):
    return int(s == P((0,) * 6, 0))


def state_kw(s):
    return P(b=s.b, turn=3).turn


def docstring(s):
    """Counts."""
    return 1


def ellipsis_(s):
    ...
    return 2


def late(x):
    return x + 1


HELPERS = {"gen_moves", "winner_of", "winner_imp", "best_move"}
IDIOMS = [f for f in list(globals().values()) if getattr(f, "__module__", "") == __name__ and hasattr(f, "__code__")]
IDIOMS = [f for f in IDIOMS if f.__code__.co_varnames[: f.__code__.co_argcount] == ("s",) and f.__name__ not in HELPERS]
