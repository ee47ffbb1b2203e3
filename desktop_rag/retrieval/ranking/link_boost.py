"""Link boost, the second hop of mode `linked`: chunks linked from the top results rank higher.

boosted score = score + 0.4 · max over the top three results of (square of its score / best score · strength of its link
to here).
For questions without names only the rarest links count. Measured on multi-hop questions, see docs/evaluation.md.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.keywords.analysis import STOP_WORDS, stem, terms
from desktop_rag.index.links.neighbours import RARE_TITLE, Neighbours, neighbours
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.api import Mode
from desktop_rag.text.language_detection import is_asked

# Tells whether a question asks by names, so that links lead on to what it wants: the gate of the link boost.
#
# Questions about somebody or something are answered by what the first passage names; questions about a subject are not:
# there, the titles in a passage lead astray. Measured, see docs/evaluation.md.

_LEAST_SHARE = 0.05  # of words that are capitalised, though no sentence begins there
_WORD = re.compile(r"\S+")
_OPENING = "\"'“„«(["
_ENDS = frozenset('.!?:;"”“„«(')  # characters after which any word may be capitalised


def asks_by_name(question: str, titles: Iterable[str]) -> bool:
    """Return whether a question has names: capitalised words or, where case tells nothing, all words of a title.

    Abbreviations (MTV, IL-6) count only where the text asks: in statements of a science they are subjects.
    """
    if question in (question.lower(), question.upper()):
        asked = stems(question)
        return any(each and each <= asked for each in map(stems, titles))
    words = _WORD.findall(question)
    asks = is_asked(question)
    names = [word for before, word in pairwise(words) if _is_name(before, word) and (asks or not _is_short(word))]
    return len(names) > _LEAST_SHARE * len(words)


def _is_name(before: str, word: str) -> bool:
    bare = word.lstrip(_OPENING)
    return before[-1] not in _ENDS and len(bare) > 1 and bare[0].isupper()


def _is_short(word: str) -> bool:
    """Return whether a capitalised word is an abbreviation: its next letter is a capital, too, or a digit."""
    second = word.lstrip(_OPENING)[1]
    return second.isupper() or second.isdigit() or second in "-‐‑"


def stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text, without stop words."""
    return frozenset(stem(term.text) for term in terms(text, query=True) if term.text not in STOP_WORDS)


LINKING = frozenset((Mode.LINKED, Mode.BEST))
LINK_SOURCES = 3  # top results whose links are followed
LINK_WEIGHT = 0.4
_TITLED = 5  # top results whose titles may be in a question

Scored = Sequence[tuple[ChunkId, float]]


def link_boosts(catalog: CatalogReader, question: str, scored: Scored) -> dict[ChunkId, float]:
    """Return the boost of each chunk that the best of `scored` link to.

    A linked document is represented by its best chunk in `scored`, else by its first one.
    """
    sources = {chunk: max(score, 0.0) ** 2 / max(scored[0][1], 1e-9) for chunk, score in scored[:LINK_SOURCES]}
    linked = links_of_top(catalog, question, [chunk for chunk, _ in scored[:_TITLED]])
    documents = {content for found in linked.values() for content in found.documents}
    sharing = {chunk for found in linked.values() for chunk in (*found.chunks, *found.thread)}
    contents = catalog.chunks.contents_of((*(chunk for chunk, _ in scored), *sharing))
    of_document = _representatives(catalog, scored, contents, documents)
    added: dict[ChunkId, float] = defaultdict(float)
    for source, found in linked.items():
        own = contents.get(source)
        targets: list[tuple[ChunkId | None, ContentId | None, float]] = [
            (of_document.get(content), content, weight) for content, weight in found.documents.items()
        ]
        chunks = (*found.chunks.items(), *found.thread.items())
        targets += [(chunk, contents.get(chunk), weight) for chunk, weight in chunks]
        for chunk, content, weight in targets:
            if chunk is not None and content is not None and (content != own or chunk in found.thread):
                added[chunk] = max(added[chunk], LINK_WEIGHT * sources[source] * weight)
    return added


def links_of_top(catalog: CatalogReader, question: str, top: Sequence[ChunkId]) -> dict[ChunkId, Neighbours]:
    """Return the links that are followed from the first results; the titles of all of `top` may be in the question."""
    contents = catalog.chunks.contents_of(top)
    titles = [content.title for content in catalog.contents.by_id(set(contents.values())).values()]
    texts = {each.chunk: each.text for each in catalog.chunks.passages(top[:LINK_SOURCES])}
    if asks_by_name(question, titles):
        return neighbours(catalog.links, texts, rare_title=RARE_TITLE)
    return neighbours(catalog.links, texts, only_rarest=True)


def _representatives(
    catalog: CatalogReader, scored: Scored, contents: Mapping[ChunkId, ContentId], documents: set[ContentId]
) -> dict[ContentId, ChunkId]:
    found: dict[ContentId, ChunkId] = {}
    for chunk, _ in scored:
        content = contents.get(chunk)
        if content in documents and content is not None:
            found.setdefault(content, chunk)
    for content in documents - found.keys():
        for chunk in catalog.chunks.ids_of_content(content)[:1]:
            found[content] = chunk
    return found
