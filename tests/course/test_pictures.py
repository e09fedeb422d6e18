"""The lessons' pictures are drawn as their files show them, say in words what is to be seen, and can be read."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image

from course.pictures import DRAWINGS
from course.pictures.storing import store

FOLDER = Path(__file__).parents[2] / "notebooks" / "source" / "pictures"
every_picture = pytest.mark.parametrize("name", DRAWINGS)


def gray(path: Path) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image.convert("L"), float)


@every_picture
def test_the_stored_file_shows_what_is_drawn(name: str, tmp_path: Path) -> None:
    store(DRAWINGS[name](), tmp_path / f"{name}.png")
    for path in (tmp_path / f"{name}.txt", FOLDER / f"{name}.txt"):
        assert path.read_text(encoding="utf-8") == DRAWINGS[name]().alt + "\n"
    drawn, stored = gray(tmp_path / f"{name}.png"), gray(FOLDER / f"{name}.png")
    assert drawn.shape == stored.shape
    assert np.abs(drawn - stored).mean() < 1  # of 255: another FreeType smooths letters a little differently


@every_picture
def test_a_picture_gives_the_same_bytes_twice(name: str, tmp_path: Path) -> None:
    paths = [tmp_path / f"{turn}.png" for turn in "ab"]
    for path in paths:
        store(DRAWINGS[name](), path)
    assert paths[0].read_bytes() == paths[1].read_bytes()


@every_picture
def test_a_picture_is_small(name: str) -> None:
    path = FOLDER / f"{name}.png"
    assert path.stat().st_size < 25_000
    assert gray(path).shape[1] <= 1050  # 700 pixels on a page


@every_picture
def test_every_word_in_the_picture_is_in_its_text(name: str) -> None:
    picture = DRAWINGS[name]()
    said = picture.alt.lower()
    for text in (text for axes in picture.figure.axes for text in axes.texts):
        assert all(word in said for word in re.findall(r"[a-z]{4,}", text.get_text().lower())), text.get_text()


@every_picture
def test_texts_can_be_read(name: str) -> None:
    figure = DRAWINGS[name]().figure
    FigureCanvasAgg(figure).draw()
    texts = [text for axes in figure.axes for text in axes.texts if text.get_text()]
    places = [text.get_window_extent() for text in texts]
    assert min(text.get_fontsize() for text in texts) >= 9
    assert not any(first.overlaps(second) for first, second in itertools.combinations(places, 2))
    width, height = figure.get_size_inches() * figure.dpi
    assert min(min(place.x0, place.y0) for place in places) >= 0
    assert max(place.x1 for place in places) <= width
    assert max(place.y1 for place in places) <= height
