"""Hints for a search without hits of its words: a field that nothing here has, or another language."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from desktop_rag.errors import LibraryError
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.keywords.analysis import STOP_WORDS, fold
from desktop_rag.index.keywords.keyword_engine import KeywordReader
from desktop_rag.retrieval.api import Hit, Mode, SearchRequest
from desktop_rag.retrieval.query.did_you_mean import suggestion, without_slips
from desktop_rag.retrieval.query.parser import Query, parse
from desktop_rag.retrieval.query.term_expansion import TermExpansion
from desktop_rag.retrieval.query.to_index import keyword_query
from desktop_rag.retrieval.query.tree import MAIL_FIELDS, FileLeaf, Not, Phrase, Wildcard, Word, binds, leaves, wanted
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates
from desktop_rag.stop import Stop
from desktop_rag.text.language_detection import language_of_query

_FEW = 0.02  # share of documents below which a language hardly occurs in the library
_MOST = 0.5
MAX_WORDS = 6  # of a query that are looked up one by one; a longer one is a question or a text
UNKNOWN_WORDS = "No document has {0}."
NOT_TOGETHER = "No passage has all of these words."
NOT_IN_A_ROW = "No passage has {0} word for word."


def missing_field(query: Query, catalog: CatalogReader) -> str:
    """Return that no mail is in the library if the query requires one; else nothing."""
    if isinstance(query.files, Not) or catalog.mails.any():
        return ""
    field = next((leaf.field for leaf in leaves(query.files) if isinstance(leaf, FileLeaf)), None)
    return f"Only mails have “{field}:”, and there is no mail in this library." if field in MAIL_FIELDS else ""


def other_language(query: Query, catalog: CatalogReader) -> tuple[str, str] | None:
    """Return the languages (ISO 639-1) of a query and of most documents if few of these are in the first, else None."""
    asked = language_of_query(" ".join(leaf.text for leaf in wanted(query.words) if isinstance(leaf, Word | Phrase)))
    if not asked:
        return None
    counts = catalog.languages.counts()
    total = sum(counts.values())
    most = max(counts, key=counts.__getitem__, default="")
    if not most or counts[most] < _MOST * total or counts.get(asked, 0) >= _FEW * total:
        return None
    return asked, most


@dataclass(frozen=True, slots=True)
class WordHints:
    """What the words of a query tell of its hits; `keywords` opens the index."""

    catalog: CatalogReader
    request: SearchRequest
    query: Query
    hits: Sequence[Hit]
    candidates: Candidates
    keywords: Callable[[], KeywordReader]

    def suggestion(self, stop: Stop) -> str:
        """Return a corrected query if it has slips or no keyword was found; words are not corrected in exact mode."""
        if better := without_slips(self.request.query):
            return better
        if self.request.mode is Mode.EXACT or any(hit.why.by_words for hit in self.hits):
            return ""
        try:
            return suggestion(
                self.query, self.keywords(), self.catalog, self.candidates.holders, self.candidates.may_find, stop
            )
        except LibraryError:  # the index cannot be read: the note of the result says so
            stop.check()
            return ""

    def missing_words(self, stop: Stop) -> str:
        """Return which words of a short query without operators no document has, or that no passage has all of them.

        Of a question with quotation marks: what no passage has word for word.

        Nothing if no hit has any, or if documents are withheld: it would reveal their words. An unfinished last
        word is named when no document has a word that begins so; while it is typed, nothing is said of all words.
        """
        request, words = self.request, self.query.words
        if request.mode in (Mode.EXACT, Mode.SEMANTIC) or request.scope.withheld:
            return ""
        leaves = [leaf for leaf in wanted(words) if isinstance(leaf, Word)]
        if lifted := [leaf for leaf in wanted(words) if isinstance(leaf, Phrase) and leaf.lifts]:
            return self._not_in_a_row(lifted, stop)
        if binds(words) or not 1 < len(leaves) <= MAX_WORDS or not any(hit.why.by_words for hit in self.hits):
            return ""
        if any(fold(leaf.text) in STOP_WORDS for leaf in leaves):  # a question or a sentence
            return ""
        try:
            keywords = self.keywords()
            expansion = TermExpansion(self.catalog, keywords, self.candidates.holders, words, stop)
            if expansion.are_written(leaves):  # nearly always
                return ""
            return self._unknown_or_apart(keywords, expansion, leaves, stop)
        except LibraryError:
            stop.check()
            return ""

    def _not_in_a_row(self, quoted: Sequence[Phrase], stop: Stop) -> str:
        """Return which of the phrases that a question quotes no passage has."""
        try:
            keywords = self.keywords()
            expansion = TermExpansion(self.catalog, keywords, self.candidates.holders, self.query.words, stop)
            queries = [keyword_query(leaf, expansion) for leaf in quoted]
            found = keywords.matched([query for query in queries if query is not None], stop)
            missing = [leaf for leaf, query in zip(quoted, queries, strict=True) if query and not next(found)]
        except LibraryError:
            stop.check()
            return ""
        return NOT_IN_A_ROW.format(", ".join(f"“{leaf.text}”" for leaf in missing)) if missing else ""

    def _unknown_or_apart(
        self, keywords: KeywordReader, expansion: TermExpansion, leaves: Sequence[Word], stop: Stop
    ) -> str:
        """Return the note; what can be asked for together is, as each request to a server takes its time."""
        begun = [leaf for leaf in wanted(self.query.words) if isinstance(leaf, Wildcard)]  # the last word, still typed
        asked: list[tuple[Word, list[Word | Wildcard]]] = [(leaf, [leaf]) for leaf in leaves]
        if self.request.unfinished and self.query.text.endswith(leaves[-1].text):
            asked[-1:] = [(leaves[-1], [leaves[-1], *begun])] if begun else []
        exact = [expansion.as_written((leaf,)) for leaf, _ in asked]
        written = keywords.matched([query for query in exact if query is not None], stop)
        others = [each for each, query in zip(asked, exact, strict=True) if query is None or not next(written)]
        queries = [(leaf.text, [keyword_query(form, expansion) for form in forms]) for leaf, forms in others]
        together = None if self.request.unfinished else parse(self.query.text, default_and=True).words
        every = keyword_query(together, expansion) if together else None
        known = [query for _, each in queries for query in each] + [every]
        found = keywords.matched([query for query in known if query is not None], stop)
        answers = [(text, [query is None or next(found) for query in each]) for text, each in queries]
        unknown = [text for text, each in answers if not any(each)]
        if unknown:
            return UNKNOWN_WORDS.format(", ".join(f"“{text}”" for text in unknown))
        return NOT_TOGETHER if every is not None and not next(found) else ""
