"""What the lists of facets show where a name has no room."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from desktop_rag.gui.search.facet_list import FacetList
from desktop_rag.retrieval.api import Facet, Facets, Filter
from desktop_rag.retrieval.query.tree import FileField

COMPANY = "The Harbour Society of Kiel and Flensburg"


def _authors(*names: str) -> Facets:
    return Facets(2, authors=tuple(Facet(name, 1, Filter(FileField.AUTHOR, name)) for name in names))


def _picture(shown: FacetList, row: int) -> QImage:
    return shown.viewport().grab(shown.visualRect(shown.model().index(row, 0))).toImage()


def test_the_name_of_an_author_is_cut_at_its_end(qtbot: QtBot) -> None:
    shown = FacetList()
    qtbot.addWidget(shown)
    shown.resize(180, 300)
    shown.show_facets(_authors("Ada", f"{COMPANY}, Office A", f"{COMPANY}, Board"), ())
    shown.show()
    assert _picture(shown, 2) == _picture(shown, 3)
    assert _picture(shown, 1) != _picture(shown, 2)


def test_the_tooltip_has_the_whole_name_and_no_code(qtbot: QtBot) -> None:
    shown = FacetList()
    qtbot.addWidget(shown)
    languages = tuple(Facet(code, 1, Filter(FileField.LANGUAGE, code)) for code in ("de", "fr"))
    authors = _authors(f'"{COMPANY}" <office@example.org>', "Ada").authors
    shown.show_facets(Facets(2, languages=languages, authors=authors), ())
    tips = [shown.model().index(row, 0).data(Qt.ItemDataRole.ToolTipRole) for row in range(shown.model().rowCount())]
    assert tips[1:3] == ["German", "French"]
    assert "office@example.org" in tips[4]
