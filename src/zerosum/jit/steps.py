"""The steps of a function's code, wherever the modules that it uses were imported.

From Python 3.11 on, ``module.function(x)`` compiles to other steps if the module is imported in the same file or cell
of a notebook: the attribute is loaded like any other, not as a method. Both mean the same, and here they are the same.
"""

from __future__ import annotations

import sys
from array import array
from dis import hasjrel, opmap, opname
from types import CodeType

METHODS_DIFFER = sys.version_info >= (3, 11)

LOAD_ATTR, LOAD_METHOD = opmap["LOAD_ATTR"], opmap.get("LOAD_METHOD", -1)
EXTENDED_ARG, CACHE, PUSH_NULL = opmap["EXTENDED_ARG"], opmap.get("CACHE", 0), opmap.get("PUSH_NULL", -1)

MARKED = {opmap["LOAD_GLOBAL"], *([LOAD_ATTR] if sys.version_info >= (3, 12) else [])}
"""Operations whose lowest bit says how the result will be called."""

JUMPS = {operation: -1 if "BACKWARD" in opname[operation] else 1 for operation in hasjrel}


def steps_of(code: CodeType) -> bytes:
    """The code's operations and their arguments; a jump's argument is the number of the step that it leads to.

    >>> together = compile("import math; f = lambda x: math.floor(x) if x else 0", "", "exec")
    >>> apart = compile("f = lambda x: math.floor(x) if x else 0", "", "exec")
    >>> one, two = (next(c for c in code.co_consts if isinstance(c, CodeType)) for code in (together, apart))
    >>> steps_of(one) == steps_of(two)
    True
    """
    if not METHODS_DIFFER:
        return code.co_code
    operations, arguments, extended = bytearray(), array("q"), 0
    jumps: list[tuple[int, int]] = []  # the number of the step, and how many units of two bytes it skips
    numbers: list[int] = []  # for each unit, the number of the step that it belongs to or precedes
    ends: list[int] = []  # for each step, the unit after it
    units = iter(code.co_code)
    for unit, (operation, low) in enumerate(zip(units, units, strict=True)):
        numbers.append(len(operations))
        if operation == CACHE:
            ends[-1] = unit + 1
            continue
        argument = extended | low
        extended = argument << 8 if operation == EXTENDED_ARG else 0
        if operation in (EXTENDED_ARG, PUSH_NULL):
            continue
        if operation in JUMPS:
            jumps.append((len(operations), JUMPS[operation] * argument))
        elif operation in MARKED:
            argument &= ~1
        operations.append(LOAD_ATTR if operation == LOAD_METHOD else operation)
        arguments.append(argument)
        ends.append(unit + 1)
    for step, distance in jumps:
        arguments[step] = numbers[ends[step] + distance]
    return bytes(operations) + arguments.tobytes()
