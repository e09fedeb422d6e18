"""Pages of the site as a browser reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from xml.etree.ElementTree import Element

import html5lib


@dataclass(frozen=True)
class Page:
    """A page, and the errors in its markup."""

    path: Path
    root: Element
    errors: list[str]

    @cached_property
    def ids(self) -> set[str]:
        return {one.get("id", "") for one in self.root.iter()}

    def elements(self, *names: str) -> Iterator[Element]:
        """The elements with these names, in order."""
        return (one for one in self.root.iter() if one.tag in names)

    def attributes(self, name: str, *elements: str) -> list[str]:
        """The values of an attribute, for all of these elements that have it."""
        return [value for element in self.elements(*elements) if (value := element.get(name)) is not None]

    def text(self, folded: bool) -> str:
        """The words of the page, joined by single spaces; folded words only on request."""
        return " ".join("".join(_texts(self.root, folded)).split())


def _texts(element: Element, folded: bool) -> Iterator[str]:
    if element.tag in ("script", "style") or (element.tag == "details" and not folded):
        return
    yield element.text or ""
    for child in element:
        yield from _texts(child, folded)
        yield child.tail or ""


def read_pages(site: Path) -> dict[str, Page]:
    """All pages of a site, by their paths in it."""
    return {str(path.relative_to(site)): _read(path) for path in sorted(site.rglob("*.html"))}


def _read(path: Path) -> Page:
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    root = parser.parse(path.read_text(encoding="utf-8"))
    return Page(path, root, [f"{place}: {code} {details}" for place, code, details in parser.errors])
