"""Fields of the settings pages edit exactly what their paths name."""

from dataclasses import replace

import pytest
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QLineEdit, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.settings.page_parts import Editors, FieldsPage
from desktop_rag.gui.settings.settings_pages import AnswersPage, AppearancePage, DesktopPage, EditorPage, LimitsPage
from desktop_rag.settings import Api, Density, DesktopOptions, Limits, MoneyLimits, Profile, Settings, Theme, Unsourced

OTHER = Settings(
    limits=Limits(steps=20, tool_calls=70, seconds=0, context_tokens=64_000, total_tokens=0),
    money=MoneyLimits(day=1.5, month=20.0, run=0.25),
    theme=Theme.DARK,
    font_percent=120,
    density=Density.COMPACT,
    language="de",
    unsourced=Unsourced.FORBID,
    second_look=False,
    follow_ups=False,
    desktop=DesktopOptions(
        notify=False, notify_question=True, start_at_login=True, hotkey="Ctrl+F9", system_accent=True, tray=True
    ),
    editor="vim {path}",
)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (AppearancePage, ("theme", "font_percent", "density", "language")),
        (LimitsPage, ("limits", "money")),
        (AnswersPage, ("unsourced", "second_look", "follow_ups")),
        (EditorPage, ("editor",)),
    ],
)
def test_a_page_shows_its_settings_and_changes_no_others(
    qtbot: QtBot, kind: type[FieldsPage], names: tuple[str, ...]
) -> None:
    page = kind(OTHER)
    qtbot.addWidget(page)
    expected = replace(Settings(), **{name: getattr(OTHER, name) for name in names})

    assert page.applied_to(Settings()) == expected
    assert page.applied_to(OTHER) == OTHER


def test_what_this_desktop_does_not_have_keeps_its_setting(qtbot: QtBot) -> None:
    page = DesktopPage(OTHER)
    qtbot.addWidget(page)

    assert page.applied_to(OTHER) == OTHER
    assert not page.applied_to(Settings()).desktop.tray


def test_each_kind_of_field_reads_and_shows_its_value_and_tells_edits(qtbot: QtBot) -> None:
    around = QWidget()
    qtbot.addWidget(around)
    line = QLineEdit(around)
    editors = Editors(line.returnPressed)  # any signal without an argument
    told = QSignalSpy(line.returnPressed)
    name, window = editors.add("name", QLineEdit(around)), editors.add("context_window", QSpinBox(around))
    heat = QDoubleSpinBox(around)
    heat.setRange(-0.05, 2)
    editors.add("temperature", heat)
    local = editors.add("local_only", QCheckBox(around))
    api = editors.add("api", QComboBox(around))
    for choice in Api:
        api.addItem(choice.name, choice)
    window.setMaximum(10_000)
    profile = Profile("a", "", "", context_window=900, temperature=None, api=Api.RESPONSES, local_only=True)

    editors.show(profile)

    assert editors.applied_to(profile) == profile
    assert editors.applied_to(Profile("b", "u", "m")) == replace(profile, base_url="u", model="m")
    assert isinstance(editors.applied_to(profile).api, Api)
    heat.setValue(0.7)
    assert editors.applied_to(profile).temperature == 0.7
    before = told.count()
    local.toggle()
    QTest.keyClicks(name, "x")
    assert told.count() == before + 2
    assert editors.applied_to(profile).name == "ax"
