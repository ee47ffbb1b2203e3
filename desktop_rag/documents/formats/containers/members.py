"""Appends the members of an archive, each as a section `archive!/member`, and lists those that are not read."""

import posixpath
from collections.abc import Callable

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Line, LineKind
from desktop_rag.documents.file_types import MAX_FILE_BYTES, unread_reason
from desktop_rag.documents.formats.source_file import MAX_ENTRIES, TOO_DEEP, ReadLimitReached, SourceFile
from desktop_rag.errors import DocumentError, ProblemKind
from desktop_rag.text.display import label_of

PROTECTED = "protected by a password"
DAMAGED = "damaged"
UNKNOWN_PACKING = "compressed with an unsupported method"
LINK = "only a link"
TOO_LARGE = "too large"
_LOST = {  # the beginnings of reasons that count as lost text
    PROTECTED: ProblemKind.PROTECTED,
    DAMAGED: ProblemKind.DAMAGED,
    UNKNOWN_PACKING: ProblemKind.OTHER,
    TOO_LARGE: ProblemKind.TOO_LARGE,
    TOO_DEEP.rstrip("."): ProblemKind.LIMIT,
}

_MAX_LISTED = 2000  # names of members that are not read
_SYSTEM_FILES = ("__MACOSX/", ".DS_Store", "Thumbs.db", "desktop.ini")


class UnreadableMember(Exception):
    """A member cannot be unpacked; the message says why, as the end of a sentence."""


class Members:
    """Appends members to `builder` one by one, and finally a list of those that are not read."""

    def __init__(self, source: SourceFile, builder: DocumentBuilder) -> None:
        self._source = source
        self._builder = builder
        self._label = source.label_prefix or label_of(posixpath.basename(source.name.replace("\\", "/")))
        self._unread: list[tuple[str, str]] = []
        self.count = 0

    def add(self, name: str, size: int, packed: int, load: Callable[[], bytes]) -> None:
        """Read a member of declared `size` and `packed` bytes; `load` may raise `UnreadableMember`."""
        self._count()
        base = posixpath.basename(name.replace("\\", "/"))
        if base.startswith("._") or any(system_file in name for system_file in _SYSTEM_FILES):
            return
        if reason := unread_reason(base):
            self._list(name, reason)
        elif size > MAX_FILE_BYTES:
            self._list(name, f"{TOO_LARGE}: {size / 1024**2:,.0f} MB")
        else:
            self._source.budget.count_unpacked(size, packed)
            try:
                self._include(name, base, load())
            except UnreadableMember as error:
                self._list(name, str(error))
            except DocumentError as error:
                self._list(name, str(error).rstrip("."))

    def skip(self, name: str, why: str) -> None:
        """List a member as not read."""
        self._count()
        self._list(name, why)

    def _count(self) -> None:
        self._source.budget.check(self._builder.characters)
        self.count += 1
        if self.count > MAX_ENTRIES:
            raise ReadLimitReached(f"This archive has more than {MAX_ENTRIES:,} files; the rest was left out.")

    def _list(self, name: str, why: str) -> None:
        self._unread.append((label_of(name), why))

    def finish(self) -> None:
        """Append the list of members that were not read."""
        if self._unread:
            self._builder.begin_section(self._label, apart=True)
            self._builder.add(Line("Not read", LineKind.HEADING, 1))
            for name, why in self._unread[:_MAX_LISTED]:
                self._builder.add(Line(f"{name}: {why}", LineKind.ITEM, 1))
            if len(self._unread) > _MAX_LISTED:
                self._builder.add(Line(f"… and {len(self._unread) - _MAX_LISTED:,} more"))
        lost = [why for _, why in self._unread if why.startswith(tuple(_LOST))]
        if lost and not self._builder.partial:
            kind = next(kind for words, kind in _LOST.items() if lost[0].startswith(words))
            self._builder.leave_out(
                f"{len(lost):,} of {self.count:,} files in this archive cannot be read: {lost[0]}.", kind
            )

    def _include(self, name: str, base: str, data: bytes) -> None:
        label = label_of(f"{self._label}!/{name}")
        document = self._source.read_member(base, data, label)
        self._builder.begin_section(label, apart=True)
        self._builder.add_outline_entry(1, label_of(name))
        self._builder.add(Line(label_of(name), LineKind.HEADING, 1))
        self._builder.add_blank()
        self._builder.include(document, label, deeper=1)
        if document.partial:
            self._builder.leave_out(f"{label_of(name)}: {document.partial}", document.partial_kind)
