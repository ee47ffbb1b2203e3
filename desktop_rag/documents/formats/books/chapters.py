"""The table of contents of an e-book while its text is appended: chapters begin where the text reaches them."""

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.documents.builder import DocumentBuilder

_PARTS = 2  # levels of the contents whose entries name a part; deeper ones stand in the outline only


@dataclass(frozen=True, slots=True)
class ChapterEntry:
    """One entry: where it leads (a file of the book and an id in it), its depth from 1 and its title."""

    file: str
    anchor: str
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class _Begun:
    title: str
    depth: int
    label: str


class ChapterList:
    """Writes the outline and the parts of a book into `builder`."""

    def __init__(self, entries: Sequence[ChapterEntry], builder: DocumentBuilder) -> None:
        self._builder = builder
        self._files: dict[str, dict[str, list[_Begun]]] = {}
        self._open: dict[str, list[_Begun]] = {}
        above: list[ChapterEntry] = []
        for entry in entries:
            while above and above[-1].level >= entry.level:
                above.pop()
            above.append(entry)
            label = " › ".join(part.title for part in above[:_PARTS])
            begun = _Begun(entry.title, len(above), label)
            self._files.setdefault(entry.file, {}).setdefault(entry.anchor, []).append(begun)

    def begin_file(self, file: str) -> None:
        """Say that the text of `file` comes next."""
        self._open = self._files.pop(file, {})

    def reach(self, anchor: str) -> None:
        """Begin the parts that start at `anchor`, whose line comes next; it is empty for the file's first line."""
        for begun in self._open.pop(anchor, ()):
            self._builder.add_outline_entry(begun.depth, begun.title)
            if begun.depth <= _PARTS:
                self._builder.begin_section(begun.label)

    def end_file(self, first_line: int) -> None:
        """Put the entries whose anchors are missing at the first line of their file, unless nothing is in it."""
        if first_line <= len(self._builder):
            for begun in (begun for all_begun in self._open.values() for begun in all_begun):
                self._builder.add_outline_entry(begun.depth, begun.title, first_line)
        self._open = {}
