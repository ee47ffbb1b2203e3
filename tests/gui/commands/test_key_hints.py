"""Tool tips name the keys that are in use, not the default ones."""

from pytestqt.qtbot import QtBot

from desktop_rag.gui.command_parts import Commands
from desktop_rag.gui.search.search_page import SearchPage
from desktop_rag.gui.theme.icons import IconButton


def tips(page: SearchPage) -> set[str]:
    return {button.toolTip() for button in page.findChildren(IconButton)}


def test_the_buttons_of_the_search_follow_its_keys(qtbot: QtBot) -> None:
    page = SearchPage()
    qtbot.addWidget(page)
    assert {"Narrow down (Ctrl+Shift+F)", "Recent and saved searches (Ctrl+H)"} <= tips(page)
    Commands(page.commands(), page).use({"search.recent_searches": "F7", "search.narrow_down": ""})
    assert {"Narrow down", "Recent and saved searches (F7)"} <= tips(page)
    assert {button.accessibleName() for button in page.findChildren(IconButton)} >= {"Recent and saved searches"}
