"""The settings dialog takes settings in, gives them back changed, and never shows a key."""

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QRadioButton,
    QSpinBox,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop_rag.agent.run.step import DECISION_SECONDS
from desktop_rag.gui.settings.endpoint.connect_cards import whole_address
from desktop_rag.gui.settings.profile_editor import ProfileEditor
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.gui.widgets.bounded_dialog import QuestionDialog
from desktop_rag.llm.listed_models import ListedModel
from desktop_rag.llm.probe import ProbeResult
from desktop_rag.settings import Limits, Profile, Settings, Theme
from tests.gui.settings.conftest import LOCAL, TWO, Open, named


def button(dialog: QWidget, text: str) -> QPushButton:
    return next(widget for widget in dialog.findChildren(QPushButton) if widget.text() == text)


def type_into(dialog: SettingsDialog, name: str, text: str) -> None:
    field = named(dialog, QLineEdit, name)
    field.setText(text)
    field.textEdited.emit(text)


def signals_on_save(dialog: SettingsDialog) -> list[tuple[str, ...]]:
    signals: list[tuple[str, ...]] = []
    dialog.key_changed.connect(lambda name, key: signals.append(("key", name, key)))
    dialog.profile_renamed.connect(lambda old, new: signals.append(("renamed", old, new)))
    dialog.settings_changed.connect(lambda settings: signals.append(("settings", settings.active_profile)))
    button(dialog, "Save").click()
    return signals


def test_unchanged_settings_are_returned_unchanged(open_dialog: Open) -> None:
    dialog = open_dialog()
    assert dialog.settings() == TWO
    named(dialog, QListWidget, "Models").setCurrentRow(1)
    assert dialog.settings() == TWO
    assert signals_on_save(dialog) == []


def test_it_is_built_in_parts_that_are_each_small(qtbot: QtBot) -> None:
    dialog = SettingsDialog(TWO, at_once=False)
    qtbot.addWidget(dialog)
    counts = [len(dialog.findChildren(QWidget)) for _ in dialog.build()]
    parts = [after - before for before, after in pairwise(counts)]
    assert max(counts[0], *parts) < 130, "each part is an event of the window, which must not be long"
    assert dialog.settings() == TWO


def test_the_limits_say_that_the_user_is_asked_first(open_dialog: Open) -> None:
    words = " ".join(label.text() for label in open_dialog().findChildren(QLabel))
    assert "asked whether it may go on. If you do not answer within a minute" in words
    assert DECISION_SECONDS == 60


def test_every_page_changes_its_settings(open_dialog: Open, qtbot: QtBot) -> None:
    dialog = open_dialog()
    named(dialog, QSpinBox, "Steps").setValue(7)
    named(dialog, QSpinBox, "Time").setValue(0)
    next(b for b in dialog.findChildren(QRadioButton) if b.text() == "Dark").click()
    named(dialog, QComboBox, "Questions are answered by").setCurrentIndex(0)
    with qtbot.waitSignal(dialog.settings_changed) as changed:
        button(dialog, "Save").click()
    assert changed.args == [
        replace(
            TWO,
            limits=Limits(steps=7, seconds=0),
            theme=Theme.DARK,
            active_profile="",
        )
    ]


def test_a_profile_is_edited_field_by_field(open_dialog: Open) -> None:
    dialog = open_dialog()
    type_into(dialog, "Address", " http://127.0.0.1:8080/v1 ")
    named(dialog, QComboBox, "Model").setEditText("llama")
    named(dialog, QSpinBox, "Context window").setValue(8192)
    named(dialog, QSpinBox, "Longest answer").setValue(512)
    temperature = named(dialog, QDoubleSpinBox, "Temperature")
    temperature.setValue(temperature.minimum())
    named(dialog, QDoubleSpinBox, "Top-p").setValue(0.9)
    assert dialog.settings().profiles[0] == replace(
        LOCAL,
        base_url="http://127.0.0.1:8080/v1",
        model="llama",
        context_window=8192,
        max_output=512,
        temperature=None,
        top_p=0.9,
    )


def test_a_typed_key_is_reported_and_a_stored_one_never_shown(open_dialog: Open) -> None:
    dialog = open_dialog()
    dialog.profiles.show_keys(frozenset({"Local"}), "")
    key = named(dialog, QLineEdit, "Key")
    assert key.text() == ""
    assert key.placeholderText() == "Stored; type to replace it"
    assert key.echoMode() is QLineEdit.EchoMode.Password
    type_into(dialog, "Key", "sk-secret")
    named(dialog, QListWidget, "Models").setCurrentRow(1)
    assert key.text() == ""
    assert signals_on_save(dialog) == [("key", "Local", "sk-secret")]
    assert "sk-secret" not in repr(dialog.settings())


def test_without_a_keychain_a_notice_is_shown(open_dialog: Open) -> None:
    dialog = open_dialog()
    dialog.profiles.show_keys(frozenset(), "Keys are kept for this session only.")
    assert any(label.text() == "Keys are kept for this session only." for label in dialog.findChildren(QLabel))


def test_a_renamed_profile_stays_active_and_keeps_its_key(open_dialog: Open) -> None:
    dialog = open_dialog()
    named(dialog, QListWidget, "Models").setCurrentRow(1)
    type_into(dialog, "Name", "Office")
    assert signals_on_save(dialog) == [("renamed", "Work", "Office"), ("settings", "Office")]


def test_the_key_of_a_removed_profile_is_not_used_for_another_of_its_name(open_dialog: Open) -> None:
    dialog = open_dialog()
    button(dialog, "Remove").click()
    assert dialog.settings().active_profile == "Work"
    named(dialog, QListWidget, "Models").setCurrentRow(0)
    type_into(dialog, "Name", "Local")
    assert signals_on_save(dialog) == [("key", "Local", ""), ("renamed", "Work", "Local"), ("settings", "Local")]


def test_removing_the_profile_in_use_returns_to_the_built_in_model(open_dialog: Open) -> None:
    dialog = open_dialog()
    named(dialog, QListWidget, "Models").setCurrentRow(1)
    button(dialog, "Remove").click()
    assert dialog.settings() == replace(TWO, profiles=(LOCAL,), active_profile="")


def test_a_duplicate_gets_its_own_name_and_no_key(open_dialog: Open) -> None:
    dialog = open_dialog()
    type_into(dialog, "Key", "sk-1")
    button(dialog, "Duplicate").click()
    assert dialog.settings().profiles[2] == replace(LOCAL, name="Local 2")
    assert signals_on_save(dialog) == [("key", "Local", "sk-1"), ("settings", "Work")]


@pytest.mark.parametrize(
    ("name", "address", "error"),
    [
        ("", "http://x/v1", "Give this model a name."),
        ("Work", "http://x/v1", "Two models are called “Work”. Names must differ."),
        ("New", "localhost:1234", "The address must begin with http:// or https://."),
    ],
)
def test_an_invalid_profile_is_not_saved_but_explained(open_dialog: Open, name: str, address: str, error: str) -> None:
    dialog = open_dialog()
    type_into(dialog, "Name", name)
    type_into(dialog, "Address", address)
    dialog.findChildren(QTabWidget)[0].setCurrentIndex(2)
    assert signals_on_save(dialog) == []
    assert dialog.isVisible()
    assert error in [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]
    dialog.reject()


def test_a_connection_test_uses_the_current_fields_and_can_be_stopped(open_dialog: Open, qtbot: QtBot) -> None:
    dialog = open_dialog()
    type_into(dialog, "Address", "http://localhost:1/v1")
    type_into(dialog, "Key", "sk-typed")
    with qtbot.waitSignal(dialog.profiles.probe_requested) as asked:
        button(dialog, "Test connection").click()
    assert asked.args == [replace(LOCAL, base_url="http://localhost:1/v1"), "sk-typed"]
    with qtbot.waitSignal(dialog.profiles.probe_stopped):
        button(dialog, "Stop testing").click()


def test_a_successful_test_offers_models_address_and_window(open_dialog: Open) -> None:
    dialog = open_dialog()
    button(dialog, "Test connection").click()
    dialog.profiles.show_probe(
        ProbeResult(
            ok=True,
            sentences=("It answered.", "It lists <b>two</b> models."),
            address="http://localhost:11434/v2",
            models=(ListedModel("a"), ListedModel("b")),
            context_window=8192,
        )
    )
    model = named(dialog, QComboBox, "Model")
    assert [model.itemText(row) for row in range(model.count())] == ["a", "b"]
    assert model.currentText() == "qwen3:8b"
    assert "It lists <b>two</b> models." in [label.text() for label in dialog.findChildren(QLabel)]
    assert dialog.settings().profiles[0].base_url == "http://localhost:11434/v2"
    button(dialog, "Use 8,192 tokens").click()
    model.setEditText("b")
    edited = dialog.settings().profiles[0]
    assert (edited.base_url, edited.model, edited.context_window) == ("http://localhost:11434/v2", "b", 8192)


def test_a_single_listed_model_is_chosen(open_dialog: Open) -> None:
    dialog = open_dialog(Settings((Profile("New", "http://localhost:1/v1", ""),)))
    button(dialog, "Test connection").click()
    dialog.profiles.show_probe(ProbeResult(ok=True, sentences=("Choose a model.",), models=(ListedModel("only"),)))
    assert dialog.settings().profiles[0].model == "only"


def test_what_a_test_said_goes_when_another_model_is_chosen(open_dialog: Open) -> None:
    dialog = open_dialog(Settings((Profile("New", "http://localhost:1/v1", ""),)))
    button(dialog, "Test connection").click()
    models = (ListedModel("large"), ListedModel("small"))
    dialog.profiles.show_probe(ProbeResult(ok=True, sentences=("Choose a model.",), models=models))
    headline = next(label for label in dialog.findChildren(QLabel) if label.text() == "Choose a model.")
    assert headline.isVisible()
    assert headline.property("role") == "heading"  # a step that is left to do is no success
    named(dialog, QComboBox, "Model").setEditText("small")
    assert not headline.isVisible()


def test_return_after_an_arrow_chooses_a_model_and_a_second_saves(open_dialog: Open) -> None:
    dialog = open_dialog(Settings((Profile("New", "http://localhost:1/v1", ""),)))
    button(dialog, "Test connection").click()
    dialog.profiles.show_probe(
        ProbeResult(True, ("Choose a model.",), models=(ListedModel("large"), ListedModel("small")))
    )
    model = named(dialog, QComboBox, "Model")
    QTest.keyClick(model, Qt.Key.Key_Down)
    QTest.keyClick(model, Qt.Key.Key_Return)
    assert (dialog.isVisible(), model.currentText()) == (True, "small")
    QTest.keyClick(model, Qt.Key.Key_Return)
    assert not dialog.isVisible()


def test_a_failed_test_says_why_and_changes_nothing(open_dialog: Open) -> None:
    dialog = open_dialog()
    button(dialog, "Test connection").click()
    dialog.profiles.show_probe(ProbeResult(ok=False, sentences=("The key was refused.", "Enter it again.")))
    assert dialog.settings() == TWO
    assert button(dialog, "Test connection").isEnabled()


def test_a_late_result_is_not_shown_for_another_profile(open_dialog: Open) -> None:
    dialog = open_dialog()
    button(dialog, "Test connection").click()
    named(dialog, QListWidget, "Models").setCurrentRow(1)
    dialog.profiles.show_probe(ProbeResult(ok=True, sentences=("It answered.",), address="http://localhost:1/v1"))
    assert dialog.settings() == TWO


def test_closing_stops_the_running_test(open_dialog: Open, qtbot: QtBot) -> None:
    dialog = open_dialog()
    with qtbot.waitSignal(dialog.profiles.probe_stopped):
        button(dialog, "Cancel").click()


def test_escape_asks_before_it_throws_an_endpoint_away(open_dialog: Open) -> None:
    dialog = open_dialog()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isHidden()  # nothing was changed
    dialog = open_dialog()
    type_into(dialog, "Address", "http://localhost:8914/v1")
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    (question,) = dialog.findChildren(QuestionDialog)
    assert dialog.isVisible()
    question.reject()
    assert dialog.isVisible()
    assert dialog.settings().profiles[0].base_url == "http://localhost:8914/v1"
    dialog.reject()
    dialog.findChildren(QuestionDialog)[-1].accept()
    assert dialog.isHidden()


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("localhost:8914", "http://localhost:8914"),
        (" 127.0.0.1:11434/v1 ", "http://127.0.0.1:11434/v1"),
        ("[::1]:8080", "http://[::1]:8080"),
        ("api.example.org/v1", "https://api.example.org/v1"),
        ("http://nas:8080", "http://nas:8080"),
        ("http:/oops", "http:/oops"),
        ("", ""),
    ],
)
def test_a_scheme_that_was_left_out_is_added(open_dialog: Open, typed: str, address: str) -> None:
    dialog = open_dialog()
    field = named(dialog, QLineEdit, "Address")
    field.setText(typed)
    field.editingFinished.emit()
    assert field.text() == address
    assert whole_address(address) == address


def test_tab_follows_the_fields_of_an_endpoint_downwards(open_dialog: Open) -> None:
    dialog = open_dialog()
    named(dialog, QLineEdit, "Name").setFocus()
    field = dialog.focusWidget()
    editor = dialog.findChildren(ProfileEditor)[0]
    heights: list[int] = []
    while editor.isAncestorOf(field):
        heights.append(field.mapTo(editor, field.rect().center()).y())  # the page scrolls to the focused field
        QTest.keyClick(field, Qt.Key.Key_Tab)
        field = dialog.focusWidget()
    assert len(heights) > 8
    assert heights == sorted(heights)


def test_advanced_fields_are_collapsed_until_one_is_set(open_dialog: Open) -> None:
    plain = Settings(profiles=(Profile("Local", "http://localhost:1/v1", "m"),), active_profile="Local")
    dialog = open_dialog(plain)
    temperature = named(dialog, QDoubleSpinBox, "Temperature")
    assert not temperature.isVisible()
    button(dialog, "More settings").click()
    assert temperature.isVisible()
    assert dialog.settings() == plain
    assert named(open_dialog(), QDoubleSpinBox, "Temperature").value() == 0.2


def test_a_fast_model_prices_and_a_preset_are_set(open_dialog: Open) -> None:
    dialog = open_dialog()
    named(dialog, QComboBox, "Fast model").setEditText(" small ")
    named(dialog, QDoubleSpinBox, "Input price per million tokens").setValue(3)
    named(dialog, QDoubleSpinBox, "Fast model: output price per million tokens").setValue(0.4)
    presets = next(found for found in dialog.findChildren(QPushButton) if found.text() == "Presets")
    menu = presets.menu()
    assert menu is not None
    menu.actions()[0].trigger()
    edited = dialog.settings().profiles[0]
    assert (edited.fast_model, edited.temperature, edited.top_p) == ("small", 0.6, 0.95)
    assert (edited.price_in, edited.price_out, edited.fast_price_in, edited.fast_price_out) == (3.0, None, None, 0.4)
    menu.actions()[2].trigger()
    assert (dialog.settings().profiles[0].temperature, dialog.settings().profiles[0].top_p) == (None, None)


def test_the_method_is_chosen_on_its_page(open_dialog: Open) -> None:
    dialog = open_dialog(Settings(toolkit="oracle"))
    assert named(dialog, QRadioButton, "oracle").isChecked()
    auto = named(dialog, QRadioButton, "Automatic")
    assert "Quick for simple questions" in auto.accessibleDescription()
    auto.click()
    assert dialog.settings().toolkit == "auto"
    assert open_dialog(Settings(toolkit="gone")).settings().toolkit == "gone"
