"""Facts about rules in natural Python: compiled, they do the same as in Python, or are refused in plain words.

The rules are those of ``natural_rules.py``, ``natural_more.py`` and ``natural_refusals.py``.
"""

from __future__ import annotations

import natural_more
import natural_refusals
import natural_rules
import pytest
from looking import GUESS

import zerosum as zs
from zerosum.contract import RULES
from zerosum.errors import KernelError
from zerosum.jit import lift
from zerosum.jit.diagnose import try_rule
from zerosum.jit.lift import Lifter
from zerosum.jit.natural import natural
from zerosum.jit.yields import called_form
from zerosum.search.minimax import MINIMAX

DEBUG = False
talk = natural_refusals.talk
CLASSES = {"P": natural_rules.P}
RULES_OF = [
    *(("evaluate", f) for f in (*natural_rules.IDIOMS, *natural_more.IDIOMS)),
    *(("play", f) for f in natural_rules.PLAYS),
    *(("moves", f) for f in natural_rules.MOVES),
]


def name_of(value):
    return value.__name__ if callable(value) else None


def questions(rule):
    """The arguments for a rule: states, with their moves if it takes one."""
    if rule == "play":
        return [(s, i) for s in natural_rules.STATES for i in range(6) if s.b[i] == 0]
    return [(s,) for s in natural_rules.STATES]


def answers(rule, function):
    return [list(function(*q)) if rule == "moves" else function(*q) for q in questions(rule)]


@pytest.mark.parametrize(("rule", "function"), RULES_OF, ids=name_of)
def test_the_rewritten_function_is_the_same_function_to_python(rule, function):
    assert answers(rule, natural(function, CLASSES, rule == "moves")) == answers(rule, function)


def compiled_answers(rule, function):
    """The results of the rule as machine code."""
    compiled = getattr(natural_rules.game(**{rule: function}).compiled, rule)
    return answers(rule, compiled)


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "function"), RULES_OF, ids=name_of)
def test_every_idiom_means_the_same_compiled(rule, function):
    assert compiled_answers(rule, function) == answers(rule, function)
    MINIMAX.compiled(natural_rules.game(**{rule: function}))  # also compares, and refuses interpreter calls


SOME = (
    *(
        "dict_by_pairs",
        "dict_of_lists",
        "set_of_pairs",
        "ragged_enumerate",
        "list_of_lists_of_tuples",
        "any_all_nested",
    ),
    *("max_key", "max_default", "tuple_count", "tuple_star", "list_stack", "bit_count", "walrus_in_while"),
    *(
        "inner_generator",
        "inner_recursion",
        "state_method",
        "state_property",
        "product_constant",
        "combinations_of_tuple",
    ),
    *("play_by_list", "play_by_slices", "play_by_append", "moves_guarded", "moves_in_an_inner_function"),
)


@pytest.mark.parametrize(("rule", "function"), [r for r in RULES_OF if r[1].__name__ in SOME], ids=name_of)
def test_idioms_mean_the_same_compiled(rule, function):
    assert compiled_answers(rule, function) == answers(rule, function)


def test_a_game_in_natural_python_is_searched():
    game = natural_rules.game(
        moves=natural_rules.moves_guarded, play=natural_rules.play_by_list, evaluate=natural_rules.any_all_nested
    )
    assert zs.perft(game, game.initial(), 4) == zs.perft(game, game.initial(), 4, jit=False)


@pytest.mark.parametrize(
    ("function", "rule", "words"), [(f, *wanted) for f, wanted in natural_refusals.WANTED.items()], ids=name_of
)
def test_what_cannot_be_compiled_is_refused_in_plain_words(function, rule, words):
    with pytest.raises(KernelError) as caught:
        try_rule(natural_rules.game(**{rule: function}), rule)
    message = str(caught.value)
    assert all(word in message for word in words)
    assert "\n" not in message
    assert not any(noise in message for noise in ("UniTuple", "reflected", "int64", "nopython", "Literal", "0x7"))


def test_a_message_in_bold_is_understood(monkeypatch):
    """Numba writes in bold if colorama is installed."""
    from numba.core import errors

    class Bold:
        def __getattr__(self, kind_of_text):
            return "\x1b[1m{}\x1b[0m".format

    monkeypatch.setattr(errors, "_termcolor_inst", Bold())
    with pytest.raises(KernelError, match="SETTINGS is an instance of Settings") as caught:
        try_rule(natural_rules.game(evaluate=natural_refusals.an_object), "evaluate")
    assert "\x1b" not in str(caught.value)


def test_a_kernel_refuses_in_the_same_words():
    with pytest.raises(KernelError, match=r"^natural: evaluate, in talk \(natural_refusals.py, line \d+: `print"):
        GUESS.compiled(natural_rules.game(evaluate=natural_refusals.printing_in_a_helper))


def test_a_function_that_no_rule_calls_may_do_as_it_likes():
    def evaluate(s):
        return talk(s) if DEBUG else s.turn

    game = natural_rules.game(evaluate=evaluate)
    assert game.compiled.evaluate(natural_rules.STATES[2]) == 1


@pytest.mark.parametrize(
    "name", ["tictactoe", "connect-four", "kalah", "othello", "chess", "checkers", "backgammon", "hex"]
)
def test_rules_that_numba_knows_as_they_are_stay_as_they_are(name, monkeypatch):
    changed = []

    def watched(function, *more, **words):
        made = natural(function, *more, **words)
        changed.extend([function.__qualname__] if made is not function else [])
        return made

    monkeypatch.setattr(lift, "natural", watched)
    game = zs.load(name)
    lifter = Lifter(game.state_type)
    for rule, function in game.given.items():
        if rule in RULES and RULES[rule].is_compiled and rule != "initial" and callable(function):
            lifter.function(function, called_form(rule))
    assert changed == []


def test_an_edit_to_a_method_of_the_state_is_noticed():
    def made(step):
        from typing import NamedTuple

        class Pile(NamedTuple):
            stones: int
            turn: int

            @property
            def other(self):
                return step - self.turn

            def show(self):
                return f"{step} stones"

        return zs.Game(
            "pile",
            Pile,
            lambda: Pile(9, 0),
            lambda s: s.turn,
            lambda s: (n for n in range(1, 4) if n <= s.stones),
            lambda s, n: Pile(s.stones - n, s.other),
            lambda s: 1 if s.turn else -1,
            3,
        )

    assert MINIMAX.digest(made(1)) == MINIMAX.digest(made(1))
    assert MINIMAX.digest(made(1)) != MINIMAX.digest(made(2))
