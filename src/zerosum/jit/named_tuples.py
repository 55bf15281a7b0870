"""``s._replace(field=value)`` in compiled rules. Importing this file teaches it to Numba.

The result has the type of ``s``: an integer or bool for a 64-bit field is converted to the field's type, signed or
unsigned. Otherwise each combination of values would be another type of State, for which everything that follows would
be compiled again. Other values keep their own types, as they do when the tuple's class is called.
"""

from __future__ import annotations

from typing import Any

from numba import types

from zerosum.errors import nearest
from zerosum.jit.numba_private import TypingError, converted, method_call, shared, teach_method, tuple_of
from zerosum.jit.refusals import marked

KEPT = types.Omitted(None)
"""Marks a field that is not named, and keeps its value."""


def _signature(whole: Any, positional: Any, named: dict[str, Any]) -> Any:
    """The signature of one call: a parameter for each field, in their order."""
    name, fields = whole.instance_class.__name__, whole.fields
    if positional:
        raise TypingError(marked(f"_replace takes fields by name, such as {fields[0]}=..."))
    for field in named:
        if field not in fields:
            known = f"its fields are {', '.join(fields)}{nearest(field, fields)}"
            raise TypingError(marked(f"{name} has no field {field!r} to replace; {known}"))
    values = [named.get(field, KEPT) for field in fields]
    kinds = [
        kind if value is KEPT else _result(types.unliteral(kind), types.unliteral(value))
        for kind, value in zip(whole.types, values, strict=True)
    ]
    return method_call(whole, types.BaseTuple.from_types(kinds, whole.instance_class), fields, values)


def _result(field: Any, value: Any) -> Any:
    """The type that a value has as a field of the result."""
    if field in (types.int64, types.uint64) and isinstance(value, (types.Integer, types.Boolean)):
        return field
    if isinstance(field, types.BaseTuple) and isinstance(value, types.BaseTuple) and len(field) == len(value):
        parts = [_result(*pair) for pair in zip(field.types, value.types, strict=True)]
        return types.BaseTuple.from_types(parts, getattr(value, "instance_class", None))
    return value


def _lower(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    whole, kinds = sig.return_type, sig.args[1:]
    items = [
        builder.extract_value(arguments[0], i)
        if isinstance(kind, types.Omitted)
        else _converted(context, builder, arguments[i + 1], kind, whole.types[i])
        for i, kind in enumerate(kinds)
    ]
    return shared(context, builder, whole, tuple_of(context, builder, whole, items))


def _converted(context: Any, builder: Any, value: Any, kind: Any, wanted: Any) -> Any:
    if isinstance(wanted, types.BaseTuple):
        parts = [
            _converted(context, builder, builder.extract_value(value, i), part, wanted.types[i])
            for i, part in enumerate(kind.types)
        ]
        return tuple_of(context, builder, wanted, parts)
    return converted(context, builder, value, kind, wanted)


teach_method(types.BaseNamedTuple, "_replace", _signature, _lower)
