"""A retriever for LangChain (`pip install langchain-core`): the passages of a library as its documents."""

from collections.abc import Mapping, Sequence

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict

from desktop_rag.python_api.opened_library import OpenedLibrary


class LibraryRetriever(BaseRetriever):
    """Returns whole lines of the best passages; `metadata` has their place, so that an answer can cite it."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    library: OpenedLibrary
    mode: str = "hybrid"
    limit: int = 10
    scope: Mapping[str, str | Sequence[str]] | None = None

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        hits = self.library.search(query, mode=self.mode, limit=self.limit, scope=self.scope)
        return [
            Document(
                id=f"{hit.document}#L{hit.first_line}-L{hit.last_line}",
                page_content=str(self.library.read(hit.document, lines=(hit.first_line, hit.last_line))),
                metadata={
                    "source": str(hit.path),
                    "title": hit.title,
                    "page": hit.page,
                    "lines": [hit.first_line, hit.last_line],
                    "score": hit.score,
                },
            )
            for hit in hits
        ]
