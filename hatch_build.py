"""Puts the kernels of the shipped games into a wheel, so that the first start need not compile them.

It never makes a build fail: a wheel without kernels works too, it compiles when it is first used.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LIMIT = 1800
"""Seconds after which a build goes on without kernels."""


def tell(text: str) -> None:
    """Write to the build log; hatchling's own display says nothing under pip."""
    print(text.strip(), file=sys.stderr, flush=True)


class Kernels(BuildHookInterface):
    PLUGIN_NAME = "custom"
    folder: Path | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # its rules are about to change
            return
        # What was there is how pip shows the packages that a build requires.
        paths = [str(Path(self.root) / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(paths),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONUTF8": "1",
        }
        told, failed, made = "", True, []
        try:
            self.folder = Path(tempfile.mkdtemp(prefix="zerosum-kernels-"))
            command = [sys.executable, "-m", "zerosum.shipping", str(self.folder)]
            done = subprocess.run(
                command, cwd=self.folder, env=environment, encoding="utf-8", capture_output=True, timeout=LIMIT
            )
            told, failed = done.stdout + (done.stderr if done.returncode else ""), done.returncode != 0
            made = sorted(self.folder.iterdir())
        except (OSError, subprocess.SubprocessError) as problem:
            told = str(problem)
        tell(told)
        tell(f"kernels in this wheel: {len(made)}{'; the other games compile at their first start' if failed else ''}")
        for file in made:
            build_data["force_include"][str(file)] = f"zerosum/kernels/{file.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
