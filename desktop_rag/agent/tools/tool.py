"""What a tool is: a description for the model, a summary for the person, and a run that always ends in a text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from desktop_rag.agent.citations.lines_read import Reading
from desktop_rag.agent.citations.references import Reference, References
from desktop_rag.agent.events import Source
from desktop_rag.agent.tools.arguments import ArgumentError, Arguments
from desktop_rag.index.records import ChunkId
from desktop_rag.llm.chat import Evidence, ToolSpec
from desktop_rag.retrieval.api import Filter, Mode, Retriever, Scope, SearchRequest, SearchResult
from desktop_rag.stop import Stop
from desktop_rag.text.display import shorten


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool found: text for every model, structure for those that read it, sources for the person."""

    text: str
    summary: str
    evidence: tuple[Evidence, ...] = ()
    sources: tuple[Source, ...] = ()
    failed: bool = False
    chunks: tuple[ChunkId, ...] = ()  # chunks now whole in the context
    kept: tuple[str, ...] | None = None  # references whose lines stay; all others leave the context


@dataclass(slots=True)
class ToolContext:
    """What a run lends its tools; `budget` is how many tokens the next result may take."""

    retriever: Retriever
    scope: Scope
    references: References
    count_tokens: Callable[[str], int]
    filters: tuple[Filter, ...] = ()  # conditions on files that hold for every search
    budget: int = 11_000
    counts_from: int = 1  # the number the model sees for the first line of a document
    reading: Reading = field(default_factory=Reading)
    chunks_in_context: dict[ChunkId, str] = field(default_factory=dict)  # to the id of the call that brought them
    discarded: set[str] = field(default_factory=set)  # references the person does not want
    phrasings: dict[tuple[str, Mode], int] = field(default_factory=dict)  # what was searched, and how much was found

    def search(self, request: SearchRequest, stop: Stop) -> SearchResult:
        """Search, and note for the report of what was looked for; raises as `Retriever.search`."""
        result = self.retriever.search(request, stop)
        self.phrasings[request.query, request.mode] = len(result.hits)
        return result

    def shown(self, line: int) -> int:
        """Return the number the model sees for a line, which counts from 1 everywhere else."""
        return line - 1 + self.counts_from

    def meant(self, number: int) -> int:
        """Return the line the model means by a number it saw."""
        return number + 1 - self.counts_from

    def reference(self, name: str) -> Reference:
        """Return the passage `name` stands for; raises `ArgumentError` with the names that exist."""
        reference = self.references.get(name)
        if reference and reference.name in self.discarded:
            raise ArgumentError(f"The person set {reference.name} aside. Use other results.")
        if reference:
            return reference
        names = self.references.names()
        known = f"Known references: {', '.join(names[-10:])}." if names else "Nothing has been found yet: search first."
        raise ArgumentError(f'There is no reference "{shorten(name)}". {known}')


class Tool(Protocol):
    """One tool of a toolkit."""

    @property
    def spec(self) -> ToolSpec:
        """Return the description offered to the model."""
        ...

    @property
    def parameters(self) -> Sequence[str]:
        """Return the names of the parameters, the most important first."""
        ...

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Say for a person what a call does: Searching “rent increase”; raises `ArgumentError`."""
        ...

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Carry out a call; raises `ArgumentError` for what the model must mend, `LibraryError`, `Stopped`."""
        ...


def failure(text: str, summary: str) -> ToolResult:
    """Return a result that tells the model what went wrong."""
    return ToolResult(text, summary, failed=True)


def quoted(texts: Sequence[str], at_most: int = 3) -> str:
    """Return texts as a person would list them, each in quotation marks."""
    shown = ", ".join(f"“{shorten(text)}”" for text in texts[:at_most])
    rest = len(texts) - at_most
    return f"{shown} and {rest} more" if rest > 0 else shown
