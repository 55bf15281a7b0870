"""A crew: workers that run one kernel, each with its own memory. The one way to run a kernel.

>>> from zerosum.games import load
>>> from zerosum.search.playout import PLAYOUT
>>> game = load("tictactoe")
>>> crew = Crew(PLAYOUT, game, workers=2, target=PLAIN)
>>> for member in crew:
...     member.put_state(game.initial())
>>> crew.run(lambda report: crew.do_items(100))
>>> sum(member.done for member in crew)
100
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

from zerosum.errors import GameError
from zerosum.game import Game
from zerosum.jit.kernel import Kernel
from zerosum.jit.memory import Memory
from zerosum.jit.plan import ERROR, HALT, STOP
from zerosum.jit.target import CPU, GPU, PLAIN, Target
from zerosum.running.background import each_in_background, in_background, reported_in_background, together
from zerosum.running.stopping import Stop

__all__ = ["CPU", "GPU", "PLAIN", "Crew", "Member"]

FIRST_AT_ONCE, LEAST_AT_ONCE = 1 << 20, 1 << 12
SHORT, LONG = 0.1, 0.5
"""Items per launch on a GPU: the initial number and the minimum. The number is adjusted until a launch, which cannot be
stopped, takes between SHORT and LONG seconds."""

TOO_DEEP = (
    "{game}: {limit} nested calls, Python's limit: either a line of moves is too long for plain Python, or a rule calls"
    " itself endlessly; sys.setrecursionlimit({more}) allows longer lines"
)

Item = TypeVar("Item")
Found = TypeVar("Found")


class Member(Memory):
    """One worker: the kernel and its memory."""

    def __init__(self, kernel: Kernel, call: Callable[[Memory], int], game: Game, target: Target) -> None:
        super().__init__(game, kernel.plan(game), kernel.words, target, dict(kernel.problems))
        self._call = call

    def run(self) -> int:
        """Call the kernel once; GameError if a rule broke its promise."""
        try:
            found = self._call(self)
        except RecursionError as problem:  # only in plain Python
            limit = sys.getrecursionlimit()
            raise GameError(TOO_DEEP.format(game=self.game.name, limit=limit, more=10 * limit)) from problem
        if self.row[ERROR]:
            self.raise_error()
        return found

    @property
    def stopped(self) -> bool:
        return bool(self.row[STOP] or self.row[HALT])


class Crew:
    """Workers for one kernel and one game. An error in any of them is raised in the caller.

    A ``Stop`` belongs to the caller, who may set it at any time, from any thread. It reaches all workers, even if it
    was set before they began.
    """

    def __init__(self, kernel: Kernel, game: Game, workers: int = 1, target: Target = CPU) -> None:
        call = kernel.of(game, target)
        self.target, self.at_once = target, FIRST_AT_ONCE
        # A GPU is one worker, which manages its own threads.
        self.members = [Member(kernel, call, game, target) for _ in range(1 if target is GPU else workers)]

    def __getitem__(self, place: int) -> Member:
        return self.members[place]

    def __iter__(self) -> Iterator[Member]:
        return iter(self.members)

    def __len__(self) -> int:
        return len(self.members)

    def stop(self) -> None:
        """Make all workers end their current work."""
        for member in self.members:
            member.stop_now()

    def put(self, **words: int) -> None:
        """Set words by name in the memory of every worker."""
        for member in self.members:
            for name, value in words.items():
                setattr(member, name, value)

    def run(
        self,
        work: Callable[[Callable[[Any], None]], Found],
        *,
        stop: Stop | None = None,
        seconds: float | None = None,
        on_report: Callable[[Any], None] | None = None,
        helpers: Sequence[Callable[[], None]] = (),
    ) -> Found:
        """Run ``work(report)`` in its own thread and return its result.

        The calling thread waits, passes reports to ``on_report``, stops all workers after ``seconds``, and can be
        interrupted. Helpers run alongside the work, and are stopped when it is done.
        """
        with (stop or Stop()).part() as ending, self._at_work(ending):
            return in_background(work, ending.set, seconds, on_report, tuple(helpers))  # type: ignore[no-any-return]

    def each(
        self,
        items: Iterable[Item],
        task: Callable[[Item, Stop, Callable[[Any], None]], Found],
        *,
        stop: Stop | None = None,
        seconds: float | None = None,
        on_report: Callable[[Any], None] | None = None,
    ) -> Iterator[Found]:
        """Yield the result of ``task(item, ending, report)`` for one item after another, each within ``seconds``.

        ``ending`` ends the item; after ``stop`` no other item follows. Reports are passed to ``on_report``.
        """

        def one(item: Item, ending: Stop, report: Callable[[Any], None]) -> Found:
            with self._at_work(ending):
                return task(item, ending, report)

        return each_in_background(one, items, stop or Stop(), seconds, on_report)

    def together(self, tasks: Sequence[Callable[[], Found]]) -> list[Found]:
        """Run all tasks at the same time, each in a thread; if one fails, stop the others and raise its exception."""
        return together(tasks, self.stop)

    def all(self, task: Callable[[Member], Found]) -> list[Found]:
        """Run ``task(member)`` for all workers at the same time."""
        return self.together([partial(task, member) for member in self.members])

    def hand_out(self, items: Iterable[Item], task: Callable[[Member, Item], Found]) -> list[Found]:
        """Run ``task(member, item)`` for each item on the next free worker; the results, in the order of the items.

        After a stop, items that no worker has begun are missing.
        """
        waiting, lock = enumerate(items), threading.Lock()
        found: dict[int, Found] = {}

        def take(member: Member) -> None:
            while not member.stopped:
                with lock:
                    number, item = next(waiting, (-1, None))
                if number < 0:
                    break
                found[number] = task(member, item)  # type: ignore[arg-type]

        self.all(take)
        return [found[number] for number in sorted(found)]

    def in_order(
        self, items: Iterable[Item], task: Callable[[Member, Item], Found], *, stop: Stop | None = None
    ) -> Iterator[Found]:
        """Run ``task(member, item)`` for each item on the next free worker; yield the results in the items' order.

        No worker waits for another between items. After a stop, all results from the first unfinished item on are
        missing. Closing the iterator stops the workers.
        """

        def work(report: Callable[[Found], None]) -> None:
            early: dict[int, Found] = {}
            due, lock = 0, threading.Lock()

            def one(member: Member, numbered: tuple[int, Item]) -> None:
                nonlocal due
                number, item = numbered
                found = task(member, item)
                with lock:
                    if not member.stopped:
                        early[number] = found
                    while due in early:
                        report(early.pop(due))
                        due += 1

            with self._at_work(ending):
                self.hand_out(enumerate(items), one)

        with (stop or Stop()).part() as ending:
            yield from reported_in_background(work, ending.set)

    def do_items(self, count: int, portion: int = 1, on_portion: Callable[[], None] | None = None) -> None:
        """Do items 0 to ``count - 1`` of an item kernel in portions, each on the next free worker.

        A GPU chooses its own portions. The worker calls ``on_portion()`` after each one.
        """
        on_done = on_portion or (lambda: None)
        if self.target is GPU:
            self._do_on_gpu(count, on_done)
            return

        def some(member: Member, first: int) -> None:
            member.next_item, member.last_item = first, min(first + portion, count)
            member.run()
            on_done()

        self.hand_out(range(0, count, portion), some)

    def do_now(self, count: int, portion: int) -> None:
        """Do the items of an item kernel, in this thread and others: for work too short to need stopping."""
        with self._at_work(Stop()):
            self.do_items(count, portion)

    def _do_on_gpu(self, count: int, on_done: Callable[[], None]) -> None:
        member, first = self.members[0], 0
        while first < count and not member.stopped:
            portion = min(self.at_once, count - first)
            member.next_item, member.last_item = first, first + portion
            began = time.perf_counter()
            member.run()
            took = time.perf_counter() - began
            if took > LONG:
                self.at_once = max(LEAST_AT_ONCE, self.at_once // 2)
            elif took < SHORT and portion == self.at_once:
                self.at_once *= 4
            first += portion
            on_done()

    def _at_work(self, ending: Stop) -> Any:
        """Within this block ``ending`` stops the workers. Clears earlier stops and errors."""
        for member in self.members:
            member.row[STOP] = member.row[HALT] = member.row[ERROR] = 0
        return ending.over(self.stop)
