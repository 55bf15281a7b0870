"""Kernels: algorithms over a game's rules, compiled once per game and content, kept on disk.

PERFT = Kernel("perft", uses=("moves", "play"), build=build)
count = PERFT.of(game)          # loaded, or compiled and kept
memory = Memory(game, words=1000)
count(memory)
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from zerosum.errors import GameError
from zerosum.game import CHANCE, MOVE_LIMIT, PROBABILITY_TOLERANCE, Game
from zerosum.jit import store
from zerosum.jit.fingerprint import fingerprint
from zerosum.jit.rules import ERROR, Layout, Rules
from zerosum.jit.yields import OUT_OF_RANGE, TOO_MANY
from zerosum.jit.zeros import zeros

_lock = threading.RLock()  # Numba compiles one thing at a time anyway
_loaded: dict[str, Any] = {}


class Memory:
    """The row of words that a kernel works on: an array for compiled kernels, a list for plain ones.

    A list, because its items are Python's own integers: NumPy's would overflow with warnings.
    """

    def __init__(self, game: Game, words: int, jit: bool = True) -> None:
        self.game = game
        self.at = Layout(game)
        self.row: Any
        if jit:
            self.row = zeros(
                words, f"{game.name}: there is no memory for a search: {8 * words >> 20} MB for each thread"
            )
            self.address = self.row.ctypes.data
        else:
            self.row = [0] * words
        if game.tables is not None and jit:
            from zerosum.jit.tables import check_tables

            for i, array in enumerate(check_tables(game.name, game.tables)):
                self.row[self.at.tables + i] = array.ctypes.data

    def put_state(self, s: Any) -> None:
        words = self.game.state_type.words(s)
        self.row[self.at.state : self.at.state + len(words)] = words

    def raise_error(self) -> None:
        """Raise the GameError that a kernel reported, by asking the plain rule again in the same state."""
        code = int(self.row[ERROR])
        if not code:
            return
        words = self.row[self.at.culprit : self.at.culprit + self.game.state_type.size]
        s = self.game.state_type.from_words([int(w) for w in words])
        if self.game.has("chances") and self.game.to_move(s) == CHANCE:
            rule, limit = "chances", "max_chances outcomes"
            self.game.checked_chances(s)
        else:
            rule, limit = "moves", "max_moves moves"
            for generator in ("moves", "noisy_moves"):
                if self.game.has(generator):
                    self.game.checked_moves(generator, s)
        what = {TOO_MANY: f"more than {limit}", OUT_OF_RANGE: "a number outside 0 to 2**31 - 1"}.get(
            code, "probabilities that are not positive or do not add up to 1"
        )
        raise GameError(f"{self.game.name}: compiled, {rule} yields {what} in {s!r}, but not in plain Python")


@dataclass(frozen=True)
class Kernel:
    """An algorithm: its name, the rules it uses, and ``build(rules)``, which returns ``entry(mem) -> int``."""

    name: str
    uses: tuple[str, ...]
    build: Callable[[Rules], Callable[[Any], int]]

    def of(self, game: Game, jit: bool = True) -> Callable[[Memory], int]:
        """The kernel for one game, compiled unless ``jit`` is False."""
        if not jit:
            entry = self.build(Rules(game, self.uses, compiled=False))
            return lambda memory: entry(memory.row)
        digest = self.digest(game)
        with _lock:
            if digest not in _loaded:
                _loaded[digest] = self._load(game, digest) or self._compile(game, digest)
        return _caller(_loaded[digest], game)

    def digest(self, game: Game) -> str:
        """The hash of everything that the machine code depends on."""
        uses = {*self.uses, "clock", "moves"} if game.has("clock") else self.uses
        rules = {rule: game.given[rule] for rule in sorted(uses) if game.has(rule)}
        facts = [game.state_type.describe(), game.max_moves, game.scored, game.repetition, len(game.tables or ())]
        # With chance, utilities and evaluations are floats, also where the kernel does not ask for chances.
        facts += [game.has("chances"), game.max_chances]
        if game.tables is not None:
            from zerosum.jit.tables import check_tables, describe_tables

            check_tables(game.name, game.tables)
            facts.append(describe_tables(game.tables))
        return fingerprint(_platform(), self.build, rules, facts)

    def _load(self, game: Game, digest: str) -> Any:
        from zerosum.jit.native import link

        kept = store.read(digest)
        if kept is None:
            return None
        try:
            return link(*kept)
        except (LookupError, RuntimeError):
            return None

    def _compile(self, game: Game, digest: str) -> Any:
        from zerosum.jit.answers import CompiledAnswers
        from zerosum.jit.compare import must_agree
        from zerosum.jit.diagnose import explained, refuse_interpreter
        from zerosum.jit.native import compile_object, light_optimisation, link

        started = time.perf_counter()
        with _notice(f"zerosum: compiling {self.name} for {game.name}; the result is kept for the next start"):
            from numba import types

            from zerosum.jit.intrinsics import MEMORY
            from zerosum.jit.lift import Lifter

            lifter = Lifter(game.state_type)
            with explained(game, self.uses), light_optimisation():
                rules = Rules(game, self.uses, compiled=True)
                program = lifter.program(self.build(rules), types.int64(MEMORY))
            code, outside = compile_object(program)
            refuse_interpreter(game, outside)
            must_agree(CompiledAnswers(rules, lifter))
        store.write(digest, code, outside, game.name, self.name, time.perf_counter() - started)
        return link(code, outside)


def _caller(function: Any, game: Game) -> Callable[[Memory], int]:
    def call(memory: Memory) -> int:
        result, exception = ctypes.c_int64(), ctypes.c_void_p()
        status = function(ctypes.byref(result), ctypes.byref(exception), memory.address)
        if status != 0:
            raise GameError(f"{game.name}: a compiled rule raised an exception; Engine(game, jit=False) shows where")
        return result.value

    return call


COMPILER = (
    "state",
    *(f"jit/{name}" for name in ("bits", "intrinsics", "lift", "native", "numba_types")),
    *(f"jit/{name}" for name in ("returns", "rules", "tables", "words", "yields")),
)
"""The files that shape the machine code of every kernel, without being reached from its rules."""


@lru_cache(maxsize=1)
def _platform() -> list[Any]:
    """Versions, processor, and the compiler's own files: what else decides on the machine code."""
    from importlib.metadata import version

    from zerosum.jit.native import processor

    package = Path(__file__).parents[1]
    compiler = [(package / f"{name}.py").read_bytes() for name in COMPILER]
    settings = sorted((k, v) for k, v in os.environ.items() if k.startswith("NUMBA_"))
    return [
        store.FORMAT,
        platform.python_implementation(),
        sys.version_info[:2],
        version("numba"),
        version("llvmlite"),
        processor(),
        settings,
        compiler,
        [MOVE_LIMIT, PROBABILITY_TOLERANCE],
    ]


def say_on_stderr(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


say = say_on_stderr
"""Tells people what takes so long. A front end that draws or prompts puts its own function here."""


@contextmanager
def _notice(text: str) -> Iterator[None]:
    """Say what takes so long, if it takes more than a second."""
    timer = threading.Timer(1.0, lambda: say(text))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
