"""Numbers and times, formatted for the terminal and the browser."""

from __future__ import annotations


def count(n: int) -> str:
    """A whole number with thousands separators.

    >>> count(1234567)
    '1,234,567'
    """
    return f"{n:,}"


def rate(per_second: float) -> str:
    """A number per second, to three significant figures.

    >>> rate(6_123_456), rate(812_000), rate(95)
    ('6.12 M/s', '812 k/s', '95 /s')
    """
    return f"{about(per_second)}{'/s' if per_second >= 1e3 else ' /s'}"


def about(n: float) -> str:
    """A large number to three significant figures.

    >>> about(6_123_456), about(812_000), about(95)
    ('6.12 M', '812 k', '95')
    """
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if n >= unit:
            return f"{_three_figures(n / unit)} {name}"
    return f"{n:.0f}"


def _three_figures(x: float) -> str:
    return f"{x:.{2 if x < 10 else 1 if x < 100 else 0}f}"


def duration(seconds: float) -> str:
    """A duration in a readable unit.

    >>> duration(0.0123), duration(2.5), duration(75)
    ('12 ms', '2.50 s', '1:15')
    """
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 60:
        return f"{seconds:.2f} s"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
