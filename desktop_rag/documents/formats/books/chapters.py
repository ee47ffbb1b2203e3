"""Starts the chapters of an e-book as its text is appended, according to its table of contents."""

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.documents.builder import DocumentBuilder

_SECTION_LEVELS = 2  # levels of entries that become sections; deeper ones are in the outline only


@dataclass(frozen=True, slots=True)
class ChapterEntry:
    """One entry: its target (a file of the book and an id in it), its depth from 1 and its title."""

    file: str
    anchor: str
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class _Chapter:
    title: str
    depth: int
    label: str


class ChapterList:
    """Adds the outline and the sections of a book to `builder`."""

    def __init__(self, entries: Sequence[ChapterEntry], builder: DocumentBuilder) -> None:
        self._builder = builder
        self._files: dict[str, dict[str, list[_Chapter]]] = {}
        self._open: dict[str, list[_Chapter]] = {}
        above: list[ChapterEntry] = []
        for entry in entries:
            while above and above[-1].level >= entry.level:
                above.pop()
            above.append(entry)
            label = " › ".join(part.title for part in above[:_SECTION_LEVELS])
            chapter = _Chapter(entry.title, len(above), label)
            self._files.setdefault(entry.file, {}).setdefault(entry.anchor, []).append(chapter)

    def begin_file(self, file: str) -> None:
        """Announce that the text of `file` follows."""
        self._open = self._files.pop(file, {})

    def begin_at(self, anchor: str) -> None:
        """Start the chapters at `anchor`, whose line follows; an empty anchor is the start of the file."""
        for chapter in self._open.pop(anchor, ()):
            self._builder.add_outline_entry(chapter.depth, chapter.title)
            if chapter.depth <= _SECTION_LEVELS:
                self._builder.begin_section(chapter.label)

    def end_file(self, first_line: int) -> None:
        """Add the entries with missing anchors at the first line of the file, unless the file is empty."""
        if first_line <= len(self._builder):
            for chapter in (chapter for chapters in self._open.values() for chapter in chapters):
                self._builder.add_outline_entry(chapter.depth, chapter.title, first_line)
        self._open = {}
