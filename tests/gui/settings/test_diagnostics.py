"""The page on diagnostics shows what is known, and its report names nobody and nothing."""

import getpass
import platform
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from desktop_rag.gui.settings.diagnostics import (
    MOST_LINES,
    DiagnosticsPage,
    Installation,
    LogLine,
    endpoint_hosts,
    folder_size,
    installation,
    log_tail,
    report,
)
from desktop_rag.gui.settings.settings_pages import History, PrivacyPage
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.index.indexer_api import IndexingPhase, PartCheck
from desktop_rag.settings import Limits, Profile, Settings
from desktop_rag.stop import Stop
from tests.gui.library_values import folder, library

SECRETS = (
    "geheimnis", "sk-proj-12345", "llm.musterfirma.example", "Scheidungsvertrag", "Diagnose Herz", "anna.muster",
    "/srv/anna", "10.20.30.40", "muster-laptop",
)  # fmt: skip
OFFICE = Profile(
    "geheimnis endpoint",
    "https://anna.muster:sk-proj-12345@llm.musterfirma.example/v1?k=geheimnis",
    "geheimnis-model",
    ca_file="/srv/anna/geheimnis.pem",
)
SETTINGS = Settings(
    profiles=(OFFICE, Profile("geheimnis two", "http://10.20.30.40:8080/v1", "m")),
    active_profile="geheimnis endpoint",
    limits=Limits(steps=33),
    editor="geheimnis --key sk-proj-12345",
    encoder="/srv/anna/geheimnis",
    shortcuts={"geheimnis": "Ctrl+G"},
)
LOG = """\
2026-11-23 01:02:03,456 WARNING desktop_rag.documents.sandbox:88: /srv/anna/Scheidungsvertrag.pdf cannot be read
2026-11-23 01:02:04,000 ERROR desktop_rag.gui.background:12: Diagnose Herz.docx failed on muster-laptop
Traceback (most recent call last):
  File "/srv/anna/env/desktop_rag/index/indexer/pipeline.py", line 12, in _read
    raise ValueError("Scheidungsvertrag")
ValueError: Scheidungsvertrag of anna.muster with sk-proj-12345
desktop_rag.errors.DocumentError: Diagnose Herz.docx
2026-11-23 01:02:05,000 INFO desktop_rag.llm:5: POST https://llm.musterfirma.example/v1 from 10.20.30.40
"""


@pytest.fixture
def known(tmp_path: Path) -> Installation:
    (tmp_path / "window.log").write_text(LOG)
    return installation(tmp_path, (tmp_path / "window.log",), Stop())


def test_a_report_names_no_person_computer_endpoint_folder_or_document(known: Installation) -> None:
    status = replace(
        library(
            folder(1, b"/srv/anna/Scheidungsvertrag", note="geheimnis"),
            folder(2, b"/srv/anna/Diagnose Herz.docx"),
            phase=IndexingPhase.READING,
        ),
        current_file=b"/srv/anna/Scheidungsvertrag/Diagnose Herz.docx",
        trouble="The disk of /srv/anna is full (geheimnis).",
    )
    text = report(known, SETTINGS, status)
    assert not [secret for secret in SECRETS if secret.lower() in text.lower()]
    for name in (str(Path.home()), platform.node(), getpass.getuser()):
        assert len(name) < 4 or name not in text
    assert str(known.places[0][1]) not in text


def test_a_report_says_what_a_maintainer_needs(known: Installation) -> None:
    text = report(known, SETTINGS, library(folder(1, found=12, failed=2)))
    for words in (
        "Desktop RAG: ",
        "Qt: ",
        "Files found: 12",
        "failed: 2",
        "steps=33",
        "Endpoints: 2, here: 0",
        "ERROR desktop_rag.gui.background:12",
        "desktop_rag/index/indexer/pipeline.py:12",
        "ValueError",
        "DocumentError",
    ):
        assert words in text, words


def test_every_module_of_ours_may_be_named_in_a_report(known: Installation) -> None:
    modules = ("desktop_rag", "desktop_rag.errors", "desktop_rag.gui", "desktop_rag.gui.settings.diagnostics")
    log = [LogLine("ERROR", f"2026-11-23 01:02:06,000 ERROR {module}:7: x") for module in modules]
    log.append(LogLine("ERROR", '  File "C:\\x\\desktop_rag\\gui\\__init__.py", line 3, in x'))
    text = report(replace(known, log=tuple(log)), SETTINGS, library())
    assert all(f"ERROR {module}:7" in text for module in modules)
    assert text.endswith("desktop_rag\\gui\\__init__.py:3")


def test_names_that_look_like_lines_of_the_log_stay_out(known: Installation) -> None:
    forged = (
        "2026-11-23 01:02:06,000 ERROR Scheidungsvertrag: x",
        "2026-11-23 01:02:06,000 ERROR desktop_rag.Scheidungsvertrag:1: x",
        "2026-11-23 01:02:06,000 ERROR desktop_rag.scheidung_von_anna_mueller:1: x",
        "2026-11-23 01:02:06,000 ERROR desktop_rag.errors.scheidung:1: x",
        '  File "desktop_rag/scheidung/anna_mueller.py", line 3, in x',
        '  File "desktop_rag/errors.py", line 12345678, in x',
        "ScheidungsvertragError: x",
        "Scheidungsvertrag.ValueError: x",
        "2026-11-23 01:02:06,000 WARNING httpx2.client:7: x",
    )
    text = report(replace(known, log=tuple(LogLine("ERROR", line) for line in forged)), SETTINGS, library())
    assert not [name for name in ("scheidung", "mueller", "12345678") if name in text.lower()]
    assert text.count("another library") == 5
    assert text.endswith("another error\n  ValueError\n2026-11-23 01:02:06,000 WARNING another library")


def test_names_that_came_in_are_masked(known: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "node", lambda: "muster-laptop")
    again = replace(known, versions=(("System", "Linux muster-laptop x86 of llm.musterfirma.example"),))
    text = report(again, SETTINGS, library())
    assert "muster" not in text
    assert "System: Linux … x86 of …" in text


def test_the_end_of_several_logs_in_the_order_of_time(tmp_path: Path) -> None:
    first, second = tmp_path / "a.log", tmp_path / "b.log"
    first.write_text("cut off line\n" + LOG)
    second.write_bytes(b"2026-11-23 01:02:03,999 INFO other:1: \xff\xfe between\n\x00\x00\n")
    lines = log_tail((first, second, tmp_path / "none.log", tmp_path), Stop())
    assert [line.text[20:23] for line in lines if line.text.startswith("2026")] == ["456", "999", "000", "000"]
    assert next(line for line in lines if "ValueError: " in line.text).level == "ERROR"
    many = "2026-11-23 01:02:03,456 INFO x:1: again and again, a line as long as this one is, to be cut at its start\n"
    first.write_text(many * 30_000)
    assert len(log_tail((first,), Stop())) == MOST_LINES


def test_the_size_of_a_folder_follows_no_links(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "a").write_bytes(b"x" * 1_000)
    (tmp_path / "b").write_bytes(b"x" * 10)
    (tmp_path / "inner" / "loop").symlink_to(tmp_path)
    size = folder_size(tmp_path, Stop())
    assert 1_010 <= size < 1_010 + 4_096
    assert folder_size(tmp_path / "none", Stop()) == 0


def test_hosts_without_names_of_users() -> None:
    local = Profile("here", "http://localhost:11434/v1", "m")
    broken = Profile("broken", "http://[::1", "m")
    settings = replace(SETTINGS, profiles=(*SETTINGS.profiles, local, broken))
    assert endpoint_hosts(settings) == (
        ("llm.musterfirma.example", True, False),
        ("10.20.30.40", False, False),
        ("localhost", False, True),
    )


def said(page: PrivacyPage | DiagnosticsPage) -> str:
    return "\n".join(label.text() for label in page.findChildren(PlainLabel))


def button(page: PrivacyPage | DiagnosticsPage, text: str) -> QPushButton:
    return next(each for each in page.findChildren(QPushButton) if each.text() == text)


@pytest.fixture
def page(qtbot: QtBot) -> Iterator[DiagnosticsPage]:
    page = DiagnosticsPage(SETTINGS)
    qtbot.addWidget(page)
    page.show()
    yield page
    page.close()


def test_the_log_is_filtered_by_level(page: DiagnosticsPage, known: Installation) -> None:
    page.show_installation(known)
    log, level = page.findChild(QPlainTextEdit), page.findChild(QComboBox)
    assert isinstance(log, QPlainTextEdit)
    assert isinstance(level, QComboBox)
    assert "POST" in log.toPlainText()
    level.setCurrentIndex(1)
    assert "cannot be read" in log.toPlainText()
    assert "POST" not in log.toPlainText()
    level.setCurrentIndex(2)
    assert "cannot be read" not in log.toPlainText()
    assert "ValueError" in log.toPlainText()
    page.show_installation(replace(known, log=(LogLine("INFO", "fine"),)))
    assert log.toPlainText() == "Nothing of this kind was logged."


def test_the_report_is_copied_once_all_is_known(page: DiagnosticsPage, known: Installation) -> None:
    copy = button(page, "Copy a report")
    assert not copy.isEnabled()
    page.show_health(library(folder(1, found=15)))
    page.show_installation(known)
    copy.click()
    assert QGuiApplication.clipboard().text() == page.report()
    assert "Files found: 15" in page.report()


def test_a_check_tells_its_outcome(page: DiagnosticsPage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.check_requested):
        button(page, "Check now").click()
    for name in ("I0", "I3"):
        page.show_part(PartCheck(name, holds=True))
    assert "database, keyword index" in said(page)
    page.end_check()
    assert "Everything is as it was stored: database, keyword index." in said(page)
    button(page, "Check now").click()
    page.show_part(PartCheck("I3", holds=False, detail="2 chunks are missing"))
    page.end_check()
    assert "Damaged: keyword index. It is being repaired" in said(page)


def test_a_check_that_is_stopped_or_fails(page: DiagnosticsPage, qtbot: QtBot) -> None:
    button(page, "Check now").click()
    with qtbot.waitSignal(page.check_stopped):
        button(page, "Stop").click()
    page.show_part(PartCheck("I0", holds=True))  # on its way when it was stopped
    page.end_check()
    assert "The check was stopped." in said(page)
    button(page, "Check now").click()
    page.end_check("The library is busy.")
    page.end_check()
    assert "The library is busy." in said(page)


def test_privacy_names_who_receives_questions(qtbot: QtBot, tmp_path: Path) -> None:
    cases = (
        (Settings(), "Nothing: the built-in model"),
        (SETTINGS, "llm.musterfirma.example: in use."),
        (SETTINGS, "10.20.30.40: set up, not in use."),
        (replace(SETTINGS, active_profile=""), "Nothing: the built-in model"),
        (Settings(profiles=(Profile("a", "http://localhost:1/v1", "m"),)), "localhost: this computer."),
    )
    for settings, words in cases:
        page = PrivacyPage(settings, tmp_path)
        qtbot.addWidget(page)
        assert words in said(page)
        assert "anna.muster" not in said(page)
    page.show_size(5_000_000)
    assert "4.8 M" in said(page)
    assert str(tmp_path) in said(page)


def test_a_history_is_cleared_and_brought_back(qtbot: QtBot, tmp_path: Path) -> None:
    kept = ["lease", "rent"]

    def clear() -> Callable[[], None]:
        before = kept[:]
        kept.clear()
        return lambda: kept.extend(before)

    empty = History("Recent documents", lambda: 0, clear)
    page = PrivacyPage(Settings(), tmp_path, (History("Recent searches", lambda: len(kept), clear), empty))
    qtbot.addWidget(page)
    first, second = (each for each in page.findChildren(QPushButton) if each.text() == "Clear")
    assert not second.isEnabled()
    first.click()
    assert kept == []
    assert first.text() == "Undo"
    first.click()
    assert kept == ["lease", "rent"]
    assert first.text() == "Clear"
