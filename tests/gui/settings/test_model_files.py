"""A model file as the model that answers: chosen in the settings, run by the program."""

import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPushButton, QTreeWidget, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui import formatting
from desktop_rag.gui.settings.endpoint import model_files_dialog
from desktop_rag.gui.settings.endpoint.model_files_dialog import ModelFilesDialog
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.gui.settings.settings_exchange import exported_settings
from desktop_rag.llm.local_model.local_server import file_profile
from desktop_rag.llm.local_model.server_child import ListedModelFile
from desktop_rag.settings import Profile, Settings
from tests.unit.llm.local_model.gguf_files import gguf_bytes, written

pytestmark = pytest.mark.processes


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home in which LM Studio keeps one whole model and one that is cut off."""
    folder = tmp_path / ".lmstudio" / "models" / "owner"
    folder.mkdir(parents=True)
    written(folder / "tiny & small.gguf", gguf_bytes())
    written(folder / "torn.gguf", gguf_bytes()[:-500])
    monkeypatch.setenv("HOME", str(tmp_path))
    return folder


@pytest.fixture
def llama(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that llama.cpp is installed: nothing here runs a model."""
    monkeypatch.setattr(model_files_dialog, "is_available", lambda: True)


def texts(dialog: ModelFilesDialog) -> dict[str, list[str]]:
    (tree,) = dialog.findChildren(QTreeWidget)
    items = [tree.topLevelItem(row) for row in range(tree.topLevelItemCount())]
    return {item.text(0): [item.text(column) for column in range(1, 6)] for item in items if item is not None}


def button(dialog: QWidget, text: str) -> QPushButton:
    return next(found for found in dialog.findChildren(QPushButton) if found.text() == text)


def choose(dialog: ModelFilesDialog, name: str) -> None:
    (tree,) = dialog.findChildren(QTreeWidget)
    items = (tree.topLevelItem(row) for row in range(tree.topLevelItemCount()))
    tree.setCurrentItem(next(item for item in items if item is not None and item.text(0) == name))


@pytest.mark.usefixtures("llama")
def test_files_are_listed_and_one_becomes_a_profile(home: Path, qtbot: QtBot) -> None:
    settings = SettingsDialog(Settings(), ())
    dialog = ModelFilesDialog(settings)
    dialog.chosen.connect(settings.profiles.add_profile)
    dialog.show()
    assert texts(dialog) == {}  # nothing is looked for before it is asked for
    dialog.start()
    qtbot.waitUntil(lambda: len(texts(dialog)) == 2, timeout=60_000)
    found = texts(dialog)
    assert found["tiny & small"][:2] == ["LM Studio", "Q4_K_M"]
    assert found["tiny & small"][3:] == ["8,192", "Fits: 8,192 tokens"]
    assert found["torn"][4] == "Damaged"
    qtbot.waitUntil(button(dialog, "Use this model").isEnabled, timeout=60_000)  # the first that can run is selected
    choose(dialog, "torn")  # cannot be selected
    (tree,) = dialog.findChildren(QTreeWidget)
    assert [item.text(0) for item in tree.selectedItems()] == ["tiny & small"]
    button(dialog, "Use this model").click()
    (profile,) = settings.settings().profiles
    assert profile == replace(
        file_profile(home / "tiny & small.gguf", model="tiny & small", window=8_192), price_in=0.0, price_out=0.0
    )
    assert settings.settings().active_profile == profile.name
    button(settings, "Cancel").click()  # Escape would ask first


@pytest.mark.usefixtures("llama")
def test_any_file_can_be_chosen_and_is_judged(tmp_path: Path, qtbot: QtBot) -> None:
    letter = written(tmp_path / "letter.gguf", b"Dear Sir")
    dialog = ModelFilesDialog()
    dialog.show()
    dialog.describe(str(letter))
    qtbot.waitUntil(lambda: "letter" in texts(dialog), timeout=60_000)
    assert texts(dialog)["letter"][0] == "Chosen file"
    assert not button(dialog, "Use this model").isEnabled()
    dialog.describe(str(written(tmp_path / "good.gguf", gguf_bytes())))
    qtbot.waitUntil(lambda: "good" in texts(dialog), timeout=60_000)
    assert button(dialog, "Use this model").isEnabled()
    dialog.reject()


def test_without_the_package_the_command_is_there(monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    monkeypatch.setattr(model_files_dialog, "is_available", lambda: False)
    dialog = ModelFilesDialog()
    qtbot.addWidget(dialog)
    button(dialog, "Copy").click()
    assert QApplication.clipboard().text() == "pip install 'desktop-rag[local-llm]'"
    dialog.add_file(ListedModelFile(Path("/m/a.gguf"), "LM Studio", "tiny", "Q4_K_M", 10, 8192, 8192, 10))
    dialog._on_finished()
    assert not button(dialog, "Use this model").isEnabled()
    dialog.use_program(sys.executable)
    assert button(dialog, "Use this model").isEnabled()


def test_without_it_its_program_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    monkeypatch.setattr(model_files_dialog, "is_available", lambda: False)
    dialog = ModelFilesDialog()
    dialog.show()
    letter = written(tmp_path / "letter.txt", b"Dear Sir")
    dialog.use_program(str(letter))
    assert button(dialog, "Choose llama-server…").isVisible()
    dialog.use_program(sys.executable)
    assert not button(dialog, "Choose llama-server…").isVisible()
    dialog.describe(str(written(tmp_path / "good.gguf", gguf_bytes())))
    qtbot.waitUntil(lambda: "good" in texts(dialog), timeout=60_000)
    with qtbot.waitSignal(dialog.chosen) as chosen:
        button(dialog, "Use this model").click()
    assert chosen.args[0].model_program == sys.executable


def test_a_file_has_its_own_fields(tmp_path: Path, qtbot: QtBot) -> None:
    profile = replace(file_profile(tmp_path / "m.gguf", window=4_096), idle_minutes=3)
    dialog = SettingsDialog(Settings((profile,), profile.name), ())
    qtbot.addWidget(dialog)
    assert dialog.settings() == Settings((replace(profile, price_in=0.0, price_out=0.0),), profile.name)
    editor = dialog.profiles._editor
    assert not editor._form.isRowVisible(editor._address)
    assert editor._form.isRowVisible(editor._idle)
    editor._idle.setValue(0)
    assert dialog.settings().profiles[0].idle_minutes == 0
    dialog._save.click()
    assert dialog.result() == SettingsDialog.DialogCode.Accepted  # it needs no address


def test_a_file_is_not_exported(tmp_path: Path) -> None:
    cloud = Profile("Cloud", "https://api.example.com/v1", "big")
    exported = exported_settings(Settings((file_profile(tmp_path / "m.gguf"), cloud))).decode()
    assert "m.gguf" not in exported
    assert "Cloud" in exported


def test_prices_have_a_date(qtbot: QtBot) -> None:
    profile = Profile("Cloud", "https://api.example.com/v1", "big", price_in=2.5, priced_on="2026-01-31")
    dialog = SettingsDialog(Settings((profile,), "Cloud"), ())
    qtbot.addWidget(dialog)
    assert dialog.settings().profiles[0].priced_on == "2026-01-31"
    fields = dialog.profiles._editor._advanced
    fields.use_prices(3.0, 9.0)
    assert dialog.settings().profiles[0].priced_on == date.today().isoformat()
    assert "check whether they still hold" in formatting.price_age(profile, date(2026, 5, 2))
    assert formatting.price_age(profile, date(2026, 5, 1)).startswith("Prices from")
    assert formatting.price_age(replace(profile, priced_on="soon")) == ""
