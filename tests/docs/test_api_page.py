"""docs/api.md lists all promised names, and only names that exist."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

import zerosum
from zerosum.certificates import file as certificate
from zerosum.endgame import tierfile
from zerosum.learn import files as weights
from zerosum.learn import parameter_files, positions_file
from zerosum.networks import network

TEXT = (Path(__file__).parents[2] / "docs/api.md").read_text(encoding="utf-8")
MODULES = re.findall(r"^\| `(zerosum\.\w+)` \| (.*) \|$", TEXT, re.MULTILINE)
FILES = re.findall(r"^\| .* \| .*`(zerosum \w+)`.* \| (\d+) \|$", TEXT, re.MULTILINE)
FORMS = (weights, parameter_files, positions_file, network, tierfile, certificate)


def test_the_page_lists_the_names_of_the_package_each_once():
    assert sorted(re.findall(r"`zs\.(\w+)`", TEXT)) == sorted(zerosum.__all__)


@pytest.mark.parametrize(("module", "promised"), MODULES)
def test_what_a_module_promises_is_there(module: str, promised: str):
    names = re.findall(r"`(\w+)`", promised)
    assert names and not [name for name in names if not hasattr(import_module(module), name)]


def test_classroom_and_checking_promise_all_that_they_offer():
    for module, promised in MODULES[:2]:
        assert sorted(re.findall(r"`(\w+)`", promised)) == sorted(import_module(module).__all__)


def test_the_page_has_the_versions_of_the_formats():
    documented = {name: int(version) for name, version in FILES}
    written = {form.FORMAT.name: form.FORMAT.version for form in FORMS}
    assert documented == {**written, "zerosum match": 1}
