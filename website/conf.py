"""The configuration of Sphinx, which `website.build` runs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from grading.languages import ENGLISH, LANGUAGES, html_language  # noqa: E402
from grading.lessons.translating import Translation  # noqa: E402
from grading.storage.project import version as project_version  # noqa: E402

version = release = project_version()
language = os.environ["SITE_LANGUAGE"]
_translation = Translation(language, "website")
project = _translation.say("BERT from nothing")

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "website.chinese",
    "website.docstrings",
    "website.lighter",
    "website.mathematics",
]

# Chapters: the outputs that the notebooks hold.
nb_execution_mode = "off"
nb_mime_priority_overrides = [("html", "text/html", 0)]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
suppress_warnings = ["myst.header"]  # a chapter's parts are separate sections; the tests check the headings

# Reference: docstrings, in which backticks are code.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # docstrings say more, such as shapes
autodoc_inherit_docstrings = False  # Keras documents its own methods
autodoc_class_signature = "separated"
napoleon_numpy_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
napoleon_custom_sections = ["What must hold", "Returns"]  # "Returns" is plain text, often about several results

# Pages.
smartquotes_action = "qe"  # no dashes: two hyphens begin an option
html_theme = "furo"
html_title = project
html_static_path = [str(HERE / "static")]
html_extra_path = [os.environ["SITE_EXTRA"]]
templates_path = [str(HERE / "templates")]
html_sidebars = {
    "**": [
        *("sidebar/brand.html", "sidebar/search.html", "languages.html"),
        *("sidebar/scroll-start.html", "sidebar/navigation.html", "sidebar/scroll-end.html"),
    ]
}
html_context = {
    "language": html_language(language),
    "languages": [(code, html_language(code), name) for code, name in LANGUAGES.items()],
    "site_language": language,
    "switch_label": _translation.say("Language"),
    "pages_label": _translation.say("Pages"),
    "contents_label": _translation.say("On this page"),
    "folded_note": _translation.say("(folded: open it before you print)"),
}
_TOP = "../" if language == ENGLISH else "../../"
html_css_files = [f"{_TOP}katex/katex.min.css", "site.css"]
html_js_files = ["scrolling.js", ("search_without_answers.js", {"defer": "defer"})]
html_math_renderer = "katex"
html_copy_source = False  # the source of a page shows its answers
html_show_sourcelink = False
html_show_copyright = False
html_domain_indices = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
