"""Chooses the passages to quote for each question, or none if what was read does not answer it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.evidence_chain import EvidencePair, best_pairs
from desktop_rag.agent.extractive.question_analysis import COUNTED, AnalysedQuestion, AnswerType, has_type
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence
from desktop_rag.agent.extractive.side_comparison import compare_sides
from desktop_rag.text.language_detection import detect, language_of_query

MAX_PASSAGES = 3
MIN_SHARE = 0.55  # of the best score, for further sentences that no name leads to
MIN_SHARE_ELSEWHERE = 0.85  # the same for one of another document
MAX_DROP = 1.25  # from the score of the best pair of sentences to the worst one that is quoted
MAX_PAIRS = 40
MAX_PASSAGE = 600  # characters of a sentence with those beside it
MAX_QUOTE = 700  # characters of one quotation
SHORT = 40  # characters of a sentence that says little without the one before it
# The ones below were tuned on questions about chat logs, including unanswerable ones.
MIN_COVERED = 0.45  # share of the question's words in and around the best sentence
MIN_COVERED_LINKED = 0.3  # the same for two sentences, one of which names what the other is about
MIN_COVERED_SEMANTIC = 0.28  # the same as MIN_COVERED if a search by meaning ranked the sentence first
ALL = 0.99  # share of the question's words in and around a sentence that has all of them
SURE_OWN = 0.4  # the same in a sentence that is nearest in meaning, too
SAME_SCORE = 0.97  # share of its score for another question at which a sentence is quoted for both
GOOD_SHARE = 0.75  # of the best score: a question gives up a sentence to another question if it has one as good
TOP = 40  # best sentences whose language is looked at

_LABEL = re.compile(r"\W*[^\W_][\w .-]{0,30}: ")  # tells by itself what it is about

Found = tuple[AnalysedQuestion, Sequence[RankedSentence]]


@dataclass(frozen=True, slots=True)
class ChosenPassage:
    """A sentence with those beside it, and the lines that they stand in."""

    sentence: RankedSentence
    text: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ChosenPassages:
    """The passages that answer one question, none if nothing does; `lead_in` is what follows from them."""

    question: AnalysedQuestion
    passages: tuple[ChosenPassage, ...] = ()
    lead_in: str = ""
    sure: bool = False
    of_each: bool = False  # all are shown, even if they say the same
    alone_of: tuple[str, ...] = ()  # compared things of which nothing was found


def choose_passages(found: Sequence[Found]) -> list[ChosenPassages]:
    """Return the sentences to quote for each question; one goes to the question that it answers best."""
    best: dict[str, float] = {}
    for one in (one for _, ranked in found for one in ranked):
        best[one.candidate.text] = max(best.get(one.candidate.text, 0.0), one.score)
    chosen: list[ChosenPassages] = []
    for question, ranked in found:
        own = [one for one in ranked if one.score >= SAME_SCORE * best[one.candidate.text]]
        is_enough = bool(own) and own[0].score >= GOOD_SHARE * ranked[0].score
        chosen.append(_choose(question, own if is_enough else ranked, several=len(found) > 1))
    return chosen


def is_foreign(question: AnalysedQuestion, own: CandidateSentence) -> bool:
    """Return whether a sentence is surely in another language than the question, and has no name or code of it."""
    asked, told = language_of_query(question.text), detect(f"{own.before} {own.text} {own.after}")
    if not asked or not told or asked == told:
        return False
    kept = frozenset(each for name in (*question.names, *question.codes) for each in stems(name))
    return kept.isdisjoint(own.stems | own.place_words)


def _choose(question: AnalysedQuestion, found: Sequence[RankedSentence], *, several: bool) -> ChosenPassages:
    told = [one for one in found if one.candidate.shape is not SentenceShape.HEADING] or [*found]
    ranked = [*(one for one in told[:TOP] if not is_foreign(question, one.candidate)), *told[TOP:]]
    if not ranked:
        return ChosenPassages(question)
    best = ranked[0]
    pairs = [] if several else best_pairs(question, ranked)
    if compared := None if several else compare_sides(question, ranked, pairs):
        shown = passages(compared.sentences, found)
        told_of = compared.of_documents and len(shown) > 1 and all(one.own >= SURE_OWN for one in compared.sentences)
        return ChosenPassages(
            question, shown, compared.lead_in, sure=told_of or bool(compared.lead_in), alone_of=compared.lacking
        )
    linked = bool(pairs) and pairs[0].linked and not (best.pinned or (best.covered >= ALL and best.own >= SURE_OWN))
    if not (best.pinned or (linked and pairs[0].covered >= MIN_COVERED_LINKED) or _is_convincing(best)):
        return ChosenPassages(question)
    shown = passages(_with_further(ranked, pairs, linked=linked), found)[: 1 if several else MAX_PASSAGES]
    rivals = (one.sentence for one in shown[1:] if one.sentence.candidate.document != best.candidate.document)
    rivalled = question.asks in COUNTED and any(one.own >= best.own for one in rivals)  # another figure may be meant
    return ChosenPassages(question, shown, sure=_is_sure(question, best, ranked) and not linked and not rivalled)


def _is_convincing(best: RankedSentence) -> bool:
    """Return whether the best sentence has enough of the question in and around it."""
    return best.covered >= (MIN_COVERED_SEMANTIC if best.candidate.focus == 1 else MIN_COVERED)


def _with_further(
    ranked: Sequence[RankedSentence], pairs: Sequence[EvidencePair], *, linked: bool
) -> tuple[RankedSentence, ...]:
    """Return the linked pair or the best sentence, then the further sentences of pairs and the next best ones."""
    best = ranked[0]
    chosen = [pairs[0].first, pairs[0].second] if linked else [best]
    near = [one for one in ranked[1:] if one.own and one.score >= _min_share(one, best) * best.score]
    for pair in pairs[:MAX_PAIRS]:
        if pair.score < pairs[0].score - MAX_DROP:
            break
        chosen += [one for one in (pair.first, pair.second) if one.own and (pair.linked or one in near)]
    return tuple(dict.fromkeys((*chosen, *near)))


def _min_share(one: RankedSentence, best: RankedSentence) -> float:
    return MIN_SHARE if one.candidate.document == best.candidate.document else MIN_SHARE_ELSEWHERE


def passages(chosen: Sequence[RankedSentence], read: Sequence[RankedSentence]) -> tuple[ChosenPassage, ...]:
    """Return the passages around sentences, without those that one before them has."""
    kept: list[ChosenPassage] = []
    for one in chosen:
        own = one.candidate
        if not any(own.text in other.text and own.document == other.sentence.candidate.document for other in kept):
            passage = passage_of(one, read)
            overlaps = any(each.sentence.candidate.text in passage.text for each in kept)
            kept.append(passage_of(one, ()) if overlaps else passage)
    return tuple(kept)


def passage_of(one: RankedSentence, read: Sequence[RankedSentence]) -> ChosenPassage:
    """Return a sentence with those beside it that were `read`: what it leans on, and what follows it."""
    own = one.candidate
    if own.shape is SentenceShape.ROW:
        return ChosenPassage(one, _truncated(own.text.strip("| \t") or own.text), own.first_line, own.last_line)
    text, first, last = own.text, own.first_line, own.last_line
    leans = own.leans or len(own.text) < SHORT // 2
    if own.before_line and leans and own.shape is SentenceShape.PROSE and len(own.before) + len(text) < MAX_QUOTE:
        text, first = f"{own.before} {text}", own.before_line
    beside = {(each.candidate.reference, each.candidate.text): each.candidate for each in read}
    end: CandidateSentence | None = own if own.shape is SentenceShape.PROSE else None
    while end and end.after_line and len(text) + len(end.after) < MAX_PASSAGE:
        text, last = f"{text} {end.after}", end.after_line
        following = beside.get((own.reference, end.after))
        end = following if following and following.before == end.text else None  # not the same words elsewhere
    told = own.shape is SentenceShape.PROSE and first == own.before_line and len(own.before) >= SHORT
    if told and not _LABEL.match(own.text) and len(own.before) + len(text) < MAX_PASSAGE:  # of one paragraph
        text = text if text.startswith(own.before) else f"{own.before} {text}"
    return ChosenPassage(one, _truncated(text), first, last)


def _truncated(text: str) -> str:
    """Truncate a text to `MAX_QUOTE` characters, between words."""
    return text if len(text) <= MAX_QUOTE else text[: MAX_QUOTE + 1].rpartition(" ")[0] or text[:MAX_QUOTE]


def _is_sure(question: AnalysedQuestion, best: RankedSentence, ranked: Sequence[RankedSentence]) -> bool:
    """Return whether words, and meaning or a code, lead to one sentence, or it alone begins with a code that is asked.

    It must have all of the words in or around it, the numbers not only in the name of its document but where the
    question has them, and a figure or date that is asked for. No other sentence with such a figure may
    have as many of the words.
    """
    own = best.candidate
    counted = question.asks in COUNTED
    typed = not counted or has_type(question.asks, _told(best), question.text)
    known = stems(f"{' '.join(question.names)} {' '.join(question.codes)} {own.title} {own.file}")
    asked = frozenset(question.stems).difference(known)
    told = asked & own.stems
    beside = f"{own.before} {own.text} {own.after} {own.heading} {own.columns}"
    has_all = best.covered >= ALL and all(word in stems(beside) for word in question.stems if word.isdigit())
    if len(own.text) > MAX_QUOTE:  # its quotation may end before the words that answer
        return False
    others = [one for one in ranked[:TOP] if one.candidate.text not in beside]
    rows = [one for one in others if own.shape is SentenceShape.ROW and one.candidate.columns == own.columns]
    if any(one.own >= best.own and one.pinned == best.pinned for one in rows):
        return False
    if best.headed and not any(one.pinned and one.candidate.document != own.document for one in others):
        told_all = counted or question.asks is AnswerType.YES_NO or own.shape is SentenceShape.ROW
        return has_all or not told_all
    rivals = (one.candidate for one in others if not counted or has_type(question.asks, _told(one), question.text))
    most = max((len(asked & each.stems) for each in rivals), default=0)
    first = 2 * len(told) >= len(asked) and len(told) > most if asked else all(one.own < best.own for one in others)
    nearest = own.focus == 1 and best.own >= SURE_OWN  # by meaning
    return has_all and first and (best.pinned or (typed and nearest))


def _told(one: RankedSentence) -> str:
    return f"{one.candidate.text} {one.candidate.columns}"
