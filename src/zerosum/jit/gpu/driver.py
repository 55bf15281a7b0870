"""NVIDIA's driver through ctypes: the part that zerosum needs, with no package but the driver itself.

The functions are those of the CUDA Driver API, which NVIDIA keeps stable.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import byref, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p
from typing import Any

from zerosum.errors import DeviceError, LimitError

MULTIPROCESSORS, MAJOR, MINOR = 16, 75, 76
"""Attributes of a device."""

PTX, LOG, LOG_SIZE = 1, 5, 6
"""The type of input to the linker, and the options for its error log."""

OUT_OF_MEMORY, NO_DEVICE = 2, 100

KEEPS_LOCAL_MEMORY = 16
"""A flag of a context."""

MISSING = "leave --gpu and device='gpu' out to use the processor"


def _library() -> Any:
    names = ("nvcuda.dll",) if sys.platform == "win32" else ("libcuda.so.1", "libcuda.so")
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise DeviceError(
        f"no graphics card can be used: NVIDIA's driver ({names[0]}) is not installed; install it, or {MISSING}"
    )


class Driver:
    """The first card of this machine, through its driver. All methods can be called from any thread."""

    def __init__(self) -> None:
        self._cuda = _library()
        status = self._cuda.cuInit(0)
        count = c_int()
        if status == 0:
            status = self._cuda.cuDeviceGetCount(byref(count))
        if status == NO_DEVICE or (status == 0 and count.value == 0):
            raise DeviceError(f"no graphics card was found, though NVIDIA's driver is installed; {MISSING}")
        self._check(status, "be started")
        device = c_int()
        self._call("cuDeviceGet", byref(device), 0)
        name = ctypes.create_string_buffer(256)
        self._call("cuDeviceGetName", name, 256, device)
        self.name = name.value.decode(errors="replace")
        self.multiprocessors, major, minor = (self._attribute(a, device) for a in (MULTIPROCESSORS, MAJOR, MINOR))
        self.capability = 10 * major + minor
        # Kernels that need much memory per thread alternate with others: keep that memory in between.
        self._cuda.cuDevicePrimaryCtxSetFlags_v2(device, KEEPS_LOCAL_MEMORY)
        self._context = c_void_p()
        self._call("cuDevicePrimaryCtxRetain", byref(self._context), device)

    def memory(self) -> tuple[int, int]:
        """The free and the total memory, in bytes."""
        free, total = c_size_t(), c_size_t()
        self._on("cuMemGetInfo_v2", byref(free), byref(total))
        return free.value, total.value

    def allocate(self, size: int) -> int:
        """The address of new memory of ``size`` bytes, not cleared."""
        address = c_uint64()
        self._enter()
        status = self._cuda.cuMemAlloc_v2(byref(address), c_size_t(size))
        if status == OUT_OF_MEMORY:
            free, _ = self.memory()
            raise LimitError(f"{self.name} cannot allocate {size >> 20:,} MB: {free >> 20:,} MB are free")
        self._check(status, "allocate memory")
        return address.value

    def free(self, address: int) -> None:
        self._enter()
        self._cuda.cuMemFree_v2(c_uint64(address))

    def clear(self, address: int, size: int) -> None:
        self._on("cuMemsetD8_v2", c_uint64(address), 0, c_size_t(size))

    def upload(self, address: int, source: int, size: int) -> None:
        self._on("cuMemcpyHtoD_v2", c_uint64(address), c_void_p(source), c_size_t(size))

    def download(self, target: int, address: int, size: int) -> None:
        self._on("cuMemcpyDtoH_v2", c_void_p(target), c_uint64(address), c_size_t(size))

    def assembled(self, ptx: str) -> bytes:
        """The machine code (a cubin) for this card from PTX."""
        log = ctypes.create_string_buffer(1 << 14)
        options = (c_int * 2)(LOG, LOG_SIZE)
        values = (c_void_p * 2)(ctypes.cast(log, c_void_p), c_void_p(len(log)))
        state = c_void_p()
        self._on("cuLinkCreate_v2", 2, options, values, byref(state))
        try:
            text = ptx.encode() + b"\0"
            status = self._cuda.cuLinkAddData_v2(state, PTX, text, c_size_t(len(text)), None, 0, None, None)
            cubin, size = c_void_p(), c_size_t()
            if status == 0:
                status = self._cuda.cuLinkComplete(state, byref(cubin), byref(size))
            if status:
                complaint = " ".join(log.value.decode(errors="replace").split())
                raise DeviceError(f"{self.name} cannot compile this kernel: {complaint or self._words(status)}")
            return ctypes.string_at(cubin, size.value)
        finally:
            self._cuda.cuLinkDestroy(state)

    def loaded(self, cubin: bytes, entry: str) -> Any:
        """The function of that name in a cubin. Modules stay loaded until the program ends."""
        module, function = c_void_p(), c_void_p()
        self._on("cuModuleLoadData", byref(module), cubin)
        self._call("cuModuleGetFunction", byref(function), module, entry.encode())
        return function

    def blocks_at_once(self, function: Any, threads: int) -> int:
        """The number of blocks of this function that the whole card runs at once."""
        count = c_int()
        self._on("cuOccupancyMaxActiveBlocksPerMultiprocessor", byref(count), function, threads, c_size_t(0))
        return max(1, count.value) * self.multiprocessors

    def launch(self, function: Any, blocks: int, threads: int, head: int, row: int) -> None:
        """Run the function in ``blocks`` blocks of ``threads`` threads, and wait until it is done.

        Its arguments are the words at ``head``, in this machine's memory, and the address ``row``, in the card's.
        """
        address = c_uint64(row)
        arguments = (c_void_p * 2)(c_void_p(head), ctypes.cast(byref(address), c_void_p))
        one = c_uint(1)
        grid = (c_uint(blocks), one, one, c_uint(threads), one, one)
        self._on("cuLaunchKernel", function, *grid, c_uint(0), None, arguments, None)
        self._call("cuCtxSynchronize")

    def _attribute(self, which: int, device: c_int) -> int:
        value = c_int()
        self._call("cuDeviceGetAttribute", byref(value), which, device)
        return value.value

    def _enter(self) -> None:
        """Make the card current in this thread; other calls need that."""
        self._call("cuCtxSetCurrent", self._context)

    def _on(self, name: str, *arguments: Any) -> None:
        self._enter()
        self._call(name, *arguments)

    def _call(self, name: str, *arguments: Any) -> None:
        self._check(getattr(self._cuda, name)(*arguments), f"do its work ({name})")

    def _check(self, status: int, what: str) -> None:
        if status:
            raise DeviceError(f"the graphics card cannot {what}: {self._words(status)}")

    def _words(self, status: int) -> str:
        text = c_char_p()
        self._cuda.cuGetErrorString(status, byref(text))
        return text.value.decode() if text.value else f"error {status}"
