"""Translate LLVM IR for a processor to PTX, the assembly language of NVIDIA's cards.

The IR of a kernel is the one that the processor's machine code is made from: nothing in it depends on the processor but
the two lines that name it. So a card runs the same code that was compared with the plain rules, and no second compiler
has to understand them. LLVM's own back end writes the PTX; it comes with llvmlite, which Numba needs anyway.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import llvmlite.binding as llvm

from zerosum.errors import KernelError
from zerosum.jit.intrinsics import RESERVING
from zerosum.jit.native import ENTRY
from zerosum.jit.plan import ERROR

CARD_ENTRY, RESERVE = "zerosum_card", "zerosum_reserve"

TRIPLE = "nvptx64-nvidia-cuda"

THREADS = 128
"""The number of threads in a block."""

CAPABILITIES = (50, 60, 70, 75, 80, 86, 89, 90, 100, 120)
"""The compute capabilities that LLVM supports. For newer cards the driver compiles the PTX of an older capability."""

RAISED = -99
"""The error code of a rule that raised an exception."""

LIBRARY = {"exp", "exp2", "exp10", "log", "log2", "log10", "pow", "powi", "sin", "cos", "tan", "tanh", "sinh", "cosh"}

ROOMS = 16
"""The number of bits of a reservation: a thread reserves fewer than 2**ROOMS places."""

WRAPPER = """
define ptx_kernel void @{entry}(ptr byval([{head} x i64]) align 8 %head, ptr %row) #9000 {{
  %mem = alloca [{words} x i64], align 64
  %result = alloca i64
  %problem = alloca ptr
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %place = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %before = mul i32 %block, %size
  %number = add i32 %before, %place
  %count = mul i32 %blocks, %size
  %thread = zext i32 %number to i64
  %threads = zext i32 %count to i64
  %status = call i32 @{kernel}(ptr %result, ptr %problem, ptr %mem, ptr %head, ptr %row, i64 %thread, i64 %threads)
  %fine = icmp eq i32 %status, 0
  br i1 %fine, label %end, label %raised
raised:
  %error = getelementptr i64, ptr %row, i64 {error}
  store i64 {raised}, ptr %error
  br label %end
end:
  ret void
}}
define internal i64 @{reserve}(ptr %at, i64 %rooms) {{
  %together = call i32 @llvm.nvvm.activemask()
  %less = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
{votes}
  %ahead = and i32 %together, %less
  %first = icmp eq i32 %ahead, 0
  br i1 %first, label %ask, label %share
ask:
  %all = zext i32 %all{rooms} to i64
  %given = atomicrmw add ptr %at, i64 %all monotonic
  br label %share
share:
  %known = phi i64 [ %given, %ask ], [ 0, %0 ]
  %leader = call i32 @llvm.cttz.i32(i32 %together, i1 false)
  %low = trunc i64 %known to i32
  %shifted = lshr i64 %known, 32
  %high = trunc i64 %shifted to i32
  %low.told = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %together, i32 %low, i32 %leader, i32 31)
  %high.told = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %together, i32 %high, i32 %leader, i32 31)
  %low.wide = zext i32 %low.told to i64
  %high.wide = zext i32 %high.told to i64
  %high.up = shl i64 %high.wide, 32
  %begin = or i64 %low.wide, %high.up
  %mine = zext i32 %mine{rooms} to i64
  %own = add i64 %begin, %mine
  ret i64 %own
}}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
declare i32 @llvm.nvvm.activemask() #9001
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) #9001
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) #9001
declare i32 @llvm.cttz.i32(i32, i1)
declare i32 @llvm.ctpop.i32(i32)
attributes #9000 = {{ "nvvm.maxntid"="{threads}"{min_blocks} }}
attributes #9001 = {{ convergent nounwind }}
"""
"""The card's entry function, which gives each thread a memory and a number; and ``reserve`` for the threads of a
warp that reach it together: one of them reserves for all, and each finds its place by ballots on the numbers' bits."""

VOTE = """
  %bit{n} = lshr i64 %rooms, {n}
  %asks{n} = trunc i64 %bit{n} to i1
  %vote{n} = call i32 @llvm.nvvm.vote.ballot.sync(i32 %together, i1 %asks{n})
  %voters{n} = call i32 @llvm.ctpop.i32(i32 %vote{n})
  %worth{n} = shl i32 %voters{n}, {n}
  %all{next} = add i32 %all{n}, %worth{n}
  %lower{n} = and i32 %vote{n}, %less
  %earlier{n} = call i32 @llvm.ctpop.i32(i32 %lower{n})
  %part{n} = shl i32 %earlier{n}, {n}
  %mine{next} = add i32 %mine{n}, %part{n}
"""


def ptx_of(text: str, words: int, head: int, capability: int, min_blocks: int = 0) -> str:
    """The PTX of a kernel in LLVM IR; each thread has its own memory of ``words`` words.

    The first ``head`` words of the member's memory are its argument: a card reads arguments as fast as registers.

    KernelError if it cannot run on a card.
    """
    machine = _machine(max((c for c in CAPABILITIES if c <= capability), default=CAPABILITIES[0]))
    module = llvm.parse_assembly(_with_gpu_entry(text, words, head, min_blocks))
    module.triple, module.data_layout = TRIPLE, str(machine.target_data)
    for function in module.functions:
        if not function.is_declaration and function.name != CARD_ENTRY:
            function.linkage = "internal"
            # A call is far more expensive on a card than on a processor: its registers go to memory and back.
            function.add_function_attribute("alwaysinline")
    module.verify()
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    outside = [f.name for f in module.functions if f.is_declaration and not _is_known(f.name)]
    if outside:
        raise KernelError(f"it calls {outside[0]}, which a graphics card does not have; use plain arithmetic")
    if circle := _recursive(str(module)):
        raise KernelError(f"{circle} calls itself, and a graphics card has too little stack for recursion")
    return machine.emit_assembly(module)  # type: ignore[no-any-return]


def _is_known(name: str) -> bool:
    """Whether a card has instructions for this LLVM intrinsic; for those in LIBRARY, LLVM would need a library."""
    return name.startswith("llvm.") and name.split(".")[1] not in LIBRARY


def _with_gpu_entry(text: str, words: int, head: int, min_blocks: int) -> str:
    """The IR without the parts for a processor, and with the card's entry function."""
    text = re.sub(r"(?m)^(target |@_ZN08NumbaEnv).*$", "", text)
    text = re.sub(r"(?m)^(attributes #\d+ = .*)\bnoinline\b", r"\1nounwind", text)
    # Every address in a kernel's words is in the card's global memory. If that is declared, the card need not check.
    text = re.sub(
        r"(?m)^(\s*)%(\S+) = inttoptr i64 (\S+) to ptr",
        r'\1%"far \2" = inttoptr i64 \3 to ptr addrspace(1)\n\1%\2 = addrspacecast ptr addrspace(1) %"far \2" to ptr',
        text,
    )
    text = re.sub(
        rf"= atomicrmw add ptr (\S+), i64 (\S+) {RESERVING}.*", rf"= call i64 @{RESERVE}(ptr \1, i64 \2)", text
    )
    votes = "".join(VOTE.format(n=n, next=n + 1) for n in range(ROOMS)).replace("%all0", "0").replace("%mine0", "0")
    names = {"entry": CARD_ENTRY, "kernel": ENTRY, "reserve": RESERVE, "error": ERROR, "raised": RAISED}
    sizes = {"words": words, "head": head, "threads": THREADS, "rooms": ROOMS}
    crowded = f' "nvvm.minctasm"="{min_blocks}"' if min_blocks else ""
    return text + WRAPPER.format(**names, **sizes, votes=votes, min_blocks=crowded)


def _recursive(text: str) -> str:
    """The name of a function that calls itself, perhaps through others; '' if there is none."""
    calls: dict[str, set[str]] = {}
    for body in re.findall(r"(?ms)^define .*?^}", text):
        found = re.findall(r"@([\w.$]+|\"[^\"]+\")\(", body)
        calls[found[0]] = set(found[1:])
    for start in calls:
        reached: set[str] = set()
        waiting = list(calls[start])
        while waiting:
            name = waiting.pop()
            if name in calls and name not in reached:
                reached.add(name)
                waiting += calls[name]
        if start in reached:
            return start
    return ""


@lru_cache(maxsize=16)  # kept, because LLVM's output may refer to its machine
def _machine(capability: int) -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(TRIPLE).create_target_machine(cpu=f"sm_{capability}", opt=3)
