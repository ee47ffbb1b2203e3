"""What buttons, headers and charts paint by hand stands on the other side for those who read from the right."""

import ast
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QPushButton, QWidget
from pytestqt.qtbot import QtBot

import desktop_rag.gui
from desktop_rag.agent.question import ExampleQuestion
from desktop_rag.gui.conversation.answer.notice_card import NoticeCard, NoticeTone
from desktop_rag.gui.conversation.composer.composer import ChoiceButton
from desktop_rag.gui.conversation.composer.scope_row import FolderChip, RestrictionChip
from desktop_rag.gui.conversation.composer.token_meter import ReserveSlider, TokenMeter
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.conversation.timeline.run_story import StoryEntry, StoryPhase
from desktop_rag.gui.conversation.timeline.timeline import TimelineHeader
from desktop_rag.gui.conversation.timeline.timeline_rows import CallGroupHeader, EntryRow
from desktop_rag.gui.conversation.welcome import SuggestionButton
from desktop_rag.gui.files.files_page import BarRows
from desktop_rag.gui.library.library_switch import LibrarySwitch
from desktop_rag.gui.search.facet_list import DateHistogram
from desktop_rag.gui.search.search_start import ExampleButton
from desktop_rag.gui.theme.theme import set_margins
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.widgets.chips import Chip, FlowRow
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.index.records import FolderId
from desktop_rag.retrieval.api import Facet
from desktop_rag.retrieval.query.tree import FileField, Filter
from tests.gui.conversation.conftest import CONTEXT, USAGE

GAP = 14  # pixels between two things
OFF = 4  # pixels that a thing may be off its place: letters are not mirrored


def _call_group() -> QWidget:
    header = CallGroupHeader()
    header.show_state("3 actions at once", "0.5 s", waiting=False)
    return header


def _timeline() -> QWidget:
    header = TimelineHeader()
    header.show_status("Answered", "in 12 s", StoryPhase.ANSWERED)
    return header


def _entry() -> QWidget:
    entry = StoryEntry("a", 1, "search", "Searching", thought="", seconds=0.5, done=True)
    return EntryRow(entry, ConversationRequests(ViewerRequests()))


def _meter() -> QWidget:
    meter = TokenMeter()
    meter.show_use(CONTEXT, USAGE)
    return meter


def _reserve() -> QWidget:
    slider = ReserveSlider()
    slider.show_use(CONTEXT)
    return slider


def _statistics() -> QWidget:
    rows = BarRows("Types")
    rows.show_bars([("PDF", 30, "30")])
    return rows


def _histogram() -> QWidget:
    histogram = DateHistogram()
    counts = {"2021": 1, "2022": 4, "2024": 3}
    histogram.show_dates([Facet(year, count, Filter(FileField.DATE, year)) for year, count in counts.items()], ())
    return histogram


def _flow() -> QWidget:
    row = FlowRow()
    row.set_items([QPushButton("One"), QPushButton("The other one")])
    return row


PAINTED: Mapping[str, Callable[[], QWidget]] = {
    "chip": lambda: Chip("Lease", "page 7", "folder"),
    "folder chip": lambda: FolderChip(FolderId(1), "Papers"),
    "restriction": lambda: RestrictionChip("PDF"),
    "flow of chips": _flow,
    "library switch": LibrarySwitch,
    "timeline header": _timeline,
    "call group header": _call_group,
    "step": _entry,
    "token meter": _meter,
    "reserve": _reserve,
    "statistics": _statistics,
    "date histogram": _histogram,
    "choice": lambda: ChoiceButton("list"),
    "suggestion": lambda: SuggestionButton(ExampleQuestion("Who pays?", "Lease.md")),
    "search example": lambda: ExampleButton("rent AND due", "both words"),
    "label": lambda: PlainLabel("96 pages"),
    "notice": lambda: NoticeCard(NoticeTone.CALM, "Stopped", ""),
}


@pytest.fixture(autouse=True)
def back_again(qapp: QApplication) -> Iterator[None]:
    yield
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def _things(widget: QWidget, size: QSize) -> list[tuple[int, int]]:
    """Return where the things painted in the middle of a widget begin and end, from the left."""
    widget.resize(size)
    picture = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(picture.constBits(), np.uint32).reshape(picture.height(), picture.width())
    band = pixels[picture.height() // 5 : -picture.height() // 5]
    grounds = np.array([np.bincount(np.unique(row, return_inverse=True)[1]).argmax() for row in band])
    inks = [row != np.unique(row)[ground] for row, ground in zip(band, grounds, strict=True)]
    columns = np.flatnonzero(np.logical_or.reduce(inks))
    breaks = np.flatnonzero(np.diff(columns) > GAP)
    starts, ends = (*columns[:1], *columns[breaks + 1]), (*columns[breaks], *columns[-1:])
    return [(int(start), int(end)) for start, end in zip(starts, ends, strict=True)]


@pytest.mark.parametrize("name", PAINTED)
@pytest.mark.usefixtures("letters")
def test_what_is_painted_changes_sides(name: str, qtbot: QtBot, qapp: QApplication) -> None:
    places: list[list[tuple[int, int]]] = []
    for direction in (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft):
        qapp.setLayoutDirection(direction)
        widget = PAINTED[name]()
        qtbot.addWidget(widget)
        size = QSize(420, widget.heightForWidth(420) if widget.hasHeightForWidth() else widget.sizeHint().height())
        places.append(_things(widget, size))
    from_left, from_right = places
    expected = [(419 - end, 419 - start) for start, end in reversed(from_left)]
    assert len(from_right) == len(expected), (from_left, from_right)
    assert from_left != expected, "the picture is the same from both sides"
    assert np.allclose(from_right, expected, atol=OFF), (from_left, from_right)


def test_the_bars_of_the_dates_are_chosen_where_they_are(qtbot: QtBot, qapp: QApplication) -> None:
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    histogram = _histogram()
    assert isinstance(histogram, DateHistogram)
    qtbot.addWidget(histogram)
    histogram.resize(220, histogram.sizeHint().height())
    chosen = list[object]()
    histogram.chosen.connect(chosen.append)
    assert histogram.bar_rect(0).left() > histogram.bar_rect(1).left()
    QTest.mouseClick(histogram, Qt.MouseButton.LeftButton, pos=histogram.bar_rect(0).center())
    QTest.keyClick(histogram, Qt.Key.Key_Left)  # to the next year
    QTest.keyClick(histogram, Qt.Key.Key_Return)
    assert [each.text for each in chosen if isinstance(each, Filter)] == ["2021", "2022"]


def test_the_boundary_of_the_answer_is_dragged_where_it_is(qtbot: QtBot, qapp: QApplication) -> None:
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    slider = _reserve()
    assert isinstance(slider, ReserveSlider)
    qtbot.addWidget(slider)
    slider.resize(328, 26)
    slider.setEnabled(True)
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPointF(44, 13).toPoint())
    kept = slider.reserve
    QTest.mouseMove(slider, QPointF(24, 13).toPoint())
    assert slider.reserve < kept  # the answer is at the left


def test_margins_are_set_by_the_direction_of_reading(qapp: QApplication) -> None:
    source = Path(desktop_rag.gui.__file__).parent
    calls = (
        (path.name, call.args)
        for path in source.rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        if call.func.attr == "setContentsMargins" and path.name != "theme.py"
    )
    assert [name for name, args in calls if len(args) == 4 and ast.dump(args[0]) != ast.dump(args[2])] == []
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    row = QHBoxLayout()
    set_margins(row, 12, 1, 3, 0)
    margins = row.contentsMargins()
    assert (margins.left(), margins.right()) == (3, 12)
