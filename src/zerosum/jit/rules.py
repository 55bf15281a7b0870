"""A game's rules as kernels call them: one form for every game, plain or to be compiled.

A kernel's only data is its memory, one row of words. Rules get that row too, because it holds the addresses of the
game's tables: new tables never recompile anything. ``at``, the kernel's plan, gives the layout of the row.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from zerosum.contract import MIXED, RULES, SAME, VALUE, Rule, takes_tables
from zerosum.errors import MissingRule
from zerosum.game import PROBABILITY_TOLERANCE, Game
from zerosum.jit.bits import mix, signed
from zerosum.jit.plan import ERROR, STOP, Plan
from zerosum.jit.words import float_word, floating, to_u64, whole, word_float
from zerosum.jit.yields import COUNT, FILL, IMPROBABLE, PAIRS, SET, TOO_MANY, Filling


def recursive(*words: str) -> Any:
    """Mark a recursive kernel function with its one signature: the return type, then the arguments.

    The words are ``int``, ``float``, ``State`` and ``memory``.
    """

    def mark(function: Any) -> Any:
        function.zerosum_types = words
        return function

    return mark


def fast_sums(function: Any) -> Any:
    """Mark a function whose float sums may be added up in any order, so that they can be vectorised."""
    function.zerosum_fast = True
    return function


class Rules:
    """The functions that a kernel calls, and the facts it is built around.

    ``moves(s, mem, at, end)`` fills ``mem[at:end]`` and returns the number of moves, negative if the rule
    broke the contract; ``count_moves`` takes the same arguments and only counts, and
    ``moves_into(s, out, at, end, mem)`` fills another row. ``chances`` writes two words for each outcome, the outcome
    and the bits of its probability, and returns the number of outcomes. ``active(s, player, mem, at, end)`` sets a bit
    for each feature, from ``mem[at]`` on, and returns 0, or a negative number if one is not below ``end``. All other
    rules take the memory last. In games with chances ``utility`` and ``evaluate`` are floats. A kernel that does not
    use ``clock`` itself gets an ``is_terminal`` and a ``utility`` that take the clock into account.

    ``unpack(mem, at)`` is the State whose words begin at ``mem[at]``, and ``pack(s, mem, at)`` writes it there.
    ``gather(mem, at, step)`` and ``scatter(s, mem, at, step)`` do the same with words that are ``step`` apart.

    ``tables(mem)`` are the game's tables.

    A kernel calls ``fail(s, code, mem)`` when a rule broke the contract in ``s``: it records the error for the caller
    and stops the kernel. It returns 0.
    """

    if TYPE_CHECKING:

        def __getattr__(self, rule: str) -> Any: ...

    def __init__(self, game: Game, uses: Iterable[str], compiled: bool, plan: Plan | None = None) -> None:
        self.game, self.compiled = game, compiled
        self.max_moves, self.max_chances = game.max_moves, game.max_chances
        self.scored = game.scored
        self.repetition = game.repetition
        self.at = plan or Plan(game)
        self.has = {rule: game.has(rule) for rule in uses}
        made = _state_functions(game)
        self.pack, self.unpack = made["pack"], made["unpack"]
        self.scatter, self.gather = made["scatter"], made["gather"]
        coerce = made["coerce"] if compiled else game.state
        self.fail = _failing(self.pack, self.at.faulty_state)
        self.tables = tables = None if game.tables is None else _tables(game, self.at.tables, compiled)
        for rule in uses:
            setattr(self, rule, self._rule(rule, coerce, tables, compiled, made))
        if game.has("clock") and "clock" not in uses and "is_terminal" in uses:
            self.clock, self.moves = (self._rule(rule, coerce, tables, compiled, made) for rule in ("clock", "moves"))
            self.is_terminal, self.utility = self.counting_the_clock()
        if "moves" in uses:
            moves = game.given["moves"]
            bind = tables if takes_tables("moves", moves) else None
            self.count_moves = _count(Filling(moves, COUNT), bind) if compiled else _fill_plainly(game, "moves")
            self.moves_into = _fill_into(Filling(moves, FILL), bind) if compiled else _fill_into_plainly(game)

    def counting_the_clock(self) -> tuple[Any, Any]:
        """``is_terminal`` and ``utility`` that take the clock into account."""
        is_terminal, utility = self.is_terminal, getattr(self, "utility", _zero)
        if not self.game.has("clock"):
            return is_terminal, utility
        clock, moves, spare, width = self.clock, self.moves, self.at.spare, self.max_moves

        def is_out_of_time(s: Any, mem: Any) -> Any:
            if clock(s, mem) > 0 or is_terminal(s, mem):
                return False
            at = whole(spare)  # a constant would have its own type, for which ``moves`` would be compiled once more
            return moves(s, mem, at, at + width) > 0

        def ends(s: Any, mem: Any) -> Any:
            return is_terminal(s, mem) or is_out_of_time(s, mem)

        def result(s: Any, mem: Any) -> Any:
            return 0 if is_out_of_time(s, mem) else utility(s, mem)

        return ends, result

    def _rule(self, name: str, coerce: Any, tables: Any, compiled: bool, made: dict[str, Any]) -> Any:
        game, rule = self.game, RULES[name]
        if not game.has(name):
            return _stand_in(rule, game, made["key"])
        function = game.given[name]
        if not callable(function):  # one pair for all states
            return _constant(tuple(function), 1)
        bind = tables if takes_tables(name, function) else None
        if rule.returns == "moves":
            return _fill(Filling(function, FILL), bind) if compiled else _fill_plainly(game, name)
        if rule.returns == "pairs":
            return _fill_pairs(_fill(Filling(function, PAIRS), bind)) if compiled else _fill_pairs_plainly(game)
        if rule.returns == "set":
            return _fill_set(Filling(function, SET), bind)
        return _CALLS[len(rule.arguments)](function, _conversion(rule.returns, game, coerce), bind)


def _conversion(kind: str, game: Game, coerce: Any) -> Any:
    """The function that converts the result of a rule of this kind to its one type."""
    fractions = game.has("chances")
    return {
        "State": coerce,
        "key": signed,
        "number": floating if fractions else whole,
        "pair": _pair_of_floats if fractions else _pair,
    }.get(kind, whole)


def _stand_in(rule: Rule, game: Game, mixed: Any) -> Any:
    """The function that kernels call if the author left a rule out. If the difference matters, they check ``has``."""
    default = rule.default
    if rule.returns == "set":
        return _no_set
    if default is None:
        raise MissingRule(f"{game.name} defines no {rule.call}")
    if default == SAME:
        return _same
    if default == VALUE:
        return _same_value
    if default == MIXED:
        return mixed
    if default == ():
        return _no_moves
    if rule.returns == "number" and game.has("chances"):
        default = float(default)
    elif isinstance(default, bool):
        default = int(default)  # the result of an author's function would be converted in the same way
    return _constant(default, len(rule.arguments))


def _zero(s: Any, mem: Any) -> int:
    return 0


def _constant(value: Any, arguments: int) -> Any:
    if arguments == 1:
        return lambda s, mem: value
    if arguments == 3:
        return lambda s, low, high, mem: value
    return lambda s, move, mem: value


def _same(s: Any, mem: Any) -> Any:
    return s


def _same_value(s: Any, value: int, mem: Any) -> int:
    return value


def _no_moves(s: Any, mem: Any, at: int, end: int) -> int:
    return 0


def _no_set(s: Any, player: int, mem: Any, at: int, end: int) -> int:
    return 0


def _pair(bounds: Any) -> tuple[int, int]:
    return whole(bounds[0]), whole(bounds[1])


def _pair_of_floats(bounds: Any) -> tuple[float, float]:
    return floating(bounds[0]), floating(bounds[1])


def _call(rule: Any, convert: Any, tables: Any) -> Any:
    if tables is None:
        return lambda s, mem: convert(rule(s))
    return lambda s, mem: convert(rule(s, tables(mem)))


def _call_with_move(rule: Any, convert: Any, tables: Any) -> Any:
    if tables is None:
        return lambda s, move, mem: convert(rule(s, move))
    return lambda s, move, mem: convert(rule(s, move, tables(mem)))


def _call_with_window(rule: Any, convert: Any, tables: Any) -> Any:
    if tables is None:
        return lambda s, low, high, mem: convert(rule(s, low, high))
    return lambda s, low, high, mem: convert(rule(s, low, high, tables(mem)))


# Two arguments are a state and a move, a tier and an index, or a state and the row to fill.
_CALLS = {1: _call, 2: _call_with_move, 3: _call_with_window}


def _fill(rule: Any, tables: Any) -> Any:
    if tables is None:
        return lambda s, mem, at, end: rule(s, mem, at, end)
    return lambda s, mem, at, end: rule(s, tables(mem), mem, at, end)


def _fill_set(rule: Any, tables: Any) -> Any:
    if tables is None:
        return lambda s, player, mem, at, end: rule(s, player, mem, at, end)
    return lambda s, player, mem, at, end: rule(s, player, tables(mem), mem, at, end)


def _count(rule: Any, tables: Any) -> Any:
    fill = _fill(rule, tables)

    def count(s: Any, mem: Any, at: int, end: int) -> int:
        n = fill(s, mem, at, end)
        return n if n <= end - at else TOO_MANY

    return count


def _fill_into(rule: Any, tables: Any) -> Any:
    if tables is None:
        return lambda s, out, at, end, mem: rule(s, out, at, end)
    return lambda s, out, at, end, mem: rule(s, tables(mem), out, at, end)


def _fill_into_plainly(game: Game) -> Any:
    def fill(s: Any, out: Any, at: int, end: int, mem: Any) -> int:
        moves = game.checked_moves("moves", s)
        for i, move in enumerate(moves):
            out[at + i] = move
        return len(moves)

    return fill


def _fill_plainly(game: Game, rule: str) -> Any:
    def fill(s: Any, mem: Any, at: int, end: int) -> int:
        moves = game.checked_moves(rule, s)
        mem[at : at + len(moves)] = moves
        return len(moves)

    return fill


def _fill_pairs(fill: Any) -> Any:
    def check(s: Any, mem: Any, at: int, end: int) -> int:
        words = fill(s, mem, at, end)
        if words < 0:
            return words  # type: ignore[no-any-return]
        total = 0.0
        for i in range(at + 1, at + words, 2):
            probability = word_float(mem[i])
            if not probability > 0.0:
                return IMPROBABLE
            total += probability
        return words >> 1 if abs(total - 1.0) <= PROBABILITY_TOLERANCE else IMPROBABLE

    return check


def _fill_pairs_plainly(game: Game) -> Any:
    def fill(s: Any, mem: Any, at: int, end: int) -> int:
        pairs = game.checked_chances(s)
        for i, (outcome, probability) in enumerate(pairs):
            mem[at + 2 * i], mem[at + 2 * i + 1] = outcome, float_word(probability)
        return len(pairs)

    return fill


def _failing(pack: Any, faulty_state: int) -> Any:
    def fail(s: Any, code: int, mem: Any) -> int:
        pack(s, mem, faulty_state)
        mem[ERROR] = code
        mem[STOP] = 1
        return 0

    return fail


def _state_functions(game: Game) -> dict[str, Any]:
    """Functions that convert between a State and its words, generated for this State; for plain and compiled use."""
    layout = game.state_type
    convert = {"int": "signed", "u64": "to_u64"}
    paths: list[str] = []
    layout.expression(lambda i, path, kind: paths.append(path) or "")  # type: ignore[func-returns-value]
    text = [
        "def unpack(mem, at):",
        "    return " + layout.expression(lambda i, path, kind: f"{convert[kind]}(mem[at + {i}])"),
        "def coerce(x):",
        "    return " + layout.expression(lambda i, path, kind: f"{convert[kind]}(whole(x{path}))"),
        "def pack(s, mem, at):",
        *(f"    mem[at + {i}] = signed(s{path})" for i, path in enumerate(paths)),
        "def gather(mem, at, step):",
        "    return " + layout.expression(lambda i, path, kind: f"{convert[kind]}(mem[at + {i} * step])"),
        "def scatter(s, mem, at, step):",
        *(f"    mem[at + {i} * step] = signed(s{path})" for i, path in enumerate(paths)),
        "def key(s, mem):",
        f"    h = mix({0x9E3779B97F4A7C15 >> 1}, s{paths[0]})",
        *(f"    h = mix(h, s{path})" for path in paths[1:]),
        "    return h",
    ]
    scope: dict[str, Any] = {**layout.classes(), "signed": signed, "to_u64": to_u64, "whole": whole, "mix": mix}
    exec(compile("\n".join(text), f"<state of {game.name}>", "exec"), scope)
    return scope


def _tables(game: Game, first: int, compiled: bool) -> Any:
    """A function from the memory to the game's tables."""
    if not compiled:
        tables = game.tables
        return lambda mem: tables
    from zerosum.jit.tables import tables_reader

    return tables_reader(game.tables, first)
