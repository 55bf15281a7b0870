"""The positions of a strategy, stored compactly by row, with a number for each."""

from __future__ import annotations

from typing import Any


class Known:
    """Rows of a fixed size, numbered in the order in which they are added.

    The rows are kept in sorted runs. Each run is at least twice as long as the next one, so there are few of them, and
    adding rows is cheap.
    """

    def __init__(self, size: int) -> None:
        import numpy as np

        self.kind = np.dtype(f"S{size}")
        self.count = 0
        self._runs: list[tuple[Any, Any]] = []

    def array(self, rows: list[bytes]) -> Any:
        """Rows as an array."""
        import numpy as np

        return np.frombuffer(b"".join(rows), self.kind) if rows else np.empty(0, self.kind)

    def find(self, rows: Any) -> Any:
        """The number of each row, -1 for unknown ones."""
        import numpy as np

        found = np.full(len(rows), -1, np.int64)
        for run, numbers in self._runs:
            places = np.minimum(np.searchsorted(run, rows), len(run) - 1)
            same = run[places] == rows
            found[same] = numbers[places[same]]
        return found

    def add(self, rows: Any) -> Any:
        """Add these rows, which must be new and sorted. Returns their numbers."""
        import numpy as np

        numbers = np.arange(self.count, self.count + len(rows))
        self.count += len(rows)
        if len(rows):
            self._runs.append((rows, numbers))
        while len(self._runs) > 1 and len(self._runs[-2][0]) < 2 * len(self._runs[-1][0]):
            self._merge()
        return numbers

    def _merge(self) -> None:
        import numpy as np

        (first, first_numbers), (second, second_numbers) = self._runs[-2:]
        places = np.searchsorted(first, second)
        merged = np.insert(first, places, second), np.insert(first_numbers, places, second_numbers)
        self._runs[-2:] = [merged]

    def in_order(self) -> tuple[Any, Any]:
        """All rows, sorted, and their numbers."""
        import numpy as np

        while len(self._runs) > 1:
            self._merge()
        return self._runs[0] if self._runs else (np.empty(0, self.kind), np.empty(0, np.int64))
