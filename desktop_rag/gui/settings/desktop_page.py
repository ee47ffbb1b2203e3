"""The settings page of the desktop: what the program does outside of its window."""

from dataclasses import replace

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QCheckBox, QKeySequenceEdit, QWidget

from desktop_rag.gui.desktop.global_hotkey import hotkey_is_available
from desktop_rag.gui.desktop.tray_icon import tray_is_available
from desktop_rag.gui.settings.page_parts import ScrolledPage
from desktop_rag.gui.theme.theme import GRID
from desktop_rag.settings import DesktopOptions, Settings


class DesktopPage(ScrolledPage):
    """One box for each thing that can be switched, with one line about it."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        options = self._options = settings.desktop
        self.column.setSpacing(GRID // 2)
        self.add_heading(self.tr("Notifications"))
        self._notify = self.add_box(
            self.tr("Tell when a long answer or a new library is ready"),
            self.tr("After 15 seconds or more, while you use another program. A click shows it."),
            checked=options.notify,
        )
        self._notify_question = self.add_box(
            self.tr("With the words of the question"),
            self.tr("Others may read it on the screen. A notification never contains text of a document."),
            checked=options.notify_question,
        )
        self._notify_question.setEnabled(options.notify)
        self._notify.toggled.connect(self._notify_question.setEnabled)
        self.add_heading(self.tr("Start and end"))
        self._tray = self.add_box(
            self.tr("Icon in the tray"),
            self.tr("Closing the window then only hides it; the icon opens it again and quits the program."),
            checked=options.tray,
        )
        if not tray_is_available():
            self._refuse(self._tray)
        self._login = self.add_box(
            self.tr("Start when you log in"),
            self.tr("In the tray, or else minimised, so that new files are searchable when you need them."),
            checked=options.start_at_login,
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
        self._dark_pages = self.add_box(
            self.tr("Dark paper for printed pages in the dark theme"),
            self.tr("Photographs keep their colours. The file does not change."),
            checked=options.dark_pages,
        )
        self._accent = self.add_box(
            self.tr("Accent colour of the system"),
            self.tr("Made lighter or darker where it could not be read."),
            checked=options.system_accent,
        )
        self._motion = self.add_box(
            self.tr("Nothing moves by itself"),
            self.tr("No animations. Also without this box if your system asks for it."),
            checked=options.reduced_motion,
        )
        self.column.addStretch(1)

    def applied_to(self, settings: Settings) -> Settings:
        """Return `settings` with the values of this page."""
        options = DesktopOptions(
            notify=self._notify.isChecked(),
            notify_question=self._notify_question.isChecked(),
            tray=self._tray.isChecked() if self._tray.isEnabled() else self._options.tray,
            start_at_login=self._login.isChecked(),
            hotkey=self._hotkey.keySequence().toString(QKeySequence.SequenceFormat.PortableText),
            dark_pages=self._dark_pages.isChecked(),
            system_accent=self._accent.isChecked(),
            reduced_motion=self._motion.isChecked(),
        )
        return replace(settings, desktop=options)

    def _refuse(self, box: QCheckBox) -> None:
        """Disable what this desktop does not have."""
        box.setChecked(False)
        box.setEnabled(False)
        self.abouts[box].setText(self.tr("Not available on this desktop"))
