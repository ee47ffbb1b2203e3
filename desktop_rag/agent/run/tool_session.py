"""The agent's tools for another program: the same schemas, references and limits, without a run of our own."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_rag.agent.citations.references import Reference, References
from desktop_rag.agent.events import Source
from desktop_rag.agent.gate.run_rules import withheld_among
from desktop_rag.agent.gate.surroundings import SentLines
from desktop_rag.agent.run.cited_text import CheckedText, Judge, check_cited_text
from desktop_rag.agent.run.named_documents import NamedDocuments
from desktop_rag.agent.tools.arguments import ArgumentError
from desktop_rag.agent.tools.tool import Tool, ToolContext, ToolResult, failure, marked
from desktop_rag.llm.chat import Evidence
from desktop_rag.llm.tokens import estimate
from desktop_rag.retrieval.api import Retriever, Scope
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.settings import privacy
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, shorten
from desktop_rag.text.hidden_characters import as_data

MOST_REFERENCES = 20_000  # then names start again with the next turn, and the memory stays bounded
MOST_SCOPES = 16
MOST_PHRASINGS = 1_000
UNKNOWN = (
    "There is no document or reference “{0}”. list_documents finds documents by words of their names; send a reference "
    "of its results or of a search, a path, a file name, a SHA-256 or a library:// address."
)
NEVER_SENT = "A document of this result was marked as never sent meanwhile. Search again."


@dataclass(frozen=True, slots=True)
class FoundLines:
    """A passage or document in the result of a tool: where it stands, and the lines that were shown of it.

    `last_line` is that of what its reference names: a listed document is named as a whole.
    """

    source: Source
    lines: tuple[str, ...]
    last_line: int


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """The result of a call: the text for the model, and the same passages as data; `failed`: the text says why.

    `sent` are all lines of documents in the text and the data.
    """

    text: str
    found: tuple[FoundLines, ...]
    failed: bool
    sent: tuple[SentLines, ...] = ()


class ToolSession:
    """Runs calls of tools, from any thread; references stay valid as long as the session.

    Each scope (the `filters` of a call) has references of its own, so that no call can read a passage that was found
    in a wider one.
    """

    def __init__(self, retriever: Retriever, tools: Sequence[Tool]) -> None:
        self._retriever = retriever
        self._tools = {tool.spec.name: tool for tool in tools}
        self._contexts: OrderedDict[tuple[tuple[Filter, ...], Scope], ToolContext] = OrderedDict()
        self._turn = 0
        self._lock = threading.Lock()

    def call(
        self,
        name: str,
        arguments: Mapping[str, object],
        filters: tuple[Filter, ...],
        stop: Stop,
        retriever: Retriever | None = None,
        *,
        budget: int,
    ) -> ToolOutcome:
        """Run a call within `filters`; a wrong call is a failed outcome. Raises as `Retriever`.

        Its text has at most `budget` tokens. `retriever` is that of the client who calls, if clients take turns.
        """
        tool = self._tools.get(name)
        if tool is None:
            text = f'There is no tool "{shorten(name)}". The tools are: {", ".join(self._tools)}.'
            return ToolOutcome(as_data(text), (), failed=True)
        context, asked = self._context(filters), retriever or self._retriever
        named = _named(NamedDocuments(asked, filters, context.scope.withheld, stop), context.references)
        try:
            result = marked(tool.run(arguments, replace(context, retriever=asked, named=named, budget=budget), stop))
        except ArgumentError as error:
            result = marked(failure(str(error), "The call could not be understood"))
        withheld = context.scope.withheld
        if withheld_among(asked, result.sources, withheld, stop):  # a file got a tag since it was found
            result = marked(failure(NEVER_SENT, "Never sent"))
        found = _found(result, context.references)
        return ToolOutcome(result.text, found, result.failed, tuple(_sent(result, found, context.references)))

    def check(
        self,
        text: str,
        filters: tuple[Filter, ...],
        stop: Stop,
        retriever: Retriever | None = None,
        judge: Judge | None = None,
    ) -> CheckedText:
        """Check the citations of a text within `filters`, with a model as `judge`; raises as `check_cited_text`."""
        context, asked = self._context(filters), retriever or self._retriever
        withheld = context.scope.withheld
        references = context.references
        return check_cited_text(
            text, asked, stop, references=references, filters=filters, withheld=withheld, judge=judge
        )

    def _context(self, filters: tuple[Filter, ...]) -> ToolContext:
        """Return the state of a scope, which its calls share, a fresh one if it has grown too large."""
        with self._lock:
            return self._known_context(filters)

    def _known_context(self, filters: tuple[Filter, ...]) -> ToolContext:
        scope = Scope(withheld=privacy().withheld())
        key = filters, scope
        context = self._contexts.pop(key, None)
        if context is None or len(context.references) >= MOST_REFERENCES:
            self._turn += 1
            context = ToolContext(self._retriever, scope, References(self._turn), estimate, filters)
        if len(context.phrasings) > MOST_PHRASINGS:
            context.phrasings.clear()
        self._contexts[key] = context
        if len(self._contexts) > MOST_SCOPES:
            self._contexts.popitem(last=False)
        return context


def _named(documents: NamedDocuments, references: References) -> Callable[[str], Reference | None]:
    """Return what finds the document that a call names; the error for an unknown one says how to find it."""

    def found(name: str) -> Reference | None:
        document = documents.reference(name, references)
        if document is None and references.get(name) is None:
            raise ArgumentError(UNKNOWN.format(shorten(one_line(name), 200)))
        return document

    return found


def _sent(result: ToolResult, found: tuple[FoundLines, ...], references: References) -> Iterator[SentLines]:
    for evidence in result.evidence:
        if evidence.lines and (reference := references.get(evidence.reference)):
            yield SentLines(reference.content, evidence.first_line, evidence.lines)
    for each in found:
        if not each.lines and each.source.preview:
            yield SentLines(each.source.content, each.source.first_line, (), each.source.last_line)


def _found(result: ToolResult, references: References) -> tuple[FoundLines, ...]:
    lines = {(each.reference, each.first_line): each for each in result.evidence}
    found = list[FoundLines]()
    for source in result.sources:
        named = references.get(source.reference)
        shown = _shown(lines.get((source.reference, source.first_line)))
        found.append(FoundLines(source, shown, named.last_line if named else source.last_line))
    return tuple(found)


def _shown(evidence: Evidence | None) -> tuple[str, ...]:
    return tuple(as_data(line) for line in evidence.lines) if evidence is not None else ()
