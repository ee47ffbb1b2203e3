"""The diff of two documents, by sentences, so that different line breaks are not a change."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import Change, DocumentDiff
from desktop_rag.stop import Stop
from desktop_rag.text.normalize import fold

MAX_SENTENCES = 40_000  # of both documents; of longer ones only the first sentences are compared
_MAX_PAIRS = 30_000_000  # of sentences; beyond that the order of the sentences is ignored
_MAX_LINES = 12  # of one side of a change


@dataclass(frozen=True, slots=True)
class _Sentence:
    key: str  # the folded text, which is compared
    first: int
    last: int


def diff_documents(catalog: CatalogReader, one: ContentId, other: ContentId, most: int, stop: Stop) -> DocumentDiff:
    """Return the changes from `one` to `other`: the `most` longest of them, in document order."""
    mine, theirs = _sentences(catalog, one, stop), _sentences(catalog, other, stop)
    found = list(_changes(mine, theirs, stop))
    shared = len(mine) + len(theirs) - sum(len(before) + len(after) for before, after in found)
    alike = shared / (len(mine) + len(theirs)) if mine or theirs else 1.0
    kept = sorted(range(len(found)), key=lambda i: (-_length(found[i]), i))[:most]
    changes = tuple(
        Change(*_lines(catalog, one, found[i][0]), *_lines(catalog, other, found[i][1])) for i in sorted(kept)
    )
    return DocumentDiff(changes, len(found), alike)


def _sentences(catalog: CatalogReader, content: ContentId, stop: Stop) -> list[_Sentence]:
    found: list[_Sentence] = []
    for chunk in catalog.chunks.of_content(content):
        stop.check()
        base = chunk.span.start  # offsets of sentences are those of the document
        line, at = chunk.span.first_line, base
        for start, end in chunk.sentences:
            text = chunk.text[start - base : end - base]
            line += chunk.text.count("\n", at - base, start - base)
            at = start
            key = " ".join(fold(text).split())
            if key:
                leading = len(text) - len(text.lstrip())
                first = line + text.count("\n", 0, leading)
                found.append(_Sentence(key, first, line + text.rstrip().count("\n")))
        if len(found) >= MAX_SENTENCES // 2:
            break
    return found[: MAX_SENTENCES // 2]


_Pair = tuple[Sequence[_Sentence], Sequence[_Sentence]]


def _changes(mine: Sequence[_Sentence], theirs: Sequence[_Sentence], stop: Stop) -> Iterator[_Pair]:
    """Yield the runs of sentences that differ; an equal beginning and end are stripped first for speed."""
    first = next((i for i, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a.key != b.key), None)
    first = min(len(mine), len(theirs)) if first is None else first
    mine, theirs = mine[first:], theirs[first:]
    tail = next(
        (i for i, (a, b) in enumerate(zip(reversed(mine), reversed(theirs), strict=False)) if a.key != b.key), None
    )
    tail = min(len(mine), len(theirs)) if tail is None else tail
    mine, theirs = mine[: len(mine) - tail], theirs[: len(theirs) - tail]
    stop.check()
    if len(mine) * len(theirs) > _MAX_PAIRS:
        yield from _unordered_changes(mine, theirs)
        return
    matcher = SequenceMatcher(None, [s.key for s in mine], [s.key for s in theirs])
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind != "equal":
            yield mine[a:b], theirs[c:d]


def _unordered_changes(mine: Sequence[_Sentence], theirs: Sequence[_Sentence]) -> Iterator[_Pair]:
    """Yield the sentences that the other document does not have anywhere."""
    ours, others = {sentence.key for sentence in mine}, {sentence.key for sentence in theirs}
    yield from (((sentence,), ()) for sentence in mine if sentence.key not in others)
    yield from (((), (sentence,)) for sentence in theirs if sentence.key not in ours)


def _length(pair: _Pair) -> int:
    return sum(len(sentence.key) for side in pair for sentence in side)


def _lines(catalog: CatalogReader, content: ContentId, side: Sequence[_Sentence]) -> tuple[int, tuple[str, ...]]:
    if not side:
        return 0, ()
    first = side[0].first
    return first, tuple(catalog.texts.lines(content, first, min(side[-1].last - first + 1, _MAX_LINES)))
