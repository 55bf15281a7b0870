"""The card that kernels run on: the machine's own, or a simulated one.

``ZEROSUM_GPU=simulated`` makes the processor do a card's work, in the processor's memory. That is slower than using the
processor directly, but runs all the code around a kernel on a card, so that it can be tested on any machine.
"""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from functools import lru_cache
from typing import Any, Protocol

from zerosum.errors import LimitError
from zerosum.jit.gpu.ptx import RAISED, THREADS
from zerosum.jit.plan import ERROR, Plan

WAVES = 16
"""The number of blocks launched, as a multiple of those that run at once: some finish sooner than others."""

PLAYED_THREADS = 6


class Card(Protocol):
    """The interface of a card: memory by address, and functions to launch."""

    name: str
    kind: str
    """The target of its machine code."""

    def memory(self) -> tuple[int, int]: ...
    def allocate(self, size: int) -> int: ...
    def free(self, address: int) -> None: ...
    def clear(self, address: int, size: int) -> None: ...
    def upload(self, address: int, source: int, size: int) -> None: ...
    def download(self, target: int, address: int, size: int) -> None: ...
    def assembled(self, text: str, plan: Plan, min_blocks: int) -> bytes: ...
    def loaded(self, code: bytes, plan: Plan) -> Any: ...
    def launch(self, function: Any, items: int, head: int, row: int) -> None: ...


class NvidiaCard:
    """An NVIDIA card, through its driver."""

    def __init__(self) -> None:
        from zerosum.jit.gpu.driver import Driver

        self._driver = driver = Driver()
        self.name, self.kind = driver.name, f"cuda {driver.capability}"
        self.memory, self.allocate, self.free, self.clear = driver.memory, driver.allocate, driver.free, driver.clear
        self.upload, self.download = driver.upload, driver.download

    def assembled(self, text: str, plan: Plan, min_blocks: int) -> bytes:
        from zerosum.jit.gpu.ptx import ptx_of

        return self._driver.assembled(ptx_of(text, plan.words, plan.spare, self._driver.capability, min_blocks))

    def loaded(self, code: bytes, plan: Plan) -> Any:
        from zerosum.jit.gpu.ptx import CARD_ENTRY

        function = self._driver.loaded(code, CARD_ENTRY)
        return function, self._driver.blocks_at_once(function, THREADS)

    def launch(self, function: Any, items: int, head: int, row: int) -> None:
        entry, at_once = function
        self._driver.launch(entry, min(-(-items // THREADS), WAVES * at_once), THREADS, head, row)


class SimulatedCard:
    """A few simulated threads, each with its own memory, run in turn on the processor."""

    name = "a simulated card"

    def __init__(self) -> None:
        from zerosum.jit.fingerprint import fingerprint
        from zerosum.jit.native import processor

        self.kind = f"simulated {fingerprint(processor())[:8]}"
        self._rows: dict[int, Any] = {}

    def memory(self) -> tuple[int, int]:
        return 1 << 28, 1 << 30

    def allocate(self, size: int) -> int:
        import numpy as np

        row = np.zeros(-(-size // 8) or 1, np.int64)
        self._rows[row.ctypes.data] = row
        return int(row.ctypes.data)

    def free(self, address: int) -> None:
        self._rows.pop(address, None)

    def clear(self, address: int, size: int) -> None:
        ctypes.memset(address, 0, size)

    def upload(self, address: int, source: int, size: int) -> None:
        ctypes.memmove(address, source, size)

    def download(self, target: int, address: int, size: int) -> None:
        ctypes.memmove(target, address, size)

    def assembled(self, text: str, plan: Plan, min_blocks: int) -> bytes:
        from zerosum.jit.gpu.ptx import ptx_of
        from zerosum.jit.native import object_of

        ptx_of(text, plan.words, plan.spare, 90, min_blocks)  # raises the same errors as for a real card
        return object_of(text)[0]

    def loaded(self, code: bytes, plan: Plan) -> Any:
        from zerosum.jit.native import link

        return link(code, [], arguments=5), plan.words

    def launch(self, function: Any, items: int, head: int, row: int) -> None:
        import numpy as np

        entry, words = function
        result, problem = ctypes.c_int64(), ctypes.c_void_p()
        for thread in range(PLAYED_THREADS):
            memory = np.full(words, -1, np.int64)  # a thread's memory is not cleared
            arguments = (memory.ctypes.data, head, row, thread, PLAYED_THREADS)
            if entry(ctypes.byref(result), ctypes.byref(problem), *arguments):
                ctypes.c_int64.from_address(row + 8 * ERROR).value = RAISED


class Buffer:
    """A zeroed block of the card's memory, released when it is no longer used."""

    def __init__(self, size: int) -> None:
        self.card, self.size = the_card(), max(size, 8)
        self.address = _pool.take(self.card, self.size)
        weakref.finalize(self, _pool.give_back, self.card, self.address, self.size)
        self.clear()

    def put(self, array: Any) -> None:
        """Copy an array to the card."""
        self.card.upload(self.address, array.ctypes.data, array.nbytes)

    def get(self, array: Any) -> None:
        """Fill an array from the card."""
        self.card.download(array.ctypes.data, self.address, array.nbytes)

    def clear(self) -> None:
        self.card.clear(self.address, self.size)


class _Pool:
    """Released memory, kept for the next buffer of about the same size: allocating and freeing on a card is slow."""

    def __init__(self) -> None:
        self.lock = threading.RLock()  # a buffer may be released at any moment, even while this thread holds the lock
        self.waiting: dict[tuple[Card, int], list[int]] = {}

    def take(self, card: Card, size: int) -> int:
        size = _rounded(size)
        with self.lock:
            if self.waiting.get((card, size)):
                return self.waiting[card, size].pop()
        try:
            return card.allocate(size)
        except LimitError:
            with self.lock:
                waiting, self.waiting = self.waiting, {}
            for (owner, _), addresses in waiting.items():
                for address in addresses:
                    owner.free(address)
            return card.allocate(size)

    def give_back(self, card: Card, address: int, size: int) -> None:
        with self.lock:
            self.waiting.setdefault((card, _rounded(size)), []).append(address)


def _rounded(size: int) -> int:
    """The size rounded up, by at most an eighth, so that buffers of similar sizes can share memory.

    >>> _rounded(10_000), _rounded(10_241)
    (10240, 11264)
    """
    step = max(256, 1 << max(0, size.bit_length() - 4))
    return -(-size // step) * step


_pool = _Pool()
_lock = threading.Lock()


def the_card() -> Card:
    """This machine's card, found on the first call. DeviceError if there is none."""
    with _lock:
        return _found(os.environ.get("ZEROSUM_GPU", ""))


@lru_cache(maxsize=2)
def _found(which: str) -> Card:
    return SimulatedCard() if which == "simulated" else NvidiaCard()
