"""Othello files: GGF, transcripts and OBF, and what is refused."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from reference import SHARED_DATA
from samples import samples

import zerosum as zs
from zerosum.arena.openings import Openings
from zerosum.errors import ArenaError, FormatError, MoveError, PositionError, ZerosumError
from zerosum.formats.common import read_game
from zerosum.games.othello_files import GGF, OBF, TRANSCRIPT
from zerosum.protocols.epd import parse_epd
from zerosum.solving import read_position
from zerosum.studio.formats import read_text

OTHELLO = zs.load("othello")
START = "---------------------------O*------*O--------------------------- *"


def one(text: str) -> zs.Played:
    (played,) = GGF.parse(OTHELLO, text)
    return played


def line_with_a_pass() -> zs.Line:
    """The first random game in which a player has to pass."""
    for seed in range(100):
        line, draw = zs.Line(OTHELLO), random.Random(seed)
        while not OTHELLO.is_over(line.state):
            line = line.play(draw.choice(OTHELLO.legal_moves(line.state)))
        if "pass" in list(line.texts())[:-2]:
            return line
    raise AssertionError


# GGF


def test_a_game_as_nboard_sends_it() -> None:
    played = one(
        "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]"
        f"BO[8 {START}]B[F5]W[F6//0.01]B[D3/1.5]W[C5/-2.25/3];)"
    )
    assert (played.players, played.result) == (("./mEdax", "chris"), None)
    assert list(played.line.texts()) == ["f5", "f6", "d3", "c5"]
    assert played.line.start == OTHELLO.initial()
    assert played.comments == {1: "0.010s", 2: "+1.50", 3: "+2.25 3.000s"}  # for black
    assert played.notes == {"Site": "NBoard", "Date": "2014-02-21 20:52:27 GMT", "TimeControl": "15:00"}


@pytest.mark.parametrize(("text", "result"), [("+12.000", 1), ("-2", -1), ("0.000", 0), ("+64.000:r", 1), ("?", None)])
def test_the_result_is_blacks_discs(text: str, result: int | None) -> None:
    assert one(f"(;GM[Othello]RE[{text}]B[d3];)").result == result


def test_several_games_stand_in_one_file_among_other_text() -> None:
    text = "2 (;GM[Othello]PB[a]B[d3];)(;GM[Othello]PB[b]\nB[f5]\nW[d6]\n;)\n# a comment (;\n"
    assert [(played.players[0], len(played.line)) for played in GGF.parse(OTHELLO, text)] == [("a", 1), ("b", 2)]


def test_a_board_of_its_own_may_be_drawn_row_by_row_and_white_may_begin() -> None:
    rows = " ".join(["--------"] * 3 + ["---O*---", "---***--", "--------"] + ["--------"] * 2)
    played = one(f"(;GM[Othello]TY[s8r16]BO[8 {rows} O]W[f6]B[f7];)")
    assert OTHELLO.to_move(played.line.start) == 1 and list(played.line.texts()) == ["f6", "f7"]


def test_passes_are_read_and_may_be_left_out() -> None:
    line = line_with_a_pass()
    text = GGF.write(zs.Played(line))
    assert "[pa]" in text
    for other in (text, text.replace("[pa]", "[PA]"), text.replace("B[pa]", "").replace("W[pa]", "")):
        assert one(other).line.moves == line.moves


def test_what_players_thought_is_kept_and_told_for_black() -> None:
    line = zs.Line.parse(OTHELLO, "f5 d6 c3")
    comments = {0: "+1.50/12 0.250s", 1: "-2.00", 2: "good"}
    text = GGF.write(zs.Played(line, comments=comments))
    assert "B[f5/1.50/0.250]W[d6/2.00]B[c3]" in text
    assert one(text).comments == {0: "+1.50 0.250s", 1: "-2.00"}


def test_a_game_that_ended_before_its_end_says_why() -> None:
    line = zs.Line.parse(OTHELLO, "f5 d6")
    for reason, flag in (("time", "t"), ("resignation", "r"), ("adjudication", "s")):
        played = zs.Played(line, ("a", "b"), -1, notes={"Reason": reason, "TimeControl": "90+0.5"})
        text = GGF.write(played)
        assert f"RE[-64.000:{flag}]TI[01:30/00:01]" in text and one(text).result == -1


@pytest.mark.parametrize(
    ("control", "written"),
    [
        ("5", "TI[00:05]"),
        ("90+0.5", "TI[01:30/00:01]"),
        ("15:00//02:00", "TI[15:00//02:00]"),
        ("40/60", ""),
        ("none", ""),
    ],
)
def test_clocks_are_written_where_ggf_has_them(control: str, written: str) -> None:
    text = GGF.write(zs.Played(zs.Line(OTHELLO), notes={"TimeControl": control}))
    assert written in text and ("TI[" in text) == bool(written)


def test_names_cannot_break_out_of_their_brackets() -> None:
    played = zs.Played(zs.Line(OTHELLO), ("a];)(;GM[x", "b\nc"), 1)
    assert one(GGF.write(played)).players == ("a),)(;GM(x", "b c")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(;GM[Amazons]B[d3];)", "game 1: the game is 'Amazons', not othello"),
        ("(;GM[Othello]TY[10]B[d3];)", "game 1: the board has size '10'; othello is played on 8×8"),
        ("(;GM[Othello]BO[6 " + "-" * 36 + " *];)", "the board has size '6'"),
        ("(;GM[Othello]TY[8a];)", "'8a' is anti-othello"),
        ("(;GM[Othello]BO[8 --- *];)", "has 4 characters"),
        ("(;GM[Othello]BO[8 " + "?" * 64 + " *];)", "'?' is not X, O or '-'"),
        ("(;GM[Othello]RE[many];)", "the result 'many' is not a number of discs"),
        ("(;GM[Othello]B[];)", "'B[]' has no move"),
        ("(;GM[Othello]B[d3]oops;)", "'oops' is not NAME[value]"),
        ("(;GM[Othello]B[d3", "does not end with ';)'"),
        ("(;)", "does not end with ';)'"),
        ("d3c5", "is not GGF"),
        ("(;GM[Othello]B[d3]W[d3];)", "game 1: move 2: 'd3' is not a legal move here"),
        ("(;GM[Othello]B[d3]B[c4];)", "game 1: move 2: 'pass' is not a legal move here"),
        ("(;GM[Othello]W[d3];)", "game 1: move 1: 'pass' is not a legal move here"),
        ("(;GM[Othello];)(;GM[Othello]B[z9];)", "game 2: move 1: 'z9'"),
    ],
)
def test_what_makes_no_sense_is_told_in_a_line(text: str, said: str) -> None:
    with pytest.raises((FormatError, PositionError)) as problem:
        for played in GGF.parse(OTHELLO, text):
            _ = played.line
    assert said in str(problem.value) and "\n" not in str(problem.value) and len(str(problem.value)) < 250


def test_damaged_files_are_refused_or_read_and_never_crash() -> None:
    draw = random.Random(5)
    whole = GGF.write(zs.Played(line_with_a_pass(), ("Anna", "Otto"), 1, comments={0: "+1.00 2.000s"}))
    for form in (GGF, TRANSCRIPT):
        text = whole if form is GGF else form.write(zs.Played(line_with_a_pass(), ("Anna", "Otto"), 1))
        for _ in range(samples(300)):
            at, length = draw.randrange(len(text)), draw.choice((0, 1, 5))
            broken = text[:at] + draw.choice(("", "]", "[", ";)", "(;", "9", "\x00", "é")) + text[at + length :]
            try:
                for played in form.parse(OTHELLO, broken):
                    _ = played.line
            except ZerosumError as problem:
                assert "\n" not in str(problem) and len(str(problem)) < 400


def test_a_file_of_nothing_but_beginnings_is_refused_at_once() -> None:
    with pytest.raises(FormatError, match="does not end with"):
        list(GGF.parse(OTHELLO, "(;" * 200_000))


# Transcripts


@pytest.mark.parametrize("text", ["f5d6c3d3c4", "F5D6C3D3C4", "f5 d6 c3 d3 c4", "f5D6 c3, d3c4"])
def test_moves_are_read_with_and_without_blanks(text: str) -> None:
    assert list(zs.Line.parse(OTHELLO, text).texts()) == ["f5", "d6", "c3", "d3", "c4"]


def test_passes_in_transcripts_have_many_names_or_none() -> None:
    line = line_with_a_pass()
    for word in ("pass", "PASS", "pa", "PS", "--", ""):
        run = "".join(word if text == "pass" else text for text in line.texts())
        assert zs.Line.parse(OTHELLO, run).moves == line.moves


def test_a_wrong_move_in_a_run_is_told_by_its_number() -> None:
    with pytest.raises(MoveError, match="move 3: 'f6' is not a legal move here; legal: c3"):
        zs.Line.parse(OTHELLO, "f5d6f6c3")
    with pytest.raises(PositionError, match="'f5d6f6': move 3: 'f6'"):
        read_position(OTHELLO, "f5d6f6")


def test_a_file_of_transcripts_has_a_game_a_line(tmp_path: Path) -> None:
    whole = line_with_a_pass()
    run = TRANSCRIPT.write(zs.Played(whole)).strip()
    path = tmp_path / "games.transcript"
    path.write_text(f"# two games\nf5d6c3; Anna; Otto; 0-1\n\n{run}\n")
    first, second = (read_game(OTHELLO, path, number) for number in (1, 2))
    assert (first.players, first.result, len(first.line)) == (("Anna", "Otto"), -1, 3)
    value = OTHELLO.utility(whole.state)
    assert second.line.moves == whole.moves and second.result == (value > 0) - (value < 0)
    path.write_text("f5d6c3\nf5d6f6\n")
    with pytest.raises(FormatError, match="line 2: 'f5d6f6': move 3: 'f6'"):
        read_game(OTHELLO, path, 2)


def test_a_transcript_begins_at_the_start() -> None:
    line = zs.Line(OTHELLO, OTHELLO.play(OTHELLO.initial(), 19))
    with pytest.raises(FormatError, match="does not begin with the start position"):
        TRANSCRIPT.write(zs.Played(line))


def test_lists_of_openings_are_transcripts(tmp_path: Path) -> None:
    for name in ("xot.txt", "xot.transcript"):
        path = tmp_path / name
        path.write_text("f5d6c4d3c2b3b4b5\nF5F4G3G6F3G4E3E2\n")
        openings = Openings(OTHELLO, str(path))
        assert len(openings) == 2 and [len(openings.opening(number)) for number in (0, 1)] == [8, 8]
        assert len(Openings(OTHELLO, str(path), plies=5).opening(0)) == 5
        path.write_text("f5d6c4d3c2b3b4h8\n")
        with pytest.raises(ArenaError, match=r"line 1: .*move 8: 'h8' is not a legal move"):
            Openings(OTHELLO, str(path)).opening(0)


def test_moves_that_go_on_in_the_next_line_are_one_game() -> None:
    assert len(read_text(OTHELLO, "f5 d6\nc3 d3\n").line()) == 4
    assert len(read_text(OTHELLO, "f5d6c3\nd3c3\n").line()) == 3
    assert read_text(OTHELLO, OTHELLO.format_state(OTHELLO.initial())).nodes == []


# OBF

ENDING = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X"


def test_a_line_of_obf_has_best_moves_and_their_score() -> None:
    epd = parse_epd(OTHELLO, f"{ENDING}; H5:+6; G6:-2; f6:+6; H6:-10;")
    assert [OTHELLO.format_move(epd.state, move) for move in epd.best] == ["h5", "f6"]
    assert epd.operations["ce"] == ("600",)
    alone = parse_epd(OTHELLO, f"{ENDING}; +6")
    assert alone.best == () and alone.operations["ce"] == ("600",)


def test_epd_is_read_as_before() -> None:
    epd = parse_epd(OTHELLO, f'{ENDING} bm h5; id "no. 1";')
    assert (epd.name, len(epd.best)) == ("no. 1", 1)
    assert OBF.read(f"{ENDING} bm h5; id 1;") is None and OBF.read(ENDING) is None


def test_a_move_that_is_not_legal_there_is_told() -> None:
    with pytest.raises(MoveError, match="'a1' is not a legal move here"):
        parse_epd(OTHELLO, f"{ENDING}; a1:+6;")


def test_positions_of_obf_are_openings(tmp_path: Path) -> None:
    path = tmp_path / "ffo.obf"
    path.write_text(f"{ENDING}; H5:+6; G6:-2;\n")
    assert Openings(OTHELLO, str(path)).opening(0).start == OTHELLO.parse_state(ENDING)
    with pytest.raises(ArenaError, match=r"'\.xyz'|unknown file type '\.xyz'; use \.epd, \.fen, \.obf, \.ggf"):
        (tmp_path / "a.xyz").write_text("x")
        Openings(OTHELLO, str(tmp_path / "a.xyz"))


@pytest.mark.skipif(not SHARED_DATA.is_dir(), reason="the folder of shared positions is not there")
def test_the_published_files_are_read_whole() -> None:
    folder = SHARED_DATA / "othello"
    xot = Openings(OTHELLO, str(folder / "xot_openingslarge.txt"))
    assert len(xot) == 10_784 and all(len(xot.opening(number)) == 8 for number in range(0, 10_784, 100))
    for name, count in (("fforum-1-19.obf", 19), ("fforum-20-39.obf", 20)):
        rows = [row for row in (folder / name).read_text().splitlines() if row.strip()]
        assert len(rows) == count and all(parse_epd(OTHELLO, row).best for row in rows)
