"""The menu actions of a document."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from desktop_rag.documents.file_types import Format
from desktop_rag.gui.command_parts import shown_keys

# Their line numbers are those of the file, so an editor can go to them.
_EDITED = frozenset((Format.TEXT, Format.MARKDOWN, Format.LATEX, Format.CODE, Format.DATA, Format.TABLE, Format.LOG))


class DocumentActions(QObject):
    """The actions as attributes, to be connected by the tab; their shortcuts are handled by the panel."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent = parent
        self.copy = self._action(self.tr("Copy"), "Ctrl+C")
        self.quote = self._action(self.tr("Copy quote with reference"), name="copy_quote")
        self.markdown = self._action(self.tr("Copy quote as Markdown"))
        self.link = self._action(self.tr("Copy link to this place"))
        self.bookmark = self._action(self.tr("Bookmark this passage"), name="bookmark")
        self.note = self._action(self.tr("Add a note…"), name="note")
        self.select_all = self._action(self.tr("Select all"), "Ctrl+A")
        self.find = self._action(self.tr("Find in this document…"), name="find")
        self.external = self._action(self.tr("Open in default application"))
        self.editor = self._action(self.tr("Open in my editor at this line"), name="editor")
        self.folder = self._action(self.tr("Show in folder"))

    def show_file(self, *, on_disk: bool, kind: str) -> None:
        """Enable the actions that the file allows: only one on disk can be opened elsewhere."""
        for action in (self.external, self.folder):
            action.setEnabled(on_disk)
        self.editor.setEnabled(on_disk and kind in _EDITED)

    def fill_file_menu(self, menu: QMenu) -> None:
        """Fill the menu of the header with the actions on the whole document."""
        self._fill(
            menu, (self.external, self.editor, self.folder, None, self.quote, self.markdown, self.link, None, self.note)
        )

    def fill_elsewhere(self, menu: QMenu) -> None:
        """Add the actions that show the file in other programs to the menu of its tab."""
        self._fill(menu, (self.external, self.editor, self.folder))

    def text_menu(self) -> QMenu:
        """Return the context menu of the text."""
        menu = QMenu(self._parent)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        quoting = (self.copy, self.quote, self.markdown, self.link, None, self.bookmark, self.note, None)
        self._fill(menu, (*quoting, self.select_all, self.find, None, self.external, self.editor, self.folder))
        return menu

    def _action(self, text: str, keys: str = "", name: str = "") -> QAction:
        action = QAction(f"{text}\t{shown_keys(QKeySequence(keys))}" if keys else text, self)
        action.setObjectName(name)  # of the command whose keys the panel adds
        return action

    def _fill(self, menu: QMenu, actions: tuple[QAction | None, ...]) -> None:
        for action in actions:
            if action is None:
                menu.addSeparator()
            else:
                menu.addAction(action)
