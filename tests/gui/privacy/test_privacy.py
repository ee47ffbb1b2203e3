"""The rules on the privacy page, the question about a new host, and the dialog about what was sent."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop_rag.agent.gate.sent_ledger import SentLedger, SentPassage
from desktop_rag.gui.privacy.host_dialog import HostConfirmation, HostDialog
from desktop_rag.gui.privacy.rules_editor import PrivacyRules
from desktop_rag.gui.privacy.sent_control import SentControl
from desktop_rag.gui.privacy.sent_dialog import SentDialog
from desktop_rag.settings import PrivacyOptions, Profile, Settings

OPTIONS = PrivacyOptions(
    offline=True,
    never_send=("/home/me/diary", "/home/me/\udcff.txt"),
    never_words=("Falcon",),
    never_tags=("diary", "board/secret"),
    mask_secrets=False,
    confirmed_hosts=("api.example.com",),
)
REMOTE = Settings(profiles=(Profile("far", "https://api.example.com/v1", "m"),), active_profile="far")


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path))


def test_rules_go_in_and_out_unchanged(qtbot: QtBot) -> None:
    rules = PrivacyRules(OPTIONS)
    qtbot.addWidget(rules)
    assert rules.options() == OPTIONS


def test_rules_are_edited(qtbot: QtBot, tmp_path: Path) -> None:
    rules = PrivacyRules(OPTIONS)
    qtbot.addWidget(rules)
    for box in rules.findChildren(QCheckBox):
        box.toggle()
    rules._words.setPlainText("Falcon\n\n  Project X  \nFalcon")
    rules._tags.setPlainText("#diary\n\n private ")
    rules._never._on_chosen([str(tmp_path), str(tmp_path)])
    rules._never.list.setCurrentRow(0)
    buttons = {button.text(): button for button in rules.findChildren(QPushButton)}
    buttons["Take off the list"].click()
    rules._hosts.setCurrentRow(0)
    buttons["Ask again"].click()
    now = rules.options()
    assert (now.offline, now.mask_secrets) == (False, True)
    assert now.never_words == ("Falcon", "Project X")
    assert now.withheld().tags == ("diary", "private")
    assert now.never_send == ("/home/me/\udcff.txt", str(tmp_path))
    assert now.confirmed_hosts == ()
    assert os.fsencode(tmp_path) in now.withheld().paths


def test_a_new_host_is_asked_about_once(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    confirmation, said, hosts = HostConfirmation(window), list[str](), list[str]()
    confirmation.confirmed.connect(hosts.append)

    def ask(settings: Settings) -> bool:
        return confirmation.asks(settings, lambda: said.append("sent"), lambda: said.append("kept"))

    assert not ask(Settings())
    assert not ask(Settings(profiles=(Profile("near", "http://localhost:1/v1", "m"),), active_profile="near"))
    assert ask(REMOTE)
    [dialog] = window.findChildren(HostDialog)
    assert "api.example.com" in dialog.windowTitle()
    dialog._cancel.click()
    assert (said, hosts) == (["kept"], [])
    assert ask(REMOTE)
    window.findChildren(HostDialog)[-1].act.click()
    assert (said, hosts) == (["kept", "sent"], ["api.example.com"])


@pytest.fixture
def sent(qtbot: QtBot) -> Iterator[Callable[[], SentDialog]]:
    window, control = QWidget(), SentControl()
    qtbot.addWidget(window)

    def opened() -> SentDialog:
        control.open(window)
        return window.findChildren(SentDialog)[0]

    yield opened
    control.close()


def rows(dialog: SentDialog) -> list[list[str]]:
    model = dialog.findChildren(QTableView)[0].model()
    return [
        [model.index(row, column).data() for column in range(model.columnCount())] for row in range(model.rowCount())
    ]


def test_what_was_sent_is_searched_exported_and_erased(
    qtbot: QtBot, sent: Callable[[], SentDialog], tmp_path: Path
) -> None:
    lease = SentPassage("/docs/<b>lease.md", "Lease", 3, 9)
    SentLedger().record("r1", "api.example.com", "m", "When is it due?", 900, 0, [lease])
    SentLedger().record("r2", "other.example", "m", "=1+1", 10, 0, [])
    dialog = sent()
    qtbot.waitUntil(lambda: len(rows(dialog)) == 2)
    assert rows(dialog)[1][1:] == ["api.example.com", "<b>lease.md", "3–9", "When is it due?"]
    tip = dialog.findChildren(QTableView)[0].model().index(1, 2).data(Qt.ItemDataRole.ToolTipRole)
    assert "/docs/&lt;b&gt;lease.md" in tip  # where it is, as plain text
    dialog.findChildren(QLineEdit)[0].setText("lease")
    qtbot.waitUntil(lambda: len(rows(dialog)) == 1)
    dialog.export_requested.emit(tmp_path / "sent.csv")
    qtbot.waitUntil((tmp_path / "sent.csv").is_file)
    assert "lease" in (tmp_path / "sent.csv").read_text()
    dialog.clear_requested.emit()
    question = next(each for each in dialog.findChildren(QWidget) if type(each).__name__ == "QuestionDialog")
    question.act.click()  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: SentLedger().rows() == ())
    qtbot.waitUntil(lambda: rows(dialog) == [])


def test_lists_show_foreign_names_as_plain_text(qtbot: QtBot) -> None:
    rules = PrivacyRules(PrivacyOptions(never_send=("/a/\u202egnp.exe\n<img src=x>",)))
    qtbot.addWidget(rules)
    shown = rules.findChildren(QListWidget)[0].item(0).text()
    assert "\u202e" not in shown
    assert "\n" not in shown


def test_the_question_about_a_host_has_no_gaps(qtbot: QtBot) -> None:
    dialog = HostDialog("api.example.com")
    qtbot.addWidget(dialog)
    dialog.show()
    for label in dialog.findChildren(QLabel):
        assert label.height() == label.heightForWidth(label.width()), label.text()
