import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.gui.search.search_start import SearchHelp
from desktop_rag.retrieval.query.parser import parse


@pytest.fixture
def help_page(qtbot: QtBot) -> SearchHelp:
    page = SearchHelp()
    qtbot.addWidget(page)
    return page


def test_every_example_is_understood(help_page: SearchHelp) -> None:
    assert help_page.examples()
    for button in help_page.examples():
        query = parse(button.example)
        assert query.words is not None or query.files is not None


def test_examples_have_room_for_two_lines_when_the_window_becomes_narrow(help_page: SearchHelp, qtbot: QtBot) -> None:
    help_page.resize(900, 500)
    help_page.show()
    first = help_page.examples()[0]
    qtbot.waitUntil(lambda: first.width() > 800)
    wide = first.height()
    help_page.resize(560, 500)
    qtbot.waitUntil(lambda: first.width() < 560 and first.height() >= wide + first.fontMetrics().height())
    help_page.resize(900, 500)
    qtbot.waitUntil(lambda: first.height() == wide)
