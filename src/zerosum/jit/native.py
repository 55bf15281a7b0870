"""Numba functions as one self-contained object file, and such a file as a callable.

This is the only file that stands on Numba's private parts. Numba links every function separately and
calls a recursive one through a pointer that its own engine fills in later: that pointer is what breaks
when such code is loaded from a cache. Here the finished module is taken from Numba, the pointers are
replaced by the functions themselves, and the whole program is optimised once more as one: recursion
becomes a direct call with a private calling convention, and nothing remains that needs Numba to run.
"""

from __future__ import annotations

import ctypes
import re
from functools import lru_cache
from typing import Any

import llvmlite.binding as llvm

_UNRESOLVED = re.compile(r'(@"?\.numba\.unresolved\$([^" ]+)"?) = external global ([^,\n]+)')
SYMBOL = "zerosum_kernel"


def compile_object(entry: Any) -> tuple[bytes, list[str]]:
    """The object file of a compiled Numba function of the memory, and the names it expects to find outside."""
    (overload,) = entry.overloads.values()
    library = overload.library
    module = llvm.parse_assembly(_UNRESOLVED.sub(_resolve, str(library._final_module)))
    for function in module.functions:
        if function.name == overload.fndesc.llvm_func_name:
            function.name = SYMBOL
        elif not function.is_declaration:
            function.linkage = "internal"
    module.verify()
    machine = _machine()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(module, builder)
    outside = [f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")]
    outside += [g.name for g in module.global_variables if g.is_declaration]
    return machine.emit_object(module), outside


def _resolve(found: re.Match[str]) -> str:
    pointer, name, kind = found.groups()
    return f'{pointer} = internal constant {kind} @"{name}"'


def link(code: bytes, outside: list[str]) -> Any:
    """The kernel in an object file, as a C function of (result, exception, memory).

    ctypes lets go of the interpreter lock while it runs. Raises LookupError if a name that the code
    expects is nowhere to be found.
    """
    if any(llvm.address_of_symbol(name) is None for name in outside):
        _offer_numba_symbols()  # rules that allocate arrays or raise exceptions need Numba's runtime
    for name in outside:
        if llvm.address_of_symbol(name) is None:
            raise LookupError(name)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    address = engine.get_function_address(SYMBOL)
    if not address:
        raise LookupError(SYMBOL)
    function = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(address)
    function.engine = engine  # type: ignore[attr-defined]  # the code lives as long as the engine
    return function


def processor() -> tuple[str, str]:
    """The machine that code is made for: an object file from another one may not run here."""
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


@lru_cache(maxsize=1)
def _machine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    cpu, features = processor()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(cpu=cpu, features=features, opt=3, reloc="default", codemodel="jitdefault", jit=True)


def _offer_numba_symbols() -> None:
    from numba.core.registry import cpu_target
    from numba.core.runtime import rtsys

    rtsys.initialize(cpu_target.target_context)
