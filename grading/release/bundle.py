"""Makes a chapter's bundle and writes it, as a folder and as a zip file of the same name.

The same sources give the same bytes. The zip file has the date of the newest of them.
"""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from pathlib import Path

import jinja2

from grading.exercises.registry import chapter as registered_chapter
from grading.judging.exercise import Chapter, Exercise
from grading.judging.expectations import frozen_path
from grading.languages import ENGLISH, catalogue_path, read_catalogue
from grading.lessons.lesson import Lesson
from grading.lessons.notebook import make_notebooks, notebook_text
from grading.lessons.translating import IN_ENGLISH, Translation
from grading.release.freezing import Progress, freeze, unseen
from grading.release.imports import Module
from grading.release.library import lesson_of, released_modules
from grading.release.publishing import MANIFEST, digest, publish, require_free
from grading.storage.files import read_text
from grading.storage.project import PROJECT

# The project's files that pip needs to install the bundle, copied unchanged.
_COPIED = ("LICENSE", "pyproject.toml", "requirements.lock")


def release(
    chapter: int,
    to: Path,
    executor: Executor,
    progress: Progress = unseen,
    root: Path = PROJECT,
    language: str = ENGLISH,
) -> None:
    """Write the bundle of a chapter to a folder, and beside it to a zip file.

    Args:
        chapter: the chapter's number.
        to: the bundle's folder. An older bundle in it is replaced, unless somebody has worked in it.
        executor: runs the chapter's checks: see `workers`.
        progress: called with the number of finished steps, and of all.
        root: the folder that contains `course`, `grading`, `locale` and `notebooks`.
        language: the code of the one that its notebook, README and checks are in.

    Raises:
        GradingError: there is no such chapter, something is in the way, or the disk is full. Then nothing changes.
    """
    require_free(to)
    contents = bundle_contents(chapter, executor, progress, root, language)
    publish(contents, pack(contents, lesson_of(chapter, root).slug, last_changed(contents, root)), to)


def last_changed(paths: Iterable[str], root: Path = PROJECT) -> float:
    """The modification time of the newest of a bundle's sources, in seconds since 1970."""
    return max((root / path).stat().st_mtime for path in paths if (root / path).is_file())


def bundle_contents(
    chapter: int, executor: Executor, progress: Progress = unseen, root: Path = PROJECT, language: str = ENGLISH
) -> dict[str, bytes]:
    """The bytes of all files of a bundle, by path with forward slashes."""
    registered = registered_chapter(chapter)
    files = written_files(chapter, root, language)
    files[frozen_path(registered).relative_to(PROJECT).as_posix()] = freeze(registered, executor, progress)
    files[MANIFEST] = manifest(chapter, files, language)
    return dict(sorted(files.items()))


def written_files(chapter: int, root: Path = PROJECT, language: str = ENGLISH) -> dict[str, bytes]:
    """The files of a bundle, except for the expected answers, which need the checks to run."""
    lesson = lesson_of(chapter, root)
    student, _ = make_notebooks(lesson, root, language)
    modules = released_modules(chapter, root).values()
    files = {module.path.as_posix(): module.source.encode() for module in modules}
    files |= _templates(modules, root) | _data(modules, root)
    files |= {name: read_text(root / name).encode() for name in _COPIED}
    files[f"{lesson.slug}.ipynb"] = notebook_text(student).encode()
    files |= _recipes(lesson, root)
    files["README.md"] = _readme(lesson, Translation(language, lesson.slug, root=root)).encode()
    return files | _catalogues(registered_chapter(chapter), language, root)


def _readme(lesson: Lesson, translation: Translation) -> str:
    readme = template("README.md.jinja", translation)
    title = translation.text(lesson.title)
    uses_gpu = any(cell.needs_gpu for cell in lesson.cells)
    return readme.render(lesson=lesson, title=title, exercises=_in_order(lesson), uses_gpu=uses_gpu)


def _catalogues(chapter: Chapter, language: str, root: Path) -> dict[str, bytes]:
    """What checks say in another language than English, compiled. The lesson's own texts are in its notebook."""
    if language == ENGLISH:
        return {}
    chapter.load_mistakes()
    exercises = chapter.exercises.values()
    titles = {check.title for exercise in exercises for check in exercise.checks}
    said = {text for exercise in exercises for one in exercise.mistakes for text in (one.sentence, one.hint)}
    files = {}
    for name, texts in (("messages", None), (chapter.slug, {chapter.title} | titles | said)):
        path = catalogue_path(language, name, root)
        if path.is_file():
            catalogue = read_catalogue(path)
            catalogue[:] = [entry for entry in catalogue if texts is None or entry.msgid in texts]
            files[path.with_suffix(".mo").relative_to(root).as_posix()] = catalogue.to_binary()
    return files


def _in_order(lesson: Lesson) -> list[Exercise]:
    """The chapter's exercises in the order of its notebook."""
    registered = registered_chapter(lesson.chapter).exercises
    return [registered[task.name] for task in lesson.tasks]


def _templates(modules: Iterable[Module], root: Path) -> dict[str, bytes]:
    """The templates and tables beside modules that the modules, or other templates, name."""
    modules = list(modules)
    folders = {root / module.path.parent for module in modules}
    available = {path for folder in folders for path in (*folder.glob("templates/*"), *folder.glob("*.toml"))}
    unread = [module.source for module in modules]
    templates: dict[str, bytes] = {}
    while unread:
        text = unread.pop()
        for path in sorted(available):
            if f'"{path.name}"' in text:
                available.remove(path)
                unread.append(read_text(path))
                templates[path.relative_to(root).as_posix()] = unread[-1].encode()
    return templates


def _data(modules: Iterable[Module], root: Path) -> dict[str, bytes]:
    """The packed files of `datasets` that modules name, and all files in folders that they name."""
    text = "".join(module.source for module in modules)
    available = (path for path in sorted((root / "datasets").glob("*")) if path.is_dir() or path.suffix == ".gz")
    named = [path for path in available if f'"{path.name}"' in text]
    files = [file for path in named for file in (sorted(path.iterdir()) if path.is_dir() else [path])]
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in files}


def _recipes(lesson: Lesson, root: Path) -> dict[str, bytes]:
    """The texts of `recipes` to which a lesson refers."""
    text = "".join(cell.source for cell in lesson.cells)
    available = {path.relative_to(root).as_posix(): path for path in sorted((root / "recipes").glob("*.md"))}
    return {name: read_text(path).encode() for name, path in available.items() if f"`{name}`" in text}


def manifest(chapter: int, files: Mapping[str, bytes], language: str) -> bytes:
    """The list of a bundle's files, by which a later release sees whether somebody has worked in it."""
    said = {} if language == ENGLISH else {"language": language}
    digests = {path: digest(files[path]) for path in sorted(files) if path != MANIFEST}
    return json.dumps({"chapter": chapter, **said, "files": digests}, indent=1).encode() + b"\n"


def template(name: str, translation: Translation = IN_ENGLISH) -> jinja2.Template:
    """A template of what is released. Its prose is translated before it is filled."""
    folder = Path(__file__).parent / "templates"
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["in_points"] = translation.points
    environment.globals["say"] = translation.say
    source = read_text(folder / name)
    return environment.from_string(translation.prose(source))


def pack(contents: dict[str, bytes], folder: str, changed: float) -> bytes:
    """A zip file of some files in a folder; the bytes do not depend on when it is made.

    Args:
        contents: the files, by path.
        folder: the folder's name; "" for none.
        changed: the date of all files, in seconds since 1970.
    """
    date = time.gmtime(changed)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in contents.items():
            entry = zipfile.ZipInfo(f"{folder}/{path}" if folder else path, date[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            mode = 0o755 if data.startswith(b"#!") else 0o644
            entry.external_attr = mode << 16  # readable when unpacked on Linux and macOS
            archive.writestr(entry, data)
    return buffer.getvalue()
