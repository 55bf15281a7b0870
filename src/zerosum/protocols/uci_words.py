"""Parsing of UCI lines. Nothing here acts; an invalid line raises a ProtocolError that quotes it."""

from __future__ import annotations

from dataclasses import dataclass, field

from zerosum.errors import ProtocolError
from zerosum.game import MIN
from zerosum.search.limits import MAX_PLY
from zerosum.session.clock import MoveTime

NUMBERS = ("depth", "nodes", "mate", "movetime", "wtime", "btime", "winc", "binc", "movestogo")
FLAGS = ("infinite", "ponder")
GO_WORDS = (*NUMBERS, *FLAGS, "searchmoves")

LARGEST = 1 << 53
"""Larger numbers are reduced to this, which exceeds any time or number of nodes."""


@dataclass(frozen=True)
class Go:
    """The arguments of ``go``. Times are in seconds; those of the clocks are for MAX (White) and MIN (Black)."""

    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    movetime: float | None = None
    left: tuple[float | None, float | None] = (None, None)
    increment: tuple[float, float] = (0.0, 0.0)
    movestogo: int | None = None
    infinite: bool = False
    ponder: bool = False
    searchmoves: tuple[str, ...] = ()
    unknown: tuple[str, ...] = field(default=(), compare=False)

    @property
    def ends_by_itself(self) -> bool:
        """Whether the search will end without a stop."""
        limits = (self.depth, self.nodes, self.mate, self.movetime, *self.left)
        return not self.infinite and not self.ponder and any(limit is not None for limit in limits)

    def time_of(self, player: int) -> MoveTime:
        """The time for a move of this player."""
        side = 1 if player == MIN else 0
        return MoveTime(self.left[side], self.increment[side], self.movestogo, self.movetime)


def parse_go(words: list[str]) -> Go:
    """Parse the words after ``go``.

    >>> parse_go("wtime 60000 btime 50000 winc 1000".split()).left
    (60.0, 50.0)
    >>> parse_go(["depth", "deep"])
    Traceback (most recent call last):
    zerosum.errors.ProtocolError: 'depth' needs a whole number after it, not 'deep'
    """
    numbers: dict[str, int] = {}
    flags: set[str] = set()
    moves: list[str] = []
    unknown: list[str] = []
    rest = list(reversed(words))
    while rest:
        word = rest.pop()
        if word in NUMBERS:
            numbers[word] = _whole(word, rest.pop() if rest else None)
        elif word in FLAGS:
            flags.add(word)
        elif word == "searchmoves":
            while rest and rest[-1] not in GO_WORDS:
                moves.append(rest.pop())
        else:
            unknown.append(word)
    # GUIs send negative clocks when they are late, and depth 0 for the shortest search possible.
    least = {name: max(value, 1) for name, value in numbers.items() if name in ("depth", "nodes", "mate")}
    seconds = {name: max(value, 0) / 1000 for name, value in numbers.items() if name not in least}
    to_go = numbers.get("movestogo", 0)
    return Go(
        depth=min(least["depth"], MAX_PLY) if "depth" in least else None,
        nodes=least.get("nodes"),
        mate=least.get("mate"),
        movetime=seconds.get("movetime"),
        left=(seconds.get("wtime"), seconds.get("btime")),
        increment=(seconds.get("winc", 0.0), seconds.get("binc", 0.0)),
        movestogo=to_go if to_go > 0 else None,
        infinite="infinite" in flags,
        ponder="ponder" in flags,
        searchmoves=tuple(moves),
        unknown=tuple(unknown),
    )


def _whole(name: str, word: str | None) -> int:
    try:
        return min(max(int(word or ""), -LARGEST), LARGEST)
    except ValueError:
        found = f", not {shortened(word)}" if word is not None else ""
        raise ProtocolError(f"{name!r} needs a whole number after it{found}") from None


def parse_position(words: list[str]) -> tuple[str | None, list[str]]:
    """The text of a position, or None for the start, and the moves played from there.

    >>> parse_position("startpos moves e2e4 e7e5".split())
    (None, ['e2e4', 'e7e5'])
    >>> parse_position("fen x...o.... moves 3".split())
    ('x...o....', ['3'])
    """
    kind, *rest = words or [""]
    at = rest.index("moves") if "moves" in rest else len(rest)
    place, moves = rest[:at], rest[at + 1 :]
    if kind == "startpos" and not place:
        return None, moves
    if kind == "fen" and place:
        return " ".join(place), moves
    raise ProtocolError(
        f"{shortened(' '.join(words))} is not a position: write 'startpos' or 'fen POSITION', then 'moves' and moves"
    )


def parse_setoption(words: list[str]) -> tuple[str, str]:
    """The name and the value, which may both contain spaces.

    >>> parse_setoption("name Move Overhead value 100".split())
    ('Move Overhead', '100')
    >>> parse_setoption("name Clear Hash".split())
    ('Clear Hash', '')
    """
    if words[:1] != ["name"]:
        raise ProtocolError(f"{shortened(' '.join(words))}: write 'setoption name NAME value VALUE'")
    at = words.index("value") if "value" in words else len(words)
    name, value = " ".join(words[1:at]), " ".join(words[at + 1 :])
    if not name:
        raise ProtocolError(f"{shortened(' '.join(words))} names no option")
    return name, value


def shortened(text: str | None, limit: int = 100) -> str:
    """The text in quotes, on one line, shortened if necessary."""
    quoted = repr(text)
    return quoted if len(quoted) <= limit else f"{quoted[: limit - 2]}…{quoted[-1]}"
