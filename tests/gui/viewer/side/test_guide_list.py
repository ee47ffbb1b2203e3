"""The guide of a document in a narrow panel."""

from pytestqt.qtbot import QtBot

from desktop_rag.gui.viewer.side.side_panel import GuideList


def test_the_button_for_a_summary_fits_a_narrow_panel(qtbot: QtBot) -> None:
    guide = GuideList()
    qtbot.addWidget(guide)
    guide.resize(120, 200)
    guide.show()
    assert guide.summary.geometry().right() < 120
    assert guide.summary.toolTip() == guide.summary.text() == "Summary and questions"
