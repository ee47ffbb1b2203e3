import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.gui.search.search_help import SearchHelp
from desktop_rag.retrieval.query import parse


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
