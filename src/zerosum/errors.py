"""Every error a user can meet. The message says what was wrong, quotes it, and says what to do."""

from __future__ import annotations


class ZerosumError(Exception):
    """Base of all errors that zerosum raises on purpose; the command line prints them as one line."""


class GameError(ZerosumError):
    """A game breaks the contract: a rule is wrong, missing where it must be, or returns nonsense."""


class MissingRule(GameError):
    """An algorithm needs an optional function that this game does not define."""


class KernelError(GameError):
    """A rule works in plain Python but cannot be compiled."""


class UnknownGame(ZerosumError, LookupError):
    """No game has this name, or this file holds none."""


class MoveError(ZerosumError, ValueError):
    """Text that is not a legal move here."""


class PositionError(ZerosumError, ValueError):
    """Text or moves that do not lead to a position of this game."""


class LimitError(ZerosumError, ValueError):
    """A depth, time, node count or memory size that makes no sense."""


class TreeError(ZerosumError, ValueError):
    """A tree, or the text of one, that is wrong at some place."""


class CacheWarning(UserWarning):
    """Compiled kernels cannot be kept on disk, so every start compiles anew."""
