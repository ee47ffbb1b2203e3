"""The passages of a search as whole lines with their place, for the retrievers of other packages.

These packages send them to models: what the user never sends is left out or masked, and nothing in them is hidden.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from desktop_rag.python_api.opened_library import OpenedLibrary
from desktop_rag.settings import privacy
from desktop_rag.text.hidden_characters import as_data
from desktop_rag.text.secrets import SecretMask


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
        rules = privacy()
        mask = SecretMask(rules.never_words, secrets=rules.mask_secrets).mask
        for hit in self.library.search(query, mode=self.mode, limit=self.limit, scope=self.scope, sendable=True):
            lines = (hit.first_line, hit.last_line)
            metadata: dict[str, object] = {
                "source": mask(as_data(str(hit.path))),
                "title": mask(as_data(hit.title)),
                "page": hit.page,
                "lines": list(lines),
            }
            text = mask(as_data(str(self.library.read(hit.document, lines=lines))))
            yield WholePassage(f"{hit.document}#L{lines[0]}-L{lines[1]}", text, metadata, hit.score)
