"""Asks before an address from outside of the program is opened: what the address holds leaves this computer."""

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from desktop_rag.gui.widgets.bounded_dialog import ActionDialog
from desktop_rag.text.display import one_line, shorten_middle

_SHOWN = 1_200  # characters of an address


class BrowserDialog(ActionDialog):
    """Shows the whole address and the computer that gets it; Enter presses Cancel."""

    def __init__(self, address: str, parent: QWidget | None = None) -> None:
        self._url = QUrl(address)
        super().__init__("", "", parent)
        host = one_line(self._url.host(QUrl.ComponentFormattingOption.FullyEncoded))
        self.setWindowTitle(self.tr("Open an address of {0}?").format(host))
        self.act.setText(self.tr("Open in browser"))
        self._cancel.setDefault(True)
        self._cancel.setFocus()
        whole = self.words(_breakable(shorten_middle(one_line(self._url.toString()), _SHOWN)))
        whole.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        whole.setAccessibleName(self.tr("Address"))
        about = self.tr("It comes from a document, an answer or a server. {0} receives all of it.").format(host)
        self.arrange(whole, self.words(about, "muted"))
        self.accepted.connect(self._on_accepted)

    def _on_accepted(self) -> None:
        QDesktopServices.openUrl(self._url)


def ask_to_browse(address: str, parent: QWidget) -> None:
    """Open a web address after the user has seen and confirmed it; anything else is not opened."""
    if QUrl(address).scheme() in ("http", "https"):
        BrowserDialog(address, parent).open()


def _breakable(address: str) -> str:
    """Return an address that a label can break into lines, after the characters that part it."""
    return "".join(char + "\u200b" if char in "/?&=.-_%+" else char for char in address)
