"""Turns ranked chunks into hits: joins the catalog, deduplicates equal texts, caps the hits per file, adds snippets."""

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from math import ceil
from pathlib import Path
from typing import NamedTuple

from desktop_rag.documents.document import LineKind, MailHeader, Page, Span, page_of
from desktop_rag.documents.file_types import Format
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.records import Chunk, ChunkId, Content, ContentId, FilePlace
from desktop_rag.paths import valid_text
from desktop_rag.retrieval.api import FurtherPlace, Hit, Mode, SearchRequest
from desktop_rag.retrieval.query.file_conditions import is_about_mails, mail_at
from desktop_rag.retrieval.query.own_dates import own_date_ns
from desktop_rag.retrieval.query.parser import Query
from desktop_rag.retrieval.query.tree import Node, binds, is_one_word
from desktop_rag.retrieval.ranking.ranked_chunks import RankedChunk
from desktop_rag.retrieval.ranking.snippets import Excerpts, first_marked_line, without_page_numbers
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates
from desktop_rag.stop import Stop

BETWEEN = " › "
_HEADINGS = re.compile(b"[%b]" % re.escape(bytes(LineKind.HEADING | level << 4 for level in range(16))))
_TEXT = re.compile(b"[^%b]" % re.escape(bytes(kind | level << 4 for kind in (1, 7) for level in range(16))))
_MARKS = "#=*~ \t"  # of markup around a heading


def heading_at(catalog: CatalogReader, chunk: Chunk, line: int) -> str:
    """Return the headings above a line of a chunk, the highest first."""
    first = chunk.span.first_line
    if line <= first:
        return chunk.heading
    kinds = catalog.contents.kinds(chunk.content, Span(first, line, 0, 0))
    text = _TEXT.search(kinds)
    later = [found.start() for found in _HEADINGS.finditer(kinds, text.end())] if text is not None else []
    if text is None or not later:
        return chunk.heading
    above = catalog.contents.kinds(chunk.content, Span(1, first + text.start(), 0, 0))
    levels: list[int] = []
    for found in _HEADINGS.finditer(above):
        _enter(levels, found.group()[0] >> 4)
    path = chunk.heading.split(BETWEEN)[: len(levels)] if chunk.heading else []
    levels = levels[: len(path)]
    lines = chunk.text.split("\n")
    for place in later:
        path = path[: _enter(levels, kinds[place] >> 4)]
        path.append(lines[place].strip(_MARKS) if place < len(lines) else "")
    return BETWEEN.join(filter(None, path))


def _enter(levels: list[int], level: int) -> int:
    """Put a heading of a level below those that are above it; return how many these are."""
    while levels and levels[-1] >= max(1, level):
        levels.pop()
    levels.append(max(1, level))
    return len(levels) - 1


_SPARE, _BATCH = 4, 32  # passages joined beyond the limit at first, and then at once
_FIRST_POOL = 50
_GROWTH = 4
_LARGEST_POOL = 20_000
_MOST_REORDERED = 150  # passages whose text is read to find all words in one place
_WITH_MAILS = (Format.MAIL, Format.MAILBOX, Format.OUTLOOK_MAIL, Format.ARCHIVE)


def pool_sizes(limit: int, mode: Mode, words: Node | None) -> Iterator[int]:
    """Yield growing numbers of chunks to rank, as deduplication and the cap per file may leave fewer than `limit`.

    The first is small in exact mode, which reads the text of each, unless the best of many are reordered.
    """
    size = limit + _SPARE if mode is Mode.EXACT and not binds(words) else max(_FIRST_POOL, _GROWTH * limit)
    while size < _LARGEST_POOL:
        yield size
        size *= _GROWTH
    yield size


class _Joined(NamedTuple):
    """A ranked chunk with what the catalog knows of it; `mail` is the one in which it starts."""

    item: RankedChunk
    chunk: Chunk
    content: Content
    places: tuple[FilePlace, ...]
    mail: MailHeader | None


class HitAssembler:
    """Makes the hits of one search.

    Chunks of equal text are deduplicated: the best one is a hit, the paths of the others go into its `also`. A file
    gives at most `SearchRequest.per_file` hits (`MAX_PER_FILE` unless asked otherwise) and more only where a list of
    all that fulfils the query has room; of a mailbox, each mail does if the query has conditions on mails.
    """

    def __init__(self, catalog: CatalogReader, candidates: Candidates, request: SearchRequest, query: Query) -> None:
        self._catalog = catalog
        self._candidates = candidates
        self._limit = request.limit
        self._excerpts = Excerpts(catalog, request.mode, query)
        self._by_mail = is_about_mails(query.files)
        # A search in few files may fill the list with them.
        fair_share = ceil(request.limit / max(1, candidates.count_up_to(request.limit)))
        self._per_file = max(request.per_file, fair_share) if request.per_file > 0 else request.limit
        self._reorders = self._excerpts.bound and self._excerpts.leaves > 1
        self._shows_every = self._excerpts.bound or is_one_word(query.words)
        self._counted_all = request.mode is Mode.SEMANTIC
        self._chunks: dict[ChunkId, Chunk] = {}
        self.left_out = False  # whether the limit or the cap of the last `hits` left out passages with words

    def hits(self, found: Sequence[RankedChunk], stop: Stop) -> tuple[Hit, ...]:
        """Return up to the requested number of hits; chunks that no visible file holds any more are skipped."""
        self._chunks.clear()
        hits: list[Hit] = []
        chunks: list[Chunk] = []
        by_text: dict[str, int] = {}
        beyond: list[_Joined] = []  # the cap per file
        per_file: Counter[tuple[ContentId, int]] = Counter()

        def add(each: _Joined) -> None:
            by_text[each.chunk.text.strip()] = len(hits)
            chunks.append(each.chunk)
            hits.append(self._hit(len(hits) + 1, each))

        left: list[RankedChunk] = []
        passed = set[ChunkId]()
        for each in self._joined(self._together_first(found), passed, stop):
            text = each.chunk.text.strip()
            mail = each.mail
            file = each.chunk.content, mail.first_line if mail is not None and self._by_mail else 0
            if text in by_text:
                hits[by_text[text]] = _with_places(hits[by_text[text]], each.places)
            elif per_file[file] < self._per_file:
                per_file[file] += 1
                add(each)
            elif self._shows_every and len(beyond) < self._limit:
                beyond.append(each)
            else:
                left.append(each.item)
            if len(hits) == self._limit:
                left += (item for item in found if item.chunk not in passed)
                break
        for each in beyond:
            if each.chunk.text.strip() in by_text:
                continue
            if len(hits) < self._limit:
                add(each)
            else:
                left.append(each.item)
        self.left_out = any(self._counted_all or item.why.keyword_rank is not None for item in left)
        contents = {hit.content for hit in hits}
        pages = self._catalog.contents.pages(contents)
        placed = self._catalog.contents.with_sections(contents).union(pages)
        return tuple(
            self._with_page(hit, chunk, pages.get(hit.content, ())) if hit.content in placed else hit
            for hit, chunk in zip(hits, chunks, strict=True)
        )

    def _together_first(self, found: Sequence[RankedChunk]) -> Iterator[RankedChunk]:
        """Yield those of the best passages first that have all words in one place, such as a row of a table."""
        if not self._reorders:
            yield from found
            return
        best, others = found[:_MOST_REORDERED], found[_MOST_REORDERED:]
        apart: list[tuple[RankedChunk, Chunk | None, Content | None]] = []
        for first in range(0, len(best), self._limit + _SPARE):  # no more texts are read than are wanted
            some = best[first : first + self._limit + _SPARE]
            chunks = self._chunks_of(some)
            contents = self._catalog.contents.by_id({chunk.content for chunk in chunks.values()})
            for item in some:
                chunk = chunks.get(item.chunk)
                known = contents.get(chunk.content) if chunk is not None else None
                if chunk is not None and known is not None and self._excerpts.sentence_fulfils(chunk, known):
                    yield item
                else:
                    apart.append((item, chunk, known))
        scattered = list[RankedChunk]()
        for item, chunk, known in apart:
            if chunk is not None and known is not None and self._excerpts.excerpt_fulfils(chunk, known):
                yield item
            else:
                scattered.append(item)
        yield from chain(scattered, others)

    def _chunks_of(self, items: Sequence[RankedChunk]) -> dict[ChunkId, Chunk]:
        """Read chunks with their texts, each once for a list of hits; those that are gone are missing."""
        if missing := [item.chunk for item in items if item.chunk not in self._chunks]:
            self._chunks |= self._catalog.recent_chunks.by_id(missing)
        return {item.chunk: self._chunks[item.chunk] for item in items if item.chunk in self._chunks}

    def _joined(self, found: Iterator[RankedChunk], passed: set[ChunkId], stop: Stop) -> Iterator[_Joined]:
        """Yield chunks joined with their catalog records; all that were looked at are added to `passed`."""
        # Reordered passages are compared with the query one by one as they are taken: no more than needed.
        ahead, following = (self._limit, _SPARE) if self._reorders else (self._limit + _SPARE, _BATCH)
        while some := list(islice(found, ahead)):
            stop.check()
            ahead, following = following, min(2 * following, _BATCH)
            chunks = self._chunks_of(some)
            places = self._candidates.places({chunk.content for chunk in chunks.values()})
            contents = self._catalog.contents.by_id(places)
            mails = self._catalog.mails.of(id_ for id_, known in contents.items() if known.format in _WITH_MAILS)
            for item in some:
                passed.add(item.chunk)
                chunk = chunks.get(item.chunk)
                if chunk is not None and chunk.content in places and chunk.content in contents:
                    mail = mail_at(mails.get(chunk.content, ()), chunk.span.first_line)
                    yield _Joined(item, chunk, contents[chunk.content], places[chunk.content], mail)

    def _hit(self, rank: int, joined: _Joined) -> Hit:
        item, chunk, content, places, mail = joined
        path, *also = (path_of(place) for place in places)
        marks = self._excerpts.marks(chunk.text, content.language)
        name = valid_text(path.name)
        about = chunk.heading if content.title in name else f"{content.title}\n{chunk.heading}"
        said = any(self._excerpts.has_word(text, content.language) for text in (chunk.text, about))
        by_name = not said and self._excerpts.has_word(name, content.language)
        snippet = self._excerpts.best(item, chunk, content, marks)
        further = tuple(self._excerpts.further(chunk, content, marks, snippet))
        headings = [heading_at(self._catalog, chunk, first_marked_line(each, chunk)) for each in (snippet, *further)]
        return Hit(
            rank=rank,
            chunk=chunk.id,
            content=chunk.content,
            sha256=content.sha256.hex(),
            path=path,
            also=tuple(also),
            format=content.format,
            title=content.title or name,
            dated_ns=own_date_ns(content, places[0], mail),
            size=places[0].size,
            page=None,
            heading=headings[0],
            span=chunk.span,
            score=item.score,
            snippet=snippet,
            why=replace(item.why, has_word=said or by_name, by_name=by_name),
            tags=content.tags,
            further=tuple(map(FurtherPlace, further, headings[1:])),
            language=content.language,
        )

    def _with_page(self, hit: Hit, chunk: Chunk, pages: tuple[Page, ...]) -> Hit:
        best, *others = (
            replace(
                place,
                snippet=without_page_numbers(place.snippet, chunk, pages),
                page=page_of(pages, line),
                section=self._catalog.contents.section_at(hit.content, line),
            )
            for place in (FurtherPlace(hit.snippet, hit.heading), *hit.further)
            for line in (first_marked_line(place.snippet, chunk),)
        )
        return replace(hit, page=best.page, section=best.section, snippet=best.snippet, further=tuple(others))


def path_of(place: FilePlace) -> Path:
    """Return the path of a file record."""
    return Path(os.fsdecode(place.path))


def _with_places(hit: Hit, places: tuple[FilePlace, ...]) -> Hit:
    known = {hit.path, *hit.also}
    return replace(hit, also=(*hit.also, *(path for path in map(path_of, places) if path not in known)))
