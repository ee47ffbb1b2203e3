"""Small documents and queries for the keyword index."""

from desktop_rag.index.keywords.analysis import stem, terms
from desktop_rag.index.keywords.keyword_engine import KeywordDocument, KeywordReader
from desktop_rag.index.keywords.keyword_query import KeywordQuery, TermQuery
from desktop_rag.index.records import ChunkId, ContentId, Watermark

RENT = "The rent is due on the first day of each month. The tenant's deposit is two months' rent."
NOTICE = "Either party may end the contract with a notice of three months."
EGGS = "Whisk the eggs with the sugar until the mixture is pale."


def document(chunk: int, text: str, *, content: int = 0, title: str = "", headings: str = "") -> KeywordDocument:
    return KeywordDocument(ChunkId(chunk), ContentId(content or chunk), title, headings, text)


def mark(sequence: int) -> Watermark:
    return Watermark(sequence, "lineage")


def found(reader: KeywordReader, query: KeywordQuery, allowed: frozenset[ContentId] | None = None) -> list[int]:
    return [int(chunk) for chunk, _ in reader.search(query, 10, allowed)]


def word(text: str) -> TermQuery:
    (term,) = terms(text, query=True)
    return TermQuery("stem", stem(term.text))
