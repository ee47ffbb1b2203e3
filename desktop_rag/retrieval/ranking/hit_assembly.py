"""Turns ranked chunks into hits: joins the catalog, deduplicates equal texts, caps the hits per file, adds snippets."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil
from pathlib import Path

from desktop_rag.documents.document import LineKind, MailHeader, Page, page_of
from desktop_rag.documents.file_types import Format
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.records import Chunk, Content, ContentId, FilePlace
from desktop_rag.paths import valid_text
from desktop_rag.retrieval.api import Hit, Mode, SearchRequest, Snippet
from desktop_rag.retrieval.query.file_conditions import is_about_mails, mail_at
from desktop_rag.retrieval.query.own_dates import own_date_ns
from desktop_rag.retrieval.query.parser import Query
from desktop_rag.retrieval.query.tree import binds, wanted
from desktop_rag.retrieval.ranking.ranked_chunks import RankedChunk
from desktop_rag.retrieval.reading.highlights import Highlight, Highlighter, LiteralHighlighter
from desktop_rag.retrieval.reading.snippets import around_marks, around_sentence, whole_lines, without_page_numbers
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates
from desktop_rag.stop import Stop

_SPARE, _BATCH = 4, 32  # passages joined beyond the limit at first, and then at once
_FIRST_POOL = 50
_GROWTH = 4
_LARGEST_POOL = 20_000
_WITH_MAILS = (Format.MAIL, Format.MAILBOX, Format.OUTLOOK_MAIL, Format.ARCHIVE)
_CODE = ("```", "~~~", "\n    ", "\n\t")  # how code begins in Markdown
_WITH_CODE = (Format.MARKDOWN, Format.NOTEBOOK, Format.WEB, Format.RST, Format.ASCIIDOC, Format.ORG, Format.LATEX)


def pool_sizes(limit: int) -> Iterator[int]:
    """Yield growing numbers of chunks to rank, as deduplication and the cap per file may leave fewer than `limit`."""
    size = max(_FIRST_POOL, _GROWTH * limit)
    while size < _LARGEST_POOL:
        yield size
        size *= _GROWTH
    yield size


class HitAssembler:
    """Makes the hits of one search.

    Chunks of equal text are deduplicated: the best one is a hit, the paths of the others go into its `also`. A file
    gives at most `SearchRequest.per_file` hits (`MAX_PER_FILE` unless asked otherwise); of a mailbox, each mail does if
    the query has conditions on mails.
    """

    def __init__(self, catalog: CatalogReader, candidates: Candidates, request: SearchRequest, query: Query) -> None:
        self._catalog = catalog
        self._candidates = candidates
        self._limit = request.limit
        self._mode = request.mode
        leaves = tuple(wanted(query.words))
        literal = request.mode is Mode.EXACT
        self._marker = LiteralHighlighter(leaves) if literal else Highlighter(leaves)
        self._bound = binds(query.words)
        self._by_mail = is_about_mails(query.files)
        # A search in few files may fill the list with them.
        fair_share = ceil(request.limit / max(1, candidates.count_up_to(request.limit)))
        self._per_file = max(request.per_file, fair_share) if request.per_file > 0 else request.limit

    def hits(self, found: Sequence[RankedChunk], stop: Stop) -> tuple[Hit, ...]:
        """Return up to the requested number of hits; chunks that no visible file holds any more are skipped."""
        hits: list[Hit] = []
        chunks: list[Chunk] = []
        by_text: dict[str, int] = {}
        per_file: Counter[tuple[ContentId, int]] = Counter()
        for item, chunk, content, places, mail in self._joined(found, stop):
            text = chunk.text.strip()
            file = chunk.content, mail.first_line if mail is not None and self._by_mail else 0
            if text in by_text:
                hits[by_text[text]] = _with_places(hits[by_text[text]], places)
            elif per_file[file] < self._per_file and len(hits) < self._limit:
                by_text[text] = len(hits)
                per_file[file] += 1
                chunks.append(chunk)
                dated_ns = own_date_ns(content, places[0], mail)
                hits.append(self._hit(len(hits) + 1, item, chunk, content, places, dated_ns))
            if len(hits) == self._limit:
                break
        pages = self._catalog.contents.pages({hit.content for hit in hits})
        found_in = zip(hits, chunks, strict=True)
        return tuple(self._with_page(hit, chunk, pages.get(hit.content, ())) for hit, chunk in found_in)

    def _joined(
        self, found: Sequence[RankedChunk], stop: Stop
    ) -> Iterator[tuple[RankedChunk, Chunk, Content, tuple[FilePlace, ...], MailHeader | None]]:
        first, ahead = 0, self._limit + _SPARE
        while some := found[first : first + ahead]:
            stop.check()
            first, ahead = first + len(some), _BATCH
            chunks = self._catalog.chunks.by_id(item.chunk for item in some)
            places = self._candidates.places({chunk.content for chunk in chunks.values()})
            contents = self._catalog.contents.by_id(places)
            mails = self._catalog.mails.of(id_ for id_, known in contents.items() if known.format in _WITH_MAILS)
            for item in some:
                chunk = chunks.get(item.chunk)
                if chunk is not None and chunk.content in places and chunk.content in contents:
                    mail = mail_at(mails.get(chunk.content, ()), chunk.span.first_line)
                    yield item, chunk, contents[chunk.content], places[chunk.content], mail

    def _hit(
        self,
        rank: int,
        item: RankedChunk,
        chunk: Chunk,
        content: Content,
        places: tuple[FilePlace, ...],
        dated_ns: int,
    ) -> Hit:
        path, *also = (path_of(place) for place in places)
        marks = self._marker.marks(chunk.text, content.language)
        about = f"{content.title}\n{chunk.heading}\n{valid_text(path.name)}"
        named = not marks and self._marker.marks(about, content.language)
        snippet = self._snippet(item, chunk, content, marks)
        return Hit(
            rank=rank,
            chunk=chunk.id,
            content=chunk.content,
            sha256=content.sha256.hex(),
            path=path,
            also=tuple(also),
            format=content.format,
            title=content.title or valid_text(path.name),
            dated_ns=dated_ns,
            size=places[0].size,
            page=None,
            heading=chunk.heading,
            span=chunk.span,
            score=item.score,
            snippet=snippet,
            why=replace(item.why, has_word=any(mark.is_content for mark in named or marks)),
            tags=content.tags,
            more_lines=_lines_beyond(snippet, chunk, marks),
        )

    def _with_page(self, hit: Hit, chunk: Chunk, pages: tuple[Page, ...]) -> Hit:
        line = hit.snippet.span.first_line
        section = self._catalog.contents.section_at(hit.content, line)
        snippet = without_page_numbers(hit.snippet, chunk, pages)
        return replace(hit, page=page_of(pages, line), section=section, snippet=snippet)

    def _snippet(self, item: RankedChunk, chunk: Chunk, content: Content, marks: Sequence[Highlight]) -> Snippet:
        keyword, semantic = item.why.keyword_rank, item.why.semantic_rank
        by_meaning = semantic is not None and (keyword is None or semantic < keyword or self._mode is Mode.SEMANTIC)
        if by_meaning and item.sentence >= 0:
            found = around_sentence(chunk, item.sentence, marks)
            if self._bound and not found.marks:  # the words were demanded: show where they stand
                found = around_marks(chunk, marks)
        else:
            found = around_marks(chunk, marks)
        lines = self._code_lines(content, chunk, found, marks)
        return (whole_lines(chunk, *lines, marks) if lines is not None else None) or found

    def _code_lines(
        self, content: Content, chunk: Chunk, found: Snippet, marks: Sequence[Highlight]
    ) -> tuple[int, int] | None:
        """Return the first and last line of a snippet in source code; None if it has a match in other text."""
        first, last = found.span.first_line, found.span.last_line
        if content.format in (Format.CODE, Format.DATA):
            return first, last
        if content.format not in _WITH_CODE or (
            content.format == Format.MARKDOWN and not any(map(chunk.text.__contains__, _CODE))
        ):
            return None
        kinds = [LineKind(each & 15) for each in self._catalog.contents.kinds(content.id, found.span)]
        start, end = found.span.start - chunk.span.start, found.span.end - chunk.span.start
        inside = [mark.start for mark in marks if start <= mark.start < end] or [start]
        at = [chunk.text.count("\n", 0, place) + chunk.span.first_line - first for place in inside]
        return _block(kinds, at, first)


def _lines_beyond(snippet: Snippet, chunk: Chunk, marks: Sequence[Highlight]) -> int:
    """Return how many lines of a chunk have every marked part of the query, beyond those of its snippet."""
    parts = {mark.part for mark in marks if mark.is_content}
    if len(marks) <= len(snippet.marks) or not parts:
        return 0
    on_line: dict[int, set[int]] = {}
    line, at = chunk.span.first_line, 0
    for mark in sorted(marks, key=lambda each: each.start):
        line += chunk.text.count("\n", at, mark.start)
        at = mark.start
        on_line.setdefault(line, set()).add(mark.part)
    shown = range(snippet.span.first_line, snippet.span.last_line + 1)
    return sum(parts <= found for number, found in on_line.items() if number not in shown)


def _block(kinds: Sequence[LineKind], places: Sequence[int], first: int) -> tuple[int, int] | None:
    """Return the first and last number of the lines of code around these indices; the lines count from `first`."""
    start, end = places[0], places[-1]
    if end >= len(kinds) or any(kind is not LineKind.CODE for kind in kinds[start : end + 1]):
        return None
    while start > 0 and kinds[start - 1] is LineKind.CODE:
        start -= 1
    while end + 1 < len(kinds) and kinds[end + 1] is LineKind.CODE:
        end += 1
    return first + start, first + end


def path_of(place: FilePlace) -> Path:
    """Return the path of a file record."""
    return Path(os.fsdecode(place.path))


def _with_places(hit: Hit, places: tuple[FilePlace, ...]) -> Hit:
    known = {hit.path, *hit.also}
    return replace(hit, also=(*hit.also, *(path for path in map(path_of, places) if path not in known)))
