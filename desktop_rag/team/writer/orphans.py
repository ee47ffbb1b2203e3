"""Entries that a killed writer has left behind: passages and lines of a document that the server does not have."""

from collections.abc import Callable, Container, Iterator, Sequence

from desktop_rag.index.records import ContentId
from desktop_rag.stop import Stop
from desktop_rag.team.format.document_cards import local_id
from desktop_rag.team.format.team_indexes import LINES, PASSAGES
from desktop_rag.team.server.json_answers import Json, as_dict, as_int, as_list
from desktop_rag.team.server.team_connection import BulkAction, TeamConnection

_PAGE = 10_000
_AT_ONCE = 32  # documents


def remove_orphans(
    connection: TeamConnection,
    source: int,
    known: Container[ContentId],
    delete: Callable[[Sequence[BulkAction]], int],
    stop: Stop,
) -> int:
    """Delete the entries of a source whose documents are not `known`; return how many there were.

    `delete` returns how many of these entries were deleted, and searches see that when it returns.
    """
    removed = 0
    for kind in (LINES, PASSAGES):
        strays = [each for each in _contents(connection, kind, source, stop) if ContentId(local_id(each)) not in known]
        for first in range(0, len(strays), _AT_ONCE):
            of_some: Json = {"terms": {"content": strays[first : first + _AT_ONCE]}}
            body: Json = {"query": of_some, "size": _PAGE, "_source": False}
            while True:
                answer = connection.ask("POST", f"/{connection.index(kind)}/_search", body, stop)
                found = as_list(as_dict(answer.get("hits")).get("hits"))
                deleted = delete([BulkAction(kind, str(as_dict(hit)["_id"]), None) for hit in found]) if found else 0
                removed += deleted
                if not deleted:
                    break
    return removed


def _contents(connection: TeamConnection, kind: str, source: int, stop: Stop) -> Iterator[int]:
    """Yield the documents that have entries in an index."""
    pages: Json = {"size": _PAGE, "sources": [{"content": {"terms": {"field": "content"}}}]}
    while True:
        body: Json = {"size": 0, "query": {"term": {"source": source}}, "aggs": {"contents": {"composite": pages}}}
        answer = connection.ask("POST", f"/{connection.index(kind)}/_search", body, stop)
        found = as_dict(as_dict(answer.get("aggregations")).get("contents"))
        yield from (as_int(as_dict(as_dict(each).get("key")).get("content")) for each in as_list(found.get("buckets")))
        if "after_key" not in found:
            return
        pages["after"] = found["after_key"]
