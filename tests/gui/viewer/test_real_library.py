"""The viewer on a real library, read through the searcher process."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.gui.theme.theme import Look
from desktop_rag.gui.viewer.document_loading import open_target
from desktop_rag.gui.viewer.tabs.document_tab import DocumentTab
from desktop_rag.gui.viewer.tabs.viewer_panel import ViewerPanel
from desktop_rag.gui.viewer.viewer_events import QuoteFound, Target, ViewMode, target_of_hit
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary

LEASE = "# Lease\n\nThe rent is **840** euros,\nraised [once](https://a.b) a year.\n\n" + "Filler.\n\n" * 2_000
PRICES = "name,price\n" + "".join(f"item {number},{number * 2}\n" for number in range(1, 5_000))
MAIL = "From: Ada <ada@example.org>\nSubject: Rent\nContent-Type: text/plain\n\nIt is due.\n\n> When?\n"
FILES = {"lease.md": LEASE, "prices.csv": PRICES, "rent.eml": MAIL}


@pytest.fixture
def library(tmp_path: Path) -> Iterator[SmallLibrary]:
    library = SmallLibrary(tmp_path)
    library.add(FILES)
    yield library
    library.close()


@pytest.fixture
def panel(library: SmallLibrary, look: Look, qtbot: QtBot) -> Iterator[ViewerPanel]:
    client = SearcherClient(library.layout.folder)
    panel = ViewerPanel(client)
    qtbot.addWidget(panel)
    panel.resize(640, 700)
    panel.show()
    yield panel
    panel.shutdown()
    client.close()


def opened(panel: ViewerPanel, library: SmallLibrary, name: str, line: int, qtbot: QtBot) -> DocumentTab:
    path = library.files / "home" / name
    panel.open_target(Target(library.content(name), "", str(path), name, line, line))
    tab = panel.current_tab()
    assert tab is not None
    qtbot.waitUntil(lambda: tab.found is not None and not tab.is_busy(), timeout=60_000)
    return tab


def test_markdown_opens_as_clean_page_with_inline_marks(
    panel: ViewerPanel, library: SmallLibrary, qtbot: QtBot
) -> None:
    tab = opened(panel, library, "lease.md", 4, qtbot)
    assert tab.body.mode is ViewMode.CLEAN
    assert tab.highlighted_text() == "raised [once](https://a.b) a year."
    tab.body.rendered.select_all()
    assert tab.body.rendered.selected().text.startswith("Lease\n\nThe rent is 840 euros, raised once a year.")
    assert tab.body.rendered.cited_areas()


@pytest.mark.parametrize(
    ("query", "name", "mode", "words"),
    [
        ("raise rents", "lease.md", Mode.KEYWORD, ["rent", "raised"]),
        ('"840 euros"', "lease.md", Mode.KEYWORD, ["840** euros"]),
        ('"euros, raised"', "lease.md", Mode.EXACT, ["euros,", "raised"]),
        ("item 3000", "prices.csv", Mode.KEYWORD, ["item", "3000"]),
        ("it due", "rent.eml", Mode.KEYWORD, ["due"]),
    ],
)
def test_a_search_hit_is_opened_with_the_words_it_was_found_by(
    panel: ViewerPanel, library: SmallLibrary, qtbot: QtBot, query: str, name: str, mode: Mode, words: list[str]
) -> None:
    client = SearcherClient(library.layout.folder)
    try:
        found = client.search(SearchRequest(query, mode), Stop())
        hit = next(hit for hit in found.hits if hit.path.name == name)
        opening = open_target(target_of_hit(hit), client, Stop())
        (quote,) = (event for event in opening if isinstance(event, QuoteFound))
        lines = client.read_lines(hit.content, 1, 10_000, Stop()).lines
    finally:
        client.close()
    marked = list(quote.words)
    assert [word for word in words if word in marked] == words, marked
    assert [lines[line - 1][start:end] for line, start, end in quote.marks] == marked
    panel.open_target(target_of_hit(hit))
    tab = panel.current_tab()
    assert tab is not None
    qtbot.waitUntil(lambda: tab.found is not None and not tab.is_busy(), timeout=60_000)
    with_marks = tab.grab().toImage()
    tab.body.show_quote(QuoteFound((), ()))
    assert tab.grab().toImage() != with_marks


def test_switching_between_page_and_source_keeps_the_position(
    panel: ViewerPanel, library: SmallLibrary, qtbot: QtBot
) -> None:
    tab = opened(panel, library, "lease.md", 2_002, qtbot)
    tab.body.choose(ViewMode.TEXT)
    qtbot.waitUntil(lambda: tab.body.text.editor.holds(2_002) and tab.body.shows_line(2_002), timeout=60_000)
    tab.body.choose(ViewMode.CLEAN)
    qtbot.waitUntil(lambda: not tab.is_busy() and bool(tab.body.rendered.cited_areas()), timeout=60_000)
    assert tab.body.shows_line(2_002)


def test_a_table_is_shown_at_the_cited_row(panel: ViewerPanel, library: SmallLibrary, qtbot: QtBot) -> None:
    tab = opened(panel, library, "prices.csv", 3_001, qtbot)
    assert tab.body.mode is ViewMode.TABLE
    assert tab.body.sheet.reference() == "A3001:B3001"
    assert tab.highlighted_text() == "item 3000\t6000"


def test_a_mail_has_its_fields_and_its_words(panel: ViewerPanel, library: SmallLibrary, qtbot: QtBot) -> None:
    tab = opened(panel, library, "rent.eml", 1, qtbot)
    assert tab.body.mode is ViewMode.CLEAN
    tab.body.select_all()
    text = tab.body.view.selected().text
    assert text.startswith("From\tAda <ada@example.org>")
    assert "It is due." in text
    assert "When?" in text
