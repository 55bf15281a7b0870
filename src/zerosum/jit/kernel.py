"""Kernels: algorithms over a game's rules, compiled once per game and content, stored on disk.

PERFT = ItemKernel("perft", uses=USES, build=build, words=ITEMS.then("depth"), regions=regions)

A ``Crew`` runs a kernel in threads: see ``running``. *Line* kernels, such as a search, work on one thing at a time, as
deep as necessary. *Item* kernels do the same for each of many items; one call handles a range of them.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from zerosum.errors import GameError
from zerosum.game import MOVE_LIMIT, PROBABILITY_TOLERANCE, Game
from zerosum.jit import detached, packaged, store
from zerosum.jit.fingerprint import fingerprint
from zerosum.jit.memory import Memory
from zerosum.jit.notices import noticed
from zerosum.jit.plan import COMMON, STOP, Plan, Regions, Words, no_regions
from zerosum.jit.rules import Rules
from zerosum.jit.target import CPU, GPU, Target

if TYPE_CHECKING:
    from zerosum.jit.lift import Lifter

EXCEPTION = "{game}: a compiled rule raised an exception; Engine(game, jit=False) shows where"

_loaded: dict[str, Any] = {}
_locks: dict[str, Any] = {}  # one for each kernel, held while it is loaded or compiled
_compiler = threading.RLock()  # Numba compiles one thing at a time anyway


def _begin_forked() -> None:
    _compiler.release()
    _locks.clear()  # held by threads that the new process does not have


if hasattr(os, "register_at_fork"):
    # A fork waits until no other thread compiles: in the new process that compilation would never end.
    os.register_at_fork(before=_compiler.acquire, after_in_parent=_compiler.release, after_in_child=_begin_forked)


class Compiled(NamedTuple):
    """A kernel as LLVM IR, its object file for this processor, and the external symbols that the file needs."""

    text: str
    code: bytes
    outside: list[str]


class InLlvm(NamedTuple):
    """A kernel as LLVM IR; ``compare()`` raises KernelError if the compiled rules differ from the plain ones.

    It runs the rules, so code that must not run has to be refused first.
    """

    text: str
    compare: Callable[[], None]


@dataclass(frozen=True)
class Kernel:
    """An algorithm: its name, the rules it uses, and ``build(rules)``, which returns ``entry(mem) -> int``.

    It defines its memory: ``words`` are the names of single numbers, ``regions`` are the other parts for a game.
    ``problems`` are error codes of its own, each with a message.
    """

    name: str
    uses: tuple[str, ...]
    build: Callable[[Rules], Callable[..., int]]
    words: Words = COMMON
    regions: Regions = no_regions
    problems: tuple[tuple[int, str], ...] = ()

    @property
    def is_for_items(self) -> bool:
        return isinstance(self, ItemKernel)

    def plan(self, game: Game) -> Plan:
        """The layout of this kernel's memory."""
        return Plan(game, self.regions)

    def entry(self, rules: Rules) -> Callable[[Any], int]:
        """The function of the memory that is compiled, or run in plain Python."""
        return self.build(rules)

    def of(self, game: Game, target: Target = CPU) -> Callable[[Memory], int]:
        """The kernel for one game, ready to run on the target."""
        if not target.is_compiled:
            entry = self.entry(Rules(game, self.uses, compiled=False, plan=self.plan(game)))
            return lambda memory: entry(memory.row)
        if target is GPU:
            from zerosum.jit.gpu.kernels import loaded_on_gpu

            return loaded_on_gpu(self, game)
        source = self.source(game)
        digest = _for_this_processor(source)
        with _lock_of(digest):
            if digest not in _loaded:
                _loaded[digest] = _load(digest) or self._make(game, source, digest)
        return _caller(_loaded[digest], game)

    def source(self, game: Game) -> str:
        """The hash of everything that the machine code depends on, except the processor."""
        uses = {*self.uses, "clock", "moves"} if game.has("clock") else self.uses
        rules = {rule: game.given[rule] for rule in sorted(uses) if game.has(rule)}
        facts = [game.state_type.describe(), game.max_moves, game.scored, game.repetition, len(game.tables or ())]
        # With chance, utilities and evaluations are floats, even if the kernel does not use ``chances``.
        facts += [game.has("chances"), game.max_chances]
        facts += [game.active_features, game.max_active, game.phases]
        if game.tables is not None:
            from zerosum.jit.tables import check_tables, describe_tables

            check_tables(game.name, game.tables)
            facts.append(describe_tables(game.tables))
        algorithm = _algorithm(self.is_for_items, self.build, self.regions)
        classes = game.state_type.classes().values()
        return fingerprint(_platform(), algorithm, rules, facts, classes=classes)

    def digest(self, game: Game) -> str:
        """The hash of everything that the machine code depends on: the name that it is stored under."""
        return _for_this_processor(self.source(game))

    def keep(self, game: Game) -> bool:
        """Compile the kernel in this process unless it is in the store; whether it is there now."""
        source = self.source(game)
        digest = _for_this_processor(source)
        self._make_here(game, source, digest)
        return store.read(digest) is not None

    def compiled(self, game: Game) -> Compiled:
        """Compile the kernel, and compare the compiled rules with the plain ones."""
        from numba import types

        from zerosum.jit.diagnose import refuse_interpreter
        from zerosum.jit.intrinsics import MEMORY
        from zerosum.jit.native import object_of

        text, compare = self.in_llvm(game, self.entry, types.int64(MEMORY))
        code, outside = object_of(text)
        refuse_interpreter(game, outside)
        compare()
        return Compiled(text, code, outside)

    def in_llvm(
        self, game: Game, entry_of: Callable[[Rules], Callable[..., int]], signature: Any, lifter: Lifter | None = None
    ) -> InLlvm:
        """A function of the rules as LLVM IR. Functions that ``lifter`` has already lifted are not lifted again."""
        from zerosum.jit.answers import CompiledAnswers
        from zerosum.jit.compare import must_agree
        from zerosum.jit.diagnose import explained, refuse_missing_returns
        from zerosum.jit.lift import Lifter
        from zerosum.jit.native import linked
        from zerosum.jit.numba_private import quick_compilation

        lifter = lifter or Lifter(game.state_type)
        with explained(game, self.uses), quick_compilation():
            refuse_missing_returns(game, self.uses)
            rules = Rules(game, self.uses, compiled=True, plan=self.plan(game))
            program = lifter.program(entry_of(rules), signature)
        return InLlvm(linked(program), lambda: must_agree(CompiledAnswers(rules, lifter)))

    def _make(self, game: Game, source: str, digest: str) -> Any:
        is_kept = store.is_usable()
        with noticed(f"compiling {self.name} for {game.name}", is_kept):
            # What another process compiles reaches this one through the store.
            if is_kept and detached.make(self, game):
                return _load(digest) or self._make_here(game, source, digest)
            return self._make_here(game, source, digest)

    def _make_here(self, game: Game, source: str, digest: str) -> Any:
        """Compile and store the kernel, unless another process has just done so."""
        from zerosum.jit.native import link

        with store.claimed(digest), _compiler:
            function = _load(digest)
            if function is not None:
                return function
            started = time.perf_counter()
            _, code, outside = _from_package(source) or self.compiled(game)
            store.write(digest, code, outside, game.name, self.name, time.perf_counter() - started)
        return link(code, outside)


ITEMS = Words("next_item", "last_item")
NEXT_ITEM, LAST_ITEM = ITEMS


@dataclass(frozen=True)
class ItemKernel(Kernel):
    """``build(rules)`` returns ``item(i, mem)``, run for a range of items; it returns 0 if it was stopped, else 1.

    Items are independent: which thread does which item, and in what order, makes no difference. The kernel's own words
    follow those of ``ITEMS``. ``sums`` (whole numbers) and ``fraction_sums`` (floats) are the words that items only add
    to: their totals over all workers are the result.

    ``min_blocks`` is the number of thread blocks that should share a multiprocessor of a card, each with
    correspondingly fewer registers; 0 leaves this to the card's compiler.
    """

    words: Words = ITEMS
    sums: tuple[str, ...] = ()
    fraction_sums: tuple[str, ...] = ()
    min_blocks: int = 0

    def entry(self, rules: Rules) -> Callable[[Any], int]:
        item = self.build(rules)

        def entry(mem: Any) -> int:
            while mem[NEXT_ITEM] < mem[LAST_ITEM] and mem[STOP] == 0:
                if item(mem[NEXT_ITEM], mem) == 0:
                    break
                mem[NEXT_ITEM] += 1
            return mem[NEXT_ITEM]  # type: ignore[no-any-return]

        return entry


def _from_package(source: str) -> Compiled | None:
    """A kernel from the package, compiled for this processor; None if there is none that works."""
    from zerosum.jit.native import object_of

    text = packaged.read(source)
    try:
        return None if text is None else Compiled(text, *object_of(text))
    except RuntimeError:  # LLVM cannot read it
        return None


def _load(digest: str) -> Any:
    """The kernel in the store as a C function; None if there is none that works."""
    from zerosum.jit.native import link

    kept = store.read(digest)
    try:
        return None if kept is None else link(*kept)
    except (LookupError, RuntimeError):
        return None


def _for_this_processor(source: str) -> str:
    from zerosum.jit.native import processor

    return fingerprint(source, processor())


def _lock_of(digest: str) -> Any:
    """The lock of one kernel: a long compilation does not block threads that need other kernels."""
    return _locks.setdefault(digest, threading.RLock())


def _caller(function: Any, game: Game) -> Callable[[Memory], int]:
    def call(memory: Memory) -> int:
        result, exception = ctypes.c_int64(), ctypes.c_void_p()
        status = function(ctypes.byref(result), ctypes.byref(exception), memory.address)
        if status != 0:
            raise GameError(EXCEPTION.format(game=game.name))
        return result.value

    return call


COMPILER = (
    *("contract", "state", "jit/gpu/ptx"),
    *(f"jit/{name}" for name in ("bits", "constant_types", "constants", "intrinsics", "lanes", "lift", "named_tuples")),
    *(f"jit/{name}" for name in ("native", "numba_private", "numba_types", "plan", "reasons", "refusals", "returns")),
    *(
        f"jit/{name}"
        for name in ("rules", "sequence_types", "sequences", "sets", "sources", "steps", "tables", "words", "yields")
    ),
    *(f"jit/natural/{name}" for name in ("__init__", "calls", "forbidden", "inner", "loops", "members", "rewriting")),
    *(f"jit/natural/{name}" for name in ("scope", "tuples", "walrus")),
)
"""The files that determine the machine code of every kernel but are not reached from its rules."""


@lru_cache(maxsize=1)
def _platform() -> str:
    """The hash of what else determines the LLVM IR of a kernel: versions, processor family, our compiler."""
    from importlib.metadata import version

    from zerosum.jit.native import kind_of_processor

    package = Path(__file__).parents[1]
    compiler = [(package / f"{name}.py").read_bytes() for name in COMPILER]
    # With NUMBA_DISABLE_JIT nothing is compiled, so it makes no kernel another one.
    settings = sorted((k, v) for k, v in os.environ.items() if k.startswith("NUMBA_") and k != "NUMBA_DISABLE_JIT")
    return fingerprint(
        store.FORMAT,
        platform.python_implementation(),
        sys.version_info[:2],
        version("numba"),
        version("llvmlite"),
        kind_of_processor(),
        settings,
        compiler,
        [MOVE_LIMIT, PROBABILITY_TOLERANCE],
    )


@lru_cache(maxsize=256)  # the package's own code does not change; a game's may, between two engines
def _algorithm(is_for_items: bool, build: Callable[[Rules], Any], regions: Regions) -> str:
    return fingerprint(ItemKernel.entry if is_for_items else None, build, regions)
