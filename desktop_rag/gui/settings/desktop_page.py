"""The settings page of the desktop: what the program does outside of its window."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QCheckBox, QKeySequenceEdit, QWidget

from desktop_rag.gui.desktop.global_hotkey import hotkey_is_available
from desktop_rag.gui.desktop.tray_icon import tray_is_available
from desktop_rag.gui.settings.page_parts import ScrolledPage
from desktop_rag.gui.theme.theme import GRID
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.settings import DesktopOptions


class DesktopPage(ScrolledPage):
    """One box for each thing that can be switched, with one line about it."""

    def __init__(self, options: DesktopOptions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._options = options
        self._about: dict[QCheckBox, PlainLabel] = {}
        self.column.setSpacing(GRID // 2)
        self.add_heading(self.tr("Notifications"))
        self._notify = self._box(
            self.tr("Tell when a long answer or a new library is ready"),
            options.notify,
            self.tr("After 15 seconds or more, while you use another program. A click shows it."),
        )
        self._notify_question = self._box(
            self.tr("With the words of the question"),
            options.notify_question,
            self.tr("Others may read it on the screen. A notification never contains text of a document."),
        )
        self._notify_question.setEnabled(options.notify)
        self._notify.toggled.connect(self._notify_question.setEnabled)
        self.add_heading(self.tr("Start and end"))
        self._tray = self._box(
            self.tr("Icon in the tray"),
            options.tray,
            self.tr("Closing the window then only hides it; the icon opens it again and quits the program."),
        )
        if not tray_is_available():
            self._refuse(self._tray)
        self._login = self._box(
            self.tr("Start when you log in"),
            options.start_at_login,
            self.tr("In the tray, or else minimised, so that new files are searchable when you need them."),
        )
        self.add_heading(self.tr("Key that opens the window from anywhere"))
        self._hotkey = QKeySequenceEdit(QKeySequence(options.hotkey), self.inside)
        self._hotkey.setMaximumSequenceLength(1)
        self._hotkey.setClearButtonEnabled(True)
        self._hotkey.setAccessibleName(self.tr("Key that opens the window from anywhere"))
        self._hotkey.setMaximumWidth(240)
        self.column.addWidget(self._hotkey)
        about_keys = self.tr("Ctrl, Alt or the logo key with a letter, a digit, Space or F1 to F35. Empty: none.")
        if not hotkey_is_available():
            self._hotkey.setEnabled(False)
            about_keys = self.tr("Not available on this desktop")
        self.add_words(about_keys)
        self.add_heading(self.tr("Look"))
        self._dark_pages = self._box(
            self.tr("Dark paper for printed pages in the dark theme"),
            options.dark_pages,
            self.tr("Photographs keep their colours. The file does not change."),
        )
        self._accent = self._box(
            self.tr("Accent colour of the system"),
            options.system_accent,
            self.tr("Made lighter or darker where it could not be read."),
        )
        self._motion = self._box(
            self.tr("Nothing moves by itself"),
            options.reduced_motion,
            self.tr("No animations. Also without this box if your system asks for it."),
        )
        self.column.addStretch(1)

    def options(self) -> DesktopOptions:
        """Return the chosen options."""
        return DesktopOptions(
            notify=self._notify.isChecked(),
            notify_question=self._notify_question.isChecked(),
            tray=self._tray.isChecked() if self._tray.isEnabled() else self._options.tray,
            start_at_login=self._login.isChecked(),
            hotkey=self._hotkey.keySequence().toString(QKeySequence.SequenceFormat.PortableText),
            dark_pages=self._dark_pages.isChecked(),
            system_accent=self._accent.isChecked(),
            reduced_motion=self._motion.isChecked(),
        )

    def _refuse(self, box: QCheckBox) -> None:
        """Disable what this desktop does not have."""
        box.setChecked(False)
        box.setEnabled(False)
        self._about[box].setText(self.tr("Not available on this desktop"))

    def _box(self, text: str, checked: bool, about: str) -> QCheckBox:  # noqa: FBT001 - reads as the state of the box
        box = QCheckBox(text, self.inside)
        box.setChecked(checked)
        box.setAccessibleDescription(about)
        self._about[box] = line = PlainLabel(about, "muted", self.inside)
        line.setIndent(3 * GRID)
        self.column.addWidget(box, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addWidget(line)
        self.column.addSpacing(GRID // 2)
        return box
