"""The sandbox says what a host offers, and fails closed where that is too little."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from grading.sandbox import client
from grading.sandbox.client import Sandbox
from grading.sandbox.host import Layer, SandboxUnavailable, choose_backend, describe_host
from grading.storage.project import PROJECT

_ALL = [Layer(name, True, "why") for name in ("Linux", "namespaces", "bubblewrap", "seccomp", "Landlock")]


def _without(*names: str) -> list[Layer]:
    return [replace(layer, present=layer.present and layer.name not in names) for layer in _ALL]


def test_this_host_is_described() -> None:
    layers = {layer.name: layer for layer in describe_host()}
    assert list(layers) == [layer.name for layer in _ALL]
    assert all(layer.matters for layer in layers.values())
    assert layers["Linux"].present and layers["seccomp"].present
    assert layers["bubblewrap"].present is (shutil.which("bwrap") is not None)


@pytest.mark.parametrize(
    ("missing", "backend"),
    [
        ((), "namespaces"),
        (("bubblewrap", "Landlock"), "namespaces"),
        (("namespaces",), "bubblewrap"),
    ],
)
def test_the_strongest_back_end_is_chosen(missing: tuple[str, ...], backend: str) -> None:
    assert choose_backend(_without(*missing)) == backend


@pytest.mark.parametrize(
    "missing",
    [("seccomp",), ("namespaces", "bubblewrap"), ("namespaces", "Landlock"), ("namespaces", "seccomp")],
)
def test_too_little_is_refused_by_name(missing: tuple[str, ...]) -> None:
    with pytest.raises(SandboxUnavailable) as caught:
        choose_backend(_without(*missing))
    for name in missing:
        assert f"- {name}: why" in str(caught.value)
    assert "user namespaces" in str(caught.value)


def test_another_system_is_sent_to_a_container() -> None:
    with pytest.raises(SandboxUnavailable, match="Linux container"):
        choose_backend(_without("Linux", "namespaces", "bubblewrap", "seccomp", "Landlock"))


def test_no_sandbox_is_made_where_the_host_cannot_isolate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(client, "describe_host", lambda: _without("seccomp"))
    with pytest.raises(SandboxUnavailable):
        Sandbox(library=tmp_path)


@pytest.mark.parametrize("view", ["mnt", "net", "ipc", "uts", "cgroup"])
def test_the_sandbox_has_views_of_its_own_of_all_that_is_shared(view: str) -> None:
    program = f"""
import os, sys
sys.path.insert(0, sys.argv[1])
from grading.sandbox import namespaces
namespaces.enter_sandbox(os.open("/proc", os.O_PATH))
print(os.readlink("/proc/self/ns/{view}"))
"""
    command = [sys.executable, "-c", program, str(PROJECT)]
    inside = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    outside = str(Path(f"/proc/self/ns/{view}").readlink())
    assert inside.partition(":")[0] == outside.partition(":")[0]
    assert inside != outside
