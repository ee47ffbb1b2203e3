"""The program's own sentences in an answer follow the language of the window."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.agent.extractive.answer import NOTE, write_answer
from desktop_rag.agent.prompts import (
    CLOSEST,
    CLOSEST_ACROSS,
    LOOP_NOTES,
    NO_SOURCE,
    OTHER_LANGUAGE,
    QUOTED_PASSAGES,
    UNMENTIONED,
    closing_notice,
)
from desktop_rag.gui.conversation.answer.markdown_blocks import parse, plain_text
from desktop_rag.gui.conversation.answer.parsing import with_notes_translated
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.conversation.turn_view import TurnView
from desktop_rag.gui.formatting import library_name
from desktop_rag.index.libraries import FIRST_NAME
from desktop_rag.paths import resources
from desktop_rag.retrieval.api import LibraryFacts


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    catalogue = QTranslator(qapp)
    assert catalogue.load("desktop_rag_de", str(resources() / "translations"))
    QCoreApplication.installTranslator(catalogue)
    yield
    QCoreApplication.removeTranslator(catalogue)


def _shown(text: str) -> str:
    return plain_text([block for unit in with_notes_translated(parse(text)) for block in unit.blocks])


@pytest.mark.usefixtures("german")
def test_notes_are_translated_and_quotations_are_not() -> None:
    quotation = "> No sentence that answers this was found in your library. [1](cite:1)"
    shown = _shown(f"{quotation}\n\n{NOTE}")
    assert "No sentence that answers this was found in your library." in shown
    assert shown.endswith("Aus Ihren Dokumenten zitiert. Kein Sprachmodell hat dies geschrieben.")
    assert "The model *said* so." not in shown
    assert _shown("The model *said* so.") == "The model said so."
    for note in LOOP_NOTES:
        assert _shown(note) not in note
    both = _shown(f"{NO_SOURCE} {QUOTED_PASSAGES}")
    assert both.startswith("Das Modell hat dafür keine Quelle genannt")
    assert both.endswith("Stellen Ihrer Dokumente im Wortlaut:")


@pytest.mark.usefixtures("german")
def test_an_answer_that_was_not_found_names_its_words() -> None:
    answer = write_answer((), ("rent", "lease")).text.removeprefix("[not found] ")
    said = "Bibliothek wurde kein Satz gefunden, der dies beantwortet. Gesucht wurde nach"
    assert _shown(answer) == f"In Ihrer {said} „rent“, „lease“."
    assert _shown(CLOSEST).startswith("Die nächstliegende Stelle")
    assert _shown(CLOSEST_ACROSS).startswith("Die nächstliegende Stelle ist in einer anderen Sprache")
    chosen = write_answer((), ("rent",), only_chosen=True).text.removeprefix("[not found] ")
    assert _shown(chosen) == f"Im gewählten Teil Ihrer {said} „rent“."
    assert _shown("No quotation mentions “rent”, “lease” together.") == "Kein Zitat erwähnt „rent“, „lease“ zusammen."
    indexing = closing_notice(LibraryFacts(files=9, contents=9, chunks=9, coverage=0.92))
    assert (
        _shown(indexing) == "Die Bibliothek wird noch eingelesen; die Suche nach Bedeutung deckt bisher 92% davon ab."
    )
    assert _shown(OTHER_LANGUAGE).startswith("Ihre Frage und die meisten Ihrer Dokumente")
    assert _shown("Searched for gold in Alaska, they found none.").startswith("Searched for gold in Alaska, they")


@pytest.mark.usefixtures("german")
def test_only_a_library_that_nobody_named_is_translated() -> None:
    assert library_name(FIRST_NAME) == "Meine Bibliothek"
    assert library_name("Work") == "Work"


def test_notes_are_in_the_language_of_the_question(qtbot: QtBot, requests: ConversationRequests) -> None:
    turn = TurnView(1, "Wann muss die Miete gezahlt werden?", requests)
    qtbot.addWidget(turn)
    turn.answer.show_answer(f"{UNMENTIONED.format('“Miete”')}\n\n> The rent is due.\n\n{NOTE}")
    assert turn.answer.as_plain_text().split("\n\n") == [
        "Nichts von dem, was gelesen wurde, erwähnt „Miete“.",
        "    The rent is due.",
        "Aus Ihren Dokumenten zitiert. Kein Sprachmodell hat dies geschrieben.",
    ]


def test_english_stays_as_it_is(qapp: QApplication) -> None:
    assert _shown(NOTE) == NOTE.strip("*")
    assert library_name(FIRST_NAME) == FIRST_NAME
