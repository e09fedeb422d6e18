"""The languages that the course speaks, and the catalogues that hold its words in them.

Code and texts are English. `locale/ru/LC_MESSAGES/NAME.po` holds translations, with the English text as key: one
catalogue for each lesson, `messages` for what the grader says, `website` for the site. A bundle has them compiled,
as `NAME.mo`, so that students need nothing but Python to read them.
"""

from __future__ import annotations

import gettext
import io
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from grading.errors import GradingError
from grading.storage.files import read_text
from grading.storage.project import PROJECT

if TYPE_CHECKING:
    import polib

ENGLISH = "en"
# Each language's name in itself, as a switch between languages shows it.
LANGUAGES = {ENGLISH: "English", "ru": "Русский", "zh_CN": "简体中文"}
# What people type, and what browsers and notebooks call a language.
_OTHER_NAMES = {"zh": "zh_CN", "zh-cn": "zh_CN", "zh-hans": "zh_CN"}

# A text whose quote does not close in its line.
_UNCLOSED = re.compile(r'^(?:#~ )?(?:msg[\w\[\]]+ )?"(?:[^"\\\n]|\\.)*$', re.MULTILINE)


def known_language(name: object) -> str | None:
    """The code of a language, such as "zh_CN" for "zh" or "zh-CN"; None if the course does not speak it.

    Args:
        name: any value; one from a student's notebook may be anything.
    """
    if not isinstance(name, str):
        return None
    codes = {code.lower(): code for code in LANGUAGES} | _OTHER_NAMES
    return codes.get(name.lower())


def require_language(name: str) -> str:
    """The code of a language that a person has named.

    Raises:
        GradingError: the course does not speak it.
    """
    code = known_language(name)
    if code is None:
        raise GradingError(f"there is no language {name!r}; the course speaks {', '.join(LANGUAGES)}")
    return code


def html_language(language: str) -> str:
    """What HTML's attribute `lang` calls a language: "zh-CN" for "zh_CN"."""
    return language.replace("_", "-")


def catalogue_path(language: str, catalogue: str, root: Path = PROJECT) -> Path:
    """The file of a catalogue; in a bundle, it ends in `.mo`."""
    return root / "locale" / language / "LC_MESSAGES" / f"{catalogue}.po"


@cache
def translation(language: str, catalogue: str = "messages", root: Path = PROJECT) -> gettext.NullTranslations:
    """A catalogue, ready for look-ups: `gettext(text)` and `ngettext(one, many, n)`.

    What is not translated, or whose English has changed since, comes back in English.

    Args:
        language: the code of a language. English, and a catalogue that does not exist, translate nothing.
        catalogue: "messages", "website", or a lesson's name, such as "03_attention".
        root: the folder that contains `locale`.

    Raises:
        GradingError: the catalogue is damaged.
    """
    path = catalogue_path(language, catalogue, root)
    compiled = path.with_suffix(".mo")
    if language == ENGLISH or not (path.is_file() or compiled.is_file()):
        return gettext.NullTranslations()
    data = compiled.read_bytes() if compiled.is_file() else read_catalogue(path).to_binary()
    return gettext.GNUTranslations(io.BytesIO(data))


def read_catalogue(path: Path) -> polib.POFile:
    """Read a PO file.

    Raises:
        GradingError: it cannot be read; the message names the line.
    """
    import polib

    if unclosed := _UNCLOSED.search(text := read_text(path)):
        line = text.count("\n", 0, unclosed.start()) + 1
        raise GradingError(f"{path}: Syntax error in po file (line {line}): a quote is missing at the line's end")
    try:
        return polib.pofile(str(path), encoding="utf-8", wrapwidth=0, check_for_duplicates=True)
    except (OSError, ValueError) as error:  # polib raises OSError where the syntax is wrong, too
        reason = str(error).replace(f" {path}", "")
        raise GradingError(f"{path}: {reason}; wanted a gettext catalogue in UTF-8, such as Poedit writes") from error
