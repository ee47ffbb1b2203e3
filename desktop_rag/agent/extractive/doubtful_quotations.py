"""Tells what makes it doubtful that quotations answer: the price of a hotel is not that of the flight."""

import re
from collections.abc import Sequence

from desktop_rag.agent.citations.check_words import TITLES_AND_FORMS
from desktop_rag.agent.citations.claim_words import is_ordinary, split_words
from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.answer_type import AnswerType, has_type
from desktop_rag.agent.extractive.asked_things import (
    CALENDAR,
    is_english,
    is_mentioned,
    is_thing,
    name_stems,
    named,
    shown,
    telling_words,
)
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.quantities.fitting_figures import has_bare_price, has_share_of, possible_answers
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_ranking import COUNTED, RankedSentence
from desktop_rag.agent.extractive.structured.contact_details import lacks_detail
from desktop_rag.agent.extractive.structured.definitions import asked_term, definitions
from desktop_rag.index.keywords.analysis import fold_text

_MORE = 2  # words of a quotation that the question has not
_TOGETHER = 2  # words that a sentence which answers has together
_NAME = re.compile(r"(?<![^\W_])[A-ZÀ-Þ]\w*[a-zß-ÿ][\w’'-]*")
_OWNED = re.compile(r"\b([A-ZÀ-Þ][\w-]+)[’']s?\s+([\w-]+)")  # Tilly's birthday
_REFERS = re.compile(r"\b(?:he|she|it|they|his|her|its|their|we|our|I|you)\b", re.IGNORECASE)
_BEGINS = re.compile(r"(?:^|[.!?]\s)\W*$")
_NUMBERED = re.compile(r"\S+ .*\d\w*|[A-Z] \w+|\w+ [A-Z]")
_TIMES = (AnswerType.TIME, AnswerType.YEAR)
_FACTS = (AnswerType.PERSON, AnswerType.TIME, AnswerType.YEAR, AnswerType.PLACE, AnswerType.REASON)  # of one sentence
_MEASURED = re.compile(r"\b(?:how (?:much|many)|which|wie ?viele?|welche[mnrs]?)\s+([^\W\d_]+)", re.IGNORECASE)


def apart(question: AnalysedQuestion, quoted: Sequence[RankedSentence]) -> tuple[str, ...]:
    """Return the words that a question asks about, besides names, if each quotation has half of them at most.

    “Who discovered the source?” is not answered by a discovery in one sentence and a source in another.
    """
    names = name_stems(question)
    asked = [(word, forms) for word, forms in telling_words(question) if names.isdisjoint(forms)]
    if (
        question.asks not in _FACTS
        or len(asked) < _TOGETHER
        or any(_has_most(asked, one, quoted, leaning=False) for one in quoted)
    ):
        return ()
    return tuple(word for word, _ in asked)


def without_answer(question: AnalysedQuestion, quoted: Sequence[RankedSentence]) -> tuple[str, ...]:
    """Return the words that a question for an amount or a time asks about, unless a quotation with one has most.

    The price of a hotel is not that of the flight, nor are the passengers of one ship those of another.
    """
    asked = telling_words(question)
    if question.asks not in COUNTED or not asked:
        return ()
    told = [one for one in quoted if _has_counted(question, one) and not _names_namesake(question, one)]
    return () if any(_has_most(asked, one, quoted) for one in told) else tuple(word for word, _ in asked)


def _names_namesake(question: AnalysedQuestion, one: RankedSentence) -> bool:
    """Return whether a quotation and its title have the last name of the question after another given name only."""
    text = f"{one.quoted_before} {shown(one)} {one.quoted_after}"
    for given, *_, last in (name.split() for name in question.names if len(name.split()) > 1):
        before = re.findall(rf"\b([A-ZÀ-Þ][a-zß-ÿ]+) {re.escape(last)}\b", text)
        if before and given not in text and not any(fold_text(each) in TITLES_AND_FORMS for each in before):
            return True
    return False


def _has_most(
    asked: Sequence[tuple[str, tuple[str, ...]]],
    one: RankedSentence,
    quoted: Sequence[RankedSentence],
    *,
    leaning: bool = True,
) -> bool:
    """Return whether a quotation has more than half of these words, with what stands above it.

    That are also the quoted labels of its document (“Tenant: …”) and, if `leaning`, the sentence that its “it” means.
    """
    before = one.candidate.before if one.led else one.quoted_before if leaning else ""
    labels = (each.candidate for each in quoted if each.candidate.is_label and not one.candidate.is_label)
    above = " ".join(each.text for each in labels if each.reference == one.candidate.reference)
    text = f"{above} {before} {shown(one)} {one.quoted_after}"
    held = one.candidate.parts.union(stems(text))
    return 2 * sum(is_mentioned(word, forms, held, fold_text(text)) for word, forms in asked) > len(asked)


def _has_counted(question: AnalysedQuestion, one: RankedSentence) -> bool:
    """Return whether a quotation has an amount or time such as a question asks for.

    A row may have the currency in its header, so a bare number may be money there; “20 l” is not.
    """
    if has_share_of(question, one.candidate.text):
        return True
    row = question.asks is AnswerType.MONEY and has_bare_price(question, one.candidate)
    text = f"{one.quoted_before} {' '.join((one.candidate.told, *one.candidate.items))} {one.quoted_after}"
    return has_type(AnswerType.AMOUNT if row else question.asks, possible_answers(question, text), question.text)


def is_doubtful(
    question: AnalysedQuestion, quoted: Sequence[RankedSentence], unread: Sequence[str], unsaid: Sequence[str]
) -> bool:
    """Return whether words that nothing read, or no quotation, mentions make it doubtful that quotations answer.

    Those are a name, what is asked for (how much sugar, which film), what someone did, and things; but an amount or a
    time in a quotation with most words of the question is one of these.
    """
    if all(one.candidate.shape is SentenceShape.ROW and not one.own for one in quoted):
        return True  # only the names of their columns have words of the question
    if lacks_detail(question, [one.candidate.text for one in quoted]) or _is_of_none_named(question, quoted):
        return True
    if any(_is_of_another(found[1], found[2], quoted) for found in _OWNED.finditer(question.text)):
        return True
    if question.asks in COUNTED and (unread or unsaid) and not any(_has_counted(question, one) for one in quoted):
        return True
    measured = _MEASURED.search(question.text)
    english = is_english(question)
    if not english and question.asks is not AnswerType.PERSON:  # another verb may say the same: “gilt”, “beträgt”
        unread, unsaid = ([word for word in words if word[0].isupper()] for words in (unread, unsaid))
    about = {*question.head, *question.thing, *(stems(measured[1]) if measured else ())}
    missing = {stem for word in (*unread, *unsaid) for stem in stems(word)}
    if about & missing or any(missing.issuperset(name) for name in named(question)):
        return True
    term, _ = asked_term(question)
    undefined = bool(term) and not definitions(term, quoted)
    if undefined or (question.asks in _TIMES and unread) or any(map(_NUMBERED.fullmatch, unsaid)):
        return True  # when it was sold is not when it was bought, and Flat 14 not flat 12
    if question.asks in COUNTED:
        asked = telling_words(question)
        return bool(unread or unsaid) and not any(
            _has_counted(question, one) and _has_most(asked, one, quoted) for one in quoted
        )
    if question.asks is AnswerType.PERSON:
        return bool(unread or unsaid) or (english and not any(_has_person(question, one) for one in quoted))
    if question.asks is AnswerType.YES_NO and not any(_says_more(question, one) for one in quoted):
        return True
    return any(is_thing(word.lower(), compares=False) if english else word[0].isupper() for word in unread)


def _is_of_another(owner: str, thing: str, quoted: Sequence[RankedSentence]) -> bool:
    """Return whether all quotations with a thing have it of another owner: Bram's birthday is not Tilly's."""
    told = [one.candidate.text for one in quoted if set(stems(thing)) & one.candidate.stems]
    others = (
        {found[1] for found in _OWNED.finditer(text) if set(stems(found[2])) & set(stems(thing))} for text in told
    )
    return bool(told) and all(other and owner not in other for other in others)


def _is_of_none_named(question: AnalysedQuestion, quoted: Sequence[RankedSentence]) -> bool:
    """Return whether no quotation with most of what is asked of a name, when or where, has the name or a pronoun.

    Where Isidore was born is not where Blanche was.
    """
    names = name_stems(question)
    things = [(word, forms) for word, forms in telling_words(question) if names.isdisjoint(forms)]
    if question.asks not in (*_TIMES, AnswerType.PLACE) or not things or not named(question):
        return False
    told = [one for one in quoted if _has_most(things, one, quoted)]
    texts = [f"{one.quoted_before} {shown(one)} {one.candidate.entry} {one.candidate.speakers}" for one in told]
    return bool(told) and not any(_REFERS.search(text) or not names.isdisjoint(stems(text)) for text in texts)


def _has_person(question: AnalysedQuestion, one: RankedSentence) -> bool:
    """Return whether a quotation has what may be the name of a person that the question has not, or a speaker."""
    text = f"{one.quoted_before} {one.candidate.text} {one.quoted_after} {' '.join(one.candidate.items)}"
    asked = question.text.lower()
    names = (found for found in _NAME.finditer(text) if found[0].lower() not in asked)
    return bool(one.candidate.speakers) or any(
        not set(stems(found[0])) <= CALENDAR
        and not (_BEGINS.search(text, 0, found.start()) and any(map(is_ordinary, split_words(found[0]))))
        for found in names
    )


def _says_more(question: AnalysedQuestion, one: RankedSentence) -> bool:
    """Return whether a quotation says what a yes-or-no question asks in the end, or more than the question."""
    last = telling_words(question)[-1:]
    text = fold_text(f"{shown(one)} {one.quoted_before} {one.quoted_after}")
    told = one.candidate.stems.union(stems(f"{one.quoted_before} {one.quoted_after}"))
    return len(told - set(question.stems)) >= _MORE or any(is_mentioned(*each, told, text) for each in last)
