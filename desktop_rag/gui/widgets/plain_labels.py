"""Labels that show foreign text literally and elide what does not fit; nothing is read as markup or a mnemonic."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme.theme import set_role


def button_text(text: str) -> str:
    """Return `text` for a menu or button, with ampersands escaped (they would mark a mnemonic)."""
    return text.replace("&", "&&")


def elided_lines(text: str, metrics: QFontMetrics, width: int, lines: int) -> list[str]:
    """Return `text` broken into at most `lines` lines of `width` pixels, the last one elided."""
    rest = " ".join(text.split())
    broken: list[str] = []
    while rest and len(broken) < lines - 1 and metrics.horizontalAdvance(rest) > width:
        cut = _fitting(rest, metrics, width)
        broken.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
    return [*broken, metrics.elidedText(rest, Qt.TextElideMode.ElideRight, width)] if rest else broken


def _fitting(text: str, metrics: QFontMetrics, width: int) -> int:
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if metrics.horizontalAdvance(text[:middle]) <= width:
            low = middle
        else:
            high = middle - 1
    space = text.rfind(" ", 0, low + 1)
    return space if space > low // 2 else low


class Label(QLabel):
    """A label that shows its text literally: `QLabel` itself would take some file names for rich text."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        if self.isRightToLeft():  # by itself a label begins where the language of its text does
            align = Qt.AlignmentFlag
            self.setAlignment(align.AlignRight | align.AlignAbsolute | align.AlignVCenter)
        self.setText(text)


class PlainLabel(Label):
    """A label in a role of the style sheet, wrapped over as many lines as needed."""

    def __init__(self, text: str = "", role: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        if role:
            set_role(self, role)

    def fit_height(self) -> "PlainLabel":
        """Be as high as the text is at each width, without a gap; every layout around it then takes longer."""
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        return self


class NoteLabel(PlainLabel):
    """A label that is hidden, in its place, while it has no text: a screen reader would announce an empty one."""

    def __init__(self, role: str, parent: QWidget) -> None:
        super().__init__("", role, parent)
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)

    def setText(self, text: str) -> None:
        """Show `text`; hide the label if it is empty."""
        super().setText(text)
        self.setVisible(bool(text))


class ElidedLabel(Label):
    """One line of plain text, elided to fit: a sentence at its end, a path in its middle; the tooltip has all of it."""

    def __init__(self, parent: QWidget | None = None, elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        super().__init__(parent=parent)
        self._whole = ""
        self._elide = elide
        self.setMinimumWidth(1)

    def show_text(self, text: str) -> None:
        """Show as much of `text` as fits; the accessible name is the full text."""
        self._whole = text
        self.setAccessibleName(text)
        self._fit()

    def _fit(self) -> None:
        self.setText(QFontMetrics(self.font()).elidedText(self._whole, self._elide, self.width()))
        self.setToolTip(tool_tip(self._whole) if self.text() != self._whole else "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the text to the new width."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Fit the text to the new font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()
