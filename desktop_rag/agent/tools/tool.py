"""The tool protocol: a description for the model, a summary for the user, and a run that always returns a text."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.references import Reference, References
from desktop_rag.agent.events import Source
from desktop_rag.agent.prompts import mark_as_data, ordering
from desktop_rag.agent.tools.arguments import ArgumentError, Arguments
from desktop_rag.index.records import ChunkId
from desktop_rag.llm.chat import Evidence, ToolSpec
from desktop_rag.retrieval.api import Mode, Retriever, Scope, SearchRequest, SearchResult
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.stop import Stop
from desktop_rag.text.display import shorten
from desktop_rag.text.hidden_characters import as_data
from desktop_rag.text.orders import gives_orders


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of a tool: text for the model, evidence for the citation check, sources for the user."""

    text: str
    summary: str
    evidence: tuple[Evidence, ...] = ()
    sources: tuple[Source, ...] = ()
    failed: bool = False
    chunks: tuple[ChunkId, ...] = ()  # chunks now whole in the context
    kept: tuple[str, ...] | None = None  # references whose lines stay; all others leave the context


@dataclass(slots=True)
class ToolContext:
    """The state that the tools of a run share; `budget` limits the tokens of the next result."""

    retriever: Retriever
    scope: Scope
    references: References
    count_tokens: Callable[[str], int]
    filters: tuple[Filter, ...] = ()  # conditions on files that apply to every search
    budget: int = 11_000
    counts_from: int = 1  # the number the model sees for the first line of a document
    lines_read: CitableLines = field(default_factory=CitableLines)
    chunks_in_context: dict[ChunkId, str] = field(default_factory=dict)  # mapped to the id of the call that showed them
    discarded: set[str] = field(default_factory=set)  # references that the user discarded
    named: Callable[[str], Reference | None] = lambda name: None  # the document of a name that is no reference
    forgiving: bool = False  # whether conditions that name nothing are left out with a note: models invent them
    whole_hits: int = 0  # the best results of a search that are shown whole if they are short
    # Queries and modes, with their number of hits and whether there are further ones.
    phrasings: dict[tuple[str, Mode], tuple[int, bool]] = field(default_factory=dict)
    # Languages of queries none of whose words was found, while most documents are in another one.
    foreign_languages: set[str] = field(default_factory=set)

    def search(self, request: SearchRequest, stop: Stop) -> SearchResult:
        """Search and record the query for the search report; raises as `Retriever.search`."""
        result = self.retriever.search(request, stop)
        self.phrasings[request.query, request.mode] = (len(result.hits), result.more)
        if result.languages:
            self.foreign_languages.add(result.languages[0])
        return result

    def shown(self, line: int) -> int:
        """Return the number the model sees for a line (from 1)."""
        return line - 1 + self.counts_from

    def meant(self, number: int) -> int:
        """Return the line (from 1) for a number the model saw."""
        return number + 1 - self.counts_from

    def reference(self, name: str) -> Reference:
        """Return the reference called `name`; raises `ArgumentError` that lists the known ones."""
        reference = self.references.get(name)
        if reference is None or "." in name or "/" in name:  # “turn2page3.pdf” is a file
            reference = self.named(name) or reference
        if reference and reference.name in self.discarded:
            raise ArgumentError(f"The user discarded {reference.name}. Use other results.")
        if reference:
            return reference
        if self.references.is_out_of_scope(name):
            raise ArgumentError(
                f"{shorten(name)} is not among the documents that the user chose for this question. Search again."
            )
        names = self.references.all_names()
        known = f"Known references: {', '.join(names[-10:])}." if names else "Nothing has been found yet: search first."
        raise ArgumentError(f'There is no reference "{shorten(name)}". {known}')


class Tool(Protocol):
    """One tool of a toolkit."""

    @property
    def spec(self) -> ToolSpec:
        """Return the description offered to the model."""

    @property
    def parameters(self) -> Sequence[str]:
        """Return the names of the parameters, the most important first."""

    def summarize(self, arguments: Arguments, context: ToolContext) -> str:
        """Describe a call for the user: Searching “rent increase”; raises `ArgumentError`."""

    def run(self, arguments: Arguments, context: ToolContext, stop: Stop) -> ToolResult:
        """Run a call; raises `ArgumentError` for what the model must correct, `LibraryError`, `Stopped`."""


def tool_spec(name: str, description: str, properties: Mapping[str, Mapping[str, object]], *required: str) -> ToolSpec:
    """Return the description of a tool; its JSON Schema is compact, because every request carries it."""
    schema: dict[str, object] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return ToolSpec(name, description, json.dumps(schema, ensure_ascii=False, separators=(",", ":")))


def paper_spec(name: str, description: str, properties: Mapping[str, object], *required: str) -> ToolSpec:
    """Return the description of a tool of a paper's system."""
    return ToolSpec(name, description, json.dumps({"type": "object", "properties": properties, "required": required}))


def text_parameter(description: str = "") -> Mapping[str, object]:
    """Return the schema of a text."""
    return {"type": "string", **({"description": description} if description else {})}


def number_parameter(description: str = "") -> Mapping[str, object]:
    """Return the schema of a whole number."""
    return {"type": "integer", **({"description": description} if description else {})}


def list_parameter(most: int, description: str = "") -> Mapping[str, object]:
    """Return the schema of a list of at most `most` texts."""
    described = {"description": description} if description else {}
    return {"type": "array", "items": {"type": "string"}, "maxItems": most, **described}


def evidence_of(
    reference: Reference,
    first_line: int,
    lines: tuple[str, ...],
    score: float = 0.0,
    focus: str = "",
    across: float = 0.0,
) -> Evidence:
    """Return lines of the document of a reference as evidence."""
    return Evidence(
        reference.name, reference.title, first_line, lines, score, focus, reference.file, reference.path, across
    )


def heading(reference: Reference, details: Iterable[str] = ()) -> str:
    """Return the line above a passage: its reference, the names of its file and title, and details."""
    shown = ", ".join(filter(None, details))
    return f"[{reference.name}] {shorten(reference.label, 120)}" + (f" ({shown})" if shown else "")


def failure(text: str, summary: str) -> ToolResult:
    """Return a result that tells the model what went wrong."""
    return ToolResult(text, summary, failed=True)


def marked(result: ToolResult) -> ToolResult:
    """Return a result as model and user get it: documents marked as data, passages that give orders noted."""
    found = ordering(result.evidence)
    named = {each.reference for each in result.sources if gives_orders(f"{each.path}\n{each.title}\n{each.preview}")}
    flagged = tuple(dict.fromkeys((*found, *sorted(named))))
    sources = tuple(replace(each, gives_orders=each.reference in flagged) for each in result.sources)
    foreign = result.evidence or result.sources  # a list of documents has their names and titles
    text = mark_as_data(result.text, flagged) if foreign else as_data(result.text)
    return replace(result, text=text, sources=sources)


def quoted(texts: Sequence[str], at_most: int = 3) -> str:
    """Return texts as a list in quotation marks, for example “a”, “b” and 2 more."""
    shown = ", ".join(f"“{shorten(text)}”" for text in texts[:at_most])
    rest = len(texts) - at_most
    return f"{shown} and {rest} more" if rest > 0 else shown
