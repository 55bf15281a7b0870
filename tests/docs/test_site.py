"""The documentation as a site: every page can be reached, and every promised name can be found."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib import import_module, util
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest

import zerosum
from zerosum import errors
from zerosum.classroom.gallery import EXAMPLES, SLIPS
from zerosum.cli.app import plain_command
from zerosum.contract import RULES, SETTINGS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SOURCES = [path for path in sorted(DOCS.rglob("*")) if path.suffix in (".md", ".rst")]
PROMISES = re.findall(r"^\| `(zerosum[.\w]+)` \| (.*) \|$", (DOCS / "api.md").read_text(encoding="utf-8"), re.MULTILINE)


def entries(page: Path) -> Iterator[str]:
    """The pages that a page lists in its tables of contents."""
    text = page.read_text(encoding="utf-8")
    markdown = re.findall(r"^```\{toctree\}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    plain = re.findall(r"^\.\. toctree::\n((?:(?: .*)?\n)+)", text, re.MULTILINE)
    for block in markdown + plain:
        for line in filter(None, map(str.strip, block.splitlines())):
            if not line.startswith(":"):
                name = re.sub(r".*<(.*)>", r"\1", line)
                yield (page.parent / name).relative_to(DOCS).as_posix()


def test_every_page_is_in_one_table_of_contents():
    pages = [path.relative_to(DOCS).with_suffix("").as_posix() for path in SOURCES]
    listed = Counter(name for page in SOURCES for name in entries(page))
    # The first page is in no table; the page on search has another name, because Sphinx has its own search.html.
    assert listed == Counter(pages) - Counter(["index", "search"])


def promised() -> set[str]:
    """The names that docs/api.md promises, with their modules."""
    names = {f"zerosum.{name}" for name in zerosum.__all__}
    return names | {f"{module}.{name}" for module, text in PROMISES for name in re.findall(r"`(\w+)`", text)}


def members(name: str) -> set[str]:
    """The public methods and attributes of a promised class, which are also promised."""
    module, _, last = name.rpartition(".")
    found = getattr(import_module(module), last)
    if not isinstance(found, type):
        return set()
    if not found.__module__.startswith("zerosum"):  # NumPy's
        return set()
    own = (*vars(found), *getattr(found, "__annotations__", ()))
    return {f"{name}.{member}" for member in own if not member.startswith("_")}


def test_a_page_of_the_reference_asks_for_every_promised_name():
    asked = set()
    for page in (DOCS / "reference").glob("*.rst"):
        home = ""
        for directive, name in re.findall(r"^\.\. (\w+):: +(\S+)$", page.read_text(encoding="utf-8"), re.MULTILINE):
            if directive in ("currentmodule", "module"):
                home = name
            elif directive == "automodule" and name == "zerosum.errors":
                asked |= {f"{at}.{one}" for at in ("zerosum", name) for one in vars(errors)}
            elif directive in ("autoclass", "autofunction", "autodata", "data"):
                asked.add(name if name.startswith("zerosum.") else f"{home}.{name}")
    assert promised() - asked == set()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if util.find_spec("furo") is None:
        pytest.skip("needs pip install '.[docs]'")
    out = tmp_path_factory.mktemp("site")
    # Warnings are errors, and so are unknown names and broken links.
    command = [sys.executable, "-m", "sphinx", "-W", "-n", "-q", "--keep-going", str(DOCS), str(out)]
    environment = {**os.environ, "NO_COLOR": "1"}
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=environment)
    assert done.returncode == 0, done.stderr
    return out


def inventory(site: Path) -> dict[str, set[str]]:
    """The names on the site by kind, as other sites look them up."""
    data = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    found: dict[str, set[str]] = {}
    for line in zlib.decompress(data).decode().splitlines():
        name, kind = re.match(r"(.+?) (\w+:\w+) ", line).groups()
        found.setdefault(kind.removesuffix("s") if kind.startswith("py:") else kind, set()).add(name)
    return found


@pytest.mark.slow
def test_what_is_promised_is_on_the_site_by_its_name(site):
    found = inventory(site)
    python = set().union(*(names for kind, names in found.items() if kind.startswith("py:")))
    ours = [name for name, one in vars(errors).items() if getattr(one, "__module__", "") == errors.__name__]
    same = {f"zerosum.{name}" for name in ours}  # on the page of zerosum.errors
    wanted = promised() | set().union(*map(members, promised()))
    assert {name for name in wanted if name not in python and not name.startswith(tuple(same))} == set()
    assert {f"zerosum.errors.{name}" for name in ours if name[0].isupper()} - python == set()
    assert found["std:rule"] == set(RULES)
    assert found["std:setting"] >= set(SETTINGS)
    options = found["std:cmdoption"]
    for name, command in plain_command().commands.items():
        for parameter in command.params:
            if parameter.param_type_name == "option" and not parameter.hidden:
                assert {f"zerosum-{name}.{option}" for option in parameter.opts} <= options


class Addresses(HTMLParser):
    """The links and resources of a page, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        if tag in ("a", "link"):
            (self.links if tag == "a" else self.loaded).add(given.get("href", ""))
        self.loaded.add(given.get("src", ""))


@pytest.mark.slow
def test_links_of_the_site_lead_somewhere_and_nothing_is_loaded_from_elsewhere(site):
    pages = {path.resolve(): Addresses(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    broken = []
    for path, page in pages.items():
        assert not [address for address in page.loaded if urlparse(address).netloc], path
        for address in page.links | page.loaded:
            parts = urlparse(address)
            if parts.scheme or parts.netloc:
                continue
            there = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            place = unquote(parts.fragment)
            if not there.is_file() or (place and there in pages and place not in pages[there].places):
                broken.append((path.relative_to(site).as_posix(), address))
    assert broken == []
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert not re.search(r"url\(['\"]?(?:https?:)?//|@import", styles)


@pytest.mark.slow
def test_every_example_of_the_gallery_has_a_page(site):
    for name in (*EXAMPLES, *SLIPS):
        page = (site / "live" / f"{name}.html").read_text(encoding="utf-8")
        assert name in page or "One step forward" in page
    linked = Addresses((site / "gallery.html").read_text(encoding="utf-8")).links
    assert {f"live/{name}.html" for name in (*EXAMPLES, *SLIPS)} <= linked
