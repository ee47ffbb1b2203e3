"""The Protocol of the search page: a `Retriever` that also explains results and finds related passages."""

from pathlib import Path
from typing import Protocol

from desktop_rag.index.records import ChunkId
from desktop_rag.retrieval.api import Retriever, SearchRequest, SearchResult
from desktop_rag.retrieval.explain.explanation import Explanation
from desktop_rag.stop import Stop


class Explorer(Retriever, Protocol):
    """A retriever for the user to explore; `explain` raises `QueryError` like `search`."""

    def explain(self, path: Path, request: SearchRequest | None, stop: Stop) -> Explanation:
        """Explain why a file is found or not, in the library and by `request` if given."""
        ...

    def related(self, chunk: ChunkId, limit: int, stop: Stop) -> SearchResult:
        """Return passages of other documents linked from or to a passage, and its semantic neighbours."""
        ...
