"""Every error a user can see. The message says what was wrong, quotes it, and says what to do."""

from __future__ import annotations

from collections.abc import Iterable


class ZerosumError(Exception):
    """Base of all errors that zerosum raises on purpose; the command line prints them as one line."""


class GameError(ZerosumError):
    """A game breaks the contract: a required rule is missing, or a rule is wrong or returns nonsense."""


class MissingRule(GameError):
    """An algorithm needs an optional function that this game does not define."""


class KernelError(GameError):
    """A rule works in plain Python but cannot be compiled, or behaves differently when compiled."""


class UnknownGame(ZerosumError, LookupError):
    """No game has this name, or the file does not define one."""


class MoveError(ZerosumError, ValueError):
    """Text that is not a legal move here."""


class RuleBroken(MoveError):
    """A move that breaks a rule of the game; the message names the rule."""


class PositionError(ZerosumError, ValueError):
    """Text or moves that do not lead to a position of this game."""


class LimitError(ZerosumError, ValueError):
    """An invalid depth, time, node count, memory size or option."""


class DeviceError(ZerosumError):
    """A graphics card that is missing, or cannot do what was requested."""


class TreeError(ZerosumError, ValueError):
    """An error in a tree, or in the text of one."""


class DrawingError(ZerosumError, ValueError):
    """Something that cannot be drawn legibly."""


class ProtocolError(ZerosumError, ValueError):
    """A line that the protocol does not allow."""


class FormatError(ZerosumError, ValueError):
    """An invalid file of games, or an invalid game in one."""


class PgnError(FormatError):
    """Invalid PGN: ``word`` on ``line``."""

    def __init__(self, message: str, line: int = 0, word: str = "") -> None:
        super().__init__(message)
        self.line, self.word = line, word


class MatchFileError(FormatError):
    """An invalid match file (.mat); the message names the line."""


class BookError(ZerosumError, ValueError):
    """A file that is not an opening book, or cannot be read."""


class TableError(ZerosumError, ValueError):
    """Endgame tables that are missing or damaged."""


class EndgameError(ZerosumError, ValueError):
    """An endgame database that cannot be built, read or trusted."""


class DamagedTier(EndgameError):
    """A file of an endgame database that must be built again."""


class OutsideDatabase(EndgameError):
    """A position that is not in the endgame database."""


class CertificateError(ZerosumError):
    """A certificate that cannot be written, or that proves nothing; the message shows the fault."""


class MissingExtra(ZerosumError, ImportError):
    """Something that an optional part of zerosum needs is not installed."""


class WeightsError(ZerosumError):
    """A file of weights that cannot be used."""


class PositionsFileError(ZerosumError):
    """A file of positions to learn from that cannot be read, written or trusted."""


class ParametersError(ZerosumError):
    """A file of search parameters that cannot be used."""


class ArenaError(ZerosumError, ValueError):
    """An invalid player, time control or opening, or a games file that cannot be written."""


class WorkError(ZerosumError):
    """Workers, here or in a cluster, that cannot do their work, or have gone."""


class StudioError(ZerosumError, ValueError):
    """An invalid message from a browser, or an invalid setting of the studio."""


class PortTaken(StudioError):
    """Another program, perhaps another studio, uses this port; ``free`` is the next free one."""

    def __init__(self, port: int, free: int) -> None:
        super().__init__(f"port {port} is in use, perhaps by another studio: 'zerosum studio --port {free}' is free")
        self.free = free


class CacheWarning(UserWarning):
    """Compiled kernels cannot be stored on disk, so every start compiles them again."""


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: a suggestion of the most similar known one, or nothing.

    >>> nearest("tabel", ["table", "order"])
    "; did you mean 'table'?"
    """
    from difflib import get_close_matches

    close = get_close_matches(word, list(known), 1)
    return f"; did you mean {close[0]!r}?" if close else ""
