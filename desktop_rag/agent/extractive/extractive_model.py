"""The built-in chat model: searches by rules, reads, and answers with quoted sentences.

It is stateless like any chat model: each turn it reads the messages.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from desktop_rag.agent.extractive.answer import ExtractiveAnswer, write_answer
from desktop_rag.agent.extractive.built_in_model import BuiltInModel, ExtractiveTurn
from desktop_rag.agent.extractive.digest import key_sentences, write_digest
from desktop_rag.agent.extractive.next_action import as_call, next_calls
from desktop_rag.agent.extractive.offered_tools import classify_tools
from desktop_rag.agent.extractive.quantities.company_facts import company_fact
from desktop_rag.agent.extractive.quantities.counted_rows import counted_rows
from desktop_rag.agent.extractive.quantities.date_span import date_span
from desktop_rag.agent.extractive.quantities.dated_rows import dated_row
from desktop_rag.agent.extractive.quantities.fitting_rows import with_fitting_rows
from desktop_rag.agent.extractive.quantities.identified_row import identified_rows
from desktop_rag.agent.extractive.quantities.line_items import item_row
from desktop_rag.agent.extractive.quantities.quantity_answer import MAX_ROWS, answer_quantity, quoted_row
from desktop_rag.agent.extractive.quantities.row_conditions import demanded_rows
from desktop_rag.agent.extractive.quantities.stated_cell import stated_cell
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.run_state import RunState, question_of, state_of
from desktop_rag.agent.extractive.sentence_candidates import candidates
from desktop_rag.agent.extractive.sentence_choice import ChosenSentences
from desktop_rag.agent.extractive.sentence_ranking import certain
from desktop_rag.agent.extractive.structured.contact_details import contact_detail
from desktop_rag.agent.extractive.structured.labelled_roles import role_lines
from desktop_rag.agent.extractive.structured.letter_sender import letter_sender
from desktop_rag.agent.extractive.structured.listed_titles import (
    MAX_TITLES,
    documents_that_mention,
    listed_titles,
    mentioning,
    named_titles,
)
from desktop_rag.agent.extractive.structured.mail_headers import mail_head, names_no_mail
from desktop_rag.agent.extractive.structured.mail_questions import answer_from_mails, mail_question
from desktop_rag.agent.prompts import KNOWS_NOTHING, NAMES_NO_MAIL, ONLY_CHOSEN
from desktop_rag.agent.toolkits.route_rules import is_small_talk
from desktop_rag.llm.chat import (
    ChatRequest,
    Evidence,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from desktop_rag.llm.json_value import object_in
from desktop_rag.stop import Stop


class ExtractiveModel(BuiltInModel):
    """A chat model without a language model: quotes the sentences that answer best, or answers not found."""

    def key_sentences(self, evidence: Sequence[Evidence], most: int, stop: Stop) -> list[Evidence]:
        """Return the sentences that say most about passages, at most `most`, in their order."""
        stop.check()
        return key_sentences(evidence, most)

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
    read = [state.read(number, stop) for number in state.numbers]
    of = map(state.of, state.numbers)
    found = [(asked, with_fitting_rows(asked, ranked, each)) for (asked, ranked), each in zip(read, of, strict=True)]
    calculated = {found[number - 1][0]: chosen for number, chosen in _structured(state)}
    chosen = any(isinstance(each, SystemMessage) and ONLY_CHOSEN in each.text for each in request.messages)
    answer = write_answer(found, state.searched(), calculated, read=read, only_chosen=chosen)
    if not answer.found and any(names_no_mail(each) for each, _ in found):
        return replace(answer, text=f"{answer.text}\n\n{NAMES_NO_MAIL}")
    return answer


def _structured(state: RunState) -> Iterator[tuple[int, ChosenSentences]]:
    """Yield the answers that the structure of the documents gives: their tables, letterheads and titles."""
    for number in state.numbers:
        asked, results = state.questions[number - 1], state.of(number)
        if tabled := _from_tables(asked, results):
            yield number, tabled
        elif head := mail_head(asked, results):
            yield number, ChosenSentences(asked, tuple(map(certain, head.quoted)), head.lead_in, of_each=True)
        elif mails := _mails(state, number):
            yield number, mails
        elif senders := letter_sender(asked, results):
            yield number, ChosenSentences(asked, tuple(map(certain, senders)))
        elif span := date_span(asked, candidates(results)):
            yield number, ChosenSentences(asked, (certain(span[1]),), span[0])
        elif contact := contact_detail(asked, candidates(results)):
            yield number, ChosenSentences(asked, tuple(map(certain, contact)), stated=True, linked=True)
        elif roles := role_lines(asked, results):
            yield number, ChosenSentences(asked, tuple(map(certain, roles)), stated=True, linked=True)
        elif len(titles := listed_titles(asked, results)) > 1:
            named = [each.title for each in titles if not set(asked.stems) <= each.stems]
            said = f"{len(titles)} documents are named like this{named_titles(named)}:"
            if len(titles) == MAX_TITLES:
                said = f"{len(titles)} of the documents that are named like this; there may be more:"
            yield number, ChosenSentences(asked, tuple(map(certain, titles)), said, of_each=True)
        elif mentions := mentioning(asked, results):
            said = documents_that_mention(asked, mentions)
            yield number, ChosenSentences(asked, tuple(map(certain, mentions)), said, of_each=True)


def _from_tables(asked: AnalysedQuestion, results: Sequence[ToolMessage]) -> ChosenSentences | None:
    """Return the answer that rows and cells give, perhaps counted or calculated."""
    if demanded := demanded_rows(asked, results):
        found, title = demanded
        quoted = (quoted_row(row, title, found.header) for row in found.rows[:MAX_ROWS])
        return ChosenSentences(asked, tuple(map(certain, quoted)), found.lead_in, of_each=True)
    if answer := answer_quantity(asked, results):
        return ChosenSentences(asked, answer.quoted, answer.lead_in(results), of_each=True)
    if dated := dated_row(asked, results):
        return ChosenSentences(asked, (certain(dated.quoted),), dated.lead_in)
    if counted := counted_rows(asked, results):
        return ChosenSentences(asked, tuple(map(certain, counted.quoted)), counted.lead_in, of_each=True)
    if row := item_row(asked, results):
        return ChosenSentences(asked, (certain(row),), stated=True)
    facts = company_fact(asked, results)
    if facts or (facts is not None and not _is_told(asked, results)):
        return ChosenSentences(asked, tuple(map(certain, facts)), stated=True)
    if cell := stated_cell(asked, results):
        return ChosenSentences(asked, (certain(cell.quoted),), cell.lead_in)
    rows = identified_rows(asked, results)
    return ChosenSentences(asked, tuple(map(certain, rows)), of_each=True, stated=True) if rows else None


def _is_told(asked: AnalysedQuestion, results: Sequence[ToolMessage]) -> bool:
    """Return whether a sentence or row that was read has all words of a question in it and its place."""
    return any(each.stems.union(each.place_words).issuperset(asked.stems) for each in candidates(results))


def _mails(state: RunState, number: int) -> ChosenSentences | None:
    question, results = state.questions[number - 1], state.of(number)
    asked = mail_question(question.text)
    if asked is None:
        return None
    searched = [each for each in results if asked.is_query(object_in(state.arguments(each)).get("queries"))]
    mails, complete = answer_from_mails(asked, searched, results)
    said = asked.lead_in(len(mails), complete=complete)
    return ChosenSentences(question, tuple(map(certain, mails)), said, of_each=True) if mails else None


def _is_asked_to_plan(request: ChatRequest, state: RunState) -> bool:
    last = request.messages[-1] if request.messages else None
    aside = isinstance(last, UserMessage) and last.aside and "plan" in last.text.lower()
    return aside and not request.tools and not state.results


def _plan(state: RunState) -> str:
    """Return a plan with a line for each question."""
    return "\n".join(f"{number}. {question.text}" for number, question in enumerate(state.questions, 1))
