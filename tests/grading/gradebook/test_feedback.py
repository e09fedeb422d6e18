"""Feedback pages go back under the names by which each system finds the student, or by e-mail, once."""

from __future__ import annotations

import socketserver
import threading
import zipfile
from collections.abc import Iterator
from email import message_from_bytes, policy
from itertools import takewhile
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from benchmarks.full_marks import FullMarks
from benchmarks.made_class import LAYER, made_record, write_records
from benchmarks.submissions.layouts import LAYOUTS
from grading.classroom import run
from grading.classroom.results import Results
from grading.classroom.run import grade_class
from grading.cli import app
from grading.exercises.registry import chapter
from grading.gradebook import marks
from grading.gradebook.returning import moodle_name, write_folder
from grading.submission import Person


def feedback(results: Path, *arguments: object, answer: str = "") -> Result:
    return CliRunner().invoke(app, ["feedback", str(results), *map(str, arguments)], input=answer)


def canvas_numbers(name: str) -> list[str]:
    """The numbers of the student and of the file, as Canvas reads them: the first two parts that are numbers alone."""
    return [part for part in name.split("_") if part.isdecimal()][:2]


def moodle_participant(name: str) -> tuple[str, str]:
    """The participant and the file, as Moodle reads them: the second of at most five parts, and the last."""
    _, participant, kind, plugin, rest = name.split("_", 4)
    assert (kind, plugin) == ("assignsubmission", "file")
    return participant, rest


@pytest.fixture
def graded(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The results of a download, as it is graded."""
    monkeypatch.setattr(run, "Grader", FullMarks)
    grade_class(LAYOUTS[request.param].write_folder(tmp_path), Results(tmp_path / "results", 3))
    return tmp_path / "results"


@pytest.mark.parametrize(
    ("graded", "system", "names"),
    [
        ("Canvas", "canvas", ["oneilbob_LATE_1001_9001_feedback.html", "smithalice_1000_9000_feedback.html"]),
        (
            "Canvas, several attempts",
            "canvas",
            ["oneilbob_1001_9001_feedback.html", "smithalice_LATE_1000_10003_feedback.html"],
        ),
        (
            "Moodle",
            "moodle",
            [
                "Alice Smith_12345_assignsubmission_file_feedback.html",
                "Bob O'Neil_12346_assignsubmission_file_feedback.html",
                "Zoë Weiß_12347_assignsubmission_file_feedback.html",
            ],
        ),
        (
            "Brightspace",
            "brightspace",
            [
                "12345-67890 - Alice Smith - Nov 1, 2026 1200 PM/feedback.html",
                "12346-67890 - Bob O'Neil - Oct 31, 2026 1159 PM/feedback.html",
            ],
        ),
    ],
    indirect=["graded"],
)
def test_each_system_gets_an_archive_whose_names_match_its_students(
    graded: Path, system: str, names: list[str], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    to = tmp_path / "feedback.zip"
    done = feedback(graded, "--for", system, "--to", to)
    assert done.exit_code == 0, done.output
    with zipfile.ZipFile(to) as archive:
        assert archive.namelist() == names
        assert all(b"<h1>Chapter 3: " in archive.read(name) for name in names)
    if system == "canvas":
        assert all(len(canvas_numbers(name)) == 2 for name in names)
    left_out = {"Canvas": "weißzoë"}.get(request.node.callspec.params["graded"], "")
    assert left_out in done.output and ("left out" in done.output) == bool(left_out)
    if system == "moodle":
        assert [moodle_participant(name) for name in names] == [
            (number, "feedback.html") for number in ("12345", "12346", "12347")
        ]
    before = to.read_bytes()
    feedback(graded, "--for", system, "--to", to)
    assert to.read_bytes() == before


def test_an_underscore_in_a_name_does_not_move_moodles_number() -> None:
    record = made_record("a_7_b_12", person=Person("moodle", "a_7_b/c", "12"))
    (mark,) = marks(chapter(3), [record])
    assert moodle_participant(moodle_name(mark)) == ("12", "feedback.html")


def test_names_of_files_are_the_students_in_their_own_alphabets(tmp_path: Path) -> None:
    names = ["../../etc/passwd", "Jürgen Groß", "王伟", "con|<b>", "CON-<B>", "...", "n" * 300, "王" * 300, "a\nb"]
    class_ = marks(chapter(3), [made_record(name) for name in names])
    assert write_folder(tmp_path / "out", class_, lambda mark: mark.student) == len(names)
    files = {path.stem: path.read_text() for path in (tmp_path / "out").iterdir()}
    assert sorted(files.values()) == sorted(names) and {"Jürgen Groß", "王伟"} <= set(files)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--for", "canvas", "--to", "x.zip"), "no result comes from a download of canvas"),
        (("--for", "folder", "--to", "x", "--smtp", "a:25"), "are for --for email"),
        (("--for", "email", "--to", "x"), "needs a sender"),
        (("--for", "email", "--to", "x", "--sender", "me\nBcc: all@x.org"), "is not an e-mail address"),
        (("--for", "email", "--to", "x", "--sender", "a@b.org", "--smtp", "mail"), "write HOST:PORT"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    arguments: tuple[str, ...], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_records(tmp_path / "results", [made_record("ada")])
    assert complaint in str(feedback(tmp_path / "results", *arguments).exception)
    assert [path.name for path in tmp_path.iterdir()] == ["results"]


class MailHandler(socketserver.StreamRequestHandler):
    """Speaks as much SMTP as a client needs."""

    server: MailServer

    def handle(self) -> None:
        self.wfile.write(b"220 ready\r\n")
        to = ""
        for line in self.rfile:
            word = line[:4].upper()
            answer = b"221 bye" if word == b"QUIT" else b"250 ok"
            if word == b"RCPT":
                to = line.decode().partition("<")[2].partition(">")[0]
                answer = b"550 nobody of this name" if to in self.server.refuses else answer
            elif word == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                body = [line.removeprefix(b".") for line in takewhile(b".\r\n".__ne__, self.rfile)]
                if len(self.server.received) == self.server.hangs_up_after:
                    return
                self.server.received.append((to, b"".join(body)))
            self.wfile.write(answer + b"\r\n")
            if word == b"QUIT":
                return


class MailServer(socketserver.ThreadingTCPServer):
    """A mail server that refuses what it is told to refuse."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), MailHandler)
        self.received: list[tuple[str, bytes]] = []
        self.refuses: set[str] = set()
        self.hangs_up_after = 1000
        self.port: int = self.server_address[1]


@pytest.fixture
def server() -> Iterator[MailServer]:
    with MailServer() as server:
        threading.Thread(target=server.serve_forever).start()
        yield server
        server.shutdown()


@pytest.fixture
def mailed(tmp_path: Path) -> Path:
    people = {name: Person("gradescope", name.title(), name, f"{name}@school.edu") for name in ("ada", "bob", "zoë")}
    people["zoë"] = Person("gradescope", "Zoë", "zoë", "zoë@school.edu, all@school.edu")
    class_ = [made_record(name, {LAYER: 3}, person=person) for name, person in people.items()]
    write_records(tmp_path / "results", class_)
    return tmp_path / "results"


def test_mail_is_sent_once_after_a_confirmation_that_says_how_many(
    mailed: Path, server: MailServer, tmp_path: Path
) -> None:
    to = tmp_path / "mail"
    command = ("--for", "email", "--to", to, "--sender", "me@school.edu", "--smtp", f"127.0.0.1:{server.port}")
    declined = feedback(mailed, *command, answer="\n")
    assert declined.exit_code == 1 and "Send 2 messages from me@school.edu" in declined.output
    assert not server.received and len(list(to.glob("*.eml"))) == 2
    server.refuses = {"bob@school.edu"}
    done = feedback(mailed, *command, answer="y\n")
    assert done.exit_code == 1 and "Refused" in done.output and "bob@school.edu" in done.output
    assert "no message is written for: Zoë" in " ".join(done.output.split())
    server.refuses = set()
    again = feedback(mailed, *command, answer="y\n")
    assert again.exit_code == 0 and "Send 1 messages" in again.output
    assert [address for address, _ in server.received] == ["ada@school.edu", "bob@school.edu"]
    assert "Send" not in feedback(mailed, *command).output  # nothing is left
    message = message_from_bytes(server.received[0][1], policy=policy.SMTP)
    assert (message["From"], message["To"]) == ("me@school.edu", "ada@school.edu")
    assert message["Subject"] == "Feedback on chapter 3, Attention" and message["Date"]
    body = message.get_body(("plain",))
    assert body is not None and "MultiHeadAttention: " in body.get_content()
    (page,) = message.iter_attachments()
    assert page.get_filename() == "feedback.html" and "<h1>Chapter 3: Ada</h1>" in page.get_content()


@pytest.mark.parametrize("form", ["folder", "email"])
def test_pages_show_the_points_that_count_and_why_others_do_not(form: str, mailed: Path, tmp_path: Path) -> None:
    (tmp_path / "times.csv").write_text("student,due,submitted\nada,2026-03-01T23:59,2026-03-02T12:00\n")
    late = ("--times", tmp_path / "times.csv", "--late-percent", 10)
    command = ("--for", form, "--to", tmp_path / "to", "--sender", "me@school.edu")[: None if form == "email" else 4]
    assert feedback(mailed, *command, *late, "--drop", LAYER).exit_code == 0
    (path,) = (tmp_path / "to").glob("Ada*")
    page = path.read_text()
    if form == "email":
        (attached,) = message_from_bytes(path.read_bytes(), policy=policy.SMTP).iter_attachments()
        page = attached.get_content()
    assert "<strong>11.7 of 13 points.</strong>" in page
    assert "Handed in 1 day late, 0 of them free: 1.3 points off." in page
    assert page.count("This exercise does not count.") == 1


def test_an_older_message_that_was_not_sent_is_replaced(mailed: Path, tmp_path: Path) -> None:
    to = tmp_path / "mail"

    def write(lost: float, number: int = 3) -> list[str]:
        person = Person("gradescope", "Ada", "ada", "ada@school.edu")
        write_records(mailed, [made_record("ada", {LAYER: lost} if number == 3 else {}, person=person, number=number)])
        feedback(mailed, "--for", "email", "--to", to, "--sender", "me@school.edu", "--chapter", number)
        return sorted(path.name for path in to.glob("Ada-*.eml"))

    (first,) = write(3)
    (second,) = write(2)  # graded again
    assert second != first
    assert len(write(0, number=1)) == 2  # another chapter's message stays
    (to / "sent").mkdir()
    (to / second).replace(to / "sent" / second)
    assert first in write(3)
    assert {first, second}.isdisjoint(write(2))  # as it was sent


def test_a_connection_that_ends_says_how_many_were_sent(mailed: Path, server: MailServer, tmp_path: Path) -> None:
    command = ("--for", "email", "--to", tmp_path / "mail", "--sender", "me@school.edu")
    smtp = ("--smtp", f"127.0.0.1:{server.port}")
    server.hangs_up_after = 1
    assert "1 of 2 messages were sent" in str(feedback(mailed, *command, *smtp, answer="y\n").exception)
    server.hangs_up_after = 1000
    assert feedback(mailed, *command, *smtp, answer="y\n").exit_code == 0
    assert [address for address, _ in server.received] == ["ada@school.edu", "bob@school.edu"]


def test_no_password_goes_to_a_server_that_does_not_encrypt(mailed: Path, server: MailServer, tmp_path: Path) -> None:
    command = ("--for", "email", "--to", tmp_path / "mail", "--sender", "me@school.edu", "--smtp-user", "me")
    done = feedback(mailed, *command, "--smtp", f"127.0.0.1:{server.port}", answer="y\nsecret\n")
    assert "no password is sent" in str(done.exception) and "secret" not in done.output and not server.received


def test_a_server_that_is_not_there_is_named(mailed: Path, tmp_path: Path) -> None:
    command = ("--for", "email", "--to", tmp_path / "mail", "--sender", "me@school.edu", "--smtp", "127.0.0.1:1")
    assert "127.0.0.1:1: " in str(feedback(mailed, *command, answer="y\n").exception)
