"""What the lists of facets show where a name has no room."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from desktop_rag.gui.search.facet_list import FacetList, FacetModel
from desktop_rag.gui.search.filter_labels import filter_label
from desktop_rag.retrieval.api import Facet, Facets
from desktop_rag.retrieval.query.tree import FileField, Filter

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


def test_the_only_value_of_a_list_keeps_its_count_in_place(qtbot: QtBot) -> None:
    """A list of one value is no choice; while the pointer is here its row stays, with what was counted."""
    shown = FacetList()
    qtbot.addWidget(shown)
    shown.show_facets(_authors("Ada", "Grace"), ())
    shown.show_facets(_authors("Grace"), (), held=True)
    texts = [str(shown.model().index(row, 0).data()) for row in range(shown.model().rowCount())]
    assert texts == ["Author", "Ada, 0", "Grace, 1"]


def test_a_long_list_shows_its_first_values_and_the_ticked_one(qtbot: QtBot) -> None:
    shown = FacetList()
    qtbot.addWidget(shown)
    every = _authors(*(f"Author {number:02}" for number in range(30)))
    shown.show_facets(every, [every.authors[29].filter])
    texts = [str(shown.model().index(row, 0).data()) for row in range(shown.model().rowCount())]
    assert texts == ["Author", *(f"Author {number:02}, 1" for number in (*range(12), 29))]


def test_counts_of_the_best_documents_are_at_least_so_many(qtbot: QtBot) -> None:
    shown = FacetList()
    qtbot.addWidget(shown)
    shown.show_facets(replace(_authors("Ada", "Grace"), documents=9_000, about=True), ())
    row = shown.model().index(1, 0)
    assert row.data() == "Ada, 1+"
    assert "At least 1 document" in row.data(Qt.ItemDataRole.ToolTipRole)


def test_types_are_named_in_words_and_placeholders_are_no_authors() -> None:
    names = {suffix: filter_label(Filter(FileField.EXT, suffix)) for suffix in (".eml", ".pdf", ".xyz")}
    assert names == {".eml": "Mail (EML)", ".pdf": "PDF", ".xyz": "XYZ"}
    authors = tuple(
        Facet(name, 1, Filter(FileField.AUTHOR, name)) for name in ("(anonymous)", "Ada", "<bo@x.de>", "<unspecified>")
    )
    model = FacetModel()
    model.show_facets(Facets(4, authors=authors), ())
    assert [model.index(row).data() for row in range(model.rowCount())] == ["Author", "Ada, 1", "<bo@x.de>, 1"]
