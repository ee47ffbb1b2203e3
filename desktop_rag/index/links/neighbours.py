"""Follows links from a chunk: documents it names, chunks that share a rare name with it, mails of its thread."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import log, log2
from typing import NamedTuple

from desktop_rag.index.catalog.link_tables import LinkTables
from desktop_rag.index.links.mentions import MESSAGE, phrase_keys
from desktop_rag.index.records import ChunkId, ContentId

RAREST, COMMONEST = 2, 25  # chunks that share a name
SHARED = 0.4  # weight of a shared name; a mention of a document has 1
RARE_TITLE = 10  # mentions of a title up to which a link has its whole weight, where the question asks by names
MOST_NAMESAKES = 5  # documents with one name; names of more documents, such as “Report”, are ignored
_MOST_COUNTED = 1_000  # mentions of a name are counted up to this


class Neighbours(NamedTuple):
    """The weights (0 to 1) of links from one chunk to documents, to chunks, and to mails of its thread.

    Only mails may be in the same document, a mailbox.
    """

    documents: dict[ContentId, float]
    chunks: dict[ChunkId, float]
    thread: dict[ChunkId, float]


def neighbours(
    links: LinkTables, chunks: Mapping[ChunkId, str], *, rare_title: int = 1, only_rarest: bool = False
) -> dict[ChunkId, Neighbours]:
    """Return the links of chunks, given with their texts; none before links have been extracted.

    A title with more than `rare_title` mentions weighs less. With `only_rarest`, links beside those of a thread are
    link targets and capitalised names that are the title of one document and are mentioned nowhere else.
    """
    if not links.exist():
        return {}
    keys = links.keys_in(list(chunks))
    phrases = {
        chunk: frozenset(named) if only_rarest else named.union(phrase_keys(chunks[chunk]))
        for chunk, named in keys.items()
    }
    documents_named = links.documents_named(sorted(set().union(*phrases.values())))
    called = {key: contents for key, contents in documents_named.items() if len(contents) <= MOST_NAMESAKES}
    counts = links.chunk_counts(sorted(called.keys() | set().union(*keys.values())), _MOST_COUNTED)
    if only_rarest:
        called = {key: one for key, one in called.items() if len(one) == 1 and counts.get(key, 1) <= RAREST}
    shared = [
        key for key, count in counts.items() if RAREST <= count <= COMMONEST and (key >= MESSAGE or not only_rarest)
    ]
    sharing = links.chunks_with(shared)
    found: dict[ChunkId, Neighbours] = {}
    for chunk, named in keys.items():
        documents: dict[ContentId, float] = defaultdict(float)
        for key in phrases[chunk] & called.keys():
            # Weighted down by the number of documents with this name and of its mentions.
            common = len(called[key]) * (1 + log(max(1, counts.get(key, 1) - 1)))
            weight = 1 / max(1.0, common - log(rare_title))
            for content in called[key]:
                documents[content] = max(documents[content], weight)
        others, thread = _sharing(chunk, named, sharing, counts)
        found[chunk] = Neighbours(dict(documents), others, thread)
    return found


def _sharing(
    chunk: ChunkId, named: Iterable[int], sharing: Mapping[int, list[ChunkId]], counts: Mapping[int, int]
) -> tuple[dict[ChunkId, float], dict[ChunkId, float]]:
    """Return the weights of chunks that share a name with a chunk, and of the mails of its thread."""
    others: dict[ChunkId, float] = defaultdict(float)
    thread: dict[ChunkId, float] = defaultdict(float)
    for key in named:
        for other in sharing.get(key, ()):
            shared = 1 / max(1.0, log2(counts[key]))
            if key < MESSAGE:
                others[other] = max(others[other], SHARED * shared)
            elif other != chunk:
                thread[other] = max(thread[other], shared)
    others.pop(chunk, None)
    return dict(others), dict(thread)


def naming(links: LinkTables, content: ContentId, limit: int) -> dict[ChunkId, float]:
    """Return the chunks that name a document, with their weight: the more there are, the lower."""
    if not links.exist():
        return {}
    found = links.chunks_naming(content, limit)
    weight = 1 / (1 + log(max(1, len(found) - 1)))
    return dict.fromkeys(found, weight)
