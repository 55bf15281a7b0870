"""Positions next to those of the games: one field changed by a bit or set to 0, the turn changed, or both.

A changed State is seldom a position by itself, because fields that follow from others are then wrong. So it is
written by ``format_state`` and read back by ``parse_state``. A position that the author's own notation accepts is one
that users can type, and all laws must hold for it.

>>> from zerosum.games import load
>>> nim = load("nim", heaps="1,2")
>>> s, after = nim.initial(), nim.parse_state("1,1 min")
>>> [nim.format_state(n) for n in Neighbours(nim, [s, after]).of(s, random.Random(0))]
['0,2 max', '0,2 min', '1,0 max', '1,0 min', '0,0 max', '0,0 min', '1,2 min']
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from zerosum.checking.report import CheckLog, Played
from zerosum.game import CHANCE, MAX, MIN, Game
from zerosum.state import WORD

MOST_CHANGES = 128
"""The number of changes tried for each position; on large boards, different ones each time."""

FEW_BITS = 10
"""Words of at most this many bits are not boards: all their bits are changed each time."""

SAMPLES, FEWER = 20, 5
"""The numbers of positions from which the meaning of the fields is inferred."""

Change = tuple[int, int]  # the number of a word, and its new value


class Neighbours:
    """Finds neighbours of positions. Only bits that are set somewhere in ``seen``, the positions of games, change."""

    def __init__(self, game: Game, seen: Sequence[Any]) -> None:
        self.game = game
        self.layout = game.state_type
        self.players = (MAX, MIN, CHANCE) if game.has("chances") else (MAX, MIN)
        self.bits = [0] * self.layout.size
        for s in seen:
            for place, word in enumerate(self.layout.words(s)):
                self.bits[place] |= word & WORD if self.layout.kinds[place] == "u64" else abs(word)
        few = random.Random(0).sample(seen, min(SAMPLES, len(seen)))
        self.turn = next((place for place in range(self.layout.size) if self._is_turn(place, few)), None)
        self.boards = [place for place in range(self.layout.size) if self._is_board(place, few[:FEWER])]

    @classmethod
    def where_readable(cls, game: Game, log: CheckLog, played: list[Played]) -> Neighbours | None:
        """Neighbours for the positions of these games; None unless the author's notation can read what it writes."""
        if not game.has("parse_state") or log.is_broken("notation"):
            return None
        return cls(game, [s for one in played for s in one.states])

    def of(self, s: Any, chance: random.Random) -> list[Any]:
        """The neighbours of ``s`` that the game's notation can write and read, each once."""
        words = self.layout.words(s)
        texts = {self.game.format_state(s)}
        found = []
        for change in self._changes(words, chance):
            found.append(self._made(words, [change], texts))
            if self.turn is not None and change[0] != self.turn:
                found.append(self._made(words, [change, (self.turn, words[self.turn] ^ 1)], texts))
        return [n for n in found if n is not None]

    def read(self, s: Any) -> Any:
        """``s`` after being written and read back by the notation; None if that refuses it."""
        return self._made(self.layout.words(s), [], set())

    def _changes(self, words: list[int], chance: random.Random) -> list[Change]:
        small: list[Change] = []
        large: list[Change] = []
        for place, word in enumerate(words):
            flips = [(place, word ^ 1 << n) for n in range(64) if self.bits[place] >> n & 1]
            if len(flips) <= FEW_BITS:
                small += flips
            elif place in self.boards:
                large += flips
            if word:
                small.append((place, 0))  # one move can clear a field of many bits: en passant in chess
        room = max(0, MOST_CHANGES - len(small))
        return small + (large if len(large) <= room else chance.sample(large, room))

    def _made(self, words: list[int], changes: list[Change], texts: set[str]) -> Any:
        """The position with these changes, if it is one and its text is new."""
        try:
            text = self._text(words, changes)
            if text in texts:
                return None
            texts.add(text)
            found = self.game.parse_state(text)
            is_read = self.game.format_state(found) == text and self.game.to_move(found) in self.players
        except Exception:
            return None  # the notation, or a rule that it calls, refuses it
        return found if is_read else None

    def _text(self, words: list[int], changes: list[Change]) -> str:
        return self.game.format_state(self._state(words, changes))

    def _state(self, words: list[int], changes: list[Change]) -> Any:
        changed = list(words)
        for place, value in changes:
            changed[place] = value
        return self.layout.from_words(changed)

    def _is_turn(self, place: int, samples: list[Any]) -> bool:
        """Whether a word is always 0 or 1, and flipping it makes it the other player's turn."""
        if self.bits[place] != 1:
            return False
        for s in samples:
            words, player = self.layout.words(s), self.game.to_move(s)
            try:
                other = self.game.to_move(self._state(words, [(place, words[place] ^ 1)]))
            except Exception:
                return False
            if player != CHANCE and other != MAX + MIN - player:
                return False
        return True

    def _is_board(self, place: int, samples: list[Any]) -> bool:
        """Whether the text of a position depends on this word; if not, the word follows from others, as hashes do."""
        for s in samples:
            words = self.layout.words(s)
            text = self.game.format_state(s)
            for n in range(64):
                if self.bits[place] >> n & 1:
                    try:
                        if self._text(words, [(place, words[place] ^ 1 << n)]) != text:
                            return True
                    except Exception:
                        return True
        return False
