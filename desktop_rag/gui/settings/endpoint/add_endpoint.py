"""The button that adds an endpoint: a server on this computer, a known provider, or any other address."""

from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from desktop_rag.gui.formatting import tool_tip
from desktop_rag.llm.endpoint_presets import LOCAL_SERVERS, PROVIDERS, EndpointPreset


class AddEndpoint(QPushButton):
    """Offers the presets, and to look for servers on this computer."""

    chosen = Signal(str, str)  # the name and the address of a new profile
    file_requested = Signal()  # choose a model file
    search_requested = Signal()  # connect to the usual ports of this computer

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(self.tr("Add"))
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        menu.addAction(self.tr("Run a model on this computer…"), self.file_requested.emit)
        self._offer(menu.addMenu(self.tr("A server on this computer")), LOCAL_SERVERS)
        self._offer(menu.addMenu(self.tr("Providers")), PROVIDERS)
        menu.addAction(self.tr("Other endpoint"), partial(self.chosen.emit, self.tr("Endpoint"), ""))
        menu.addSeparator()
        self._search = menu.addAction(self.tr("Look for servers on this computer"), self._on_search_triggered)
        self.setMenu(menu)

    def end_search(self) -> None:
        """Offer the search again."""
        self._search.setEnabled(True)

    @Slot()
    def _on_search_triggered(self) -> None:
        self._search.setEnabled(False)
        self.search_requested.emit()

    def _offer(self, menu: QMenu, presets: tuple[EndpointPreset, ...]) -> None:
        menu.setToolTipsVisible(True)
        for preset in presets:
            action = menu.addAction(preset.name, partial(self.chosen.emit, preset.name, preset.address))
            action.setToolTip(tool_tip(preset.address))
