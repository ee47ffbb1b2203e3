"""The short path: the program searches and shows its passages at once; a model says what a few of their lines say.

It is for models that are too small to search, have little room, or call no tools; they read at most `PROMPT` tokens.
"""

import re
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from desktop_rag.agent.citations.references import Reference
from desktop_rag.agent.citations.support import word_overlap
from desktop_rag.agent.conversations.transcript import Conversation
from desktop_rag.agent.events import Citation, RunStarted, ToolCalled
from desktop_rag.agent.extractive.answer import RESULT_NOTE
from desktop_rag.agent.extractive.built_in_model import BuiltInModel, ExtractiveTurn
from desktop_rag.agent.prompts import mark_as_data, ordering
from desktop_rag.agent.tools.numbered_lines import around
from desktop_rag.agent.tools.table_headers import HEADER_DISTANCE, first_line_header, header_lines
from desktop_rag.agent.tools.tool import ToolContext, evidence_of
from desktop_rag.index.records import ContentId
from desktop_rag.llm.chat import (
    STILL_RUNNING,
    AssistantMessage,
    ChatEvent,
    ChatModel,
    ChatRequest,
    Evidence,
    GivenPassages,
    Message,
    RemembersToolUse,
    TextDelta,
    ToolCall,
    ToolMessage,
    ToolSpec,
    ToolUse,
    TurnEnded,
    UserMessage,
    WrappedModel,
)
from desktop_rag.llm.prompted_tools import was_prompted
from desktop_rag.retrieval.reading.find import windows_of
from desktop_rag.stop import Stop
from desktop_rag.text.display import shorten

PROMPT = 800  # tokens of a request, instructions and question included
ANSWER = 256  # tokens
AROUND = 5  # lines on each side of a line that matches
SNIPPET = 180  # tokens of one snippet
SNIPPETS = 4
LONGEST_LINE = 700  # characters; of a longer line what is around its words
HEADER = 24  # tokens of a snippet's heading
LEAST_SHARED = 0.5  # of the words of an answer without a source, in the snippet that is named for it
NOTICE = 70  # tokens of what marks the snippets as data
FALLBACK_ID = "lookup-"  # prefix of the ids of these calls
_ASKED = "Answer in one or two short sentences, and put the number of its passage, [1] to [{0}], behind each."
_NUMBERS = re.compile(r"\[(\d{1,2}(?:\s*[,;]\s*\d{1,2})*)\](?!\()")
_LEADING = re.compile(r"\A\s*((?:\[\d{1,2}\]\s*)+)(?<=\s)(?=\S)(.+?(?:(?<=\w\w)[.!?]|[。！？]))(?=\s|\Z)", re.DOTALL)
_FIRST_SENTENCE = re.compile(
    r"\A\s*(?:\[|\Z)(?!.*?(?:(?<=\w\w)[.!?]\s|[。！？]))", re.DOTALL
)  # numbers may stand before it
_UNFINISHED = re.compile(r"\[[\d,; ]{0,12}\Z")


@dataclass(frozen=True, slots=True)
class GivenSnippet:
    """Lines of a document around a match, with what stands above them; `header` are its table's header lines."""

    reference: Reference
    section: str
    header: Mapping[int, str]
    first_line: int
    lines: tuple[str, ...]

    def text(self, number: int) -> str:
        """Return the snippet as the model reads it."""
        where = f"{self.reference.label}, {shorten(self.section, 80)}" if self.section else self.reference.label
        lines = (line.strip() for line in (*self.header.values(), *self.lines))
        return "\n".join((f"[{number}] {where}", *filter(None, lines)))

    @property
    def citation(self) -> str:
        """The citation of the snippet; its lines are named if they are not all of its reference."""
        last, own = self.first_line + len(self.lines) - 1, self.reference
        if own.first_line <= self.first_line and last <= own.last_line:
            return f"[{own.name}]"
        return f"[{own.name} L{self.first_line}-{last}]"

    def evidence(self) -> Iterator[Evidence]:
        """Yield its lines."""
        for line, text in self.header.items():
            yield evidence_of(self.reference, line, (text,))
        yield evidence_of(self.reference, self.first_line, self.lines)


class ShortPath:
    """The retrieval of one question: `built_in` chooses calls, the caller runs them and passes their results back."""

    def __init__(
        self, question: str, history: Sequence[Message], tools: Sequence[ToolSpec], built_in: BuiltInModel
    ) -> None:
        self._built_in = built_in
        self._question = question
        self._before = next((each.text for each in reversed(history) if isinstance(each, UserMessage)), "")
        self._tools = tools
        self.messages: list[Message] = [*history, UserMessage(question)]

    def next_calls(self, stop: Stop) -> tuple[ToolCall, ...]:
        """Return the calls to run next; empty when enough was read."""
        turn = self._built_in.turn(ChatRequest(self.messages, self._tools), stop)
        calls = tuple(replace(call, id=f"{FALLBACK_ID}{call.id}") for call in turn.calls)
        if calls:
            self.messages.append(AssistantMessage("", calls))
        return calls

    def add_result(self, result: ToolMessage) -> None:
        """Add the result of a call."""
        self.messages.append(result)

    def passages(self, stop: Stop) -> ExtractiveTurn:
        """Return the program's answer, which stands until the model has one."""
        return self._built_in.turn(ChatRequest(self.messages), stop)

    def message(self, snippets: Sequence[GivenSnippet]) -> UserMessage:
        """Return the snippets, numbered from 1, and the question after them."""
        sent = tuple(evidence for each in snippets for evidence in each.evidence())
        texts = "\n\n".join(each.text(number) for number, each in enumerate(snippets, 1))
        before = f"Asked before: {shorten(self._before, 200)}\n" if self._before else ""
        asked = f"{before}Question: {self._question}\n\n{_ASKED.format(len(snippets))}"
        text = f"Passages:\n\n{mark_as_data(texts, ordering(sent))}\n\n{asked}"
        return UserMessage(text, sent, given=GivenPassages(self._question))

    def snippets(self, quoted: Iterable[Citation], context: ToolContext, budget: int, stop: Stop) -> list[GivenSnippet]:
        """Return the lines around what the program quotes, then around what the searches found, in `budget` tokens.

        They count as read from then on.
        """
        places = list(_places(quoted, self._results(), context))
        windows = windows_of(context.retriever, [(each.content, *_window(line)) for each, line, _ in places], stop)
        chosen: list[GivenSnippet] = []
        shown: dict[ContentId, set[int]] = {}
        left = budget - NOTICE
        for (reference, line, focus), window in zip(places, windows, strict=True):
            read = dict(enumerate(window.lines, window.first))
            known = shown.setdefault(reference.content, set())
            if line in known or not read.get(line, "").strip():
                continue
            first, lines = _grown(read, line, focus, known, min(SNIPPET, left - HEADER), context)
            if not lines:
                break
            header = header_lines(read, line) or first_line_header(
                reference.content, read[line], window.first, context, stop
            )
            header = {at: text for at, text in header.items() if at not in known and at < first}
            structure = context.retriever.layout(reference.content, stop).structure
            section = structure.section_of(line) or structure.heading_of(line)
            snippet = GivenSnippet(reference, section, header, first, lines)
            cost = context.count_tokens(snippet.text(len(chosen) + 1))
            if chosen and cost > left:
                break
            left -= cost
            chosen.append(snippet)
            known.update(header, range(first, first + len(lines)))
            if len(chosen) == SNIPPETS or left < SNIPPET // 2:
                break
        for each in chosen:
            for shown_lines in each.evidence():
                context.lines_read.record(each.reference.content, shown_lines.first_line, shown_lines.lines)
        return chosen

    def _results(self) -> Iterator[ToolMessage]:
        return (message for message in self.messages if isinstance(message, ToolMessage))


def nearest_source(words: str, snippets: Sequence[GivenSnippet]) -> str:
    """Return the citation of the snippet that has most of the words of an answer; "" if none has half of them."""
    shares = [word_overlap(words, "\n".join((*each.header.values(), *each.lines))) for each in snippets]
    best = max(range(len(snippets)), key=shares.__getitem__)
    return snippets[best].citation if shares[best] >= LEAST_SHARED else ""


def is_certain(turn: ExtractiveTurn) -> bool:
    """Return whether the program's answer has a value or sentence on top: a cell, a figure, a sum or a count."""
    says = next((part for part, note in turn.parts if not note and part.strip()), "")
    return says.lstrip().startswith("**") or any(note and RESULT_NOTE in part for part, note in turn.parts)


_Place = tuple[Reference, int, str]  # a line, and words of it


def _places(quoted: Iterable[Citation], results: Iterable[ToolMessage], context: ToolContext) -> Iterator[_Place]:
    """Yield the lines that match, best first: those quoted, then those of the searches."""
    for citation in quoted:
        if reference := context.references.get(citation.reference) or context.references.of_content(citation.content):
            yield reference, citation.first_line, citation.quote
    for result in results:
        for evidence in result.evidence if "search" in result.name else ():
            if (reference := context.references.get(evidence.reference)) and evidence.focus:
                words = evidence.focus.strip("… ")[:24]
                first = context.meant(evidence.first_line)
                at = next((n for n, text in enumerate(evidence.lines) if words and words in text), 0)
                yield reference, first + at, evidence.focus


def _window(line: int) -> tuple[int, int]:
    """Return the first line and the number of the lines to read: those around `line`, and its table's header."""
    first = max(1, line - HEADER_DISTANCE)
    return first, line + AROUND - first + 1


def _grown(
    read: Mapping[int, str], line: int, focus: str, known: set[int], budget: int, context: ToolContext
) -> tuple[int, tuple[str, ...]]:
    """Return as many lines around `line` as the budget allows, alternately below and above it, and the first one."""
    shown = {line: around(read[line], focus, LONGEST_LINE)}
    left = budget - context.count_tokens(shown[line])
    if left < 0:
        shown[line] = around(read[line], focus, max(80, budget * 3))
        left = 0
    if budget <= HEADER:
        return line, ()
    open_ends = [1, -1]
    for distance in range(1, AROUND + 1):
        for side in tuple(open_ends):
            number = line + side * distance
            text = read.get(number)
            cost = context.count_tokens(text) + 1 if text and text.strip() else 1
            if text is None or number in known or cost > left:
                open_ends.remove(side)
                continue
            shown[number] = text
            left -= cost
    while len(shown) > 1 and not shown[max(shown)].strip():
        del shown[max(shown)]
    while len(shown) > 1 and not shown[min(shown)].strip():
        del shown[min(shown)]
    return min(shown), tuple(shown[number] for number in sorted(shown))


class NumberedSources(WrappedModel):
    """A model that cites passages by their numbers: each becomes the reference of its snippet."""

    def __init__(self, model: ChatModel, snippets: Sequence[GivenSnippet]) -> None:
        super().__init__(model)
        self._citations = {number: each.citation for number, each in enumerate(snippets, 1)}

    def chat(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
        """Stream the turn as the model does."""
        held, begun = "", False
        with closing(self._model.chat(request, stop)) as events:
            for event in events:
                if isinstance(event, TextDelta):
                    text = held + event.text
                    found = (None if begun else _FIRST_SENTENCE.match(text)) or _UNFINISHED.search(text)
                    end = found.start() if found else len(text)
                    held, text = text[end:], text[:end]
                    if text:
                        begun = True
                        yield TextDelta(self._named(text))
                    continue
                if held and event != STILL_RUNNING:
                    yield TextDelta(self._named(held))
                    held = ""
                if isinstance(event, TurnEnded):
                    event = replace(event, message=replace(event.message, text=self._named(event.message.text)))
                yield event

    def _named(self, text: str) -> str:
        """Return a text with citations for numbers; those before its first sentence stand behind it."""
        return _NUMBERS.sub(self._citations_of, _LEADING.sub(lambda found: f"{found[2]} {found[1].strip()}", text))

    def _citations_of(self, found: re.Match[str]) -> str:
        numbers = (int(each) for each in re.findall(r"\d+", found[1]))
        return " ".join(self._citations[number] for number in numbers if number in self._citations)


def known_tool_use(conversation: Conversation, model: ChatModel) -> ToolUse | None:
    """Return how `model` searches, by the conversation or else by what is remembered of its endpoint; None: unknown."""
    if isinstance(model, BuiltInModel):
        return ToolUse.NATIVE
    remembered = model.tool_use() if isinstance(model, RemembersToolUse) else None
    return remembered or tool_use(conversation, model.name)


def tool_use(conversation: Conversation, model: str) -> ToolUse | None:
    """Return the best way in which `model` used tools in earlier turns; None if no earlier turn with it did."""
    used: set[ToolUse] = set()
    for turn in conversation.turns:
        if any(isinstance(event, RunStarted) and event.model == model for event in turn.events):
            used |= {_use_of(event.call_id) for event in turn.events if isinstance(event, ToolCalled)}
    return next((way for way in ToolUse if way in used), None)


def _use_of(call_id: str) -> ToolUse:
    if call_id.startswith(FALLBACK_ID):
        return ToolUse.NONE
    return ToolUse.PROMPTED if was_prompted(call_id) else ToolUse.NATIVE
