"""The first start: three pages, a keyboard is enough, nothing is connected to unasked, and it is never shown again."""

import os
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLabel, QLineEdit, QPushButton, QRadioButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.credentials import Credentials
from desktop_rag.gui.first_run.first_run_control import FirstRunControl, FirstRunDialog, suggested_folders
from desktop_rag.gui.library_status import UNKNOWN, ShownStatus
from desktop_rag.gui.settings.settings_control import SettingsControl
from desktop_rag.llm.listed_models import ListedModel
from desktop_rag.llm.local_servers import LocalServer
from desktop_rag.llm.probe import ProbeResult
from desktop_rag.settings import Profile, Settings, load, save
from desktop_rag.stop import Stop
from tests.gui.library_values import folder, library


@dataclass
class Start:
    """A first start with two suggested folders, and what it did."""

    control: FirstRunControl
    settings: SettingsControl
    status: ShownStatus
    window: QWidget
    file: Path
    searched: list[str]
    added: list[object] = field(default_factory=list)
    sample: list[str] = field(default_factory=list)
    tours: list[str] = field(default_factory=list)

    def dialogs(self) -> list[FirstRunDialog]:
        return [dialog for dialog in self.window.findChildren(FirstRunDialog) if dialog.isVisible()]


def make_start(tmp_path: Path, qtbot: QtBot) -> Start:
    documents, downloads = tmp_path / "Documents", tmp_path / "Downloads"
    for place in (documents, downloads):
        place.mkdir()
    (documents / "lease.md").write_text("The rent is due.", encoding="utf-8")
    (documents / ".hidden.md").write_text("hidden", encoding="utf-8")
    status, window, file = ShownStatus(), QWidget(), tmp_path / "settings.json"
    qtbot.addWidget(window)
    window.show()
    settings = SettingsControl(file, Credentials(), status, window)
    searched: list[str] = []

    def search(_: Stop) -> Generator[LocalServer]:
        searched.append("searched")
        yield LocalServer("Ollama", "http://127.0.0.1:11434/v1", ("llama3.2", "qwen3"))

    suggested = (os.fsencode(documents), os.fsencode(downloads))
    start = Start(
        FirstRunControl(settings, status, window, lambda: suggested, search), settings, status, window, file, searched
    )
    start.control.folders_chosen.connect(start.added.append)
    start.control.sample_chosen.connect(lambda: start.sample.append("sample"))
    start.control.tour_chosen.connect(lambda: start.tours.append("tour"))
    return start


@pytest.fixture
def start(tmp_path: Path, qtbot: QtBot) -> Iterator[Start]:
    start = make_start(tmp_path, qtbot)
    yield start
    start.control.close()
    start.settings.close()


def texts(dialog: QWidget) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


def button(dialog: QWidget, text: str) -> QPushButton:
    return next(each for each in dialog.findChildren(QPushButton) if each.text() == text)


def choice(dialog: QWidget, text: str) -> QRadioButton:
    return next(each for each in dialog.findChildren(QRadioButton) if text in each.text())


def test_three_times_enter_is_all_it_takes(start: Start, qtbot: QtBot) -> None:
    start.control.offer()
    start.status.update(UNKNOWN)
    assert not start.dialogs()
    start.status.update(library())
    (dialog,) = start.dialogs()
    qtbot.waitUntil(lambda: "1 file, 16 bytes" in texts(dialog))
    assert "Left out: hidden: 1" in texts(dialog)
    assert "Everything can be found after a few seconds; you can ask from the start." in texts(dialog)
    for _ in range(3):
        focused = dialog.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, Qt.Key.Key_Return)
    assert len(start.added) == 1
    (chosen,) = start.added
    assert [Path(os.fsdecode(path)).name for path in chosen] == ["Documents"]  # type: ignore[attr-defined]
    assert (start.sample, start.tours, start.searched) == ([], [], [])  # nothing that was not chosen
    assert start.settings.settings == Settings(introduced=True)
    qtbot.waitUntil(lambda: start.file.exists() and load(start.file).introduced)


@pytest.mark.parametrize("existing", ["settings", "folders", "missing", "introduced"])
def test_an_existing_user_never_sees_it(tmp_path: Path, qtbot: QtBot, existing: str) -> None:
    if existing in ("settings", "introduced"):
        save(tmp_path / "settings.json", Settings(introduced=existing == "introduced"))
    start = make_start(tmp_path, qtbot)
    start.control.offer()
    start.status.update(UNKNOWN)
    shown = library(folder(1)) if existing == "folders" else library()
    if existing == "missing":
        shown = library(trouble="The disk with the library is not connected.")
    start.status.update(shown)
    assert not start.dialogs()
    start.status.update(library())  # the last folder was removed
    assert not start.dialogs()
    start.control.close()
    start.settings.close()


def test_setting_up_later_adds_nothing_and_does_not_ask_again(start: Start) -> None:
    dialog = start.control.open()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert (start.added, start.sample, start.tours) == ([], [], [])
    assert start.settings.settings.introduced


def test_the_sample_counts_as_a_chosen_folder(start: Start) -> None:
    dialog = start.control.open()
    folders = [box for box in dialog.folders.findChildren(QCheckBox) if "sample" not in box.text()]
    (sample,) = (box for box in dialog.folders.findChildren(QCheckBox) if "sample" in box.text())
    (tour,) = (box for box in dialog.findChildren(QCheckBox) if "around" in box.text())
    for box in folders:
        box.setChecked(False)
    for wanted, shown_around, said in (
        (True, False, "To be searched: a few sample documents."),
        (False, False, "No folder is chosen yet"),
        (False, True, "To be searched: a few sample documents."),  # the tour is on the sample
    ):
        sample.setChecked(wanted)
        dialog.show_page(2)
        tour.setChecked(shown_around)
        assert said in texts(dialog)


def test_the_sample_gives_way_to_a_folder_of_your_own(start: Start) -> None:
    dialog = start.control.open()
    (sample,) = (box for box in dialog.folders.findChildren(QCheckBox) if "sample" in box.text())
    (tour,) = (box for box in dialog.findChildren(QCheckBox) if "around" in box.text())
    sample.setChecked(True)
    dialog.folders.add_folder(b"/home/anna/Boat")
    assert not sample.isChecked()
    sample.click()
    sample.click()
    assert not tour.isChecked()  # it would bring the sample back
    assert not dialog.choices().sample


def test_a_local_model_is_looked_for_only_when_asked(start: Start, qtbot: QtBot) -> None:
    dialog = start.control.open()
    dialog.show_page(1)
    assert choice(dialog, "Built-in").isChecked()
    choice(dialog, "this computer").click()
    assert "ports 11434, 1234, 8080, 8000" in texts(dialog)
    assert not button(dialog, "Continue").isEnabled()
    assert start.searched == []
    (found,) = (box for box in dialog.findChildren(QComboBox) if "found" in box.accessibleName())
    assert not found.isVisible()
    button(dialog, "Look for a model on this computer").click()
    qtbot.waitUntil(lambda: button(dialog, "Continue").isEnabled())
    assert found.isVisible()
    found.setCurrentIndex(1)
    next(box for box in dialog.findChildren(QCheckBox) if "around" in box.text()).setChecked(False)
    for text in ("Continue", "Start"):
        button(dialog, text).click()
    assert start.settings.settings.profile() == Profile("Ollama", "http://127.0.0.1:11434/v1", "qwen3")
    assert (start.sample, start.tours) == ([], [])


def test_no_answer_is_said_and_one_can_go_on_without(start: Start, qtbot: QtBot) -> None:
    def nobody(_: Stop) -> Generator[LocalServer]:
        yield from ()

    start.control._search = nobody
    dialog = start.control.open()
    dialog.show_page(1)
    choice(dialog, "this computer").click()
    button(dialog, "Look for a model on this computer").click()
    qtbot.waitUntil(lambda: "No model server answered" in texts(dialog))
    choice(dialog, "Built-in").click()
    assert button(dialog, "Continue").isEnabled()
    dialog.reject()


def test_an_endpoint_elsewhere_needs_an_address_and_a_model(start: Start) -> None:
    dialog = start.control.open()
    dialog.show_page(1)
    choice(dialog, "elsewhere").click()
    address, key = (
        next(f for f in dialog.findChildren(QLineEdit) if word in f.accessibleName()) for word in ("Address", "Key")
    )
    go_on = button(dialog, "Continue")
    for wrong in ("", "api.example.org", "ftp://x", "https://"):
        address.setText(wrong)
        assert not go_on.isEnabled()
        assert not button(dialog, "List its models").isEnabled()
    address.setText("https://api.example.org/v1")
    key.setText("sk-secret")
    assert not go_on.isEnabled()
    dialog.model.show_models(ProbeResult(ok=True, sentences=("Choose a model.",), models=(ListedModel("large"),)))
    assert go_on.isEnabled()
    assert dialog.choices().profile == Profile("large", "https://api.example.org/v1", "large")
    assert dialog.choices().key == "sk-secret"
    assert key.echoMode() is QLineEdit.EchoMode.Password
    dialog.model.show_models(ProbeResult(ok=False, sentences=("The key is refused.",)))
    assert "The key is refused." in texts(dialog)
    dialog.reject()


def test_another_folder_is_counted_too(start: Start, tmp_path: Path, qtbot: QtBot) -> None:
    dialog = start.control.open()
    other = tmp_path / "Letters & papers"
    other.mkdir()
    (other / "a.txt").write_text("letter", encoding="utf-8")
    for _ in range(2):  # a second choice changes nothing
        dialog.folders.add_folder(os.fsencode(other))
    qtbot.waitUntil(lambda: "1 file, 6 bytes" in texts(dialog))
    qtbot.waitUntil(lambda: not dialog.folders.uncounted())
    assert dialog.folders.folders()[-1] == os.fsencode(other)
    boxes = [box.text() for box in dialog.findChildren(QCheckBox)]
    assert boxes.count("Letters && papers") == 1
    dialog.reject()


def test_the_home_folder_itself_is_not_suggested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "Documents").mkdir()
    found = suggested_folders()
    assert os.fsencode(tmp_path) not in found
    assert all(Path(os.fsdecode(path)).is_dir() for path in found)
    QApplication.processEvents()


def test_enter_goes_on_after_a_folder_is_added_and_never_leaves_the_setup(start: Start, tmp_path: Path) -> None:
    dialog = start.control.open()
    button(dialog, "Another folder…").setFocus()
    dialog.folders.add_folder(os.fsencode(tmp_path))
    assert dialog.focusWidget() is button(dialog, "Continue")
    dialog.show_page(1)
    choice(dialog, "elsewhere").click()
    next(f for f in dialog.findChildren(QLineEdit) if "Address" in f.accessibleName()).setText("http://127.0.0.1:9/v1")
    for kind, name in (("elsewhere", "List its models"), ("on this computer", "Look for a model")):
        choice(dialog, kind).click()
        asked = next(each for each in dialog.findChildren(QPushButton) if each.text().startswith(name))
        asked.setFocus()
        QTest.keyClick(asked, Qt.Key.Key_Space)
        assert not asked.isEnabled()
        assert dialog.focusWidget() not in (asked, button(dialog, "Set up later"))
    dialog.reject()
