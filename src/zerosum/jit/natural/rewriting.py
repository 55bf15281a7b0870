"""Rewrite natural Python, expression by expression, as code that Numba can compile."""

from __future__ import annotations

import ast
import copy
import enum
from typing import Any

from zerosum.jit import sequences
from zerosum.jit.natural import loops
from zerosum.jit.natural.calls import Calls
from zerosum.jit.natural.forbidden import forbidden_call, forbidden_statement
from zerosum.jit.natural.loops import Source, any_source
from zerosum.jit.natural.members import Members
from zerosum.jit.natural.scope import MISSING, Scope, at, bound_in, is_recursive
from zerosum.jit.natural.tuples import Tuples
from zerosum.jit.returns import PREFIX


class Rewriting(ast.NodeTransformer):
    """Rewrites one function. ``changed`` says whether anything was rewritten."""

    def __init__(self, scope: Scope, tree: ast.FunctionDef, returns_moves: bool = False) -> None:
        self.scope = scope
        self.returns_moves = returns_moves
        self.changed = False
        self.tuples = Tuples(scope, tree)
        self.members = Members(scope)
        self.calls = Calls(scope, self.tuples)
        self.dictionaries = {  # names of dictionaries that the function creates
            node.targets[0].id
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and self._makes_dictionary(node.value)
        }

    def rewrite(self, tree: ast.FunctionDef) -> ast.FunctionDef:
        tree.body = self.block(tree.body)
        return tree

    def block(self, body: list[Any]) -> list[Any]:
        found: list[Any] = []
        for statement in body:
            new = self.visit(statement)
            found += new if isinstance(new, list) else [] if new is None else [new]
        return found

    def new(self, node: Any) -> Any:
        """The node, with ``changed`` set."""
        self.changed = True
        return node

    # Statements

    def visit(self, node: ast.AST) -> Any:
        forbidden_statement(self.scope, node)
        return super().visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return node  # functions that can be lifted out have been removed by now

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> Any:
        """Run the import now, since its names are then known before the function runs."""
        scope: dict[str, Any] = {}
        module = ast.fix_missing_locations(ast.Module([copy.deepcopy(node)], []))
        exec(compile(module, "<import>", "exec"), {"__name__": self.scope.function.__module__}, scope)
        self.scope.names.update(scope)
        self.scope.own -= set(scope)
        return self.new(ast.copy_location(ast.Pass(), node))

    visit_ImportFrom = visit_Import

    def visit_Raise(self, node: ast.Raise) -> Any:
        """Drop the message of an exception, which never leaves compiled code."""
        call = node.exc
        if isinstance(call, ast.Call) and not all(isinstance(argument, ast.Constant) for argument in call.args):
            return self.new(at(node, ast.Raise(call.func, None)))
        return node

    def visit_Assert(self, node: ast.Assert) -> Any:
        if node.msg is not None and not isinstance(node.msg, ast.Constant):
            node = self.new(at(node, ast.Assert(node.test, None)))
        return self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> Any:
        special = self.tuples.assigned(node)
        if special is not None:
            self.changed = True
            return self.block(special)
        pattern = self.tuples.pattern_of(node)
        if pattern is not None:
            node.value = self.new(pattern)
        starred = self._unstarred(node)
        if starred is not None:
            self.changed = True
            return self.block(starred)
        if isinstance(node.targets[0], ast.Name):
            kept = self._kept(node.targets[0].id, node.value)
            if kept is not None:
                node.value = kept
                return node
        return self.generic_visit(node)

    def _makes_dictionary(self, value: ast.expr) -> bool:
        if isinstance(value, ast.Call):
            return self.scope.resolve(value.func) is dict
        return isinstance(value, (ast.Dict, ast.DictComp))

    def _is_made(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id in self.dictionaries

    def visit_Expr(self, node: ast.Expr) -> Any:
        """``d.setdefault(key, value)``, which Numba can only do with the Python interpreter."""
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "setdefault":
            if self._is_made(call.func.value) and len(call.args) == 2:
                self.changed = True
                parts = {"d": call.func.value, "key": call.args[0], "value": call.args[1]}
                return self.block(loops.statements("if key not in d:\n    d[key] = value", node, **parts))
        return self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        if isinstance(node.target, ast.Subscript) and self._is_made(node.target.value):
            self.changed = True
            before = copy.deepcopy(node.target)
            before.ctx = ast.Load()
            return self.visit(at(node, ast.Assign([node.target], ast.BinOp(before, node.op, node.value))))
        special = self.tuples.augmented(node)
        if special is not None:
            self.changed = True
            return self.block(special)
        return self.generic_visit(node)

    def visit_For(self, node: ast.For) -> Any:
        if any(isinstance(inner, ast.Starred) for inner in ast.walk(node.target)):
            name = f"{PREFIX}each"
            first = at(node, ast.Assign([node.target], ast.Name(name, ast.Load())))
            node.target = at(node, ast.Name(name, ast.Store()))
            node.body.insert(0, first)
            self.changed = True
        node.iter = self.visit(self._members_of(node.iter))
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        node.iter = self._members_of(node.iter)
        return self.generic_visit(node)

    def _members_of(self, node: ast.expr) -> ast.expr:
        """The source of a loop in a simpler form: the numbers of an enumeration, a range, or one of two sources."""
        if isinstance(node, ast.IfExp):
            # Two sources of different types need two loops.
            sides = [loops.yield_body(any_source(self.scope, side), node) for side in (node.body, node.orelse)]
            return self.helper("either", [at(node, ast.If(node.test, *sides))], node)
        known = self.scope.resolve(node)
        if isinstance(known, range):
            self.changed = True
            ends: list[ast.expr] = [ast.Constant(end) for end in (known.start, known.stop, known.step)]
            return at(node, ast.Call(ast.Name("range", ast.Load()), ends, []))
        if isinstance(known, type) and issubclass(known, enum.IntEnum):
            return self.scope.constant(tuple(int(member) for member in known), self.new(node))
        return node

    def _kept(self, name: str, value: ast.expr) -> ast.expr | None:
        """A dictionary, set or table that the function does not change, as a constant; an empty one with its type."""
        empty = self._empty(value)
        if empty is not None and not self.tuples.is_filled(name, empty):
            return self.scope.call(empty, [], self.new(value))
        if name in self.tuples.changed_things or not isinstance(value, (ast.Dict, ast.Set, ast.Tuple, ast.List)):
            return None
        return self._constant(value) if isinstance(value, (ast.Dict, ast.Set)) else self._table(value)

    def _empty(self, value: ast.expr) -> Any:
        """The function that makes an empty list, set or dictionary of whole numbers, if the value is one."""
        made = self.scope.resolve(value.func) if isinstance(value, ast.Call) and not value.args else None
        if made is set:
            return sequences.empty_set
        if made is dict or (isinstance(value, ast.Dict) and not value.keys):
            return sequences.empty_counts
        if made is list or (isinstance(value, ast.List) and not value.elts):
            return sequences.empty_list
        return None

    def _table(self, node: ast.Tuple | ast.List) -> ast.expr | None:
        """A table with rows of different lengths."""
        if not node.elts or not all(isinstance(row, (ast.Tuple, ast.List)) for row in node.elts):
            return None
        value = self.scope.value_of(node)
        if value is MISSING or len({len(row) for row in value}) == 1:
            return None
        return self.scope.constant(value, self.new(node))

    def _constant(self, node: ast.expr) -> ast.expr | None:
        value = self.scope.value_of(node)
        return None if value is MISSING or not value else self.scope.constant(value, self.new(node))

    def _unstarred(self, node: ast.Assign) -> list[Any] | None:
        """``a, *rest = items`` as single assignments."""
        target = node.targets[0]
        if len(node.targets) != 1 or not isinstance(target, (ast.Tuple, ast.List)):
            return None
        place = next((i for i, part in enumerate(target.elts) if isinstance(part, ast.Starred)), None)
        if place is None:
            return None
        name, last = f"{PREFIX}unpacked", place - len(target.elts) + 1
        made = loops.statements(f"{name} = items", node, items=node.value)
        for i, part in enumerate(target.elts):
            index = i if i < place else i - len(target.elts)
            text = f"{place}:{last or ''}" if i == place else str(index)
            assign = loops.statements(f"_ = {name}[{text}]", node)[0]
            assign.targets = [part.value if isinstance(part, ast.Starred) else part]
            made.append(assign)
        return made

    # Expressions

    def inside(self, names: set[str], node: Any) -> Any:
        self.scope.bound.append(names)
        try:
            return self.generic_visit(node)
        finally:
            self.scope.bound.pop()

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return self.inside({a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)}, node)

    def visit_ListComp(self, node: ast.ListComp) -> Any:
        if any(isinstance(inner, ast.NamedExpr) for inner in ast.walk(node)):
            return self.helper(
                "list", loops.made_body(any_source(self.scope, node), "[]", f"{loops.OUT}.append(item)", node), node
            )
        return self.inside(bound_in(node), node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        source = any_source(self.scope, node)
        return self.helper("each", loops.yield_body(source, node), node)

    def visit_SetComp(self, node: ast.SetComp) -> Any:
        source = any_source(self.scope, node)
        return self.helper("set", loops.made_body(source, "set()", f"{loops.OUT}.add(item)", node), node)

    def visit_DictComp(self, node: ast.DictComp) -> Any:
        source = Source(node.value, node.generators)
        body = loops.made_body(source, "{}", f"{loops.OUT}[key] = item", node, key=node.key)
        return self.helper("dict", body, node)

    def visit_Return(self, node: ast.Return) -> Any:
        return self._given(node)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> Any:
        return self._given(node)

    def _given(self, node: Any) -> Any:
        """Returned or yielded moves: a comprehension is left as it is, since later steps handle it."""
        if isinstance(node.value, (ast.GeneratorExp, ast.ListComp)):
            node.value = self.inside(bound_in(node.value), node.value)
            return node
        if self.returns_moves and isinstance(node.value, (ast.Set, ast.SetComp)):
            return node
        if self.returns_moves and self._is_list_of_loops(node.value):
            node.value.args = [self.inside(bound_in(node.value.args[0]), node.value.args[0])]
            return node
        return self.generic_visit(node)

    def _is_list_of_loops(self, node: ast.expr | None) -> bool:
        """Whether it is ``list(...)`` or ``tuple(...)`` around a comprehension."""
        return (
            isinstance(node, ast.Call)
            and self.scope.resolve(node.func) in (list, tuple)
            and len(node.args) == 1
            and isinstance(node.args[0], (ast.GeneratorExp, ast.ListComp))
        )

    def visit_Dict(self, node: ast.Dict) -> Any:
        return self._constant(node) or self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> Any:
        """Numba supports ``x in {1, 2}`` and ``x in [1, 2]``, but a collection of tuples must become a set."""
        for i, (operation, other) in enumerate(zip(node.ops, node.comparators, strict=True)):
            if isinstance(operation, (ast.In, ast.NotIn)) and isinstance(other, (ast.Set, ast.List, ast.Tuple)):
                value = self.scope.value_of(other)
                if value is not MISSING and value and any(isinstance(item, tuple) for item in value):
                    node.comparators[i] = self.scope.constant(set(value), self.new(other))
        return self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        special = self.tuples.joined(node)
        if special is not None:
            return self.visit(self.new(special))
        return self.generic_visit(node)

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        special = self.tuples.starred(node) or self._table(node)
        return self.visit(self.new(special)) if special is not None else self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        if self._is_made(node.value) and isinstance(node.ctx, ast.Load):
            return self.visit(self.new(self.scope.call(sequences.looked_up, [node.value, node.slice], node)))
        if isinstance(node.slice, ast.Slice) and isinstance(node.ctx, ast.Load):
            special = self.tuples.sliced(node)
            if special is not None:
                return self.visit(self.new(special))
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        found = self.members.read(node)
        return self.visit(self.new(found)) if found is not None else self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> Any:
        forbidden_call(self.scope, node)
        function = self.scope.resolve(node.func)
        if isinstance(function, type) and issubclass(function, enum.IntEnum) and len(node.args) == 1:
            return self.visit(self.new(node.args[0]))  # a member is equal to its number
        found = self.calls.rewritten(node, function) or self.members.called(node)
        if found is None:
            found = self.calls.method(node) or self.tuples.filled(node)
        if found is not None:
            self.changed = True
            return self.visit(found) if found is not node else self.generic_visit(found)
        if is_recursive(function):
            # A constant has its own type: the function would be compiled for that too, and call the other version.
            node.args = [
                a if isinstance(a, ast.Starred) else self.new(self.scope.call(sequences.plainly, [a], a))
                for a in node.args
            ]
        return self.generic_visit(node)

    def helper(self, hint: str, body: list[Any], node: ast.AST) -> ast.expr:
        self.changed = True
        return self.scope.helper_call(hint, body, node)
