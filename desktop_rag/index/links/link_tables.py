"""The tables of links in the catalog; older catalogs of the same format get them when they are next opened."""

from desktop_rag.index.catalog.database import Database

TABLES = """
-- Which chunks hold a name; the key is the beginning of its hash, see `links.names`.
CREATE TABLE IF NOT EXISTS mention (
    key INTEGER NOT NULL,
    chunk INTEGER NOT NULL,
    PRIMARY KEY (key, chunk)
) WITHOUT ROWID;
-- The same by chunk, all keys in one blob: to go on from it, and to take it out again.
CREATE TABLE IF NOT EXISTS mentioning (chunk INTEGER PRIMARY KEY, keys BLOB NOT NULL);

-- What a content is called: its title and the names of its files; `unnamed` are those to be looked at anew.
CREATE TABLE IF NOT EXISTS called (
    content INTEGER NOT NULL REFERENCES content (id) ON DELETE CASCADE,
    key INTEGER NOT NULL,
    PRIMARY KEY (content, key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS called_key ON called (key);
CREATE TABLE IF NOT EXISTS unnamed (content INTEGER PRIMARY KEY);
CREATE TRIGGER IF NOT EXISTS file_linked AFTER UPDATE OF content, path ON file WHEN new.content IS NOT NULL BEGIN
    INSERT OR IGNORE INTO unnamed VALUES (new.content);
END;
CREATE TRIGGER IF NOT EXISTS file_came AFTER INSERT ON file WHEN new.content IS NOT NULL BEGIN
    INSERT OR IGNORE INTO unnamed VALUES (new.content);
END;
"""


def are_there(database: Database) -> bool:
    """Return whether links have been gathered in this catalog at all."""
    return database.number("SELECT count(*) FROM sqlite_master WHERE name = 'mentioning'") > 0


def prepare(database: Database) -> None:
    """Create the tables if they are missing; every content is then to be looked at."""
    if not are_there(database):
        with database.transaction():
            database.execute(TABLES)
            database.execute("INSERT OR IGNORE INTO unnamed SELECT content FROM file WHERE content IS NOT NULL")
