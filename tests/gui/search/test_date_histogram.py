from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop_rag.gui.search.facet_list import MOST_BARS, DateHistogram, HistogramBar, bars_of
from desktop_rag.gui.search.filter_labels import filter_label
from desktop_rag.retrieval.api import Facet
from desktop_rag.retrieval.query.tree import FileField, Filter

DATE = FileField.DATE


def dates(**counts: int) -> tuple[Facet, ...]:
    named = {name.removeprefix("d").replace("_", "-"): count for name, count in counts.items()}
    return tuple(Facet(text, count, Filter(DATE, text)) for text, count in named.items())


def test_months_without_documents_have_their_place() -> None:
    assert bars_of(dates(d2023_11=2, d2024_02=1)) == (
        HistogramBar("2023-11", "2023-11", 2),
        HistogramBar("2023-12", "2023-12", 0),
        HistogramBar("2024-01", "2024-01", 0),
        HistogramBar("2024-02", "2024-02", 1),
    )
    assert bars_of(()) == ()


def test_many_years_are_put_together() -> None:
    bars = bars_of(dates(d1980=5, d2023=1, d2026=2))
    assert len(bars) <= MOST_BARS
    assert (bars[0].first, bars[0].last, bars[0].count) == ("1980", "1981", 5)
    assert bars[-1].last == "2026"
    assert sum(bar.count for bar in bars) == 8


def shown(qtbot: QtBot, *filters: Filter) -> tuple[DateHistogram, list[Filter | None]]:
    histogram = DateHistogram()
    qtbot.addWidget(histogram)
    histogram.resize(220, histogram.sizeHint().height())
    histogram.show_dates(dates(d2021=1, d2022=4, d2023=0, d2024=3), filters)
    histogram.show()
    chosen: list[Filter | None] = []
    histogram.chosen.connect(chosen.append)
    return histogram, chosen


def test_a_click_chooses_a_year_and_a_drag_a_range(qtbot: QtBot) -> None:
    histogram, chosen = shown(qtbot)
    QTest.mouseClick(histogram, Qt.MouseButton.LeftButton, pos=histogram.bar_rect(1).center())
    QTest.mousePress(histogram, Qt.MouseButton.LeftButton, pos=histogram.bar_rect(3).center())
    QTest.mouseMove(histogram, histogram.bar_rect(1).center())
    QTest.mouseRelease(histogram, Qt.MouseButton.LeftButton, pos=histogram.bar_rect(1).center())
    assert chosen == [Filter(DATE, "2022"), Filter(DATE, "2022 TO 2024")]
    histogram.hide()


def test_the_keyboard_chooses_a_range_hears_it_and_takes_it_back(qtbot: QtBot) -> None:
    histogram, chosen = shown(qtbot)
    histogram.setFocus()
    QTest.keyClick(histogram, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert histogram.accessibleDescription() == "2023 – 2024: 3 documents"
    QTest.keyClick(histogram, Qt.Key.Key_Return)
    histogram.show_dates(dates(d2021=1, d2022=4, d2023=0, d2024=3), [Filter(DATE, "2023 TO 2024")])
    QTest.keyClick(histogram, Qt.Key.Key_Return)
    QTest.keyClick(histogram, Qt.Key.Key_Delete)
    assert chosen == [Filter(DATE, "2023 TO 2024"), None, None]
    histogram.hide()


def test_one_moment_is_no_choice_but_a_chosen_one_stays_seen(qtbot: QtBot) -> None:
    histogram, _ = shown(qtbot)
    histogram.show_dates(dates(d2024=3), ())
    assert histogram.isHidden()
    histogram.show_dates(dates(d2024=3), [Filter(DATE, "2024")])
    assert not histogram.isHidden()
    histogram.hide()


def test_a_range_is_named_in_words() -> None:
    assert filter_label(Filter(DATE, "2023 TO 2024-03")) == "2023 – Mar 2024"
    assert filter_label(Filter(DATE, "2024-12")) == "Dec 2024"
    assert filter_label(Filter(FileField.AUTHOR, '"Voss, Lena" <voss@x.de>')) == "Voss, Lena"
    assert filter_label(Filter(FileField.AUTHOR, "<voss@x.de>")) == "<voss@x.de>"
