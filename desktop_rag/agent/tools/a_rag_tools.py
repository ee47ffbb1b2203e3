"""The tools of A-RAG (section 3.2, figures 7 and 8): keyword search, semantic search, chunk reading."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.references import REFERENCE, Reference
from desktop_rag.agent.events import Source
from desktop_rag.agent.tools.arguments import ArgumentError, Arguments, integer, strings
from desktop_rag.agent.tools.chunk_passages import GONE, PassageWriter, neighbours, whole_chunks
from desktop_rag.agent.tools.numbered_lines import MARGIN
from desktop_rag.agent.tools.query_phrasing import any_of, plain_query
from desktop_rag.agent.tools.search_results import remarks, source_of
from desktop_rag.agent.tools.tool import ToolContext, ToolResult, evidence_of, heading, paper_spec, quoted
from desktop_rag.documents.document import Span
from desktop_rag.llm.chat import Evidence
from desktop_rag.retrieval.api import ChunkText, Hit, Mode, SearchRequest, SearchResult
from desktop_rag.stop import Stop
from desktop_rag.text.display import plural, shorten
from desktop_rag.text.secrets import cut_outside
from desktop_rag.text.sentences import split_sentences

# The abbreviated snippets of A-RAG: sentences of a chunk, with "..." for omitted text.

ELLIPSIS = "..."
MAX_SENTENCE = 600  # characters of a sentence; a longer one, such as a table row, is cut around the keyword
LEAD = 200  # characters before the keyword

_Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SentenceRun:
    """Consecutive sentences; `first_line` counts from 1 in the document."""

    first_line: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The shown text of a chunk, and its lines in the document."""

    text: str
    runs: tuple[SentenceRun, ...]


def with_keywords(chunk: ChunkText, keywords: Sequence[str]) -> Excerpt:
    """Return every sentence that contains a keyword, ignoring case (A-RAG, equation 2)."""
    text = "\n".join(chunk.lines)
    lowered = text.lower().replace("\n", " ")
    wanted = [keyword.lower() for keyword in keywords]
    ranges: list[_Range] = []
    for start, end in split_sentences(text):
        places = [at for keyword in wanted if (at := lowered.find(keyword, start, end)) >= 0]
        if places:
            _append(ranges, _cut(text, start, end, min(places)), text)
    return _excerpt(chunk, text, ranges)


def of_span(chunk: ChunkText, span: Span) -> Excerpt:
    """Return the part of a chunk at `span`, which has document offsets."""
    text = "\n".join(chunk.lines)
    start = min(max(span.start - chunk.span.start, 0), len(text))
    end = min(max(span.end - chunk.span.start, start), len(text))
    return _excerpt(chunk, text, [(start, end)] if start < end else [])


def _append(ranges: list[_Range], found: _Range, text: str) -> None:
    """Append a range, merged with the last one if only white space separates them."""
    if ranges and not text[ranges[-1][1] : found[0]].strip():
        found = (ranges.pop()[0], found[1])
    ranges.append(found)


def _cut(text: str, start: int, end: int, at: int) -> _Range:
    """Truncate a sentence to the shown length, between words."""
    if end - start <= MAX_SENTENCE:
        return start, end
    first = max(start, min(at - LEAD, end - MAX_SENTENCE))
    if first > start:
        first = text.find(" ", first, at) + 1 or first
    last = min(end, first + MAX_SENTENCE)
    if last < end:
        last = max(text.rfind(" ", at, last), at + 1)
    return cut_outside(text, first), cut_outside(text, last)


def _excerpt(chunk: ChunkText, text: str, ranges: Sequence[_Range]) -> Excerpt:
    shown = [text[start:end].strip() for start, end in ranges]
    runs = tuple(
        SentenceRun(chunk.span.first_line + text.count("\n", 0, text.index(part, start)), tuple(part.split("\n")))
        for part, (start, _) in zip(shown, ranges, strict=True)
        if part
    )
    written = f" {ELLIPSIS} ".join(" ".join(part.split()) for part in shown)
    before = f"{ELLIPSIS} " if ranges and text[: ranges[0][0]].strip() else ""
    after = f" {ELLIPSIS}" if ranges and text[ranges[-1][1] :].strip() else ""
    return Excerpt(f"{before}{written}{after}" if written else ELLIPSIS, runs)


TOP_K, MAX_TOP_K = 5, 20
KEYWORDS = 20  # of one call
WORDS = 3  # of one keyword
CHUNKS = 20  # ids of one call
QUERY_NAMES = ("query", "queries", "q", "text")

_TOP_K: Mapping[str, object] = {
    "type": "integer",
    "minimum": 1,
    "maximum": MAX_TOP_K,
    "description": f"how many chunks to return, the best first (default {TOP_K}, at most {MAX_TOP_K})",
}
_SNIPPETS = "Returns chunk ids with abbreviated snippets, in which “...” stands for what is left out: enough to choose "
_READ = "what to read, not to answer from. Read the chunks with `chunk_read` before you answer."
_WHOLE = "Returns the whole text of the chunks, each with its id."
_ADVICE = (
    "Keywords are matched literally: {long} {verb} too long for that. Use short, specific terms of 1 to 3 words: names "
    "(“Alexander Bell” for “the person who invented the telephone”), technical terms (“quantum mechanics”), years "
    "(“1939”)."
)
_STEPS = re.compile(r"\s*([+\-−–])\s*(\d{1,2})")

_Excerpting = Callable[[Hit, ChunkText], Excerpt]


class KeywordSearchTool:
    """Find chunks that contain keywords literally; `whole` returns whole chunks instead of snippets."""

    parameters = ("keywords", "top_k")

    def __init__(self, *, whole: bool = False) -> None:
        self._whole = whole
        keywords = {
            "type": "array",
            "items": {"type": "string"},
            "description": "keywords of 1 to 3 words each, such as “Einstein”, “relativity theory”, “1905”",
        }
        self.spec = paper_spec(
            "keyword_search",
            "Find chunks of documents by exact words, whatever their case. Each keyword is looked for by itself, "
            "letter by letter. Use SHORT and SPECIFIC ones: names of persons, places and things, technical terms, key "
            "concepts. Bad keywords are long phrases, questions, descriptions and whole sentences: instead of “when "
            "did World War 2 start” take “World War 2” and “1939”, instead of “the country between France and Spain” "
            f"take “Andorra”. {_WHOLE if whole else _SNIPPETS + _READ}",
            {"keywords": keywords, "top_k": _TOP_K},
            "keywords",
        )

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Return the keywords as text for the user."""
        return f"Searching for the words {quoted(_keywords(arguments))}"

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Return the chunks with the highest sums of count times length (equation 1)."""
        keywords = _keywords(arguments)
        query = any_of(keywords)
        if not query:
            raise ArgumentError(f"There is no word in {quoted(keywords)} to search for.")
        long = [keyword for keyword in keywords if len(keyword.split()) > WORDS]
        verb = "is" if len(long) == 1 else "are"
        advice = [_ADVICE.format(long=quoted(long, KEYWORDS), verb=verb)] if long else []
        result = _search(query, Mode.EXACT, arguments, context, stop)
        if not result.hits:
            nothing = f"No chunk contains {quoted(keywords, KEYWORDS)}."
            return ToolResult("\n".join((nothing, *advice, *remarks(result))), "Nothing found")
        if self._whole:
            return whole_chunks(result, advice, context, stop, numbered=False)
        return _excerpts(result, advice, context, stop, lambda _, chunk: with_keywords(chunk, keywords))


class SemanticSearchTool:
    """Find chunks by the nearest sentence vectors; `whole` returns whole chunks instead of snippets."""

    parameters = ("query", "top_k")

    def __init__(self, *, whole: bool = False) -> None:
        self._whole = whole
        query = {"type": "string", "description": "in plain language, what information you are looking for"}
        self.spec = paper_spec(
            "semantic_search",
            "Find chunks of documents by meaning: your query is compared with every sentence as a vector. For when "
            "keywords find nothing, when you do not know how the documents put it, and for matters rather than words. "
            f"{_WHOLE if whole else _SNIPPETS + _READ}",
            {"query": query, "top_k": _TOP_K},
            "query",
        )

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Return the query as text for the user."""
        return f"Searching for the meaning of {quoted((_query(arguments),))}"

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Return the chunks with the nearest sentences (equation 3)."""
        result = _search(_plain(arguments), Mode.SEMANTIC, arguments, context, stop)
        if not result.hits:
            return _nothing_near(result)
        if self._whole:
            return whole_chunks(result, [], context, stop, numbered=False)
        return _excerpts(result, [], context, stop, lambda hit, chunk: of_span(chunk, hit.snippet.span))


class NaiveEmbeddingSearchTool:
    """Find chunks by the nearest chunk vectors and return them whole; `numbered` adds line numbers."""

    parameters = ("query", "top_k")
    spec = paper_spec(
        "naive_embedding_search",
        f"Return the chunks whose vectors are closest to that of your query; words play no part. {_WHOLE}",
        {
            "query": {"type": "string", "description": "the question to find chunks for"},
            "top_k": _TOP_K,
        },
        "query",
    )

    def __init__(self, *, numbered: bool = False) -> None:
        self._numbered = numbered

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Return the query as text for the user."""
        return f"Searching for passages like {quoted((_query(arguments),))}"

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Return the nearest chunks as a whole."""
        result = _search(_plain(arguments), Mode.SEMANTIC, arguments, context, stop, published=False)
        return (
            whole_chunks(result, [], context, stop, numbered=self._numbered) if result.hits else _nothing_near(result)
        )


class ChunkReadTool:
    """Read whole chunks and their neighbours; chunks read before are not sent again."""

    parameters = ("chunk_ids",)
    spec = paper_spec(
        "chunk_read",
        "Read the complete text of chunks by their ids. The snippets of searches are abbreviated (“...”) and NOT "
        "enough to answer from: always read the promising chunks first. If something seems incomplete or cut off, read "
        "the chunks beside it as well: “turn1search3+1” is the one after turn1search3, “turn1search3-1” the one "
        "before. Chunks you have read already are only named.",
        {
            "chunk_ids": {
                "type": "array",
                "items": {"type": "string"},
                "description": "ids from search results, such as “turn1search3” or “turn1search3+1”",
            }
        },
        "chunk_ids",
    )

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Return the documents' titles as text for the user."""
        wanted, _ = _wanted(arguments, context)
        titles = tuple(dict.fromkeys(shorten(context.references.display_title(reference)) for reference, _ in wanted))
        return f"Reading {quoted(titles)}"

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Show each chunk once; unknown ids are named, the others are read."""
        wanted, unknown = _wanted(arguments, context)
        passages = PassageWriter(context, numbered=False, opens=False)
        for reference, step in wanted:
            chunks = neighbours(reference, (step,), context, stop)
            for chunk in chunks:
                passages.add(chunk, reference)
            if step and not chunks:
                where = "after" if step > 0 else "before"
                passages.add_note(f"There is no chunk {abs(step)} {where} {reference.name} in its document.")
            elif not chunks:
                passages.add_note(f"[{reference.name}] {GONE}")
        if unknown:
            passages.add_note(f"There is no chunk {', '.join(unknown)}.")
        return passages.result("read")


def _keywords(arguments: Arguments) -> tuple[str, ...]:
    return strings(arguments, ("keywords", "keyword", "query", "queries"), KEYWORDS, 300)


def _query(arguments: Arguments) -> str:
    return strings(arguments, QUERY_NAMES, 1)[0]


def _plain(arguments: Arguments) -> str:
    text = _query(arguments)
    query = plain_query(text)
    if not query:
        raise ArgumentError(f"There is no word in {quoted((text,))} to search for.")
    return query


def _search(
    query: str, mode: Mode, arguments: Arguments, context: ToolContext, stop: Stop, *, published: bool = True
) -> SearchResult:
    top_k = integer(arguments, ("top_k", "k", "limit", "max_results"), TOP_K, 1, MAX_TOP_K)
    request = SearchRequest(query, mode, top_k, context.scope, per_file=0, filters=context.filters, published=published)
    return context.search(request, stop)


def _nothing_near(result: SearchResult) -> ToolResult:
    text = "No chunk is near to this in meaning. Try other words, or keywords."
    return ToolResult("\n".join((text, *remarks(result))), "Nothing found")


def _excerpts(
    result: SearchResult, notes: Sequence[str], context: ToolContext, stop: Stop, excerpting: _Excerpting
) -> ToolResult:
    """Return the chunks of a search abbreviated."""
    notes_shown = (*notes, *remarks(result))
    texts: list[str] = []
    evidence: list[Evidence] = []
    sources: list[Source] = []
    chunks = {each.chunk: each for each in context.retriever.read_chunks(tuple(h.chunk for h in result.hits), stop)}
    left = context.budget - MARGIN
    for hit in result.hits:
        reference = context.references.of_hit(hit)
        if hit.chunk not in chunks or reference.name in context.discarded:
            continue
        excerpt = excerpting(hit, chunks[hit.chunk])
        text = f"{heading(reference)}\n{excerpt.text}"
        left -= context.count_tokens(text) + 1
        if left < 0 and texts:
            notes_shown = ("Weaker results are left out to save space.", *notes_shown)
            break
        texts.append(text)
        evidence += (
            evidence_of(reference, run.first_line, run.lines, hit.score, hit.snippet.text, hit.why.across)
            for run in excerpt.runs
        )
        sources.append(_source(reference, hit, excerpt))
    documents = len({source.content for source in sources})
    summary = f"{plural(len(sources), 'passage')} in {plural(documents, 'document')}"
    return ToolResult("\n\n".join((*texts, *notes_shown)), summary, tuple(evidence), tuple(sources))


def _source(reference: Reference, hit: Hit, excerpt: Excerpt) -> Source:
    runs = excerpt.runs
    first = runs[0].first_line if runs else hit.span.first_line
    last = runs[-1].first_line + len(runs[-1].lines) - 1 if runs else first
    return source_of(reference, first, last, excerpt.text, hit.page, hit.section)


def _wanted(arguments: Arguments, context: ToolContext) -> tuple[list[tuple[Reference, int]], list[str]]:
    """Return the references to read, each with its offset in chunks, and the unknown ids.

    Raises `ArgumentError` if no id is known.
    """
    wanted: list[tuple[Reference, int]] = []
    unknown: list[str] = []
    for text in strings(arguments, ("chunk_ids", "chunk_id", "references", "reference", "ids", "id"), CHUNKS, 100):
        name = REFERENCE.search(text)
        reference = context.references.get(text)
        if name is None or reference is None or reference.name in context.discarded:
            unknown.append(shorten(text))
            continue
        steps = _STEPS.match(text, name.end())
        wanted.append((reference, int(steps[2]) * (1 if steps[1] == "+" else -1) if steps else 0))
    if not wanted:
        context.reference(unknown[0])
    return wanted, unknown
