"""A lesson in another language says what its catalogue says, marks what it lacks, and changes no code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import nbformat
import polib
import pytest
from nbformat import NotebookNode
from typer.testing import CliRunner

from grading.cli import app
from grading.errors import GradingError
from grading.languages import LANGUAGES, catalogue_path, html_language, known_language, read_catalogue, translation
from grading.lessons.blocks import Block, docstring_pieces, joined, markdown_pieces
from grading.lessons.build import build_in, solved_path
from grading.lessons.catalogue import Text, updated
from grading.lessons.figures import parsed, words_in_figures
from grading.lessons.glossary import missing_terms, read_glossary
from grading.lessons.lesson import Lesson, find_lessons
from grading.lessons.library import Function, docstrings
from grading.lessons.notebook import make_notebooks
from grading.lessons.placeholders import damages
from grading.lessons.translating import MARK, Translation
from grading.lessons.translations import all_catalogues, texts_of, update
from grading.storage.files import read_text, write_file
from grading.storage.project import PROJECT
from tests.grading.lessons.catalogues import marked, project_without_catalogues, translate

LESSONS = find_lessons(PROJECT / "notebooks" / "source")
ATTENTION = next(lesson for lesson in LESSONS if lesson.chapter == 3)
by_slug = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
TITLE = "Queries, keys and values"
WORDS = "Who looks at whom"  # in a figure


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return project_without_catalogues(tmp_path)


def plain(source: str) -> list[str]:
    return re.sub(r"[«»]", "", source).split()


# What is extracted


def test_the_catalogues_fit_the_texts_and_lose_nothing() -> None:
    reports = [update(path, write=False) for path in all_catalogues()]
    assert len(reports) == 2 * 17
    assert [(report.path.name, str(report.changes)) for report in reports if report.is_stale] == []
    assert [problem for report in reports for problem in report.problems] == []


@by_slug
def test_what_is_not_extracted_needs_no_translation(lesson: Lesson) -> None:
    pieces = [piece for cell in lesson.cells if not cell.is_code for piece in markdown_pieces(cell.source)]
    extracted = {text.english for text in texts_of(lesson.slug)}
    assert {piece.text for piece in pieces if isinstance(piece, Block)} <= extracted
    assert "".join(piece.source if isinstance(piece, Block) else piece for piece in pieces)
    left = [piece for piece in pieces if isinstance(piece, str) and not piece.startswith(("???", "![", "    ", "$$"))]
    words = re.findall(r"[a-z]{2,}", " ".join(re.sub(r"`[^`]*`|\$[^$]*\$|\([\w, ]*\)", "", piece) for piece in left))
    assert words == []


@by_slug
def test_pieces_together_are_the_source(lesson: Lesson) -> None:
    for cell in lesson.cells:
        assert joined(markdown_pieces(cell.source), lambda block: block.source) == cell.source
    code = read_text(PROJECT.joinpath(*lesson.module.split(".")).with_suffix(".py"))
    assert docstrings(code)
    for place in docstrings(code):
        assert joined(docstring_pieces(code[place]), lambda block: block.source) == code[place]


def test_blocks_of_a_lesson() -> None:
    source = (
        "## A title\n\nA paragraph of\ntwo lines.\n\n| name | $x$ |\n|---|---|\n| `code` | of a cell |\n\n1. first\n"
        "   goes on\n2. second\n\n$$\na = \\text{word}\n$$\n\n??? answer 2\nIn a fold.\n???\n\n    code of a shell\n"
    )
    found = [piece.text for piece in markdown_pieces(source) if isinstance(piece, Block)]
    assert found == [
        *("A title", "A paragraph of two lines.", "name", "of a cell", "first goes on", "second", "In a fold."),
    ]


def test_blocks_of_a_docstring() -> None:
    source = (
        "Does it.\n\n    Args:\n        x: (batch, length).\n        y: which one, of\n            two.\n\n"
        "    Returns:\n        a: one, and\n        b: another.\n\n"
        "    Example:\n        Look here:\n\n        >>> f(x)\n        more words\n    "
    )
    found = [piece.text for piece in docstring_pieces(source) if isinstance(piece, Block)]
    assert found == [
        *("Does it.", "Args", "which one, of two.", "Returns", "one, and", "another.", "Example", "Look here:"),
    ]


FIGURE = """\
axes.set(xlabel="α", ylabel='how "often"', title=f"of {count} words")  # title="not code"
axes.set_ylabel("from fast to slow", fontsize=9)
plot_curves({"one run": losses}, "by place", x_label="of" " two", title=title, y_label="$p$")
print("a sentence", legend="a word", label="")
"""


def test_words_in_figures_are_whole_literals_with_words() -> None:
    found = [words for _, words in words_in_figures(parsed(FIGURE))]
    assert found == ['how "often"', "from fast to slow", "of two"]
    assert words_in_figures(parsed('%matplotlib inline\naxes.set(title="Words")')) == []
    extracted = [text.english for text in texts_of(ATTENTION.slug) if text.about == "words in a figure"]
    assert extracted[0] == WORDS and "Three heads, not yet trained" in extracted


@by_slug
def test_no_lesson_reads_the_words_of_a_figure_back(lesson: Lesson) -> None:
    code = "\n".join(cell.source for cell in lesson.cells if cell.is_code)
    assert re.findall(r"\bget_\w*(?:label|title|text|legend)\w*", code) == []


# What a change of the English does


def entry_of(catalogue: polib.POFile, english: str) -> polib.POEntry:
    (entry,) = (one for one in catalogue if one.msgid == english)
    return entry


def test_a_changed_text_keeps_its_translation_as_fuzzy() -> None:
    old, _ = updated(polib.POFile(), [Text("The mask hides padding.", "paragraph"), Text("Gone.", "paragraph")], "ru")
    for entry in old:
        entry.msgstr = marked(entry.msgid)
    texts = [Text("The mask hides all padding.", "paragraph"), Text("Something quite new", "heading 2")]
    new, changes = updated(old, texts, "ru")
    assert str(changes) == "1 new, 1 changed, 1 gone"
    changed = entry_of(new, "The mask hides all padding.")
    assert (changed.fuzzy, changed.previous_msgid) == (True, "The mask hides padding.")
    assert changed.msgstr == "«The mask hides padding.»"
    assert entry_of(new, "Gone.").obsolete
    again, changes = updated(new, texts, "ru")
    assert (str(again), str(changes)) == (str(new), "0 new, 0 changed, 0 gone")
    restored, changes = updated(new, [*texts, Text("Gone.", "paragraph")], "ru")
    assert entry_of(restored, "Gone.").msgstr == "«Gone.»" and not entry_of(restored, "Gone.").obsolete


def test_a_moved_text_keeps_its_translation() -> None:
    one, two = Text("The first one.", "paragraph"), Text("Number two of them.", "paragraph")
    old, _ = updated(polib.POFile(), [one, two], "ru")
    for entry in old:
        entry.msgstr = marked(entry.msgid)
    new, changes = updated(old, [two, one], "ru")
    assert [entry.msgid for entry in new] == [two.english, one.english]
    assert all(entry.translated() for entry in new) and str(changes) == "0 new, 0 changed, 0 gone"


# What is shown


@by_slug
def test_a_translated_lesson_differs_in_its_prose_alone(lesson: Lesson, root: Path) -> None:
    for name in (lesson.slug, "messages"):
        translate(root, name, marked)
    for english, other in zip(make_notebooks(lesson, root), make_notebooks(lesson, root, "ru"), strict=True):
        assert other.metadata.course == {"chapter": lesson.chapter, "language": "ru"}
        assert [cell.id for cell in other.cells] == [cell.id for cell in english.cells]
        for one, cell in zip(english.cells, other.cells, strict=True):
            assert plain(cell.source) == plain(one.source), cell.id
            if cell.cell_type == "code":
                assert code_of(re.sub("[«»]", "", cell.source)) == code_of(one.source), cell.id
        assert MARK not in nbformat.writes(other)
        assert sum("«" in cell.source for cell in other.cells) > len(other.cells) / 3


def code_of(source: str) -> str:
    """A cell's code without its docstrings."""
    tree = ast.parse(re.sub(r"^[%!].*$", "", source, flags=re.MULTILINE))
    for node in ast.walk(tree):
        if isinstance(node, Function | ast.ClassDef) and ast.get_docstring(node):
            node.body = node.body[1:]
    return ast.unparse(tree)


def first_text(notebook: NotebookNode) -> str:
    return str(notebook.cells[0].source)


def shown_for(notebook: NotebookNode, words: str) -> str:
    """The line of a notebook's text that has these words."""
    lines = [line for cell in notebook.cells if cell.cell_type == "markdown" for line in cell.source.split("\n")]
    return next(line for line in lines if words in line)


def test_what_is_not_translated_is_english_with_a_mark(root: Path) -> None:
    translate(root, ATTENTION.slug, lambda text: marked(text) if text == TITLE else "")
    notebook, _ = make_notebooks(ATTENTION, root, "ru")
    assert shown_for(notebook, TITLE) == f"## «{TITLE}»"
    assert shown_for(notebook, "Think of a library").startswith("Think of a library.")
    assert shown_for(notebook, "twelve times in BERT").endswith(MARK)
    assert "texts" in first_text(notebook).splitlines()[-1]


def test_words_in_a_figure_are_replaced_and_nothing_else_of_the_code(root: Path) -> None:
    translate(root, ATTENTION.slug, lambda text: "Кто на кого смотрит" if text == WORDS else "")
    english, russian = (make_notebooks(ATTENTION, root, language)[0] for language in ("en", "ru"))
    changed = [
        (one.source, other.source)
        for one, other in zip(english.cells, russian.cells, strict=True)
        if one.cell_type == "code" and one.source != other.source and not is_exercise(one)
    ]
    assert changed == [(before, before.replace(f'"{WORDS}"', '"Кто на кого смотрит"')) for before, _ in changed]
    assert len(changed) == 1


def is_exercise(cell: NotebookNode) -> bool:
    return bool(cell.metadata.get("nbgrader", {}).get("solution"))


def test_a_figure_without_a_translation_is_english_without_a_mark(root: Path) -> None:
    translate(root, ATTENTION.slug, lambda text: "" if text == WORDS else marked(text))
    said = Translation("ru", ATTENTION.slug, root=root)
    source = f'plot_attention(weights, title="{WORDS}", x_label="Three heads, not yet trained")'
    assert said.figures(source) == source.replace("Three heads, not yet trained", "«Three heads, not yet trained»")
    assert said.missing == 0


@pytest.mark.parametrize(
    "translated",
    [
        'Кто на «кого» "смотрит"',
        "it's",
        r"C:\new\x \N \u",
        "две\nстроки\r",
        '"""; import os',
        "'''; import os",
        "{os}\0\f\u2028",
    ],
)
def test_a_translation_stays_a_literal(root: Path, translated: str) -> None:
    translate(root, ATTENTION.slug, lambda text: translated if text == WORDS else "")
    source = f"слово = 'ё'; f(слово, title='{WORDS}', x=1)  # {WORDS}\n"
    said = Translation("ru", ATTENTION.slug, root=root).figures(source)
    before, after = source.split(f"'{WORDS}'")
    assert said.startswith(before) and said.endswith(after)
    assert ast.literal_eval(said.removeprefix(before).removesuffix(after)) == translated
    assert ast.dump(ast.parse(said)) == ast.dump(ast.parse(f"{before}{translated!r}{after}"))


def test_a_literal_that_cannot_change_alone_is_refused(root: Path) -> None:
    translate(root, ATTENTION.slug, marked)
    with pytest.raises(GradingError, match=r"changes code.* in figures of the cell"):
        Translation("ru", ATTENTION.slug, root=root).figures(f"f(title=u'{WORDS}')\n")


def test_a_translation_of_words_that_have_changed_is_not_shown(root: Path) -> None:
    catalogue = translate(root, ATTENTION.slug, marked)
    entry_of(catalogue, TITLE).msgid = "Queries, values and keys"
    path = catalogue_path("ru", ATTENTION.slug, root)
    write_file(path, str(catalogue))
    report = update(path, root)
    assert (str(report.changes), report.fuzzy) == ("0 new, 1 changed, 0 gone", 1)
    notebook, _ = make_notebooks(ATTENTION, root, "ru")
    assert shown_for(notebook, TITLE) == f"## {TITLE} {MARK}"
    entry = entry_of(read_catalogue(path), TITLE)
    assert (entry.msgstr, entry.previous_msgid) == (f"«{TITLE}»", "Queries, values and keys")


def test_outputs_are_those_of_the_english_notebook(root: Path) -> None:
    translate(root, ATTENTION.slug, marked, "zh_CN")
    build_in("zh_CN", ATTENTION, root / "made", root)
    made, english = (nbformat.read(solved_path(ATTENTION, to), 4) for to in (root / "made", PROJECT / "notebooks"))
    assert [cell.get("outputs") for cell in made.cells] == [cell.get("outputs") for cell in english.cells]
    assert "«" in first_text(made)


def test_a_long_docstring_is_broken_into_lines(root: Path) -> None:
    translate(root, ATTENTION.slug, lambda text: "注意力权重的和为一，" * 12 if text.startswith("Gives every") else "")
    code = Translation("ru", ATTENTION.slug, root=root).code(
        'def f(x):\n    """Gives every query the mean of the values, weighted by how well the query fits their keys.\n'
        '    """\n    return x\n'
    )
    lines = code.splitlines()
    assert all(line.startswith("    ") for line in lines[1:]) and len(lines) > 4
    assert not any(line.lstrip().startswith("，") for line in lines)
    assert max(map(len, lines)) < 70


# What a translation must keep


@pytest.mark.parametrize(
    ("english", "translated", "damage"),
    [
        ("of $x^2$ and $y$", "из $x^2$ и $z$", "is missing $y$"),
        ("the `mask` hides", "маска скрывает", "is missing `mask`"),
        ("see [here](https://a.org/b)", "см. [тут](https://a.org/c)", "is missing https://a.org/b"),
        ("in <code>x</code>", "в x", "is missing <code>"),
        ("about {minutes} minutes", "около минут", "is missing {minutes}"),
        ("about {minutes} minutes", "около {minuten} минут", "is missing {minutes}"),
        ("of 12 heads", "голов", "is missing the number 12"),
        ("0.93 of them", "0,95 из них", "is missing the number 0.93"),
        ("one line", "две\nстроки", "has several lines"),
        ("**bold** words", "слова **жирные ** и", "Markdown does not read"),
        ("a text", "??? answer", "mark of an answer"),
        ("the token [MASK] stays", "токен остаётся", "is missing [MASK]"),
    ],
)
def test_a_lost_part_is_named(english: str, translated: str, damage: str) -> None:
    assert damage in "; ".join(damages(english, translated))


@pytest.mark.parametrize(
    ("english", "translated"),
    [
        ("0.93 of 10,000 words", "0,93 из 10\u00a0000 слов"),
        ("20,000 pairs", "20 000 пар"),
        ("twelve heads", "12 голов"),
        ("the `mask` and it", "`mask` и снова `mask`"),
        (r"$p = \text{how often}$", r"$p = \text{как часто}$"),
        ("**bold** words", "**жирные** слова"),
    ],
)
def test_what_languages_write_differently_is_no_loss(english: str, translated: str) -> None:
    assert damages(english, translated) == []


def test_a_cell_of_a_table_stays_one_cell() -> None:
    assert damages("a or b", "a | b", cell=True) and not damages("a or b", r"a \| b", cell=True)


GLOSSARY = """english,ru,ru forms
attention mask,маска внимания,маск
mask,маска,маск
seed,зерно,зерн|зёр
"""


@pytest.mark.parametrize(
    ("english", "translated", "missing"),
    [
        ("five Seeds", "пять зёрен", []),
        ("five seeds", "пять семян", ["seed"]),
        ("a seedling", "росток", []),
        ("the attention mask", "экран", ["attention mask"]),
        ("a mask and an attention mask", "экран", ["attention mask", "mask"]),
        ("in *The Attention Mask*", "в *The Attention Mask*", []),
    ],
)
def test_a_term_without_the_glossarys_word_is_named(
    tmp_path: Path, english: str, translated: str, missing: list[str]
) -> None:
    write_file(tmp_path / "locale" / "glossary.csv", GLOSSARY)
    said = list(missing_terms(english, translated, read_glossary(tmp_path, "ru")))
    assert len(said) == len(missing) and all(f'"{term}"' in one for term, one in zip(missing, said, strict=True))


def test_the_glossary_has_words_for_each_term_in_each_language() -> None:
    for language in (language for language in LANGUAGES if language != "en"):
        terms = read_glossary(PROJECT, language)
        assert len({term.english for term in terms}) == len(terms) > 140
        assert all(term.translated and all(term.forms) for term in terms)
        # Its own word would do, too.
        assert [list(missing_terms(term.english, term.translated, terms)) for term in terms] == [[]] * len(terms)


def test_the_command_fails_on_a_lost_part_and_on_a_stale_catalogue(root: Path) -> None:
    path = catalogue_path("ru", ATTENTION.slug, root)

    def run(*options: str) -> tuple[int, str]:
        result = CliRunner().invoke(app, ["translations", str(path), "--project", str(root), *options])
        return result.exit_code, result.output

    assert run("--check")[0] == 1 and not path.exists()
    assert run()[0] == 0 and run("--check")[0] == 0
    write_file(path, read_text(path).replace(f'"{TITLE}"\nmsgstr ""', f'"{TITLE}"\nmsgstr "Запросы и `ключи`"'))
    code, said = run("--check")
    assert code == 1 and TITLE in said and "`ключи`" in said and str(path) in said


def test_a_wrong_number_of_plural_forms_is_named(root: Path) -> None:
    catalogue = translate(root, "messages", marked)
    (counted,) = (entry for entry in catalogue if entry.msgid == "{earned} point")
    counted.msgstr_plural = {0: "{earned} балл", 1: "{earned} балла"}
    path = catalogue_path("ru", "messages", root)
    write_file(path, str(catalogue))
    assert [problem for problem in update(path, root, write=False).problems if "plural" in problem]


def test_a_translation_cannot_end_its_docstring(root: Path) -> None:
    translate(root, ATTENTION.slug, lambda text: 'Даёт"""; import os' if text.startswith("Gives every query") else "")
    with pytest.raises(GradingError, match="changes code"):
        make_notebooks(ATTENTION, root, "ru")


@pytest.mark.parametrize("damage", ['msgid "a"\nmsgstr "', 'msgid "a"\nmsgid "b"\n', "\ufffdno catalogue", b"\xff\xfe"])
def test_a_damaged_catalogue_is_named(root: Path, damage: str | bytes) -> None:
    path = catalogue_path("ru", ATTENTION.slug, root)
    write_file(path, damage)
    with pytest.raises(GradingError, match=re.escape(str(path))):
        make_notebooks(ATTENTION, root, "ru")


# Languages


def test_only_known_languages_are_known() -> None:
    assert [known_language(name) for name in ("ru", "zh", "zh-CN", "ZH_cn", "en")] == ["ru", *["zh_CN"] * 3, "en"]
    assert {known_language(name) for name in ("fr", "", "../ru", None, 3, ["ru"], {"a": 1})} == {None}
    assert html_language("zh_CN") == "zh-CN"


def test_an_unknown_language_is_refused_in_one_line() -> None:
    with pytest.raises(GradingError, match="there is no language 'fr'; the course speaks en, ru, zh_CN"):
        CliRunner().invoke(app, ["build", "--language", "fr"], catch_exceptions=False)


def test_a_language_without_a_catalogue_is_english(root: Path) -> None:
    assert translation("ru", "messages", root).gettext("Answer") == "Answer"
    assert list(LANGUAGES) == ["en", "ru", "zh_CN"]
