"""The options that a GUI shows and sets."""

from __future__ import annotations

from dataclasses import dataclass

from zerosum.errors import ProtocolError
from zerosum.game import Game
from zerosum.protocols.uci_words import shortened
from zerosum.search.limits import machine_memory
from zerosum.session.clock import DEFAULT_OVERHEAD

EMPTY = ("", "<empty>")
"""Values that mean no file."""


@dataclass(frozen=True)
class Option:
    """One option: its kind is ``spin`` (a whole number), ``check``, ``string`` or ``button``."""

    name: str
    kind: str
    default: int | bool | str | None = None
    low: int = 0
    high: int = 0

    def declaration(self) -> str:
        """The line that declares the option to a GUI.

        >>> Option("Hash", "spin", 64, 1, 1024).declaration()
        'option name Hash type spin default 64 min 1 max 1024'
        """
        default = {True: "true", False: "false"}[self.default] if isinstance(self.default, bool) else self.default
        text = f"option name {self.name} type {self.kind}"
        if self.kind != "button":
            text += f" default {default or EMPTY[1] if self.kind == 'string' else default}"
        return f"{text} min {self.low} max {self.high}" if self.kind == "spin" else text

    def parse(self, text: str) -> int | bool | str | None:
        """Parse a value; raises ProtocolError, quoting it, if it is not valid."""
        word = text.strip()
        if self.kind == "button":
            return None
        if self.kind == "string":
            return "" if word in EMPTY else word
        if self.kind == "check":
            if word.lower() in ("true", "false"):
                return word.lower() == "true"
            raise ProtocolError(f"{self.name} must be 'true' or 'false', not {shortened(text)}")
        try:
            number = int(word)
        except ValueError:
            raise ProtocolError(f"{self.name} must be a whole number, not {shortened(text)}") from None
        if not self.low <= number <= self.high:
            raise ProtocolError(f"{self.name} must be from {self.low} to {self.high}, not {shortened(text)}")
        return number


class Options:
    """The options of one game's engine, and their values.

    >>> from zerosum.games import load
    >>> options = Options(load("tictactoe"))
    >>> options.set("move overhead", "50"), options["Move Overhead"]
    ('Move Overhead', 50)
    """

    def __init__(self, game: Game) -> None:
        memory = (machine_memory() or 1 << 40) >> 20
        self.known = [
            Option("Hash", "spin", min(64, memory), 1, memory),
            Option("Threads", "spin", 1, 1, 1024),
            Option("MultiPV", "spin", 1, 1, 500),
            Option("Ponder", "check", False),
            Option("Move Overhead", "spin", round(1000 * DEFAULT_OVERHEAD), 0, 5000),
            Option("Clear Hash", "button"),
        ]
        self.own = tuple(game.programs.options) if game.programs is not None else ()
        self.known += [Option(name, "check", False) for name in self.own]
        if game.has("book"):
            self.known += [Option("OwnBook", "check", False), Option("BookFile", "string", "")]
        if game.has("tablebase"):
            self.known.append(Option("SyzygyPath", "string", ""))
        self._values = {option.name: option.default for option in self.known}

    def __getitem__(self, name: str) -> int | bool | str | None:
        return self._values.get(name)

    def number(self, name: str) -> int:
        return int(self._values[name] or 0)

    def set(self, name: str, text: str) -> str:
        """Set an option, ignoring the case of its name; returns the name in its usual spelling."""
        for option in self.known:
            if option.name.lower() == name.lower():
                self._values[option.name] = option.parse(text)
                return option.name
        names = ", ".join(option.name for option in self.known)
        raise ProtocolError(f"unknown option {shortened(name)}; the options are {names}")
