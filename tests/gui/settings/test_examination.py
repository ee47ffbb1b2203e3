"""The dialog that examines an endpoint, against a real one on loopback."""

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.credentials import Credentials
from desktop_rag.gui.settings.examination_dialog import ExaminationDialog
from desktop_rag.gui.why.remark_list import RemarkList
from desktop_rag.settings import Profile
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
