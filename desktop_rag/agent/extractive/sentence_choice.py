"""Chooses the sentences to quote for each question, or none if what was read does not answer it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.answer_type import AnswerType, has_type
from desktop_rag.agent.extractive.asked_things import (
    about_named,
    head_without_name,
    name_stems,
    named,
    no_time_told,
    nothing_asked,
    only_names,
    other_years,
    shares_little,
    to_the_point,
)
from desktop_rag.agent.extractive.content_words import related, stems
from desktop_rag.agent.extractive.evidence_chain import best_pairs
from desktop_rag.agent.extractive.further_quotations import (
    CONVINCING,
    MAX_QUOTES,
    MIN_NEW_BESIDE,
    MIN_SHARE_CONVINCING,
    is_beside,
    with_further,
)
from desktop_rag.agent.extractive.quantities.fitting_figures import asks_figure, asks_number, has_figure
from desktop_rag.agent.extractive.quantities.fitting_rows import MAX_EQUAL, equal_rows, with_equal_rows
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_ranking import ALL_OWN, ANY_PRICE, COUNTED, RankedSentence, own_words_first
from desktop_rag.agent.extractive.side_comparison import compare_sides
from desktop_rag.agent.extractive.structured.definitions import asked_term, definitions
from desktop_rag.agent.extractive.structured.latest_entries import latest
from desktop_rag.agent.extractive.structured.said_later import denials, from_source, replaced
from desktop_rag.agent.extractive.structured.unasked_heads import is_sender, is_unasked_head

MAX_COMPARED = 4  # the same for a comparison of two things, each found by way of another
MAX_LISTED = 40  # the same for a question for all documents, one of each passage
MIN_OWN_LISTED = 0.6  # share of the question's words in a listed sentence
MAX_QUOTES_EACH = 2  # for each of several questions
MIN_SHARE_EACH = 0.95  # the same for each of several questions
MIN_SHARE_BEYOND = 0.8  # of the best score, for the sentences that share more than names with the question
MIN_SHARED_ELSEWHERE = 2  # words of the question in a further sentence from another document than the best one's
TOGETHER = 12  # best sentences, one of which has what a question asks of a name together with it
SAME_SCORE = 0.97  # share of its score for another question at which a sentence is quoted for both
GOOD_SHARE = 0.75  # of the best score: a question gives up a sentence to another question if it has one as good
# The two below were tuned on questions about chat logs, including unanswerable ones.
MIN_COVERED = 0.45  # share of the question's words in and around the best sentence
MIN_COVERED_LINKED = 0.3  # the same for two sentences, one of which names what the other is about
MIN_COVERED_PAIR = 0.55  # the same for two sentences without a link
MIN_COVERED_SEMANTIC = 0.28  # the same as MIN_COVERED if a search by meaning ranked the sentence first
MIN_SCORE = 0.45
MIN_CONTEXT = 0.8  # share of the question's words around a sentence that has none of them itself
MIN_CONTEXT_SEMANTIC = 0.5  # the same if a search by meaning ranked the sentence first
NAME_PREFIX = 4  # letters that all inflected forms of a name share

_EXCEPTION = re.compile(
    r"\b(?:in (?:the )?(?:case|event) of|if|unless|except|bei|im falle?|falls|wenn|sofern)\b", re.IGNORECASE
)
_WHO = re.compile(r"(?:who|wer)\b", re.IGNORECASE)
_FIRST_PERSON = re.compile(r"\b(?:I|[Ww]e|[Mm]y|[Oo]ur|[Pp]lease|[Ii]ch|[Ww]ir|[Bb]itte)\b")
_ENGLISH = frozenset(("who", "whose", "what", "when", "where", "which", "why", "how", "did", "does", "is", "the", "of"))

Found = tuple[AnalysedQuestion, Sequence[RankedSentence]]


@dataclass(frozen=True, slots=True)
class ChosenSentences:
    """The sentences that answer one question, none if nothing does; `lead_in` is what follows from them."""

    question: AnalysedQuestion
    sentences: tuple[RankedSentence, ...] = ()
    lead_in: str = ""
    of_each: bool = False  # one of every passage, even if they say the same
    linked: bool = False  # one names what another is about
    stated: bool = False  # a row has what is asked, maybe in other words
    more: bool = False  # too many other rows have as many words of the question


def choose_sentences(
    found: Sequence[Found], calculated: Mapping[AnalysedQuestion, ChosenSentences]
) -> list[ChosenSentences]:
    """Return the sentences to quote for each question; some are `calculated` from amounts."""
    several = len(found) > 1
    return [
        calculated.get(question) or _choose(question, ranked, several=several) for question, ranked in _assigned(found)
    ]


def _choose(question: AnalysedQuestion, found: Sequence[RankedSentence], *, several: bool) -> ChosenSentences:
    ranked = found
    if not ranked or _lacks_names(question, ranked):
        return ChosenSentences(question)
    term, only_meaning = asked_term(question)
    if term and ((defining := definitions(term, ranked)) or only_meaning):
        return ChosenSentences(question, defining)
    if question.asks is AnswerType.LIST and len(listed := _listed(ranked)) > 1:
        return ChosenSentences(question, listed, _said_of(question, listed), of_each=True)
    ranked = own_words_first(question, to_the_point(question, ranked))
    about = _without_heads(question, about_named(question, ranked))  # heads name who wrote, but do not answer
    ranked = _without_heads(question, ranked)
    whole = ranked[0].own >= ALL_OWN and asks_number(question) and not _is_row(ranked[0])
    pairs = [] if several else best_pairs(question, ranked)
    if compared := None if several else compare_sides(question, ranked, pairs):
        return ChosenSentences(question, compared.sentences[:MAX_COMPARED], compared.lead_in)
    linked = bool(pairs) and pairs[0].linked and not whole
    about = ranked if linked else about
    best, ranked = _figure_first(question, about[0], _beyond_names(question, about))
    if not _is_convincing(question, best):
        best, ranked = _more_convincing(question, best, ranked)
    if not ranked or best.score < MIN_SCORE:
        return ChosenSentences(question)
    if not linked and (_is_beside_the_point(question, ranked) or head_without_name(question, ranked[:TOGETHER])):
        return ChosenSentences(question)
    paired = bool(pairs) and pairs[0].covered >= (MIN_COVERED_LINKED if linked else MIN_COVERED_PAIR)
    if not paired and not _is_convincing(question, best):
        return ChosenSentences(question)
    if several:
        enough = MIN_SHARE_EACH * ranked[0].score
        more = (one for one in ranked[1 : 3 * MAX_QUOTES_EACH] if one.score >= enough and one.own)
        return ChosenSentences(question, (ranked[0], *more)[:MAX_QUOTES_EACH])
    chosen = with_further(question, ranked, pairs)
    if named(question) and not any(one.own for one in chosen):  # only what stands around them has its words
        return ChosenSentences(question)
    chosen = _with_named(question, chosen, about)
    if _tells_another(question, chosen, found, linked=linked):
        return ChosenSentences(question)
    kept = _without_padding(question, chosen, linked=linked)
    kept = kept if linked else _completed(question, _counted_first(question, kept, found), found)
    cut = len(equal_rows(question, kept, found)) > MAX_EQUAL
    return ChosenSentences(question, kept, linked=linked, more=cut)


def _is_row(one: RankedSentence) -> bool:
    return one.candidate.shape is SentenceShape.ROW


def _counted_first(
    question: AnalysedQuestion, kept: tuple[RankedSentence, ...], found: Sequence[RankedSentence]
) -> tuple[RankedSentence, ...]:
    """Return the sentences with those first that have the number of what a question asks to count.

    If none has, with one of the best of the same document that has.
    """
    if not asks_number(question):
        return kept
    here = (one for one in found[:TOGETHER] if one.candidate.title == kept[0].candidate.title)
    told = [one for one in kept if has_figure(question, one.candidate.text)]
    told = told or [one for one in here if has_figure(question, one.candidate.text)][:1]
    return (*told, *(one for one in kept if one not in told))[:MAX_QUOTES]


def _completed(
    question: AnalysedQuestion, chosen: tuple[RankedSentence, ...], found: Sequence[RankedSentence]
) -> tuple[RankedSentence, ...]:
    """Return the sentences in their order, perhaps with the sender of a mail or what is said later."""
    kept = from_source(question, _with_sender(question, _rule_first(question, chosen), found), found)
    last = latest(question, kept, found) or denials(question, kept[0], found)
    last = last or replaced(question, kept[0], found)
    if not last:
        return with_equal_rows(question, kept, found)
    return (*last, *(one for one in kept if one not in last))[:MAX_QUOTES]


def _tells_another(
    question: AnalysedQuestion, chosen: Sequence[RankedSentence], ranked: Sequence[RankedSentence], *, linked: bool
) -> bool:
    """Return whether the chosen sentences do not answer the question."""
    if other_years(question, chosen) or shares_little(question, chosen, ranked):
        return True
    return not linked and (nothing_asked(question, chosen) or no_time_told(question, chosen))


def _without_heads(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> Sequence[RankedSentence]:
    """Return the sentences without headings and unrequested lines of a mail's head; all if no other is."""
    told = [one for one in ranked if one.candidate.shape is not SentenceShape.HEADING]
    return [one for one in told if not is_unasked_head(question, one.candidate)] or ranked


def _with_sender(
    question: AnalysedQuestion, chosen: tuple[RankedSentence, ...], found: Sequence[RankedSentence]
) -> tuple[RankedSentence, ...]:
    """Return the sentences behind the sender of the mail if a question asks who and the best says “we” or “please”."""
    best = chosen[0].candidate
    if not _WHO.match(question.text) or not _FIRST_PERSON.search(best.text):
        return chosen
    sender = next((one for one in found if one.candidate.title == best.title and is_sender(one.candidate)), None)
    return chosen if sender is None or sender in chosen else (sender, *chosen)[:MAX_QUOTES]


def _rule_first(question: AnalysedQuestion, chosen: tuple[RankedSentence, ...]) -> tuple[RankedSentence, ...]:
    """Return the sentences with the rule before its exception, if that is the best and stands right behind the rule."""
    best = chosen[0]
    if not _EXCEPTION.match(best.candidate.text) or _EXCEPTION.search(question.text):
        return chosen
    rule = next((one for one in chosen[1:] if one.candidate.text == best.candidate.before), None)
    if rule is None or not has_type(question.asks, rule.candidate.text, question.text):
        return chosen
    return (rule, *(one for one in chosen if one is not rule))


def _without_padding(
    question: AnalysedQuestion, chosen: Sequence[RankedSentence], *, linked: bool
) -> tuple[RankedSentence, ...]:
    """Return the first sentence, and those others that share a content word with the question or its line.

    A greeting (“Hope you're doing well.”) in its line tells too little. If the first lacks the type of the answer,
    also those that have it.
    """
    if linked:
        return tuple(chosen)
    first, *others = chosen
    asked = frozenset(question.stems).union(*map(related, question.stems))
    asked -= ANY_PRICE if question.asks is AnswerType.MONEY else frozenset()
    typed = has_type(question.asks, first.candidate.text, question.text)
    kept, told = [first], first.candidate.stems
    for one in others:
        answers = has_type(question.asks, one.candidate.text, question.text)
        held = one.candidate.stems.union(stems(one.candidate.before)) if one.led else one.candidate.stems
        adds = asked & held - (told if typed else frozenset())
        beside = not typed and is_beside(one, first.candidate) and _new_words(question, one) > MIN_NEW_BESIDE
        here = one.candidate.title == first.candidate.title
        if (
            typed
            and not here
            and len(asked & one.candidate.stems.union(stems(one.candidate.columns))) < MIN_SHARED_ELSEWHERE
        ):
            continue
        if adds or beside or (answers and ((here and not typed) or asked & one.candidate.stems)):
            kept.append(one)
            told |= one.candidate.stems
    return tuple(kept)


def _is_beside_the_point(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> bool:
    """Return whether the best sentences tell something of whom a question names, but not what it asks."""
    typed = has_type(question.asks, ranked[0].candidate.text, question.text)
    if question.asks is AnswerType.MONEY and question.head:  # any price would be money
        typed = False
    return not typed and only_names(question, ranked[:MAX_QUOTES])


def _listed(ranked: Sequence[RankedSentence]) -> tuple[RankedSentence, ...]:
    """Return the best sentence of every passage that has the words of a question for all documents."""
    best: dict[str, RankedSentence] = {}
    for one in ranked:
        if one.own >= MIN_OWN_LISTED and one.candidate.shape is not SentenceShape.HEADING:
            best.setdefault(one.candidate.reference, one)
    return tuple(best.values())[:MAX_LISTED]


def _said_of(question: AnalysedQuestion, listed: Sequence[RankedSentence]) -> str:
    """Return the line above passages that were listed: the words of the question that all of them have."""
    held = frozenset[str].intersection(*(one.candidate.stems for one in listed))
    said = [f"“{word}”" for word in question.words if (forms := stems(word)) and held.issuperset(forms)]
    what = f"mention {', '.join(said)}" if said else "have most words of this question"
    return f"{len(listed)} passages that were read {what}:"


def _beyond_names(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> Sequence[RankedSentence]:
    """Return the sentences that share more than names with the question; if those are poor, also the telling others."""
    judged = [(one, _only_names(question, one)) for one in ranked]
    beyond = [one for one, only in judged if not only]
    if not beyond or beyond[0].score >= MIN_SHARE_BEYOND * ranked[0].score:
        return beyond
    return [one for one, only in judged if not only or _new_words(question, one) >= MIN_NEW_BESIDE]


def _new_words(question: AnalysedQuestion, one: RankedSentence) -> int:
    return len(one.candidate.stems.difference(question.stems))


def _only_names(question: AnalysedQuestion, one: RankedSentence) -> bool:
    """Return whether a sentence shares only names with the question, and nothing of its answer type."""
    words = set(question.stems) - name_stems(question)
    held = one.candidate.stems.union(stems(one.candidate.columns))
    if not words or not one.own or one.led or any(word in held or related(word) & held for word in words):
        return False
    text = one.candidate.text
    figure = question.asks in COUNTED and any(character.isdigit() for character in text)
    return not (figure or has_type(question.asks, text, question.text))


def _is_convincing(question: AnalysedQuestion, best: RankedSentence) -> bool:
    """Return whether the best sentence has enough of the question in and around it."""
    candidate = best.candidate
    if not best.own and best.covered < (MIN_CONTEXT_SEMANTIC if candidate.focus == 1 else MIN_CONTEXT):
        return False
    held = candidate.around | candidate.place_words
    has_head = all(not asked or not held.isdisjoint(asked) for asked in (question.head, question.thing))
    return best.covered >= (MIN_COVERED_SEMANTIC if candidate.focus == 1 and has_head else MIN_COVERED)


def _more_convincing(
    question: AnalysedQuestion, best: RankedSentence, ranked: Sequence[RankedSentence]
) -> tuple[RankedSentence, Sequence[RankedSentence]]:
    """Return a sentence nearly as good as the best one that has more of the question, and it before the others."""
    near = (one for one in ranked[:CONVINCING] if one.own and one.score >= MIN_SHARE_CONVINCING * best.score)
    found = next((one for one in near if _is_convincing(question, one)), None)
    return (best, ranked) if found is None else (found, [found, *(one for one in ranked if one is not found)])


def _figure_first(
    question: AnalysedQuestion, best: RankedSentence, ranked: Sequence[RankedSentence]
) -> tuple[RankedSentence, Sequence[RankedSentence]]:
    """Return a sentence with the price or number asked for that is nearly as good as a best one without any."""
    if not asks_figure(question) or has_figure(question, best.candidate.text):
        return best, ranked
    near = (one for one in ranked[:CONVINCING] if one.score >= MIN_SHARE_CONVINCING * best.score)
    told = (one for one in near if has_figure(question, one.candidate.text))
    found = next((one for one in told if one.covered >= MIN_COVERED), None)
    return (best, ranked) if found is None else (found, [found, *(one for one in ranked if one is not found)])


def _with_named(
    question: AnalysedQuestion, chosen: Sequence[RankedSentence], about: Sequence[RankedSentence]
) -> tuple[RankedSentence, ...]:
    """Return the chosen sentences; if none has a name of the question, with a neighbour of the best one that has.

    It is in the same line: “Present: A, B. Absent: C.”, or a label in the same document: “Tenant: A”.
    """
    best, names = chosen[0].candidate, {stem for name in named(question) for stem in name}
    if any(names & (one.candidate.around | one.candidate.place_words) for one in chosen[1:]) or names & best.stems:
        return tuple(chosen)
    beside = (one for one in about if one.candidate.text in (best.before, best.after))
    near = [one for one in beside if names & one.candidate.stems and one.candidate.first_line == best.first_line]
    whole = [frozenset(name) for name in named(question) if len(name) > 1]
    here = [one for one in about if one.candidate.title == best.title and one.candidate.is_label]
    near += [one for one in here if any(name <= one.candidate.stems for name in whole)]
    return (chosen[0], *near[:1], *chosen[1:])[:MAX_QUOTES]


def _assigned(found: Sequence[Found]) -> list[Found]:
    """Assign each sentence to the question it answers best, if the other questions have nearly as good ones."""
    best: dict[str, float] = {}
    for _, ranked in found:
        for one in ranked[:MAX_QUOTES]:
            best[one.candidate.text] = max(best.get(one.candidate.text, 0.0), one.score)
    assigned: list[Found] = []
    for question, ranked in found:
        own = [one for one in ranked if one.score >= SAME_SCORE * best.get(one.candidate.text, 0.0)]
        enough = bool(own) and own[0].score >= GOOD_SHARE * ranked[0].score
        assigned.append((question, own if enough else ranked))
    return assigned


def _lacks_names(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> bool:
    """Return whether an English question has names and no sentence that was read has any of them.

    Only in English does a capital letter mark a name. Inflected forms of a name share a prefix.
    """
    if _ENGLISH.isdisjoint(question.text.lower().split()):
        return False
    words = (word for name in question.names for word in name.split())
    named = {
        stem[:NAME_PREFIX] for word in words if word.istitle() and len(word) >= NAME_PREFIX for stem in stems(word)
    }
    read = {word[:NAME_PREFIX] for one in ranked for word in one.candidate.around | one.candidate.place_words}
    return bool(named) and named.isdisjoint(read)
