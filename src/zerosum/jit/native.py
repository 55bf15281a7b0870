"""Link Numba functions into one self-contained object file, and load such a file as a callable.

Numba makes a module of every compiled function. Here the modules of a kernel's entry and of its recursive functions
are linked and optimised once more as one program: recursion becomes a direct call with a private calling convention,
and nothing remains that needs Numba to run.
"""

from __future__ import annotations

import ctypes
import re
from functools import lru_cache
from typing import Any

import llvmlite.binding as llvm

ENTRY = "zerosum_kernel"
"""The symbol of a kernel's entry function."""


INLINING = 1000
"""LLVM's inlining threshold, four times its default: rules are small and called in few places. The gain was within the
noise of the machine it was measured on."""


_engines: list[Any] = []
"""Code lives as long as its engine, and deleting an engine would delete the target machine that all of them share."""


def linked(program: list[tuple[str, Any]]) -> str:
    """A program of (symbol, compiled overload) as one module of LLVM IR, for any processor of the same family."""
    first, *others = (_module(symbol, overload) for symbol, overload in program)
    for other in others:
        first.link_in(other)
    for function in first.functions:
        if not function.is_declaration and function.name != ENTRY:
            function.linkage = "internal"
    for symbol, _ in program[1:]:
        # What a recursion rarely needs is in separate functions, and inlining must not bring it back into the frame.
        first.get_function(symbol).add_function_attribute("noinline")
    first.verify()
    return str(first)


def object_of(text: str) -> tuple[bytes, list[str]]:
    """The object file of a module for this processor, and the external symbols that it needs.

    RuntimeError if LLVM cannot read it.
    """
    machine = _machine()
    module = llvm.parse_assembly(text)
    module.verify()
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.inlining_threshold = INLINING
    tuning.slp_vectorization = True  # the same code for a board's four directions becomes one vector operation
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    outside = [f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")]
    outside += [g.name for g in module.global_variables if g.is_declaration]
    return machine.emit_object(module), outside


def _module(symbol: str, overload: Any) -> Any:
    """The module of one compiled function, with the function renamed to ``symbol``."""
    from zerosum.jit.numba_private import module_of, symbol_of

    text = re.sub(rf"(?m)^declare .*@{symbol}\(.*$", "", module_of(overload))
    return llvm.parse_assembly(text.replace(symbol_of(overload), symbol))


def link(code: bytes, outside: list[str], arguments: int = 1) -> Any:
    """The kernel in an object file, as a C function of (result, exception, memory), or of more arguments.

    ctypes releases the GIL while it runs. Raises LookupError if a symbol that the code needs is not found.
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
    """The target of a module: the processor family and operating system, and the data layout."""
    return llvm.get_process_triple(), str(_machine().target_data)


@lru_cache(maxsize=1)  # every engine needs it, and LLVM takes a millisecond
def processor() -> tuple[str, str]:
    """The processor that code is generated for: an object file from another one may not run here."""
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


@lru_cache(maxsize=1)
def _machine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    cpu, features = processor()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(cpu=cpu, features=features, opt=3, codemodel="jitdefault", jit=True)
