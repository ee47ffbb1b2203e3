"""Finds the files that may fulfil a condition by their paths alone, which the catalog looks through in its index."""

import re

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.query.tree import All, Boosted, Either, FileFact, FileField, Node, Prefer
from desktop_rag.text.normalize import fold

MOST = 1_000  # contents; more are no small choice of a library
_RUNS = re.compile(r"[a-z0-9]+|[^\W_]")


def likely_files(node: Node, catalog: CatalogReader) -> frozenset[ContentId] | None:
    """Return contents among which are all that fulfil a condition; None if it is not known, or if they are many."""
    match node:
        case All(parts):
            known = [found for part in parts if (found := likely_files(part, catalog)) is not None]
            return known[0].intersection(*known[1:]) if known else None
        case Either(parts):
            every = [likely_files(part, catalog) for part in parts]
            return frozenset[ContentId]().union(*(found or () for found in every)) if None not in every else None
        case Boosted(part) | Prefer(part):
            return likely_files(part, catalog)
        case FileFact(FileField.TAG, text):
            tagged = catalog.contents.tagged((text,))
            return tagged if len(tagged) <= MOST else None
        case FileFact():
            patterns = _patterns(node)
            return (
                catalog.files.with_path_like(patterns, MOST, names=node.field is FileField.NAME) if patterns else None
            )
        case _:
            return None


def _patterns(fact: FileFact) -> list[str]:
    """Return patterns of LIKE that the folded path, or name, of each file with a fact matches; none if not known."""
    text = fold(fact.text)
    match fact.field:
        case FileField.NAME:
            # Figures first: most names that have the words of a search lack its figures.
            return [f"%{run}%" for run in sorted(_RUNS.findall(text), key=str.isalpha)]
        case FileField.EXT:
            return [f"%.{_loose(text.lstrip('.'))}"]
        case FileField.PATH:
            return [f"%{_loose(text)}%"]
        case FileField.FOLDER:
            inside = text.replace("\\", "/").strip("/")
            starred = "/" in inside and _loose(inside) != inside.replace("/", "_")
            return [f"%{_loose(inside)}%" if starred else f"%_{_loose(inside)}_%"]
        case _:
            return []


def _loose(text: str) -> str:
    """Return a pattern that also matches some more: `_` is any character, such as a separator of folders."""
    return re.sub(r"%+", "%", re.sub(r"[?/\\]", "_", text.replace("*", "%")))
