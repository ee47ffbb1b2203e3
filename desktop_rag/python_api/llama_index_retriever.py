"""A retriever for LlamaIndex (`pip install llama-index-core`): the passages of a library as its nodes."""

from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from desktop_rag.python_api.opened_library import OpenedLibrary, Scope
from desktop_rag.python_api.whole_passages import PassageSearch


class LibraryNodeRetriever(BaseRetriever):
    """Returns whole lines of the best passages; `metadata` has their place."""

    def __init__(
        self, library: OpenedLibrary, *, mode: str = "hybrid", limit: int = 10, scope: Scope | None = None
    ) -> None:
        super().__init__()
        self._search = PassageSearch(library, mode, limit, scope)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [
            NodeWithScore(node=TextNode(id_=each.id, text=each.text, metadata=each.metadata), score=each.score)
            for each in self._search.passages(query_bundle.query_str)
        ]
