"""The passages of a search as whole lines with their place, for the retrievers of other packages."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from desktop_rag.python_api.opened_library import OpenedLibrary


@dataclass(frozen=True, slots=True)
class WholePassage:
    """The lines of a hit; `id` names document and lines, `metadata` has the place, so that an answer can cite it."""

    id: str
    text: str
    metadata: dict[str, object]
    score: float


@dataclass(frozen=True, slots=True)
class PassageSearch:
    """How a retriever searches."""

    library: OpenedLibrary
    mode: str = "hybrid"
    limit: int = 10
    scope: Mapping[str, str | Sequence[str]] | None = None

    def passages(self, query: str) -> Iterator[WholePassage]:
        """Yield the best passages, best first."""
        for hit in self.library.search(query, mode=self.mode, limit=self.limit, scope=self.scope):
            lines = (hit.first_line, hit.last_line)
            metadata: dict[str, object] = {
                "source": str(hit.path),
                "title": hit.title,
                "page": hit.page,
                "lines": list(lines),
            }
            text = str(self.library.read(hit.document, lines=lines))
            yield WholePassage(f"{hit.document}#L{lines[0]}-L{lines[1]}", text, metadata, hit.score)
