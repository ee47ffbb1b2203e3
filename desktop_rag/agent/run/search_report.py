"""Search report of a run: queries, words without a match, documents read, files that could not be searched."""

import re
from collections.abc import Collection, Iterable, Iterator

from desktop_rag.agent.citations.references import readable
from desktop_rag.agent.conversations.erasing import SEARCHES
from desktop_rag.agent.events import Answered, Coverage, Phrasing, ReadDocument, Unread
from desktop_rag.agent.extractive.content_words import stop_words_of
from desktop_rag.agent.tools.tool import ToolContext
from desktop_rag.errors import QueryError
from desktop_rag.index.keywords.analysis import STOP_WORDS, terms
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.llm.chat import Evidence
from desktop_rag.retrieval.api import DocumentQuery, LibraryFacts, Mode, SearchRequest
from desktop_rag.stop import Stop
from desktop_rag.text.display import plural, shorten

NAMED_QUERIES = 3  # in the summary
LOOKED_UP = 24  # words and phrases of all queries that are checked one by one
_PHRASE = re.compile(r'"([^"]{3,80})"')
_MEASURE = re.compile(r"\b(?:how|wie) (\w+)")  # wie lange
_OPERATORS = frozenset(
    {"and", "or", "not", "title", "content", "path", "ext", "folder", "author", "language", "modified"}
)
_ASKING_WORDS = (
    "how many much who whom whose what which when where why my me "
    "wer wen wem wessen was welche welcher welches wann wo woher wohin warum wieso wie viel viele "
    "qui quel quelle quand où pourquoi comment combien quién qué cuál cuándo dónde cómo cuánto"
)
_ASKING = frozenset(_ASKING_WORDS.split())


class SearchReport:
    """Records the lines read during a run, and reports in the end how much was searched."""

    def __init__(self, context: ToolContext) -> None:
        self._context = context
        self._read: dict[ContentId, set[int]] = {}

    def record(self, tool: str, evidence: Iterable[Evidence], whole: Collection[ChunkId] = ()) -> None:
        """Record the lines a tool showed; of search hits only those shown `whole` count as read."""
        for shown in evidence:
            reference = self._context.references.get(shown.reference)
            if reference and (tool not in SEARCHES or reference.chunk in whole):
                lines = self._read.setdefault(reference.content, set())
                lines.update(range(shown.first_line, shown.first_line + len(shown.lines)))

    def report(self, facts: LibraryFacts, answered: Answered, stop: Stop) -> Coverage:
        """Return how much was searched, and which files could not be.

        Only if nothing was found are the words of the queries checked one by one.
        """
        gaps = facts.gaps
        searched = self._context.phrasings.items()
        return Coverage(
            phrasings=tuple(Phrasing(query, mode.value, *found) for (query, mode), found in searched),
            unmatched=() if answered.found else tuple(self._unmatched(stop)),
            documents=self._searched(facts, stop),
            read=tuple(self._documents()),
            by_meaning=facts.coverage,
            waiting=gaps.waiting,
            skipped=gaps.skipped,
            failed=gaps.failed,
            partial=gaps.partial,
            scans=gaps.scans,
            scan_pages=gaps.scan_pages,
            offline=tuple(readable(path) for path in gaps.offline),
            unread=tuple(Unread(readable(file.path), file.reason) for file in gaps.examples),
            scoped=self._context.scope.is_chosen or bool(self._context.filters),
        )

    def _searched(self, facts: LibraryFacts, stop: Stop) -> int:
        """Return the number of documents that the run could find."""
        context = self._context
        if not context.filters:
            return facts.contents
        query = DocumentQuery(scope=context.scope, filters=context.filters, limit=0)
        return context.retriever.documents(query, stop).total

    def summary(self) -> str:
        """Return in a sentence what was searched for and how many documents were read; "" if nothing was."""
        queries = list(dict.fromkeys(shorten(query, 60) for query, _ in self._context.phrasings))
        named = ", ".join(f"“{query}”" for query in queries[:NAMED_QUERIES])
        more = len(queries) - NAMED_QUERIES
        searched = f"Searched for {named}" + (f" and {more} more." if more > 0 else ".") if queries else ""
        read = f"Read passages of {plural(len(self._read), 'document')}." if self._read else ""
        return " ".join(filter(None, (searched, read)))

    def _documents(self) -> Iterator[ReadDocument]:
        for content, lines in self._read.items():
            if reference := self._context.references.of_content(content):
                yield ReadDocument(reference.path, reference.title, len(lines))

    def _unmatched(self, stop: Stop) -> Iterator[str]:
        """Yield the words and phrases of the queries that match no document in scope."""
        for clause in _clauses(query for query, _ in self._context.phrasings)[:LOOKED_UP]:
            query = f'"{clause}"' if " " in clause else clause
            request = SearchRequest(query, Mode.KEYWORD, 1, self._context.scope)
            try:
                hits = self._context.retriever.search(request, stop).hits
            except QueryError:
                continue
            if not hits and not self._is_name(clause, stop):
                yield clause

    def _is_name(self, clause: str, stop: Stop) -> bool:
        """Return whether a document is called so."""
        named = self._context.retriever.documents(DocumentQuery(clause, self._context.scope, limit=1), stop)
        return " " not in clause and named.total > 0


def _clauses(queries: Iterable[str]) -> list[str]:
    """Return the distinct normalised words of all queries in their first spelling, then their phrases."""
    words: dict[str, str] = {}
    phrases: dict[str, str] = {}
    for query in queries:
        asking = _ASKING.union(_MEASURE.findall(query.lower()))
        ignored = STOP_WORDS | _OPERATORS | asking | stop_words_of(query.split())
        for term in terms(query, query=True):
            if term.text not in ignored:
                words.setdefault(term.text, query[term.start : term.end])
        for phrase in _PHRASE.findall(query):
            if len(phrase.split()) > 1:
                phrases.setdefault(phrase.casefold(), phrase)
    return [*words.values(), *phrases.values()]
