"""The tables of the catalog, and the check of its format version."""

import secrets
import time

from desktop_rag.documents.file_types import JUDGING_VERSION
from desktop_rag.errors import LibraryDamaged, LibraryError
from desktop_rag.index.catalog.database import Database
from desktop_rag.index.catalog.file_names import NAME_TABLES, FileNames

FORMAT = 6  # 5 has no compressed layouts, else it is the same
OLDEST = 5  # catalogs of an earlier format are not converted: their folders are read again, see `recovery`

SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- A root folder the user added; a single file can be one, too.
CREATE TABLE folder (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path BLOB NOT NULL,
    is_file INTEGER NOT NULL,
    state TEXT NOT NULL,
    rules TEXT NOT NULL,
    removed_ns INTEGER NOT NULL DEFAULT 0,  -- -1: attached to conversations, not in the library; see `folder_table`
    device INTEGER NOT NULL DEFAULT 0
);

-- Counts the changes of root folders, for the backup in folders.json.
INSERT INTO meta VALUES ('folders', '0');
CREATE TRIGGER folder_added AFTER INSERT ON folder BEGIN
    UPDATE meta SET value = value + 1 WHERE key = 'folders';
END;
CREATE TRIGGER folder_changed AFTER UPDATE ON folder BEGIN
    UPDATE meta SET value = value + 1 WHERE key = 'folders';
END;
CREATE TRIGGER folder_deleted AFTER DELETE ON folder BEGIN
    UPDATE meta SET value = value + 1 WHERE key = 'folders';
END;

-- A file; `pending` ones wait to be read, their old content is searched until then. Of one that is skipped or failed,
-- `outcome` is the `FileState`, `reason` the sentence that says why it was not read.
CREATE TABLE file (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    folder INTEGER NOT NULL REFERENCES folder (id) ON DELETE CASCADE,
    path BLOB NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    device INTEGER NOT NULL,
    ctime_ns INTEGER NOT NULL,
    pending INTEGER NOT NULL,
    outcome TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    content INTEGER REFERENCES content (id),
    set_aside BLOB,  -- the SHA-256 of a quarantined content, see `quarantine`
    reason_kind TEXT NOT NULL DEFAULT '',  -- a `ProblemKind`
    UNIQUE (folder, path)
);
CREATE INDEX file_content ON file (content) WHERE content IS NOT NULL;
CREATE INDEX file_identity ON file (inode) WHERE inode != 0;
CREATE INDEX file_queue ON file (folder, size / 1000000, mtime_ns DESC) WHERE pending = 1;

-- What was read from files, once per content hash and reader version. The states are `arriving`, `stored`,
-- `searchable`, `ready` and `leaving`; the first and the last are invisible to searches.
CREATE TABLE content (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sha256 BLOB NOT NULL,
    reader INTEGER NOT NULL,
    state TEXT NOT NULL,
    format TEXT NOT NULL,
    title TEXT NOT NULL,
    author TEXT NOT NULL,
    created TEXT NOT NULL,
    modified TEXT NOT NULL,
    language TEXT NOT NULL,
    line_count INTEGER NOT NULL,
    word_count INTEGER NOT NULL,
    page_count INTEGER NOT NULL,
    partial TEXT NOT NULL,
    sum INTEGER NOT NULL DEFAULT 0,  -- see `stored_values`
    announced INTEGER NOT NULL DEFAULT 0,  -- chunks in the change log so far; added in batches …
    sequence INTEGER,  -- … and the last of these changes, once all are
    orphaned_ns INTEGER NOT NULL DEFAULT 0,
    unread_pages INTEGER NOT NULL DEFAULT 0,  -- scanned pages that wait for OCR, see `recognised`
    partial_kind TEXT NOT NULL DEFAULT '',  -- a `ProblemKind`; "" where an earlier version read it
    UNIQUE (sha256, reader)
);
CREATE INDEX content_stored ON content (sequence) WHERE state = 'stored';
CREATE INDEX content_unread ON content (unread_pages) WHERE unread_pages > 0;
CREATE INDEX content_leaving ON content (id) WHERE state = 'leaving';

-- The text in segments that end at line ends, so that reading a part of a huge document is cheap; a very long line has
-- several, all with its number. With a rowid: in a table without, a row of more than a kilobyte takes a page each.
CREATE TABLE segment (
    content INTEGER NOT NULL REFERENCES content (id) ON DELETE CASCADE,
    first_line INTEGER NOT NULL,
    start INTEGER NOT NULL,
    body TEXT NOT NULL,
    sum INTEGER NOT NULL  -- see `stored_values`
);
CREATE UNIQUE INDEX segment_start ON segment (content, start);
CREATE INDEX segment_line ON segment (content, first_line);  -- its key in older catalogs: there each line has one

CREATE TABLE page (
    content INTEGER NOT NULL REFERENCES content (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    first_line INTEGER NOT NULL,
    width REAL NOT NULL,
    height REAL NOT NULL,
    PRIMARY KEY (content, number)
) WITHOUT ROWID;

CREATE TABLE layout (
    content INTEGER PRIMARY KEY REFERENCES content (id) ON DELETE CASCADE,
    kinds BLOB NOT NULL,
    boxes BLOB NOT NULL,  -- compressed, as the next, see `stored_values`
    structure BLOB NOT NULL  -- `documents.document.Structure` without its sections
);

-- A labelled section, up to the next one: a slide, a sheet, a chapter.
CREATE TABLE section (
    content INTEGER NOT NULL REFERENCES content (id) ON DELETE CASCADE,
    first_line INTEGER NOT NULL,
    label TEXT NOT NULL,
    PRIMARY KEY (content, first_line)
) WITHOUT ROWID;

-- Ids are never reused: an index that is behind can miss a chunk, never return another one.
-- `sentences` holds int32 pairs (start, end), offsets in the content's text.
CREATE TABLE chunk (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    content INTEGER NOT NULL REFERENCES content (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    heading TEXT NOT NULL,
    sentences BLOB NOT NULL,
    sentence_count INTEGER NOT NULL,
    encoded INTEGER NOT NULL,  -- whether each sentence has a vector of the serving encoder …
    waits INTEGER NOT NULL,  -- … and whether any sentence lacks one of the current encoder
    UNIQUE (content, ordinal)
);
CREATE INDEX chunk_waiting ON chunk (id) WHERE waits = 1;
CREATE INDEX chunk_progress ON chunk (content, encoded, sentence_count);

-- Only vectors of one encoder are comparable; `role` is `serving`, `coming` or `leaving`, see `encoders`.
CREATE TABLE encoder (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL,
    role TEXT NOT NULL
);

-- One blob per chunk and encoder: a row (hash, scale, codes) for each sentence in order, see `sentence_vectors`.
CREATE TABLE vector (
    chunk INTEGER NOT NULL REFERENCES chunk (id) ON DELETE CASCADE,
    encoder INTEGER NOT NULL REFERENCES encoder (id),
    data BLOB NOT NULL,
    UNIQUE (chunk, encoder)
);

-- The chunks that have a vector of a sentence; the key is the beginning of its hash.
CREATE TABLE sentence (
    key INTEGER NOT NULL,
    chunk INTEGER NOT NULL,
    PRIMARY KEY (key, chunk)
) WITHOUT ROWID;

-- OCR results by content hash and page; an empty list where there is no text.
CREATE TABLE recognised (
    sha256 BLOB NOT NULL,
    page INTEGER NOT NULL,
    engine TEXT NOT NULL,
    lines BLOB NOT NULL,
    failure TEXT NOT NULL,
    PRIMARY KEY (sha256, page)
) WITHOUT ROWID;

-- Contents that crashed their reader: how often, and the last step reached.
CREATE TABLE strike (
    sha256 BLOB NOT NULL,
    reader INTEGER NOT NULL,
    count INTEGER NOT NULL,
    reason TEXT NOT NULL,
    step INTEGER NOT NULL,
    why TEXT NOT NULL,
    PRIMARY KEY (sha256, reader)
) WITHOUT ROWID;

-- Contents cited by answers; they are kept even without a file.
CREATE TABLE cited (sha256 BLOB PRIMARY KEY) WITHOUT ROWID;

-- The change log, which the keyword index, the vector files and the links follow.
CREATE TABLE change (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    chunk INTEGER NOT NULL
);
"""


def refuse_newer(database: Database) -> int:
    """Return the version of a catalog's format, 0 for a new one; raises `LibraryError` for that of a newer program."""
    version = database.number("PRAGMA user_version")
    if version > FORMAT:
        raise LibraryError(
            f"{database.path} was written by a newer version of this program. Please update, or choose another library."
        )
    return version


def has_kinds(database: Database) -> bool:
    """Return whether a catalog has the kinds of problems: not if an earlier version made it, and no indexer ran yet."""
    return database.number("SELECT count(*) FROM pragma_table_info('file') WHERE name = 'reason_kind'") > 0


def prepare(database: Database) -> None:
    """Create the tables in a new catalog; raises `LibraryError` for one of another version of this program."""
    version = refuse_newer(database)
    if 0 < version < OLDEST:
        raise LibraryDamaged(
            f"{database.path} was written by an earlier version of this program. `desktop-rag index`, or opening the "
            "window, starts a new one and reads its folders again."
        )
    database.execute("PRAGMA synchronous=NORMAL")
    if version == 0:
        database.execute("PRAGMA auto_vacuum=INCREMENTAL")  # deleted rows can be given back in steps …
        database.execute("VACUUM")  # … which has to be set before the first table; the empty file exists already
        with database.transaction():
            database.execute(SCHEMA)
            database.execute(NAME_TABLES)
            database.execute("INSERT INTO meta VALUES ('lineage', ?)", (secrets.token_hex(16),))
            database.execute("INSERT INTO meta VALUES ('looked_through', ?)", (str(int(time.time())),))
            database.execute("INSERT INTO meta VALUES ('refused_by', ?)", (str(JUDGING_VERSION),))  # see `quarantine`
            database.execute(f"PRAGMA user_version={FORMAT}")
    elif version < FORMAT:
        database.execute(f"PRAGMA user_version={FORMAT}")  # what is stored from now on, older versions cannot read
    database.execute("CREATE INDEX IF NOT EXISTS content_sequence ON content (sequence)")
    if version and not has_kinds(database):
        with database.transaction():
            database.execute("ALTER TABLE file ADD COLUMN reason_kind TEXT NOT NULL DEFAULT ''")
            database.execute("ALTER TABLE content ADD COLUMN partial_kind TEXT NOT NULL DEFAULT ''")
            # The next scan finds them changed: they are judged again, and get a kind.
            database.execute("UPDATE file SET mtime_ns = mtime_ns + 1 WHERE outcome != ''")
    if (
        version and not FileNames(database).is_indexed()
    ):  # of a version without the index of names: the indexer fills it
        with database.transaction():
            database.execute(NAME_TABLES)
