"""Hints for a search without hits of its words: a field that nothing here has, or another language."""

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.retrieval.query.parser import Query
from desktop_rag.retrieval.query.tree import MAIL_FIELDS, FileLeaf, Not, Phrase, Word, leaves, wanted
from desktop_rag.text.language_detection import language_of_query

_FEW = 0.02  # share of documents below which a language hardly occurs in the library
_MOST = 0.5


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
