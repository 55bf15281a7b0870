"""Kernels made in a process of their own, which finishes its work whatever becomes of the one that asked.

Somebody who leaves a game, or a chess program that sends ``quit``, has begun a compilation that the next start can use.
And while another process compiles, the interpreter of this one is free to answer.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from zerosum.children import apart
from zerosum.errors import KernelError

if TYPE_CHECKING:
    from zerosum.game import Game
    from zerosum.jit.kernel import Kernel

enabled = False
"""Whether kernels are made that way. The command line does; a script or a notebook compiles for itself."""

# sys.path comes first, or modules of the folder that the process runs in would be found before all others.
PROGRAM = "import sys; sys.path[:] = {path!r}; from zerosum.jit.detached import main; main()"


def make(kernel: Kernel, game: Game) -> bool:
    """Have a kernel made and kept, and wait for that; False if this process must do it.

    KernelError if the rules cannot be compiled.
    """
    import pickle

    if not enabled or game.source is None or not sys.executable or getattr(sys, "frozen", False):
        return False
    try:
        order = pickle.dumps((kernel, game))
        answer = _ask(order)
        made, problem = pickle.loads(answer)
    except (OSError, pickle.PickleError, AttributeError, EOFError, TypeError, ValueError):
        return False  # a kernel that no other process can find, or that process has been killed
    if problem:
        raise KernelError(problem)
    return bool(made)


def _ask(order: bytes) -> bytes:
    import subprocess

    process: subprocess.Popen[bytes] = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(path=sys.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        **apart(),
    )
    return process.communicate(order)[0]


def main() -> None:
    """What the other process does: make the kernel that stdin orders, and answer on stdout, if anybody listens."""
    import os
    import pickle

    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # a game file may print
    answer: tuple[bool, str]
    try:
        kernel, game = pickle.load(sys.stdin.buffer)
        answer = kernel.keep(game), ""
    except KernelError as problem:
        answer = False, str(problem)
    try:
        answers.write(pickle.dumps(answer))
        answers.close()
    except OSError:
        os._exit(0)
