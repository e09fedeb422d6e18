"""Which installed packages a submission sees: what TensorFlow, Keras and the plotting libraries need, and no more."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

# So keras-hub, transformers, other frameworks, this project and its answers are not there.
SHOWN = ("tensorflow", "keras", "numpy", "pandas", "scipy")


def top_level_entries() -> dict[str, Path]:
    """Files and folders of site-packages that make up the distributions of `SHOWN` and all that they require.

    Returns:
        The name of each entry, such as `keras` or `six.py`, and where it is.

    Raises:
        PackageNotFoundError: one of them is not installed.
    """
    entries: dict[str, Path] = {}
    for distribution in _with_requirements():
        for file in distribution.files or ():
            first = file.parts[0]
            if first not in ("..", "__pycache__"):
                entries[first] = Path(str(distribution.locate_file(first)))
    return {name: path for name, path in sorted(entries.items()) if path.exists()}


def _with_requirements() -> list[metadata.Distribution]:
    found = {canonicalize_name(name): metadata.distribution(name) for name in SHOWN}
    waiting = [(distribution, "") for distribution in found.values()]
    seen = {(name, "") for name in found}
    while waiting:
        distribution, extra = waiting.pop()
        for text in distribution.requires or ():
            requirement = Requirement(text)
            name = canonicalize_name(requirement.name)
            if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
                continue
            for wanted in {(name, ""), *((name, option) for option in requirement.extras)} - seen:
                seen.add(wanted)
                try:
                    found[name] = metadata.distribution(name)
                except metadata.PackageNotFoundError:
                    continue  # it was installed without what this requirement is for
                waiting.append((found[name], wanted[1]))
    return list(found.values())
