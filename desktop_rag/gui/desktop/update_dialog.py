"""The dialog that asks an address for the newest version of the program."""

from PySide6.QtCore import QDate, QLocale, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from desktop_rag import __version__
from desktop_rag.errors import UpdateError
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme.theme import GRID, mono_font, set_role
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog, ask_to_browse, keep_on_screen
from desktop_rag.gui.widgets.layouts import DIALOG, STRETCH, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import Label, PlainLabel
from desktop_rag.releases import Release, ReleaseFile, UpdateTrouble
from desktop_rag.text.display import one_line, terminal_safe

_WIDTH = 560  # pixels; a checksum fits into two lines


class UpdateDialog(BoundedDialog):
    """Shows this version, the address that will be asked, and its answer."""

    check_requested = Signal(str)  # ask this address, as it was typed

    def __init__(self, address: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Check for updates"))
        self.setFixedWidth(_WIDTH)
        self._page = ""
        self._address = QLineEdit(address, self)
        self._address.setPlaceholderText("https://")
        self._outcome = PlainLabel("", "", self)
        self._details = QPlainTextEdit(self)
        self._details.setReadOnly(True)
        self._details.setTabChangesFocus(True)
        self._details.setFont(mono_font(-1))
        self._details.setFixedHeight(24 * GRID)
        self._details.setAccessibleName(self.tr("Notes and files of the release"))
        self._check = QPushButton(self.tr("Check now"), self)
        set_role(self._check, "primary")
        self._browse = QPushButton(self.tr("Open its page"), self)
        self._close = QPushButton(self.tr("Close"), self)
        for button in (self._check, self._browse, self._close):
            button.setAutoDefault(False)
        self._check.setDefault(True)
        self._arrange()
        self._outcome.hide()
        self._details.hide()
        self._browse.hide()
        self._address.textChanged.connect(self._on_edited)
        self._check.clicked.connect(self._on_check)
        self._browse.clicked.connect(self._on_browse)
        self._close.clicked.connect(self.reject)
        self._on_edited()

    def show_release(self, release: Release) -> None:
        """Show what the address answered."""
        self._check.setEnabled(True)
        if not release.is_newer(__version__):
            text = self.tr("You have the newest version. The address knows version {0} of {1}.")
        else:
            text = self.tr("Version {0} of {1} is available. Nothing was downloaded.")
        self._say(text.format(one_line(release.version), _day(release.date)))
        if release.is_newer(__version__):
            self._show_details(release)

    def show_error(self, error: Exception) -> None:
        """Say why nothing is known."""
        self._check.setEnabled(True)
        self._say(self._reason(error))

    def _show_details(self, release: Release) -> None:
        self._page = release.page
        self._browse.setVisible(bool(release.page))
        self._browse.setToolTip(tool_tip(one_line(release.page)))
        parts = [terminal_safe(release.notes.strip()), *map(self._described, release.files)]
        self._details.setPlainText("\n\n".join(part for part in parts if part))
        self._details.setVisible(bool(self._details.toPlainText()))
        self._fit()

    def _described(self, file: ReleaseFile) -> str:
        size = QLocale().formattedDataSize(file.size, 1, QLocale.DataSizeFormat.DataSizeSIFormat)
        return self.tr("{0} ({1})\nSHA-256 {2}").format(file.name, size, file.sha256)

    def _say(self, text: str) -> None:
        self._outcome.setText(text)
        self._outcome.show()
        self._fit()

    def _fit(self) -> None:
        self.adjustSize()
        keep_on_screen(self)

    def _reason(self, error: Exception) -> str:
        trouble, detail = (error.trouble, error.detail) if isinstance(error, UpdateError) else ("", str(error))
        match trouble:
            case UpdateTrouble.ADDRESS:
                return self.tr("This is no usable address: it must begin with https:// and contain no password.")
            case UpdateTrouble.REDIRECT:
                text = self.tr("The address sends the question on to another one, which is not followed: {0}")
            case UpdateTrouble.STATUS:
                text = self.tr("The server answered with the error {0}.")
            case UpdateTrouble.SIZE:
                return self.tr("The answer is too large for a list of releases; it was not read.")
            case UpdateTrouble.FEED:
                return self.tr("The answer is no list of releases of Desktop RAG.")
            case UpdateTrouble.FORMAT:
                return self.tr("The list of releases is made for a later version than yours. Look at its web page.")
            case _:
                text = self.tr("The address cannot be reached: {0}")
        return text.format(one_line(detail))

    def _arrange(self) -> None:
        form = QFormLayout()
        form.addRow(self.tr("Your version"), Label(__version__, self))
        form.addRow(self.tr("Address"), self._address)
        promise = self.tr(
            "Whoever gave you the program can tell you the address. It is asked when you press the button, and at no"
            " other time. It learns your network address and nothing else. Nothing is downloaded by itself."
        )
        buttons = in_row(STRETCH, *(self._close, self._browse, self._check))
        layout = in_column(form, on=self, margins=DIALOG)
        for part in (PlainLabel(promise, "caption", self), self._outcome, self._details):
            part.setMinimumWidth(_WIDTH - 6 * GRID)  # its least height is that of its real width
            layout.addWidget(part)
        self._outcome.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.addSpacing(GRID)
        layout.addLayout(buttons)

    @Slot()
    def _on_edited(self) -> None:
        self._check.setEnabled(bool(self._address.text().strip()))

    @Slot()
    def _on_check(self) -> None:
        self._check.setEnabled(False)
        self._browse.hide()
        self._details.hide()
        self._say(self.tr("Asking…"))
        self.check_requested.emit(self._address.text().strip())

    @Slot()
    def _on_browse(self) -> None:
        ask_to_browse(self._page, self)


def _day(date: str) -> str:
    """Return a date in the words of the user's language; as it was written if there is no such day."""
    day = QDate.fromString(date, "yyyy-MM-dd")
    return QLocale().toString(day, QLocale.FormatType.LongFormat) if day.isValid() else date
