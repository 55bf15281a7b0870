"""Large values that many units need: stored once, and then referred to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zerosum.working.pickling import pickled, unpickled


class Shared(ABC):
    """A reference to a value that is stored elsewhere. Units and other shared values may contain it, works may not."""

    @abstractmethod
    def get(self) -> Any:
        """The value. Do not write to an array: others read the same one."""

    def drop(self) -> None:
        """Release the stored value; values already fetched remain valid."""
        return


@dataclass(frozen=True)
class Held(Shared):
    """A value in the memory of this process."""

    value: Any

    def get(self) -> Any:
        return self.value


@dataclass(frozen=True)
class Filed(Shared):
    """A value in a file on this machine. Processes that read the same array share its memory."""

    path: str

    @classmethod
    def of(cls, value: Any, path: Path) -> Filed:
        import numpy as np

        if isinstance(value, np.ndarray):
            path = path.with_suffix(".npy")
            np.save(path, value, allow_pickle=False)
        else:
            path.write_bytes(pickled(value))
        return cls(str(path))

    def get(self) -> Any:
        if self.path.endswith(".npy"):
            import numpy as np

            return np.load(self.path, mmap_mode="r", allow_pickle=False)
        return unpickled(Path(self.path).read_bytes())

    def drop(self) -> None:
        Path(self.path).unlink(missing_ok=True)
