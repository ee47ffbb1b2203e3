"""The reading half of the catalog, for the searcher, the command line and the viewer."""

from pathlib import Path

from desktop_rag.errors import LibraryDamaged
from desktop_rag.index.catalog.catalog_schema import OLDEST, refuse_newer
from desktop_rag.index.catalog.change_log import ChangeLog
from desktop_rag.index.catalog.chunk_table import ChunkTable, RecentChunks
from desktop_rag.index.catalog.content_table import ContentLanguages, ContentTable, ContentTexts
from desktop_rag.index.catalog.database import Database
from desktop_rag.index.catalog.file_names import FileNames, TextlessFiles
from desktop_rag.index.catalog.file_table import FileTable
from desktop_rag.index.catalog.folder_table import FolderTable
from desktop_rag.index.catalog.link_tables import LinkTables
from desktop_rag.index.catalog.mail_table import MailTable
from desktop_rag.index.catalog.sentence_vectors import EncoderTable, SentenceVectorTable
from desktop_rag.index.records import ChunkId, ContentId


class CatalogReader:
    """Read-only access by aggregate; every method of these is one short query, so no read transaction lasts."""

    def __init__(self, database: Database) -> None:
        self.database = database  # for modules of this package only
        self.folders = FolderTable(database)
        self.files = FileTable(database)
        self.file_names = FileNames(database)
        self.contents = ContentTable(database)
        self.languages = ContentLanguages(database)
        self.texts = ContentTexts(database)
        self.chunks = ChunkTable(database)
        self.recent_chunks = RecentChunks(database, self.chunks)
        self.encoders = EncoderTable(database)
        self.vectors = SentenceVectorTable(database)
        self.links = LinkTables(database)
        self.mails = MailTable(database)
        self.textless = TextlessFiles(database, self.file_names)
        self.change_log = ChangeLog(database)
        self.spelling_matches: dict[
            object, dict[ChunkId, bool]
        ] = {}  # cached by searches; a chunk's text never changes
        self.documents: tuple[object, object] | None = None  # see `retrieval.document_table`; until a change
        self.fulfilling: dict[object, frozenset[ContentId]] = {}  # the same for conditions on files, until a change

    @classmethod
    def open(cls, path: Path) -> "CatalogReader":
        """Open the catalog at `path` for reading; raises `LibraryError` when there is none."""
        return cls(Database(path, read_only=True))

    def close(self) -> None:
        """Close the connection."""
        self.database.close()

    def interrupt(self) -> None:
        """End a running query, if there is one; callable from any thread, also when the catalog is closed."""
        self.database.interrupt()

    def format_version(self) -> int:
        """Return the version of the catalog's format; 0 while it is being created."""
        return self.database.number("PRAGMA user_version")

    def is_current(self) -> bool:
        """Return whether the catalog has a format of today: not while it is being created or replaced."""
        return self.format_version() >= OLDEST

    def require_known_format(self) -> None:
        """Raise `LibraryError` if a newer version of the program wrote the catalog."""
        refuse_newer(self.database)

    def data_version(self) -> int:
        """Return a number that changes when another process has written."""
        return self.database.number("PRAGMA data_version")

    def lineage(self) -> str:
        """Return the random id this catalog got when it was created."""
        found = self.database.values(str, "SELECT value FROM meta WHERE key = 'lineage'")
        if not found:
            raise LibraryDamaged(f"{self.database.path} has lost its id. Run `desktop-rag check --repair`.")
        return found[0]

    def page_errors(self) -> list[str]:
        """Return the messages of SQLite's own integrity check, at most five."""
        messages = self.database.values(str, "PRAGMA integrity_check(5)")
        return [] if messages == ["ok"] else messages

    def tables_with_orphans(self) -> list[str]:
        """Return the tables with rows that refer to rows that do not exist."""
        return self.database.values(str, 'SELECT DISTINCT "table" FROM pragma_foreign_key_check')
