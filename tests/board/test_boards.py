"""Boards: every game can be drawn in every position, and every move can be selected by its cells."""

from __future__ import annotations

import json
import random
import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from patience import PATIENCE

import zerosum as zs
from zerosum.board import PAINTS, Cell, Layout, Piece, circle, data, polygon, rectangle, text, ways
from zerosum.board.inferred import infer
from zerosum.checking import check
from zerosum.checking.boards import layout_faults
from zerosum.checking.playouts import Playouts
from zerosum.checking.report import CheckLog
from zerosum.classroom.drawing import board_svg
from zerosum.classroom.drawing.text import asset
from zerosum.game import CHANCE, Line
from zerosum.games import GAMES

GAMES_AND_SIZES = [
    *((name, {}) for name in GAMES),
    ("connect-four", {"width": 5, "height": 4, "k": 3}),
    ("kalah", {"pits": 3, "seeds": 2}),
    ("nim", {"heaps": "1,127,20"}),
    ("pig", {"target": 7}),
    ("hex", {"size": 2}),
    ("chess", {"draws": 0}),
]
IDS = [f"{name}{''.join(map(str, parameters.values()))}" for name, parameters in GAMES_AND_SIZES]


def random_line(game, seed, longest):
    chance = random.Random(seed)
    line = Line(game)
    while len(line.moves) < longest and (moves := game.legal_moves(line.state)):
        line = line.play(chance.choice(moves))
    return line


@pytest.mark.parametrize(("name", "parameters"), GAMES_AND_SIZES, ids=IDS)
def test_every_game_has_a_sound_board(name, parameters):
    game = zs.load(name, **parameters)
    board = game.layout()
    assert layout_faults(board) == []
    cells, glyphs = {cell.id for cell in board.cells}, set(board.glyphs)
    for seed in range(3):
        line = random_line(game, seed, 60)
        for s in line.states[:: 1 + len(line.states) // 12]:
            pieces = list(game.pieces(s))
            assert {piece.cell for piece in pieces} <= cells
            assert {piece.glyph for piece in pieces if piece.glyph} <= glyphs
            for piece in pieces:  # all pieces are inside the picture
                x, y = board.cell(piece.cell).middle
                assert 0 <= x + piece.x <= board.width and 0 <= y + piece.y <= board.height
            for move in game.legal_moves(s):
                for way in ways(game, s, move):
                    assert set(way) <= cells


@pytest.mark.parametrize(("name", "parameters"), GAMES_AND_SIZES, ids=IDS)
def test_pointing_finds_every_move(name, parameters):
    """Moves with the same path are offered as buttons with their texts, so these must differ."""
    game = zs.load(name, **parameters)
    for s in random_line(game, 5, 40).states[::7]:
        if game.to_move(s) == CHANCE:
            continue
        by_way = {}
        for move in game.legal_moves(s):
            for way in ways(game, s, move):
                by_way.setdefault(way, []).append(move)
        for moves in by_way.values():
            assert len({game.format_move(s, move) for move in moves}) == len(moves)


@pytest.mark.parametrize("name", GAMES)
def test_data_is_json_and_says_the_same(name):
    game = zs.load(name)
    line = random_line(game, 2, 8)
    board = game.layout()
    sent = json.loads(json.dumps(data(board)))
    assert [cell["id"] for cell in sent["cells"]] == [cell.id for cell in board.cells]
    assert sent["cells"][0]["middle"] == list(board.cells[0].middle)
    assert set(sent["glyphs"]) == set(board.glyphs) if board.glyphs else "glyphs" not in sent
    for piece in game.pieces(line.state):
        assert Piece(**json.loads(json.dumps(data(piece)))) == piece


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("flip", [False, True])
def test_a_board_is_a_picture(name, flip):
    game = zs.load(name)
    line = random_line(game, 3, 9)
    picture = board_svg(game, line.state, flip=flip, width=300)
    root = ET.fromstring(picture)
    assert root.get("width") == "300" and root.get("role") == "img"
    assert len(root.findall(".//*[@class='cell']")) == len(game.layout().cells)
    assert len(root.findall(".//*[@class='piece']")) == len(list(game.pieces(line.state)))
    classes = {word for element in root.iter() for word in (element.get("class") or "").split()}
    assert {word[5:] for word in classes if word.startswith(("fill-", "edge-"))} <= set(PAINTS)


def test_every_paint_is_in_the_style_sheet():
    sheet = asset("board.css")
    for paint in PAINTS:
        assert re.search(rf"--board-{paint}: #\w+;", sheet), paint
        assert f".fill-{paint} {{" in sheet and f".edge-{paint} {{" in sheet
    assert set(re.findall(r"--board-([\w-]+):", sheet)) == set(PAINTS)


def test_castling_is_pointed_at_by_the_king_s_square_or_by_the_rook():
    game = zs.load("chess")
    s = game.parse_state("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert ways(game, s, game.parse_move(s, "O-O")) == (("e1", "g1"), ("e1", "h1"))
    assert ways(game, s, game.parse_move(s, "O-O-O")) == (("e1", "c1"), ("e1", "a1"))


def test_promotions_share_a_way():
    game = zs.load("chess")
    s = game.parse_state("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1")
    found = [game.format_move(s, m) for m in game.legal_moves(s) if ways(game, s, m) == (("e7", "e8"),)]
    assert sorted(move[3] for move in found) == ["B", "N", "Q", "R"]


def test_a_jump_goes_through_every_square():
    game = zs.load("checkers")
    s = game.parse_state("B:W11,18,27:B8")
    (move,) = game.legal_moves(s)
    assert ways(game, s, move) == (("8", "15", "22"),)


def test_backgammon_s_checkers_may_be_moved_in_either_order():
    game = zs.load("backgammon")
    s = game.play(game.initial(), 31)
    found = ways(game, s, game.parse_move(s, "8/5 6/5"))
    assert set(found) == {("8", "5", "6", "5"), ("6", "5", "8", "5")}
    through = ways(game, s, game.parse_move(s, "8/4"))
    assert set(through) == {("8", "5", "5", "4"), ("8", "7", "7", "4")}


def test_backgammon_s_ways_lead_where_the_move_does():
    """Every step uses one of the dice, or bears off, and no path is part of another move's path."""
    game = zs.load("backgammon")
    for s in random_line(game, 11, 50).states[::4]:
        if not s.roll or game.is_over(s):
            continue
        dice = {s.roll // 10, s.roll % 10}
        for move in game.legal_moves(s):
            for way in ways(game, s, move):
                assert len(way) % 2 == 0
                for start, end in zip(way[::2], way[1::2], strict=True):
                    if start.isdecimal() and end.isdecimal():
                        assert abs(int(start) - int(end)) in dice


def test_kalah_shows_where_each_seed_falls():
    game = zs.load("kalah")
    s = game.initial()
    trail, pit = ways(game, s, game.parse_move(s, "5"))
    assert trail == ("s5", "s6", "s", "n1", "n2") and pit == ("s5",)


def test_a_stone_may_be_dropped_by_pointing_anywhere_above():
    game = zs.load("connect-four")
    s = Line.parse(game, "4 4 4").state
    found = ways(game, s, game.parse_move(s, "4"))
    assert found == (("4-4",), ("4-5",), ("4-6",))


def test_a_pass_has_nothing_to_point_at():
    othello = zs.load("othello")
    s = othello.parse_state("XO" + 25 * "-" + "OO---" + "---OO---" + 24 * "-" + " O")
    assert [(othello.format_move(s, m), ways(othello, s, m)) for m in othello.legal_moves(s)] == [("pass", ((),))]


def three_stones(**changes):
    """A game of one row of three cells, drawn correctly unless ``changes`` break it."""
    cells = tuple(Cell(str(n), rectangle(10 * n, 0, 10, 10, "light")) for n in range(9))
    board = {
        "layout": lambda: Layout(90, 10, cells, {"stone": (circle(0, 0, 40, "black"),)}),
        "pieces": lambda s: [Piece(str(n), "stone") for n in range(9) if (s.x | s.o) >> n & 1],
        "path": lambda s, move: (str(move),),
        # Tic-tac-toe's own functions refer to its own board.
        **dict.fromkeys(("set_up", "winning_line")),
    }
    return zs.load("tictactoe").with_(**{**board, **changes})


def cell(*shapes):
    return tuple(Cell(str(n), shape) for n, shape in enumerate(shapes))


FAULTS = {
    "no layout": ({"layout": lambda: 3}, "layout: must return a zerosum.board.Layout"),
    "twice": ({"layout": lambda: Layout(9, 9, 2 * cell(circle(4, 4, 1)))}, "layout: has 2 cells with the name '0'"),
    "paint": ({"layout": lambda: Layout(9, 9, cell(circle(4, 4, 1, "pink")))}, "cell '0': 'pink' is neither a paint"),
    "corner": ({"layout": lambda: Layout(9, 9, cell(polygon([(1, 1), (2, 2)])))}, "4 is the wrong number of coord"),
    "text": ({"layout": lambda: Layout(9, 9, cell(text("a", 1, 1, 3)))}, "cell '0' is a text"),
    "outside": ({"layout": lambda: Layout(9, 9, cell(circle(40, 4, 1)))}, "is outside the board"),
    "flat": ({"layout": lambda: Layout(9, 0, cell(circle(4, 0, 1)))}, "width and height must be above 0"),
    "dice": ({"layout": lambda: Layout(9, 9, cell(circle(4, 4, 1)), dice=("x",))}, "dice names 'x'"),
    "piece": ({"pieces": lambda s: [Piece("k", "stone")]}, "pieces: a piece is on 'k'"),
    "glyph": ({"pieces": lambda s: [Piece("1", "rock")]}, "pieces: the glyph 'rock' is not in the layout"),
    "nothing": ({"pieces": lambda s: [Piece("1")]}, "pieces: the piece on '1' has neither glyph nor text"),
    "crash": ({"pieces": lambda s: 1 // 0}, "pieces: raises ZeroDivisionError"),
    "path": ({"path": lambda s, move: ("z",)}, "path: of the move 0 touches 'z'"),
    "no way": ({"path": lambda s, move: [[]][1:]}, ""),
    "path crash": ({"path": lambda s, move: 1 // 0}, "path: of the move 0 raises ZeroDivisionError"),
    "alone": ({"layout": None}, "needs layout(), which the game does not define"),
}


@pytest.mark.parametrize("what", FAULTS)
def test_check_finds_what_is_wrong_with_a_board(what):
    changes, message = FAULTS[what]
    game = three_stones(**changes)
    log = CheckLog(game, 0)
    Playouts(game, log).play(0)
    if not message:
        assert not log.findings  # an empty path becomes a button
    else:
        assert any(message in str(finding) for finding in log.findings), log.findings


def test_check_is_content_with_a_right_board():
    report = check(three_stones(), games=2, seconds=PATIENCE, jit=False)
    assert report.ok
    assert {line.law: line.result for line in report.tried if line.law in ("layout", "pieces", "path")} == {
        "layout": "ok",
        "pieces": "ok",
        "path": "ok",
    }


def test_a_game_without_a_board_cannot_be_drawn():
    with pytest.raises(zs.MissingRule, match="a drawing of the board needs layout"):
        board_svg(three_stones(layout=None), three_stones().initial())


# Boards for games that define none


def bare(name, **parameters):
    return zs.load(name, **parameters).with_(layout=None, pieces=None, path=None)


@pytest.mark.parametrize("name", ["tictactoe", "connect-four", "othello", "chess"])
def test_what_a_game_shows_becomes_a_board(name):
    """It names the cells as the game does, and nearly every move can be selected by its cells."""
    own, game = zs.load(name), infer(bare(name))
    assert layout_faults(game.layout()) == []
    line = random_line(own, 4, 30)
    pointed = found = 0
    for s, after in list(pairwise(line.states))[::6]:
        marks = {piece.cell for piece in game.pieces(s) if not piece.text.isdigit()}
        if name in ("othello", "chess"):
            assert marks == {piece.cell for piece in own.pieces(s)}
        for move in own.legal_moves(s):
            found += 1
            pointed += bool(game.path(s, move))
            if name == "chess" and game.path(s, move):
                assert game.path(s, move) == ways(own, s, move)[0]
        assert board_svg(game, after)
    assert pointed > 0.95 * found


@pytest.mark.parametrize("name", ["kalah", "nim", "pig", "backgammon"])
def test_what_is_no_grid_stays_text(name):
    assert infer(bare(name)) is None


def test_a_state_that_is_a_grid_needs_no_show():
    from typing import NamedTuple

    class Grid(NamedTuple):
        cells: tuple[int, int, int, int]
        turn: int

    game = zs.Game(
        "four cells",
        Grid,
        lambda: Grid((0, 0, 0, 0), 0),
        lambda s: s.turn,
        lambda s: (n for n in range(4) if not s.cells[n]),
        lambda s, n: Grid((*s.cells[:n], 1 + s.turn, *s.cells[n + 1 :]), 1 - s.turn),
        lambda s: 0,
        max_moves=4,
    )
    found = infer(game)
    assert [cell.id for cell in found.layout().cells] == ["a1", "b1", "a2", "b2"]
    assert found.path(found.initial(), 2) == ("a2",)
    s = found.play(found.initial(), 2)
    assert [(piece.cell, piece.text) for piece in found.pieces(s)] == [("a2", "x")]
    assert found.path(s, 0) == ("a1",)


def test_a_game_that_cannot_be_shown_has_no_board():
    def show(s):
        raise RuntimeError("no")

    assert infer(bare("tictactoe").with_(show=show)) is None


@pytest.mark.parametrize("name", ["chess", "backgammon", "kalah", "checkers", "hex"])
def test_the_documentation_shows_the_boards_of_today(name):
    from board.pictures import SHOWN, path_of, picture

    assert name in SHOWN
    assert path_of(name).read_text(encoding="utf-8") == picture(name), "draw anew: python tests/board/pictures.py"
