"""Numba functions as one self-contained object file, and such a file as a callable.

Numba makes a module of every function that was compiled; here the modules of a kernel's entry and of its
recursive functions are taken, linked, and optimised once more as one program: recursion becomes a direct call
with a private calling convention, and nothing remains that needs Numba to run.
"""

from __future__ import annotations

import ctypes
import re
from functools import lru_cache
from typing import Any

import llvmlite.binding as llvm

ENTRY = "zerosum_kernel"
"""The symbol of the function that a kernel is entered by."""


INLINING = 1000
"""How much LLVM inlines, four times its habit: rules are small and called in few places. What it gains is within the
noise of the machine that it was tried on."""


_engines: list[Any] = []
"""Code lives as long as its engine, and an engine that goes takes the machine along that all were made with."""


def linked(program: list[tuple[str, Any]]) -> str:
    """A program of (symbol, compiled overload) as one module of LLVM's language, for any processor of its kind."""
    first, *others = (_module(symbol, overload) for symbol, overload in program)
    for other in others:
        first.link_in(other)
    for function in first.functions:
        if not function.is_declaration and function.name != ENTRY:
            function.linkage = "internal"
    for symbol, _ in program[1:]:
        # What is rarely needed in a recursion stands in a function of its own, and must not come back into the frame.
        first.get_function(symbol).add_function_attribute("noinline")
    first.verify()
    return str(first)


def object_of(text: str) -> tuple[bytes, list[str]]:
    """The object file of a module for this processor, and the names it expects to find outside.

    RuntimeError if LLVM cannot read it.
    """
    machine = _machine()
    module = llvm.parse_assembly(text)
    module.verify()
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.inlining_threshold = INLINING
    tuning.slp_vectorization = True  # a board's four directions, written out alike, become one vector
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    outside = [f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")]
    outside += [g.name for g in module.global_variables if g.is_declaration]
    return machine.emit_object(module), outside


def _module(symbol: str, overload: Any) -> Any:
    """The module of one compiled function, which bears ``symbol`` as its name from now on."""
    from zerosum.jit.numba_private import module_of, symbol_of

    text = re.sub(rf"(?m)^declare .*@{symbol}\(.*$", "", module_of(overload))
    return llvm.parse_assembly(text.replace(symbol_of(overload), symbol))


def link(code: bytes, outside: list[str], arguments: int = 1) -> Any:
    """The kernel in an object file, as a C function of (result, exception, memory), or of more arguments.

    ctypes lets go of the interpreter lock while it runs. Raises LookupError if a name that the code
    expects is nowhere to be found.
    """
    if any(llvm.address_of_symbol(name) is None for name in outside):
        from zerosum.jit.numba_private import offer_symbols

        offer_symbols()  # rules that allocate arrays or raise exceptions need Numba's runtime
    for name in outside:
        if llvm.address_of_symbol(name) is None:
            raise LookupError(name)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    address = engine.get_function_address(ENTRY)
    if not address:
        raise LookupError(ENTRY)
    function = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * (2 + arguments))(address)
    _engines.append(engine)
    return function


def kind_of_processor() -> tuple[str, str]:
    """What a module is made for: the family of processors and the system, and how data lie in memory there."""
    return llvm.get_process_triple(), str(_machine().target_data)


@lru_cache(maxsize=1)  # asked by every engine, and LLVM takes a millisecond
def processor() -> tuple[str, str]:
    """The machine that code is made for: an object file from another one may not run here."""
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


@lru_cache(maxsize=1)
def _machine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    cpu, features = processor()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(cpu=cpu, features=features, opt=3, codemodel="jitdefault", jit=True)
