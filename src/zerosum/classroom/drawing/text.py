"""Helpers for every drawing: escaped text, its width, readable numbers, and the style sheets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from html import escape as html_escape
from importlib.resources import files
from math import inf, isnan

from zerosum.classroom.node import show_value

# XML 1.0 has no way to write these, not even escaped.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def escape(text: object) -> str:
    """Text for an element or an attribute, in SVG and in HTML.

    >>> escape('<b> & "c"')
    '&lt;b&gt; &amp; &quot;c&quot;'
    """
    return html_escape(_UNPRINTABLE.sub("\ufffd", str(text)), quote=True)


def tag(name: str, attributes: Mapping[str, object], inside: str | None = None) -> str:
    """One element. ``inside`` is markup; attributes are escaped, and those that are None are left out.

    >>> tag("line", {"class": "branch", "x1": 1.0, "y1": 2.25, "id": None})
    '<line class="branch" x1="1" y1="2.25"/>'
    """
    written = "".join(f' {key}="{_attribute(value)}"' for key, value in attributes.items() if value is not None)
    return f"<{name}{written}/>" if inside is None else f"<{name}{written}>{inside}</{name}>"


def _attribute(value: object) -> str:
    return short(value) if isinstance(value, float) else escape(value)


def short(length: float) -> str:
    """A coordinate with at most two decimals.

    >>> short(3.0), short(1 / 3)
    ('3', '0.33')
    """
    return f"{length:.2f}".rstrip("0").rstrip(".")


def number(value: float | None) -> str:
    """A number for a drawing, with at most four decimals.

    >>> number(-3), number(2.50), number(1 / 3), number(float("inf")), number(None)
    ('−3', '2.5', '0.3333', '+∞', '')
    """
    if value is None or isnan(value):
        return ""
    if abs(value) == inf:
        return "+∞" if value > 0 else "−∞"
    if value == int(value):
        text = str(int(value)) if abs(value) < 1e12 else f"{value:.3g}"
    else:
        text = f"{value:.4f}".rstrip("0").rstrip(".") if abs(value) >= 1e-4 else f"{value:.2g}"
    return text.replace("-", "−")


def value_text(value: float | None) -> str:
    """A value in or beside a node: as ``show_value``, but shorter.

    >>> from zerosum.game import WIN
    >>> value_text(-3), value_text(WIN - 5)
    ('−3', 'win 5')
    """
    return show_value(value).replace(" in ", " ")


def width_of(text: str, size: float) -> float:
    """The approximate width of a line of sans-serif text of this size: rather too wide than too narrow."""
    return 0.6 * size * len(text)


def clipped(text: str, most: int) -> str:
    """The text, shortened to at most ``most`` characters.

    >>> clipped("Washington", 6)
    'Washi…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


@cache
def asset(name: str) -> str:
    """The text of one of the package's style sheets or scripts."""
    return (files(__package__) / "assets" / name).read_text(encoding="utf-8")


@cache
def style(*names: str) -> str:
    """Several style sheets as one. Programs without CSS variables (Inkscape, rsvg) get the light colours."""
    sheet = "".join(asset(name) for name in names)
    light = dict(reversed(re.findall(r"(--[\w-]+): (#\w+);", sheet)))
    whole = re.sub(r"/\*.*?\*/\s*", "", sheet, flags=re.DOTALL)
    return re.sub(
        r"([\w-]+): var\((--[\w-]+)\);",
        lambda found: f"{found[1]}: {light[found[2]]}; {found[0]}",
        whole,
    )


def svg(kind: str, width: float, height: float, label: str, inside: str, sheets: tuple[str, ...]) -> str:
    """A complete drawing, which works as a file of its own and inside a page."""
    paper = tag("rect", {"class": "paper", "x": 0, "y": 0, "width": float(width), "height": float(height)})
    attributes = {
        "xmlns": "http://www.w3.org/2000/svg",
        "class": f"zs-drawing {kind}",
        "width": float(width),
        "height": float(height),
        "viewBox": f"0 0 {short(width)} {short(height)}",
        "role": "img",
        "aria-label": label,
    }
    # The style sheets contain no markup characters, so they need no CDATA section, which HTML does not support.
    return tag("svg", attributes, f"<style>{style(*sheets)}</style>{paper}{inside}")
