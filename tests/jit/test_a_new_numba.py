"""The internals of Numba that zerosum uses still exist. If a new version changes one, this fails first and names it."""

from __future__ import annotations

import ast
import ctypes
import gc
import operator
import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import NamedTuple

import llvmlite.binding as llvm
import numpy as np
import pytest
from numba import njit, types
from numba.core.registry import cpu_target
from numba.extending import intrinsic

try:
    from zerosum.jit import numba_private
except ImportError as problem:
    pytest.fail(f"Numba {version('numba')} has lost a part that zerosum is built on: {problem}", pytrace=False)

PACKAGE = Path(numba_private.__file__).parents[1]
UNWRAPPED = {"error_model": "numpy", **numba_private.UNWRAPPED}


@contextmanager
def relying_on(part: str) -> Iterator[None]:
    """Say plainly what has changed, if anything."""
    try:
        yield
    except Exception as problem:
        reason = str(problem).strip().partition("\n")[0]
        pytest.fail(
            f"Numba {version('numba')} has changed {part}, which jit/numba_private.py uses:"
            f" {type(problem).__name__}{reason and ': '}{reason}",
            pytrace=False,
        )


def difference(a, b):
    return a - b


def made(function=difference, *kinds):
    """A function compiled like a rule."""
    return numba_private.compiled_for(njit(**UNWRAPPED)(function), kinds or (types.int64, types.int64))


def called(overload, *arguments):
    """The result of the machine code, called by Numba's convention, and its status."""
    result, exception = ctypes.c_int64(), ctypes.c_void_p()
    kinds = (ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int64] * len(arguments))
    function = ctypes.CFUNCTYPE(ctypes.c_int32, *kinds)(numba_private.address_of(overload))
    status = function(ctypes.byref(result), ctypes.byref(exception), *arguments)
    return result.value, status


def test_a_function_is_compiled_for_types_and_found_by_them():
    with relying_on("Dispatcher, compile or overloads"):
        function = njit(**UNWRAPPED)(difference)
        assert isinstance(function, numba_private.Dispatcher)
        overload = numba_private.compiled_for(function, types.int64(types.int64, types.int64))
        assert numba_private.overloads_of(function) == {(types.int64, types.int64): overload}
        assert numba_private.return_type_of(overload) == types.int64


def test_machine_code_is_called_by_numbas_convention():
    with relying_on("the calling convention, or where machine code is"):
        assert called(made(), 50, 8) == (42, 0)

    def refuse(a):
        if a < 0:
            raise ValueError
        return a

    with relying_on("how exceptions are reported"):
        overload = made(refuse, types.int64)
        assert called(overload, 7) == (7, 0)
        assert called(overload, -7)[1] != 0

    with relying_on("how tuples are passed"):
        overload = made(lambda pair, more: pair[0] * pair[1] - more, types.UniTuple(types.int64, 2), types.int64)
        assert called(overload, 6, 8, 6) == (42, 0)


def test_a_compiled_function_is_a_module_under_its_symbol():
    with relying_on("the modules of compiled functions"):
        overload = made()
        module = llvm.parse_assembly(numba_private.module_of(overload))
        assert not module.get_function(numba_private.symbol_of(overload)).is_declaration


def test_functions_that_only_compiled_code_calls_have_no_wrappers():
    with relying_on("the options no_cpython_wrapper and no_cfunc_wrapper"):
        names = [f.name for f in llvm.parse_assembly(numba_private.module_of(made())).functions]
        assert not any("cpython" in name or "cfunc" in name for name in names)


def test_compiling_can_be_made_quick():
    from numba.core import config

    with relying_on("config.OPT"):
        before = config.OPT
        with numba_private.quick_compilation():
            assert int(config.OPT) == 1 and not gc.isenabled()
            assert called(made(), 50, 8) == (42, 0)
        assert before == config.OPT and gc.isenabled()


def test_machine_code_is_made_when_somebody_asks_where_it_is():
    from numba.core.codegen import JITCodeLibrary

    with relying_on("how compiled functions are finished"):
        with numba_private.late_machine_code():
            overload, of_python = made(), njit(difference)
            assert of_python(50, 8) == 42, "what Python calls is finished at once"
        finished = JITCodeLibrary._finalize_final_module
        assert "get_pointer_to_function" in vars(overload.library), "not yet"
        assert called(overload, 50, 8) == called(overload, 50, 8) == (42, 0)
        assert "get_pointer_to_function" not in vars(overload.library)
        assert finished.__qualname__ == "CPUCodeLibrary._finalize_final_module"


@pytest.mark.parametrize("shortcut", ["sparse_renaming", "brief_situations", "late_lifetimes", "quick_variables"])
def test_a_shortcut_makes_what_numba_makes(shortcut):
    def winding(a, b):
        for i in range(a):
            c = b if i & 1 else a
            while c > 3:
                a, b = b - c, a + i
                c = c // 2 if a > b else c - 1
            if c == 2:
                b = c
        return a * 1000 + b

    with relying_on(f"what {shortcut} makes quicker"):
        texts = []
        for manager in (nullcontext, getattr(numba_private, shortcut)):
            with manager():
                overload = made(winding)
            assert called(overload, 30, 17)[0] == winding(30, 17)
            symbol = numba_private.symbol_of(overload)
            texts.append(re.sub(r"B\d+v\d+|[0-9a-f]{40,}", "", numba_private.module_of(overload).replace(symbol, "")))
        assert texts[0] == texts[1]


def test_the_options_of_a_function_are_what_numba_says():
    from numba.core.compiler import Flags

    with relying_on("the options of functions"):
        flags = Flags()
        flags.error_model, flags.no_compile = "numpy", True
        same, other = flags.copy(), Flags()
        values, number = flags.values(), hash(flags)
        with numba_private.silence():
            assert flags.values() == values and hash(flags) == number
            assert flags == same and flags != other and flags != values


def test_what_numba_is_about_is_said_when_it_fails():
    def adds_words(a):
        return a + "a"

    with relying_on("how it says where a function fails"):
        notes = []
        for manager in (nullcontext, numba_private.brief_situations):
            with manager(), pytest.raises(numba_private.TypingError) as caught:
                made(adds_words, types.int64)
            notes.append(re.findall("During: .*", str(caught.value)))
        assert notes[0] == notes[1] and "typing of" in notes[0][0]


def test_code_can_be_made_for_any_processor(monkeypatch):
    from numba.core import config

    with relying_on("config.CPU_NAME or config.CPU_FEATURES"):
        monkeypatch.setattr(config, "CPU_NAME", config.CPU_NAME)
        monkeypatch.setattr(config, "CPU_FEATURES", config.CPU_FEATURES)
        numba_private.for_any_processor()
        assert (config.CPU_NAME, config.CPU_FEATURES) == ("generic", "")


def test_numbas_runtime_can_be_linked():
    with relying_on("rtsys"):
        numba_private.offer_symbols()
        assert llvm.address_of_symbol("NRT_MemInfo_alloc_aligned")


def test_code_that_calls_the_interpreter_is_known_by_its_symbols():
    def tell(a):
        print(a)
        return a

    with relying_on("the names of functions that call Python"):
        for function, calls in ((tell, True), (difference, False)):
            kinds = (types.int64,) * function.__code__.co_argcount
            module = llvm.parse_assembly(numba_private.module_of(made(function, *kinds)))
            outside = [f.name for f in module.functions if f.is_declaration]
            assert numba_private.need_interpreter(outside) == calls


def test_what_cannot_be_compiled_is_refused_in_known_ways():
    with relying_on("the errors of the compiler"), pytest.raises(numba_private.REFUSALS):
        made(lambda a: a.no_such_thing, types.int64)

    @intrinsic
    def strict(context, a):
        raise numba_private.TypingError("a number is needed here")

    with relying_on("TypingError"), pytest.raises(numba_private.REFUSALS, match="a number is needed here"):
        made(lambda a: strict(a), types.int64)


def test_an_item_of_a_tuple_is_replaced():
    setitem = numba_private.tuple_setitem
    with relying_on("tuple_setitem"):
        overload = made(lambda a, i: setitem((a, a, a), i, 42)[1], types.int64, types.int64)
        assert [called(overload, 5, i)[0] for i in range(3)] == [5, 42, 5]


def test_instructions_can_be_made_by_hand():
    @intrinsic
    def rounded(context, x):
        def lower(context, builder, signature, arguments):
            return numba_private.converted(context, builder, arguments[0], types.float64, types.int64)

        return types.int64(types.float64), lower

    @intrinsic
    def first(context, array):
        def lower(context, builder, signature, arguments):
            data = numba_private.array_data(context, builder, array, arguments[0])
            assert data.type.pointee == numba_private.machine_type(context, array.dtype)
            return builder.load(data)

        return array.dtype(array), lower

    with relying_on("context.cast"):
        assert called(made(lambda a: rounded(a * 0.5), types.int64), 85) == (42, 0)
    with relying_on("context.make_array or context.get_value_type"):
        assert njit(lambda array: first(array))(np.array([42, 7])) == 42


def test_a_function_calls_another_by_its_symbol():
    overload = made()
    with relying_on("context.call_conv or cgutils"):
        llvm.add_symbol("zerosum_canary", numba_private.address_of(overload))

        @intrinsic
        def by_symbol(context, a, b):
            signature = types.int64(types.int64, types.int64)

            def lower(context, builder, _, arguments):
                return numba_private.call_by_symbol(context, builder, "zerosum_canary", signature, arguments)

            return signature, lower

        assert called(made(lambda a, b: by_symbol(a, b) + 1, types.int64, types.int64), 50, 9) == (42, 0)


def test_a_part_that_has_changed_is_named_in_one_plain_line(monkeypatch):
    overload = made()
    monkeypatch.delattr("numba.core.codegen.JITCodeLibrary.get_pointer_to_function")
    with pytest.raises(pytest.fail.Exception) as caught, relying_on("where machine code is"):
        called(overload, 50, 8)
    assert str(caught.value).startswith(f"Numba {version('numba')} has changed where machine code is, which ")
    assert "get_pointer_to_function" in str(caught.value) and "\n" not in str(caught.value)


# No other file

PUBLIC = {"numba", "numba.types", "numba.extending", "numba.typed"}
PUBLIC_EXTENDING = {
    "intrinsic", "lower_builtin", "make_attribute_wrapper", "models", "overload", "overload_method", "register_model",
    "type_callable", "typeof_impl",
}  # fmt: skip
INSIDE = {
    "call_conv", "cast", "fndesc", "get_pointer_to_function", "get_value_type", "library", "make_array", "overloads",
    "target_context",
}  # fmt: skip
"""Undocumented attributes of Numba's objects."""
NAMED_TUPLES = {"_asdict", "_fields", "_make", "_replace"}


def private_uses(tree: ast.AST) -> Iterator[str]:
    """The parts of Numba beyond its documented interface that some code uses."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if is_private(alias.name))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "numba":
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                is_unknown = node.module == "numba.extending" and alias.name not in PUBLIC_EXTENDING
                if is_private(node.module or "") or alias.name in ("core", "np", "cpython", "config") or is_unknown:
                    yield name
        elif isinstance(node, ast.Attribute):
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            hidden = node.attr.startswith("_") and not node.attr.startswith("__") and node.attr not in NAMED_TUPLES
            if node.attr in INSIDE or (hidden and owner not in ("self", "cls", "os")):
                yield f".{node.attr}"


def is_private(module: str) -> bool:
    return module.partition(".")[0] == "numba" and module not in PUBLIC


@pytest.mark.parametrize(
    "name", ["add", "sub", "mul", "floordiv", "and_", "lshift", "lt", "eq", "iadd", "neg", "truediv"]
)
def test_what_an_operator_makes_of_numbers_may_be_remembered(name):
    numbers = (types.int64, types.uint64, types.boolean, types.float64, types.literal(3))
    with relying_on("how operators are looked up"):
        context = cpu_target.typing_context
        context.refresh()
        function = context.resolve_value_type(getattr(operator, name))
        for kinds in product(numbers, repeat=1 if name == "neg" else 2):
            found = []
            for manager in (nullcontext, numba_private.remembered_operators):
                with manager():
                    for _ in range(2):
                        try:
                            found.append(str(function.get_call_type(context, kinds, {})))
                        except Exception as problem:
                            found.append(type(problem).__name__)
            assert len(set(found)) == 1, (kinds, found)


def test_a_named_tuple_is_given_a_method_with_named_arguments():
    class Pair(NamedTuple):
        left: int
        right: int

    def turned(a, b):
        return Pair(a, b)._replace(left=b).left

    with relying_on("methods of tuples"):
        from zerosum.jit import named_tuples

        assert named_tuples.KEPT is not None
        assert called(made(turned), 3, 4) == (4, 0)


def test_an_array_stays_in_a_tuple_that_is_made_of_another():
    class Row(NamedTuple):
        numbers: np.ndarray
        count: int

    def kept(a, b):
        row = Row(np.full(1000, a), 1)._replace(count=b)
        return row.numbers[500] + row.count + np.zeros(1000, np.int64)[500]

    with relying_on("impl_ret_borrowed"):
        from zerosum.jit import named_tuples

        assert named_tuples.KEPT is not None
        assert called(made(kept), 40, 2) == (42, 0)


def test_types_of_our_own_are_constants_and_can_be_looped_over():
    from zerosum.jit import constant_types  # noqa: F401
    from zerosum.jit.constants import constant

    table, numbers = constant(((1, 2), (3,))), constant({4: 5, 6: 7})

    def total(a, b):
        found = 0
        for row in table:
            for x in row:
                found += x
        for key in numbers:
            found += key * numbers[key]
        return found + a + b

    with relying_on("lower_constant, getiter, iternext or create_struct_proxy"):
        assert called(made(total), 100, 1000) == (1100 + 6 + 4 * 5 + 6 * 7, 0)


def test_no_other_file_uses_numbas_private_parts():
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        found = list(private_uses(ast.parse(text))) if "numba" in text or path.parent == PACKAGE / "jit" else []
        if path == Path(numba_private.__file__):
            assert found
        elif path.parent == PACKAGE / "jit":
            assert not found, f"{path.name} uses {found}: that belongs in numba_private.py"
        else:
            found = [name for name in found if not name.startswith(".")]
            assert not found, f"{path} uses {found}: only jit knows Numba"


@pytest.mark.parametrize(
    "text",
    [
        "import numba.core.config",
        "from numba.core import cgutils",
        "from numba import core",
        "from numba.np import arrayobj",
        "from numba.extending import _Intrinsic",
        "overload.library",
        "made.overloads[kinds]",
        "x._final_module",
    ],
)
def test_such_a_use_would_be_seen(text):
    assert list(private_uses(ast.parse(text)))
