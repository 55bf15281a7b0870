"""Fixtures for the tests of searches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from zerosum.game import Game
from zerosum.jit.kernel import Kernel


@pytest.fixture(scope="module")
def unchanging_rules() -> Iterator[None]:
    """Hash the rules once, not for each of thousands of engines: in these tests they never change."""
    known: dict[Any, tuple[Game, str]] = {}
    usual = Kernel.source

    def source(kernel: Kernel, game: Game) -> str:
        rules = frozenset((name, id(rule)) for name, rule in game.given.items())
        about = (kernel.name, rules, game.State, game.max_moves, game.max_chances, game.scored, game.repetition)
        if about not in known:
            known[about] = (game, usual(kernel, game))  # the game too, so that no id is used again
        return known[about][1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kernel, "source", source)
        yield
