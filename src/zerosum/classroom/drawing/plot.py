"""Line and bar plots as SVG, with two axes, a grid and a legend: just enough for ladders and learning curves.

>>> figure = line_plot({"minimax": [(1, 9), (2, 72)]}, title="Leaves", x_label="depth", y_label="leaves", log_y=True)
>>> figure.startswith("<svg") and "minimax" in figure
True
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

from zerosum.classroom.drawing.text import clipped, escape, number, svg, tag, width_of
from zerosum.errors import DrawingError

Point = tuple[float, float]

SERIES_COLOURS = 8
TEXT = 12
SHEETS = ("theme.css", "plot.css")


@dataclass(frozen=True)
class Axis:
    """A mapping from numbers to places along an axis. ``ticks`` are the numbers written beside it."""

    ticks: tuple[float, ...]
    low: float
    high: float
    is_log: bool = False

    def share(self, value: float) -> float:
        """The position of a value between the ends, from 0 to 1.

        >>> Axis((0, 5, 10), 0, 10).share(2.5), Axis((1, 100), 1, 100, is_log=True).share(10)
        (0.25, 0.5)
        """
        if self.is_log:
            return (log10(value) - log10(self.low)) / (log10(self.high) - log10(self.low))
        return (value - self.low) / (self.high - self.low)


def linear_axis(values: Sequence[float], most_ticks: int = 6) -> Axis:
    """An axis that contains all values, with ticks at round numbers.

    >>> linear_axis([0, 7, 43]).ticks
    (0.0, 10.0, 20.0, 30.0, 40.0, 50.0)
    """
    low, high = min(values), max(values)
    if low == high:
        low, high = low - (abs(low) or 1) / 2, high + (abs(high) or 1) / 2
    rough = (high - low) / (most_ticks - 1)
    if all(value == int(value) for value in values):
        rough = max(rough, 1.0)  # no fractional ticks for depths and counts
    power = 10.0 ** floor(log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    ticks = tuple(round(k * step, 12) for k in range(first, last + 1))
    return Axis(ticks, ticks[0], ticks[-1])


def log_axis(values: Sequence[float], most_ticks: int = 8) -> Axis:
    """An axis of powers of ten.

    >>> log_axis([3, 4000]).ticks
    (1.0, 10.0, 100.0, 1000.0, 10000.0)
    """
    first, last = floor(log10(min(values)) + 1e-9), ceil(log10(max(values)) - 1e-9)
    last = max(last, first + 1)
    step = ceil((last - first) / (most_ticks - 1))
    last = first + step * ceil((last - first) / step)
    ticks = tuple(10.0**k for k in range(first, last + 1, step))
    return Axis(ticks, ticks[0], ticks[-1], is_log=True)


def line_plot(
    series: Mapping[str, Sequence[Point]],
    *,
    title: str,
    x_label: str,
    y_label: str,
    log_y: bool = False,
    width: int = 640,
    height: int = 400,
) -> str:
    """A plot of each series as a line through its points (x, y), in the order given."""
    points = [point for line in series.values() for point in line]
    _check(title, points, [y for _, y in points], log_y)
    xs = linear_axis([x for x, _ in points], most_ticks=8)
    frame = _Frame(title, x_label, y_label, _y_axis([y for _, y in points], log_y), list(series), width, height)
    parts = [frame.grid(), frame.x_ticks([(xs.share(tick), _tick(tick, xs)) for tick in xs.ticks])]
    for which, (name, line) in enumerate(series.items()):
        places = [(frame.x(xs.share(x)), frame.y(y)) for x, y in line]
        parts.append(_line(which, name, line, places))
    return frame.finish(parts)


def bar_plot(
    values: Mapping[str, float],
    *,
    title: str,
    x_label: str,
    y_label: str,
    log_y: bool = False,
    width: int = 640,
    height: int = 400,
) -> str:
    """A plot with one bar for each name.

    >>> "alpha-beta" in bar_plot({"minimax": 9, "alpha-beta": 7}, title="Leaves", x_label="", y_label="leaves")
    True
    """
    numbers = list(values.values())
    _check(title, [(0, y) for y in numbers], numbers, log_y)
    axis = _y_axis(numbers if log_y else [0, *numbers], log_y)
    frame = _Frame(title, x_label, y_label, axis, [], width, height)
    slot = 1 / len(values)
    room = int(frame.inner_width * slot / (0.6 * TEXT))
    names = [((k + 0.5) * slot, clipped(name, max(room, 2))) for k, name in enumerate(values)]
    parts = [frame.grid(), frame.x_ticks(names)]
    floor_y = frame.y(axis.low if log_y else 0)
    for k, (name, value) in enumerate(values.items()):
        top, left = frame.y(value), frame.x((k + 0.2) * slot)
        box = {"x": left, "y": min(top, floor_y), "width": frame.inner_width * slot * 0.6, "height": abs(floor_y - top)}
        parts.append(tag("rect", {"class": "bar", **box}, tag("title", {}, escape(f"{name}: {number(value)}"))))
    return frame.finish([*parts[:2], tag("g", {"class": "s0"}, "".join(parts[2:]))])


def _check(title: str, points: Sequence[Point], heights: Sequence[float], log_y: bool) -> None:
    if not points:
        raise DrawingError(f"the plot {title!r} has no points: give at least one")
    for point in points:
        if not all(map(isfinite, point)):
            raise DrawingError(f"the plot {title!r} has the point {point!r}: leave out points that are not finite")
    if log_y and min(heights) <= 0:
        raise DrawingError(f"the plot {title!r} has the value {min(heights)!r}: with log_y all values must be above 0")


def _y_axis(values: Sequence[float], log_y: bool) -> Axis:
    return log_axis(values) if log_y else linear_axis(values)


_MARKS: tuple[Callable[[float, float], str], ...] = (
    lambda x, y: f"M{x - 3.5:.2f} {y:.2f}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
    lambda x, y: f"M{x - 3:.2f} {y - 3:.2f}h6v6h-6z",
    lambda x, y: f"M{x:.2f} {y - 4:.2f}l4 7h-8z",
    lambda x, y: f"M{x:.2f} {y - 4.5:.2f}l4.5 4.5l-4.5 4.5l-4.5 -4.5z",
)


def _line(which: int, name: str, line: Sequence[Point], places: Sequence[Point]) -> str:
    course = "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in places)
    dashes = None if which < SERIES_COLOURS else "6 4"
    parts = [tag("path", {"class": "line", "d": course, "stroke-dasharray": dashes})] if len(places) > 1 else []
    for (x, y), place in zip(line, places, strict=True):
        title = tag("title", {}, escape(f"{name}: {number(x)}, {number(y)}"))
        parts.append(tag("path", {"class": "mark", "d": _MARKS[which % len(_MARKS)](*place)}, title))
    return tag("g", {"class": f"series s{which % SERIES_COLOURS}"}, "".join(parts))


class _Frame:
    """Axes, title and legend, and the coordinates between them."""

    def __init__(
        self, title: str, x_label: str, y_label: str, axis: Axis, names: Sequence[str], width: int, height: int
    ) -> None:
        self.title, self.x_label, self.y_label, self.axis, self.names = title, x_label, y_label, axis, names
        self.width = width
        self.tick_texts = [_tick(tick, axis) for tick in axis.ticks]
        self.left = 34 + max(width_of(text, TEXT) for text in self.tick_texts)
        self.top = 40
        self.inner_width = width - self.left - 24
        legend_rows = self._legend_rows()
        self.bottom = height - 54
        self.legend_top = height + 6
        self.height = height + 20 * len(legend_rows)
        self.legend_rows = legend_rows
        if self.inner_width < 60 or height < 140:
            raise DrawingError(f"the plot {title!r} does not fit: {width} by {height} is too small, try 640 by 400")

    def x(self, share: float) -> float:
        return self.left + share * self.inner_width

    def y(self, value: float) -> float:
        return self.bottom - self.axis.share(value) * (self.bottom - self.top)

    def grid(self) -> str:
        parts = []
        for tick, text in zip(self.axis.ticks, self.tick_texts, strict=True):
            y = self.y(tick)
            parts.append(tag("line", {"class": "grid", "x1": self.left, "y1": y, "x2": self.x(1), "y2": y}))
            place = {"class": "tick", "x": self.left - 6, "y": y + 4, "text-anchor": "end"}
            parts.append(tag("text", place, escape(text)))
        return "".join(parts)

    def x_ticks(self, texts: Sequence[tuple[float, str]]) -> str:
        place = {"class": "tick", "y": float(self.bottom + 17), "text-anchor": "middle"}
        return "".join(tag("text", {**place, "x": self.x(share)}, escape(text)) for share, text in texts)

    def finish(self, parts: Sequence[str]) -> str:
        middle_x, middle_y = self.x(0.5), (self.top + self.bottom) / 2
        sides = f"M{self.left:.2f} {self.top}V{self.bottom}H{self.x(1):.2f}"
        course = {"class": "axis", "d": sides, "fill": "none"}
        words = [
            tag("text", {"class": "title", "x": middle_x, "y": 22, "text-anchor": "middle"}, escape(self.title)),
            tag(
                "text",
                {"class": "name", "x": middle_x, "y": float(self.bottom + 38), "text-anchor": "middle"},
                escape(self.x_label),
            ),
            tag(
                "text",
                {
                    "class": "name",
                    "transform": f"translate(14 {middle_y:.2f}) rotate(-90)",
                    "text-anchor": "middle",
                },
                escape(self.y_label),
            ),
        ]
        inside = "".join([*parts[:1], tag("path", course), *parts[1:], *words, self._legend()])
        return svg("zs-plot", self.width, self.height, self.title, inside, SHEETS)

    def _legend_rows(self) -> list[list[int]]:
        rows: list[list[int]] = []
        used = self.width
        for which, name in enumerate(self.names):
            needed = int(width_of(name, TEXT)) + 36
            if used + needed > self.width - 24:
                rows.append([])
                used = int(self.left)
            rows[-1].append(which)
            used += needed
        return rows

    def _legend(self) -> str:
        parts = []
        for row, members in enumerate(self.legend_rows):
            x, y = self.left, self.legend_top + 20.0 * row
            for which in members:
                mark = tag("path", {"class": "mark", "d": _MARKS[which % len(_MARKS)](x + 6, y - 4)})
                text = tag("text", {"x": x + 16, "y": y}, escape(self.names[which]))
                parts.append(tag("g", {"class": f"legend s{which % SERIES_COLOURS}"}, mark + text))
                x += width_of(self.names[which], TEXT) + 36
        return "".join(parts)


def _tick(value: float, axis: Axis) -> str:
    """A number beside an axis; on a log axis, numbers from a million are powers of ten, to keep the margin narrow.

    >>> _tick(10.0**7, Axis((), 1, 1, is_log=True)), _tick(2500.0, Axis((), 0, 1))
    ('10⁷', '2,500')
    """
    if axis.is_log and (value >= 1e6 or value <= 1e-3):
        return "10" + str(round(log10(value))).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{value:,.0f}" if value == int(value) and 1e3 <= value < 1e12 else number(value)
