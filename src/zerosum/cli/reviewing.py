"""The review of a finished game: a row or an object for each move, then a summary for both players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zerosum.cli.common import print_json
from zerosum.cli.output import print_table
from zerosum.errors import ZerosumError
from zerosum.formats.played import Played
from zerosum.game import MAX, MIN
from zerosum.review.luck import Luck, knows_luck
from zerosum.review.reviewing import (
    ReviewedMove,
    blunder_of,
    event_texts,
    events_before,
    is_a_choice,
    review_game,
    summary,
)
from zerosum.value_display import PLAYERS

if TYPE_CHECKING:
    from zerosum.engine import Engine

HEADINGS = ("", "player", "played", "value", "best", "loss")
VALUE = 20  # the width of 'MAX wins in 12 plies'
LOSS = 9  # the width of '0.1234 ??'


def go_through(
    engine: Engine, game: Played, limits: dict[str, Any], blunder: float | None = None, json: bool = False
) -> None:
    """Review every move; Ctrl-C skips the rest."""
    line = game.line
    if not any(is_a_choice(line, ply) for ply in range(len(line))):
        raise ZerosumError("this game has no moves to review")
    if blunder is None:
        blunder = blunder_of(line.game, engine.unit)
    luck = Luck(line.game).of(line) if knows_luck(line.game) else {}
    view = ReviewTable(game, blunder, luck, json)
    try:
        for one in review_game(engine, line, **limits):
            view.add(one)
    except KeyboardInterrupt:
        view.finish(stopped=True)
    else:
        view.finish()


class ReviewTable:
    """Shows moves as they are reviewed."""

    def __init__(self, game: Played, blunder: float, luck: dict[int, float], json: bool) -> None:
        self.game, self.line, self.blunder, self.luck, self.json = game.line.game, game.line, blunder, luck, json
        called = self.game.players
        self.names = [f"{called[side]} ({name})" if name else called[side] for side, name in enumerate(game.players)]
        self.reviewed: list[ReviewedMove] = []
        played = max(len(self._played(ply)) for ply in range(len(self.line)))
        best = max(len(text) for text in self.line.texts())
        self.widths = (
            len(str(len(self.line))),
            max(6, *map(len, called)),
            max(played, 6),
            VALUE,
            max(best, 6),
            LOSS if luck else 0,
            0,
        )

    def add(self, one: ReviewedMove) -> None:
        self.reviewed.append(one)
        events = events_before(self.line, one.ply)
        lucky = sum(self.luck[place] for place in events) if self.luck and events else None
        if self.json:
            print_json(one.as_dict(self.line) | ({} if lucky is None else {"luck": lucky}))
            return
        if len(self.reviewed) == 1:
            self._print((*HEADINGS, "luck" if self.luck else ""))
        s = self.line.states[one.ply]
        best = "" if one.best.move in (one.move, None) else self.game.format_move(s, one.best.move)
        number, value = str(len(self.reviewed)), one.best.in_words(self.game)
        cells = (number, self.game.players[one.player], self._played(one.ply), value, best, self._loss(one))
        self._print((*cells, "" if lucky is None else f"{lucky:+.3f}"))

    def _played(self, ply: int) -> str:
        """The move, preceded by the roll of the dice if there was one."""
        move = self.game.format_move(self.line.states[ply], self.line.moves[ply])
        events = " ".join(event_texts(self.line, events_before(self.line, ply)))
        return f"{events}: {move}" if events else move

    def _loss(self, one: ReviewedMove) -> str:
        """The loss with its mark; empty if nothing was lost."""
        return f"{one.loss / self.game.unit:.4g} {one.mark(self.blunder)}".rstrip() if one.loss else ""

    def _print(self, cells: tuple[str, ...]) -> None:
        first, *others = cells
        padded = (cell.ljust(width) for cell, width in zip(others, self.widths[1:], strict=True))
        print("  ".join((first.rjust(self.widths[0]), *padded)).rstrip(), flush=True)

    def finish(self, stopped: bool = False) -> None:
        found, unit = summary(self.reviewed, self.blunder), self.game.unit
        if self.json:
            summaries = {PLAYERS[side]: {"name": self.names[side], **vars(found[side])} for side in (MAX, MIN)}
            final = {"final": True, "stopped": stopped, "blunder": self.blunder, "summary": summaries}
            print_json(final | ({"luck": sum(self.luck.values())} if self.luck else {}))
            return
        print()
        rows = [
            (
                *(self.names[side], str(one.moves), str(one.faultless), f"{one.mean_loss / unit:.4g}"),
                *(str(one.blunders), f"{one.accuracy:.0f} %" if one.moves else ""),
            )
            for side, one in sorted(found.items())
        ]
        print_table(("player", "moves", "without loss", "mean loss", "blunders", "accuracy"), rows, right=range(1, 6))
        whose = self.game.players[MAX]
        what = f"a blunder loses {self.blunder / unit:g} or more; values are for {whose}; forced moves are not counted"
        print(f"stopped after {len(self.reviewed)} moves; {what}" if stopped else what)
        if self.luck:
            print(self._luck_in_words())

    def _luck_in_words(self) -> str:
        """The luck in the whole game, and the result without it."""
        total, end = sum(self.luck.values()), self.line.state
        text = f"luck: {self.game.players[MAX]} gained {total:+.3f} from the dice"
        if self.game.is_over(end):
            result = float(self.game.utility(end))
            text += f"; the result, {result:+g}, is {result - total:+.3f} without it"
        return text
