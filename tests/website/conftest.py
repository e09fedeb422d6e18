"""The site, built once for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.website.pages import Page, read_pages
from website.build import build

REPOSITORY = "example/course"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a newly built site."""
    return build(tmp_path_factory.mktemp("website") / "site", REPOSITORY).parent


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[str, Page]:
    """The pages, by their paths in the site."""
    return read_pages(site)
