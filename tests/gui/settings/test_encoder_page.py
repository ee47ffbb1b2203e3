"""The page on search by meaning: the encoders on this computer, what they are for, and what a change costs."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QPushButton, QRadioButton
from pytestqt.qtbot import QtBot

from desktop_rag.errors import EncoderError, Stopped
from desktop_rag.gui.control.insight_control import _encoder_choices
from desktop_rag.gui.settings.encoder_page import EncoderChoice, EncoderPage, FetchDialog
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.index.encoding.encoder_child import EncoderProgress, get_encoder
from desktop_rag.index.encoding.installed_encoders import KNOWN, known_encoder
from desktop_rag.paths import encoder_folder, private_folder, settings_file
from desktop_rag.settings import Settings, save
from desktop_rag.stop import Stop

CHOICES = (
    EncoderChoice("", "all-MiniLM-L6-v2", ("en",), 23_547_681, 0.0),
    EncoderChoice("/encoders/e5", "multilingual-e5-small", tuple("abcdefghij"), 119_650_720, 80.0),
)


@pytest.fixture
def page(qtbot: QtBot) -> EncoderPage:
    page = EncoderPage("")
    qtbot.addWidget(page)
    return page


def said(page: EncoderPage) -> str:
    sentences = [label.text() for label in page.findChildren(PlainLabel) if not label.isHidden()]
    return "\n".join((*sentences, *(command.text() for command in page.findChildren(QLineEdit))))


def offers(page: EncoderPage) -> list[QPushButton]:
    states = ("Fetch multilingual-e5-small…", "Fetch gte-small…", "Cancel", "On this computer")
    return [each for each in page.findChildren(QPushButton) if each.text() in states]


def buttons(page: EncoderPage) -> dict[str, QRadioButton]:
    return {each.text(): each for each in page.findChildren(QRadioButton)}


def test_nothing_changes_before_the_encoders_are_known(page: EncoderPage) -> None:
    assert page.encoder() == ""


def test_a_build_that_cannot_convert_says_so(page: EncoderPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "as they are published" not in said(page)
    monkeypatch.setitem(sys.modules, "onnx", None)
    frozen = EncoderPage("")
    qtbot.addWidget(frozen)
    assert "keeps them as they are published" in said(frozen)


def test_an_encoder_is_chosen_and_its_cost_is_said(page: EncoderPage) -> None:
    page.show_encoders(CHOICES, 96_000)
    assert buttons(page)["English"].isChecked()
    assert "all-MiniLM-L6-v2" in said(page)
    buttons(page)["10 languages (multilingual-e5-small)"].click()
    assert page.encoder() == "/encoders/e5"
    assert "All 96,000 sentences" in said(page)
    assert "20 minutes" in said(page)
    buttons(page)["English"].click()
    assert page.encoder() == ""
    assert "prepared again" not in said(page)


def test_an_encoder_in_another_folder_stays_chosen(qtbot: QtBot) -> None:
    page = EncoderPage("/elsewhere/own")
    qtbot.addWidget(page)
    page.show_encoders(CHOICES, 1)
    assert page.encoder() == "/elsewhere/own"


def test_every_encoder_that_can_be_fetched_is_named(page: EncoderPage) -> None:
    offered = {button.accessibleDescription() for button in offers(page)}
    assert offered == {known.name for known in KNOWN if known.files}


def test_the_shipped_encoder_is_listed() -> None:
    (shipped,) = [each for each in _encoder_choices(Stop()) if each.value == ""]
    assert (shipped.name, shipped.languages) == (encoder_folder().name, ("en",))


def test_an_encoder_that_was_chosen_in_another_folder_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "home"))
    private_folder(tmp_path / "home")
    elsewhere = tmp_path / "disk" / "mine"
    elsewhere.mkdir(parents=True)
    (elsewhere / "model.onnx").write_bytes(bytes(2_000_000))
    save(settings_file(), replace(Settings(), encoder=str(elsewhere)))
    page = EncoderPage(str(elsewhere))
    qtbot.addWidget(page)
    page.show_encoders(_encoder_choices(Stop()), 1)
    assert {name: button.isChecked() for name, button in buttons(page).items()} == {
        "English": False,
        "Other languages (mine)": True,
    }
    assert "1.9 MB" in said(page)
    (elsewhere / "model.onnx").unlink()
    assert [choice.bytes for choice in _encoder_choices(Stop()) if choice.name == "mine"] == [0]


def test_each_command_can_be_copied(page: EncoderPage) -> None:
    commands = [field.text() for field in page.findChildren(QLineEdit)]
    assert commands == ["desktop-rag encoder add FOLDER"]
    copies = [button for button in page.findChildren(QPushButton) if button.text() == "Copy"]
    for command, copy in zip(commands, copies, strict=True):
        copy.click()
        assert QGuiApplication.clipboard().text() == command


def test_an_encoder_is_fetched_with_progress_and_can_be_cancelled(page: EncoderPage, qtbot: QtBot) -> None:
    page.show_encoders(CHOICES[:1], 1)
    e5, gte = offers(page)
    with qtbot.waitSignal(page.fetch_requested) as asked:
        e5.click()
    assert asked.args == ["multilingual-e5-small"]
    page.show_progress("multilingual-e5-small", EncoderProgress(120, 487))
    assert "multilingual-e5-small: 120 of 487 MB fetched" in said(page)
    assert (e5.text(), gte.isEnabled()) == ("Cancel", False)
    with qtbot.waitSignal(page.fetch_stopped):
        e5.click()
    page.end_fetch()
    assert "multilingual-e5-small was not added." in said(page)
    assert (e5.text(), gte.isEnabled()) == ("Fetch multilingual-e5-small…", True)
    page.show_progress("multilingual-e5-small", EncoderProgress())
    assert "converted and tested" in said(page)
    page.show_encoders(CHOICES, 1)
    page.end_fetch()
    assert "Choose it above" in said(page)
    assert (e5.text(), e5.isEnabled()) == ("On this computer", False)
    assert set(buttons(page)) == {"English", "10 languages (multilingual-e5-small)"}


def test_what_an_encoder_costs_is_said_before_it_is_fetched(page: EncoderPage) -> None:
    words = said(page)
    assert "487 MB to fetch, 129 MB afterwards; 480 MB of memory while in use, and encoding takes 2.4 times" in words
    assert "134 MB to fetch, 35 MB afterwards; 110 MB of memory while in use, and encoding takes 1.9 times" in words


def test_nothing_is_fetched_without_consent_that_names_the_host(qtbot: QtBot) -> None:
    known = known_encoder("multilingual-e5-small")
    dialog = FetchDialog(known)
    qtbot.addWidget(dialog)
    words = " ".join(label.text() for label in dialog.findChildren(PlainLabel))
    assert f"{round(known.download_bytes / 1e6)} MB are fetched from huggingface.co" in words


@pytest.mark.processes
def test_the_fetch_of_an_encoder_that_is_here_ends_at_once() -> None:
    assert {progress.total for progress in get_encoder("all-MiniLM-L6-v2", Stop())} <= {0}  # the real child


@pytest.mark.processes
def test_progress_and_errors_of_the_child_arrive() -> None:
    says = "import sys; print('3 of 1,487 MB\\nNothing was fetched\\nNo network.', file=sys.stderr); sys.exit(1)"
    events = get_encoder("x", Stop(), [sys.executable, "-c", says])
    assert next(events) == EncoderProgress(3, 1487)
    with pytest.raises(EncoderError, match=r"^No network\.$"):
        list(events)


@pytest.mark.processes
def test_stop_ends_the_child() -> None:
    stop = Stop()
    says = "import sys, time; print('1 of 9 MB', file=sys.stderr, flush=True); time.sleep(600)"
    events = get_encoder("x", stop, [sys.executable, "-c", says])
    assert next(events) == EncoderProgress(1, 9)
    stop.set()
    with pytest.raises(Stopped):
        list(events)
