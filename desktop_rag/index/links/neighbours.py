"""What a chunk leads to: documents it names or links to, chunks that share a rare name with it, mails of its thread."""

import json
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import log, log2
from typing import NamedTuple

from desktop_rag.index.catalog.database import Database, marks
from desktop_rag.index.links.link_tables import are_there
from desktop_rag.index.links.mentions import MESSAGE
from desktop_rag.index.links.phrases import phrase_keys
from desktop_rag.index.records import ChunkId, ContentId

RAREST, COMMONEST = 2, 25  # chunks that share a name
SHARED = 0.4  # how much a shared name counts beside the mention of a document
MOST_NAMESAKES = 5  # documents of one title; more are all called “Report”
_MOST_COUNTED = 1_000  # mentions of a document


class Neighbours(NamedTuple):
    """How strongly (0 to 1) one chunk leads to documents, to single chunks, and to mails it answers or is answered by.

    Only mails may lie in the same document, which is then a mailbox.
    """

    documents: dict[ContentId, float]
    chunks: dict[ChunkId, float]
    thread: dict[ChunkId, float]


def neighbours(database: Database, chunks: Mapping[ChunkId, str]) -> dict[ChunkId, Neighbours]:
    """Return what each of these chunks, given with its text, leads to; nothing while links have not been gathered."""
    if not are_there(database):
        return {}
    rows = database.rows(
        tuple[int, bytes], f"SELECT chunk, keys FROM mentioning WHERE chunk IN ({marks(len(chunks))})", list(chunks)
    )
    keys = {ChunkId(chunk): set(array("q", data)) for chunk, data in rows}
    phrases = {chunk: keys[chunk].union(phrase_keys(chunks[chunk])) for chunk in keys}
    called = _called(database, sorted(set().union(*phrases.values())))
    counts = _counts(database, sorted(called.keys() | set().union(*keys.values())))
    sharing = _sharing(database, [key for key, count in counts.items() if RAREST <= count <= COMMONEST])
    found: dict[ChunkId, Neighbours] = {}
    for chunk, named in keys.items():
        documents: dict[ContentId, float] = defaultdict(float)
        others: dict[ChunkId, float] = defaultdict(float)
        thread: dict[ChunkId, float] = defaultdict(float)
        for key in phrases[chunk] & called.keys():
            # The more name it, and the more go by it, the less it says of each.
            weight = 1 / (1 + log(max(1, counts.get(key, 1) - 1))) / len(called[key])
            for content in called[key]:
                documents[content] = max(documents[content], weight)
        for key in named:
            for other in sharing.get(key, ()):
                shared = 1 / max(1.0, log2(counts[key]))
                if key < MESSAGE:
                    others[other] = max(others[other], SHARED * shared)
                elif other != chunk:
                    thread[other] = max(thread[other], shared)
        others.pop(chunk, None)
        found[chunk] = Neighbours(dict(documents), dict(others), dict(thread))
    return found


def naming(database: Database, content: ContentId, limit: int) -> dict[ChunkId, float]:
    """Return the chunks that name a document, and how strongly: the more do, the less it says of each."""
    if not are_there(database):
        return {}
    found = database.values(
        int,
        "SELECT DISTINCT mention.chunk FROM called JOIN mention ON mention.key = called.key "
        "WHERE called.content = ? LIMIT ?",
        (content, limit),
    )
    weight = 1 / (1 + log(max(1, len(found) - 1)))
    return {ChunkId(chunk): weight for chunk in found}


def _counts(database: Database, keys: Sequence[int]) -> dict[int, int]:
    """Return how many chunks hold each name, as far as that matters."""
    return dict(
        database.rows(
            tuple[int, int],
            "SELECT asked.value, (SELECT count(*) FROM (SELECT 1 FROM mention WHERE mention.key = asked.value "
            "LIMIT ?2)) FROM json_each(?1) AS asked",
            (json.dumps(keys), _MOST_COUNTED),
        )
    )


def _called(database: Database, keys: Sequence[int]) -> dict[int, list[ContentId]]:
    rows = database.rows(
        tuple[int, int],
        "SELECT called.key, content FROM json_each(?1) AS asked JOIN called ON called.key = asked.value",
        (json.dumps(keys),),
    )
    found: dict[int, list[ContentId]] = defaultdict(list)
    for key, content in rows:
        found[key].append(ContentId(content))
    return {key: contents for key, contents in found.items() if len(contents) <= MOST_NAMESAKES}


def _sharing(database: Database, keys: Iterable[int]) -> dict[int, list[ChunkId]]:
    rows = database.rows(
        tuple[int, int],
        "SELECT mention.key, chunk FROM json_each(?1) AS asked JOIN mention ON mention.key = asked.value",
        (json.dumps(list(keys)),),
    )
    found: dict[int, list[ChunkId]] = defaultdict(list)
    for key, chunk in rows:
        found[key].append(ChunkId(chunk))
    return found
