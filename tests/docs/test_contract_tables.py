"""The tables of docs/contract.md agree with the program's own table of rules, ``zerosum.contract``."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import NamedTuple

import pytest

from zerosum.contract import RULES, SETTINGS
from zerosum.game import Game

TEXT = (Path(__file__).parents[2] / "docs/contract.md").read_text(encoding="utf-8")

GROUPS = {
    "required": "required",
    "rules": "rules",
    "knowledge": "knowledge",
    "for display, never compiled": "people",
    "for training": "training",
    "for [endgame databases](endgame.md)": "endgame",
}


class Row(NamedTuple):
    """A row of a table; missing fields are empty."""

    group: str
    call: str
    returns: str
    default: str
    about: str


def rows() -> list[Row]:
    found, header = [], None
    for line in TEXT.splitlines():
        if not line.startswith("|"):
            header = None
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if header is None:
            header = cells
        elif not cells[0].startswith("---"):
            row = dict(zip(header, cells, strict=True))
            default = row.get("without it", "").replace("`", "")
            found.append(Row(GROUPS[header[0]], cells[0].strip("`"), row["returns"], default, row[""]))
    return found


FUNCTIONS = {row.call.partition("(")[0]: row for row in rows() if "(" in row.call}


def test_the_tables_name_every_rule_once_and_no_other():
    calls = [row.call for row in rows() if "(" in row.call]
    assert sorted(calls) == sorted(rule.call for rule in RULES.values())


def test_the_tables_name_every_setting_once_and_no_other():
    names = [row.call for row in rows() if "(" not in row.call]
    first = [name for name in inspect.signature(Game).parameters if name not in (*RULES, "optional")]
    assert sorted(names) == sorted((*first, *SETTINGS))


@pytest.mark.parametrize("name", RULES)
def test_a_rule_is_documented_as_it_is(name):
    rule, row = RULES[name], FUNCTIONS[name]
    assert row.call == rule.call
    assert row.group == rule.group
    assert row.returns == rule.returns
    if rule.group == "required":
        assert row.default == ""
    else:
        wanted = "–" if rule.default is None else str(rule.default)
        assert row.default == wanted or row.default.startswith((f"{wanted};", f"{wanted},"))


@pytest.mark.parametrize("name", RULES)
def test_what_is_never_compiled_is_said_to_be(name):
    row = FUNCTIONS[name]
    assert (row.group == "people" or "never compiled" in row.about.lower()) != RULES[name].is_compiled
