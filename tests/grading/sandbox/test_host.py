"""The sandbox says what a host offers, and fails closed where that is too little."""

from __future__ import annotations

import os
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

_FILES = "Landlock of Linux 6.2"
_ALL = [Layer(name, True, "why") for name in ("Linux", "namespaces", "bubblewrap", "seccomp", "Landlock", _FILES)]


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


def test_one_submission_in_a_container_does_without_namespaces() -> None:
    unprivileged = ("namespaces", "bubblewrap")
    assert choose_backend(_without(*unprivileged), alone=True) == "landlock"
    assert choose_backend(_ALL, alone=True) == "namespaces"
    with pytest.raises(SandboxUnavailable, match="namespaces: why"):
        choose_backend(_without(*unprivileged))  # a class: one submission could fill the disk for all others
    for missing in (_FILES, "seccomp"):
        with pytest.raises(SandboxUnavailable, match=f"{missing}: why"):
            choose_backend(_without(*unprivileged, missing), alone=True)


@pytest.mark.skipif(not shutil.which("setpriv") or os.geteuid() != 0, reason="only root can make such a container")
def test_a_container_without_privileges_is_known_by_trial() -> None:
    program = (
        "from grading.sandbox.host import choose_backend, describe_host; layers = describe_host();"
        "print([layer.name for layer in layers if layer.present], choose_backend(layers, alone=True))"
    )
    command = [sys.executable, "-m", "tests.grading.sandbox.plain_container", sys.executable, "-c", program]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=60, check=False)
    if _FILES not in {layer.name for layer in describe_host() if layer.present}:
        pytest.skip("this kernel is too old for it")
    assert done.stdout.strip() == f"['Linux', 'seccomp', 'Landlock', '{_FILES}'] landlock", done.stderr


def test_another_system_is_sent_to_a_container() -> None:
    with pytest.raises(SandboxUnavailable, match="Linux container"):
        choose_backend(_without("Linux", "namespaces", "bubblewrap", "seccomp", "Landlock", _FILES))


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
