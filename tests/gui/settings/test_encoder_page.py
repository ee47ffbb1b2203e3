"""The page on search by meaning: the encoders on this computer, what they are for, and what a change costs."""

import sys

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QPushButton, QRadioButton
from pytestqt.qtbot import QtBot

from desktop_rag.gui.settings.encoder_page import EncoderChoice, EncoderPage
from desktop_rag.gui.settings.insight_control import _encoder_choices
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.index.encoding.known_encoders import KNOWN
from desktop_rag.paths import encoder_folder
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
    assert buttons(page)["all-MiniLM-L6-v2"].isChecked()
    assert "English" in said(page)
    assert "10 languages" in said(page)
    buttons(page)["multilingual-e5-small"].click()
    assert page.encoder() == "/encoders/e5"
    assert "All 96,000 sentences" in said(page)
    assert "20 minutes" in said(page)
    buttons(page)["all-MiniLM-L6-v2"].click()
    assert page.encoder() == ""
    assert "encoded again" not in said(page)


def test_an_encoder_in_another_folder_stays_chosen(qtbot: QtBot) -> None:
    page = EncoderPage("/elsewhere/own")
    qtbot.addWidget(page)
    page.show_encoders(CHOICES, 1)
    assert page.encoder() == "/elsewhere/own"


def test_every_encoder_that_can_be_fetched_is_named(page: EncoderPage) -> None:
    assert all(f"encoder get {known.name}" in said(page) for known in KNOWN if known.files)


def test_the_shipped_encoder_is_listed() -> None:
    (shipped,) = [each for each in _encoder_choices(Stop()) if each.value == ""]
    assert (shipped.name, shipped.languages) == (encoder_folder().name, ("en",))


def test_each_command_can_be_copied(page: EncoderPage) -> None:
    commands = [field.text() for field in page.findChildren(QLineEdit)]
    assert "desktop-rag encoder get gte-small" in commands
    for command, copy in zip(commands, page.findChildren(QPushButton), strict=True):
        copy.click()
        assert QGuiApplication.clipboard().text() == command
