"""Generations of a team library's indexes: those of a new format or encoder are built beside the ones that are read.

Readers ask for `NAME-passages` and so on, which are aliases. A writer fills the indexes of its own generation, and the
aliases move to them, all at once, when every source has been written there; the earlier generation is then deleted.
"""

import hashlib
from collections.abc import Iterable

from desktop_rag.errors import TeamError, TeamMissing
from desktop_rag.stop import Stop
from desktop_rag.team.format.team_indexes import DOCUMENTS, FORMAT, KINDS, LATER, PASSAGES, SOURCES, index_bodies
from desktop_rag.team.server.json_answers import Json, as_dict, as_int, as_list
from desktop_rag.team.server.team_connection import TeamConnection

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
    return [as_dict(as_dict(hit).get("_source")) for hit in as_list(as_dict(answer.get("hits")).get("hits"))]


def require_known_format(connection: TeamConnection, stop: Stop | None = None) -> None:
    """Raise `TeamError` unless the documents that readers ask for are of the format of this version."""
    mappings = connection.ask("GET", f"/{connection.alias(DOCUMENTS)}/_mapping", stop=stop)
    for each in mappings.values():
        found = as_dict(as_dict(as_dict(each).get("mappings")).get("_meta")).get("format")
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
        meta = as_dict(as_dict(as_dict(each).get("mappings")).get("_meta"))
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
