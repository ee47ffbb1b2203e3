"""Follows links from a chunk: documents it names, chunks that share a rare name with it, mails of its thread."""

from collections import defaultdict
from collections.abc import Mapping
from math import log, log2
from typing import NamedTuple

from desktop_rag.index.catalog.link_tables import LinkTables
from desktop_rag.index.links.mentions import MESSAGE, phrase_keys
from desktop_rag.index.records import ChunkId, ContentId

RAREST, COMMONEST = 2, 25  # chunks that share a name
SHARED = 0.4  # weight of a shared name; a mention of a document has 1
MOST_NAMESAKES = 5  # documents with one name; names of more documents, such as “Report”, are ignored
_MOST_COUNTED = 1_000  # mentions of a name are counted up to this


class Neighbours(NamedTuple):
    """The weights (0 to 1) of links from one chunk to documents, to chunks, and to mails of its thread.

    Only mails may be in the same document, a mailbox.
    """

    documents: dict[ContentId, float]
    chunks: dict[ChunkId, float]
    thread: dict[ChunkId, float]


def neighbours(links: LinkTables, chunks: Mapping[ChunkId, str]) -> dict[ChunkId, Neighbours]:
    """Return the links of chunks, given with their texts; none before links have been extracted."""
    if not links.exist():
        return {}
    keys = links.keys_in(list(chunks))
    phrases = {chunk: keys[chunk].union(phrase_keys(chunks[chunk])) for chunk in keys}
    documents_named = links.documents_named(sorted(set().union(*phrases.values())))
    called = {key: contents for key, contents in documents_named.items() if len(contents) <= MOST_NAMESAKES}
    counts = links.chunk_counts(sorted(called.keys() | set().union(*keys.values())), _MOST_COUNTED)
    sharing = links.chunks_with([key for key, count in counts.items() if RAREST <= count <= COMMONEST])
    found: dict[ChunkId, Neighbours] = {}
    for chunk, named in keys.items():
        documents: dict[ContentId, float] = defaultdict(float)
        others: dict[ChunkId, float] = defaultdict(float)
        thread: dict[ChunkId, float] = defaultdict(float)
        for key in phrases[chunk] & called.keys():
            # Weighted down by the number of mentions and of documents with this name.
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


def naming(links: LinkTables, content: ContentId, limit: int) -> dict[ChunkId, float]:
    """Return the chunks that name a document, with their weight: the more there are, the lower."""
    if not links.exist():
        return {}
    found = links.chunks_naming(content, limit)
    weight = 1 / (1 + log(max(1, len(found) - 1)))
    return dict.fromkeys(found, weight)
