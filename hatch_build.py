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


class Kernels(BuildHookInterface):  # type: ignore[misc,type-arg]
    PLUGIN_NAME = "custom"
    folder: Path | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # its rules are about to change
            return
        self.folder = Path(tempfile.mkdtemp(prefix="zerosum-kernels-"))
        command = [sys.executable, "-m", "zerosum.shipping", str(self.folder)]
        environment = {**os.environ, "PYTHONPATH": str(Path(self.root) / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(
                command, cwd=self.folder, env=environment, text=True, capture_output=True, timeout=LIMIT
            )
            self.app.display_info(done.stdout.strip())
            problem = done.stderr.strip().splitlines()[-1:] if done.returncode else []
        except (OSError, subprocess.SubprocessError) as failure:
            problem = [str(failure)]
        made = sorted(self.folder.iterdir())
        if problem or not made:
            self.app.display_warning(f"{len(made)} kernels are in this wheel, not all: {''.join(problem)}")
        for file in made:
            build_data["force_include"][str(file)] = f"zerosum/kernels/{file.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
