"""The history for the next run: messages of earlier turns, their references, and the lines they cited."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.citation_syntax import write_citation
from desktop_rag.agent.conversations.transcript import Conversation, Turn
from desktop_rag.agent.events import Citation, Source, ToolReturned, citations_of, end_of
from desktop_rag.index.records import ContentId
from desktop_rag.llm.chat import AssistantMessage, Message, UserMessage
from desktop_rag.retrieval.api import DocumentQuery, Retriever, Scope
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.stop import Stop

QUOTE = 120  # characters of a quote repeated to the model
WHOLE_SHARE = 0.75  # share of the history budget for turns kept whole
SHORTENED = 400  # characters kept of each older question and answer
NOT_SENT = "(This answer is not sent: it read documents that are never sent.)"
LEFT_OUT = "(This answer is left out: it used documents that are not among those chosen for the next question.)"
_END = re.compile(r"[.!?。！？]\s|\]\s|\n\n")  # where a text may be cut
_LINK = re.compile(r"\[(\d+)\]\(cite:(\d+)\)")


def earlier_messages(
    conversation: Conversation,
    budget: int,
    count_tokens: Callable[[str], int],
    counts_from: int = 1,
    closed: frozenset[ContentId] = frozenset(),
) -> tuple[Message, ...]:
    """Return questions and answers of earlier turns within `budget` tokens, oldest first.

    The newest are whole; older ones are truncated, as the beginning mostly has the answer. Citations number lines
    from `counts_from`. `LEFT_OUT` replaces an answer whose run had read one of the `closed` contents: any of its
    words may come from there, even without a citation.
    """
    kept: list[Message] = []
    left_out = _turns_with(closed, conversation)
    left, whole = budget, int(budget * WHOLE_SHARE)
    for turn in reversed(conversation.turns):
        end = end_of(turn.events)
        text, citations = (end.text, end.citations) if end else ("", ())
        if turn in left_out and text != NOT_SENT:
            text, citations = LEFT_OUT, ()
        reply = as_written(text, citations, counts_from) or "(no answer)"
        question, cost = turn.question, _cost(turn.question, reply, count_tokens)
        if cost > whole:
            whole = 0
            question, reply = _shortened(question), _shortened(reply)
            cost = _cost(question, reply, count_tokens)
        whole -= cost
        left -= cost
        if left < 0:
            break
        kept += [AssistantMessage(reply), UserMessage(question)]
    return tuple(reversed(kept))


def _turns_with(closed: frozenset[ContentId], conversation: Conversation) -> list[Turn]:
    """Return the turns whose answers may tell of `closed` contents; one without sources tells of earlier answers."""
    found = list[Turn]()
    for turn in conversation.turns if closed else ():
        known = {source.content for source in earlier_sources(Conversation((turn,)))}
        known.update(citation.content for citation in citations_of(turn.events))
        if known & closed or (found and not known):
            found.append(turn)
    return found


def _cost(question: str, reply: str, count_tokens: Callable[[str], int]) -> int:
    return count_tokens(question) + count_tokens(reply) + 8


def _shortened(text: str) -> str:
    """Truncate a text at the end of a sentence or citation."""
    if len(text) <= SHORTENED:
        return text
    beginning = text[:SHORTENED]
    ends = [match.end() for match in _END.finditer(beginning)]
    at = ends[-1] if ends and ends[-1] > SHORTENED // 3 else beginning.rfind(" ")
    return f"{beginning[: at if at > 0 else SHORTENED].rstrip()} […]"


def earlier_sources(conversation: Conversation) -> Iterator[Source]:
    """Yield every source of earlier turns."""
    for turn in conversation.turns:
        for event in turn.events:
            if isinstance(event, ToolReturned):
                yield from event.sources


def contents_out_of_scope(
    conversation: Conversation, retriever: Retriever, scope: Scope, filters: tuple[Filter, ...], stop: Stop
) -> frozenset[ContentId]:
    """Return the contents of earlier turns that the user has not chosen for the next one; raises as `Retriever`.

    In the whole library these are the ones that were attached and are not any more.
    """
    earlier = frozenset(source.content for source in earlier_sources(conversation))
    chosen = earlier.intersection(scope.contents) if scope.contents else earlier
    if not chosen:
        return earlier
    asked = DocumentQuery(scope=replace(scope, contents=tuple(chosen)), filters=filters, limit=len(chosen))
    outside = earlier - {card.content for card in retriever.documents(asked, stop).cards}
    if scope.is_chosen or scope.withheld or filters:
        return outside
    cards = {content: retriever.describe(content, stop) for content in outside}
    return frozenset(content for content, card in cards.items() if card is not None and card.path is not None)


def recall_cited_lines(
    conversation: Conversation, lines_read: CitableLines, closed: frozenset[ContentId] = frozenset()
) -> None:
    """Record the lines that earlier answers cited: the model still sees them, so it may cite them again.

    Lines of `closed` contents are not for this turn.
    """
    for turn in conversation.turns:
        for citation in citations_of(turn.events):
            start = citation.first_line - citation.passage_first_line
            lines = citation.passage.split("\n")[start : start + citation.last_line - citation.first_line + 1]
            if start >= 0 and citation.content not in closed and citation.verdict != "not found":
                lines_read.record(citation.content, citation.first_line, lines)


def as_written(text: str, citations: tuple[Citation, ...], counts_from: int = 1) -> str:
    """Return an answer with its numbered links turned back into the model's citations."""
    by_number = {citation.number: citation for citation in citations}
    shift = counts_from - 1

    def written(link: re.Match[str]) -> str:
        citation = by_number.get(int(link[2]))
        if citation is None:
            return ""
        quote = citation.quote if len(citation.quote) <= QUOTE else ""
        return write_citation(citation.reference, citation.first_line + shift, citation.last_line + shift, quote)

    return _LINK.sub(written, text)
