"""Finds files without text by their names: scans, undescribed pictures and recordings, files that are not read."""

import os
import re
from collections.abc import Iterable
from typing import assert_never

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.file_lookup import relative_to
from desktop_rag.index.catalog.file_names import NameTest, TextlessFile, TextlessFiles, without_extension
from desktop_rag.index.keywords.analysis import STOP_WORDS, fold, stem, terms
from desktop_rag.index.records import Content, ContentId
from desktop_rag.paths import valid_text
from desktop_rag.retrieval.api import NamedFile, SearchRequest, Sort
from desktop_rag.retrieval.query.file_conditions import fulfils, has_words
from desktop_rag.retrieval.query.highlights import is_near, wildcard_pattern
from desktop_rag.retrieval.query.own_dates import own_date_ns
from desktop_rag.retrieval.query.parser import Query
from desktop_rag.retrieval.query.tree import (
    CODE_PART,
    All,
    Boosted,
    Dated,
    Either,
    FileFact,
    Fuzzy,
    Node,
    Not,
    Phrase,
    Prefer,
    Spelled,
    TextField,
    TextLeaf,
    Wildcard,
    Word,
    wanted,
)
from desktop_rag.retrieval.ranking.hit_assembly import path_of
from desktop_rag.retrieval.ranking.ranked_chunks import sort_key
from desktop_rag.stop import Stop
from desktop_rag.text.normalize import has_tag

MAX_NAMED = 20
_LEAST_SHARE = 0.5  # of the plain words of a query that a name must have
UNREAD = Content(ContentId(0), b"", "", "", "", "", "", "", 0, 0, 0, "")


def textless_files(
    catalog: CatalogReader, textless: TextlessFiles, query: Query, request: SearchRequest, stop: Stop
) -> tuple[NamedFile, ...]:
    """Return files without text whose names fulfil a query, those with the most of its words first."""
    if query.words is None and query.files is None:
        return ()
    scope, sort = request.scope, request.sort
    files = textless.all() if query.words is None else textless.with_words(*_forms(wanted(query.words)))
    found: list[tuple[float, NamedFile]] = []
    known = catalog.contents.by_id({file.content for file in files if file.content is not None})
    for file in files:
        stop.check()
        content = UNREAD if file.content is None else known.get(file.content, UNREAD)
        if scope.folders and file.place.folder not in scope.folders:
            continue
        if any(relative_to(path, file.place.path) is not None for path in scope.withheld.paths):
            continue
        if has_tag(content.tags, scope.withheld.tags):
            continue
        if scope.contents and file.content not in scope.contents:
            continue
        if query.files is not None and not fulfils(query.files, content, file.place):
            continue
        share = _share(query.words, file)
        if share >= _LEAST_SHARE:
            found.append((share, _named(file, content)))
    order = Sort.DATE if sort is Sort.RELEVANCE else sort
    found.sort(key=lambda one: sort_key(order, str(one[1].path), one[1].dated_ns, one[1].size), reverse=request.reverse)
    if sort is Sort.RELEVANCE:
        found.sort(key=lambda one: -one[0])
    return tuple(file for _, file in found[:MAX_NAMED])


def _named(file: TextlessFile, content: Content) -> NamedFile:
    path = path_of(file.place)
    return NamedFile(path, own_date_ns(content, file.place), file.place.size, file.reason, content.tags)


def _share(node: Node | None, file: TextlessFile) -> float:
    """Return the share of the plain words that a name has; 1 or 0 for a query with operators."""
    match node:
        case None:
            return 1.0
        case Either(parts, False):
            telling = [
                part for part in parts if not (isinstance(part, Word) and fold(part.text) in STOP_WORDS)
            ] or parts
            return sum(_in_name(part, file) for part in telling) / len(telling)
        case _:
            return float(_in_name(node, file))


def _in_name(node: Node, file: TextlessFile) -> bool:
    """Return whether the name of a file fulfils a query."""
    match node:
        case All(parts):
            return all(_in_name(part, file) for part in parts)
        case Either(parts):
            return any(_in_name(part, file) for part in parts)
        case Not(part):
            return not _in_name(part, file)
        case Prefer(part) | Boosted(part):
            return _in_name(part, file)
        case FileFact() | Dated():
            return fulfils(node, UNREAD, file.place)
        case _:
            return node.field is TextField.ANY and _has_leaf(node, file)


def _has_leaf(leaf: TextLeaf, file: TextlessFile) -> bool:
    name = valid_text(os.fsdecode(file.place.path).replace("\\", "/").rpartition("/")[2])
    match leaf:
        case Spelled(text):
            return re.search(rf"(?<![^\W_]){re.escape(text)}(?![^\W_])", name) is not None
        case Phrase(text, 0):
            return f" {' '.join(_words(text))} " in f" {' '.join(_words(name))} "
        case Phrase(text) | Word(text):
            words = _words(without_extension(text) if fold(name).endswith(fold(text)) else text)
            return all(stem(word) in file.words or word in file.words for word in words)
        case Wildcard(pattern) if leaf.joined:
            return has_words(name, pattern)
        case Wildcard() | Fuzzy():
            return any(map(_test(leaf).passes, file.words))
    assert_never(leaf)


def _forms(leaves: Iterable[TextLeaf]) -> tuple[set[str], list[NameTest]]:
    """Return the words of names that may match plain leaves, and tests for those that match the others."""
    texts: list[str] = []
    tests: list[NameTest] = []
    for leaf in leaves:
        if isinstance(leaf, Wildcard | Fuzzy):
            tests.append(_test(leaf))
        else:
            texts.append(leaf.text)
    words = set(_words(" ".join(texts))) - STOP_WORDS
    return words | set(map(stem, words)), tests


def _test(leaf: Wildcard | Fuzzy) -> NameTest:
    """Return a test for the words of names that match a leaf."""
    if isinstance(leaf, Wildcard):
        pattern = fold(next(iter(CODE_PART.findall(leaf.pattern)), ""))
        expression = wildcard_pattern(pattern)
        return NameTest(re.split(r"[*?]", pattern)[0], lambda word: expression.fullmatch(word) is not None)
    near, distance = fold(leaf.text), leaf.distance
    return NameTest("", lambda word: is_near(near, word, distance))


def _words(text: str) -> list[str]:
    return [term.text for term in terms(text.replace("_", " "), query=True)]
