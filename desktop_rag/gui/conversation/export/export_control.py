"""Writes a stored conversation to a file or prints it: asks for the place, works in the background."""

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, QStandardPaths, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.transcript import ConversationId, Turn
from desktop_rag.agent.events import Citation
from desktop_rag.errors import DesktopRagError, ExportError
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.conversation_repository import ConversationRepository
from desktop_rag.gui.conversation.export.export_files import (
    LINKED,
    ExportFormat,
    encoded,
    format_names,
    format_of,
    path_with_ending,
    print_on,
    safe_name,
)
from desktop_rag.gui.conversation.export.exported_conversation import ExportedConversation, copied_work, exported
from desktop_rag.gui.conversation.export.html_export import as_html, as_markdown
from desktop_rag.gui.conversation.sources.citation_menu import quoted_passage
from desktop_rag.gui.formatting import file_name
from desktop_rag.gui.os_services import write_file
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.retrieval.api import DocumentCard, Retriever
from desktop_rag.settings import Settings
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line


class ExportControl(QObject):
    """Exports and prints conversations as they are stored."""

    notified = Signal(str)  # a sentence for the user
    saved = Signal(str, Path)  # that a file was written, as a sentence, and the file

    def __init__(
        self,
        repository: ConversationRepository,
        retriever: Retriever,
        title_of: Callable[[ConversationId], str],
        window: QWidget,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._repository = repository
        self._retriever = retriever
        self._title_of = title_of
        self._window = window
        self._folder = str(Path.home())

    @Slot(object)
    def export(self, conversation: ConversationId) -> None:
        """Ask for a place and a format, and write the conversation there."""
        title = self._title_of(conversation)
        dialog = FileDialog(self._window, self.tr("Export the conversation"), self._folder)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        names = format_names()
        filters = {f"{name} (*.{kind})": (kind, False) for kind, name in names.items()}
        linked = self.tr("{0} with links to the files on this computer")
        filters |= {f"{linked.format(names[kind])} (*.{kind})": (kind, True) for kind in LINKED}
        dialog.setNameFilters(list(filters))
        dialog.setDefaultSuffix(ExportFormat.MARKDOWN)
        dialog.filterSelected.connect(lambda chosen: dialog.setDefaultSuffix(filters[chosen][0]))
        dialog.selectFile(safe_name(title))

        def write(path: str) -> None:
            self._folder = str(Path(path).parent)
            chosen, file_links = filters[dialog.selectedNameFilter()]
            kind = format_of(path) or chosen
            self.write(conversation, path_with_ending(Path(path), kind), kind, file_links=file_links)

        dialog.fileSelected.connect(write)
        dialog.open()

    def write(self, conversation: ConversationId, path: Path, kind: ExportFormat, *, file_links: bool = False) -> None:
        """Write a conversation to `path` in the background."""
        title = self._title_of(conversation)

        def work(store: ConversationStore, stop: Stop) -> None:
            made = self._exported(store, conversation, title, stop)
            write_file(path, encoded(made, kind, file_links=file_links))

        done = self.tr("Saved as {0}").format(one_line(path.name))
        self._repository.run(work, lambda _: self.saved.emit(done, path))

    @Slot(object, str)
    def copy_work(self, citation: Citation, kind: str) -> None:
        """Copy the document of a citation to the clipboard, in a format for reference managers."""

        def work(_: ConversationStore, stop: Stop) -> str:
            cited = copied_work(citation, self._card(citation, stop))
            return encoded(ExportedConversation("", (), (cited,)), ExportFormat(kind)).decode()

        self._repository.run(work, QGuiApplication.clipboard().setText)

    @Slot(object)
    def print(self, conversation: ConversationId) -> None:
        """Ask for a printer, and print the conversation on it."""
        title = self._title_of(conversation)
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(safe_name(title))
        dialog = QPrintDialog(printer, self._window)
        dialog.setWindowTitle(self.tr("Print the conversation"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.finished.connect(lambda done: self.print_on(conversation, printer) if done else None)
        dialog.setModal(True)
        dialog.show()

    def print_on(self, conversation: ConversationId, printer: QPrinter) -> None:
        """Print a conversation in the background."""
        title = self._title_of(conversation)
        failed = self.tr("The printer did not take it. Check that it is connected, or export a PDF.")

        def work(store: ConversationStore, stop: Stop) -> None:
            print_on(printer, as_html(self._exported(store, conversation, title, stop)))
            if printer.printerState() is QPrinter.PrinterState.Error:
                raise ExportError(failed)

        done, file = self.tr("Printed “{0}”").format(one_line(title)), printer.outputFileName()
        self._repository.run(work, lambda _: self.saved.emit(done, Path(file)) if file else self.notified.emit(done))

    def _exported(
        self, store: ConversationStore, conversation: ConversationId, title: str, stop: Stop
    ) -> ExportedConversation:
        return exported(title, store.load(conversation).turns, lambda citation: self._card(citation, stop))

    def _card(self, citation: Citation, stop: Stop) -> DocumentCard | None:
        try:
            return self._retriever.lookup(citation.sha256, None, stop) if citation.sha256 else None
        except DesktopRagError:
            return None  # the author stays unknown


# Writes answers and quotations to the folder of notes on request: Markdown files that are the user's from then on.
#
# A link in a note opens the cited lines; its words find them again once the document has changed.

TAG = "desktop-rag"  # of every note, by which a search finds them
_MOST_NAMESAKES = 10_000

Written = Callable[[Stop], str]


class NotesControl(QObject):
    """Saves to notes; asks for their folder where none is chosen or it is missing."""

    saved = Signal(str, Path)  # that a note was written, as a sentence, and its file
    folder_chosen = Signal(Path)  # notes are written here from now on

    def __init__(
        self,
        repository: ConversationRepository,
        retriever: Retriever,
        settings: Callable[[], Settings],
        window: QWidget,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._repository = repository
        self._retriever = retriever
        self._settings = settings
        self._window = window

    def save_turn(self, turn: Turn) -> None:
        """Save a question with its answer and sources."""

        def text(stop: Stop) -> str:
            made = exported(turn.question, (turn,), lambda citation: self._card(citation, stop))
            return as_markdown(made, file_links=True)

        self._save(turn.question, text, self._settings().notes)

    @Slot(object)
    def save_quotation(self, citation: Citation) -> None:
        """Save the cited words with their place."""
        place = (citation.page, citation.first_line, citation.last_line, citation.sha256)
        words = quoted_passage(citation).words
        quoted = formatting.markdown_quotation(words, citation.title, citation.path, *place)
        title = one_line(citation.title or file_name(citation.path, ""))
        self._save(title, lambda _: f"# {title}\n\n{quoted}\n", self._settings().notes)

    def _save(self, title: str, text: Written, folder: str) -> None:
        """Write a note in the background, into a folder that exists."""

        def work(stop: Stop) -> Path | None:
            if not folder or not os.path.isdir(folder):  # noqa: PTH112 - also where it cannot be looked at
                return None
            head = f"---\ncreated: {datetime.now().astimezone():%Y-%m-%d %H:%M}\ntags: [{TAG}]\n---\n\n"
            data = (head + text(stop)).encode("utf-8", "replace")
            path = free_path(Path(folder), title)
            write_file(path, data)
            return path

        def done(path: Path | None) -> None:
            if path is None:
                self._choose_folder(lambda chosen: self._save(title, text, chosen))
            else:
                self.saved.emit(self.tr("Saved to your notes as {0}").format(one_line(path.name)), path)

        self._repository.run(lambda _, stop: work(stop), done)

    def _choose_folder(self, then: Callable[[str], None]) -> None:
        documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        dialog = FileDialog(self._window, self.tr("Choose the folder for your notes"), documents, folders=True)

        def chosen(folder: str) -> None:
            self.folder_chosen.emit(Path(folder))
            then(folder)

        dialog.fileSelected.connect(chosen)
        dialog.open()

    def _card(self, citation: Citation, stop: Stop) -> DocumentCard | None:
        try:
            return self._retriever.lookup(citation.sha256, None, stop) if citation.sha256 else None
        except DesktopRagError:
            return None  # the author stays unknown


def free_path(folder: Path, title: str) -> Path:
    """Return the path of a new note, named after its title."""
    name = safe_name(title)
    paths = (folder / f"{name}{'' if n == 1 else f' ({n})'}.md" for n in range(1, _MOST_NAMESAKES))
    return next((path for path in paths if not path.exists()), folder / f"{name}.md")
