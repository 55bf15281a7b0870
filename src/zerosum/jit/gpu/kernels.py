"""Item kernels on a card: compiled once for each game and kind of card, kept in the store, run by many threads.

Each thread has its own memory, like a worker on the processor. It begins with a copy of the member's words, handles
every n-th item, where n is the number of threads, and ends by adding its sums to the member's. The first thread with
an error copies all its words, and the position, to the member's memory.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from zerosum.errors import GameError, KernelError
from zerosum.game import Game
from zerosum.jit import store
from zerosum.jit.fingerprint import fingerprint
from zerosum.jit.gpu.card import Card, the_card
from zerosum.jit.gpu.ptx import RAISED, ROOMS
from zerosum.jit.kernel import EXCEPTION, LAST_ITEM, NEXT_ITEM, InLlvm, ItemKernel, Kernel
from zerosum.jit.memory import Memory
from zerosum.jit.notices import noticed
from zerosum.jit.plan import ERROR, STOP, Plan
from zerosum.jit.rules import Rules
from zerosum.jit.words import add_fraction_shared, add_shared, word_float

if TYPE_CHECKING:
    from zerosum.jit.lift import Lifter

_loaded: dict[str, Any] = {}
_lock = threading.RLock()


def loaded_on_gpu(kernel: Kernel, game: Game) -> Callable[[Memory], int]:
    """The kernel, ready to run on this machine's card; KernelError if it cannot."""
    if not isinstance(kernel, ItemKernel):
        raise KernelError(
            f"{game.name}: {kernel.name} works on one position at a time, to any depth; a graphics card cannot run it"
        )
    if game.max_moves >= 1 << ROOMS:
        raise KernelError(
            f"{game.name}: a graphics card handles up to {(1 << ROOMS) - 1:,} moves, not {game.max_moves:,}"
        )
    card, plan = the_card(), kernel.plan(game)
    digest = fingerprint(
        kernel.source(game), card.kind, thread_entry, kernel.sums, kernel.fraction_sums, kernel.min_blocks
    )
    with _lock:
        if digest not in _loaded:
            _loaded[digest] = card.loaded(_code(kernel, game, card, plan, digest), plan)
    return _caller(card, _loaded[digest], plan)


def _code(kernel: ItemKernel, game: Game, card: Card, plan: Plan, digest: str) -> bytes:
    """The machine code for this card, from the store or compiled now."""
    kept = store.read(digest)
    if kept is not None:
        return kept[0]
    with noticed(f"compiling {kernel.name} for {game.name} and {card.name}"), store.claimed(digest):
        kept = store.read(digest)  # another process may have compiled it meanwhile
        if kept is not None:
            return kept[0]
        started = time.perf_counter()
        text, compare = llvm_for_gpu(kernel, game)
        try:
            code = card.assembled(text, plan, kernel.min_blocks)
        except KernelError as problem:
            raise KernelError(f"{game.name}: {kernel.name} cannot run on a graphics card: {problem}") from problem
        compare()
        store.write(digest, code, [], game.name, f"{kernel.name} ({card.kind})", time.perf_counter() - started)
    return code


def llvm_for_gpu(kernel: ItemKernel, game: Game, lifter: Lifter | None = None) -> InLlvm:
    """The kernel as LLVM IR, in the form that each of many threads runs."""
    from numba import types

    from zerosum.jit.intrinsics import MEMORY

    return kernel.in_llvm(
        game,
        lambda rules: thread_entry(kernel, rules),
        types.int64(MEMORY, MEMORY, MEMORY, types.int64, types.int64),
        lifter,
    )


def thread_entry(kernel: ItemKernel, rules: Rules) -> Callable[..., int]:
    """``entry(mem, head, row, thread, threads)``: one thread's share of the items.

    ``row`` is the member's memory, and ``head`` its contents before the launch. Indices are written out as constants,
    because LLVM keeps words in registers only if it knows their indices.
    """
    at, size = rules.at, rules.game.state_type.size
    sums, fractions = ([kernel.words.place[name] for name in names] for names in (kernel.sums, kernel.fraction_sums))
    own = {STOP, ERROR, *sums, *fractions}
    words = [place for place in kernel.words.place.values() if place not in own]
    words += range(at.state, at.state + size)
    words += range(at.tables, at.tables + len(rules.game.tables or ()))
    back = [place for place in kernel.words.place.values() if place not in own | {NEXT_ITEM, LAST_ITEM}]
    back += [ERROR, *range(at.faulty_state, at.faulty_state + size)]
    text = [
        "def entry(mem, head, row, thread, threads):",
        *(f"    mem[{place}] = 0" for place in sorted(own)),
        *(f"    mem[{place}] = head[{place}]" for place in words),
        "    i = mem[NEXT_ITEM] + thread",
        "    while i < mem[LAST_ITEM]:",
        "        if item(i, mem) == 0:",
        "            break",
        "        i += threads",
        *(f"    add_shared(row, {place}, mem[{place}])" for place in sums),
        *(f"    add_fraction_shared(row, {place}, word_float(mem[{place}]))" for place in fractions),
        "    if mem[STOP] != 0 and add_shared(row, STOP, 1) == 0:",
        *(f"        row[{place}] = mem[{place}]" for place in back),
        "    return 0",
    ]
    scope: dict[str, Any] = {"item": kernel.build(rules), "add_shared": add_shared, "word_float": word_float}
    scope |= {"add_fraction_shared": add_fraction_shared, "STOP": STOP, "NEXT_ITEM": NEXT_ITEM, "LAST_ITEM": LAST_ITEM}
    exec(compile("\n".join(text), "<thread of a card>", "exec"), scope)
    return scope["entry"]  # type: ignore[no-any-return]


def _caller(card: Card, function: Any, plan: Plan) -> Callable[[Memory], int]:
    size = 8 * plan.head

    def call(memory: Memory) -> int:
        row = memory.row
        first, last = int(row[NEXT_ITEM]), int(row[LAST_ITEM])
        if row[STOP] or first >= last:
            return first
        there = memory.there.address
        card.upload(there, memory.address, size)
        card.launch(function, last - first, memory.address, there)
        card.download(memory.address, there, size)
        if row[ERROR] == RAISED:
            raise GameError(EXCEPTION.format(game=memory.game.name))
        row[NEXT_ITEM] = first if row[STOP] else last
        return int(row[NEXT_ITEM])

    return call
