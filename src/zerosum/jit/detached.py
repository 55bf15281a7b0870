"""Compile kernels in a separate process, which finishes even if the process that started it ends.

If a user leaves a game, or a chess program sends ``quit``, the next start can use the compilation they began.
And while the other process compiles, this one's interpreter stays responsive.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from zerosum.children import own_process_group
from zerosum.errors import KernelError

if TYPE_CHECKING:
    from zerosum.game import Game
    from zerosum.jit.kernel import Kernel

enabled = False
"""Whether kernels are compiled this way. The command line does; scripts and notebooks compile in their own process."""

# sys.path is set first: otherwise modules in the working directory would be found before all others.
PROGRAM = "import sys; sys.path[:] = {path!r}; from zerosum.jit.detached import main; main()"


LONGEST = 600.0
"""Seconds after which the other process ends: a rule that never returns would keep it busy after its user has left."""


def make(kernel: Kernel, game: Game) -> bool:
    """Have another process compile and store a kernel, and wait; False if this process must do it.

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
        return False  # another process cannot find the kernel, or it was killed
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
        **own_process_group(),
    )
    return process.communicate(order)[0]


def main() -> None:
    """The other process: compile the kernel that arrives on stdin, and report on stdout if it is still open."""
    import faulthandler
    import os
    import pickle

    faulthandler.dump_traceback_later(LONGEST, exit=True)  # works even in compiled rules, which keep Python's lock
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
