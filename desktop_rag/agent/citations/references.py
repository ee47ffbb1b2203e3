"""References: names of passages, `turn{n}search{m}`; `m` counts through a conversation and is never reused."""

import os
import re
import threading
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from desktop_rag.agent.events import Source
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.llm.chat import document_label
from desktop_rag.retrieval.api import ChunkText, DocumentCard, Hit

if TYPE_CHECKING:  # the window imports this module while it starts
    from desktop_rag.agent.citations.calculations import Sum

REFERENCE = re.compile(r"turn(\d{1,6})search(\d{1,6})", re.IGNORECASE)
# Models also name a passage by the tool that returned it: turn1open3, turn1calculate2.
ANY_REFERENCE = re.compile(r"turn(\d{1,6})([a-z_]{2,20}?)(\d{1,6})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reference:
    """A passage that the model may name; `chunk` is None if only its lines are known."""

    name: str
    content: ContentId
    chunk: ChunkId | None
    title: str
    path: str
    page: int | None
    first_line: int
    last_line: int
    section: str = ""

    @property
    def file(self) -> str:
        """The name of the document's file."""
        return self.path.replace("\\", "/").rpartition("/")[2]

    @property
    def label(self) -> str:
        """The names under which the model sees the document: of its file, then its title."""
        return document_label(self.file, self.title)


class References:
    """All references of a conversation, for any thread; a chunk always keeps its name.

    Those to `closed` contents keep their names too, but are not known: they are outside of what this turn may read.
    """

    def __init__(
        self,
        turn: int,
        earlier: Iterable[Source] = (),
        counts_from: int = 1,
        closed: frozenset[ContentId] = frozenset(),
    ) -> None:
        self._turn = turn
        self._closed = closed
        self._adding = threading.RLock()
        self._out_of_scope: set[str] = set()
        self._count = counts_from - 1
        self._by_name: dict[str, Reference] = {}
        self._by_chunk: dict[ChunkId, Reference] = {}
        self._by_document: dict[ContentId, Reference] = {}  # references to whole documents
        self._calculations: dict[str, tuple[Sum, ...]] = {}
        self._of_content: dict[ContentId, Reference] = {}  # the oldest one
        self._titled: dict[str, set[ContentId]] = {}
        for source in earlier:
            self._restore(source)

    def __len__(self) -> int:
        return len(self._by_name)

    def copy(self) -> Self:
        """Return a copy that names new passages like this one, and leaves this one unchanged."""
        other = copy(self)
        other._adding = threading.RLock()
        with self._adding:
            other._by_name, other._by_chunk = dict(self._by_name), dict(self._by_chunk)
            other._by_document, other._calculations = dict(self._by_document), dict(self._calculations)
            other._of_content = dict(self._of_content)
            other._titled = {title: set(contents) for title, contents in self._titled.items()}
            other._count = self._count
        return other

    def get(self, name: str) -> Reference | None:
        """Return the reference called `name`, ignoring case, leading zeros and the tool named instead of “search”."""
        return self._by_name.get(_canonical(name))

    def is_out_of_scope(self, name: str) -> bool:
        """Return whether an earlier turn gave this name to a passage that this turn may not read."""
        return _canonical(name) in self._out_of_scope

    def of_content(self, content: ContentId) -> Reference | None:
        """Return the oldest reference to a content."""
        return self._of_content.get(content)

    def display_title(self, reference: Reference) -> str:
        """Return the title of the document for the user, or its file name if another document has the same title."""
        if self._titled.get(reference.title, set()) <= {reference.content}:
            return reference.title
        return reference.path.rpartition("/")[2] or reference.title

    def documents(self) -> dict[ContentId, Reference]:
        """Return the oldest reference to each document that is known."""
        with self._adding:
            return dict(self._of_content)

    def all_names(self) -> tuple[str, ...]:
        """Return the names of all references, oldest first."""
        return tuple(self._by_name)

    def of_hit(self, hit: Hit) -> Reference:
        """Return the reference to a search hit, created if new."""
        span = hit.span
        title = hit.title or readable(hit.path.name)
        path = readable(hit.path)
        first, last = span.first_line, span.last_line
        return self._add(Reference("", hit.content, hit.chunk, title, path, hit.page, first, last, hit.section))

    def of_document(self, card: DocumentCard) -> Reference:
        """Return the reference to a whole document, created if new."""
        with self._adding:
            known = self._by_document.get(card.content)
            if known:
                return known
            path = readable(card.path) if card.path else ""
            reference = self._add(Reference("", card.content, None, card.title, path, None, 1, max(card.lines, 1)))
            self._by_document[card.content] = reference
            return reference

    def of_chunk(self, chunk: ChunkText, near: Reference) -> Reference:
        """Return the reference to a chunk in the document of `near`, created if new."""
        span = chunk.span
        place = chunk.page, span.first_line, span.last_line, chunk.section
        return self._add(Reference("", chunk.content, chunk.chunk, near.title, near.path, *place))

    def of_lines(self, card: DocumentCard, first_line: int, last_line: int) -> Reference:
        """Create a reference to lines of a document that are no chunk."""
        path = readable(card.path) if card.path else ""
        title = card.title or path.rpartition("/")[2]
        return self._add(Reference("", card.content, None, title, path, None, first_line, last_line))

    def of_calculation(self, sums: "Sequence[Sum]") -> str:
        """Return a new reference to the lines of a calculation."""
        with self._adding:
            name = self._new_name()
            self._calculations[name] = tuple(sums)
            return name

    def calculation(self, name: str) -> "tuple[Sum, ...]":
        """Return the sums of the calculation called `name`, ignoring case and leading zeros; none if it is none.

        `turn2calculate1` is the first calculation of the second turn.
        """
        match = ANY_REFERENCE.search(name)
        if match is None:
            return ()
        turn, number = int(match[1]), int(match[3])
        if match[2].lower().startswith("calc"):
            made = [sums for each, sums in tuple(self._calculations.items()) if each.startswith(f"turn{turn}search")]
            if 0 < number <= len(made):
                return made[number - 1]
        return self._calculations.get(f"turn{turn}search{number}", ())

    def sums(self) -> "tuple[Sum, ...]":
        """Return the sums of all calculations of this run, oldest first."""
        return tuple(each for sums in tuple(self._calculations.values()) for each in sums)

    def _add(self, nameless: Reference) -> Reference:
        """Return the reference to a chunk, created if new, or a new one to what is no chunk."""
        with self._adding:
            known = self._by_chunk.get(nameless.chunk) if nameless.chunk is not None else None
            return known or self._know(replace(nameless, name=self._new_name()))

    def _know(self, reference: Reference) -> Reference:
        self._by_name[reference.name] = reference
        self._of_content.setdefault(reference.content, reference)
        self._titled.setdefault(reference.title, set()).add(reference.content)
        if reference.chunk is not None:
            self._by_chunk[reference.chunk] = reference
        return reference

    def _new_name(self) -> str:
        self._count += 1
        return f"turn{self._turn}search{self._count}"

    def _restore(self, source: Source) -> None:
        match = REFERENCE.fullmatch(source.reference)
        if not match or source.reference in self._by_name:
            return
        self._count = max(self._count, int(match[2]))
        if source.content in self._closed:
            self._out_of_scope.add(source.reference)
            return
        self._know(
            Reference(
                source.reference,
                source.content,
                source.chunk,
                source.title,
                source.path,
                source.page,
                source.first_line,
                source.last_line,
                source.section,
            )
        )


def _canonical(name: str) -> str:
    match = ANY_REFERENCE.search(name)
    return f"turn{int(match[1])}search{int(match[3])}" if match else ""


def readable(path: Path | str) -> str:
    """Return a path as valid text; bytes that are not UTF-8 become replacement characters."""
    return os.fsencode(path).decode("utf-8", "replace")
