"""A library that a person looks around in, beyond what an agent asks of it."""

from pathlib import Path
from typing import Protocol

from desktop_rag.index.records import ChunkId
from desktop_rag.retrieval.api import Retriever, SearchRequest, SearchResult
from desktop_rag.retrieval.explain.explanation import Explanation
from desktop_rag.stop import Stop


class Explorer(Retriever, Protocol):
    """What a search page asks; `explain` raises `QueryError` like `search`."""

    def explain(self, path: Path, request: SearchRequest | None, stop: Stop) -> Explanation:
        """Say why a file is found or not, by a search if there is one."""
        ...

    def related(self, chunk: ChunkId, limit: int, stop: Stop) -> SearchResult:
        """Return passages of other documents that a passage names, that name its document, or that are near to it."""
        ...
