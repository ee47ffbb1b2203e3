"""A viewer over a library in memory, with the real painter."""

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.agent.events import Citation
from desktop_rag.documents.render.painter_client import Painter
from desktop_rag.gui.theme.theme import Look
from desktop_rag.gui.viewer.tabs.document_tab import DocumentTab
from desktop_rag.gui.viewer.tabs.viewer_panel import ViewerPanel
from desktop_rag.settings import Theme
from tests.gui.viewer.memory_retriever import MemoryFile, MemoryRetriever

Opened = Callable[[Citation], DocumentTab]


def cite(stored: MemoryFile, words: str, lines: int = 1, number: int = 1) -> Citation:
    """Return a citation of the line that contains `words`, and `lines` - 1 after it."""
    first = next(index for index, line in enumerate(stored.lines, 1) if words in line)
    last = first + lines - 1
    start = max(1, first - 3)
    return Citation(
        number=number,
        reference=f"turn1search{number}",
        content=stored.content,
        sha256=stored.sha256,
        path=str(stored.path or "/gone/away.md"),
        title=stored.document.title,
        format=stored.document.format,
        page=stored.document.page_of(first) if stored.document.pages else None,
        first_line=first,
        last_line=last,
        quote=words,
        passage="\n".join(stored.lines[start - 1 : last + 3]),
        passage_first_line=start,
        verdict="verbatim",
    )


def of_other_bytes(citation: Citation) -> Citation:
    """Return the citation as if the file had had other bytes then."""
    return dataclasses.replace(citation, sha256="0" * 64)


@pytest.fixture
def retriever() -> MemoryRetriever:
    return MemoryRetriever()


@pytest.fixture
def look(qapp: QApplication) -> Look:
    look = Look(qapp)
    look.use(Theme.LIGHT)
    return look


@pytest.fixture
def panel(retriever: MemoryRetriever, look: Look, qtbot: QtBot) -> Iterator[ViewerPanel]:
    panel = ViewerPanel(retriever, Painter)
    qtbot.addWidget(panel)
    panel.resize(640, 700)
    panel.show()
    yield panel
    retriever.gate.set()
    panel.shutdown()


@pytest.fixture
def opened(panel: ViewerPanel, qtbot: QtBot) -> Opened:
    """Open a citation and wait until its document has been read."""

    def open_it(citation: Citation) -> DocumentTab:
        panel.open_citation(citation)
        tab = panel.current_tab()
        assert tab is not None
        qtbot.waitUntil(lambda: tab.found is not None and not tab.is_busy(), timeout=60_000)
        return tab

    return open_it


@pytest.fixture
def lease(retriever: MemoryRetriever, tmp_path: Path) -> MemoryFile:
    """A Markdown file of some length."""
    sections = [
        f"## {number}. Section\n\nText of section {number}, which is about **something** else.\n"
        for number in range(1, 31)
    ]
    sections[14] = (
        "## 15. Rent\n\nThe rent is 840 euros. It is raised once a year,\nbut never by more than four per cent.\n"
    )
    return retriever.add_text(tmp_path / "lease.md", "# Lease agreement\n\n" + "\n".join(sections))
