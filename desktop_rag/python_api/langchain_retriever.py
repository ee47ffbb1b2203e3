"""A retriever for LangChain (`pip install langchain-core`): the passages of a library as its documents."""

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict

from desktop_rag.python_api.opened_library import OpenedLibrary, Scope
from desktop_rag.python_api.whole_passages import PassageSearch


class LibraryRetriever(BaseRetriever):
    """Returns whole lines of the best passages; `metadata` has their place and score."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    library: OpenedLibrary
    mode: str = "hybrid"
    limit: int = 10
    scope: Scope | None = None

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        search = PassageSearch(self.library, self.mode, self.limit, self.scope)
        return [
            Document(id=each.id, page_content=each.text, metadata={**each.metadata, "score": each.score})
            for each in search.passages(query)
        ]
