"""The cards and menus around an answer are readable in both themes, whole, and inside the window."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.documents.render.painter_client import Painter
from desktop_rag.gui.conversation.sources.citation_cards import CitationCards
from desktop_rag.gui.theme.theme import Look
from desktop_rag.gui.viewer_requests import CardRequest, ViewerRequests
from desktop_rag.settings import Theme
from tests.gui.picture_checks import PictureCheck
from tests.gui.viewer.conftest import cite
from tests.gui.viewer.memory_retriever import MemoryRetriever
from tests.slow_cases import slow_but

LEASE = "# Lease\n\n## 4. Rent\n\n" + "The rent is **840 euros** and is raised once a year. " * 40


@pytest.fixture(params=slow_but([Theme.LIGHT], [Theme.LIGHT, Theme.DARK]), ids=["light", "dark"])
def look(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[Look]:
    look = Look(qapp)
    look.use(request.param)
    yield look
    look.use(Theme.LIGHT)
    look.deleteLater()


@pytest.fixture
def check(tmp_path: Path) -> PictureCheck:
    return PictureCheck(tmp_path / "pictures")


@pytest.mark.usefixtures("look")
@pytest.mark.parametrize("size", [QSize(1280, 720), QSize(340, 480)], ids=["wide", "narrow"])
def test_the_card_of_a_citation(qtbot: QtBot, check: PictureCheck, tmp_path: Path, size: QSize) -> None:
    retriever, requests, window = MemoryRetriever(), ViewerRequests(), QWidget()
    qtbot.addWidget(window)
    window.resize(size)
    window.show()
    stored = retriever.add_text(tmp_path / f"{'a long name of a lease ' * 5}.md", LEASE)
    cards = CitationCards(retriever, requests, window, Painter)
    checked = "The document has these words. The statement says 850 euros, the lines say 840 euros."
    place = QRect(window.mapToGlobal(QPoint(200, 400)), QSize(20, 14))
    request = CardRequest(cite(stored, "raised once a year"), checked, "The file: changed.", place, by_key=True)
    requests.card_requested.emit(request)
    card = cards.card
    assert card is not None
    qtbot.waitUntil(lambda: card.heading_text == "4. Rent")
    for name in ("shown", "pinned"):
        check.check(window, f"card {name}")
        assert window.rect().contains(card.geometry())
        card.keep()
    cards.close()
    check.report()
