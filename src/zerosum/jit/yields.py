"""Turn generators, which authors write, into functions that fill a buffer, which kernels call.

(If an author's function returns its moves, ``returns.py`` first turns it into a generator.)

``def moves(s): ... yield m`` becomes ``def moves(s, out, at, end)``, which writes the moves to
``out[at], out[at + 1], ...``, never at or beyond ``end``, and returns their number, or one of the
negative codes below. The counting form only counts, perhaps to more than fit in the buffer, and a loop
over ``bits`` that only yields becomes a count of bits. ``yield outcome, probability`` writes two words,
the second with the bits of a float64. The numbers of a set become bits in a row of words, from ``out[at]`` on, if
they are below ``end``; a loop over ``bits`` that yields its board, shifted, adds the whole board to the row. In every
function, ``for i in bits(board)`` becomes a ``while`` loop over machine instructions.
"""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from operator import index as index_of
from types import CodeType, FunctionType
from typing import Any, NoReturn, TypeGuard

from zerosum.contract import RULES, plain
from zerosum.errors import KernelError
from zerosum.jit import bits as bits_module
from zerosum.jit.fingerprint import closure_of, is_foreign
from zerosum.jit.returns import PREFIX, Refuse, as_generator
from zerosum.jit.sources import place_of, source_of

TOO_MANY, OUT_OF_RANGE, IMPROBABLE, NO_FEATURE = -1, -2, -3, -4
"""What a filling function returns if there is no room for a move, or if one is not in 0 … 2**31 - 1, or if
probabilities are not positive or do not add up to 1, or if a set contains a number that is not allowed."""

FILLER = f"{PREFIX}fill_"  # before the name of a helper that yields or returns moves: its form that fills a buffer
DEFAULT = f"{PREFIX}default_"  # before the name of a parameter: its default value
JOIN = f"{PREFIX}join"  # the name of ``sets.join_board`` in rewritten code

# No exits from the middle of a loop: threads of a graphics card that leave a loop one by one would run the rest one
# after the other, until all their paths meet. So errors are recorded, and reported at the end.
_START = f"{PREFIX}n = {PREFIX}at\n{PREFIX}seen = {PREFIX}whole(0)\n{PREFIX}failed = {PREFIX}whole(0)"
_STORE = f"""
{PREFIX}m = {PREFIX}whole(0)
if {PREFIX}n < {PREFIX}end:
    {PREFIX}out[{PREFIX}n] = {PREFIX}m
{PREFIX}seen |= {PREFIX}m
{PREFIX}n += 1
"""
_STORE_PAIR = f"""
{PREFIX}pair = 0
{PREFIX}m = {PREFIX}whole({PREFIX}pair[0])
if {PREFIX}n < {PREFIX}end:
    {PREFIX}out[{PREFIX}n] = {PREFIX}m
    {PREFIX}out[{PREFIX}n + 1] = {PREFIX}float_word({PREFIX}pair[1])
{PREFIX}seen |= {PREFIX}m
{PREFIX}n += 2
"""
_STORE_BIT = f"""
{PREFIX}m = {PREFIX}whole(0)
if {PREFIX}m >= 0 and {PREFIX}m < {PREFIX}end:
    {PREFIX}out[{PREFIX}at + ({PREFIX}m >> 6)] |= {PREFIX}whole(1) << ({PREFIX}m & 63)
else:
    {PREFIX}failed = {PREFIX}whole({NO_FEATURE})
"""
_STORE_BOARD = f"""
{PREFIX}k = {JOIN}(0, 0, {PREFIX}out, {PREFIX}at, {PREFIX}end)
if {PREFIX}k < 0:
    {PREFIX}failed = {PREFIX}k
"""
_SET_FINISH = f"return {PREFIX}failed"
# Moves that are only counted are not checked for their range.
_COUNT_ONE = f"""
{PREFIX}m = {PREFIX}whole(0)
{PREFIX}n += 1
"""
_COUNT = f"{PREFIX}n += {PREFIX}popcount(0)"
_COUNT_NONE = f"{PREFIX}n += {1 << 40}"
_COUNT_DELEGATE = f"{PREFIX}n += 0"
_COUNT_FINISH = f"return {PREFIX}n - {PREFIX}at"
# Inserted only into loops that might never end.
_LEAVE = f"""
if {PREFIX}n > {PREFIX}end:
    break
"""
_DELEGATE = f"""
{PREFIX}k = 0
if {PREFIX}k < 0:
    {PREFIX}failed = {PREFIX}k
else:
    {PREFIX}n += {PREFIX}k
"""
# The bitwise or of all moves has a bit beyond the 31st exactly if one of them has: one test for all.
_FINISH = f"""
if {PREFIX}n > {PREFIX}end:
    {PREFIX}failed = {PREFIX}whole({TOO_MANY})
elif {PREFIX}seen < 0 or {PREFIX}seen >= {1 << 31}:
    {PREFIX}failed = {PREFIX}whole({OUT_OF_RANGE})
return {PREFIX}failed if {PREFIX}failed < 0 else {PREFIX}n - {PREFIX}at
"""


PLAIN, FILL, COUNT, PAIRS, SET, YIELD = "plain", "fill", "count", "pairs", "set", "yield"
"""The forms of a function: unchanged; filling a buffer with the items it yields or returns, counting them, filling a
buffer with pairs, or with bits; yielding them."""

# None instead of moves becomes an impossible move, so that the plain rule is called and reports the error.
_NOTHING = {
    FILL: "yield -1",
    COUNT: "yield -1",
    PAIRS: "yield -1, 1.0",
    SET: "yield -1",
    YIELD: "raise TypeError('None is not a list of moves')",
}

ENDING = ("range", "enumerate", "zip", "reversed", "bits")

GENERATES = ("moves", "pairs", "set")
"""The kinds of rules that yield or return several items."""


def called_form(rule: str) -> str:
    """The form in which Python can call a compiled rule."""
    return YIELD if RULES[rule].returns in GENERATES else PLAIN


@dataclass(frozen=True, eq=False)
class Filling:
    """A function that compiled code calls in one of its buffer-filling forms. Sets can be called in plain Python too.

    >>> row = [0, 0]
    >>> Filling(lambda s: (0, s), SET)(65, row, 0, 70), row
    (0, [1, 2])
    """

    generator: Any
    form: str = FILL

    def __post_init__(self) -> None:
        object.__setattr__(self, "generator", plain(self.generator))

    def __call__(self, *given: Any) -> int:
        """Set a bit in ``out``, from ``at`` on, for each number that the function yields; NO_FEATURE unless all are
        below ``end``.

        ``out``, ``at`` and ``end`` are the last arguments; the function gets those before.
        """
        *arguments, out, at, end = given
        for number in self.generator(*arguments):
            number = index_of(number)
            if not 0 <= number < end:
                return NO_FEATURE
            out[at + (number >> 6)] |= 1 << (number & 63)
        return 0


def is_generator(function: Any) -> bool:
    return isinstance(function, FunctionType) and bool(function.__code__.co_flags & inspect.CO_GENERATOR)


def _required(function: FunctionType) -> int:
    return function.__code__.co_argcount - len(function.__defaults__ or ())


def fill_code(function: FunctionType, form: str) -> CodeType | None:
    """The code of a filling or yielding form of a function that yields or returns its moves; None without source."""
    tree = source_of(function)
    if tree is None:
        return None
    code = function.__code__
    own = {*code.co_varnames, *code.co_cellvars}  # local names hide global ones
    names = {k: v for k, v in {**function.__globals__, **closure_of(function)}.items() if k not in own}

    def refuse(place: ast.AST, why: str) -> NoReturn:
        name = getattr(function, "zerosum_name", code.co_name)
        raise KernelError(f"{place_of(name, code.co_filename, getattr(place, 'lineno', 0))}: {why}")

    tree = as_generator(tree, is_generator(function), _NOTHING[form], {*names, *own}, refuse)
    rewrite = _Yield(names) if form == YIELD else _Fill(names, form, refuse)
    return _compile(rewrite.rewrite(tree), function)


def loop_code(function: FunctionType) -> CodeType | None:
    """The code of a function with its loops over ``bits`` rewritten; None if nothing changes, or without source.

    In a generator ``yield from``, which Numba does not support, becomes a loop.
    """
    names = {**function.__globals__, **closure_of(function)}
    loops = any(names.get(name) is bits_module.bits for name in function.__code__.co_names)
    if not loops and not is_generator(function):
        return None
    tree = source_of(function)
    return None if tree is None else _compile(_Loops(names).rewrite(tree), function)


def _compile(tree: ast.FunctionDef, function: FunctionType) -> CodeType:
    module = ast.Module([tree], [])
    ast.fix_missing_locations(module)
    outer = compile(module, function.__code__.co_filename, "exec", dont_inherit=True)
    # Found by name: from Python 3.14 on, annotations have code objects of their own.
    return next(c for c in outer.co_consts if isinstance(c, CodeType) and c.co_name == tree.name)


def _statements(text: str, like: ast.AST) -> list[Any]:
    parsed = ast.parse(text).body
    for statement in parsed:
        for node in ast.walk(statement):
            ast.copy_location(node, like)
    return parsed


def _lasting(tree: ast.AST) -> set[str]:
    """The names that are read outside the loops whose variables they are."""

    def read(node: ast.AST, loops: frozenset[str]) -> None:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in loops:
            found.add(node.id)
        inner = loops
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            inner = loops | {node.target.id}
            if node.target.id in loops:  # the enclosing loop sees the value that this one leaves
                found.add(node.target.id)
        for child in ast.iter_child_nodes(node):
            read(child, loops if isinstance(node, ast.For) and child is node.iter else inner)

    found: set[str] = set()
    read(tree, frozenset())
    return found


class _Loops(ast.NodeTransformer):
    """Rewrites loops over ``bits``; leaves nested functions alone."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names
        self.loops = 0
        self.optional: list[ast.arg] = []

    def rewrite(self, tree: ast.FunctionDef) -> ast.FunctionDef:
        tree.decorator_list = []
        tree.returns = None
        for argument in (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs):
            argument.annotation = None
        # Defaults are carried over as values: their text may name things that no longer exist.
        self.optional = tree.args.args[len(tree.args.args) - len(tree.args.defaults) :]
        tree.args.defaults = []
        tree.body = self.body(tree)
        return tree

    def body(self, tree: ast.FunctionDef) -> list[Any]:
        found: list[Any] = []
        for statement in tree.body:
            new = self.visit(statement)
            found += new if isinstance(new, list) else [new]
        return found

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return node

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.YieldFrom):
            return self.loop_over(node, node.value.value)
        return self.generic_visit(node)

    def loop_over(self, node: ast.Expr, source: ast.expr) -> Any:
        """``yield from source`` as a loop."""
        self.loops += 1
        item = f"{PREFIX}item{self.loops}"
        loop = _statements(f"for {item} in 0:\n    yield {item}", node)[0]
        loop.iter = source
        return self.visit(loop)

    def is_delegate(self, source: ast.expr) -> TypeGuard[ast.Call]:
        """Whether it is a call of one of the game's functions, which can be called in another form."""
        if not (isinstance(source, ast.Call) and isinstance(source.func, ast.Name)) or source.keywords:
            return False
        function = plain(self.names.get(source.func.id))
        return (
            isinstance(function, FunctionType)
            and not is_foreign(function)
            and function is not bits_module.bits
            and len(source.args) == _required(function)
            and not any(isinstance(argument, ast.Starred) for argument in source.args)
        )

    def board_of(self, loop: ast.For) -> ast.expr | None:
        """The board of a loop over ``bits(board)``; None for any other loop."""
        call = loop.iter
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and self.names.get(call.func.id) is bits_module.bits
            and len(call.args) == 1
        ):
            return call.args[0]
        return None

    def visit_For(self, node: ast.For) -> Any:
        self.generic_visit(node)
        source = self.board_of(node)
        if source is None:
            return node
        self.loops += 1
        board = f"{PREFIX}board{self.loops}"
        start, loop = _statements(
            f"{board} = 0\nwhile {board}:\n    _ = {PREFIX}lowest({board})\n    {board} = {PREFIX}drop({board})", node
        )
        start.value = source
        loop.body[0].targets = [node.target]
        loop.body += node.body
        loop.orelse = node.orelse
        return [start, loop]


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _must_end(source: ast.expr) -> bool:
    """Whether a loop over this is certain to end; a generator may run forever."""
    return not isinstance(source, ast.Call) or (isinstance(source.func, ast.Name) and source.func.id in ENDING)


class _Yield(_Loops):
    """Also rewrites ``yield from``, so that functions that return lists are called in their yielding form."""

    def loop_over(self, node: ast.Expr, source: ast.expr) -> Any:
        if self.is_delegate(source):
            source.func = ast.copy_location(ast.Name(f"{FILLER}{ast.unparse(source.func)}", ast.Load()), node)
        return super().loop_over(node, source)


class _Fill(_Loops):
    """Also rewrites ``yield``."""

    def __init__(self, names: dict[str, Any], form: str, refuse: Refuse) -> None:
        super().__init__(names)
        self.form = form
        self.refuse = refuse
        self.lasting: set[str] = set()

    def rewrite(self, tree: ast.FunctionDef) -> ast.FunctionDef:
        self.lasting = _lasting(tree)
        super().rewrite(tree)
        # The new parameters cannot follow optional ones, so these become variables, set to their defaults.
        tree.args.args = tree.args.args[: len(tree.args.args) - len(self.optional)]
        tree.args.args += [ast.arg(f"{PREFIX}{name}") for name in ("out", "at", "end")]
        bound = [s for a in self.optional for s in _statements(f"{a.arg} = {DEFAULT}{a.arg}", tree)]
        tree.body = [*_statements(_START, tree), *bound, *tree.body, *self.finish(tree.body[-1])]
        return tree

    def finish(self, like: ast.AST) -> list[Any]:
        return _statements({COUNT: _COUNT_FINISH, SET: _SET_FINISH}.get(self.form, _FINISH), like)

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Yield) and self.form == PAIRS:
            store = _statements(_STORE_PAIR, node)
            store[0].value = node.value.value or store[0].value
            return store
        if isinstance(node.value, ast.Yield):
            if self.form == COUNT and node.value.value is not None and ast.unparse(node.value.value) == "-1":
                return _statements(_COUNT_NONE, node)
            store = _statements({COUNT: _COUNT_ONE, SET: _STORE_BIT}.get(self.form, _STORE), node)
            if node.value.value is not None:
                store[0].value.args = [node.value.value]
            return store
        if isinstance(node.value, ast.YieldFrom):
            return self.delegate(node, node.value.value)
        return self.generic_visit(node)

    def visit_For(self, node: ast.For) -> Any:
        """If moves are counted, a loop over ``bits`` that only yields is a count of bits; for a set it adds a board."""
        source = self.board_of(node)
        if not _must_end(node.iter) and self.form != SET:
            node.body[:0] = _statements(_LEAVE, node)
        if self.form == SET and source is not None and (first := self.first_of(node)) is not None:
            join = _statements(_STORE_BOARD, node)
            join[0].value.args[:2] = [first, source]
            return join
        if (
            self.form != COUNT
            or source is None
            or node.orelse
            or not all(isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Yield) for inner in node.body)
            or not (isinstance(node.target, ast.Name) and node.target.id not in self.lasting)
        ):
            return super().visit_For(node)
        count = _statements(_COUNT, node)
        each: Any = count[0].value
        each.args = [source]
        if len(node.body) > 1:
            times = ast.copy_location(ast.Constant(len(node.body)), node)
            count[0].value = ast.copy_location(ast.BinOp(times, ast.Mult(), each), node)
        return count

    def first_of(self, loop: ast.For) -> ast.expr | None:
        """The shift ``first`` of a loop over ``bits`` that does nothing but ``yield first + i``; otherwise None."""
        if len(loop.body) != 1 or loop.orelse or not isinstance(loop.target, ast.Name):
            return None
        name, only = loop.target.id, loop.body[0]
        if name in self.lasting or not (isinstance(only, ast.Expr) and isinstance(only.value, ast.Yield)):
            return None
        found = only.value.value
        if isinstance(found, ast.Name) and found.id == name:
            return ast.copy_location(ast.Constant(0), loop)
        if isinstance(found, ast.BinOp) and isinstance(found.op, ast.Add):
            for one, other in ((found.left, found.right), (found.right, found.left)):
                if isinstance(one, ast.Name) and one.id == name and not _names(other) & {name}:
                    return other
        return None

    def visit_While(self, node: ast.While) -> Any:
        self.generic_visit(node)
        if self.form != SET:
            node.body[:0] = _statements(_LEAVE, node)
        return node

    def delegate(self, node: ast.Expr, source: ast.expr) -> Any:
        """``yield from``: let another function fill the same buffer, or loop over anything else."""
        if self.is_delegate(source):
            code = _statements(_COUNT_DELEGATE if self.form == COUNT else _DELEGATE, node)
            helper = ast.Name(f"{FILLER}{ast.unparse(source.func)}", ast.Load())
            rest = [ast.Name(f"{PREFIX}{name}", ast.Load()) for name in ("out", "n", "end")]
            code[0].value = ast.copy_location(ast.Call(helper, [*source.args, *rest], []), node)
            return code
        return self.loop_over(node, source)

    def visit_Return(self, node: ast.Return) -> Any:
        return self.finish(node)

    def visit_Yield(self, node: ast.Yield) -> Any:
        self.refuse(node, "write 'yield move' as a separate statement")

    visit_YieldFrom = visit_Yield  # type: ignore[assignment]
