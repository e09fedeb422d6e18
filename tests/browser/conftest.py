"""A real browser, and JupyterLab on a released chapter."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from grading.storage.project import PROJECT

HERE = Path(__file__).parent
# By default, JupyterLab removes cells that are out of sight from the page, so tests could not find them.
WHOLE_NOTEBOOK = {"@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"}}


@pytest.fixture(scope="session")
def bundle(released: Callable[[int], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Chapter 3 as a student unpacks it."""
    folder = tmp_path_factory.mktemp("student")
    shutil.unpack_archive(released(3).with_suffix(".zip"), folder)
    return folder / "03_attention"


@pytest.fixture(scope="session")
def jupyterlab(bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a JupyterLab that runs in the bundle."""
    home = tmp_path_factory.mktemp("home")
    settings = home / "lab" / "settings"
    settings.mkdir(parents=True)
    (settings / "overrides.json").write_text(json.dumps(WHOLE_NOTEBOOK))
    environment = {
        **{name: value for name, value in os.environ.items() if name not in {"MY_BERT", "NBGRADER_EXECUTION"}},
        **{f"JUPYTER_{name}_DIR": str(home / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")},
        "JUPYTERLAB_SETTINGS_DIR": str(home / "user-settings"),
        "IPYTHONDIR": str(home / "ipython"),
        "PYTHONPATH": str(bundle),
    }
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ServerApp.port=0"),
        *(f"--ServerApp.root_dir={bundle}", f"--LabApp.app_settings_dir={settings}", "--LabApp.news_url=None"),
        "--IdentityProvider.token=student",
    ]
    log = home / "log.txt"
    with log.open("w") as file:
        server = subprocess.Popen(command, cwd=bundle, env=environment, stdout=file, stderr=file)
    try:
        yield _address(server, log)
    finally:
        server.terminate()
        server.wait(timeout=60)


def _address(server: subprocess.Popen[bytes], log: Path) -> str:
    """Waits until the server listens, and returns its address from the log."""
    while server.poll() is None:
        match = re.search(r"http://127\.0\.0\.1:\d+", log.read_text())
        if match:
            return match[0]
        time.sleep(0.2)
    pytest.fail(f"JupyterLab does not start:\n{log.read_text()}")


def accessibility_problems(page: Page) -> list[tuple[str, list[str]]]:
    """The rules of axe that a page breaks, each with the elements that break it."""
    page.evaluate((HERE / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8"))
    violations = page.evaluate("axe.run({ preload: false })")["violations"]
    return [(violation["id"], [node["html"] for node in violation["nodes"]]) for violation in violations]


@pytest.fixture
def screenshots() -> Path:
    """The folder for screenshots of the pages."""
    folder = PROJECT / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
