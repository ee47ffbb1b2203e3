"""The rows under an answer: cited documents with their citations, then documents only read or found, folded."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QMimeData, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget

from desktop_rag.agent.citations.marks import grade_source
from desktop_rag.agent.citations.quoted_rows import shown_words
from desktop_rag.agent.conversations.erasing import SEARCHES
from desktop_rag.agent.events import AgentEvent, Citation, Claim, Source, ToolReturned
from desktop_rag.documents.file_types import Format
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.sources.citation_menu import quoted_passage
from desktop_rag.gui.conversation.sources.source_status import SourceNotes, note_of
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.quote_data import MIME_TYPES, QuotedPassage, quote_data
from desktop_rag.gui.snippet_text import shown_quote
from desktop_rag.text.display import one_line, shown_path

# The sources of an answer by document: those it cites, those that were only read, those that were only found.

_MARKDOWN = (".md", ".markdown", ".mdx")  # the format of a source is not stored

Document = tuple[str, str]  # what tells documents apart: path and title


@dataclass(frozen=True, slots=True)
class CitedFile:
    """A document and its citations in the order of their numbers."""

    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class OtherFile:
    """A document that is not cited: the first of the `passages` places where it was read or found."""

    source: Source
    passages: int


@dataclass(frozen=True, slots=True)
class UncitedFiles:
    """The documents that a run read or only found, in that order of closeness, none of them cited."""

    read: tuple[OtherFile, ...] = ()
    found: tuple[OtherFile, ...] = ()
    ordering: tuple[Source, ...] = ()  # passages of all documents that seem to give orders to a model

    def gives_orders(self, citation: Citation) -> bool:
        """Return whether a citation is in a passage that seems to give orders."""
        return any(
            (each.path, each.title) == (citation.path, citation.title)
            and each.first_line <= citation.last_line
            and citation.first_line <= each.last_line
            for each in self.ordering
        )


def group_citations(citations: Sequence[Citation]) -> tuple[CitedFile, ...]:
    """Return the citations by document, the document that is cited first before the others."""
    groups: dict[tuple[str, str, str], list[Citation]] = {}
    for citation in citations:
        groups.setdefault((citation.sha256, citation.path, citation.title), []).append(citation)
    return tuple(CitedFile(tuple(group)) for group in groups.values())


def uncited_files(events: Iterable[AgentEvent], citations: Iterable[Citation]) -> UncitedFiles:
    """Return the other documents of a run; a search that shows a passage has found it, any other tool has read it."""
    cited = {(citation.path, citation.title) for citation in citations}
    read: dict[Document, set[Source]] = {}
    found: dict[Document, set[Source]] = {}
    first: dict[Document, Source] = {}
    ordering: dict[Source, None] = {}
    for event in events:
        if isinstance(event, ToolReturned) and not event.failed:
            kind = found if event.name in SEARCHES else read
            ordering.update(dict.fromkeys(source for source in event.sources if source.gives_orders))
            for source in event.sources:
                document = (source.path, source.title)
                if document not in kind:
                    first[document] = source  # reading replaces what a search had found
                kind.setdefault(document, set()).add(source)
    return UncitedFiles(
        tuple(OtherFile(first[document], len(places)) for document, places in read.items() if document not in cited),
        tuple(
            OtherFile(first[document], len(places))
            for document, places in found.items()
            if document not in cited and document not in read
        ),
        tuple(ordering),
    )


def orders_note() -> str:
    """Return the note on a passage that seems to give orders to a model."""
    return QCoreApplication.translate("SourceStatus", "contains instructions to a model")


def orders_hint() -> str:
    """Return what the note on such a passage means."""
    return QCoreApplication.translate(
        "SourceStatus",
        "This passage speaks to a language model. The model was told that the words are part of the document.",
    )


def shown_preview(source: Source) -> str:
    """Return the preview of a source on one line, without the syntax of its format and control characters."""
    markdown = PurePath(source.path).suffix.lower() in _MARKDOWN
    return shown_quote(source.preview, Format.MARKDOWN if markdown else "")


ROW_ROLE = Qt.ItemDataRole.UserRole.value + 1
NOTE_ROLE = Qt.ItemDataRole.UserRole.value + 2  # what has changed about the cited file, or that it gives orders
GRADE_ROLE = Qt.ItemDataRole.UserRole.value + 3  # its verdict, or the mark of its statements if all are refused

Index = QModelIndex | QPersistentModelIndex
FoldKind = Literal["read", "found"]


@dataclass(frozen=True, slots=True)
class CitationRow:
    """A citation; `below` the row of its file, it does not name the file again."""

    citation: Citation
    below: bool


@dataclass(frozen=True, slots=True)
class CitedFileRow:
    """A document with several citations, which follow."""

    file: CitedFile


@dataclass(frozen=True, slots=True)
class SourceGroupRow:
    """The heading of the documents that were read or found without being cited."""

    kind: FoldKind
    count: int
    is_open: bool


@dataclass(frozen=True, slots=True)
class UncitedRow:
    """A document that is not cited."""

    file: OtherFile


SourcesRow = CitationRow | CitedFileRow | SourceGroupRow | UncitedRow


class SourcesModel(QAbstractListModel):
    """The rows; the accessible text of a row says everything that the row paints."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.citations: tuple[Citation, ...] = ()  # of the answer, in order
        self._claims: tuple[Claim, ...] = ()
        self._shown = 0  # citations
        self._uncited = UncitedFiles()
        self._open: set[FoldKind] = set()
        self._notes: SourceNotes = {}
        self._rows: tuple[SourcesRow, ...] = ()

    def set_notes(self, notes: SourceNotes) -> None:
        """Set the notes on changed files."""
        self._notes = notes
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))

    def set_citations(
        self,
        citations: Sequence[Citation],
        shown: int,
        claims: Sequence[Claim] = (),
        uncited: UncitedFiles | None = None,
    ) -> None:
        """Replace the rows; only the first `shown` citations are listed until `show_all`."""
        self._claims = tuple(claims)
        self.citations = tuple(citations)
        self._shown = shown
        self._uncited = uncited or UncitedFiles()
        self._open.clear()
        self._build()

    def show_all(self) -> QModelIndex:
        """List all citations; return the first that was not listed."""
        before = set(self._rows)
        self._shown = len(self.citations)
        self._build()
        return next((self.index(n) for n, row in enumerate(self._rows) if row not in before), QModelIndex())

    def toggle(self, kind: FoldKind) -> None:
        """Unfold or fold the documents that were read or found without being cited."""
        self._open ^= {kind}
        self._build()

    def _build(self) -> None:
        self.beginResetModel()
        self._rows = tuple(self._listed())
        self.endResetModel()

    def _listed(self) -> Iterator[SourcesRow]:
        shown = self._shown
        for file in group_citations(self.citations):
            if not shown:
                break
            several = len(file.citations) > 1
            if several:
                yield CitedFileRow(file)
            for citation in file.citations[:shown]:
                yield CitationRow(citation, several)
            shown = max(0, shown - len(file.citations))
        folds: tuple[tuple[FoldKind, tuple[OtherFile, ...]], ...]
        folds = (("read", self._uncited.read), ("found", self._uncited.found))
        for kind, files in folds:
            if files:
                yield SourceGroupRow(kind, len(files), kind in self._open)
                yield from map(UncitedRow, files if kind in self._open else ())

    def row(self, index: Index) -> SourcesRow:
        """Return a row."""
        return self._rows[index.row()]

    def place_of(self, row: SourcesRow | FoldKind) -> QModelIndex:
        """Return the index of a row, or of the heading of a kind."""
        for number, each in enumerate(self._rows):
            if each == row or (isinstance(each, SourceGroupRow) and each.kind == row):
                return self.index(number)
        return QModelIndex()

    def checked(self, citation: Citation) -> str:
        """Return what is known of a citation and the statements that cite it."""
        return formatting.checked(citation, self._claims)

    def note(self, citation: Citation) -> str:
        """Return what has changed about a cited file."""
        return one_line(note_of(citation, self._notes))

    def rowCount(self, parent: Index | None = None) -> int:
        """Return the number of listed rows."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Make the rows of documents draggable."""
        flags = super().flags(index)
        is_document = index.isValid() and not isinstance(self.row(index), SourceGroupRow)
        return flags | Qt.ItemFlag.ItemIsDragEnabled if is_document else flags

    def mimeTypes(self) -> list[str]:
        """Return the MIME types of a dragged row."""
        return list(MIME_TYPES)

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return the files of the rows, and what is cited or was found as text."""
        return quote_data(passage for index in indexes for passage in _quoted(self.row(index)))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the text, the tooltip, the note, the grade or the row itself."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        match row:
            case CitationRow(citation):
                return self._citation_data(citation, role)
            case CitedFileRow(file):
                return self._file_data(file, role)
            case SourceGroupRow():
                texts = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)
                return self._fold_text(row, role) if role in texts else None
            case UncitedRow(file):
                return _other_data(file, role)

    def _citation_data(self, citation: Citation, role: int) -> object:
        name = one_line(formatting.document_name(citation.path, citation.title))
        place = formatting.place(citation.page, citation.first_line, citation.last_line, citation.section)
        place = one_line(formatting.document_place(citation.path, citation.title, place))
        ordering = self._uncited.gives_orders(citation)
        note = ", ".join(filter(None, (self.note(citation), orders_note() if ordering else "")))
        quote = shown_quote(shown_words(citation), citation.format)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return f"{citation.number}. {name}, {place}"
            case Qt.ItemDataRole.AccessibleTextRole:
                since = f" ({note})" if note else ""
                return f"{citation.number}. {name}, {place}{since}. {self.checked(citation)} {formatting.quoted(quote)}"
            case Qt.ItemDataRole.ToolTipRole:
                hint = orders_hint() if ordering else ""
                parts = (shown_path(citation.path), note, place, formatting.quoted(quote), self.checked(citation), hint)
                return tool_tip("\n".join(filter(None, parts)))
            case _:
                grade = grade_source(citation, self._claims)
                return {NOTE_ROLE: note, GRADE_ROLE: grade}.get(role)

    def _file_data(self, file: CitedFile, role: int) -> object:
        first = file.citations[0]
        name = one_line(formatting.document_name(first.path, first.title))
        count = len(file.citations)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return name
            case Qt.ItemDataRole.AccessibleTextRole:
                cited = formatting.counted(self.tr("cited %Ln time(s)", "", count), count)
                file_name = one_line(formatting.document_place(first.path, first.title, ""))
                return ", ".join(filter(None, (name, file_name, cited, self.note(first))))
            case Qt.ItemDataRole.ToolTipRole:
                return tool_tip("\n".join(filter(None, (shown_path(first.path), self.note(first)))))
            case _:
                return {NOTE_ROLE: self.note(first)}.get(role)

    def _fold_text(self, row: SourceGroupRow, role: int) -> str:
        name = self.tr("Read, not cited") if row.kind == "read" else self.tr("Found, not read")
        files = formatting.counted(self.tr("%Ln document(s)", "", row.count), row.count)
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{name} · {files}"
        state = self.tr("unfolded") if row.is_open else self.tr("folded")
        return f"{name}, {files}, {state}"


def _quoted(row: SourcesRow) -> Iterator[QuotedPassage]:
    match row:
        case CitationRow(citation):
            yield quoted_passage(citation)
        case CitedFileRow(file):
            yield from map(quoted_passage, file.citations)
        case UncitedRow(file):
            source = file.source
            place = (source.page, source.first_line, source.last_line)
            yield QuotedPassage(shown_preview(source), source.title, source.path, *place)


def _other_data(file: OtherFile, role: int) -> object:
    source = file.source
    name = one_line(formatting.document_name(source.path, source.title))
    place = formatting.place(source.page, source.first_line, source.last_line, source.section)
    place = one_line(formatting.document_place(source.path, source.title, place))
    note = orders_note() if source.gives_orders else ""
    match role:
        case Qt.ItemDataRole.DisplayRole:
            return f"{name}, {place}"
        case Qt.ItemDataRole.AccessibleTextRole:
            return f"{name}, {place}{f' ({note})' if note else ''}. {shown_preview(source)}"
        case Qt.ItemDataRole.ToolTipRole:
            hint = orders_hint() if note else ""
            return tool_tip("\n".join(filter(None, (shown_path(source.path), place, hint))))
        case _:
            return {NOTE_ROLE: note}.get(role)
