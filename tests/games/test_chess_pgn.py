"""PGN: reading and writing lose nothing, and errors quote what is wrong."""

from __future__ import annotations

import io
import random
import tracemalloc

import pytest
from chess_files import OPENINGS, broken_pgn, check_broken_pgn, check_round_trip, opening_games, random_game

from zerosum.errors import PgnError, ZerosumError
from zerosum.games import load
from zerosum.games.chess.pgn import (
    NULL_MOVE,
    PgnGame,
    format_game,
    parse_game,
    read_games,
    write_games,
)
from zerosum.games.pgn.tree import PgnMove, Variation

ROSTER = '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "?"]\n[Black "?"]\n[Result "*"]\n'


def movetext(game: PgnGame) -> str:
    """The moves as written, on one line."""
    return " ".join(format_game(game).split("\n\n", 1)[1].split())


def games_in(text: str) -> tuple[list[PgnGame], list[PgnError]]:
    problems: list[PgnError] = []
    return list(read_games(io.StringIO(text, newline=None), problems.append)), problems


# What survives


@pytest.mark.parametrize("seed", range(6))
def test_random_games_survive_and_python_chess_sees_the_same(seed):
    rng = random.Random(seed)
    for _ in range(5):
        check_round_trip(str(random_game(rng)))


@pytest.mark.skipif(not OPENINGS.exists(), reason="the folder of shared openings is not there")
def test_openings_of_others_survive():
    for text in opening_games(40):
        assert len(check_round_trip(text).moves) == 16


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 e5 2. Nf3 *",
        "1. e4 { best by test } 1... e5 *",
        "{ before } 1. e4 *",
        "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) (1... e6) 2. Nf3 *",
        "1. e4 $1 $14 { [%clk 0:03:00] [%eval 0.2] } 1... e5 $6 *",
        "1. e4 (1. d4 { Queen's pawn } 1... d5 { classical }) ({ or } 1. c4) 1... e5 1/2-1/2",
        "1. e4 (1. d4 -- 2. c4) 1... e5 *",
        "1. e4 (1. d4 d5 1-0) 1... e5 0-1",
        "1. e4 (1. d4 ({ nothing })) () *",
        "*",
    ],
)
def test_canonical_movetext_is_written_as_it_was_read(text):
    assert movetext(parse_game(text)) == text


def test_import_format_is_read():
    loose = parse_game("1.e4 e5 2 Nf3!? (2. f4 !) Nc6 3 . Bb5?? 3...a6 4.0-0 ; the end\n*")
    assert movetext(loose) == "1. e4 e5 2. Nf3 $5 (2. f4 $1) 2... Nc6 3. Bb5 $4 a6 4. O-O { the end } *"


@pytest.mark.parametrize("taken", ["exd6", "exd6e.p.", "exd6 e.p.", "e5xd6"])
def test_en_passant_in_all_its_spellings(taken):
    assert movetext(parse_game(f"1. e4 a6 2. e5 d5 3. {taken} *")) == "1. e4 a6 2. e5 d5 3. exd6 *"


def test_moves_may_follow_the_tags_on_their_line():
    game = parse_game('[White "A"] [Black "B"] 1. e4 *')
    assert (game.tags, len(game.moves)) == ({"White": "A", "Black": "B"}, 1)


def test_tags_keep_quotes_and_backslashes_and_their_order():
    tags = {"White": 'A "B" C', "Zebra": "C:\\x\\", "Annotator": ""}
    game = PgnGame(tags=tags)
    again = parse_game(format_game(game))
    assert {name: again.tags[name] for name in tags} == tags
    assert list(again.tags)[-2:] == ["Zebra", "Annotator"]
    assert format_game(again) == format_game(game)


def test_a_quote_that_somebody_forgot_to_escape():
    assert parse_game('[White "A "B" C"]\n\n*').tags["White"] == 'A "B" C'


def test_a_closing_brace_survives_in_a_comment_to_the_end_of_the_line():
    game = parse_game("1. e4 ; a } brace\ne5 *")
    assert game.main.moves[0].comments == ["a } brace"]
    assert parse_game(format_game(game)).main == game.main


def test_long_comments_are_broken_at_80_without_a_change():
    comment = " ".join(f"word{n} [%clk 0:00:{n:02}]  %x (" for n in range(30))
    text = format_game(PgnGame(main=Variation(before=[comment])))
    assert max(map(len, text.splitlines())) <= 80
    assert not any(line.startswith("%") for line in text.splitlines())
    assert "[%clk 0:00:07]" in text.replace("\n", "|")  # no command is torn
    assert parse_game(text).main.before == [comment]


def test_escapes_survive():
    game = parse_game('%private\n[White "A"]\n\n1. e4\n%more\ne5 *')
    assert game.escapes == ["private", "more"] and len(game.moves) == 2
    assert parse_game(format_game(game)).escapes == game.escapes


def test_a_start_of_its_own_is_told_by_its_fen():
    chess = load("chess")
    fen = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 3 17"
    game = PgnGame(start=chess.parse_state(fen))
    s = game.start
    game.main.moves.append(PgnMove(chess.parse_move(s, "Kg3")))
    text = format_game(game)
    assert '[SetUp "1"]' in text and f'[FEN "{fen}"]' in text and "17... Kg3" in text
    assert parse_game(text).moves == game.moves
    assert parse_game(text).start == s


def test_clocks():
    move = parse_game("1. e4 { [%clk 1:02:03.5] } *").main.moves[0]
    assert move.clock == 3723.5
    move.set_command("clk", "0:00:09")
    assert move.clock == 9 and move.comments == ["[%clk 0:00:09]"]
    assert PgnMove(0, comments=["[%clk soon]"]).clock is None


def test_a_pass_is_kept_in_a_variation():
    game = parse_game("1. e4 (1. d4 -- 2. e4) *")
    assert [node.move for node in game.main.moves[0].variations[0].moves][1] == NULL_MOVE
    bare = parse_game('[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. -- Kd7 2. e4 *')
    assert movetext(bare) == "1. -- Kd7 2. e4 *"


def test_old_files_in_latin_1_and_new_ones_in_utf_8(tmp_path):
    for encoding in ("latin-1", "utf-8", "utf-8-sig"):
        path = tmp_path / "games.pgn"
        path.write_bytes('[White "Müller"]\r\n\r\n1. e4 *\r\n'.encode(encoding))
        (game,) = read_games(path)
        assert game.tags["White"] == "Müller" and len(game.moves) == 1


def test_a_file_appears_whole_or_not_at_all(tmp_path):
    path = tmp_path / "games.pgn"
    games = [parse_game(f'[Round "{n}"]\n\n1. e4 *') for n in range(3)]
    assert write_games(games, path) == 3
    assert [game.tags["Round"] for game in read_games(path)] == ["0", "1", "2"]

    def breaks_off():
        yield games[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_games(breaks_off(), path)
    assert len(list(read_games(path))) == 3
    assert [p.name for p in tmp_path.iterdir()] == ["games.pgn"]


def test_a_big_file_is_read_in_little_memory():
    lines = ('[White "A"]\n', "\n", "1. e4 {" + "x" * 100_000 + "} *\n", "\n")
    stream = (line for _ in range(300) for line in lines)
    tracemalloc.start()
    assert sum(1 for _ in read_games(stream)) == 300
    top = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert top < 2_000_000  # of 30 million


def test_plies_leaves_out_what_comes_later():
    (game,) = read_games(io.StringIO("1. e4 (1. d4) e5 2. Nf3 nonsense *"), plies=2)
    assert movetext(game) == "1. e4 e5 *"


# Errors


@pytest.mark.parametrize(
    ("text", "line", "word", "reason"),
    [
        ("1. e4 e5\n2. Ke3 *", 2, "Ke3", "is not legal"),
        ("1. e4 e5\n2. Hf3 *", 2, "Hf3", "is not a move"),
        ("1. e4 & *", 1, "&", "is not a move or"),
        ("1. e4 $256 *", 1, "$256", "$0 to $255"),
        ("1. e4 !?!? ?!x *", 1, "x", "is not a move"),
        ("$1 e4 *", 1, "$1", "before there is a move"),
        ("(1. e4) *", 1, "(", "before there is a move to vary"),
        ("1. e4 ) *", 1, ")", "never opened"),
        ("1. e4\n(1. d4\n", 2, "(", "never closed"),
        ("1. e4\n{ open\n", 2, "{ open", "never closed"),
        ('[White "A]\n\n1. e4 *', 1, '[White "A]', "not a tag"),
        ("[]\n\n1. e4 *", 1, "[]", "not a tag"),
        ('[White "A"]\n[FEN "8/8"]\n\n1. e4 *', 2, "8/8", "not a position"),
        ("1. e4 e5 2. Qh5 Nc6 3. Qxf7 -- *", 1, "--", "in check"),
        ("1. e4 " + "(1. d4 " * 101 + ")" * 101 + " *", 1, "(", "more than 100 deep"),
    ],
)
def test_the_error_quotes_the_place(text, line, word, reason):
    with pytest.raises(PgnError) as caught:
        parse_game(text)
    problem = caught.value
    assert isinstance(problem, ZerosumError)
    assert (problem.line, problem.word) == (line, word)
    assert str(problem).startswith(f"line {line}: {word!r}") and reason in str(problem), problem


def test_the_file_is_named_too(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text("1. e9 *")
    with pytest.raises(PgnError, match=r"^games\.pgn, line 1: 'e9' is not"):
        list(read_games(path))


@pytest.mark.parametrize("name", ["nowhere.pgn", ".", "a\0b"])
def test_a_file_that_cannot_be_read(tmp_path, name):
    with pytest.raises(PgnError, match="cannot be read"):
        list(read_games(f"{tmp_path}/{name}"))


@pytest.mark.parametrize(
    "bad",
    [
        "1. e5 e5 *",
        "1. e4 { never closed",
        "1. e4 (1. d4 d5 1-0",
        '[Event "x]\n\n1. e4 *',
        "1. e4 }{ ; (",
        "1. e4 (e5 ) *",
    ],
)
def test_the_game_behind_a_bad_one_is_read(bad):
    found, problems = games_in(f'[Event "a"]\n\n1. d4 *\n\n[Event "b"]\n\n{bad}\n\n[Event "c"]\n\n1. c4 1-0\n')
    assert [game.tags["Event"] for game in found] == ["a", "c"]
    assert len(problems) == 1 and 5 <= problems[0].line <= 8


def test_games_without_tags_end_with_their_result():
    found, problems = games_in("1. e4 1-0 1. d4 0-1\n1. Ke2 * 1. c4 *")
    assert [movetext(game) for game in found] == ["1. e4 1-0", "1. d4 0-1", "1. c4 *"]
    assert [problem.word for problem in problems] == ["Ke2"]


def test_a_missing_result_is_that_of_the_tag():
    found, problems = games_in('[Result "1-0"]\n\n1. e4 e5\n\n[Event "next"]\n\n1. d4\n')
    assert [game.result for game in found] == ["1-0", "*"] and not problems


def test_there_is_exactly_one_game_to_parse():
    with pytest.raises(PgnError, match="'' contains no games"):
        parse_game("")
    with pytest.raises(PgnError, match="contains 2 games"):
        parse_game("* *")


def test_mistakes_of_all_kinds_are_quoted():
    rng = random.Random(7)
    texts = [str(random_game(rng, 10)) for _ in range(10)]
    refused = sum(bool(check_broken_pgn(broken_pgn(rng, texts))) for _ in range(300))
    assert 50 < refused < 300
