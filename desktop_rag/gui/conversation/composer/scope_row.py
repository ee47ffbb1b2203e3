"""The folders to search, as chips that are on or off, what the search is limited to, and what is attached."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QContextMenuEvent, QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QMenu, QWidget

from desktop_rag.agent.conversations.transcript import WHOLE_LIBRARY, ChosenScope
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.formatting import counted, tool_tip
from desktop_rag.gui.search.filter_labels import filter_label
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import current_colors, scaled, text_font
from desktop_rag.gui.widgets.chips import Chip, FlowRow
from desktop_rag.index.records import FolderId
from desktop_rag.retrieval.api import Attachment
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.text.display import shown_name, shown_path

# A chip for a file or folder that a conversation has attached, with how far it has been read.


class AttachmentChip(Chip):
    """Shows name and state of an attachment; a click opens it, one on its cross or Delete removes it."""

    removed = Signal()  # it is no longer to be attached

    def __init__(self, path: bytes, parent: QWidget | None = None) -> None:
        super().__init__(shown_name(path), icon="attach", parent=parent)
        self.path = path
        self._right_room = scaled(14) + 4  # for its cross
        self.setFont(text_font(-1))
        self.show_state(Attachment(path, waiting=1))

    def show_state(self, state: Attachment, held: str = "") -> None:
        """Show how far the attachment has been read; `held`: what reading waits for, without a stop."""
        name, words = shown_name(self.path), self._words(state, held)
        self._detail = self._short(state, held)
        self._icon = "attach" if state.searchable or state.waiting else "warning"
        self.setAccessibleName(self.tr("{0}, attached to this conversation; Delete removes it").format(name))
        self.setAccessibleDescription(words)
        removes = self.tr("Click to open it, × to remove it from this conversation.")
        self.setToolTip(tool_tip(f"{shown_path(self.path)}\n{words}\n{removes}"))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size with the cross."""
        hint = super().sizeHint()
        return QSize(hint.width() + self._right_room, hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the chip and its cross."""
        super().paintEvent(event)
        cross = self.column(self.width() - self._right_room - 4, scaled(14))
        icons.draw(self.begin_painting(), cross, "close", current_colors().muted, 14)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Remove it where its cross is clicked."""
        at = event.position().toPoint()
        cross = self.column(self.width() - self._right_room - 8, self._right_room + 8)
        if event.button() is Qt.MouseButton.LeftButton and self.isDown() and cross.contains(at):
            self.setDown(False)
            self.removed.emit()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Remove it with Delete."""
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit()
        else:
            super().keyPressEvent(event)

    def _short(self, state: Attachment, held: str) -> str:
        """Return the text beside the name; empty once there is something to search."""
        if state.searchable:
            return ""
        if state.waiting:
            return self.tr("waiting") if held else self.tr("reading…")
        if state.unread:
            return self.tr("not read")
        return self.tr("no text") if state.pictures else self.tr("empty")

    def _words(self, state: Attachment, held: str) -> str:
        if state.waiting and held:
            unread = counted(self.tr("%Ln file(s) (is|are) not read yet", "", state.waiting), state.waiting)
            return self.tr("{0}: {1}").format(held, unread)
        if state.waiting:
            return counted(self.tr("%Ln file(s) (is|are) being read", "", state.waiting), state.waiting)
        if not state.files:
            return self.tr("It has no files")
        if state.unread and state.unread == state.files:
            return sentence(state.reason) or self.tr("It cannot be read.")
        searched = self.tr("Searched in this conversation only") if state.searchable else ""
        unread = counted(self.tr("%Ln file(s) cannot be read", "", state.unread), state.unread) if state.unread else ""
        return ". ".join(filter(None, (searched, unread, self._pictures(state.pictures))))

    def _pictures(self, count: int) -> str:
        words = self.tr("%Ln file(s) (has|have) only pictures, no text", "", count) if count else ""
        return counted(words, count)


_MOST_FOLDERS = 4  # shown; the others are behind a chip of their own
_NO_FOLDER = FolderId(-1)


class FolderChip(Chip):
    """A folder that is searched while its chip is checked."""

    def __init__(self, folder: FolderId, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, icon="folder", parent=parent)
        self.folder = folder
        self.setFont(text_font(-1))
        self.setCheckable(True)
        self.setToolTip(tool_tip(name))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the chip, tinted while it is checked."""
        colors = current_colors()
        checked = self.isChecked()
        background = colors.accent_soft if checked else colors.hover if self.underMouse() else colors.raised
        foreground = colors.link if checked else colors.muted
        painter = self.begin_painting()
        self.draw_card(painter, colors.accent if checked else colors.outline, background, self.height() / 2 - 1)
        icons.draw(painter, self.column(10, scaled(14)), "check" if checked else "folder", foreground, 14)
        painter.setPen(QColor(foreground))
        left = scaled(14) + 15
        room = self.width() - left - 11
        text = self.fontMetrics().elidedText(self._name, Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(self.column(left, room), Qt.AlignmentFlag.AlignVCenter, text)


class RestrictionChip(Chip):
    """A folder, type, date or document that the search is limited to; a click removes it."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, icon="close", parent=parent)
        self.setFont(text_font(-1))
        self.setAccessibleName(self.tr("Only in {0}; remove it").format(name))
        self.setToolTip(tool_tip(self.tr("Remove {0}").format(name)))


class DocumentsChip(Chip):
    """The only documents to search; a click removes the restriction."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, icon="close", parent=parent)
        self.setFont(text_font(-1))
        self.setToolTip(self.tr("Search all documents again"))


class MissingChip(Chip):
    """Chosen folders that the library no longer has; a click searches all folders."""

    def __init__(self, names: Sequence[str], parent: QWidget | None = None) -> None:
        count = len(names)
        gone = counted(self.tr("%Ln chosen folder(s) (is|are) gone – search all?", "", count), count)
        super().__init__(gone, icon="warning", parent=parent)
        self.setFont(text_font(-1))
        self.setToolTip(tool_tip(self.tr("No longer in your library: {0}").format(", ".join(names))))


class ScopeRow(FlowRow):
    """Chips of folders and documents; without a chosen folder all folders are searched.

    A chosen folder that is removed from the library stays in the scope: it never widens by itself.
    """

    changed = Signal()  # by the user
    attachment_opened = Signal(bytes)  # show the file at this path
    attachment_removed = Signal(bytes)  # the user removed the file at this path; reported after `changed`
    attached_shown = Signal(object)  # a tuple of the paths that are attached, possibly empty

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Folders to search"))
        self._folders: tuple[tuple[FolderId, str], ...] = ()
        self._chips: list[FolderChip] = []
        self._scope = WHOLE_LIBRARY
        self._restrictions: list[Chip] = []  # of documents, types, dates and subfolders
        self._attached: list[AttachmentChip] = []
        self._shown: list[FolderChip] = []
        self.hide()

    def set_folders(self, folders: Sequence[tuple[FolderId, str]]) -> None:
        """Offer `folders`; those of the scope are checked, and unchanged folders keep their chips."""
        if tuple(folders) == self._folders:
            return
        self._folders = tuple(folders)
        chips: list[FolderChip] = []
        for folder, name in folders if len(folders) > 1 else ():
            chip = FolderChip(folder, name, self)
            chip.setChecked(name in self._scope.folders)
            chip.toggled.connect(self._on_toggled)
            chips.append(chip)
        self._chips, self._shown = chips, []
        self._show_chips()

    def show_scope(self, scope: ChosenScope) -> None:
        """Show where to search: folders as checked chips, documents as one chip with the query that found them."""
        self._scope = scope
        for chip, (_, name) in zip(self._chips, self._folders, strict=False):
            with QSignalBlocker(chip):
                chip.setChecked(name in scope.folders)
        self._restrictions = [*self._document_chips(scope), *map(self._filter_chip, scope.filters)]
        kept = {chip.path: chip for chip in self._attached}
        self._attached = [kept.get(path) or self._attachment_chip(path) for path in scope.attached]
        self._show_chips()
        self.attached_shown.emit(scope.attached)

    def show_attachments(self, states: Sequence[Attachment], held: str) -> None:
        """Show how far what is attached has been read; `held` as in `AttachmentChip.show_state`."""
        known = {state.path: state for state in states}
        for chip in self._attached:
            if chip.path in known:
                chip.show_state(known[chip.path], held)
        self._measure_again()
        self._place_items()

    def _attachment_chip(self, path: bytes) -> AttachmentChip:
        chip = AttachmentChip(path, self)
        chip.removed.connect(partial(self._drop_attached, path))
        chip.clicked.connect(partial(self.attachment_opened.emit, path))
        return chip

    def _drop_attached(self, path: bytes) -> None:
        self._narrow(replace(self._scope, attached=tuple(each for each in self._scope.attached if each != path)))
        self.attachment_removed.emit(path)

    def _document_chips(self, scope: ChosenScope) -> list[Chip]:
        chips: list[Chip] = []
        if scope.documents and len(scope.names) == len(scope.documents):
            for sha256, name in zip(scope.documents, scope.names, strict=True):
                one = RestrictionChip(name, self)
                one.clicked.connect(partial(self._drop_document, sha256))
                chips.append(one)
        elif scope.documents:
            count = len(scope.documents)
            label = counted(self.tr("%Ln document(s)", "", count), count)
            every = DocumentsChip(f"{label}: {scope.about}" if scope.about else label, self)
            every.clicked.connect(self._on_documents_clicked)
            chips.append(every)
        return chips

    def _filter_chip(self, chosen: Filter) -> Chip:
        chip = RestrictionChip(filter_label(chosen), self)
        chip.clicked.connect(partial(self._drop_filter, chosen))
        return chip

    def _drop_filter(self, chosen: Filter) -> None:
        self._narrow(replace(self._scope, filters=tuple(each for each in self._scope.filters if each != chosen)))

    def _drop_document(self, sha256: str) -> None:
        known = zip(self._scope.documents, self._scope.names, strict=True)
        left = [(document, name) for document, name in known if document != sha256]
        documents, names = tuple(document for document, _ in left), tuple(name for _, name in left)
        self._narrow(replace(self._scope, documents=documents, names=names))

    def _narrow(self, scope: ChosenScope) -> None:
        self.show_scope(scope)
        self.changed.emit()

    def scope(self) -> ChosenScope:
        """Return where to search."""
        return self._scope

    def _show_chips(self) -> None:
        few = len(self._chips) <= _MOST_FOLDERS + 1
        self._shown = [
            chip
            for place, chip in enumerate(self._chips)
            if few or place < _MOST_FOLDERS or chip.isChecked() or chip in self._shown
        ]
        items: list[Chip] = [*self._attached, *self._restrictions, *self._shown]
        if hidden := len(self._chips) - len(self._shown):
            more = Chip(self.tr("+%Ln more", "", hidden), parent=self)
            more.setFont(text_font(-1))
            more.setAccessibleName(counted(self.tr("Show %Ln more folder(s)", "", hidden), hidden))
            more.clicked.connect(self._on_more_clicked)
            items.append(more)
        if missing := self._missing():
            chip = MissingChip(missing, self)
            chip.clicked.connect(self._on_missing_clicked)
            items.append(chip)
        self.set_items(items)
        self.setVisible(bool(items))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with a folder or a restriction."""
        keyboard = event.reason() is QContextMenuEvent.Reason.Keyboard
        chip = self.focusWidget() if keyboard else self.childAt(event.pos())
        menu = self._menu_of(chip) if isinstance(chip, Chip) else None
        if menu is None:
            super().contextMenuEvent(event)
            return
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def _menu_of(self, chip: Chip) -> QMenu | None:
        """Return the menu of a folder's chip or of one that restricts the search; None for others."""
        menu = QMenu(self)
        if isinstance(chip, FolderChip):
            name = dict(self._folders)[chip.folder]
            alone = menu.addAction(self.tr("Search only this folder"))
            alone.setEnabled(self._scope.folders != (name,))
            alone.triggered.connect(lambda: self._narrow(replace(self._scope, folders=(name,))))
        elif isinstance(chip, RestrictionChip | DocumentsChip):
            menu.addAction(self.tr("Remove")).triggered.connect(lambda: chip.click())
        else:
            menu.deleteLater()
            return None
        every = menu.addAction(self.tr("Search the whole library"))
        whole = replace(WHOLE_LIBRARY, attached=self._scope.attached)
        every.setEnabled(self._scope != whole)
        every.triggered.connect(lambda: self._narrow(whole))
        return menu

    @Slot()
    def _on_more_clicked(self) -> None:
        self._shown = self._chips
        self._show_chips()

    @Slot()
    def _on_documents_clicked(self) -> None:
        self._narrow(replace(self._scope, documents=(), names=(), about=""))

    @Slot()
    def _on_toggled(self) -> None:
        checked = (name for chip, (_, name) in zip(self._chips, self._folders, strict=False) if chip.isChecked())
        self._scope = replace(self._scope, folders=(*checked, *self._missing()))
        self.changed.emit()

    @Slot()
    def _on_missing_clicked(self) -> None:
        self._narrow(replace(self._scope, folders=()))

    def _missing(self) -> tuple[str, ...]:
        """Return the chosen folders that the library no longer has; none before its folders are known."""
        known = {name for _, name in self._folders}
        return tuple(name for name in self._scope.folders if known and name not in known)

    def chips(self) -> tuple[FolderChip, ...]:
        """Return the folder chips, in order."""
        return tuple(self._chips)

    def folders(self) -> tuple[FolderId, ...]:
        """Return the chosen folders; empty means all. If all of them are gone, nothing is found."""
        found = tuple(folder for folder, name in self._folders if name in self._scope.folders)
        return found or ((_NO_FOLDER,) if self._scope.folders else ())
