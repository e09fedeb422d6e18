"""Feedback by e-mail: one message for each student as a file, and sending these files.

A sent message moves to the folder `sent`, so that a second run sends only what is new.
"""

from __future__ import annotations

import hashlib
import re
import smtplib
import ssl
from collections.abc import Iterable, Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import formatdate
from pathlib import Path

from grading.classroom.results import page_name
from grading.errors import GradingError
from grading.gradebook.plain_text import feedback_text
from grading.gradebook.policy import Mark
from grading.gradebook.returning import PAGE, Page
from grading.storage.files import write_file

SENT = "sent"
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*")
_SECONDS = 60


def write_messages(folder: Path, marks: Iterable[Mark], page: Page, sender: str, subject: str) -> list[Path]:
    """Write a message for each student who has an address, unless the same one has been sent.

    It replaces an older message to the student with the same subject that was not sent.

    Returns:
        The messages that are to be sent.

    Raises:
        GradingError: the sender is no address, or a file cannot be written.
    """
    if not _ADDRESS.fullmatch(sender):
        raise GradingError(f"{sender!r} is not an e-mail address; give the sender as name@school.edu")
    waiting = []
    for mark in marks:
        if not has_address(mark):
            continue
        message = _message(mark, page(mark), sender, subject)
        content = message.as_bytes()
        path = folder / f"{page_name(mark.student)}-{hashlib.sha256(content).hexdigest()[:12]}.eml"
        for older in {*folder.glob(f"{page_name(mark.student)}-*.eml")} - {path}:
            if message_from_bytes(older.read_bytes(), policy=policy.SMTP)["Subject"] == subject:
                older.unlink()
        if not (folder / SENT / path.name).exists():
            write_file(path, content)
            waiting.append(path)
    return waiting


def has_address(mark: Mark) -> bool:
    """Whether an e-mail address of the student is known."""
    return _ADDRESS.fullmatch(mark.record["person"]["email"]) is not None


def _message(mark: Mark, page: str, sender: str, subject: str) -> EmailMessage:
    message = EmailMessage(policy=policy.SMTP)
    message["From"], message["To"], message["Subject"] = sender, mark.record["person"]["email"], subject
    text = f"{feedback_text(mark)}\n\nThe attached page shows the same beside your code.\n"
    digest = hashlib.sha256(f"{message['To']}\0{subject}\0{text}\0{page}".encode(errors="replace")).hexdigest()
    message["Message-ID"] = f"<{digest[:32]}@{sender.partition('@')[2]}>"
    message.set_content(text.encode(errors="replace").decode(), cte="quoted-printable")
    attached = page.encode(errors="replace")
    utf8 = {"charset": "utf-8"}
    message.add_attachment(attached, maintype="text", subtype="html", filename=PAGE, params=utf8)
    # The standard library chooses the boundary at random.
    message.set_boundary(f"feedback-{digest[:32]}")
    return message


def send(messages: Sequence[Path], host: str, port: int, user: str = "", password: str = "") -> list[str]:
    """Send messages, and move each that the server accepts to `sent`. The connection is encrypted if the server can.

    Returns:
        The addresses that the server refused. Their messages stay where they are.

    Raises:
        GradingError: the server cannot be reached, refuses the user, or ends the connection. What it has accepted by
            then is in `sent`.
    """
    refused = []
    done = 0
    try:
        with _connected(host, port, user, password) as server:
            for path in messages:
                message = message_from_bytes(path.read_bytes(), policy=policy.SMTP)
                message["Date"] = formatdate()
                try:
                    server.send_message(message)
                except (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError):
                    refused.append(str(message["To"]))
                    continue
                (path.parent / SENT).mkdir(exist_ok=True)
                path.replace(path.parent / SENT / path.name)
                done += 1
    except (OSError, smtplib.SMTPException) as error:
        sent = f"{done} of {len(messages)} messages were sent, and the same command sends the others"
        raise GradingError(f"{host}:{port}: {error}; {sent}") from error
    return refused


def _connected(host: str, port: int, user: str, password: str) -> smtplib.SMTP:
    if not f"{user}{password}".isascii():
        raise GradingError(
            f"{host}:{port}: Python sends no user name or password with letters beyond ASCII; use a password without"
            " them, or send the messages with your mail program"
        )
    trusted = ssl.create_default_context()
    if port == smtplib.SMTP_SSL_PORT:
        server: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=_SECONDS, context=trusted)
    else:
        server = smtplib.SMTP(host, port, timeout=_SECONDS)
        server.ehlo()
        if server.has_extn("starttls"):
            server.starttls(context=trusted)
        elif user:
            server.close()
            raise GradingError(f"{host}:{port} does not encrypt, so no password is sent to it; choose port 587 or 465")
    if user:
        server.login(user, password)
    return server
