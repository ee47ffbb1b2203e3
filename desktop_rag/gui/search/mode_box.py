"""The choice of how to search."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QComboBox, QStyleOptionComboBox, QWidget

from desktop_rag.retrieval.api import Mode


def names_of(mode: Mode) -> tuple[str, str]:
    """Return what a mode is called in the window, and in one word."""
    names = {
        "hybrid": (_tr("Words and meaning"), _tr("Both")),
        "hybrid+rerank": (_tr("Words and meaning, refined"), _tr("Refined")),
        "keyword": (_tr("Words"), _tr("Words")),
        "semantic": (_tr("Meaning"), _tr("Meaning")),
        "exact": (_tr("Exact letters"), _tr("Letters")),
        "linked": (_tr("With related passages"), _tr("Related")),
    }
    return names.get(mode.value, (mode.value, mode.value))


class ModeBox(QComboBox):
    """Offers every mode by its name; where there is little room it shows a short one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._short = False
        self.setAccessibleName(self.tr("How to search"))
        for mode in Mode:
            self.addItem(names_of(mode)[0], mode)
        self.show_mode(Mode.HYBRID)

    def mode(self) -> Mode:
        """Return the chosen mode."""
        return Mode(self.currentData())

    def show_mode(self, mode: Mode) -> None:
        """Choose a mode."""
        self.setCurrentIndex(max(0, self.findData(mode)))

    def set_short(self, *, short: bool) -> None:
        """Show the short names and take the room that the longest of them needs, or the same with the whole ones."""
        self._short = short
        width = self.sizeHint().width()
        self.setFixedWidth(width - self._longest(0) + self._longest(1) if short else width)

    def _longest(self, which: int) -> int:
        return max(self.fontMetrics().horizontalAdvance(names_of(mode)[which]) for mode in Mode)

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """Show what there is room for."""
        super().initStyleOption(option)
        if self._short:
            option.currentText = names_of(self.mode())[1]


def _tr(text: str) -> str:
    return QCoreApplication.translate("ModeBox", text)
