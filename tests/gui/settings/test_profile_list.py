"""The list of endpoints in the settings."""

from PySide6.QtWidgets import QListWidget, QStyleOptionComboBox
from pytestqt.qtbot import QtBot

from desktop_rag.gui.settings.profiles_page import ProfilesPage
from desktop_rag.gui.widgets.fields import ElidedComboBox
from desktop_rag.settings import Profile, Settings

LONG = "The gateway of the office in the other building"


def test_a_long_name_does_not_make_the_list_scroll_and_is_whole_in_its_tool_tip(qtbot: QtBot) -> None:
    page = ProfilesPage(
        Settings(profiles=(Profile(LONG, "http://localhost:1/v1", "m"), Profile("B", "http://b/v1", "m")))
    )
    qtbot.addWidget(page)
    page.show()
    (names,) = (found for found in page.findChildren(QListWidget) if found.accessibleName() == "Models")
    assert names.fontMetrics().horizontalAdvance(LONG) > names.viewport().width()
    assert names.horizontalScrollBar().maximum() == 0
    assert names.visualItemRect(names.item(0)).height() == names.visualItemRect(names.item(1)).height() > 8
    assert LONG in names.item(0).toolTip()


def test_the_model_that_answers_ends_with_an_ellipsis_where_it_has_no_room(qtbot: QtBot) -> None:
    page = ProfilesPage(Settings())
    qtbot.addWidget(page)
    page.show()
    (box,) = (found for found in page.findChildren(ElidedComboBox) if "answered" in found.accessibleName())
    option = QStyleOptionComboBox()
    for width, whole in ((900, True), (270, False)):
        box.resize(width, box.height())
        box.initStyleOption(option)
        assert (box.shown_text(option) == box.currentText()) is whole
        assert box.shown_text(option).endswith("…") is not whole
