"""An author's declarations are checked when the game is created, and a pair of functions is a complete format."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from samples import THOROUGH

import zerosum as zs
from zerosum.arena.adjudication import known_endings
from zerosum.arena.games_file import GamesFile, read_games_file
from zerosum.arena.openings import Openings
from zerosum.errors import ArenaError, FormatError
from zerosum.formats.common import format_of, read_game
from zerosum.formats.played import Branch
from zerosum.formats.record import GameRecord
from zerosum.protocols.advisors import Advisors
from zerosum.protocols.uci import Uci

NIM = zs.load("nim")


def read(game: zs.Game, text: str) -> Any:
    """One game per row: two names, a colon, the moves, and the winner."""
    for row in text.splitlines():
        if row.strip():
            names, _, rest = row.partition(":")
            *moves, winner = rest.split()
            yield zs.Played(zs.Line.parse(game, moves), tuple(names.split("-")), {"+": 1, "-": -1, "?": None}[winner])


def write(played: zs.Played) -> str:
    winner = {1: "+", -1: "-", None: "?"}[played.result]
    return f"{'-'.join(played.players)}: {' '.join(played.line.texts())} {winner}"  # without a newline


ROWS = zs.Format(".rows", "rows", read, write, comment="#")
GAME = NIM.with_(formats=(ROWS,))
LINE = zs.Line.parse(GAME, "a1 b2")


def record(number: int) -> GameRecord:
    return GameRecord(number, "a", "b", (-1, 1)[number % 2], "rules", "", "", ())


def header() -> dict[str, Any]:
    return {"game": "nim", "players": ["a", "b"], "time": "none"}


def write_match(path: Path, games: int) -> None:
    with GamesFile(path, GAME, header()) as file:
        for number in range(len(file.records) + 1, games + 1):
            file.add(record(number), LINE)


def test_a_match_is_written_in_it_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.rows"
    write_match(path, 3)
    assert path.read_text().splitlines()[1] == "a-b: a1 b2 +"
    found, records = read_games_file(path, GAME)
    assert found == header() and records == [record(n) for n in (1, 2, 3)]
    second = read_game(GAME, path, 2)
    assert (second.players, second.result, second.line.moves) == (("a", "b"), -1, LINE.moves)


def test_cut_anywhere_whole_games_survive(tmp_path: Path) -> None:
    path = tmp_path / "a.rows"
    write_match(path, 3)
    whole = path.read_bytes()
    for cut in range(0, len(whole), 1 if THOROUGH else 3):
        path.write_bytes(whole[:cut])
        write_match(path, 3)
        assert path.read_bytes() == whole


def test_damage_in_the_middle_is_not_dropped_silently(tmp_path: Path) -> None:
    path = tmp_path / "a.rows"
    write_match(path, 3)
    path.write_text(path.read_text().replace('{"game":1', '{"gxme":1'))
    with pytest.raises(FormatError, match="game 1 of the file"):
        write_match(path, 4)


def test_a_format_without_comments_keeps_no_matches(tmp_path: Path) -> None:
    game = NIM.with_(formats=[zs.Format(".rows", "rows", read, write)])
    with pytest.raises(FormatError, match=r"rows has no comments, which a match needs; use \.jsonl"):
        GamesFile(tmp_path / "a.rows", game, header())


def test_what_the_reader_does_not_understand_is_told_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.rows"
    for text, said in (("a-b: z9 +", "'z9' is not a legal move"), ("a-b: a1 %", "rows: '%'")):
        path.write_text(f"# a comment\n{text}\n")
        with pytest.raises(FormatError, match=rf"a.rows': .*{said}"):
            read_game(GAME, path)


def test_openings_are_sets_by_name() -> None:
    assert NIM.openings() == {}
    with pytest.raises(zs.GameError, match=r"openings\(\) must look like"):
        NIM.with_(openings=lambda: ["a1"]).openings()


def test_the_writer_must_return_a_text() -> None:
    with pytest.raises(zs.GameError, match="write must return a text, not None"):
        zs.Format(".rows", "rows", read, lambda played: None).write(zs.Played(LINE))  # type: ignore[arg-type,return-value]


def test_the_reader_must_yield_games(tmp_path: Path) -> None:
    game = NIM.with_(formats=zs.Format(".rows", "rows", lambda game, text: [text], write))
    (tmp_path / "a.rows").write_text("x")
    with pytest.raises(FormatError, match="read must yield Played, not 'x'"):
        read_game(game, tmp_path / "a.rows")


def test_every_game_has_two_formats_and_no_others() -> None:
    assert [format_of(NIM, Path(name)).suffix for name in ("a.JSONL", "a.json", "a.txt", "a")] == [
        ".jsonl",
        ".jsonl",
        ".txt",
        ".txt",
    ]
    with pytest.raises(FormatError, match=r"nim has no format '\.pgn'; use \.jsonl or \.txt"):
        format_of(NIM, Path("a.pgn"))
    assert format_of(GAME, Path("a")) is ROWS


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"formats": ".rows"}, "formats must be Formats"),
        ({"formats": (ROWS, ROWS)}, "formats has '.rows', twice"),
        ({"formats": (zs.Format(".txt", "text", read, write),)}, "'.txt', which means the same in every game"),
        ({"programs": "uci"}, "programs must be a zs.Programs"),
        ({"programs": zs.Programs(str, int, games=".rows")}, r"must be a zs.Format, not '\.rows'"),  # type: ignore[arg-type]
        ({"book": lambda: None}, r"it must be book\(path\)"),
        ({"openings": {"a": {}}}, "openings must be a function"),
    ],
)
def test_what_makes_no_sense_is_refused_when_the_game_is_made(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(zs.GameError, match=said):
        NIM.with_(**settings)


@pytest.mark.parametrize(("suffix", "functions"), [("rows", (read, write)), (".Rows", (read, write)), (".rows", ())])
def test_a_format_needs_a_suffix_and_two_functions(suffix: str, functions: Any) -> None:
    with pytest.raises(zs.GameError, match="format"):
        zs.Format(suffix, "rows", *functions)


def test_a_game_on_paper_has_a_result_of_its_kind() -> None:
    with pytest.raises(ValueError, match="not 2"):
        zs.Played(LINE, result=2)


@pytest.mark.parametrize("name", ["chess", "checkers"])
def test_comments_and_variations_are_written_and_read_again(name: str) -> None:
    game = zs.load(name)
    first = game.legal_moves(game.initial())
    line = zs.Line(game, None, first[:1])
    branches = {0: (Branch((first[1],), {0: "instead"}), Branch((first[2],)))}
    played = zs.Played(line, ("Anna", "Otto"), 1, notes={"Event": "club"}, comments={0: "good"}, branches=branches)
    (form,) = game.formats
    (again,) = form.parse(game, form.write(played))
    assert (again.line.moves, again.players, again.result) == (line.moves, ("Anna", "Otto"), 1)
    assert (again.comments, again.branches, again.notes["Event"]) == ({0: "good"}, branches, "club")


class Tables:
    """Tables that know every position: the side to move wins."""

    def __init__(self, path: str) -> None:
        self.path = path

    def verdict(self, s: Any) -> int | None:
        return 1


def test_tables_that_a_game_reads_end_games() -> None:
    judge = known_endings(NIM.with_(tablebase=Tables), "folder")
    assert judge is not None
    assert [judge(s).result for s in LINE.states] == [1, -1, 1]  # type: ignore[union-attr]
    with pytest.raises(ArenaError, match="nim has no endgame tables"):
        known_endings(NIM, "folder")


def test_an_option_of_the_game_changes_how_programs_write() -> None:
    quiet = zs.Programs(lambda s, move: f"m{move}", lambda s, word: int(word[1:]))
    game = NIM.with_(programs=quiet._replace(options={"Loud": {"format_move": lambda s, move: f"M{move}"}}))
    said: list[str] = []
    uci = Uci(game, said.append, jit=False)
    uci.handle("uci")
    assert "option name Loud type check default false" in said
    uci.handle("position startpos moves m0")
    for value, sign in (("true", "M"), ("false", "m")):
        uci.handle(f"setoption name loud value {value}")
        uci.handle("d")
        assert said[-1].startswith(f"Moves: {sign}")
    uci.close()


def test_a_book_that_a_game_opens_is_played_from() -> None:
    class Book:
        def __init__(self, path: str) -> None:
            self.path = path

        def pick(self, s: Any, rng: Any) -> int | None:
            return GAME.legal_moves(s)[-1]

    advisors = Advisors(NIM.with_(book=Book))
    advisors.open_book("any.book")
    s = NIM.initial()
    assert advisors.advise(s, NIM.legal_moves(s), own_book=True) == (NIM.legal_moves(s)[-1], "book", None)


def test_a_file_of_a_match_serves_as_openings(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with GamesFile(path, GAME, header()) as file:
        file.add(replace(record(1), moves=("a1", "b2")), LINE)
    assert Openings(GAME, str(path)).opening(0).moves == LINE.moves
    assert Openings(GAME, str(path), plies=1).opening(0).moves == LINE.moves[:1]


def test_making_a_game_imports_no_readers() -> None:
    late = ("pgn.read", "pgn.write", "pgn.tree", "chess.book", "chess.syzygy", "checkers.pdn", "backgammon.match_file")
    code = "import sys; from zerosum.games import load; [load(n) for n in ('chess', 'checkers', 'backgammon')];"
    code += f"print([n for n in {late!r} if 'zerosum.games.' + n in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"
