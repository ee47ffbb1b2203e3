"""How an endpoint is reached, and what was learned about it."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QLineEdit, QPushButton, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.settings.endpoint.connect_cards import ConnectionFields
from desktop_rag.gui.settings.endpoint.examination_dialog import LearnedDialog
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.gui.widgets.remark_list import RemarkList
from desktop_rag.llm.chat import ToolUse
from desktop_rag.llm.endpoint_traits import EndpointMemory, EndpointTraits
from desktop_rag.settings import Api, Profile, Settings
from tests.gui.library_dialogs import LEARNED

WORK = Profile("Work", "https://llm.example.org/v1", "big", reasoning_effort="none")


def button(owner: QWidget, text: str) -> QPushButton:
    return next(each for each in owner.findChildren(QPushButton) if each.text() == text)


def test_the_fields_are_hidden_until_they_are_used_and_come_back_as_they_were(qtbot: QtBot) -> None:
    fields = ConnectionFields()
    qtbot.addWidget(fields)
    fields.show()
    fields.show_profile(WORK)
    proxy = next(each for each in fields.findChildren(QLineEdit) if each.accessibleName() == "Proxy")
    assert not proxy.isVisible()
    assert fields.applied_to(WORK) == WORK
    used = replace(WORK, proxy="direct", patience=900, client_certificate="/home/anna/me.pem", ca_file="/etc/ca.pem")
    used = replace(used, api=Api.RESPONSES, local_only=True)
    fields.show_profile(used)
    assert proxy.isVisible()
    assert fields.applied_to(WORK) == used


def test_an_edit_is_a_change(qtbot: QtBot) -> None:
    fields = ConnectionFields()
    qtbot.addWidget(fields)
    fields.show_profile(WORK)
    with qtbot.waitSignal(fields.changed):
        fields.findChildren(QSpinBox)[0].setValue(60)
    assert fields.applied_to(WORK).patience == 60


def test_only_on_this_computer_is_shown_kept_and_taken_back(qtbot: QtBot) -> None:
    fields = ConnectionFields()
    qtbot.addWidget(fields)
    fields.show()
    fields.show_profile(replace(WORK, local_only=True))
    box = next(each for each in fields.findChildren(QCheckBox) if each.text() == "Only on this computer")
    assert box.isVisible()
    assert box.isChecked()
    with qtbot.waitSignal(fields.changed):
        box.click()
    assert fields.applied_to(replace(WORK, local_only=True)) == WORK


def test_the_settings_ask_for_what_was_learned_about_the_profile_shown(qtbot: QtBot) -> None:
    dialog = SettingsDialog(Settings(profiles=(WORK,)))
    qtbot.addWidget(dialog)
    with qtbot.waitSignal(dialog.profiles.learned_requested) as asked:
        button(dialog, "What it was found to take…").click()
    assert asked.args == [WORK]


def test_what_was_learned_is_listed_and_forgotten(qtbot: QtBot, tmp_path: Path) -> None:
    memory = EndpointMemory(tmp_path / "endpoints.json")
    memory.keep(WORK, LEARNED)
    dialog = LearnedDialog(WORK, memory)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.read()
    listed = dialog.findChildren(RemarkList)[0]
    qtbot.waitUntil(lambda: "Its context window: 8,192 tokens." in listed.sentences())
    assert "Fields it refused: stream_options, temperature." in listed.sentences()
    button(dialog, "Forget it").click()
    qtbot.waitUntil(lambda: "Its context window: 8,192 tokens." not in listed.sentences())
    assert not button(dialog, "Forget it").isEnabled()
    assert memory.recall(WORK) != LEARNED
    dialog.accept()


def test_how_a_model_searches_is_said(qtbot: QtBot) -> None:
    dialog = LearnedDialog(WORK, EndpointMemory(Path("unused")))
    qtbot.addWidget(dialog)
    listed = dialog.findChildren(RemarkList)[0]
    said = {ToolUse.PROMPTED: "It makes no calls: they are asked", ToolUse.NONE: "Its searches led to no answer"}
    for way, sentence in said.items():
        dialog.show_traits(EndpointTraits().with_tool_use(way))
        assert listed.sentences()[0].startswith(sentence)
    dialog.show_traits(EndpointTraits(calls_tools=True, parallel_calls=True))
    assert listed.sentences() == ("It calls tools, several in one turn.",)
