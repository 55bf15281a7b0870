"""Rules that cannot be compiled, each with words that its error message must contain, to help newcomers."""

from __future__ import annotations

import random
from collections import Counter
from typing import NamedTuple

from natural_rules import P

SCORES = {"x": 1, "o": -1}
ACTIONS = {0: lambda s: 1, 1: lambda s: 2}
TABLE = [1, 2, 3]
ODD = [1, "a"]
N = 0
WANTED: dict[object, tuple[str, str]] = {}


class Settings:
    def __init__(self):
        self.size = 3


SETTINGS = Settings()


class Pair(NamedTuple):
    x: int
    y: int


def wanted(*words, rule="evaluate"):
    def note(function):
        WANTED[function] = (rule, words)
        return function

    return note


@wanted("returns a float", "//")
def division(s):
    return s.b[0] / 2


@wanted("returns nothing", "return")
def no_return(s):
    if s.turn == 0:
        return 1


@wanted("returns nothing", "return")
def never_returns(s):
    s.turn + 1


@wanted("must not change the module-level N", "global N")
def counting(s):
    global N
    N += 1
    return N


@wanted("cannot print", "jit=False", "print(s)")
def printing(s):
    print(s)
    return 0


@wanted("cannot print", "talk", "here")
def printing_in_a_helper(s):
    return talk(s)


def talk(s):
    print("here")
    return 0


@wanted("the same result each time", "chances")
def gambling(s):
    return random.choice(s.b)


@wanted("Counter is not supported", "count")
def counted(s):
    return Counter(s.b)[1]


@wanted("key 'x'", "whole numbers")
def by_name(s):
    return SCORES["x"]


@wanted("ACTIONS", "a function as a value", "if")
def dispatched(s):
    return ACTIONS[s.turn](s)


@wanted("'except IndexError' cannot be compiled", "if")
def catching(s):
    try:
        return s.b[7]
    except IndexError:
        return 0


@wanted("'with' cannot be compiled")
def opening(s):
    with open("x") as f:
        return 0


@wanted("s.turn cannot be assigned", "_replace")
def assigning(s):
    s.turn = 1
    return 0


@wanted("is a tuple, which never changes", "list(s.b)")
def changing(s):
    s.b[0] = 1
    return 0


@wanted("must not change the module-level TABLE", "list(TABLE)")
def changing_a_constant(s):
    TABLE[0] = 5
    return 0


@wanted("f-strings cannot be compiled")
def formatted(s):
    return len(f"{s.turn}")


@wanted("length must be fixed")
def filtered(s):
    return len(tuple(x for x in s.b if x))


@wanted("returns a tuple", "not a whole number")
def returning_a_pair(s):
    return s.turn, 1


@wanted("UNKNOWN", "not defined")
def unknown(s):
    return UNKNOWN


@wanted("no field 'trun'", "did you mean 'turn'")
def misspelt(s):
    return s.trun


@wanted("no field 'size'", "b, turn")
def no_such_field(s):
    return s.size


@wanted("no method 'append'", "tuple")
def appending(s):
    s.b.append(1)
    return 0


@wanted("whole number", "'foo'")
def method_of_a_number(s):
    return s.turn.foo()


@wanted("weighted", "arguments")
def too_few_arguments(s):
    return weighted(s)


def weighted(s, cell):
    return s.b[cell]


@wanted("SETTINGS", "instance of Settings")
def an_object(s):
    return SETTINGS.size


@wanted("Settings", "class")
def making_an_object(s):
    return Settings().size


@wanted("yields", "return")
def yielding(s):
    yield 1


@wanted("cannot be looped over", "range")
def looping_over_a_number(s):
    n = 0
    for i in s.turn:
        n += i
    return n


@wanted("whole number")
def fractional_index(s):
    return s.b[s.turn / 2]


@wanted("text", "number")
def adding_text(s):
    return s.turn + "1"


@wanted("in one place", "x is a whole number", "a different variable")
def two_kinds(s):
    x = 1
    if s.turn:
        x = (1, 2)
    return x[0]


@wanted("ODD")
def mixed_list(s):
    return ODD[0]


@wanted("classmethod")
def a_class_method(s):
    return Other.make(s)


class Other(NamedTuple):
    x: int

    @classmethod
    def make(cls, s):
        return 1


@wanted("a tuple", "whole number", "divmod", rule="moves")
def moves_of_pairs(s):
    for i in range(2):
        yield i, i + 1


@wanted("a string", "format_move", rule="moves")
def moves_of_text(s):
    yield "a1"


@wanted("a float", "whole number", rule="moves")
def moves_of_fractions(s):
    for i in range(3):
        yield i / 2


@wanted("a set has no order", rule="moves")
def moves_in_a_set(s):
    return {i for i in range(6) if s.b[i] == 0}


@wanted("not a P", rule="play")
def playing_without_state(s, move):
    return s.b


@wanted("returns nothing", rule="play")
def playing_without_return(s, move):
    P(s.b, 1 - s.turn)


@wanted("turn", "a float", rule="play")
def playing_with_fractions(s, move):
    return P(s.b, s.turn / 2)


@wanted("b", "5", rule="play")
def playing_with_a_short_tuple(s, move):
    return P(s.b[1:], 1 - s.turn)


@wanted("MAX or MIN", rule="to_move")
def nobody_moves(s):
    return "X"


@wanted("even and odd call each other", "recursive")
def calling_in_a_circle(s):
    return even(s.b[0] + 4)


def even(n):
    return 1 if n == 0 else odd(n - 1)


def odd(n):
    return 0 if n == 0 else even(n - 1)
