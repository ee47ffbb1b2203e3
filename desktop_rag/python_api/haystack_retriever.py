"""A retriever for Haystack (`pip install haystack-ai`): the passages of a library as its documents."""

from haystack import Document, component

from desktop_rag.python_api.opened_library import OpenedLibrary, Scope
from desktop_rag.python_api.whole_passages import PassageSearch


@component
class LibraryDocumentRetriever:
    """Returns whole lines of the best passages; `meta` has their place."""

    def __init__(
        self, library: OpenedLibrary, *, mode: str = "hybrid", limit: int = 10, scope: Scope | None = None
    ) -> None:
        self._search = PassageSearch(library, mode, limit, scope)

    @component.output_types(documents=list[Document])
    def run(self, query: str) -> dict[str, list[Document]]:
        """Return the best passages as `documents`."""
        return {
            "documents": [
                Document(id=each.id, content=each.text, meta=each.metadata, score=each.score)
                for each in self._search.passages(query)
            ]
        }
