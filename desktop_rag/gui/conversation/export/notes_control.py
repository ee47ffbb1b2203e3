"""Writes answers and quotations to the folder of notes on request: Markdown files that are the user's from then on.

A link in a note opens the cited lines; its words find them again once the document has changed.
"""

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, QStandardPaths, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import Citation
from desktop_rag.errors import DesktopRagError
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.conversation_repository import ConversationRepository
from desktop_rag.gui.conversation.export.export_files import safe_name
from desktop_rag.gui.conversation.export.exported_conversation import exported
from desktop_rag.gui.conversation.export.markdown_export import as_markdown
from desktop_rag.gui.conversation.sources.citation_menu import quoted_passage
from desktop_rag.gui.formatting import file_name
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.gui.written_files import write_file
from desktop_rag.retrieval.api import DocumentCard, Retriever
from desktop_rag.settings import Settings
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line

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
