"""Everything that zerosum uses of Numba beyond its documented interface. Importing this file imports Numba.

Numba promises none of this, so any new version may change it. ``tests/jit/test_a_new_numba.py`` tries each part on a
tiny function, and says in one line which part has changed. No other file may use private parts of Numba, and a test
checks that.
"""

from __future__ import annotations

import gc
import operator
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from inspect import Parameter, Signature
from types import BuiltinFunctionType
from typing import Any

from numba import _dynfunc, types
from numba.core import (
    cgutils,
    config,
    errors,
    event,
    ir,
    lowering,
    postproc,
    ssa,
    transforms,
    typeinfer,
    untyped_passes,
)
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.cpu import CPUContext
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError, TypingError, UnsupportedBytecodeError
from numba.core.imputils import RefType, impl_ret_borrowed, iternext_impl, lower_constant
from numba.core.targetconfig import TargetConfig
from numba.core.types.functions import Function
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate
from numba.core.typing.templates import signature as typed
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import infer_getattr, lower_builtin

__all__ = ["Dispatcher", "TypingError", "tuple_setitem"]

# Dispatcher       the class of the functions that njit returns
# TypingError      raised during type inference, it makes Numba report what is wrong with a call
# tuple_setitem    in compiled code: a tuple with one item replaced, at an index that is known only at run time

REFUSALS = (NumbaError, UnsupportedBytecodeError)
"""The exceptions that Numba raises when it cannot compile a function."""

OPERATORS = frozenset(function for function in vars(operator).values() if isinstance(function, BuiltinFunctionType))
NUMBERS = (types.Number, types.Boolean, types.IntegerLiteral, types.BooleanLiteral)

UNWRAPPED = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options of njit for functions that only compiled code calls: no wrappers for calls from Python or C."""


# While compiling


@contextmanager
def quick_compilation() -> Iterator[None]:
    """Skip work that Numba does not need to do. Relies on ``config.OPT``, which is read for each function.

    Numba optimises each function separately. All of that is done again when a kernel is linked, and once is enough.
    Garbage collection takes one second in seven, because Numba creates very many objects.
    """
    optimisation, collects = config.OPT, gc.isenabled()
    config.OPT = type(optimisation)(1)
    gc.disable()
    try:
        with ExitStack() as all_of_them:
            for shortcut in SHORTCUTS:
                all_of_them.enter_context(shortcut())
            yield
    finally:
        config.OPT = optimisation
        if collects:
            gc.enable()


@contextmanager
def replaced(owner: Any, **parts: Any) -> Iterator[None]:
    """Replace some of Numba's functions within the block."""
    usual = {name: getattr(owner, name) for name in parts}
    for name, part in parts.items():
        setattr(owner, name, part)
    try:
        yield
    finally:
        for name, part in usual.items():
            setattr(owner, name, part)


@contextmanager
def remembered_operators() -> Iterator[None]:
    """Look up only once, not at every use, which type an operator returns for numbers of given types.

    Numba tries one signature after another, which takes another second in seven. Relies on
    ``Function.get_call_type``, which for an operator and numbers always returns the same type.
    """
    usual: Any = Function.get_call_type
    known: dict[Any, Any] = {}

    def get_call_type(self: Any, context: Any, arguments: Any, named: Any) -> Any:
        if named or self.typing_key not in OPERATORS or not all(isinstance(kind, NUMBERS) for kind in arguments):
            return usual(self, context, arguments, named)
        what = (self, arguments)
        if what not in known:
            known[what] = usual(self, context, arguments, named)
        return known[what]

    with replaced(Function, get_call_type=get_call_type):
        yield


@contextmanager
def late_machine_code() -> Iterator[None]:
    """Generate machine code for a function only when its address is needed, which for most functions is never.

    Most functions are only linked into others as LLVM IR. This saves one second in six. Relies on what
    ``finalize`` and ``get_executable`` do. Functions that Python can call, and those that call themselves, are finished
    immediately, as usual.
    """
    finish: Any = JITCodeLibrary._finalize_final_module
    executable: Any = CPUContext.get_executable

    def finish_later(library: Any) -> None:
        if any(variable.name.startswith(RuntimeLinker.PREFIX) for variable in library._final_module.global_variables):
            finish(library)  # a function that calls itself, by an address that is filled in when it is finished
            return

        def get_pointer_to_function(name: str) -> Any:
            del library.get_pointer_to_function  # uncovers the method of the class
            finish(library)
            return library.get_pointer_to_function(name)

        library._finalize_dynamic_globals()
        library._verify_declare_only_symbols()
        library._finalized = True
        library.get_pointer_to_function = get_pointer_to_function

    def get_executable(context: Any, library: Any, described: Any, environment: Any) -> Any:
        library._ensure_finalized()
        if any(function.name == described.llvm_cpython_wrapper_name for function in library.get_defined_functions()):
            return executable(context, library, described, environment)
        module, name = described.lookup_module(), described.qualname.rpartition(".")[2]
        return _dynfunc.make_function(module, name, "compiled", 0, environment, (library,))

    with (
        replaced(JITCodeLibrary, _finalize_final_module=finish_later),
        replaced(CPUContext, get_executable=get_executable),
    ):
        yield


@contextmanager
def sparse_renaming() -> Iterator[None]:
    """Visit only the blocks in which a variable occurs when each assignment to it gets its own name (SSA).

    Numba goes through the whole function twice for every variable, which takes one second in ten. Relies on
    ``_run_ssa`` and ``_run_block_rewrite``, and on new names not belonging to a variable that is still to be renamed.
    """
    run: Any = ssa._run_ssa
    occurring: dict[int, set[str]] = {}  # in each block

    def run_ssa(blocks: Any) -> Any:
        occurring.clear()
        for label, block in blocks.items():
            occurring[label] = {variable.name for statement in block.body for variable in statement.list_vars()}
        return run(blocks)

    def run_block_rewrite(blocks: Any, states: Any, handler: Any) -> Any:
        rewritten = {}
        for label, block in blocks.items():
            rewritten[label] = block
            if states["varname"] in occurring[label]:
                states["label"], states["block"] = label, block
                rewritten[label] = ir.Block(scope=block.scope, loc=block.loc)
                rewritten[label].body = [
                    (handler.on_assign if isinstance(statement, ir.Assign) else handler.on_other)(states, statement)
                    for statement in block.body
                ]
        return rewritten

    with replaced(ssa, _run_ssa=run_ssa, _run_block_rewrite=run_block_rewrite):
        yield


@contextmanager
def silence() -> Iterator[None]:
    """Send no events about compilation, and look up options faster: each saves one second in thirty.

    Relies on ``start_event`` and ``end_event``, and on ``TargetConfig``: its hash is that of the names of its options,
    and two of them with the same settings are equal.
    """

    def values(self: Any) -> dict[str, Any]:
        return {name: self._values.get(name, option.default) for name, option in self.options.items()}

    def equal(self: Any, other: Any) -> Any:
        if not isinstance(other, TargetConfig):
            return NotImplemented
        return self is other or self._values == other._values or self.values() == other.values()

    def nothing(*_: Any, **__: Any) -> None:
        pass

    with (
        replaced(event, start_event=nothing, end_event=nothing),
        replaced(TargetConfig, values=values, __eq__=equal, __hash__=lambda self: hash(tuple(sorted(self.options)))),
    ):
        yield


class Situation:
    """What Numba is doing, to be added to its message if it fails."""

    __slots__ = ("pattern", "place", "words")

    def __init__(self, pattern: str, *place: Any, **words: Any) -> None:
        self.pattern, self.place, self.words = pattern, place, words

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, problem: Any, trace: Any) -> None:
        if isinstance(problem, NumbaError):
            problem.add_context(self.pattern.format(*self.place, **self.words))


@contextmanager
def brief_situations() -> Iterator[None]:
    """Record what Numba is doing without a generator for each of some ten thousand instructions.

    The generators take one second in thirty. Relies on ``new_error_context``.
    """
    with (
        replaced(lowering, new_error_context=Situation),
        replaced(typeinfer, new_error_context=Situation),
        replaced(errors, new_error_context=Situation),
    ):
        yield


@contextmanager
def late_lifetimes() -> Iterator[None]:
    """Compute the lifetimes of variables only at the end, when they are needed, not after each of nine steps.

    That takes one second in seven. Relies on ``PostProcessor.run`` and on ``VariableLifetime``, which computes on
    demand, and on ``block_entry_vars`` being read only for generators.
    """
    usual: Any = postproc.PostProcessor.run

    def run(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        function = self.func_ir
        if function.is_generator:
            usual(self, emit_dels, extend_lifetimes)
            return
        function.blocks = transforms.canonicalize_cfg(function.blocks)
        function.variable_lifetime = postproc.VariableLifetime(function.blocks)
        function.generator_info = None
        if emit_dels:
            self._insert_var_dels(extend_lifetimes=extend_lifetimes)

    with replaced(postproc.PostProcessor, run=run):
        yield


@contextmanager
def quick_variables() -> Iterator[None]:
    """List the variables of an instruction faster, and enter them once in each scope, not for each block.

    This saves one second in fifteen. Relies on ``_rec_list_vars`` and ``fixup_var_define_in_scope``.
    """
    none_inside = frozenset((str, int, float, bool, type(None), ir.Loc, ir.Const, ir.Global, ir.FreeVar, ir.Arg))

    def listed(self: Any, value: Any) -> list[Any]:
        if isinstance(value, ir.Var):
            return [value]
        if isinstance(value, ir.Inst):
            return value.list_vars()  # type: ignore[no-any-return]
        if isinstance(value, dict):
            value = value.values()
        elif not isinstance(value, (list, tuple)):
            return []
        found = []
        for part in value:
            kind = type(part)
            if kind is ir.Var:
                found.append(part)
            elif kind not in none_inside:
                found += self._rec_list_vars(part)
        return found

    def define(blocks: Any) -> None:
        statements = [statement for block in blocks.values() for statement in block.body]
        for scope in {id(block.scope): block.scope for block in blocks.values()}.values():
            for statement in statements:
                for variable in statement.list_vars():
                    if variable.name not in scope.localvars:
                        scope.localvars.define(variable.name, variable)

    with replaced(ir.Inst, _rec_list_vars=listed), replaced(untyped_passes, fixup_var_define_in_scope=define):
        yield


SHORTCUTS = (
    *(remembered_operators, late_machine_code, sparse_renaming, silence),
    *(brief_situations, late_lifetimes, quick_variables),
)


def for_any_processor() -> None:
    """Make Numba generate code for any processor of this family; must be called before the first compilation.

    Relies on ``config.CPU_NAME`` and ``config.CPU_FEATURES``, read when the first function is compiled.
    """
    config.CPU_NAME, config.CPU_FEATURES = "generic", ""


# Compiled functions


def compiled_for(dispatcher: Any, signature: Any) -> Any:
    """Compile a function for a signature, or for argument types alone; the resulting overload.

    Relies on ``compile``.
    """
    dispatcher.compile(signature)
    return overloads_of(dispatcher)[tuple(getattr(signature, "args", signature))]


def overloads_of(dispatcher: Any) -> dict[tuple[Any, ...], Any]:
    """All compiled overloads of a function, by the types of their arguments. Relies on ``overloads``."""
    found: dict[tuple[Any, ...], Any] = dispatcher.overloads
    return found


def return_type_of(overload: Any) -> Any:
    """The type that a compiled function returns. Relies on ``signature``."""
    return overload.signature.return_type


def symbol_of(overload: Any) -> str:
    """The symbol of a compiled function's machine code. Relies on ``fndesc.llvm_func_name``."""
    return str(overload.fndesc.llvm_func_name)


def module_of(overload: Any) -> str:
    """A compiled function and everything that it calls, as LLVM IR. Relies on ``library._final_module``."""
    return str(overload.library._final_module)


def address_of(overload: Any) -> int:
    """The address of a compiled function's machine code. Relies on ``library.get_pointer_to_function``.

    By Numba's calling convention it is a C function of (result, exception, arguments ...), which returns 0 if it raised
    nothing. Each field of a tuple is a separate argument, and a NULL exception is never read.
    """
    return int(overload.library.get_pointer_to_function(symbol_of(overload)))


def offer_symbols() -> None:
    """Make the functions of Numba's runtime visible to LLVM. Relies on ``rtsys.initialize``."""
    from numba.core.registry import cpu_target
    from numba.core.runtime import rtsys

    rtsys.initialize(cpu_target.target_context)


def need_interpreter(symbols: Iterable[str]) -> bool:
    """Whether code that needs these symbols calls back into Python. Relies on Numba's names for them."""
    return any(name.startswith(("Py", "numba_gil")) for name in symbols)


# A method with named arguments, which Numba's documented interface does not offer


def teach_method(kind: Any, name: str, call_of: Callable[[Any, Any, dict[str, Any]], Any], lower: Any) -> None:
    """Give all values of a class of types a method. Relies on attribute templates, and on ``lower_builtin`` for them.

    ``call_of(type, positional, named)`` returns a ``method_call``; ``lower(context, builder, signature, arguments)``
    generates the instructions.
    """

    def resolve(self: Any, whole: Any) -> Any:
        class Method(AbstractTemplate):  # type: ignore[misc]
            key = (kind, name)

            def generic(self, positional: Any, named: Any) -> Any:
                return call_of(whole, positional, dict(named))

        return types.BoundFunction(Method, whole)

    infer_getattr(type("Attributes", (AttributeTemplate,), {"key": kind, f"resolve_{name}": resolve}))
    lower_builtin((kind, name), kind, types.VarArg(types.Any))(lower)


def method_call(whole: Any, result: Any, parameters: Iterable[str], arguments: Iterable[Any]) -> Any:
    """The signature of one call of a method; its arguments may be given by name. Relies on ``pysig``."""
    by_name = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=None) for name in parameters]
    return typed(result, *arguments, recvr=whole).replace(pysig=Signature(by_name))


# Instructions written out, with the context and builder that Numba passes to lowering functions


def converted(context: Any, builder: Any, value: Any, kind: Any, wanted: Any) -> Any:
    """A value converted from one type to another. Relies on ``context.cast``."""
    return context.cast(builder, value, kind, wanted)


def tuple_of(context: Any, builder: Any, kind: Any, items: Any) -> Any:
    """A tuple of these values. Relies on ``context.make_tuple``."""
    return context.make_tuple(builder, kind, items)


def shared(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """A result whose parts have other owners too: its arrays get one more reference. Relies on
    ``impl_ret_borrowed``; without it, an array would be freed while it is still in use.
    """
    return impl_ret_borrowed(context, builder, kind, value)


def machine_type(context: Any, kind: Any) -> Any:
    """The LLVM type of a value. Relies on ``context.get_value_type``."""
    return context.get_value_type(kind)


def array_data(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """The address of an array's first item. Relies on ``context.make_array`` and its ``data``."""
    return context.make_array(kind)(context, builder, array).data


def call_by_symbol(context: Any, builder: Any, symbol: str, signature: Any, arguments: Any) -> Any:
    """Call a function that was compiled elsewhere, and propagate its exceptions.

    Relies on ``context.call_conv`` and ``cgutils``: the calling convention described at ``address_of``.
    """
    convention = context.call_conv
    kind = convention.get_function_type(signature.return_type, signature.args)
    function = cgutils.get_or_insert_function(builder.module, kind, symbol)
    status, found = convention.call_function(builder, function, signature.return_type, signature.args, arguments)
    with cgutils.if_unlikely(builder, status.is_error):
        convention.return_status_propagate(builder, status)
    return found


# Our own types, made of parts


def lower_as_parts(kind: Any, parts: Callable[[Any], list[tuple[str, Any]]]) -> None:
    """Lower constants of a type part by part. Relies on ``lower_constant`` and ``get_constant_generic``."""

    @lower_constant(kind)  # type: ignore[untyped-decorator]
    def lower(context: Any, builder: Any, exact: Any, value: Any) -> Any:
        made = {name: context.get_constant_generic(builder, part, getattr(value, name)) for name, part in parts(exact)}
        return struct_of(context, builder, exact, made)


def struct_of(context: Any, builder: Any, kind: Any, parts: dict[str, Any]) -> Any:
    """A value of a StructModel's type. Relies on ``create_struct_proxy``."""
    made = cgutils.create_struct_proxy(kind)(context, builder)
    for name, part in parts.items():
        setattr(made, name, part)
    return made._getvalue()


def lower_iteration_of_part(kind: Any, part: str, part_type: Callable[[Any], Any]) -> None:
    """Lower loops over a value of a type as loops over one of its parts. Relies on ``getiter``."""

    @lower_builtin("getiter", kind)  # type: ignore[untyped-decorator]
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        whole = cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0])
        inner = typed(signature.return_type, part_type(signature.args[0]))
        return context.get_function("getiter", inner)(builder, (getattr(whole, part),))


def lower_iteration(kind: Any, iterator: Any, item: Any) -> None:
    """Lower loops over a type as calls of ``item(value, index)`` for each index below ``len(value)``; the iterator's
    parts are ``rows`` and ``at``. Relies on ``getiter``, ``iternext`` and ``compile_internal``.
    """

    @lower_builtin("getiter", kind)  # type: ignore[untyped-decorator]
    def start(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        at = cgutils.alloca_once_value(builder, context.get_constant(types.intp, 0))
        made = struct_of(context, builder, signature.return_type, {"rows": arguments[0], "at": at})
        return impl_ret_borrowed(context, builder, signature.return_type, made)

    @lower_builtin("iternext", iterator)  # type: ignore[untyped-decorator]
    @iternext_impl(RefType.UNTRACKED)  # type: ignore[untyped-decorator]
    def step(context: Any, builder: Any, signature: Any, arguments: Any, result: Any) -> None:
        (which,) = signature.args
        whole = cgutils.create_struct_proxy(which)(context, builder, value=arguments[0])
        at = builder.load(whole.at)
        length = context.compile_internal(builder, lambda rows: len(rows), types.intp(which.rows), [whole.rows])
        valid = builder.icmp_signed("<", at, length)
        result.set_valid(valid)
        with builder.if_then(valid):
            one = typed(which.rows.row, which.rows, types.intp)
            found = context.compile_internal(builder, lambda rows, at: item(rows, at), one, [whole.rows, at])
            result.yield_(found)
            builder.store(builder.add(at, context.get_constant(types.intp, 1)), whole.at)
