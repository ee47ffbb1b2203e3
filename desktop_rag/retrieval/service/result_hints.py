"""Hints for a search without hits of its words: what nothing here has, or another language."""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeVar
from urllib.parse import unquote

from desktop_rag.errors import LibraryError
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.keywords.analysis import STOP_WORDS, fold
from desktop_rag.index.keywords.keyword_engine import KeywordReader
from desktop_rag.retrieval.api import Hit, Mode, Scope, SearchRequest
from desktop_rag.retrieval.query.did_you_mean import suggestion, without_slips
from desktop_rag.retrieval.query.parser import Query
from desktop_rag.retrieval.query.term_expansion import TermExpansion
from desktop_rag.retrieval.query.to_index import keyword_query
from desktop_rag.retrieval.query.tokenizer import bare
from desktop_rag.retrieval.query.tree import (
    MAIL_FIELDS,
    All,
    FileLeaf,
    Node,
    Not,
    Phrase,
    Spelled,
    TextField,
    TextLeaf,
    Wildcard,
    Word,
    binds,
    conjuncts,
    leaves,
    wanted,
)
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates
from desktop_rag.retrieval.retrievers.substring import substring_search
from desktop_rag.stop import Stop
from desktop_rag.text.language_detection import language_of_query

_FEW = 0.02  # share of documents below which a language hardly occurs in the library
_MOST = 0.5
MAX_WORDS = 6  # of a query that are looked up one by one; a longer one is a question or a text
UNKNOWN_WORDS = "No document has {0}."
NOT_TOGETHER = "No passage has all of these words."
NOT_IN_A_ROW = "No passage has {0} word for word."
LEFT_OUT = "Only passages that the conditions of this search leave out have these words."
NO_SUCH_FILE = "No file of this library has the path {0}."
_PATH = re.compile(r"(?:~?/[^/\s]|[A-Za-z]:[\\/])(?:\S*|.*\.\w{1,5})")  # with blanks only that of a file

Part = TypeVar("Part", bound=Node)


def pasted_path(text: str) -> str:
    """Return the absolute path that a query is, as file managers copy one; empty for another query."""
    written = text.strip().strip("\"'")
    if written.startswith("file://"):
        written = unquote(written.removeprefix("file://").removeprefix("localhost"))
    return os.path.expanduser(written) if _PATH.fullmatch(written) else ""  # noqa: PTH111 (of any system)


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

    def missing_words(self, stop: Stop, *, named: bool) -> str:
        """Return which words of a short query without operators no document has, or that no passage has all of them.

        Of a question with quotation marks: what no passage has word for word. Of a query with operators that finds
        nothing, nor files `named` so: what no document has, or that its conditions leave out what has it.

        Nothing if no hit has any, or if documents are withheld: it would reveal their words. An unfinished last
        word is named when no document has a word that begins so; while it is typed, nothing is said of all words.
        """
        request, words = self.request, self.query.words
        if words is None or request.scope.withheld:
            return ""
        lifted = [leaf for leaf in wanted(words) if isinstance(leaf, Phrase) and leaf.lifts]
        plain = [leaf for leaf in wanted(words) if isinstance(leaf, Word)]
        bound = binds(words)
        if bound and (self.hits or named):
            return ""
        if not (bound or lifted):
            if request.mode in (Mode.EXACT, Mode.SEMANTIC) or not 1 < len(plain) <= MAX_WORDS:
                return ""
            if any(fold(leaf.text) in STOP_WORDS for leaf in plain):  # a question or a sentence
                return ""
            if not any(hit.why.by_words for hit in self.hits):
                return ""
        try:
            expansion = TermExpansion(self.catalog, self.keywords(), self.candidates.holders, words, stop)
            if lifted:
                return self._listed(NOT_IN_A_ROW, self._lacking(lifted, expansion, stop))
            if not bound and expansion.are_written(plain):  # nearly always
                return ""
            return self._cause(words, expansion, stop, bound=bound)
        except LibraryError:
            stop.check()
            return ""

    def _cause(self, words: Node, expansion: TermExpansion, stop: Stop, *, bound: bool) -> str:
        """Return what no document has, what no passage has word for word, nor all of, or what is left out."""
        parts = tuple(part for part in conjuncts(words) if not isinstance(part, Not))
        asked = list(dict.fromkeys(leaf for part in parts for leaf in wanted(part)))
        begun = {leaf.pattern for leaf in asked if isinstance(leaf, Wildcard)}  # so with the last word, still typed
        asked = [leaf for leaf in asked if not (isinstance(leaf, Word) and f"{leaf.text}*" in begun)]
        typing = self.request.unfinished and self.query.text[-1:].isalnum()
        if typing and asked and isinstance(asked[-1], Word) and self.query.text.endswith(asked[-1].text):
            asked.pop()
        lacking = self._lacking(asked, expansion, stop)
        within = {leaf: _within(leaf) for leaf in lacking}
        inside = self._lacking(list(dict.fromkeys(chain.from_iterable(within.values()))), expansion, stop)
        unknown = [*(leaf for leaf in lacking if not within[leaf]), *inside]
        rows = [leaf for leaf in lacking if isinstance(leaf, Phrase | Spelled) and not set(within[leaf]) & set(inside)]
        rows = [leaf for leaf in rows if leaf.field is not TextField.TITLE and not getattr(leaf, "slop", 0)]
        if unknown or rows or (typing and not bound):
            return " ".join(filter(None, (self._listed(UNKNOWN_WORDS, unknown), self._listed(NOT_IN_A_ROW, rows))))
        if not lacking and self._lacking([All(parts if bound else tuple(asked))], expansion, stop):
            return NOT_TOGETHER
        narrowed = self.query.files or self.request.filters or self.request.scope.is_chosen or parts != (words,)
        return LEFT_OUT if bound and parts and (lacking or narrowed) else ""

    def _lacking(self, parts: Sequence[Part], expansion: TermExpansion, stop: Stop) -> list[Part]:
        """Return which parts of a query no document matches; words are first looked up as they are typed."""
        keywords = self.keywords()
        if self.request.mode is Mode.EXACT:
            every = Candidates(self.catalog, Scope(), None, stop)
            return [part for part in parts if not substring_search(self.catalog, keywords, part, every, 1, stop)]
        exact = [expansion.as_written((part,)) if isinstance(part, Word) else None for part in parts]
        written = keywords.matched([query for query in exact if query is not None], stop)
        others = [part for part, query in zip(parts, exact, strict=True) if query is None or not next(written)]
        asked = [(part, query) for part in others if (query := keyword_query(part, expansion)) is not None]
        found = keywords.matched([query for _, query in asked], stop)
        return [part for (part, _), each in zip(asked, found, strict=True) if not each]

    def _listed(self, note: str, leaves: Iterable[TextLeaf]) -> str:
        """Return the note on these, as they are typed; nothing for none."""
        texts = [leaf.pattern if isinstance(leaf, Wildcard) else leaf.text for leaf in leaves]
        shown = (text if text in self.query.text else text.removesuffix("*") for text in texts)
        return note.format(", ".join(f"“{each}”" for each in shown)) if texts else ""


def _within(leaf: TextLeaf) -> tuple[TextLeaf, ...]:
    """Return what a document must have anywhere for a phrase, spelling or title; nothing for other leaves."""
    if isinstance(leaf, Phrase | Spelled):
        return tuple(Word(word) for part in leaf.text.split() if (word := bare(part)))
    return (replace(leaf, field=TextField.ANY),) if leaf.field is TextField.TITLE else ()
