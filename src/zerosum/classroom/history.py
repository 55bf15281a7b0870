"""The programs and people of the notes: what each introduced, and a command to try it."""

from __future__ import annotations

from typing import NamedTuple


class Milestone(NamedTuple):
    """A program, or the people who had an idea."""

    name: str
    also: tuple[str, ...]
    years: str
    text: str
    command: str
    read: str = "docs/history.md"


HISTORY = (
    Milestone(
        "Shannon and Turing",
        ("Claude Shannon", "Shannon", "Alan Turing", "Turing", "Wiener"),
        "1950",
        "Minimax to a fixed depth, with an evaluation at the end. Shannon estimated the size of the chess tree; Turing "
        "executed his program by hand.",
        "zerosum trace --example chess-arithmetic",
    ),
    Milestone(
        "Kotok and McCarthy",
        ("Kotok", "McCarthy", "Kotok/McCarthy"),
        "1966",
        "Alpha-beta pruning, in a chess program that played a match against one in Moscow by telegraph.",
        "zerosum trace --example alpha-beta-chapter-6",
    ),
    Milestone(
        "MacHack",
        ("Mac Hack", "MacHack VI", "Greenblatt"),
        "1967",
        "Transposition tables. The first program to play in tournaments against people.",
        "zerosum trace --example transposition-table",
    ),
    Milestone(
        "Chess 4.x",
        ("Chess 3.0", "Chess 4.5", "Chess 4", "Slate and Atkin"),
        "1975",
        "Iterative deepening and bitboards. According to the notes, the first program to play at master level.",
        "zerosum trace --example iterative-deepening",
    ),
    Milestone(
        "Belle",
        ("Ken Thompson", "Thompson", "special hardware"),
        "1978",
        "Special hardware for move generation and evaluation. Ken Thompson also built endgame databases by retrograde "
        "analysis.",
        "zerosum endgame build chess --pieces 3 --out db",
        "docs/endgame.md",
    ),
    Milestone(
        "Cray Blitz",
        ("Robert Hyatt", "Hyatt"),
        "1983",
        "Parallel search on a supercomputer. World computer chess champion in 1983 and 1986.",
        "zerosum trace --example parallel-search",
    ),
    Milestone(
        "Hitech",
        ("HiTech", "Berliner", "parallel evaluation"),
        "1985",
        "Parallel evaluation: 64 chips, one for each square. In zerosum, threads and GPUs work in parallel.",
        "zerosum bench chess",
        "docs/gpu.md",
    ),
    Milestone(
        "Deep Thought",
        ("ChipTest",),
        "1988",
        "Singular extensions, by the team that later built Deep Blue. The first program to beat a grandmaster in a "
        "tournament.",
        "zerosum trace --example singular-extension",
    ),
    Milestone(
        "Deep Blue",
        ("DeepBlue", "IBM", "Kasparov"),
        "1996, 1997",
        "All of the above: 200,000,000 positions per second, 14 plies in 5 minutes, up to 25 along selective "
        "extensions. In 1997 it beat the world champion, Garry Kasparov, by two wins to one with three draws.",
        "zerosum ladder chess --seconds 5",
        "docs/ladder.md",
    ),
    Milestone(
        "Fritz",
        ("Deep Fritz", "Kramnik"),
        "2002, 2006",
        "A chess program for ordinary computers. It drew a match with Vladimir Kramnik in 2002, 4–4, and won one in "
        "2006, 4–2.",
        "zerosum analyze chess --seconds 5",
        "docs/games/chess.md",
    ),
    Milestone(
        "Zappa",
        ("Cozzie", "Rondo"),
        "2005",
        "Sound search and good use of several processors. World computer chess champion in 2005.",
        "zerosum analyze chess --threads 2 --seconds 5",
        "docs/search.md",
    ),
    Milestone(
        "Rybka",
        ("Rajlich",),
        "2007 to 2010",
        "Bitboards, a wide aspiration window, aggressive pruning. It was stripped of its four titles for containing "
        "code from other programs, a verdict that some dispute.",
        "zerosum trace --example aspiration-window",
    ),
    Milestone(
        "TD-Gammon",
        ("TD Gammon", "Tesauro"),
        "1992",
        "Backgammon: a network that learned by self-play with temporal differences, and became as good as the best "
        "players.",
        "zerosum train backgammon --games 20000 --out learned.npz --plot curve.svg",
        "docs/learning.md",
    ),
    Milestone(
        "Chinook",
        ("Schaeffer", "Tinsley", "White Doctor", "checkers solved"),
        "1994, 2007",
        "Checkers: with a database of all endgames of up to 8 pieces, 444 billion positions, it ended the reign of "
        "Marion Tinsley. In 2007 checkers was proven to be a draw; the White Doctor was one of the openings.",
        'zerosum analyze checkers --moves "10-14 22-18 12-16" --seconds 5',
        "docs/endgame.md",
    ),
    Milestone(
        "Logistello",
        ("Buro", "Murakami"),
        "1997",
        "Othello: pattern weights learned from games, and ProbCut, which predicts the results of deep searches from "
        "shallow ones. It beat the world champion, Takeshi Murakami, 6–0.",
        "zerosum analyze othello --seconds 5",
        "docs/networks.md",
    ),
)
