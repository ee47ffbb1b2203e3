"""What a conversation says of the statements of an answer: while they are compared, and afterwards."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QPoint, Qt, QTranslator
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.agent.events import (
    BUILT_IN_MODEL,
    Alteration,
    AnswerRestarted,
    AnswerWritten,
    Claim,
    Coverage,
    Judgment,
    Mark,
    RunStarted,
)
from desktop_rag.gui import formatting
from desktop_rag.gui.catalogues import install_catalogues
from desktop_rag.gui.conversation.conversation_view import ConversationView
from desktop_rag.gui.conversation.sources.citation_card import CitationCard
from desktop_rag.gui.conversation.sources.sources_list import SourceDelegate
from desktop_rag.gui.theme.theme import current_colors
from desktop_rag.gui.viewer_requests import CardRequest
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from tests.gui.conversation.conftest import answer_deltas, answered, citation, working_events
from tests.gui.conversation.shown_events import run_in

FIRST, SECOND = "The rent is due early [1](cite:1).", "The deposit comes back late [2](cite:2)."
TEXT = f"{FIRST} {SECOND}"
CITED = (citation(1), replace(citation(2), quote="within six weeks"))
FACTS = (Claim(0, len(FIRST), "unchecked", (1,)), Claim(len(FIRST) + 1, len(TEXT), "unchecked", (2,)))
JUDGED = (
    replace(FACTS[0], mark="read", judgment=Judgment("says", "three months")),
    replace(FACTS[1], mark="otherwise", judgment=Judgment("contradicts", "six weeks")),
)
DONE = replace(answered(TEXT, CITED), claims=JUDGED)


@pytest.fixture
def other_language(qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[None]:
    before = QLocale()
    install_catalogues(qapp, request.param)
    yield
    for translator in qapp.findChildren(QTranslator):
        QCoreApplication.removeTranslator(translator)
        translator.setParent(None)
    QLocale.setDefault(before)


def test_the_answer_stands_while_it_is_compared_and_the_marks_join_it(view: ConversationView) -> None:
    run_in(view, [*working_events(), AnswerWritten(TEXT, CITED, FACTS)])
    (turn,) = view.turns
    assert turn.sources._header.text() == "Comparing with the cited lines… · 2 documents"
    assert turn.timeline.header.accessibleName().startswith("Comparing with the cited lines")
    assert "[2] “within six weeks”" in turn.answer.toPlainText()
    assert not turn.is_complete
    height = turn.answer.height()
    view.append(DONE)
    assert turn.sources._header.text() == (
        "2 statements: 1 read by the model, 1 that the model reads otherwise · 2 documents"
    )
    text = turn.answer.toPlainText()
    assert "early  1✓ ." in text
    assert "late  2! ." in text
    assert "[2] The model reads otherwise: “six weeks”." in text
    assert turn.answer.height() > height


def test_marks_that_join_a_long_answer_do_not_move_what_is_read(view: ConversationView, qtbot: QtBot) -> None:
    text = "\n\n".join([f"{FIRST} " * 3, *["Nothing else. " * 40] * 20])
    claims = (FACTS[0],)
    run_in(view, [*working_events(), *answer_deltas(), AnswerWritten(text, CITED, claims)])
    qtbot.waitUntil(lambda: not view.turns[0].answer.is_rendering)
    bar = view._scroll.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    QApplication.processEvents()
    before = view.turns[0].answer.mapTo(view, QPoint()).y()
    heights = {view.turns[0].answer.height()}
    view.turns[0].answer.document().documentLayout().documentSizeChanged.connect(
        lambda _: heights.add(view.turns[0].answer.height())
    )
    view.append(replace(answered(text, CITED), claims=(JUDGED[0],)))
    qtbot.waitUntil(lambda: not view.turns[0].answer.is_rendering)
    QApplication.processEvents()
    assert "1✓" in view.turns[0].answer.toPlainText()
    assert view.turns[0].answer.mapTo(view, QPoint()).y() == before
    assert len(heights) == 1


def test_an_answer_that_is_written_again_hides_the_sources_of_the_first(view: ConversationView) -> None:
    run_in(view, [*working_events(), AnswerWritten(TEXT, CITED, FACTS)])
    assert view.turns[0].sources.isVisible()
    view.append(AnswerRestarted(4))
    assert not view.turns[0].sources.isVisible()
    view.append(DONE)
    assert view.turns[0].sources.isVisible()


def test_an_answer_without_a_model_counts_passages(view: ConversationView) -> None:
    text = "> The landlord. [1](cite:1)\n\n> The tenant. [2](cite:2)"
    claims = (Claim(2, 27, "quoted", (1,)), Claim(31, len(text), "quoted", (2,)))
    run_in(view, [RunStarted("q", "full", BUILT_IN_MODEL, 1), replace(answered(text, CITED), claims=claims)])
    assert view.turns[0].sources._header.text() == "2 passages quoted · 2 documents"
    assert "✓" not in view.turns[0].answer.toPlainText()


def test_an_answer_of_an_earlier_version_says_so(view: ConversationView) -> None:
    claims = tuple(replace(claim, mark="earlier") for claim in FACTS)
    run_in(view, [*working_events(), replace(DONE, claims=claims)])
    assert view.turns[0].sources._header.text() == "2 statements: 2 checked by an earlier version · 2 documents"
    assert not any(sign in view.turns[0].answer.toPlainText() for sign in "✓!?")
    assert formatting.claim(claims[0]).startswith("Checked by an earlier version")


@pytest.mark.parametrize(
    ("other_language", "header", "against"),
    [
        ("en", "2 statements: 1 read by the model, 1 that the model reads otherwise", "The model reads otherwise"),
        ("de", "2 Aussagen: 1 vom Modell gelesen, 1 vom Modell anders gelesen", "Das Modell liest es anders"),
        ("zh_CN", "2 条陈述：1 条模型读到，1 条模型读到的不同", "模型读到的不同"),
    ],
    indirect=["other_language"],
)
@pytest.mark.usefixtures("other_language")
def test_marks_are_told_in_three_languages(view: ConversationView, header: str, against: str) -> None:
    run_in(view, [*working_events(), DONE])
    assert view.turns[0].sources._header.text().partition(" · ")[0] == header
    assert f"[2] {against}" in view.turns[0].answer.toPlainText()


@pytest.mark.parametrize(
    ("mark", "title"),
    [
        ("silent", "Not found in the cited lines"),
        ("otherwise", "The cited lines seem to say otherwise"),
        ("altered", "The cited lines seem to say otherwise"),
    ],
)
def test_the_report_of_a_refused_answer_says_what_was_found(view: ConversationView, mark: Mark, title: str) -> None:
    report = Coverage((), (), 3, ())
    claim = replace(FACTS[0], mark=mark, altered=Alteration("early", "late"))
    run_in(view, [*working_events(), replace(DONE, claims=(claim,), coverage=report)])
    assert title in [label.text() for label in view.findChildren(PlainLabel) if label.isVisible()]


def test_a_screen_reader_hears_what_speaks_against_a_statement(view: ConversationView) -> None:
    run_in(view, [*working_events(), DONE])
    answer: QAccessibleInterface = QAccessible.queryAccessibleInterface(view.turns[0].answer)
    text = answer.textInterface()
    assert "[2] The model reads otherwise: “six weeks”." in text.text(0, text.characterCount())
    model = view.turns[0].sources.view.model()
    rows = [str(model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)) for row in range(model.rowCount())]
    assert "Read by the model: “three months”." in rows[1]  # below the name of the document
    assert "The model reads otherwise: “six weeks”." in rows[2]


def test_only_a_refused_statement_is_told_in_another_colour_on_its_card(view: ConversationView, qtbot: QtBot) -> None:
    roles = {}
    for refused in (False, True):
        request = CardRequest(CITED[0], "What is known.", "", view.rect(), refused=refused)
        card = CitationCard(request, view)
        qtbot.addWidget(card)
        [label] = [each for each in card.findChildren(PlainLabel) if each.text() == "What is known."]
        roles[refused] = label.property("role")
    assert roles == {False: "caption", True: "caution"}


@pytest.mark.parametrize(
    ("mark", "color"),
    [("read", ""), ("unchecked", ""), ("silent", "warning_soft"), ("otherwise", "danger_soft")],
)
def test_a_true_quotation_has_no_mark_in_the_list_of_sources(view: ConversationView, mark: Mark, color: str) -> None:
    run_in(view, [*working_events(), replace(DONE, claims=(replace(FACTS[0], mark=mark),))])
    sources = view.turns[0].sources.view
    assert isinstance(sources.itemDelegate(), SourceDelegate)
    row = sources.visualRect(sources.model().index(1, 0))  # below the name of the document
    picture = sources.viewport().grab(row).toImage()
    shades = current_colors()
    soft = {name: getattr(shades, name) for name in ("success_soft", "warning_soft", "danger_soft")}
    seen = {picture.pixelColor(x, y).name() for x in range(row.width() - 40, row.width()) for y in range(row.height())}
    assert [name for name, shade in soft.items() if shade in seen] == ([color] if color else [])
