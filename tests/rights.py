"""Programs without the right to write everywhere, even if root runs the tests."""

from __future__ import annotations

import os
import shutil

import pytest

POWERS = ("dac_override", "dac_read_search")


def bound_by_permissions(command: list[str]) -> list[str]:
    """The command, run so that permissions apply to it; for root, without the power to override them."""
    if not hasattr(os, "geteuid"):
        pytest.skip("needs POSIX permissions")
    if os.geteuid() != 0:
        return command
    if shutil.which("setpriv") is None:
        pytest.skip("root may write everywhere, and setpriv is not installed")
    without = ",".join(f"-{power}" for power in POWERS)
    return ["setpriv", f"--bounding-set={without}", f"--inh-caps={without}", *command]
