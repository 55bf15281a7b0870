"""OpenSpiel's games in zerosum: ``load("openspiel:tic_tac_toe")``, played and searched in plain Python.

An OpenSpiel position is an object, but a State is a row of numbers. So the State is the history of the game: all moves
and dice rolls so far, several to a word. It describes the position completely, in any process. The corresponding
object is cached, and rebuilt by playing the moves again when it is not in the cache.
"""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from zerosum.errors import GameError, LimitError, MissingExtra, PositionError, UnknownGame, nearest
from zerosum.game import CHANCE, MAX, MIN, Game
from zerosum.games import OPENSPIEL as PREFIX
from zerosum.games import load_again

WORD_BITS = 63
MOST_WORDS = 8192
KEPT = 20_000
"""The number of positions whose objects are cached."""


def the_library() -> Any:
    """Import ``pyspiel``; MissingExtra if it is not installed."""
    try:
        import pyspiel
    except ImportError as problem:
        raise MissingExtra(f"OpenSpiel is not installed ({problem}): pip install 'zerosum[openspiel]'") from problem
    return pyspiel


def from_openspiel(
    name: str, /, *, transpositions: bool = False, longest: int | None = None, **parameters: Any
) -> Game:
    """An OpenSpiel game, given by its name and parameters, as a Game that runs uncompiled.

    The game must be sequential, for two players, zero-sum and of perfect information; it may have dice. Player 0 is
    MAX.

    Two histories that lead to the same board count as two positions, because they may still differ, for example in
    draws by repetition or in clocks. ``transpositions=True`` treats positions as equal if OpenSpiel's text for them is
    equal: this makes the transposition table more useful, and is correct if the text shows everything that matters.

    After ``longest`` plies the game is a draw; by default it lasts as long as OpenSpiel allows. The State has room for
    that many plies, so a small limit speeds up games that could last for thousands.
    """
    rules = _loaded(name, parameters)
    _check(name, rules)
    if longest is not None and (not isinstance(longest, int) or isinstance(longest, bool) or longest < 1):
        raise LimitError(f"longest must be a whole number of at least 1, not {longest!r}")
    histories = _Histories(rules, longest)
    has_chance = rules.max_chance_outcomes() > 0
    own = {"transpositions": transpositions or None, "longest": longest}
    given = {**parameters, **{word: value for word, value in own.items() if value is not None}}
    optional: dict[str, Any] = {}
    if has_chance:
        optional |= {"chances": histories.chances, "max_chances": rules.max_chance_outcomes()}
    if transpositions:
        optional["key"] = histories.key
    game = Game(
        f"{PREFIX}{name}",
        histories.State,
        histories.initial,
        histories.to_move,
        histories.moves,
        histories.play,
        histories.utility,
        max_moves=rules.num_distinct_actions(),
        is_terminal=histories.is_terminal,
        scored=has_chance or max(-rules.min_utility(), rules.max_utility()) > 1,
        actions=rules.num_distinct_actions(),
        plain=True,
        show=histories.show,
        format_move=histories.format_move,
        parse_move=histories.parse_move,
        format_state=histories.format_state,
        parse_state=histories.parse_state,
        players=("player 0", "player 1"),
        about=f"{rules.get_type().long_name}, by OpenSpiel",
        **optional,
    )
    return game.from_source(load_again, f"{PREFIX}{name}", given, {**_settings(rules), **given})


def _loaded(name: str, parameters: dict[str, Any]) -> Any:
    pyspiel = the_library()
    if name.startswith("python_"):
        import open_spiel.python.games  # noqa: F401  (registers the games written in Python)
    known = {kind.short_name: kind for kind in pyspiel.registered_games()}
    if name not in known:
        raise UnknownGame(f"OpenSpiel has no game {name!r}{nearest(name, known)}")
    specified = known[name].parameter_specification
    for word in parameters:
        if word not in specified:
            takes = ", ".join(specified) or "none"
            raise GameError(f"{PREFIX}{name}: has no parameter {word!r}; it takes {takes}{nearest(word, specified)}")
    try:
        typed = {word: type(specified[word])(value) for word, value in parameters.items()}
        return pyspiel.load_game(name, typed)
    except (pyspiel.SpielError, ValueError, TypeError, RuntimeError) as problem:
        given = ", ".join(f"{word}={value!r}" for word, value in parameters.items())
        raise GameError(
            f"{PREFIX}{name}: cannot be made with {given or 'its defaults'}: {_brief(problem)}"
        ) from problem


def _brief(problem: Exception) -> str:
    return str(problem).strip().partition("\n")[0]


def _settings(rules: Any) -> dict[str, Any]:
    return dict(rules.get_parameters())


def _check(name: str, rules: Any) -> None:
    """Raise GameError with the reason if zerosum cannot play this kind of game."""
    kind = rules.get_type()
    refusals = {
        "is not sequential: both players move at the same time": kind.dynamics.name != "SEQUENTIAL",
        "hides information from its players: it is not a game of perfect information": kind.information.name
        != "PERFECT_INFORMATION",
        "is not zero-sum": kind.utility.name != "ZERO_SUM",
        f"has {rules.num_players()} players, not two": rules.num_players() != 2,
        "does not give the probabilities of its dice": kind.chance_mode.name == "SAMPLED_STOCHASTIC",
    }
    for what, is_so in refusals.items():
        if is_so:
            raise GameError(f"OpenSpiel's {name} {what}, so zerosum cannot play it")


class _Histories:
    """The rules of a game whose States are histories: the number of plies, then the moves, packed into words."""

    def __init__(self, rules: Any, longest: int | None) -> None:
        self.longest = min(longest or rules.max_history_length(), rules.max_history_length())
        self.rules, self.name = rules, rules.get_type().short_name
        most = max(rules.num_distinct_actions(), rules.max_chance_outcomes(), 2)
        self.bits = (most - 1).bit_length()
        self.in_a_word = WORD_BITS // self.bits
        words = -(-self.longest // self.in_a_word)
        if words > MOST_WORDS:
            raise GameError(f"OpenSpiel's {self.name} may last {self.longest:,} plies; set longest to fewer plies")
        named: Any = NamedTuple  # mypy accepts only literal arguments to both
        row: Any = tuple
        self.State = named("History", [("plies", int), ("words", row[(int,) * words])])
        self.start = self.State(0, (0,) * words)
        self.kept: dict[Any, Any] = {}

    def moves_of(self, s: Any) -> list[int]:
        """The history as OpenSpiel's action numbers."""
        mask, bits, each = (1 << self.bits) - 1, self.bits, self.in_a_word
        return [s.words[i // each] >> i % each * bits & mask for i in range(s.plies)]

    def longer(self, s: Any, move: int) -> Any:
        at, shift = divmod(s.plies, self.in_a_word)
        words = list(s.words)
        words[at] |= move << shift * self.bits
        return self.State(s.plies + 1, tuple(words))

    def object_of(self, s: Any) -> Any:
        """OpenSpiel's state for this history; do not modify it."""
        found = self.kept.get(s)
        if found is None:
            found = self.rules.new_initial_state()
            for move in self.moves_of(s):
                found.apply_action(move)
            self._keep(s, found)
        return found

    def _keep(self, s: Any, found: Any) -> None:
        if len(self.kept) >= KEPT:
            for old in list(self.kept)[: KEPT // 2]:
                self.kept.pop(old, None)
        self.kept[s] = found

    # The rules

    def initial(self) -> Any:
        return self.start

    def to_move(self, s: Any) -> int:
        state = self.object_of(s)
        if state.is_chance_node():
            return CHANCE
        return MIN if state.current_player() == 1 else MAX

    def is_terminal(self, s: Any) -> bool:
        return s.plies >= self.longest or bool(self.object_of(s).is_terminal())

    def moves(self, s: Any) -> list[int]:
        return list(self.object_of(s).legal_actions())

    def chances(self, s: Any) -> list[tuple[int, float]]:
        return [(outcome, chance) for outcome, chance in self.object_of(s).chance_outcomes() if chance > 0]

    def play(self, s: Any, move: int) -> Any:
        after = self.longer(s, move)
        if after not in self.kept:
            self._keep(after, self.object_of(s).child(move))
        return after

    def utility(self, s: Any) -> Any:
        state = self.object_of(s)
        value = float(state.returns()[0]) if state.is_terminal() else 0.0
        if self.rules.max_chance_outcomes() > 0:
            return value
        if not value.is_integer():
            raise GameError(f"OpenSpiel's {self.name} pays {value!r}: without dice, results must be whole numbers")
        return int(value)

    def key(self, s: Any) -> int:
        state = self.object_of(s)
        text = f"{state.current_player()} {state}"
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little", signed=True)

    # Notation and display

    def show(self, s: Any) -> str:
        return str(self.object_of(s))

    def format_move(self, s: Any, move: int) -> str:
        state = self.object_of(s)
        return str(state.action_to_string(state.current_player(), move))

    def parse_move(self, s: Any, text: str) -> int:
        """Read a move as OpenSpiel writes it, or as an action number."""
        wanted = text.strip().lower()
        state = self.object_of(s)
        for move in state.legal_actions():
            if wanted in (str(move), self.format_move(s, move).lower()):
                return int(move)
        raise ValueError(text)

    def format_state(self, s: Any) -> str:
        return " ".join(map(str, self.moves_of(s))) or "start"

    def parse_state(self, text: str) -> Any:
        """The position after these moves, given as action numbers: ``"4 0 8"``."""
        s = self.start
        for number, word in enumerate(text.split() if text.strip() != "start" else [], 1):
            legal = self.object_of(s).legal_actions()
            if not word.isdecimal() or int(word) not in legal:
                some = ", ".join(map(str, legal[:8])) or "none: the game is over"
                raise PositionError(f"move {number}: {word!r} is not a legal action; legal: {some}")
            s = self.play(s, int(word))
        return s
