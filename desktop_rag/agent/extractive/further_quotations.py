"""Chooses what is quoted beside the best sentence: linked and neighbouring sentences, and the next best ones."""

from collections.abc import Sequence
from dataclasses import replace

from desktop_rag.agent.extractive.answer_type import AnswerType, has_type
from desktop_rag.agent.extractive.content_words import related
from desktop_rag.agent.extractive.evidence_chain import EvidencePair
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence

MAX_QUOTES = 3  # sentences quoted for a single question
MIN_SHARE = 0.55  # of the best score, for further sentences that no name leads to
MIN_SHARE_SECOND = 0.7  # the same for the second best sentence, if it has the type of the answer
MIN_SHARE_THIRD, FILLING = 0.75, 6  # the same for one of the six best that fills a place which is left
MIN_OWN_ELSEWHERE = 0.9  # share of the best sentence's own words in one of another document without a link
OWN_SETTLED = 0.99  # share of the words of a yes-or-no question in the best sentence, which then answers it alone
BESIDE = 9  # best sentences among which a neighbour of the best one is quoted if that lacks the type of the answer
MIN_NEW_BESIDE = 3  # content words of such a neighbour that neither the question nor the best sentence has
MIN_SHARE_BESIDE = 0.3  # of the best score
SAME = 0.8  # share of a sentence's words in a quoted one that says the same of another thing
UNMET = 40  # best sentences among which one is sought that has words of the question that the chosen ones lack
MAX_DROP = 1.25  # from the score of the best pair of sentences to the worst one that is quoted
MAX_PAIRS = 40
CONVINCING = 4  # best sentences, one of which is taken for the best if that has less of the question
MIN_SHARE_CONVINCING = 0.8  # of the best score, for such a one


def with_further(
    question: AnalysedQuestion, ranked: Sequence[RankedSentence], pairs: Sequence[EvidencePair]
) -> tuple[RankedSentence, ...]:
    """Return the linked pair or the best sentence, the best further sentences of the pairs, and those beside it."""
    linked = bool(pairs) and pairs[0].linked
    chosen = [pairs[0].first, pairs[0].second] if linked else _leading(question, ranked)
    enough = MIN_SHARE * ranked[0].score
    for pair in pairs[:MAX_PAIRS]:
        if pair.score < pairs[0].score - MAX_DROP:
            break
        new = (one for one in (pair.first, pair.second) if one not in chosen and one.own)
        chosen += [
            one
            for one in new
            if pair.linked or (one.score >= enough and one in ranked and (linked or _is_apt(one, ranked[0])))
        ]
    if not _is_settled(question, ranked[0]):
        if not has_type(question.asks, ranked[0].candidate.text, question.text):
            chosen += [one for one in _beside(question, ranked) if one not in chosen]
        near = _near(question, ranked, ranked[1:FILLING], MIN_SHARE_THIRD)
        chosen += [one for one in near if one not in chosen]
    if linked:
        return tuple(chosen[:MAX_QUOTES])
    return tuple(_with_better(question, ranked, _with_unmet(question, ranked, chosen[:MAX_QUOTES])))


def _with_better(
    question: AnalysedQuestion, ranked: Sequence[RankedSentence], chosen: Sequence[RankedSentence]
) -> Sequence[RankedSentence]:
    """Return the chosen sentences, the last of three replaced by one of the best that may rather be an answer.

    That has the type of the answer and as many words of the question, unless the last one lacks the type.
    """
    *kept, last = chosen
    if len(chosen) < MAX_QUOTES:
        return chosen
    typed = _near(question, ranked, [last], 0)
    better = [
        one
        for one in _near(question, ranked, ranked[:CONVINCING], MIN_SHARE_CONVINCING)
        if one not in chosen and one.score > last.score and (one.own >= last.own or not typed)
    ]
    known = [one.candidate.stems for one in kept]
    new = (
        one
        for one in better
        if all(len(one.candidate.stems & told) < SAME * len(one.candidate.stems) for told in known)
    )
    return [*kept, next(new, last)]


def _with_unmet(
    question: AnalysedQuestion, ranked: Sequence[RankedSentence], chosen: Sequence[RankedSentence]
) -> Sequence[RankedSentence]:
    """Return the chosen sentences with one from the paragraph of the best that has words of the question they lack.

    For a yes-or-no question it may stand elsewhere in the document.
    It takes the place of one of another document, or of one that adds no word of the question.
    """
    best, asked = chosen[0].candidate, frozenset(question.stems)
    told = frozenset[str]().union(*(one.candidate.stems for one in chosen if one.candidate.title == best.title))
    anywhere = question.asks is AnswerType.YES_NO
    near = [
        one
        for one in ranked[:UNMET]
        if one not in chosen and (is_beside(one, best) or (anywhere and one.candidate.title == best.title))
    ]
    unmet = {one.candidate.text: len((asked - told) & one.candidate.stems) for one in near}
    new = max(near, key=lambda one: (unmet[one.candidate.text], one.score), default=None)
    if new is None or not unmet[new.candidate.text]:
        return chosen
    if len(chosen) < MAX_QUOTES:
        return [*chosen, new]
    *kept, last = chosen
    others = new.candidate.stems.union(*(one.candidate.stems for one in kept))
    adds = last.candidate.title == best.title and (asked & last.candidate.stems) - others
    return chosen if adds else [*kept, new]


def is_beside(one: RankedSentence, best: CandidateSentence) -> bool:
    """Return whether a sentence begins in the line of the best one."""
    return one.candidate.reference == best.reference and one.candidate.first_line == best.first_line


def _is_settled(question: AnalysedQuestion, best: RankedSentence) -> bool:
    """Return whether a sentence has all words of a yes-or-no question; for its figures it may have others."""
    if question.asks is not AnswerType.YES_NO or len(question.stems) < 2:
        return False
    words = [word for word in question.stems if not word[0].isdigit()]
    figured = 1 < len(words) < len(question.stems) and any(each.isdigit() for each in best.candidate.text)
    held = best.candidate.stems
    return best.own >= OWN_SETTLED or (figured and all(word in held or related(word) & held for word in words))


def _leading(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> list[RankedSentence]:
    """Return the best sentence, and the second best if that is nearly as good and may be an answer."""
    return [ranked[0], *_near(question, ranked, ranked[1:2], MIN_SHARE_SECOND)]


def _near(
    question: AnalysedQuestion, ranked: Sequence[RankedSentence], others: Sequence[RankedSentence], share: float
) -> list[RankedSentence]:
    """Return the others that have this share of the best score and may be an answer."""
    close = [one for one in others if one.own and one.score >= share * ranked[0].score]
    typed = (one for one in close if has_type(question.asks, one.candidate.text, question.text))
    return close if question.asks is AnswerType.ANYTHING else list(typed)


def _beside(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> list[RankedSentence]:
    """Return the neighbours of the best sentence that may say what it does not."""
    best, known = ranked[0].candidate, ranked[0].candidate.stems.union(question.stems)
    around = (one for one in ranked[1:] if one.candidate.text in (best.before, best.after))
    judged = ((one, has_type(question.asks, one.candidate.text, question.text)) for one in around)
    told = (
        replace(one, led=True)
        if typed and question.asks is AnswerType.AMOUNT and one.candidate.before == best.text
        else one
        for one, typed in judged
        if ((one in ranked[:BESIDE] or typed) and len(one.candidate.stems - known) >= MIN_NEW_BESIDE)
        or (typed and (one.candidate.leans or question.asks is AnswerType.AMOUNT))  # a greeting tells nothing
    )
    return [one for one in told if one.score >= MIN_SHARE_BESIDE * ranked[0].score]


def _is_apt(one: RankedSentence, best: RankedSentence) -> bool:
    """Return whether a further sentence is from the best one's document or has nearly as many of the words asked."""
    return one.candidate.title == best.candidate.title or one.own >= MIN_OWN_ELSEWHERE * best.own
