"""The built-in chat model: searches by rules, reads, and answers with quoted sentences.

It is stateless like any chat model: each turn it reads the messages.
"""

import re
from collections.abc import Sequence

from desktop_rag.agent.extractive.answer import ExtractiveAnswer, write_answer, write_outline
from desktop_rag.agent.extractive.built_in_model import AskedCell, BuiltInModel, ExtractiveTurn, StatedCell
from desktop_rag.agent.extractive.digest import key_sentences, write_digest
from desktop_rag.agent.extractive.next_action import as_call, next_calls
from desktop_rag.agent.extractive.offered_tools import classify_tools
from desktop_rag.agent.extractive.run_state import RunState, question_of, state_of
from desktop_rag.agent.extractive.sentence_candidates import candidates
from desktop_rag.agent.extractive.stated_cells import common_labels, stated_cells
from desktop_rag.agent.prompts import KNOWS_NOTHING, ONLY_CHOSEN
from desktop_rag.agent.small_talk import is_small_talk
from desktop_rag.llm.chat import ChatRequest, Evidence, SystemMessage, UserMessage
from desktop_rag.stop import Stop

# Requests for a text of the model's own, which quotations cannot answer.
_WRITING = re.compile(
    r"\W*(?:please |can you |could you |bitte |请)?(?:summari[sz]e|sum up|translate|write|draft|compose|rewrite|"
    r"fasse?\b.*\bzusammen|übersetze?|schreibe?|verfasse?|entwirf|总结|概括|翻译|写)",
    re.IGNORECASE,
)


class ExtractiveModel(BuiltInModel):
    """A chat model without a language model: quotes the sentences that answer best, or answers not found."""

    def key_sentences(self, evidence: Sequence[Evidence], most: int, stop: Stop) -> list[Evidence]:
        """Return the sentences that say most about passages, at most `most`, in their order."""
        stop.check()
        return key_sentences(evidence, most)

    def stated_cells(self, asked: Sequence[AskedCell], document: Sequence[Evidence], stop: Stop) -> list[StatedCell]:
        """Return a cell for each question, from the lines of one document."""
        return stated_cells(asked, document, stop)

    def common_labels(self, documents: Sequence[Sequence[Evidence]], stop: Stop) -> list[tuple[str, int]]:
        """Return labels and headings with the number of documents that have them, the most common first."""
        return common_labels(documents, stop)

    def turn(self, request: ChatRequest, stop: Stop) -> ExtractiveTurn:
        """Return the next turn as a whole."""
        state = state_of(request.messages)
        calls = tuple(as_call(name, call) for name, call in next_calls(state, classify_tools(request.tools), stop))
        answer = ExtractiveAnswer() if calls else _answer(request, state, stop)
        return ExtractiveTurn(calls, tuple(answer.parts))


def _answer(request: ChatRequest, state: RunState, stop: Stop) -> ExtractiveAnswer:
    if _is_asked_to_plan(request, state):
        return ExtractiveAnswer(_plan(state))
    question = question_of(request.messages)
    given = question.given if question else None
    if question and given and given.digest and question.evidence:
        return write_digest(question.evidence, given.note)
    small_talk = all(is_small_talk(each.text) for each in state.questions) and not state.results
    if small_talk or not (given or request.tools or state.calls or state.results):
        return ExtractiveAnswer(note=f"[not found] {KNOWS_NOTHING}")
    if _WRITING.match(state.questions[0].text):
        return write_outline(state.questions[0], candidates(state.results))
    found = [(state.questions[number - 1], state.ranked(number, stop)) for number in state.numbers]
    chosen = any(isinstance(each, SystemMessage) and ONLY_CHOSEN in each.text for each in request.messages)
    return write_answer(found, state.searched(), only_chosen=chosen)


def _is_asked_to_plan(request: ChatRequest, state: RunState) -> bool:
    last = request.messages[-1] if request.messages else None
    aside = isinstance(last, UserMessage) and last.aside and "plan" in last.text.lower()
    return aside and not request.tools and not state.results


def _plan(state: RunState) -> str:
    """Return a plan with a line for each question."""
    return "\n".join(f"{number}. {question.text}" for number, question in enumerate(state.questions, 1))
