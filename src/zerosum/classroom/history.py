"""The programs and people of the notes: what each brought, and the command here that does it."""

from __future__ import annotations

from typing import NamedTuple


class Milestone(NamedTuple):
    """A program, or an idea and who had it."""

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
        "Minimax to a depth, with an evaluation where it stops. Shannon estimated the tree of chess; Turing carried "
        "his program out by hand.",
        "zerosum trace --example chess-arithmetic",
    ),
    Milestone(
        "Kotok and McCarthy",
        ("Kotok", "McCarthy", "Kotok/McCarthy"),
        "1966",
        "Alpha-beta pruning, in a chess program that played one of Moscow's by telegraph.",
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
        "Iterative deepening, and bitboards. As the notes have it, the first to play at Master's level.",
        "zerosum trace --example iterative-deepening",
    ),
    Milestone(
        "Belle",
        ("Ken Thompson", "Thompson", "special hardware"),
        "1978",
        "Special hardware for moves and evaluation; and endgame databases by retrograde analysis, Thompson's too.",
        "zerosum endgame build chess --pieces 3 --out db",
        "docs/endgame.md",
    ),
    Milestone(
        "Cray Blitz",
        ("Robert Hyatt", "Hyatt"),
        "1983",
        "Parallel search on a supercomputer; world champion of computer chess in 1983 and 1986.",
        "zerosum trace --example parallel-search",
    ),
    Milestone(
        "Hitech",
        ("HiTech", "Berliner", "parallel evaluation"),
        "1985",
        "Parallel evaluation: 64 chips, one for each square. Here threads and graphics cards work in parallel.",
        "zerosum bench chess",
        "docs/gpu.md",
    ),
    Milestone(
        "Deep Thought",
        ("ChipTest",),
        "1988",
        "Singular extensions, by the later team of Deep Blue. The first program to beat a grandmaster in a tournament.",
        "zerosum trace --example singular-extension",
    ),
    Milestone(
        "Deep Blue",
        ("DeepBlue", "IBM", "Kasparov"),
        "1996, 1997",
        "All of the above: 200,000,000 positions a second, 14 plies in 5 minutes, up to 25 along selective extensions. "
        "It beat Garry Kasparov, the world champion, in 1997 by two wins to one with three draws.",
        "zerosum ladder chess --seconds 5",
        "docs/ladder.md",
    ),
    Milestone(
        "Fritz",
        ("Deep Fritz", "Kramnik"),
        "2002, 2006",
        "A chess program for ordinary computers that drew a match with Vladimir Kramnik in 2002, 4–4, and won one in "
        "2006, 4–2.",
        "zerosum analyze chess --seconds 5",
        "docs/games/chess.md",
    ),
    Milestone(
        "Zappa",
        ("Cozzie", "Rondo"),
        "2005",
        "Sound search and a good use of several processors; world champion of computer chess in 2005.",
        "zerosum analyze chess --threads 2 --seconds 5",
        "docs/search.md",
    ),
    Milestone(
        "Rybka",
        ("Rajlich",),
        "2007 to 2010",
        "Bitboards, a wide aspiration window, aggressive pruning. It lost its four titles when it was found to contain "
        "code of others, which others dispute.",
        "zerosum trace --example aspiration-window",
    ),
    Milestone(
        "TD-Gammon",
        ("TD Gammon", "Tesauro"),
        "1992",
        "Backgammon: a network that learned by playing against itself, by temporal differences, and became as good as "
        "the best players.",
        "zerosum train backgammon --games 20000 --out learned.npz --plot curve.svg",
        "docs/learning.md",
    ),
    Milestone(
        "Chinook",
        ("Schaeffer", "Tinsley", "White Doctor", "checkers solved"),
        "1994, 2007",
        "Checkers: all endings with 8 pieces and fewer, 444 billion positions, ended the reign of Marion Tinsley. In "
        "2007 checkers was proved to be a draw; the White Doctor was one of the openings.",
        'zerosum analyze checkers --moves "10-14 22-18 12-16" --seconds 5',
        "docs/endgame.md",
    ),
    Milestone(
        "Logistello",
        ("Buro", "Murakami"),
        "1997",
        "Othello: weights of patterns learned from games, and ProbCut, which foretells deep searches from shallow "
        "ones. It beat the world champion, Takeshi Murakami, 6–0.",
        "zerosum analyze othello --seconds 5",
        "docs/networks.md",
    ),
)
