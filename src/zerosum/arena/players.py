"""Players from their descriptions on the command line.

    engine                              the engine, with the options that the game recommends
    engine:threads=2,null_move=off      with options: threads, hash, depth, nodes, overhead, weights,
                                        parameters (a file: see 'zerosum train --search'), database (a folder: see
                                        'zerosum endgame'), name, algorithm and its options
    my_game.py  my_game.py:hash=16      an engine whose game, with its own evaluation, is in this file
    depth:4  nodes:10000                an engine with this limit, whatever the clock says
    level:3                             an engine at a level of 'zerosum play' and the studio, 1 to 10
    mcts  mcts:10000                    Monte-Carlo tree search, by the clock or with 10,000 simulations a move
    random                              random legal moves
    person                              a person at the keyboard
    uci:toga2  "uci:./mine -v,Hash=64"  a program that speaks UCI, with arguments and options
    xboard:phalanx                      a program that speaks xboard's protocol
    "nboard:ntest x,depth=16"           a program that speaks NBoard's protocol, at this depth

>>> parse_player("engine:threads=2,null_move=off").options
{'threads': '2', 'null_move': 'off'}
>>> parse_player("uci:toga2 -x,Hash=16").target
'toga2 -x'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerosum.arena.time_control import number_in
from zerosum.errors import ArenaError, LimitError, nearest
from zerosum.game import Game
from zerosum.levels import LEVELS, Strength
from zerosum.search.limits import MAX_PLY, MOST, MOST_THREADS

if TYPE_CHECKING:
    from zerosum.arena.player import Player
    from zerosum.search.algorithm import Algorithm

KINDS = ("engine", "depth", "nodes", "level", "mcts", "random", "person", "uci", "xboard", "nboard", "file")
EXAMPLES = (
    "'engine', 'engine:threads=2', 'my_game.py', 'depth:4', 'nodes:10000', 'level:3', 'mcts:10000', 'random', 'person',"
    " 'uci:PROGRAM', 'xboard:PROGRAM' or 'nboard:PROGRAM'"
)
ENGINES = ("engine", "depth", "nodes", "level", "mcts", "file")
PROGRAMS = ("uci", "xboard", "nboard")
NUMBERS = {"threads": 1, "hash": 1, "depth": 1, "nodes": 1, "level": 1}
"""Options of an engine that are whole numbers, with the least valid value."""

MOSTS = {"threads": MOST_THREADS, "depth": MAX_PLY}
"""The greatest valid values of those that have their own."""

OTHERS = ("overhead", "weights", "parameters", "database", "name", "algorithm")
"""Other options of an engine, besides those of its algorithm."""

OPTION = re.compile(r"\s*([^=,]+?)\s*=\s*([^,]*?)\s*")
# The command is everything up to the first comma, unless it is in quotes.
COMMAND = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([^,]*))\s*(?:,(.*))?""")
FILE = re.compile(r"(.*\.py)(?::(.*))?")


@dataclass(frozen=True)
class PlayerSpec:
    """A player as described by the user. ``target`` is a program's command, a file, or a limit."""

    text: str
    kind: str
    name: str
    target: str = ""
    options: dict[str, str] = field(default_factory=dict)

    @property
    def is_person(self) -> bool:
        return self.kind == "person"

    @property
    def threads(self) -> int:
        """Number of processors the player uses, from its options; programs have several names for this one."""
        if self.kind in ENGINES:
            return self._number("threads") or 1
        said = [v for name, v in self.options.items() if "threads" in name.lower() or name.lower() == "cores"]
        return max((int(word) for word in said if word.isdecimal()), default=1) or 1

    def _number(self, option: str) -> int | None:
        if option not in self.options:
            return None
        word, least = self.options[option], NUMBERS[option]
        if not word.isdecimal() or number_in(word) < least:
            raise ArenaError(
                f"the player {self.text!r}: {option} must be a whole number of at least {least}, not {word!r}"
            )
        most = MOSTS.get(option, MOST)
        if number_in(word) > most:
            raise ArenaError(f"the player {self.text!r}: {option} must be at most {most}, not {word!r}")
        return int(word)

    def make(self, game: Game, log: Callable[[str], None] | None = None) -> Player:
        """Make the player for a game; raises ArenaError, or an error of the engine or the game."""
        if self.kind == "random":
            from zerosum.arena.plain_players import RandomPlayer

            return RandomPlayer(self.name)
        if self.kind == "person":
            from zerosum.arena.plain_players import PersonPlayer

            return PersonPlayer(self.name)
        if self.kind in PROGRAMS:
            return self._program(game, log)
        return self._engine(game)

    def _program(self, game: Game, log: Callable[[str], None] | None) -> Player:
        from zerosum.arena.nboard_player import NboardPlayer
        from zerosum.arena.uci_player import ProgramPlayer, UciPlayer
        from zerosum.arena.xboard_player import XboardPlayer

        kinds: dict[str, type[ProgramPlayer]] = {"uci": UciPlayer, "xboard": XboardPlayer, "nboard": NboardPlayer}
        kind = kinds[self.kind]
        options = {name: value for name, value in self.options.items() if name not in ("name", "depth", "nodes")}
        limits = {"depth": self._number("depth"), "nodes": self._number("nodes")}
        return kind(self.name, game, self.target, options, log=log, **limits)

    def _engine(self, game: Game) -> Player:
        from zerosum.arena.engine_player import OVERHEAD, EnginePlayer
        from zerosum.games import load

        if self.kind == "file":
            own = load(self.target)
            if own.name != game.name or own.state_type.size != game.state_type.size:
                raise ArenaError(f"the player {self.text!r} plays {own.name}, not {game.name}")
            game = own
        options = dict(self.options)
        options.pop("name", None)
        if "weights" in options:
            from zerosum.learn.files import with_weights_from

            game = with_weights_from(game, Path(options.pop("weights")))
        solved = None
        if "database" in options:
            from zerosum.endgame.serving import open_shared

            solved = open_shared(options.pop("database"), game)
        limits: dict[str, Any] = {option: self._number(option) for option in ("depth", "nodes")}
        if "level" in options:
            strength = Strength.of(self._level())
            limits |= {"depth": limits["depth"] or strength.depth, "lapses": strength.lapses}
        threads, hash_mb = self._number("threads") or 1, self._number("hash") or 64
        overhead = self._seconds(options.pop("overhead", str(OVERHEAD)))
        algorithm = self._algorithm({name: word for name, word in options.items() if name not in NUMBERS})
        return EnginePlayer(
            self.name,
            game,
            algorithm,
            threads=threads,
            hash_mb=hash_mb,
            overhead=overhead,
            database=solved,
            **limits,
        )

    def _level(self) -> int:
        level = self._number("level") or 0
        if level not in LEVELS:
            raise ArenaError(
                f"the player {self.text!r}: the level must be a whole number from 1 to {max(LEVELS)}, not {level}"
            )
        return level

    def _seconds(self, word: str) -> float:
        try:
            seconds = float(word)
        except ValueError:
            seconds = -1.0
        if not 0 <= seconds <= 60:
            raise ArenaError(f"the player {self.text!r}: overhead must be from 0 to 60 seconds, not {word!r}")
        return seconds

    def _algorithm(self, words: dict[str, str]) -> Algorithm:
        """The search algorithm; the remaining options belong to it."""
        from zerosum.search.algorithms import DEFAULT, algorithm_named

        if "parameters" in words:
            from zerosum.learn.parameter_files import read_parameters

            numbers = read_parameters(words.pop("parameters"))
            words = {**{name: str(number) for name, number in numbers.items()}, **words}
        usual = {"mcts": "mcts", "engine": "auto", "level": "auto", "file": "auto"}.get(self.kind, DEFAULT)
        if usual == "auto" and words.keys() - {"algorithm"}:
            usual = DEFAULT  # techniques are options of alpha-beta
        try:
            kind = algorithm_named(words.pop("algorithm", usual))
            for name in words:
                if name not in kind.kinds:
                    known = [*NUMBERS, *OTHERS, *kind.kinds]
                    hint = nearest(name, known) or f"; the options are {', '.join(known)}"
                    raise LimitError(f"unknown option {name!r}{hint}")
            return kind(**{name: kind.option(name, word) for name, word in words.items()})
        except LimitError as problem:
            raise ArenaError(f"the player {self.text!r}: {problem}") from problem


def parse_player(text: str) -> PlayerSpec:
    """Parse the description of a player; ArenaError quotes it if it is invalid. Nothing is started yet."""
    kind, colon, rest = text.strip().partition(":")
    if kind in PROGRAMS and colon:
        return _program(text, kind, rest)
    file = FILE.fullmatch(text.strip())
    if file is not None:
        options = _options(text, file[2] or "")
        return PlayerSpec(text, "file", options.get("name", text.strip()), file[1], options)
    is_sampled = kind == "mcts" and rest and "=" not in rest.partition(",")[0]
    if (kind in ("depth", "nodes", "level") and colon) or is_sampled:
        number, _, more = rest.partition(",")
        limit = "nodes" if kind == "mcts" else kind
        options = {limit: number.strip(), **_options(text, more)}
        spec = PlayerSpec(text, kind, options.get("name", text.strip()), number.strip(), options)
        spec._level() if kind == "level" else spec._number(limit)
        return spec
    if kind in ("random", "person", "engine", "mcts"):
        options = _options(text, rest)
        if kind not in ENGINES and set(options) - {"name"}:
            raise ArenaError(f"the player {text!r}: the only option of {kind} is name, as in '{kind}:name=Anna'")
        return PlayerSpec(text, kind, options.get("name", text.strip()), "", options)
    raise ArenaError(f"{text!r} is not a player: write {EXAMPLES}")


def _program(text: str, kind: str, rest: str) -> PlayerSpec:
    found = COMMAND.fullmatch(rest)
    command = "" if found is None else found[1] or found[2] or found[3] or ""
    if found is None or not command.strip():
        raise ArenaError(f"the player {text!r} names no program: write '{kind}:PROGRAM'")
    options = _options(text, found[4] or "")
    program = Path(command.split()[0]).name
    return PlayerSpec(text, kind, options.get("name", program), command.strip(), options)


def _options(text: str, words: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in words.split(",") if words.strip() else ():
        option = OPTION.fullmatch(word)
        if option is None:
            raise ArenaError(f"the player {text!r}: {word.strip()!r} is not NAME=VALUE")
        if option[1] in found:
            raise ArenaError(f"the player {text!r}: {option[1]} is given twice")
        found[option[1]] = option[2]
    if found.get("name") == "":
        raise ArenaError(f"the player {text!r} has an empty name")
    return found


def name_apart(specs: Sequence[PlayerSpec]) -> list[PlayerSpec]:
    """The same players with unique names.

    >>> [spec.name for spec in name_apart([parse_player("random"), parse_player("random")])]
    ['random', 'random (2)']
    """
    from dataclasses import replace

    names: set[str] = set()
    found = []
    for spec in specs:
        name, count = spec.name, 1
        while name in names:
            count += 1
            name = f"{spec.name} ({count})"
        names.add(name)
        found.append(replace(spec, name=name))
    return found
