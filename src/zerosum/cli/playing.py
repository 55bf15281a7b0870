"""One game at the terminal."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from zerosum.cli import complain
from zerosum.cli.opponent import Opponent
from zerosum.cli.output import console, is_live
from zerosum.cli.reports import print_board, thought
from zerosum.errors import GameError, MoveError, ZerosumError
from zerosum.game import CHANCE, MAX, MIN, Line
from zerosum.search.result import Result
from zerosum.value_display import ending, margin_in_words

HELP = """\
  a move    as the board or 'moves' shows it
  hint      what the engine would play for you
  undo      take back your last move and the answer to it
  moves     list all legal moves
  resign    give up the game
  help      show this help
  quit      leave (so do Ctrl-D and Ctrl-C)"""


HINTS_WITH_DICE = 3


class TerminalGame:
    """A game between the players in ``people``, who type their moves, and the engine, which plays the others."""

    def __init__(
        self,
        line: Line,
        people: frozenset[int],
        opponent: Opponent,
        level: int | None,
        chance: random.Random,
        max_plies: int,
        ask_dice: bool = False,
    ) -> None:
        self.game = line.game
        self.line = line
        self.people = people
        self.opponent = opponent
        self.level = level
        self.chance = chance
        self.max_plies = max_plies
        self.ask_dice = ask_dice
        self.console = console()
        self.over = False

    def run(self) -> None:
        """Play until the game ends; raise EOFError or KeyboardInterrupt if someone leaves."""
        _enable_line_editing()
        self._greet()
        self._show()
        while not self.over:
            player = self.game.mover(self.line.state)
            if player == CHANCE:
                self._roll()
            elif player in self.people:
                self._ask(player)
            else:
                self._answer(player)

    # Output

    def _greet(self) -> None:
        if len(self.people) == 1:
            (player,) = self.people
            print(f"You are {self.game.players[player]}. Type a move, or 'help'.")
        elif self.people:
            print("Two people play. Type a move, or 'help'.")
        else:
            print("The engine plays itself. Ctrl-C leaves.")

    def _show(self) -> None:
        """Show the board and, if the game is over, how it ended."""
        last_word = self._ending()
        if not last_word and len(self.line) and not self.ask_dice and self.game.mover(self.line.state) == CHANCE:
            return  # the board is shown after the roll
        print_board(self.console, self.game, self.line.state)
        if last_word:
            self.over = True
            print(last_word, flush=True)

    def _ending(self) -> str:
        """How the game ended, in words; '' if it is not over."""
        game, s = self.game, self.line.state
        if self.line.is_repetition:
            return f"A draw: this position has occurred {game.repetition} times."
        if game.mover(s) == CHANCE and not game.terminal_test(s):
            return ""
        if game.legal_moves(s):
            return ""
        value = game.final_value(s)
        if not value or len(self.people) != 1:
            words = ending(game, s)
            return f"{words[0].upper()}{words[1:]}."
        by = margin_in_words(game, value)
        return f"You win{by}!" if (MAX if value > 0 else MIN) in self.people else f"The engine wins{by}."

    # Turns

    def _roll(self) -> None:
        s = self.line.state
        outcomes = list(self.game.chances(s))
        if not outcomes:
            raise GameError(f"{self.game.name}: chances({s!r}) yields nothing")
        if self.ask_dice and self._enter("The dice (Enter rolls them): ", CHANCE):
            return
        rolled = self.chance.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0]
        print(f"chance: {self.game.format_move(s, rolled)}")
        self._play(rolled)

    def _ask(self, player: int) -> None:
        self.opponent.warm_up()  # the board is on the screen, so there is time to compile
        prompt = "Your move: " if len(self.people) == 1 else f"{self.game.players[player]}'s move: "
        self._enter(prompt, player)

    def _enter(self, prompt: str, player: int) -> bool:
        """Read one line, a move or a roll or a command, and carry it out; False if it is empty."""
        text = input(prompt).strip()
        if not sys.stdin.isatty():
            print(text)  # a pipe has no echo: without this a log would not show the input
        commands: dict[str, Callable[[], None]] = {
            "help": lambda: print(HELP),
            "moves": self._list_moves,
            "undo": self._undo,
        }
        if player != CHANCE:
            commands["hint"] = self._hint
            commands["resign"] = lambda: self._resign(player)
        word = text.lower()
        if word in ("quit", "exit"):
            raise EOFError
        if word in commands:
            commands[word]()
        elif word:
            try:
                move = self.game.parse_move(self.line.state, text)
            except MoveError as problem:
                print(problem)
            else:
                self._play(move)
        return bool(word)

    def _answer(self, player: int) -> None:
        """Play the engine's move."""
        if not self.people and len(self.line) >= self.max_plies:
            raise GameError(
                f"{self.game.name}: the game is not over after {self.max_plies} moves; --max-plies allows more"
            )
        s = self.line.state
        who = "engine" if self.people else self.game.players[player]
        move = self.opponent.lapse(self.line)
        if move is not None:
            words = f"level {self.level}, a random move"
        else:
            with self._waiting() as on_report:
                result = self.opponent.think(self.line, on_report)
            if result.move is None:
                raise GameError(f"{self.game.name}: the search found no move in {s!r}, which has legal moves")
            move, words = result.move, thought(result, self.game, s)
        print(f"{who}: {self.game.format_move(s, move)}  ({words})")
        self._play(move)

    def _play(self, move: int) -> None:
        self.line = self.line.play(move)
        self._show()

    @contextmanager
    def _waiting(self) -> Iterator[Callable[[Result], None] | None]:
        """On a terminal, show a line that says what the engine is doing; yields a function for its reports."""
        if not is_live():
            yield None
            return
        with self.console.status("thinking …" if self.opponent.is_ready else "getting the engine ready …") as status:
            yield lambda result: status.update(f"depth {result.depth}, {result.in_words(self.game)} …")

    # Commands

    def _hint(self) -> None:
        s = self.line.state
        try:
            with self._waiting():
                # With dice, the values of the next best moves say more than a line of play.
                result = self.opponent.advise(self.line, HINTS_WITH_DICE if self.game.has("chances") else 1)
        except ZerosumError as problem:
            complain(str(problem))  # two people can continue without the engine
            return
        if result.move is not None:
            print(f"hint: {self.game.format_move(s, result.move)}  ({thought(result, self.game, s)})")
        for other in result.lines[1:]:
            if other.move is not None:
                print(f"then: {self.game.format_move(s, other.move)}  ({other.in_words(self.game)})")

    def _list_moves(self) -> None:
        s = self.line.state
        print(", ".join(self.game.format_move(s, move) for move in self.game.legal_moves(s)))

    def _undo(self) -> None:
        """Go back to the last position before this one in which a person had to move."""
        line = self.line.back()
        while len(line) and self.game.mover(line.state) not in self.people:
            line = line.back()
        if len(line) == len(self.line) or self.game.mover(line.state) not in self.people:
            print("No move to take back.")
            return
        self.line = line
        self._show()

    def _resign(self, player: int) -> None:
        self.over = True
        player_name, other = self.game.players[player], self.game.players[MAX + MIN - player]
        print("You resign: the engine wins." if len(self.people) == 1 else f"{player_name} resigns: {other} wins.")


def _enable_line_editing() -> None:
    """Enable arrow keys and history in input(), if the platform has readline."""
    if sys.stdin is not None and sys.stdin.isatty() and is_live():
        with suppress(ImportError):
            import readline  # noqa: F401
