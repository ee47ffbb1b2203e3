"""Verifies a library: the indexes against the catalog, the catalog against itself and the folders.

The invariants carry the names used in the documentation: I0 SQLite, I1 files, I2 spans, I3 keywords, I4 and I5
vectors, I6 lineage, I7 leftovers, I8 modes. Nothing is written; any damage is a finding.
"""

import contextlib
import os
import stat
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

from desktop_rag.errors import LibraryDamaged, LibraryError, OutOfMemory
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.catalog_schema import FORMAT, OLDEST
from desktop_rag.index.catalog.chunk_table import StoredSpan
from desktop_rag.index.catalog.stored_values import unpack_sentences
from desktop_rag.index.folders.file_changes import (
    FileChanged,
    FileDeleted,
    FileFound,
    FileMoved,
    FileSkipped,
    FileTouched,
    FolderAway,
    RootMissing,
    ScanEvent,
    ScanProgress,
)
from desktop_rag.index.folders.scan import scan
from desktop_rag.index.keywords.columnar.columnar_keywords import damaged_files
from desktop_rag.index.keywords.keyword_engine import KeywordReader
from desktop_rag.index.keywords.open_index import keyword_reader
from desktop_rag.index.library import Library, require_catalog, require_local
from desktop_rag.index.records import ChunkId, ContentId, FolderState
from desktop_rag.index.vectors.vector_codes import belong_to
from desktop_rag.index.vectors.vector_reader import VectorReader
from desktop_rag.processes.shortage import is_shortage
from desktop_rag.stop import Stop

LEFTOVER_SECONDS = 3600.0
ATTEMPTS = 4  # to check an index that an indexer may be writing
RETRY_SECONDS = 0.5
_NAMED = 5  # files in one finding


@dataclass(frozen=True, slots=True)
class IntegrityFinding:
    """The result for one invariant: its meaning, whether it holds, and the defect if not."""

    invariant: str
    meaning: str
    holds: bool
    detail: str


Step = tuple[str, str, Callable[[], str]]
_OF_THE_CATALOG = {"I1", "I2", "I3", "I4", "I5", "I6"}


class IntegrityChecker:
    """Checks one library without writing to it."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._catalog = CatalogReader.open(library.catalog)
        self._open_keywords: KeywordReader | None = None
        self._vectors = VectorReader(library.vectors, self._catalog.vectors.stored)
        self._unreadable = False

    def close(self) -> None:
        """Close the files."""
        if self._open_keywords is not None:
            self._open_keywords.close()
        self._vectors.close()
        self._catalog.close()

    def run(self, *, deep: bool, stop: Stop, only: frozenset[str] | None = None) -> Generator[IntegrityFinding]:
        """Yield a finding per invariant (of `only`, if given); `deep` also scans the folders and compares vectors."""
        for invariant, meaning, check in self._steps(deep=deep, stop=stop):
            stop.check()
            if only is not None and invariant not in only:
                continue
            if self._unreadable and invariant in _OF_THE_CATALOG:
                continue
            detail = self._result(check)
            yield IntegrityFinding(invariant, meaning, not detail, detail)

    def _result(self, check: Callable[[], str]) -> str:
        """Return the defect that `check` finds, or an empty text; an error in the check is a defect, too.

        Raises `OutOfMemory`, which is none.
        """
        try:
            return check()
        except LibraryDamaged as error:
            self._unreadable = self._unreadable or check == self._sqlite_errors
            return str(error)
        except OutOfMemory:
            raise
        except LibraryError as error:
            return str(error)
        except OSError as error:
            if is_shortage(error):
                raise OutOfMemory("There is not enough memory to check the library. Close other programs.") from error
            return f"it cannot be read: {error.strerror or error}"

    def _steps(self, *, deep: bool, stop: Stop) -> Iterator[Step]:
        yield "I0", "the catalog passes SQLite's own check", self._sqlite_errors
        if deep:
            yield "I1", "the catalog knows exactly the files of the folders", lambda: self._files(stop)
        yield "I2", "every text is as it was stored, and every chunk and sentence lies inside it", self._spans
        yield (
            "I3",
            "the keyword index holds exactly the searchable chunks, as they were written",
            lambda: self._retried(self._keyword_chunks, stop),
        )
        yield (
            "I4",
            "the vector files hold exactly the encoded chunks, as they were written",
            lambda: self._retried(lambda: self._vector_chunks(stop, deep=deep), stop),
        )
        if deep:
            yield "I5", "every vector is that of its sentence", lambda: self._vector_bytes(stop)
        yield (
            "I6",
            "the copies belong to this catalog and are not ahead of it",
            lambda: self._retried(self._watermarks, stop),
        )
        yield "I7", "no temporary file is older than an hour", self._leftovers
        yield "I8", "only the owner can read the library", self._modes

    def _keywords(self) -> KeywordReader:
        if self._open_keywords is None:
            self._open_keywords = keyword_reader(self._library.keywords)
        self._open_keywords.refresh()
        return self._open_keywords

    def _retried(self, check: Callable[[], str], stop: Stop) -> str:
        """Return the defect that remains after some retries: a running indexer may be between two files."""
        wrong = check()
        for _ in range(ATTEMPTS - 1):
            if not (wrong and self._library.address.exists()):
                break
            stop.wait(RETRY_SECONDS)
            stop.check()
            wrong = check()
        return wrong

    def _sqlite_errors(self) -> str:
        version = self._catalog.format_version()
        if version > FORMAT:
            self._unreadable = True
            return "it was written by a newer version of this program; please update"
        if version < OLDEST:
            self._unreadable = True
            return "it was written by an earlier version of this program; `desktop-rag index` reads the folders again"
        if errors := self._catalog.page_errors():
            return "; ".join(errors)
        self._catalog.lineage()
        for folder in self._catalog.folders.worked_on():
            self._catalog.files.of_folder(folder.id)
        orphaned = self._catalog.tables_with_orphans()
        return f"rows of {', '.join(orphaned)} belong to nothing" if orphaned else ""

    def _files(self, stop: Stop) -> str:
        wrong = []
        for folder in self._catalog.folders.worked_on():
            if folder.state is FolderState.PAUSED:
                continue
            events = scan(folder, self._catalog.files.lookup(folder.id), stop)
            found = [
                event
                for event in events
                if not isinstance(event, RootMissing | FileTouched | FolderAway | ScanProgress)
            ]
            if found:
                count = f"{len(found)} difference{'s' if len(found) > 1 else ''}"
                wrong.append(f"{os.fsdecode(folder.path)}: {count}, first: {_described(found[0])}")
        return "; ".join(wrong)

    def _spans(self) -> str:
        wrong = [span.chunk for span in self._catalog.chunks.stored_spans() if not _is_inside(span)]
        if wrong:
            return f"{_chunks(len(wrong))} outside their text, first {wrong[0]}"
        unread = [content for content in self._catalog.contents.all_ids() if not self._is_intact(content)]
        return f"{len(unread)} contents are not as they were stored, first {unread[0]}" if unread else ""

    def broken_contents(self) -> frozenset[ContentId]:
        """Return the contents that cannot be read, or with a chunk outside their text."""
        outside = {span.content for span in self._catalog.chunks.stored_spans() if not _is_inside(span)}
        contents = self._catalog.contents.all_ids()
        return frozenset(content for content in contents if content in outside or not self._is_intact(content))

    def _is_intact(self, content: ContentId) -> bool:
        try:
            self._catalog.contents.by_id((content,))
            self._catalog.contents.layout(content)
            self._catalog.chunks.of_content(content)
        except LibraryDamaged:
            return False
        return self._catalog.contents.is_intact(content)

    def _keyword_chunks(self) -> str:
        searchable = self._catalog.chunks.searchable()
        keywords = self._keywords()
        held = keywords.chunks()
        wrong = _difference(self._catalog.change_log.chunks_at(keywords.watermark.sequence), held)
        lost = (searchable - held) & self._catalog.chunks.searchable()
        if lost and not wrong:
            wrong = f"{_chunks(len(lost))} missing"
        broken = damaged_files(self._library.keywords)
        if broken:
            wrong = "; ".join(filter(None, (wrong, f"not as written: {', '.join(broken)}")))
        return wrong

    def _vector_chunks(self, stop: Stop, *, deep: bool) -> str:
        self._vectors.refresh()
        mark = self._vectors.watermark
        wanted = self._catalog.chunks.encoded_before(mark.sequence)
        held = self._vectors.chunks()
        lacking = [chunk for chunk, count in wanted.items() if held.get(chunk) != count]
        encoded = self._catalog.chunks.encoded()
        if encoded and not mark.lineage:
            return "there are no vector files that can be used; indexing makes them anew"
        extra = self._unremoved(frozenset(held) - encoded)
        wrong = []
        if lacking or extra:
            wrong.append(f"{_chunks(len(lacking))} without their vectors, {len(extra)} with too many")
        if broken := self._catalog.encoders.incomplete_chunks():
            wrong.append(f"{_chunks(len(broken))} without whole vectors in the catalog")
        if damaged := self._vectors.damaged():
            wrong.append(f"not as written: {', '.join(damaged)}")
        if other := self._vectors.wrong_signs(stop) if deep else []:
            wrong.append(f"{_chunks(len(other))} with the signs of other vectors, first {min(other)}")
        return "; ".join(wrong)

    def wrong_vectors(self, stop: Stop) -> frozenset[ChunkId]:
        """Return the chunks whose vectors in the catalog are not those of their sentences."""
        wrong: set[ChunkId] = set()
        for encoder in self._catalog.encoders.kept():
            for blobs in self._catalog.vectors.blobs(encoder):
                stop.check()
                chunks = self._catalog.chunks.by_id(blobs).values()
                wrong.update(chunk.id for chunk in chunks if not belong_to(chunk, blobs[chunk.id], encoder.dimensions))
        return frozenset(wrong)

    def _unremoved(self, chunks: frozenset[ChunkId]) -> frozenset[ChunkId]:
        """Return those of `chunks` that the vector files should have dropped by their watermark."""
        return chunks - self._catalog.change_log.changed_after(self._vectors.watermark.sequence)

    def _vector_bytes(self, stop: Stop) -> str:
        wrong = self.wrong_vectors(stop)
        if wrong:
            return f"the vectors of {_chunks(len(wrong))} differ, first {min(wrong)}"
        count = self._catalog.vectors.count_unlisted()
        return f"{count} entries of the table of sentences are missing or too many" if count else ""

    def _watermarks(self) -> str:
        lineage, last = self._catalog.lineage(), self._catalog.change_log.last_sequence()
        wrong = []
        for of, mark in (("keywords", self._keywords().watermark), ("vectors", self._vectors.watermark)):
            if mark.lineage and mark.lineage != lineage:
                wrong.append(f"the {of} are those of another catalog")
            elif mark.sequence > last:
                wrong.append(f"the {of} are ahead of the catalog")
        encoder = self._catalog.encoders.serving()
        if encoder and self._vectors.encoder_id not in ("", encoder.name):
            wrong.append("the vectors are those of another encoder")
        return "; ".join(wrong)

    def _leftovers(self) -> str:
        limit = time.time() - LEFTOVER_SECONDS
        known = {"keyword", "vectors", "indexer.json", "indexer.lock", "indexer.log", "indexer.sock", ".noindex"}
        library = self._library
        known |= {path.name for path in (library.folder_list, library.seal, library.repair_request, library.searches)}
        strange = [
            entry
            for entry in library.folder.iterdir()
            if entry.name not in known and not entry.name.startswith(("catalog.sqlite", "conversations", "bookmarks"))
        ]
        strange += [*library.keywords.glob("*.new"), *library.vectors.glob("*.new")]
        old = []
        for entry in strange:
            with contextlib.suppress(FileNotFoundError):  # it was temporary
                if entry.stat().st_mtime < limit:
                    old.append(entry.name)
        return f"left over: {', '.join(sorted(old))}" if old else ""

    def _modes(self) -> str:
        if os.name != "posix":
            return ""
        open_to_others = stat.S_IRWXG | stat.S_IRWXO
        folder = self._library.folder
        wrong = []
        for path in (folder, *folder.rglob("*")):
            with contextlib.suppress(FileNotFoundError):  # it was temporary
                facts = path.lstat()
                is_kept = stat.S_ISREG(facts.st_mode) or stat.S_ISDIR(facts.st_mode)
                if is_kept and facts.st_mode & open_to_others:
                    wrong.append(str(path.relative_to(folder.parent)))
        more = f" and {len(wrong) - _NAMED} more" if len(wrong) > _NAMED else ""
        return f"others can read {', '.join(wrong[:_NAMED])}{more}" if wrong else ""


def readable(library: Library) -> None:
    """Raise `LibraryError` with advice when there is no library to check, or one of a newer version."""
    require_local(library)
    if not library.catalog.is_file():
        require_catalog(library)
        return
    with contextlib.suppress(LibraryDamaged), contextlib.closing(CatalogReader.open(library.catalog)) as catalog:
        catalog.require_known_format()


def _is_inside(span: StoredSpan) -> bool:
    try:
        sentences = unpack_sentences(span.sentences)
    except LibraryDamaged:
        return False
    end = span.start
    for first, last in sentences:
        if not end <= first < last:
            return False
        end = last
    return 0 <= span.start <= end <= span.end <= span.text_length


def _difference(wanted: frozenset[ChunkId], held: frozenset[ChunkId]) -> str:
    missing, extra = wanted - held, held - wanted
    return f"{_chunks(len(missing))} missing, {len(extra)} too many" if missing or extra else ""


def _chunks(count: int) -> str:
    return "1 chunk" if count == 1 else f"{count:,} chunks"


def _described(event: ScanEvent) -> str:
    match event:
        case FileFound(path):
            return f"{os.fsdecode(path)} is new"
        case FileChanged(file):
            return f"{os.fsdecode(file.path)} has changed"
        case FileMoved(path):
            return f"{os.fsdecode(path)} has moved here"
        case FileDeleted(file):
            return f"{os.fsdecode(file.path)} is gone"
        case FileSkipped(path, _, reason, _):
            return f"{os.fsdecode(path)}: {reason}"
        case RootMissing():
            return "the folder is not there"
        case FileTouched() | FolderAway() | ScanProgress():
            return "nothing has changed"
