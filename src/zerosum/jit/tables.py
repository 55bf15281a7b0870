"""Tables by address: rules inside a recursion get their arrays without passing them through it.

The kernel's memory holds one address per table. The call of a rule that takes the tables rebuilds the
NamedTuple of arrays from the addresses: shapes and types are compiled in, the numbers are not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zerosum.errors import GameError


def check_tables(game: str, tables: Any) -> list[Any]:
    """The arrays of a ``tables`` NamedTuple; GameError unless all are C-contiguous arrays of numbers."""
    if not (isinstance(tables, tuple) and hasattr(tables, "_fields")):
        raise GameError(f"{game}: tables must be a NamedTuple of NumPy arrays, not {type(tables).__name__}")
    for name, array in zip(tables._fields, tables, strict=True):
        if not isinstance(array, np.ndarray) or array.dtype.kind not in "iufb" or not array.flags.c_contiguous:
            raise GameError(f"{game}: tables.{name} must be a C-contiguous NumPy array of numbers")
    return list(tables)


def describe_tables(tables: Any) -> list[tuple[str, str, tuple[int, ...]]]:
    """The facts that are compiled in: names, types and shapes."""
    return [(n, a.dtype.str, a.shape) for n, a in zip(tables._fields, tables, strict=True)]


def tables_reader(tables: Any, first: int) -> Any:
    """A generated function ``read(mem)`` that builds the NamedTuple from the addresses at ``mem[first:]``."""
    from numba import carray, from_dtype, types
    from numba.extending import intrinsic

    from zerosum.jit.numba_private import machine_type

    def pointer_to(dtype: Any) -> Any:
        kind = types.CPointer(from_dtype(dtype))

        @intrinsic
        def pointer(context, address):  # type: ignore[no-untyped-def]
            def build(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
                return builder.inttoptr(arguments[0], machine_type(context, kind))

            return kind(types.int64), build

        return pointer

    scope: dict[str, Any] = {"carray": carray, "Tables": type(tables)}
    arrays = []
    for i, array in enumerate(tables):
        scope[f"pointer{i}"] = pointer_to(array.dtype)
        arrays.append(f"carray(pointer{i}(mem[{first + i}]), {array.shape!r})")
    exec(f"def read(mem):\n    return Tables({', '.join(arrays)},)", scope)
    return scope["read"]
