"""The indexes of a team library: their fields, and how texts are written so that both engines find the same.

OpenSearch does no analysis of its own. Texts arrive as the terms of `keywords.analysis`, in one notation: positions
are separated by spaces, several terms at one position by “|”, and an empty position is “-”.
"""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable

from desktop_rag.errors import TeamError, TeamMissing
from desktop_rag.index.keywords.analysis import stem
from desktop_rag.index.keywords.identifiers import indexed_terms
from desktop_rag.index.keywords.keyword_query import K1, B
from desktop_rag.llm.json_value import as_object
from desktop_rag.stop import Stop
from desktop_rag.team.server.json_answers import Json, as_int, hits
from desktop_rag.team.server.team_connection import TeamConnection

FORMAT = 7  # indexes of another format are built beside, see below
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


# Generations of a team library's indexes: those of a new format or encoder are built beside the ones that are read.
#
# Readers ask for `NAME-passages` and so on, which are aliases. A writer fills the indexes of its own generation, and
# the aliases move to them, all at once, when every source has been written there; the earlier generation is then
# deleted.

_MOST_SOURCES = 1_000


def create_indexes(
    connection: TeamConnection, dimensions: int, shards: int, replicas: int, encoder: str = ""
) -> frozenset[str]:
    """Create the indexes of a generation where they are missing, and let `connection` write to it.

    Return the indexes that are read until it is complete; none if it is read itself. Raises `TeamError`.
    """
    meta: Json = {"format": FORMAT, "dimensions": dimensions, "encoder": encoder}
    connection.generation = (
        f"-{FORMAT}-{hashlib.blake2b(f'{encoder} {dimensions}'.encode(), digest_size=4).hexdigest()}"
    )
    read = _read_now(connection)
    for kind, body in index_bodies(dimensions, shards, replicas, meta):
        try:
            connection.ask("PUT", f"/{connection.index(kind)}", body)
        except TeamError as error:
            if "already exists" not in str(error):
                raise
    if not read or connection.index(PASSAGES) in read:
        _move_aliases(connection, ())  # also of an index that an earlier version did not make
    return frozenset() if not read or connection.index(PASSAGES) in read else read


def sources_in(connection: TeamConnection, index: str, stop: Stop | None = None) -> list[Json]:
    """Return the entries of an index of sources as (`_source` of) hits."""
    path = f"/{index}/_search?size={_MOST_SOURCES}&ignore_unavailable=true"
    answer = connection.ask("POST", path, {"query": {"match_all": {}}}, stop)
    return [as_object(hit.get("_source")) for hit in hits(answer)]


def require_known_format(connection: TeamConnection, stop: Stop | None = None) -> None:
    """Raise `TeamError` unless the documents that readers ask for are of the format of this version."""
    mappings = connection.ask("GET", f"/{connection.alias(DOCUMENTS)}/_mapping", stop=stop)
    for each in mappings.values():
        found = as_object(as_object(as_object(each).get("mappings")).get("_meta")).get("format")
        if not isinstance(found, int):
            raise TeamMissing(f"{connection.place} is no team library. Check the address, or ask whoever runs it.")
        if found > FORMAT:
            raise TeamError(
                f"The library at {connection.place} has format {found}; this version of Desktop RAG reads format "
                f"{FORMAT}. Update Desktop RAG on this computer."
            )
        if found < FORMAT:
            raise TeamError(
                f"The library at {connection.place} has format {found}; this version of Desktop RAG reads format "
                f"{FORMAT}. Ask whoever runs it to update Desktop RAG where it is written."
            )


def publish(connection: TeamConnection, earlier: frozenset[str], stop: Stop) -> list[str]:
    """Let readers read this generation if every source is complete in it; return the names of those that are not."""
    connection.refresh((SOURCES,), stop)
    mine = sources_in(connection, connection.index(SOURCES), stop)
    complete = {entry.get("name") for entry in mine if entry.get("complete")}
    read = {str(entry.get("name")) for entry in sources_in(connection, connection.alias(SOURCES), stop)}
    if missing := sorted(read - complete):
        return missing
    connection.refresh(KINDS, stop)
    _move_aliases(connection, earlier)
    return []


def _read_now(connection: TeamConnection) -> frozenset[str]:
    """Return the indexes of passages that readers ask; raises `TeamError` if a newer version has written them."""
    try:
        found = connection.ask("GET", f"/{connection.alias(PASSAGES)}/_mapping")
    except TeamMissing:
        return frozenset()
    for each in found.values():
        meta = as_object(as_object(as_object(each).get("mappings")).get("_meta"))
        if as_int(meta.get("format")) > FORMAT:
            raise TeamError(
                f"The library at {connection.place} is written by a newer version of Desktop RAG. Update this one."
            )
    return frozenset(found)


def _move_aliases(connection: TeamConnection, earlier: Iterable[str]) -> None:
    """Point the aliases to this generation; `earlier` are the indexes of passages that were read; all are deleted."""
    actions: list[Json] = []
    for kind in KINDS:
        for index in earlier:
            gone = index.replace(connection.alias(PASSAGES), connection.alias(kind), 1)
            if kind not in LATER or connection.ask("GET", f"/{gone}/_mapping?ignore_unavailable=true"):
                actions.append({"remove_index": {"index": gone}})  # also one that has the name of the alias
        actions.append({"add": {"index": connection.index(kind), "alias": connection.alias(kind)}})
    connection.ask("POST", "/_aliases", {"actions": actions})
