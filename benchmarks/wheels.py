"""python -m benchmarks.wheels [FOLDER]: collects what `python -m benchmarks gpu` needs beside JAX and PyTorch.

It collects wheels of the versions that are installed here, for Linux on x86-64, and this project's code as a zip file.
On the other machine, which needs no network:

    python -m pip install --no-index --no-deps wheels/*.whl
    python -m zipfile -e wheels/project.zip project && cd project && python -m benchmarks gpu
"""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Annotated

import typer
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from grading.storage.project import PROJECT

# The packages that the benchmark's commands import; their requirements are added. Matplotlib is left out because it is
# large, so the commands draw no curves.
NEEDED = (
    *("keras", "typer", "rich", "pandas", "pooch", "requests"),
    *("safetensors", "tokenizers", "sentencex", "huggingface-hub", "transformers"),
)
# Already installed on a machine with JAX and PyTorch.
THERE = {"jax", "torch"}
FOR_DOWNLOADS = {"hf-xet"}  # required, but used by nothing that runs without a network
CODE = ("course", "grading", "benchmarks", "datasets/sample.jsonl.gz", "pyproject.toml")


def main(
    folder: Annotated[Path, typer.Argument(help="The folder for the wheels.")] = Path("build/wheels"),
    python: Annotated[str, typer.Option(help="The Python version of the other machine.")] = "3.11",
) -> None:
    """Collects the wheels and the code, and prints their sizes."""
    names = sorted(required(NEEDED) - required(THERE) - FOR_DOWNLOADS)
    pinned = [f"{name}=={metadata.version(name)}" for name in names]
    platform = ["--platform", "manylinux_2_28_x86_64", "--platform", "manylinux2014_x86_64", "--python-version", python]
    download = ["pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", *platform, "--dest", str(folder)]
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.whl"):  # pip cannot install two versions of a package
        old.unlink()
    subprocess.run([sys.executable, "-m", *download, *pinned], check=True)
    archive = folder.resolve() / "project.zip"
    subprocess.run(["git", "archive", "--format", "zip", "--output", archive, "HEAD", *CODE], cwd=PROJECT, check=True)
    files = sorted(folder.iterdir(), key=lambda file: file.stat().st_size)
    for file in files:
        typer.echo(f"{file.stat().st_size / 1e6:7.1f} MB  {file.name}")
    total = sum(file.stat().st_size for file in files) / 1e6
    typer.echo(f"{total:7.1f} MB in all")


def required(roots: tuple[str, ...] | set[str]) -> set[str]:
    """These distributions and all their requirements on this machine, without extras."""
    names: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name in names:
            continue
        names.add(name)
        for line in metadata.requires(name) or ():
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                waiting.append(requirement.name)
    return names


if __name__ == "__main__":
    typer.run(main)
