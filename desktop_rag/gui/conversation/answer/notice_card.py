"""A notice inside a conversation: what happened, in a sentence, and buttons for what you can do about it."""

from collections.abc import Iterator
from enum import StrEnum

from PySide6.QtCore import QCoreApplication, QRect, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_rag.agent.events import Coverage, Phrasing
from desktop_rag.gui import formatting
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import current_colors, scaled
from desktop_rag.gui.widgets.chips import FlowRow
from desktop_rag.gui.widgets.layouts import in_column, in_row
from desktop_rag.gui.widgets.painted_button import mirrored
from desktop_rag.gui.widgets.plain_labels import PlainLabel, button_text
from desktop_rag.text.display import one_line

_ICON = 20  # pixels beside text of the usual size


class NoticeTone(StrEnum):
    """How urgent a notice is."""

    CALM = "calm"
    CAUTION = "caution"
    TROUBLE = "trouble"


class NoticeCard(QWidget):
    """Title, sentence and buttons on a tinted background."""

    def __init__(
        self, tone: NoticeTone, title: str, sentence: str, icon: str = "info", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._tone, self._icon, self._title = tone, icon, title
        self.setAccessibleName(f"{one_line(title)}. {one_line(sentence)}")
        self._column = in_column(PlainLabel(one_line(title), "heading"), spacing=4)
        in_row((self._column, 1), on=self, spacing=None, margins=(scaled(_ICON) + 24, 12, 16, 12))
        if sentence.strip():
            text = PlainLabel(sentence.strip(), "muted")
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._column.addWidget(text)
        self._buttons: list[QPushButton] = []
        self._flow: FlowRow | None = None

    def is_about(self, title: str) -> bool:
        """Return whether the card has this title."""
        return self._title == title

    def add_widget(self, widget: QWidget) -> None:
        """Add `widget` below the sentence."""
        self._column.addWidget(widget)

    def add_button(self, text: str) -> QPushButton:
        """Add a button below the sentence and return it."""
        button = QPushButton(button_text(text))
        if self._flow is None:
            self._flow = FlowRow(self)
            self._column.addSpacing(4)
            self._column.addWidget(self._flow)
        self._buttons.append(button)
        self._flow.set_items(self._buttons)
        return button

    def minimumSizeHint(self) -> QSize:
        """Return a small width, so that the card can shrink with the window."""
        return QSize(180, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint background and icon."""
        colors = current_colors()
        shades = {
            NoticeTone.CALM: (colors.window if not colors.dark else colors.raised, colors.border, colors.muted),
            NoticeTone.CAUTION: (colors.warning_soft, colors.warning_soft, colors.warning),
            NoticeTone.TROUBLE: (colors.danger_soft, colors.danger_soft, colors.danger),
        }
        background, border, foreground = shades[self._tone]
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(border), 1))
        painter.setBrush(QColor(background))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        side = scaled(_ICON)
        icons.draw(painter, mirrored(QRect(14, 12, side, side), self.rect()), self._icon, foreground, _ICON)


# The card of an answer that was not found: what was searched and read, and which files could not be searched.

_MOST_LINES = 8  # queries, documents or files named in one list


def _tr(text: str) -> str:
    return QCoreApplication.translate("CoverageCard", text)


class CoverageCard(NoticeCard):
    """A notice with a search report that can be expanded."""

    def __init__(self, title: str, report: Coverage, parent: QWidget | None = None, sentence: str = "") -> None:
        text = " ".join(filter(None, (sentence, summary(report))))
        super().__init__(NoticeTone.CALM, title, text, "search", parent)
        self._details = QWidget(self)
        column = in_column(on=self._details, spacing=2, margins=(0, 4, 0, 2))
        for heading, lines in sections(report):
            caption = PlainLabel(heading, "section")
            caption.setContentsMargins(0, 6, 0, 0)
            column.addWidget(caption)
            for line in lines:
                column.addWidget(PlainLabel(line, "muted"))
        self.add_widget(self._details)
        self._details.hide()
        self.more = self.add_button(_tr("Show what was searched"))
        self.more.clicked.connect(self._on_more_clicked)

    def report(self) -> str:
        """Return the text of the report; empty while it is collapsed."""
        labels = self._details.findChildren(PlainLabel)
        return "" if self._details.isHidden() else "\n".join(label.text() for label in labels)

    @Slot()
    def _on_more_clicked(self) -> None:
        expand = self._details.isHidden()
        self._details.setVisible(expand)
        self.more.setText(_tr("Hide what was searched") if expand else _tr("Show what was searched"))


def summary(report: Coverage) -> str:
    """Summarize the report in one or two sentences."""
    queries = _count("%Ln quer(y|ies)", len(report.phrasings))
    documents = _count("%Ln document(s)", report.documents)
    text = _tr("Searched {documents} with {queries}").format(queries=queries, documents=documents)
    if not report.phrasings:
        text = _tr("No search was run in {documents}").format(documents=documents)
    if report.read:
        read = _count("%Ln of them", len(report.read))
        text = _tr("{searched}, read {read}").format(searched=text, read=read)
    gaps = list(unsearched(report))
    missing = _tr(" Not searched: {gaps}.").format(gaps=", ".join(gaps)) if gaps else ""
    return f"{text}.{missing}"


def unsearched(report: Coverage) -> Iterator[str]:
    """Yield which parts of the library could not be searched, one phrase per reason."""
    counts = (
        (report.waiting, "%Ln file(s) not indexed yet"),
        (report.scans, "pages without text in %Ln file(s)"),
        (report.failed, "%Ln file(s) that could not be read"),
        (report.skipped, "%Ln excluded file(s)"),
        (report.partial - report.scans, "parts of %Ln file(s)"),
    )
    yield from (_count(text, count) for count, text in counts if count > 0)
    if report.by_meaning < 1:
        yield _tr("{share} of the text by meaning").format(share=f"{1 - report.by_meaning:.0%}")


def sections(report: Coverage) -> Iterator[tuple[str, list[str]]]:
    """Yield the sections of the report: a heading and its lines."""
    if report.phrasings:
        yield _tr("Searched"), _named(list(map(_phrasing, report.phrasings)))
    if report.unmatched:
        yield _tr("In no document"), [", ".join(f"“{one_line(word)}”" for word in report.unmatched)]
    if report.read:
        lines = _tr("{name}: {lines}")
        read = [
            lines.format(
                name=one_line(formatting.document_name(each.path, each.title)),
                lines=_count("%Ln line(s)", each.lines),
            )
            for each in report.read
        ]
        yield _tr("Read"), _named(read)
    missing = [*unsearched(report), *(_offline(path) for path in report.offline)]
    if missing:
        missing += [
            f"{one_line(formatting.file_name(each.path, ''))}: {one_line(sentence(each.reason))}"
            for each in report.unread[:_MOST_LINES]
        ]
        yield _tr("Not searched"), missing


def _phrasing(searched: Phrasing) -> str:
    passages = _count("the best %Ln passage(s)" if searched.more else "%Ln passage(s)", searched.found)
    query = one_line(searched.query)
    return _tr("“{query}” ({mode}): {passages}").format(query=query, mode=searched.mode, passages=passages)


def _offline(path: str) -> str:
    return _tr("{path} is not connected; the text indexed last was searched").format(path=one_line(path))


def _named(lines: list[str]) -> list[str]:
    rest = len(lines) - _MOST_LINES
    return lines if rest <= 0 else [*lines[:_MOST_LINES], _count("and %Ln more", rest)]


def _count(text: str, count: int) -> str:
    return formatting.counted(QCoreApplication.translate("CoverageCard", text, "", count), count)
