from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop_rag.agent.events import AnswerDelta, Answered, Claim, Coverage, Phrasing, ReadDocument, Unread
from desktop_rag.agent.prompts import NOT_FOUND_OPENING
from desktop_rag.gui.conversation.answer.notice_card import CoverageCard, summary
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.conversation.turn_view import TurnView
from tests.gui.conversation.conftest import CONTEXT, USAGE

REPORT = Coverage(
    phrasings=(Phrasing("unicorn rent", "keyword", 0), Phrasing("unicorn", "hybrid", 3, more=True)),
    unmatched=("unicorn",),
    documents=1_240,
    read=(ReadDocument("/home/me/lease.pdf", "Lease", 40),),
    by_meaning=0.5,
    waiting=4,
    failed=1,
    partial=3,
    scans=2,
    scan_pages=37,
    offline=("/media/stick",),
    unread=(Unread("/home/me/broken.pdf", "It is damaged."),),
)
SAID = "Paris is in France."
NOTHING = Answered("Nothing about unicorns.", (), CONTEXT, USAGE, 3.0, 2, found=False, coverage=REPORT)


def test_the_report_is_summarized_in_a_sentence() -> None:
    assert summary(REPORT) == (
        "Searched 1,240 documents with 2 queries, read 1 of them. Not searched: 4 files not indexed yet, "
        "pages without text in 2 files, 1 file that could not be read, parts of 1 file, 50% of the text by meaning."
    )
    assert summary(Coverage((), (), 1, ())) == "No search was run in 1 document."


def test_the_report_expands_and_collapses(qtbot: QtBot) -> None:
    card = CoverageCard("No answer found in your library", REPORT)
    qtbot.addWidget(card)
    card.show()
    assert card.report() == ""
    QTest.mouseClick(card.more, Qt.MouseButton.LeftButton)
    assert card.report().splitlines() == [
        "Searched",
        "“unicorn rent” (keyword): 0 passages",
        "“unicorn” (hybrid): the best 3 passages",
        "In no document",
        "“unicorn”",
        "Read",
        "lease.pdf: 40 lines",
        "Not searched",
        "4 files not indexed yet",
        "pages without text in 2 files",
        "1 file that could not be read",
        "parts of 1 file",
        "50% of the text by meaning",
        "/media/stick is not connected; the text indexed last was searched",
        "broken.pdf: It is damaged.",
    ]
    QTest.mouseClick(card.more, Qt.MouseButton.LeftButton)
    assert card.report() == ""


@pytest.mark.parametrize(
    ("answered", "title"),
    [
        (NOTHING, "No answer found in your library"),
        (replace(NOTHING, found=True, text=SAID, claims=(Claim(0, 19, "uncited"),)), "No source named"),
        (replace(NOTHING, found=True, text=SAID, claims=(Claim(0, 19, "silent"),)), "Not found in the cited lines"),
    ],
)
def test_an_unsupported_answer_shows_the_report(
    qtbot: QtBot, answered: Answered, title: str, requests: ConversationRequests
) -> None:
    turn = TurnView(1, "Where do unicorns live?", requests)
    qtbot.addWidget(turn)
    turn.show()
    turn.append(answered)
    (card,) = turn.cards()
    assert isinstance(card, CoverageCard)
    assert card.accessibleName().startswith(f"{title}. ")
    assert "Searched 1,240 documents" in card.accessibleName()


def test_a_greeting_is_not_called_unsupported(qtbot: QtBot, requests: ConversationRequests) -> None:
    turn = TurnView(1, "Hello!", requests)
    qtbot.addWidget(turn)
    turn.append(replace(NOTHING, found=True, text="Hello! How can I help you?"))
    assert turn.cards() == ()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"{NOT_FOUND_OPENING} Searched for “unicorns”.", "Searched for “unicorns”."),
        ("This was not found in your documents. 2 queries.", "2 queries."),
        (NOT_FOUND_OPENING, ""),
        ("Nothing about unicorns.", "Nothing about unicorns."),
    ],
)
def test_not_found_is_said_once(qtbot: QtBot, text: str, shown: str, requests: ConversationRequests) -> None:
    turn = TurnView(1, "Where do unicorns live?", requests)
    qtbot.addWidget(turn)
    turn.append(AnswerDelta(text))
    turn.append(replace(NOTHING, text=text))
    assert turn.answer.markdown == shown
    (card,) = turn.cards()
    assert card.accessibleName().startswith("No answer found in your library. ")
