"""The sources of an answer by document: those it cites, those that were only read, those that were only found."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from PySide6.QtCore import QCoreApplication

from desktop_rag.agent.conversations.erasing import SEARCHES
from desktop_rag.agent.events import AgentEvent, Citation, Source, ToolReturned
from desktop_rag.documents.file_types import Format
from desktop_rag.gui.snippet_text import shown_quote

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
