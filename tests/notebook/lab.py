"""JupyterLab for tests in a real browser: a separate server whose kernels run in the tests' environment."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

from patience import PATIENCE

PICTURES = Path(__file__).parents[2] / "build" / "screenshots"

# JupyterLab asks for a kernel if cells run before one is ready.
RUN = """async () => {
  const { currentWidget } = jupyterapp.shell;
  await currentWidget.context.ready;
  await currentWidget.sessionContext.ready;
  await currentWidget.sessionContext.session?.kernel?.info;
  void jupyterapp.commands.execute("notebook:run-all-cells");
}"""


def program() -> str | None:
    """The path of JupyterLab, if it is installed: from ``JUPYTER_LAB``, next to this Python, or on the PATH."""
    beside = Path(sys.executable).with_name("jupyter-lab")
    return os.environ.get("JUPYTER_LAB") or (str(beside) if beside.exists() else shutil.which("jupyter-lab"))


class Lab:
    """A running server; use it as a context manager."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    def __enter__(self) -> Lab:
        found = program()
        assert found is not None
        kernel = self.folder / "data" / "kernels" / "tests"
        kernel.mkdir(parents=True)
        launch = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        kernel.joinpath("kernel.json").write_text(
            json.dumps({"argv": launch, "display_name": "tests", "language": "python"})
        )
        settings = self.folder / "config" / "labconfig"
        settings.mkdir(parents=True)
        # Otherwise a prompt about news, which come from the network, is shown first.
        news = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
        settings.joinpath("page_config.json").write_text(json.dumps(news))
        options = [
            "--no-browser",
            "--allow-root",
            f"--ServerApp.port={self.port}",
            "--IdentityProvider.token=",
            "--LabApp.expose_app_in_browser=True",
            f"--ServerApp.root_dir={self.folder}",
        ]
        places = {"JUPYTER_DATA_DIR": "data", "JUPYTER_CONFIG_DIR": "config", "JUPYTER_RUNTIME_DIR": "runtime"}
        environment = {**os.environ, **{name: str(self.folder / place) for name, place in places.items()}}
        self._log = (self.folder / "log").open("wb")
        self._process = subprocess.Popen([found, *options], stdout=self._log, stderr=self._log, env=environment)
        self._wait()
        return self

    def _wait(self) -> None:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                urllib.request.urlopen(f"{self.address}api/status", timeout=PATIENCE).close()
                return
            except OSError:
                said = (self.folder / "log").read_text(errors="replace")[-2000:]
                assert self._process.poll() is None and time.monotonic() < end, f"JupyterLab does not start: {said}"
                time.sleep(0.2)

    def __exit__(self, *problem: object) -> None:
        self._process.terminate()
        self._process.wait(timeout=PATIENCE)
        self._log.close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def write(self, name: str, *cells: str) -> None:
        """A notebook with these code cells."""
        import nbformat

        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
        book.metadata["kernelspec"] = {"name": "tests", "display_name": "tests"}
        nbformat.write(book, self.folder / f"{name}.ipynb")

    def open(self, context: Any, name: str) -> Any:
        """Open the notebook in a page and run all its cells."""
        page = context.new_page()
        page.goto(f"{self.address}doc/tree/{name}.ipynb?reset")
        page.wait_for_selector(".jp-Notebook .jp-Cell")
        page.evaluate(RUN)
        return page


def picture(page: Any, name: str) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png")
