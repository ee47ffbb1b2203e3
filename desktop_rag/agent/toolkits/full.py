"""The default toolkit, which combines the best of the systems, and its variant that searches by words only."""

import re
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from desktop_rag.agent.citations.references import Reference
from desktop_rag.agent.events import AgentEvent, Remark, StepStarted, Thought, waiting
from desktop_rag.agent.extractive.built_in_model import BuiltInModel
from desktop_rag.agent.prompts import load_prompt, mark_as_data, ordering
from desktop_rag.agent.toolkits.toolkit import PreparedRun, Toolkit, question_with_passages
from desktop_rag.agent.tools.calculate import CalculateTool
from desktop_rag.agent.tools.chunk_passages import ReadChunksTool
from desktop_rag.agent.tools.compare import CompareTool
from desktop_rag.agent.tools.find_open import FindTool, OpenTool
from desktop_rag.agent.tools.list_documents import ListDocumentsTool
from desktop_rag.agent.tools.narrowed_search import LITERAL_MODES, NarrowedSearchTool, SlimSearchTool
from desktop_rag.agent.tools.summarize import SummarizeTool
from desktop_rag.errors import Stopped
from desktop_rag.llm.chat import (
    ChatRequest,
    Evidence,
    GivenPassages,
    RetryDelayed,
    SystemMessage,
    TextDelta,
    TurnEnded,
    TurnProgress,
    UserMessage,
)
from desktop_rag.retrieval.api import Mode
from desktop_rag.stop import Stop
from desktop_rag.text.display import plural, shorten

# The pre-step of the default toolkit for broad questions: coverage before depth.
#
# It shows the outline, then reads the text window by window into cited notes, as far as the budget allows. The answer
# is written from the notes and states the share that was read.

Kind = Literal["list", "summary", "changes"]

_CHANGES = (
    r"what(?:'s| is| has| have|) (?:been )?(?:changed|different|new)\b.*\b(?:between|from|since|in)\b"
    r"|what changed\b|(?:what(?: are| is|'s) )?(?:the )?(?:differences?|changes) between\b"
    r"|compare .*\b(?:versions?|drafts?|editions?)\b"
    r"|was (?:hat|haben) sich .*geändert|was ist (?:neu|anders)|unterschiede? zwischen"
    r"|qu'est-ce qui a changé|différences? entre|qué (?:ha )?cambi|diferencias? entre|cosa è cambiato"
)
_SUMMARY = (
    r"(?:please |can you |could you )?(?:summari[sz]e|sum up|outline)\b"
    r"|(?:please |can you )?(?:give|write|make)(?: me)? (?:a |an )?(?:short |brief |detailed )?(?:summary|overview)\b"
    r"|(?:a )?(?:summary|overview) of\b|(?:bitte )?(?:fasse?|fassen sie) .*\bzusammen|(?:eine )?zusammenfassung\b"
    r"|(?:gib .*)?überblick über|résume[zr]?\b|(?:un )?résumé d|resum(?:e|en|a)\b|riassumi\b|riassunto d"
)
_LIST = (
    r"(?:please )?(?:list|name|enumerate|find|show)(?: me)? (?:all|every|each)\b|(?:please )?list\b"
    r"|(?:what|which) are all\b|(?:nenne|liste|zeige?)(?: mir)? (?:alle|sämtliche)|liste[zr]? (?:tous|toutes)"
    r"|énumère|enumera|lista (?:todos|todas|tutti|tutte)"
)
_WORDS: tuple[tuple[Kind, str], ...] = (("changes", _CHANGES), ("summary", _SUMMARY), ("list", _LIST))
_KINDS = tuple((kind, re.compile(rf"^\W*(?:{words})", re.IGNORECASE)) for kind, words in _WORDS)
_PAIR = re.compile(
    r"^\W*(?:please |can you |could you |bitte )?(?:compare[zr]?|vergleichen?|compara|confronta)\s+(.+?)\s+"
    r"(?:and|with|to|against|und|mit|et|avec|y|con|e)\s+(.+?)\W*$",
    re.IGNORECASE,
)
_ASPECT = re.compile(r"\b(?:in|from|between|dans|aus|zwischen|en|entre|tra)\b|\b(?:of|von|de)\b(?! ?\d)", re.IGNORECASE)
_FILLING = re.compile(
    r"\b(?:between|these?|those|the|two|both|versions?|of|in|and|from|to|this|that|whole|entire|files?|documents?|folders?"
    r"|pages?|\d+-page|for|me|about|all|every|each|zwischen|den|die|das|der|beiden|und|datei|dokument|ordner|entre|les|le)\b",
    re.IGNORECASE,
)

_WORD = re.compile(r"[^\W\d_]{2,}")
# The difference of two amounts, not of two documents: “between the net loss of 2022 and of 2021”.
_OF_AMOUNTS = re.compile(
    r"\bdifference between .*\b(?:income|loss|earnings|profits?|revenues?|sales|costs?|prices?|rents?|"
    r"salary|salaries|wages?|fees?|assets|liabilities|debts?|expenses|number of|amounts?|dates?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class BroadQuestion:
    """The kind of a broad question, and the words that may name its documents."""

    kind: Kind
    about: str


def classify_broad(question: str) -> BroadQuestion | None:
    """Classify a broad question; None for any other."""
    text = " ".join(question.split())
    for kind, words in _KINDS:
        if found := words.match(text):
            if kind == "changes" and (_OF_AMOUNTS.search(text) or ": " in text):  # of one thing in both
                return None
            rest = text[found.end() :] if kind != "changes" or found.end() < len(text) else text
            about = " ".join(_FILLING.sub(" ", rest).replace("?", " ").replace(".txt", " ").split())
            return BroadQuestion(kind, about)
    return _version_comparison(text)


def _version_comparison(text: str) -> BroadQuestion | None:
    """Recognise a comparison of two documents whose names share a word, without any aspect."""
    found = _PAIR.match(text)
    if found is None or _ASPECT.search(text):
        return None
    one, other = (_FILLING.sub(" ", part) for part in found.groups())
    shared = {word.casefold() for word in _WORD.findall(one)} & {word.casefold() for word in _WORD.findall(other)}
    return BroadQuestion("changes", " ".join(f"{one} {other}".split())) if shared else None


MIN_FIT = 0.34  # share of the content words that must occur in a document's name
RELATIVE_FIT = 0.6  # share of the best fit that another document must reach
FULL_FIT = 0.99  # fit of a name with all the words: if there is one, only such documents are summarised
DOCUMENTS = 20
WINDOWS = 40
SPARE = 2  # steps reserved for the answer
LIST_TOKENS = 800  # of what the searches for a list found
SHORT_LINES = 120  # of documents that are read whole instead of in notes
NOTE_TOKENS = 700  # of the notes on one window
SENTENCES_PER_WINDOW = 5  # sentences that the built-in model keeps of one window
HEADINGS = 20


_NOTES = "Notes from the whole text, window by window.\n"
_KEEP_CITATIONS = "Answer from these notes: carry their citations over, and say what share was read if it was not all."


@dataclass(slots=True)
class _Notes:
    """The notes taken, with their evidence and the number of lines read."""

    texts: list[str] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    lines: int = 0


@dataclass(frozen=True, slots=True)
class CoverageFirst:
    """Reads whole documents before a summary, diffs before “what changed”, searches in `modes` before a list."""

    modes: tuple[Mode, ...] = (Mode.HYBRID, Mode.EXACT, Mode.LINKED)

    def prepare(self, steps: PreparedRun) -> Generator[AgentEvent, None, bool]:
        """Prepare a broad question; leave any other to the model."""
        question = classify_broad(steps.question.text)
        if question is None:
            return True
        if question.kind == "list":
            return (yield from _search_widely(question, self.modes, steps))
        documents = yield from _documents(question, steps)
        if question.kind == "changes":
            return (yield from _compare(documents, steps))
        return (yield from _summarize(documents, steps)) if documents else True


def _documents(question: BroadQuestion, steps: PreparedRun) -> Generator[AgentEvent, None, list[Reference]]:
    """Return the documents that the question names, or those that the user has chosen."""
    chosen = bool(steps.question.scope.contents)
    arguments = {} if chosen or not question.about else {"query": question.about}
    if not arguments and not chosen and not steps.question.scope.folders:
        return []
    found = yield from steps.call("list_documents", arguments)
    fits = [evidence for evidence in found.evidence if not arguments or evidence.score >= MIN_FIT]
    best = max((evidence.score for evidence in fits), default=0.0)
    least = FULL_FIT if question.kind == "summary" and best >= FULL_FIT else RELATIVE_FIT * best
    named = (steps.tools.references.get(evidence.reference) for evidence in fits if evidence.score >= least)
    return [reference for reference in named if reference][:DOCUMENTS]


def _compare(documents: list[Reference], steps: PreparedRun) -> Generator[AgentEvent, None, bool]:
    """Give the model the diff of two documents."""
    if len(documents) < 2:
        return True
    names = [reference.name for reference in documents[:2]]
    found = yield from steps.call("compare", {"references": names})
    given = GivenPassages(steps.question.text, digest=True)
    steps.replace_question(question_with_passages(given, found.text, found.evidence, f"{_NOTES}\n"))
    return not found.evidence


def _search_widely(
    question: BroadQuestion, modes: tuple[Mode, ...], steps: PreparedRun
) -> Generator[AgentEvent, None, bool]:
    """Search in several modes and list the results; the model continues from there."""
    if isinstance(steps.run.model, BuiltInModel) or not question.about:
        return True  # the built-in model searches in several modes by itself
    shown: dict[str, Evidence] = {}
    wordings = [shorten(steps.question.text, 300), question.about]
    for mode in modes:
        queries = [shorten(question.about, 200)] if mode is Mode.EXACT else wordings
        found = yield from steps.call("search", {"queries": queries, "mode": mode.value})
        shown |= {each.reference: each for each in found.evidence if each.lines and each.reference not in shown}
    if shown:
        listed, sent = _listed(shown.values(), steps)
        given = GivenPassages(steps.question.text)
        steps.replace_question(question_with_passages(given, mark_as_data(listed, ordering(sent)), sent))
    return True


def _listed(found: Iterable[Evidence], steps: PreparedRun) -> tuple[str, tuple[Evidence, ...]]:
    """Return a line of each result, in about `LIST_TOKENS` tokens: the model reads on where it wants more."""
    lines, sent, left = list[str](), list[Evidence](), LIST_TOKENS
    for each in found:
        text = " ".join(each.focus.split()) or next((line.strip() for line in each.lines if line.strip()), "")
        line = f"[{each.reference}] {each.label}: {shorten(text, 120)}"
        left -= steps.tools.count_tokens(line) + 1
        if left < 0 and lines:
            break
        lines.append(line)
        sent.append(replace(each, lines=each.lines[:1]))
    return "\n".join(lines), tuple(sent)


def _summarize(documents: list[Reference], steps: PreparedRun) -> Generator[AgentEvent, None, bool]:
    """Read the documents window by window into notes, from which the answer is written."""
    for reference in documents[:3]:
        yield Remark(steps.budget.step, "plan", _outline(reference, steps))
    total = sum(reference.last_line for reference in documents)
    if total <= SHORT_LINES and not isinstance(steps.run.model, BuiltInModel):
        return (yield from _read_whole(documents, steps))
    notes = _Notes()
    allowed = min(WINDOWS, max(steps.budget.steps - steps.budget.step - SPARE, 1))
    shares = [max(allowed // len(documents), 1)] * min(len(documents), allowed)
    for reference, windows in zip(documents, shares, strict=False):
        yield from _read_in_windows(reference, windows, notes, steps)
    share = notes.lines / total if total else 1.0
    coverage_note = f"Read: {notes.lines:,} of {total:,} lines ({share:.0%}) of {plural(len(documents), 'document')}."
    yield Remark(steps.budget.step, "plan", coverage_note)
    given = GivenPassages(steps.question.text, digest=True, note=coverage_note)
    head = f"{_NOTES}{coverage_note}\n{_KEEP_CITATIONS}\n\n"
    steps.replace_question(
        question_with_passages(given, mark_as_data("\n\n".join(notes.texts)), tuple(notes.evidence), head)
    )
    return False


def _read_whole(documents: list[Reference], steps: PreparedRun) -> Generator[AgentEvent, None, bool]:
    """Give the model short documents as they are."""
    texts, evidence = list[str](), list[Evidence]()
    for reference in documents:
        opened = yield from steps.call("open", {"reference": reference.name})
        texts.append(opened.text)
        evidence += opened.evidence
    given = GivenPassages(steps.question.text, digest=True)
    steps.replace_question(question_with_passages(given, "\n\n".join(texts), tuple(evidence)))
    return False


def _outline(reference: Reference, steps: PreparedRun) -> str:
    outline = steps.tools.retriever.layout(reference.content, steps.run.stop).structure.outline
    titles = [f"{'  ' * max(entry.level - 1, 0)}{shorten(entry.title, 80)}" for entry in outline[:HEADINGS]]
    rest = f"\n… and {len(outline) - HEADINGS} more" if len(outline) > HEADINGS else ""
    head = f"{shorten(steps.tools.references.display_title(reference))}: {plural(reference.last_line, 'line')}"
    return "\n".join((head, *titles)) + rest


def _read_in_windows(reference: Reference, windows: int, notes: _Notes, steps: PreparedRun) -> Generator[AgentEvent]:
    """Take notes on a document in up to `windows` windows, spread evenly if they do not cover it."""
    line = 1
    for number in range(windows):
        if steps.budget.reached() or steps.budget.over() or line > reference.last_line:
            return
        steps.budget.step += 1
        yield StepStarted(steps.budget.step, steps.budget.steps)
        window = yield from steps.call("open", {"reference": reference.name, "line": line})
        read = sum(len(evidence.lines) for evidence in window.evidence)
        if not read:
            return
        notes.lines += read
        yield from _take_notes(window.text, window.evidence, notes, steps)
        left = windows - number - 1
        ahead = (reference.last_line - line + 1) // (left + 1) if left else 0
        line += max(read, ahead)


def _take_notes(text: str, evidence: tuple[Evidence, ...], notes: _Notes, steps: PreparedRun) -> Generator[AgentEvent]:
    model = steps.run.fast or steps.run.model
    if isinstance(steps.run.model, BuiltInModel):
        kept = steps.run.built_in.key_sentences(evidence, SENTENCES_PER_WINDOW, steps.run.stop)
        notes.evidence += kept
        notes.texts += [f"[{one.reference}] {' '.join(one.lines)}" for one in kept]
        return
    task = f"What is asked: {steps.question.text}\n\n{text}"
    request = ChatRequest(
        (SystemMessage(load_prompt("notes")), UserMessage(task, evidence)),
        max_tokens=min(model.max_output, NOTE_TOKENS),
    )
    parts: list[str] = []
    stop: Stop = steps.run.stop
    try:
        with (
            stop.within(partial(steps.budget.left, searching=True)) as timed,
            closing(model.chat(request, timed)) as events,
        ):
            for event in events:
                if isinstance(event, TextDelta):
                    parts.append(event.text)
                elif isinstance(event, RetryDelayed | TurnProgress):
                    yield waiting(event, steps.budget.step)
                elif isinstance(event, TurnEnded):
                    steps.budget.spend(event.usage)
                    parts = [event.message.text] if event.message.text else parts
    except Stopped:
        stop.check()  # else the time for the search is over: the notes so far are used
    notes_text = "".join(parts).strip()
    if notes_text:
        yield Thought(steps.budget.step, f"{notes_text}\n")
        notes.texts.append(notes_text)
        notes.evidence += _cited(evidence)


def _cited(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Return the evidence without its lines: the model has the notes instead."""
    return [Evidence(one.reference, one.title, one.first_line, ()) for one in evidence]


WORDS_ONLY = "`search` finds only the words you write: give names and terms as the documents have them, and synonyms."


def full() -> Toolkit:
    """Return the default: list, search, find, open, read, compare, calculate, summarise."""
    tools = (
        ListDocumentsTool(),
        NarrowedSearchTool(),
        FindTool(),
        OpenTool(),
        ReadChunksTool(),
        CompareTool(),
        CalculateTool(),
        SummarizeTool(),
    )
    summary = "The best of all systems together: finds the right documents, reads them and proves what it says."
    return Toolkit(
        *("full", summary, tools, load_prompt("full")),
        pre_step=CoverageFirst(),
        summarizer="summarize",
        short="small",
        slim=((SlimSearchTool(),), load_prompt("slim")),
    )


def short() -> Toolkit:
    """Return the short path for every model: the program searches, the model answers from few lines."""
    return replace(
        full(),
        name="short",
        summary="The program searches, shows passages, and the model says what they say. For small models.",
        short="always",
    )


def literal() -> Toolkit:
    """Return the default toolkit with searches by words and letters only, never by meaning."""
    whole = full()
    search = NarrowedSearchTool(LITERAL_MODES)
    return replace(
        whole,
        name="literal",
        summary="Searches for the words themselves, never by meaning; then works like “full”.",
        tools=tuple(search if isinstance(tool, NarrowedSearchTool) else tool for tool in whole.tools),
        prompt=f"{whole.prompt}\n\n{WORDS_ONLY}",
        pre_step=CoverageFirst(LITERAL_MODES),
        slim=None,
    )
