"""A stand-in for Ray whose actors live in this process, so that teams of a cluster can be tested without Ray."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from zerosum.working.nodes import Node
from zerosum.working.team import Workers
from zerosum.working.threads import Threads


class _Method:
    def __init__(self, ray: FakeRay, method: Callable[..., Any]) -> None:
        self.ray, self.method = ray, method

    def remote(self, *given: Any) -> int:
        reference = next(self.ray.numbers)
        self.ray.calls[reference] = lambda: self.method(*given)
        return reference


class _Actor:
    def __init__(self, ray: FakeRay, instance: Any) -> None:
        self.ray, self.instance = ray, instance

    def __getattr__(self, name: str) -> _Method:
        return _Method(self.ray, getattr(self.instance, name))


class FakeRay:
    """Calls are made when their result is asked for."""

    exceptions = SimpleNamespace(RayError=ConnectionError)

    def __init__(self) -> None:
        self.numbers = itertools.count()
        self.calls: dict[int, Callable[[], Any]] = {}

    def put(self, value: Any) -> Any:
        return value

    def remote(self, **_: Any) -> Callable[[type], Any]:
        def actors(kind: type) -> Any:
            return SimpleNamespace(options=lambda **_: SimpleNamespace(remote=lambda: _Actor(self, kind())))

        return actors

    def wait(self, references: list[int], **_: Any) -> tuple[list[int], list[int]]:
        return references[:1], references[1:]

    def get(self, reference: int) -> Any:
        return self.calls.pop(reference)()

    def kill(self, actor: _Actor) -> None: ...


class FakeCluster:
    """A cluster on this machine that answers after ``has_answered`` was asked for more than ``patience`` times."""

    is_here = True
    processors = 2

    def __init__(self, early: Workers | None = None, patience: float = 0) -> None:
        self.ray, self.patience = FakeRay(), patience
        self.early = early or Threads(self.processors)

    @property
    def has_answered(self) -> bool:
        self.patience -= 1
        return self.patience < 0

    def begin(self) -> None: ...

    def alive(self) -> list[Node]:
        return [Node("id", "node", self.processors, 0)]

    def own(self, node: Node) -> Node:
        return node

    def refusal(self, node: Node) -> str:
        return ""

    def only_on(self, node: str) -> str:
        return node
