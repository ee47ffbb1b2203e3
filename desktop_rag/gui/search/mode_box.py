"""The selector of the search mode."""

from PySide6.QtCore import QCoreApplication, QRect, Qt, Slot
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QWidget

from desktop_rag.gui.formatting import tool_tip
from desktop_rag.retrieval.api import Mode

OFFERED = (Mode.HYBRID, Mode.BEST, Mode.KEYWORD, Mode.SEMANTIC, Mode.EXACT)  # BEST is also LINKED and RERANKED
_WIDE = 1_000  # pixels: wider than any name
_MARGIN = 8  # pixels: styles draw a name with a little room around it


def names_of(mode: Mode) -> tuple[str, str]:
    """Return the name of a mode in the window, and its one-word form."""
    names = {
        "hybrid": (_tr("Words and meaning"), _tr("Words, meaning")),
        "linked+rerank": (_tr("Best, a little slower"), _tr("Best")),
        "keyword": (_tr("Words"), _tr("Words")),
        "semantic": (_tr("Meaning"), _tr("Meaning")),
        "exact": (_tr("Exact letters"), _tr("Letters")),
    }
    return names.get(mode.value, (mode.value, mode.value))


class ModeBox(QComboBox):
    """Offers the modes by name; uses short names where there is little room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._short = False
        self.view().setTextElideMode(Qt.TextElideMode.ElideNone)
        self.setAccessibleName(self.tr("How to search"))
        for mode in OFFERED:
            self.addItem(names_of(mode)[0], mode)
        self.show_mode(Mode.HYBRID)
        self.currentIndexChanged.connect(self._explain)

    def mode(self) -> Mode:
        """Return the selected mode."""
        return Mode(self.currentData())

    def show_mode(self, mode: Mode) -> None:
        """Select a mode, `BEST` for one that is not offered, such as that of an older saved search."""
        self.setCurrentIndex(self.findData(mode if mode in OFFERED else Mode.BEST))

    def set_short(self, *, short: bool) -> None:
        """Switch between short and full names, sized for the longest of them."""
        self._short = short
        self._explain()
        self.setFixedWidth(self._longest(int(short)) + self._beside_text())

    def showPopup(self) -> None:
        """Show full names in the list, which may be wider than the box."""
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + 2 * self.view().frameWidth() + _MARGIN)
        super().showPopup()

    @Slot()
    def _explain(self) -> None:
        self.setToolTip(tool_tip(names_of(self.mode())[0]) if self._short else "")

    def _longest(self, which: int) -> int:
        return max(self.fontMetrics().horizontalAdvance(names_of(mode)[which]) for mode in OFFERED)

    def _beside_text(self) -> int:
        """Return the width of frame, padding and arrow."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.rect = QRect(0, 0, _WIDE, self.sizeHint().height())
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self)
        return _WIDE - room.width() + _MARGIN

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """Draw the name that fits."""
        super().initStyleOption(option)
        if self._short:
            option.currentText = names_of(self.mode())[1]


def _tr(text: str) -> str:
    return QCoreApplication.translate("ModeBox", text)
