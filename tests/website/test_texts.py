"""The site builds without a warning, its texts load nothing from the network, and a link to a missing file is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from grading.errors import GradingError
from website import texts


def test_sphinx_reads_every_page_and_docstring_without_a_warning(site: Path) -> None:
    assert (site / "index.html").is_file()  # the build fails at a warning


@pytest.mark.parametrize("target", ["nowhere.md", "../outside.md", "docs"])
def test_a_link_to_a_missing_file_is_named(target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tmp_path / "project"
    (project / "docs").mkdir(parents=True)
    (project / "page.md").write_text(f"See [this](docs/there.md) and [that]({target}).")
    (project / "docs" / "there.md").write_text("There.")
    (tmp_path / "outside.md").write_text("Not of the project.")
    monkeypatch.setattr(texts, "PROJECT", project)
    monkeypatch.setattr(texts, "_PAGES", project)
    monkeypatch.setattr(texts, "_TEXTS", ())
    with pytest.raises(GradingError, match=f"page.md links to {target}, which is no file"):
        texts.text_pages("", {})
    (project / "page.md").write_text("See [this](docs/there.md#part).")
    assert texts.text_pages("", {})["docs/there.md"] == b"There."
