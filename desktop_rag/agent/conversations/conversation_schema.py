"""The tables of the stored conversations, and how files of earlier versions get those that they lack."""

from collections.abc import Callable

from desktop_rag.agent.conversations.turn_search import CREATE_INDEX
from desktop_rag.index.catalog.database import Database

FORMAT = 6

_TABLES = """
CREATE TABLE conversation (
    id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, updated_ns INTEGER NOT NULL
) STRICT;
CREATE TABLE turn (
    conversation INTEGER NOT NULL REFERENCES conversation ON DELETE CASCADE,
    number INTEGER NOT NULL, question TEXT NOT NULL, asked_ns INTEGER NOT NULL,
    PRIMARY KEY (conversation, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE event (
    conversation INTEGER NOT NULL, turn INTEGER NOT NULL, number INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (conversation, turn, number),
    FOREIGN KEY (conversation, turn) REFERENCES turn ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE TABLE written (times INTEGER NOT NULL) STRICT;
INSERT INTO written VALUES (0);
"""
_CITATIONS = """
-- Cited contents: the library keeps them even if their file is gone. The path shows the folder of origin.
CREATE TABLE citation (
    conversation INTEGER NOT NULL, turn INTEGER NOT NULL, sha256 BLOB NOT NULL, path TEXT NOT NULL,
    FOREIGN KEY (conversation, turn) REFERENCES turn ON DELETE CASCADE
) STRICT;
CREATE INDEX citation_turn ON citation (conversation, turn);
"""
_SCOPES = """
-- Where the user chose to search, an encoded `ChosenScope`; no row for the whole library.
CREATE TABLE scope (
    conversation INTEGER PRIMARY KEY REFERENCES conversation ON DELETE CASCADE, data BLOB NOT NULL
) STRICT;
"""
_ORDER = """
ALTER TABLE conversation ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversation ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversation ADD COLUMN unread INTEGER NOT NULL DEFAULT 0;
-- How its run ended (`RunStatus`); a run in progress counts as interrupted until it ends.
ALTER TABLE turn ADD COLUMN state TEXT NOT NULL DEFAULT 'interrupted';
-- Text not sent yet, by conversation; 0 is the one that begins with it.
CREATE TABLE draft (conversation INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
-- The conversation in the window; 0 for a new one.
CREATE TABLE shown (conversation INTEGER NOT NULL) STRICT;
INSERT INTO shown VALUES (0);
"""
_TREE = """
-- The turn before, in the same conversation; 0 for a first one. Turns that follow the same one are variants.
ALTER TABLE turn ADD COLUMN follows INTEGER NOT NULL DEFAULT 0;
UPDATE turn SET follows = coalesce(
    (SELECT max(number) FROM turn AS t WHERE t.conversation = turn.conversation AND t.number < turn.number), 0
);
-- The last turn of the variants that are shown; 0 for the one asked last.
ALTER TABLE conversation ADD COLUMN leaf INTEGER NOT NULL DEFAULT 0;
CREATE TABLE tag (
    conversation INTEGER NOT NULL REFERENCES conversation ON DELETE CASCADE, name TEXT NOT NULL,
    PRIMARY KEY (conversation, name)
) STRICT, WITHOUT ROWID;
"""
_PLACE = """
-- The turn at the top of the window; 0 at the end of the conversation.
ALTER TABLE shown ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
"""


def prepare(db: Database, found: int, fill: Callable[[bool], None]) -> None:
    """Create the tables, or add those that version `found` lacks.

    1 has no citations, 2 no scopes, 3 no search, 4 no variants and tags, 5 no place. `fill(cite)` derives the turns'
    states and the search index from their events, and citations on request.
    """
    if not found:
        db.execute(_TABLES)
    if found < 2:
        db.execute(_CITATIONS)
    if found < 3:
        db.execute(_SCOPES)
    if found < 4:
        db.execute(_ORDER)
        db.execute(CREATE_INDEX)
    if found < 5:
        db.execute(_TREE)
    db.execute(_PLACE)
    if found < 4:
        fill(found < 2)
