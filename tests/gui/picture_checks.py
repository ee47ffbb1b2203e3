"""What a picture of the window must show: readable text, whole sentences, nothing beyond the screen."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QFontMetrics, QFontMetricsF, QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionFrame,
    QStyleOptionViewItem,
    QTableView,
    QTextEdit,
    QToolButton,
    QWidget,
)

from desktop_rag.gui.files.files_model import COLUMNS
from desktop_rag.gui.files.files_table import FileCells
from desktop_rag.index.file_rows import FileColumn

LEAST_CONTRAST = 4.5  # WCAG 2.1, 1.4.3
_BEARING = 2  # pixels after the last letter that may be cut
_IN_TOOL_TIP = (FileColumn.NAME, FileColumn.REASON, FileColumn.FOLDER)
_PATH = re.compile(r"[/\\]|\.\w{1,5}$")


def contrast(image: QImage, rect: QRect) -> float:
    """Return the contrast of the text in a part of a picture with its background; 1 if it has a single colour."""
    part = image.copy(rect.intersected(image.rect())).convertToFormat(QImage.Format.Format_RGB32)
    if part.isNull():
        return 1.0
    pixels = np.frombuffer(part.constBits(), np.uint32)  # the lines of this format have no padding
    found, counts = np.unique(pixels, return_counts=True)
    light = _luminance(np.stack([found >> 16 & 255, found >> 8 & 255, found & 255], axis=1) / 255.0)
    ground = light[counts.argmax()]
    seen = light[counts >= 2]  # a single pixel is no stroke of a letter
    high, low = np.maximum(seen, ground), np.minimum(seen, ground)
    return float(((high + 0.05) / (low + 0.05)).max()) if seen.size else 1.0


def _luminance(colors: np.ndarray) -> np.ndarray:
    """Return the relative luminance of sRGB colours (WCAG 2.1)."""
    linear = np.where(colors <= 0.04045, colors / 12.92, ((colors + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))


_NAMED = {
    QAccessible.Role.Button, QAccessible.Role.CheckBox, QAccessible.Role.ComboBox, QAccessible.Role.EditableText,
    QAccessible.Role.List, QAccessible.Role.RadioButton, QAccessible.Role.Slider, QAccessible.Role.SpinBox,
    QAccessible.Role.Table, QAccessible.Role.Tree,
}  # fmt: skip


@dataclass
class PictureCheck:
    """Takes pictures and collects what is wrong with them; writes those with faults to `folder`, all if `keep_all`."""

    folder: Path
    troubles: list[str] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    keep_all: bool = bool(os.environ.get("DESKTOP_RAG_PICTURES"))  # to look at them; compressing takes half the time

    def report(self) -> None:
        """Fail with everything that was found."""
        if self.troubles:
            raise AssertionError("\n".join(dict.fromkeys(self.troubles)))

    def check(self, top: QWidget, name: str) -> None:
        """Check a visible top-level widget: its place, its contrast, its sentences."""
        for _ in range(0 if top.windowType() is Qt.WindowType.ToolTip else 4):  # layouts settle in steps, tips go
            QApplication.processEvents()
        self.seen.add(name)
        image = top.grab().toImage()
        ratio = image.devicePixelRatio()
        image.setDevicePixelRatio(1.0)
        known = len(self.troubles)
        popups = (Qt.WindowType.Popup, Qt.WindowType.ToolTip)
        place = top.frameGeometry() if top.isWindow() else QRect(top.mapToGlobal(QPoint(0, 0)), top.size())
        if top.windowType() in popups:  # this platform gives them a frame when it likes
            place = top.geometry().adjusted(2, 2, -2, -2)
        if not any(screen.availableGeometry().contains(place) for screen in QApplication.screens()):
            self.troubles.append(f"{name}: {place} is beyond the screen")
        for what, text, rect in _texts(top):
            found = contrast(image, QRect((rect.topLeft() * ratio), (rect.size() * ratio)))
            if found < LEAST_CONTRAST:
                self.troubles.append(f"{name}: {what} “{text}” has a contrast of {found:.1f}")
        wrong = (*clipped(top), *_unnamed(top), *misplaced(top))
        self.troubles += [f"{name}: {trouble}" for trouble in wrong]
        if self.keep_all or len(self.troubles) > known:
            self.folder.mkdir(exist_ok=True)
            file = re.sub(r"[^\w -]", "_", name)[:80]
            image.save(str(self.folder / f"{len(self.seen):03} {file}.png"))


def misplaced(top: QWidget) -> Iterator[str]:
    """Yield the texts that lie over each other, or that end outside what shows them."""
    shown = [each for each in top.findChildren(QWidget) if each.isVisibleTo(top) and each.window() is top.window()]
    texts = [each for each in shown if _text(each) and not each.visibleRegion().isEmpty() and not _is_inside(each)]
    for at, one in enumerate(texts):
        around = one.parentWidget()
        if (
            around is not None
            and _is_laid_out(around)
            and not around.rect().adjusted(-1, -1, 1, 1).contains(one.geometry())
        ):
            yield f"{_described(one)} at {one.geometry()} ends outside {type(around).__name__} {around.rect()}"
        if (room := _width_that_shows(one)) is not None and room < one.minimumSizeHint().width():
            yield f"{_described(one)} is cut at the edge of what scrolls: {room} of {one.minimumSizeHint().width()}"
        for other in texts[at + 1 :]:
            both = one.geometry().intersected(other.geometry())
            if one.parent() is other.parent() and both.width() > 1 and both.height() > 1:
                yield f"{_described(one)} lies over {_described(other)}"


def _width_that_shows(widget: QWidget) -> int | None:
    """Return how much of the width of a button or label is inside a page that scrolls only up and down."""
    area = widget.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    if area is None or area.horizontalScrollBarPolicy() is not Qt.ScrollBarPolicy.ScrollBarAlwaysOff:
        return None
    left = widget.mapTo(area.viewport(), QPoint(0, 0)).x()
    return min(left + widget.width(), area.viewport().width()) - max(left, 0)


def _is_laid_out(around: QWidget) -> bool:
    """Return whether what is in a widget stands in a layout, not in what is scrolled."""
    return around.layout() is not None and not isinstance(around, QAbstractScrollArea)


def _described(widget: QWidget) -> str:
    return f"{type(widget).__name__} “{_text(widget)[:40]}”"


def _unnamed(top: QWidget) -> Iterator[str]:
    """Yield what a screen reader announces without a word: empty labels, controls without a name."""
    for widget in (top, *top.findChildren(QWidget)):
        if not widget.isVisibleTo(top) or widget.window() is not top.window():
            continue
        spoken = QAccessible.queryAccessibleInterface(widget)
        if spoken.text(QAccessible.Text.Name).strip() or _is_inside(widget):
            continue
        label = isinstance(widget, QLabel) and widget.pixmap().isNull()
        if label or (spoken.state().focusable and spoken.role() in _NAMED):
            yield f"{type(widget).__name__} in {type(widget.parent()).__name__} has no name"


def _is_inside(part: QWidget) -> bool:
    """Return whether a widget is a part of a named control, which is announced instead."""
    parent = part.parentWidget()
    while parent is not None and not isinstance(parent, QComboBox | QKeySequenceEdit):
        parent = parent.parentWidget()
    return parent is not None and bool(parent.accessibleName())


def _texts(top: QWidget) -> Iterator[tuple[str, str, QRect]]:
    """Yield the texts of enabled widgets that can be seen, with their places in `top`."""
    if isinstance(top, QMenu):
        for action in top.actions():
            if action.isVisible() and action.isEnabled() and action.text() and not action.isSeparator():
                yield "action", action.text(), top.actionGeometry(action).adjusted(4, 2, -4, -2)
        return
    for widget in (top, *top.findChildren(QWidget)):
        if not widget.isVisibleTo(top) or not widget.isEnabled() or widget.window() is not top.window():
            continue  # a tooltip is a window of its own
        seen = widget.visibleRegion().boundingRect()
        if seen.width() < 12 or seen.height() < widget.height() * 0.7:
            continue
        if isinstance(widget, QAbstractItemView):
            yield from _rows(widget, top)
        elif _is_covered(widget, top):
            continue
        elif text := _text(widget):
            inside = seen.adjusted(3, 3, -3, -3) if not isinstance(widget, QLabel) else seen
            yield type(widget).__name__, text, QRect(widget.mapTo(top, inside.topLeft()), inside.size())


def _is_covered(widget: QWidget, top: QWidget) -> bool:
    """Return whether something else lies over the middle of a widget, such as a card."""
    at = top.childAt(widget.mapTo(top, widget.visibleRegion().boundingRect().center()))
    return at is not None and at is not widget and not widget.isAncestorOf(at) and not at.isAncestorOf(widget)


def _rows(view: QAbstractItemView, top: QWidget) -> Iterator[tuple[str, str, QRect]]:
    model = view.model()
    port = view.viewport()
    seen = port.visibleRegion().boundingRect()  # a scroll area around the view may hide a part of it
    for row in range(min(40, model.rowCount())):
        index = model.index(row, 0)
        rect = view.visualRect(index)
        if rect.isValid() and seen.contains(rect.center()) and index.data():
            whole, rect = rect.height(), rect.intersected(seen).adjusted(3, 3, -3, -3)
            if rect.width() >= 12 and rect.height() >= max(8, whole * 0.7 - 6):
                yield "row", str(index.data()), QRect(port.mapTo(top, rect.topLeft()), rect.size())


def _text(widget: QWidget) -> str:
    if isinstance(widget, QLabel):
        return widget.text()
    if isinstance(widget, QAbstractButton):
        return widget.text()
    if isinstance(widget, QLineEdit):
        return widget.text() or widget.placeholderText()
    if isinstance(widget, QPlainTextEdit):
        return widget.toPlainText() or widget.placeholderText()
    if isinstance(widget, QTextEdit):
        return widget.toPlainText()
    if isinstance(widget, QComboBox):
        return widget.currentText()
    return "menu bar" if isinstance(widget, QMenuBar) else ""


def clipped(top: QWidget) -> Iterator[str]:
    """Yield the sentences that do not fit their labels, buttons and menus."""
    if isinstance(top, QMenu):
        for action in top.actions():
            words = action.text().partition("\t")[0].replace("&", "")
            if (
                action.isVisible()
                and QFontMetrics(top.font()).horizontalAdvance(words) > top.actionGeometry(action).width()
            ):
                yield f"action “{words}” is cut"
        return
    for widget in top.findChildren(QWidget):
        if widget.isVisibleTo(top):
            yield from _clipped_in(widget)


def _clipped_in(widget: QWidget) -> Iterator[str]:
    match widget:
        case QLabel() if widget.text():
            yield from _clipped_label(widget)
        case QAbstractButton() if widget.text():
            words, wished = widget.text().replace("&", ""), widget.sizeHint().width()
            sized = isinstance(widget, QToolButton | QPushButton) and wished > widget.width()
            if sized or widget.fontMetrics().horizontalAdvance(words) > widget.width():
                yield f"button “{words}” is cut: {wished} pixels in {widget.width()}"
        case QComboBox() if widget.currentText():
            yield from _clipped_choice(widget)
        case QLineEdit() | QPlainTextEdit() if widget.placeholderText():
            yield from _clipped_placeholder(widget)
        case QHeaderView() if widget.orientation() is Qt.Orientation.Horizontal:
            yield from _clipped_titles(widget)
        case QTableView() if isinstance(widget.itemDelegate(), FileCells):
            yield from _clipped_cells(widget)
        case _:
            pass


def _clipped_cells(table: QTableView) -> Iterator[str]:
    """Yield the numbers, days and states that are cut; names and sentences may be, which the tooltip has."""
    shown = [place for place, column in enumerate(COLUMNS) if column not in _IN_TOOL_TIP]
    for row, column in product(range(min(40, table.model().rowCount())), shown):
        index, room = table.model().index(row, column), table.columnWidth(column)
        needed = table.itemDelegate().sizeHint(QStyleOptionViewItem(), index).width()
        if not table.isColumnHidden(column) and needed > room:
            yield f"cell “{index.data()}” is cut: {needed} pixels in {room}"


def _clipped_placeholder(field: QLineEdit | QPlainTextEdit) -> Iterator[str]:
    words = field.placeholderText()
    if isinstance(field, QPlainTextEdit):
        margin = round(field.document().documentMargin())
        room = field.viewport().rect().adjusted(margin, margin, -margin, -margin)
        needed = field.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, words)
        if needed.width() > room.width() or needed.height() > room.height():
            yield f"placeholder “{words}” is cut: {needed.size()} in {room.size()}"
        return
    style = QStyleOptionFrame()
    field.initStyleOption(style)
    inside = field.style().subElementRect(QStyle.SubElement.SE_LineEditContents, style, field)
    margins = field.textMargins()
    buttons = sum(button.width() for button in field.findChildren(QToolButton) if button.isVisibleTo(field))
    room_ = inside.width() - margins.left() - margins.right() - buttons - 4  # Qt leaves two pixels on each side
    if not field.text() and (width := field.fontMetrics().horizontalAdvance(words)) > room_ and not field.toolTip():
        yield f"placeholder “{words}” is cut: {width} pixels in {room_}"


def _clipped_titles(header: QHeaderView) -> Iterator[str]:
    for section in range(header.count()):
        if not header.isSectionHidden(section) and header.sectionSizeHint(section) > header.sectionSize(section):
            title = header.model().headerData(section, Qt.Orientation.Horizontal)
            yield f"title “{title}” is cut: {header.sectionSizeHint(section)} pixels in {header.sectionSize(section)}"


def _clipped_choice(box: QComboBox) -> Iterator[str]:
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    control, field = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
    room = box.style().subControlRect(control, option, field, box).width() - 2  # the style draws inside a margin
    needed = QFontMetricsF(box.font()).horizontalAdvance(option.currentText)
    if needed > room + _BEARING and not box.toolTip() and not _PATH.search(option.currentText):
        yield f"choice “{option.currentText}” is cut: {needed:.1f} pixels in {room}"


def _clipped_label(label: QLabel) -> Iterator[str]:
    text, room = label.text(), label.contentsRect()
    if label.textFormat() is Qt.TextFormat.RichText or label.width() < 8:
        return
    if is_chopped(text) and not label.toolTip():
        yield f"“{text}” is shortened without a tooltip"
    if label.wordWrap():
        if label.heightForWidth(label.width()) > label.height() + 2:  # the space between two lines
            yield f"“{text}” needs {label.heightForWidth(label.width())} pixels, has {label.height()}"
    elif label.fontMetrics().size(0, text).width() > room.width() + 1:
        yield f"“{text}” is cut: {label.fontMetrics().size(0, text).width()} pixels in {room.width()}"


def is_chopped(text: str) -> bool:
    """Return whether a sentence is elided in its middle; paths and file names may be."""
    before, dots, after = text.partition("…")
    return bool(dots and before and after) and len(text.split()) > 2 and not _PATH.search(text)
