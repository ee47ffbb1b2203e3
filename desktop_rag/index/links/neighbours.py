"""What a chunk leads to: documents it names or links to, chunks that share a rare name with it, mails of its thread."""

from collections import defaultdict
from collections.abc import Mapping
from math import log, log2
from typing import NamedTuple

from desktop_rag.index.catalog.link_tables import LinkTables
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


def neighbours(links: LinkTables, chunks: Mapping[ChunkId, str]) -> dict[ChunkId, Neighbours]:
    """Return what each of these chunks, given with its text, links to; nothing before links have been extracted."""
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


def naming(links: LinkTables, content: ContentId, limit: int) -> dict[ChunkId, float]:
    """Return the chunks that name a document, with their weight: the more there are, the lower."""
    if not links.exist():
        return {}
    found = links.chunks_naming(content, limit)
    weight = 1 / (1 + log(max(1, len(found) - 1)))
    return dict.fromkeys(found, weight)
