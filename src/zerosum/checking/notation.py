"""The laws of notation: positions and moves can be read back from their text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from zerosum.checking.report import CheckLog
from zerosum.errors import ZerosumError
from zerosum.game import Game


class NotationLaws:
    """Checks ``show``, and whether positions and moves can be read back from their text."""

    def __init__(self, game: Game, log: CheckLog) -> None:
        self.game, self.log = game, log

    def position(self, s: Any, moves: list[int], some: Sequence[int]) -> None:
        """Check that all moves have different texts, and that the position and ``some`` moves can be read back."""
        if not self.log.wants("notation"):
            return
        game, log = self.game, self.log
        try:
            game.show(s)
            text = game.format_state(s)
        except Exception as problem:
            raise log.broken(
                "notation", f"show or format_state raises {type(problem).__name__}: {problem}"
            ) from problem
        try:
            back = game.parse_state(text)
        except Exception as problem:
            raise log.broken("notation", f"parse_state fails on the text of format_state: {problem}", s) from problem
        if back != s:
            raise log.broken("notation", f"parse_state gives {back!r}, not {s!r}, for the text of format_state", s)
        texts = [self.text_of(s, move) for move in moves]
        twice = [text for text, times in Counter(texts).items() if times > 1]
        if twice:
            raise log.broken("notation", f"format_move gives {twice[0]!r} for two moves", s)
        for move in some:
            self._reads_back(s, move)

    def _reads_back(self, s: Any, move: int) -> None:
        text = self.text_of(s, move)
        # --moves separates moves of several words by semicolons.
        if not text or text != text.strip() or ";" in text:
            self.log.fault(
                "notation",
                f"the move {text!r} is empty, or has a semicolon or blanks around it, so --moves cannot contain it",
                s,
                warning=True,
            )
        try:
            back = self.game.parse_move(s, text)
        except ZerosumError as problem:
            raise self.log.broken("notation", f"parse_move fails on the text of format_move: {problem}", s) from problem
        except Exception as problem:
            message = f"parse_move raises {type(problem).__name__} on {text!r}: {problem}"
            raise self.log.broken("notation", message, s) from problem
        if back != move:
            raise self.log.broken("notation", f"parse_move reads {text!r} as {back}, but it was {move}", s)
        if self.game.has("cut_move"):
            self._is_one_move(s, move, text)

    def _is_one_move(self, s: Any, move: int, text: str) -> None:
        """Check that ``cut_move`` does not split a single move."""
        try:
            found = list(self.game.parse_moves(s, text))
        except Exception as problem:
            raise self.log.broken("notation", f"cut_move fails on {text!r}: {problem}", s) from problem
        if found != [move]:
            raise self.log.broken("notation", f"cut_move reads {text!r} as {found}, but it was {move} alone", s)

    def text_of(self, s: Any, move: int) -> str:
        try:
            return self.game.format_move(s, move)
        except Exception as problem:
            message = f"format_move raises {type(problem).__name__} on the move {move}: {problem}"
            raise self.log.broken("notation", message, s) from problem
