"""The passages of a search as whole lines with their place, for the retrievers of other packages.

These packages send them to models: what the user never sends is left out or masked, and nothing in them is hidden.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from desktop_rag.agent.gate.surroundings import SentLines, located
from desktop_rag.errors import ArgumentTypeError
from desktop_rag.index.records import ContentId
from desktop_rag.python_api.opened_library import OpenedLibrary
from desktop_rag.retrieval.api import LineWindow
from desktop_rag.settings import privacy
from desktop_rag.text.hidden_characters import as_data
from desktop_rag.text.secrets import SecretMask, Surroundings

_ANY = ContentId(0)  # lines are read by the document's id here


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

    def __post_init__(self) -> None:
        if not isinstance(self.library, OpenedLibrary):
            raise ArgumentTypeError(f"“library” must be a Library, not {type(self.library).__name__}.")

    def passages(self, query: str) -> Iterator[WholePassage]:
        """Yield the best passages, best first."""
        rules = privacy()
        masking = SecretMask(rules.never_words, secrets=rules.mask_secrets)
        mask = masking.mask
        for hit in self.library.search(query, mode=self.mode, limit=self.limit, scope=self.scope, sendable=True):
            lines = (hit.first_line, hit.last_line)
            metadata: dict[str, object] = {
                "source": mask(as_data(str(hit.path))),
                "title": mask(as_data(hit.title)),
                "page": hit.page,
                "lines": list(lines),
            }
            passage = self.library.read(hit.document, lines=lines)
            masking.learn(self._around(hit.document, SentLines(_ANY, lines[0], passage.lines)))
            text = mask(as_data(str(passage)))
            yield WholePassage(f"{hit.document}#L{lines[0]}-L{lines[1]}", text, metadata, hit.score)

    def _around(self, document: str, sent: SentLines) -> Surroundings:
        _, first, count = sent.place
        read = self.library.read(document, lines=(first, first + count - 1))
        return located(sent, LineWindow(_ANY, first, read.lines, first + count))
