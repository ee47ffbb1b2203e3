"""The writing half of the catalog; opened by the indexer only."""

import secrets
import time
from contextlib import AbstractContextManager
from pathlib import Path

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.catalog_schema import prepare
from desktop_rag.index.catalog.change_log import ChangeLogWriter
from desktop_rag.index.catalog.content_writer import ContentWriter
from desktop_rag.index.catalog.database import Database
from desktop_rag.index.catalog.file_names import FileNameWriter
from desktop_rag.index.catalog.file_writer import FileWriter
from desktop_rag.index.catalog.folder_table import FolderWriter
from desktop_rag.index.catalog.link_tables import LinkWriter
from desktop_rag.index.catalog.sentence_vectors import EncoderWriter, SentenceVectorWriter
from desktop_rag.paths import private_folder


class Catalog(CatalogReader):
    """Read and write access by aggregate; one process, one thread."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.folders: FolderWriter = FolderWriter(database)
        self.files: FileWriter = FileWriter(database)
        self.file_names: FileNameWriter = FileNameWriter(database)
        self.contents: ContentWriter = ContentWriter(database)
        self.encoders: EncoderWriter = EncoderWriter(database)
        self.vectors: SentenceVectorWriter = SentenceVectorWriter(database)
        self.links: LinkWriter = LinkWriter(database)
        self.change_log: ChangeLogWriter = ChangeLogWriter(database)

    @classmethod
    def open(cls, path: Path, *, durable: bool = False) -> "Catalog":
        """Open or create the catalog at `path`; raises `LibraryError`.

        With `durable`, a transaction is on the disk when it ends, with everything written before; otherwise a power
        loss may lose the last seconds, which are then read from the files again.
        """
        private_folder(path.parent)
        database = Database(path)
        prepare(database)
        if durable:
            database.execute("PRAGMA synchronous=FULL")
        return cls(database)

    def transaction(self) -> AbstractContextManager[None]:
        """Return a block in which everything happens or nothing."""
        return self.database.transaction()

    def checkpoint(self) -> None:
        """Write the journal into the main file: closing does not, while a search has the catalog open."""
        self.database.empty_journal()

    def write_count(self) -> int:
        """Return how many rows this connection has changed."""
        return self.database.total_changes()

    def page_counts(self) -> tuple[int, int]:
        """Return (unused pages, all pages) of the catalog's file."""
        return self.database.number("PRAGMA freelist_count"), self.database.number("PRAGMA page_count")

    def shrink(self, pages: int) -> bool:
        """Cut up to `pages` unused pages off the catalog's file; return whether there were any."""
        return self.database.give_back(pages)

    def last_integrity_scan(self) -> float:
        """Return when the last integrity scan was completed (seconds since 1970), or the catalog was created."""
        return float(self.database.number("SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'looked_through'"))

    def record_integrity_scan(self) -> None:
        """Record that an integrity scan was completed just now."""
        self.database.execute("INSERT OR REPLACE INTO meta VALUES ('looked_through', ?)", (str(int(time.time())),))

    def reindex(self) -> None:
        """Rebuild SQLite's indexes, and that of file names, for a repair."""
        self.database.execute("REINDEX")
        self.file_names.rebuild()

    def delete_orphaned_rows(self) -> None:
        """Delete rows that refer to rows that do not exist; a file whose content is missing is queued."""
        with self.transaction():
            self.database.execute(
                "UPDATE file SET content = NULL, pending = 1 WHERE content NOT IN (SELECT id FROM content)"
            )
            self.database.execute("DELETE FROM file WHERE folder NOT IN (SELECT id FROM folder)")
            for table in ("segment", "page", "layout", "chunk", "mail"):
                self.database.execute(f"DELETE FROM {table} WHERE content NOT IN (SELECT id FROM content)")
            self.database.execute("DELETE FROM vector WHERE chunk NOT IN (SELECT id FROM chunk)")

    def change_lineage(self) -> None:
        """Give the catalog another lineage and restart the change log: all indexes are then rebuilt."""
        self.database.execute("UPDATE meta SET value = ? WHERE key = 'lineage'", (secrets.token_hex(16),))
        self.change_log.restart()
