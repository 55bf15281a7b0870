"""docs/notes.md lists every example and slip, and only commands that exist."""

from __future__ import annotations

import re
from pathlib import Path

from zerosum.classroom.gallery import EXAMPLES, SLIPS
from zerosum.cli import COMMANDS

PAGE = (Path(__file__).parents[2] / "docs" / "notes.md").read_text(encoding="utf-8")


def test_every_example_and_slip_is_listed():
    for name in (*EXAMPLES, *SLIPS):
        assert re.search(rf"(--example |`){re.escape(name)}`", PAGE), name


def test_every_command_exists():
    commands = re.findall(r"`(zerosum [^`]+)`", PAGE)
    assert len(commands) > 50
    for command in commands:
        _, name, *rest = command.split()
        assert name in COMMANDS, command
        if rest[:1] == ["--example"]:
            assert rest[1] in EXAMPLES or rest[1] in SLIPS, command


def test_every_row_says_whether_the_numbers_agree():
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith(("| in the", "| ---"))]
    assert len(rows) > 45 and all(row.count("|") == 4 and row.rstrip("| ")[-1] != "|" for row in rows)


def test_no_file_of_the_notes_is_named():
    assert not re.search(r"00[0-4]_|\.txt", PAGE)
