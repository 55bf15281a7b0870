"""The steps that an algorithm reports while it works: one event for each, in the words of the lecture notes.

Values, α and β are for MAX, in every algorithm. As in the notes, an *alpha cut-off* ends the search below a MIN
node whose value has fallen to the α of a MAX node above it, and a *beta cut-off* ends the search below a MAX node
whose value has risen to the β of a MIN node above it.

>>> from zerosum.classroom import Tree, trace
>>> tree = Tree.from_text("(A (B 3 12 8) (C 2 4 6) (D 14 5 2))")
>>> steps = trace("alphabeta", tree)
>>> [event.words(tree) for event in steps.events if event.kind == Kind.ALPHA_CUTOFF]
['Alpha cut-off below C: MIN gets 2 or less there, and MAX already has 3.']
>>> steps.value, steps.evaluated
(3, 7)
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import inf
from typing import Any, NamedTuple

from zerosum.classroom.node import LEAF, place_words, show_value
from zerosum.errors import TreeError
from zerosum.game import CHANCE, MAX, MIN

Path = tuple[int, ...]

MOST_CHOICES = 5
"""The most bounds that the sentence about a selection lists, best first."""

MOST_MOVES = 12
"""The most moves that the sentence about a playout lists."""


class Kind(str, Enum):
    """The kind of step."""

    ENTER = "enter"
    EVALUATE = "evaluate"
    RAISE_ALPHA = "raise alpha"
    LOWER_BETA = "lower beta"
    BACK_UP = "back up"
    ALPHA_CUTOFF = "alpha cut-off"
    BETA_CUTOFF = "beta cut-off"
    PRUNE = "prune"  # one for each child that is never looked at
    LEAVE = "leave"
    TABLE_HIT = "table hit"
    STORE = "store"
    CHANCE_AVERAGE = "chance average"
    ITERATION = "iteration"  # a new depth or window begins
    RESEARCH = "search again"
    STAND_PAT = "stand pat"
    EXTEND = "extend"
    ORDER = "order"  # a move is tried before its turn
    NULL_MOVE = "null move"
    # Sampling
    SIMULATION = "simulation"  # begins at the root
    SELECT = "select"
    EXPAND = "expand"  # the node is new in the tree
    PLAYOUT = "playout"
    UPDATE = "update"  # a result counts at the node
    PROVE = "prove"
    CHOOSE = "choose"  # at the end: the move to play
    # Proof numbers
    QUESTION = "question"
    NUMBERS = "numbers"  # a node's numbers, updated


@dataclass(frozen=True, slots=True)
class Frame:
    """A node on the path, as the algorithm sees it now. Without a window, α and β are infinite.

    ``pbv`` is the preliminary backed-up value: the best value backed up from the children so far. In sampling, it is
    the mean result of all ``visits``.
    """

    path: Path
    player: int
    alpha: float
    beta: float
    pbv: float | None
    visits: int | None = None


class Choice(NamedTuple):
    """A child that could be selected, with its mean result and the bound that decides."""

    move: int
    mean: float
    bound: float


@dataclass(frozen=True, slots=True)
class Event:
    """One step. ``frames`` lead from the root to the node concerned; ``move`` names the child concerned.

    ``line`` holds the moves of a playout, or those chosen in the end; ``choices`` holds the candidates of a selection.
    """

    kind: Kind
    frames: tuple[Frame, ...]
    value: float | None = None
    move: int | None = None
    note: str = ""
    line: Path = ()
    choices: tuple[Choice, ...] = ()
    worker: int = 0
    """The thread, counted from 1, if several search; otherwise 0."""

    @property
    def path(self) -> Path:
        """Where the step happened, as moves from the root."""
        return self.frames[-1].path if self.frames else ()

    @property
    def frame(self) -> Frame:
        """The node concerned."""
        return self.frames[-1]

    def words(self, subject: Any = None) -> str:
        """The step as one sentence, with nodes named as in the tree (or by the moves of the trace) in ``subject``."""
        return Sentence(self, subject).text()


class Sentence:
    """An event in plain English. ``subject`` is a tree, or a trace, which can also name moves outside its tree."""

    def __init__(self, event: Event, subject: Any) -> None:
        self.event = event
        self.tree = getattr(subject, "tree", subject)
        self.move_words = getattr(subject, "move_words", None)
        if not hasattr(self.tree, "at"):
            self.tree = None  # a Game: its moves have names only where a tree of it was unfolded
        self.here = self.name(event.path)
        self.value = show_value(event.value)

    def name(self, path: Path) -> str:
        """A node's own name, or the path to it."""
        if not path:
            return (self.tree.root.name if self.tree else "") or "the root"
        if self.tree is None:
            return f"the position after {self.way(path)}"
        node, labels = self.tree.root, []
        for move in path:
            if move not in node.moves:  # beyond what was unfolded
                return f"the position after {self.way(path)}"
            labels.append(node.label(move) if node.labels else "")
            node = node.child(move)
        if node.name:
            return str(node.name)
        if all(labels):
            return "the position after " + " ".join(labels)
        if node.kind == LEAF and node.value is not None:
            parent = self.tree.at(path[:-1])
            place = parent.moves.index(path[-1]) + 1
            return f"leaf {show_value(node.value)}, child {place} of {self.name(path[:-1])}"
        return place_words(self.tree.root, path)

    def way(self, path: Path) -> str:
        """The moves as the game writes them, if the game is known."""
        return " ".join(self.move_words(path)) if self.move_words else "-".join(map(str, path))

    def child(self) -> str:
        assert self.event.move is not None
        return self.name((*self.event.path, self.event.move))

    def text(self) -> str:
        event = self.event
        sentence = getattr(self, event.kind.name.lower())()
        first = sentence[0] if sentence[0] in "αβ" else sentence[0].upper()
        thread = f"Thread {event.worker}: " if event.worker else ""
        return f"{thread}{first}{sentence[1:]}."

    # One method for each kind of event

    def window(self) -> str:
        frame = self.event.frame
        if frame.alpha == -inf and frame.beta == inf:
            return ""
        return f" with α = {show_value(frame.alpha)}, β = {show_value(frame.beta)}"

    def enter(self) -> str:
        player = {MAX: " (MAX to move)", MIN: " (MIN to move)", CHANCE: " (chance)"}.get(self.event.frame.player, "")
        note = f", {self.event.note}" if self.event.note else ""
        return f"enter {self.here}{player}{self.window()}{note}"

    def evaluate(self) -> str:
        if self.event.note == "repetition":
            return f"{self.here} repeats an earlier position: {self.value}"
        how = "is estimated at" if self.event.note == "evaluation" else "is worth"
        return f"{self.here} {how} {self.value}"

    def back_up(self) -> str:
        return f"back up {self.value} from {self.child()} to {self.here}"

    def raise_alpha(self) -> str:
        return f"α of {self.here} rises to {self.value}"

    def lower_beta(self) -> str:
        return f"β of {self.here} falls to {self.value}"

    def alpha_cutoff(self) -> str:
        alpha = show_value(self.event.frame.alpha)
        who = "chance gives" if self.event.frame.player == CHANCE else "MIN gets"
        return f"alpha cut-off below {self.here}: {who} {self.value} or less there, and MAX already has {alpha}"

    def beta_cutoff(self) -> str:
        beta = show_value(self.event.frame.beta)
        who = "chance gives" if self.event.frame.player == CHANCE else "MAX gets"
        return f"beta cut-off below {self.here}: {who} {self.value} or more there, and MIN already has {beta}"

    def prune(self) -> str:
        return f"{self.child()} is never looked at"

    def leave(self) -> str:
        return f"leave {self.here} with {self.value}"

    def table_hit(self) -> str:
        return f"{self.here} is in the table: {self.event.note or 'its value is'} {self.value}"

    def store(self) -> str:
        return f"store {self.here} in the table: {self.event.note or 'its value is'} {self.value}"

    def chance_average(self) -> str:
        sum_of = f": {self.event.note}" if self.event.note else ""
        return f"on average {self.here} is worth {self.value}{sum_of}"

    def iteration(self) -> str:
        return self.event.note or "a new search begins"

    def research(self) -> str:
        where = "" if not self.event.path and self.event.move is None else f" {self.subject_of_research()}"
        return f"search{where} again{f': {self.event.note}' if self.event.note else ''}"

    def subject_of_research(self) -> str:
        return self.child() if self.event.move is not None else self.here

    def stand_pat(self) -> str:
        return f"{self.here} is noisy; standing pat is worth {self.value}"

    def extend(self) -> str:
        return f"look one move deeper below {self.child()}{f': {self.event.note}' if self.event.note else ''}"

    def order(self) -> str:
        return f"try {self.child()} first: {self.event.note}"

    def null_move(self) -> str:
        return f"pass at {self.here}: {self.event.note}"

    # Sampling

    def simulation(self) -> str:
        return self.event.note

    def select(self) -> str:
        event, player = self.event, self.event.frame.player
        if player == CHANCE:
            return f"chance leads from {self.here} to {self.child()}"
        sign, which = ("+", "highest") if player == MAX else ("−", "lowest")
        ranked = sorted(event.choices, key=lambda choice: choice.bound, reverse=player == MAX)
        texts = [
            f"{self.branch(choice.move)}: {show_value(choice.mean)} {sign} "
            f"{show_value(abs(choice.bound - choice.mean))} = {show_value(choice.bound)}"
            for choice in ranked[:MOST_CHOICES]
        ]
        more = f"; {len(ranked) - len(texts)} more" if len(ranked) > len(texts) else ""
        assert event.move is not None
        return f"at {self.here} select {self.branch(event.move)} by the {which} bound ({'; '.join(texts)}{more})"

    def branch(self, move: int) -> str:
        """A child in few words: its name, the label of its branch, or its value."""
        path = (*self.event.path, move)
        try:
            parent, node = self.tree.at(path[:-1]), self.tree.at(path)
        except (AttributeError, TreeError):  # no tree, or none that reaches this far
            return str(self.move_words(path)[-1]) if self.move_words else str(move)
        if node.name or parent.labels:
            return str(node.name or parent.label(move))
        return f"leaf {show_value(node.value)}" if node.kind == LEAF else f"child {parent.moves.index(move) + 1}"

    def expand(self) -> str:
        return f"add {self.here} to the tree"

    def playout(self) -> str:
        if not self.event.line:
            return f"{self.here} is the end of a line: the result is {self.value}"
        end = self.name((*self.event.path, *self.event.line))
        if end.startswith("the position after"):
            moves = self.event.note.split()
            words = " ".join(moves[:MOST_MOVES]) + (" …" if len(moves) > MOST_MOVES else "")
            return f"a random playout from {self.here} plays {words}: the result is {self.value}"
        return f"a random playout from {self.here} ends at {end}: the result is {self.value}"

    def update(self) -> str:
        frame = self.event.frame
        visits = f"{frame.visits} visit{'' if frame.visits == 1 else 's'}"
        return f"count {self.value} at {self.here}: {visits}, mean {show_value(frame.pbv)}"

    def prove(self) -> str:
        return f"{self.here} is proven to be worth {self.value}"

    def choose(self) -> str:
        return f"choose {self.child()}: {self.event.note}"

    # Proof numbers

    def question(self) -> str:
        return f"ask {self.event.note}"

    def numbers(self) -> str:
        return f"{self.here} has {self.event.note}"


def silent(event: Event) -> None:
    """The default listener, which ignores events; with it, algorithms create none."""
