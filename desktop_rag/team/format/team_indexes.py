"""The indexes of a team library: their fields, and how texts are written so that both engines find the same.

OpenSearch does no analysis of its own. Texts arrive as the terms of `keywords.analysis`, in one notation: positions
are separated by spaces, several terms at one position by “|”, and an empty position is “-”.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

from desktop_rag.index.keywords.analysis import stem
from desktop_rag.index.keywords.bm25 import K1, B
from desktop_rag.index.keywords.identifiers import indexed_terms
from desktop_rag.team.server.json_answers import Json

FORMAT = 7  # indexes of another format are built beside, see `team_generations`
PASSAGES, DOCUMENTS, LINES, SOURCES, FILES = KINDS = "passages", "documents", "lines", "sources", "files"
LATER = (FILES,)  # missing in libraries of this format that an earlier version has written
_EMPTY, _ALTERNATIVE = "-", "|"
RESULT_WINDOW = 10_000  # the most hits of one search

_ANALYSIS: Json = {
    "analyzer": {"terms": {"type": "custom", "tokenizer": "spaces", "filter": ["gaps", "alternatives"]}},
    "tokenizer": {"spaces": {"type": "char_group", "tokenize_on_chars": [" "], "max_token_length": 1024}},
    "filter": {
        "gaps": {"type": "stop", "stopwords": [_EMPTY]},
        "alternatives": {
            "type": "pattern_capture",
            "preserve_original": False,
            "patterns": ["([^|]+)"],
        },
    },
}
_SIMILARITY: Json = {"ours": {"type": "BM25", "k1": K1, "b": B, "discount_overlaps": False}}


def _text(options: str) -> Json:
    return {"type": "text", "analyzer": "terms", "similarity": "ours", "index_options": options}


_KEYWORD: Json = {"type": "keyword", "ignore_above": 1024}
_LONG: Json = {"type": "long"}
# k-NN 3.4 finds nothing under a filter with `terms` of a number: such filters ask for `content.key`.
_CONTENT: Json = {**_LONG, "fields": {"key": _KEYWORD}}
_STORED: Json = {"type": "binary"}
_APART: Json = {"store": True}  # from the source, for which the server puts the vectors together
_MEAN: Json = {"type": "binary", "doc_values": True}

# Facts of the files, as `query.file_conditions` compares them: folded, for each file of the content.
_KEYWORDS = ("space", "root", "ext", "folder", "language", "author", "tag", "person_from", "person_to", "person_cc")
FACTS: Json = {name: _KEYWORD for name in _KEYWORDS}  # noqa: C420 - one shared constant each
FACTS |= {name: {"type": "wildcard"} for name in ("path", "folders", "name", "subject", "subject_stems")}
FACTS |= {name: _LONG for name in ("modified", "date", "sent")}  # noqa: C420


def passage_mapping(dimensions: int) -> Json:
    """Return the mapping of the passages; `dimensions` is that of the sentence vectors.

    The source is kept whole, as in the other indexes: beside a part of it the server keeps all of it, for recovery, and
    the vectors twice. Those of a whole one it puts together from the vectors that are searched.
    """
    vector = {
        "type": "knn_vector",
        "dimension": dimensions,
        "data_type": "byte",
        "space_type": "innerproduct",
        "method": {"name": "hnsw", "engine": "lucene", "parameters": {"m": 16, "ef_construction": 64}},
    }
    return {
        "dynamic": "strict",
        "properties": {
            **FACTS,
            "chunk": _LONG,
            "content": _CONTENT,
            "source": _LONG,
            "sentence_count": _LONG,
            "vector_count": _LONG,
            "title": _text("positions"),
            "headings": _text("positions"),
            "text": _text("positions"),
            "stem": _text("freqs"),
            "keys": _KEYWORD | _APART,
            "card": _STORED | _APART,
            "mean": _MEAN,
            "sentences": {"type": "nested", "properties": {"v": vector}},
        },
    }


DOCUMENT_MAPPING: Json = {
    "dynamic": "strict",
    "properties": {
        **FACTS,
        "content": _CONTENT,
        "source": _LONG,
        "sha256": _KEYWORD,
        "digest": _KEYWORD,
        "names": _KEYWORD,
        "called": _KEYWORD,
        "words": _KEYWORD,
        "title": _KEYWORD,
        "sort_name": _KEYWORD,
        "paths": _KEYWORD,
        "files": _LONG,
        "chunks": _LONG,
        "card": _STORED,
        "title_vector": _STORED,
    },
}
FILE_MAPPING: Json = {
    "dynamic": "strict",
    "properties": {
        **FACTS,
        "key": _KEYWORD,
        "content": _CONTENT,
        "source": _LONG,
        "digest": _KEYWORD,
        "names": _KEYWORD,
        "picture": {"type": "boolean"},
        "card": _STORED,
    },
}
LINE_MAPPING: Json = {
    "dynamic": "strict",
    "properties": {"content": _LONG, "source": _LONG, "space": _KEYWORD, "body": _STORED},
}
SOURCE_MAPPING: Json = {"dynamic": False, "properties": {"name": _KEYWORD, "number": _LONG, "space": _KEYWORD}}


def in_spaces(spaces: Collection[str]) -> list[Json]:
    """Return the filter for these spaces, none for all; every entry of every index has the field."""
    return [{"terms": {"space": sorted(spaces)}}] if spaces else []


def of_contents(contents: Iterable[int]) -> Json:
    """Return the filter for passages or documents of these contents."""
    return {"terms": {"content.key": sorted(map(str, contents))}}


def index_bodies(dimensions: int, shards: int, replicas: int, meta: Json) -> list[tuple[str, Json]]:
    """Return each kind of index with its settings and mapping; `meta` is noted in it."""
    settings: Json = {
        "number_of_shards": shards,
        "number_of_replicas": replicas,
        "refresh_interval": "5s",
        "gc_deletes": "1h",  # for so long a late request cannot bring back what was deleted
    }
    searched: Json = {**settings, "knn": True, "max_result_window": RESULT_WINDOW}
    kinds: tuple[tuple[str, Json, Json], ...] = (
        (LINES, LINE_MAPPING, {"index": settings}),
        (FILES, FILE_MAPPING, {"index": settings}),
        (DOCUMENTS, DOCUMENT_MAPPING, {"index": {**settings, "max_result_window": RESULT_WINDOW}}),
        (PASSAGES, passage_mapping(dimensions), {"index": searched, "analysis": _ANALYSIS, "similarity": _SIMILARITY}),
        (SOURCES, SOURCE_MAPPING, {"index": {**settings, "number_of_shards": 1}}),
    )
    return [(kind, {"settings": own, "mappings": {**mapping, "_meta": meta}}) for kind, mapping, own in kinds]


def written_terms(text: str, *, stemmed: bool = False) -> str:
    """Return the terms of a text in the notation of the indexes."""
    return _written(_positioned(text, stemmed=stemmed))


def terms_and_stems(text: str) -> tuple[str, str]:
    """Return the terms of a text in the notation of the indexes, and their stems without positions."""
    terms = list(_positioned(text, stemmed=False))
    return _written(terms), " ".join(_plain(stem(term)) for _, term in terms)


def _positioned(text: str, *, stemmed: bool) -> Iterable[tuple[int, str]]:
    return ((term.position, _plain(stem(term.text) if stemmed else term.text)) for term in indexed_terms(text))


def _written(terms: Iterable[tuple[int, str]]) -> str:
    places: defaultdict[int, list[str]] = defaultdict(list)
    for position, term in terms:
        places[position].append(term)
    last = max(places, default=-1)
    return " ".join(_ALTERNATIVE.join(places[place]) if place in places else _EMPTY for place in range(last + 1))


def _plain(term: str) -> str:
    """Return a term without lone surrogates, which are no text for the server."""
    return term if term.isascii() else term.encode("utf-8", "replace").decode()
