"""The dialog that examines an endpoint, against a real one on loopback."""

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.credentials import Credentials
from desktop_rag.gui.settings.endpoint.examination_dialog import ExaminationDialog, ProbeReport
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.gui.widgets.remark_list import RemarkList
from desktop_rag.llm.probe import ProbeResult
from desktop_rag.settings import Profile, Settings
from tests.endpoint import ScriptedEndpoint
from tests.integration.llm.test_doctor import OLLAMA, reply


def shown(dialog: QWidget) -> tuple[str, ...]:
    return dialog.findChildren(RemarkList)[0].sentences()


def test_findings_appear_and_can_be_copied(qtbot: QtBot) -> None:
    with ScriptedEndpoint([reply] * 20, pages=OLLAMA, models=("tiny",)) as endpoint:
        dialog = ExaminationDialog(Profile("Test", endpoint.base_url, "tiny", context_window=8_192))
        dialog.show()
        dialog.start("", Credentials())
        qtbot.waitUntil(lambda: any("arrives whole" in line for line in shown(dialog)), timeout=60_000)
    assert shown(dialog)[0].startswith("Connection: tiny answered after")
    assert "Tools: The model calls a tool and goes on with its result." in shown(dialog)
    next(button for button in dialog.findChildren(QPushButton) if button.text() == "Copy").click()
    assert QApplication.clipboard().text().splitlines() == [*shown(dialog)]
    dialog.accept()


def test_closing_stops_the_examination(qtbot: QtBot) -> None:
    with ScriptedEndpoint([reply] * 20, pages=OLLAMA, models=("tiny",)) as endpoint:
        dialog = ExaminationDialog(Profile("Test", endpoint.base_url, "tiny", context_window=8_192))
        dialog.show()
        dialog.start("", Credentials())
        qtbot.waitUntil(lambda: bool(endpoint.requests), timeout=60_000)
        dialog.reject()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        asked = len(endpoint.requests)
        qtbot.wait(200)
        assert len(endpoint.requests) <= asked + 1


def test_result_of_a_test_has_the_width_of_the_fields(qtbot: QtBot) -> None:
    profile = Profile("Workstation", "http://192.168.1.20:11434/v1", "qwen3:8b")
    dialog = SettingsDialog(Settings((profile,), "Workstation"), ())
    dialog.show_page("Models")
    dialog.show()
    next(button for button in dialog.findChildren(QPushButton) if button.text() == "Test connection").click()
    dialog.profiles.show_probe(
        ProbeResult(ok=True, sentences=("qwen3:8b answered after 1.5 seconds.", "It lists 12 models."))
    )
    qtbot.waitUntil(lambda: dialog.findChildren(ProbeReport)[0].isVisible())
    report = dialog.findChildren(ProbeReport)[0]
    headline = next(label for label in report.findChildren(QLabel) if label.text().startswith("qwen3:8b answered"))
    qtbot.waitUntil(lambda: headline.width() > report.width() * 0.9)
    assert report.mapTo(dialog, report.rect().topRight()).x() < dialog.width()  # nothing is cut off at the right
    dialog.reject()
