"""The standard input is read line by line, and invalid text is reported in one line."""

from __future__ import annotations

import io

import pytest
from typer.testing import CliRunner

from course.cli import app
from course.commands.typed_lines import typed_lines
from course.errors import CourseError


def test_lines_have_no_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("wärme\r\n\nlast".encode()), "utf-8", newline=""))
    assert list(typed_lines()) == ["wärme", "", "last"]


@pytest.mark.parametrize("command", [["tag"], ["predict", "nowhere.keras"]], ids=lambda command: command[0])
def test_another_encoding_is_named(command: list[str]) -> None:
    done = CliRunner().invoke(app, command, input="naïve\n".encode("latin-1"))
    assert isinstance(done.exception, CourseError)
    assert "not text in utf-8" in str(done.exception)
