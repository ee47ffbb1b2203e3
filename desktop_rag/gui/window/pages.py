"""The pages in the centre of the window."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QStackedWidget, QWidget


class Pages(QStackedWidget):
    """Shows one of its pages, which gets the focus that is meant for all."""

    def __init__(self, *pages: QWidget) -> None:
        super().__init__()
        self.currentChanged.connect(self._on_current_changed)
        for page in pages:
            self.addWidget(page)

    @Slot(int)
    def _on_current_changed(self, number: int) -> None:
        if (page := self.widget(number)) is not None:
            self.setFocusProxy(page)
