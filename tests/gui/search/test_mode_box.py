"""The names of the ways to search are whole: in the box, and in its list however narrow the box is."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionComboBox
from pytestqt.qtbot import QtBot

from desktop_rag.gui.catalogues import install_catalogues
from desktop_rag.gui.search.query_row import OFFERED, ModeBox, names_of
from desktop_rag.gui.theme.theme import Look
from desktop_rag.settings import Theme


@pytest.fixture(params=["en", "de", "zh_CN"])
def box(request: pytest.FixtureRequest, qapp: QApplication, qtbot: QtBot) -> Iterator[ModeBox]:
    before, look = QLocale(), Look(qapp)
    look.use(Theme.LIGHT)
    install_catalogues(qapp, request.param)
    box = ModeBox()
    qtbot.addWidget(box)
    box.show()
    yield box
    for translator in qapp.findChildren(QTranslator):
        QCoreApplication.removeTranslator(translator)
        translator.setParent(None)
    QLocale.setDefault(before)


@pytest.mark.parametrize("short", [True, False])
def test_the_box_has_room_for_every_name(box: ModeBox, short: bool) -> None:
    box.set_short(short=short)
    option = QStyleOptionComboBox()
    part = QStyle.SubControl.SC_ComboBoxEditField
    box.initStyleOption(option)
    room = box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, box).width()
    advance = box.fontMetrics().horizontalAdvance
    assert room >= max(advance(names_of(mode)[short]) for mode in OFFERED)


def test_the_list_of_a_narrow_box_shows_whole_names(box: ModeBox) -> None:
    box.set_short(short=True)
    box.showPopup()
    view = box.view()
    advance = view.fontMetrics().horizontalAdvance
    assert view.viewport().width() >= max(view.sizeHintForColumn(0), *(advance(names_of(m)[0]) for m in OFFERED))
    box.hidePopup()


def test_a_short_name_is_explained(box: ModeBox) -> None:
    box.set_short(short=True)
    assert names_of(box.mode())[0] in box.toolTip()
    box.set_short(short=False)
    assert not box.toolTip()
