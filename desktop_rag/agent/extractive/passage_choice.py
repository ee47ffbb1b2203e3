"""Chooses the passages to quote for each question, or none if what was read does not answer it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.answer_type import AnswerType, has_type
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.evidence_chain import EvidencePair, best_pairs
from desktop_rag.agent.extractive.names_in_text import padded
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.agent.extractive.sentence_ranking import COUNTED, RankedSentence
from desktop_rag.agent.extractive.side_comparison import compare_sides
from desktop_rag.agent.extractive.word_forms import is_english, is_foreign

MAX_PASSAGES = 3
MAX_EACH = 2  # for each of several questions
MAX_LISTED = 40  # for a question for all documents, one of each
MIN_OWN_LISTED = 0.6  # share of the question's words in a listed sentence
MIN_SHARE = 0.55  # of the best score, for further sentences that no name leads to
MIN_SHARE_EACH = 0.95  # the same for each of several questions
MIN_OWN_ELSEWHERE = 0.9  # share of the best sentence's own words in one of another document
MIN_SHARE_ELSEWHERE = 0.85  # of the best score, for one of another document with fewer of them
MAX_DROP = 1.25  # from the score of the best pair of sentences to the worst one that is quoted
MAX_PAIRS = 40
SAME_SCORE = 0.97  # share of its score for another question at which a sentence is quoted for both
GOOD_SHARE = 0.75  # of the best score: a question gives up a sentence to another question if it has one as good
MAX_PASSAGE = 600  # characters of a sentence with those beside it
MAX_QUOTE = 700  # characters of one quotation
SHORT = 40  # characters of a sentence that says little without the one before it
SAME = 0.8  # share of the words of the shorter of two sentences at which they say the same
# The ones below were tuned on questions about chat logs, including unanswerable ones.
MIN_SCORE = 0.45
MIN_COVERED = 0.45  # share of the question's words in and around the best sentence
MIN_COVERED_LINKED = 0.3  # the same for two sentences, one of which names what the other is about
MIN_COVERED_PAIR = 0.55  # the same for two sentences without a link
MIN_COVERED_SEMANTIC = 0.28  # the same as MIN_COVERED if a search by meaning ranked the sentence first
MIN_CONTEXT, MIN_CONTEXT_SEMANTIC = 0.8, 0.5  # the same for a sentence that has none of the words itself
MIN_WITHOUT_THING = 0.55  # the same if no passage mentions what is asked for
NAME_PREFIX = 4  # letters that all inflected forms of a name share
ALL = 0.99  # share of the question's words in and around a sentence that has all of them
SURE_OWN = 0.4  # the same in a sentence that is nearest in meaning, too
TOP = 40  # best sentences whose language is looked at
LEADING = 6  # best sentences among which one that convinces is taken before a best one that does not
MIN_LEADING = 0.8  # of the best score, for such a one

_LABEL = re.compile(r"\W*[^\W_][\w .-]{0,30}: ")  # tells by itself what it is about

Found = tuple[AnalysedQuestion, Sequence[RankedSentence]]


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence with those beside it, and the lines that they stand in."""

    sentence: RankedSentence
    text: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ChosenPassages:
    """The passages that answer one question, none if nothing does; `lead_in` is what follows from them."""

    question: AnalysedQuestion
    passages: tuple[Passage, ...] = ()
    lead_in: str = ""
    value: str = ""  # the cell that answers
    sure: bool = False
    of_each: bool = False  # all are shown, even if they say the same
    more: bool = False  # other rows or documents are as good
    alone_of: tuple[str, ...] = ()  # compared things of which nothing was found


def choose_passages(
    found: Sequence[Found], calculated: Mapping[AnalysedQuestion, ChosenPassages]
) -> list[ChosenPassages]:
    """Return the sentences to quote for each question; some are `calculated` from tables."""
    chosen: list[ChosenPassages] = []
    for question, ranked in _assigned(found):
        tabled = calculated.get(question)
        own = tabled if tabled and tabled.sure else _choose(question, ranked, several=len(found) > 1)
        whole = own.sure or any(one.sentence.covered >= ALL and one.sentence.own for one in own.passages[:1])
        chosen.append(tabled if tabled and not whole else own)
    return chosen


def _choose(question: AnalysedQuestion, found: Sequence[RankedSentence], *, several: bool) -> ChosenPassages:
    prose = [one for one in found if one.candidate.shape is not SentenceShape.HEADING] or [*found]
    ranked: Sequence[RankedSentence] = [
        *(one for one in prose[:TOP] if not is_foreign(question, one.candidate)),
        *prose[TOP:],
    ]
    if not ranked or _lacks_names(question, ranked):
        return ChosenPassages(question)
    if question.asks is AnswerType.LIST and len(listed := _listed(ranked)) > 1:
        every = tuple(passage_of(one, ()) for one in listed[:MAX_LISTED])
        said = _said_of(question, listed[:MAX_LISTED])
        return ChosenPassages(question, every, said, sure=bool(said), of_each=True)
    ranked = _convincing_first(question, ranked)
    pairs = [] if several else best_pairs(question, ranked)
    if compared := None if several else compare_sides(question, ranked, pairs):
        shown = passages(compared.sentences, found)
        told = compared.of_documents and len(shown) > 1 and all(one.own >= SURE_OWN for one in compared.sentences)
        return ChosenPassages(
            question, shown, compared.lead_in, sure=told or bool(compared.lead_in), alone_of=compared.lacking
        )
    best = ranked[0]
    pinned = best.pinned
    linked = bool(pairs) and pairs[0].linked and not (pinned or _has_all(best))
    paired = bool(pairs) and pairs[0].covered >= (MIN_COVERED_LINKED if linked else MIN_COVERED_PAIR)
    if not pinned and (best.score < MIN_SCORE or not (paired or _is_convincing(question, best))):
        return ChosenPassages(question)
    if several:
        near = (one for one in ranked[1:] if one.score >= MIN_SHARE_EACH * best.score and one.own)
        return ChosenPassages(
            question, passages([best, *near], found)[:MAX_EACH], sure=_is_sure(question, best, ranked)
        )
    chosen = passages(_with_further(question, ranked, pairs, linked=linked), found)
    if not (linked or pinned) and best.covered < MIN_WITHOUT_THING and not _has_thing(question, chosen):
        return ChosenPassages(question)
    shown = chosen[:MAX_PASSAGES] if linked else _telling_first(question, chosen[:MAX_PASSAGES])
    first = shown[0].sentence
    rivals = (one.sentence for one in shown[1:] if one.sentence.candidate.document != first.candidate.document)
    rivalled = question.asks in COUNTED and any(one.own >= first.own for one in rivals)  # another figure may be meant
    return ChosenPassages(question, shown, sure=_is_sure(question, first, ranked) and not linked and not rivalled)


def _has_thing(question: AnalysedQuestion, chosen: Sequence[Passage]) -> bool:
    """Return whether a passage mentions what is asked for: which dessert, the topic of; also if nothing is named."""
    held = frozenset[str]().union(
        *(one.sentence.candidate.around | one.sentence.candidate.place_words for one in chosen)
    )
    asked = frozenset((*question.thing, *question.head))
    return not asked or not asked.isdisjoint(held)


def _tells(question: AnalysedQuestion, one: RankedSentence) -> bool:
    """Return whether a sentence has more of the question than its names, or a value of the type asked for."""
    names = frozenset(stem for name in question.names for stem in stems(name))
    own = one.candidate.stems.union(stems(one.candidate.columns)).intersection(question.stems)
    return bool(own - names) or names.issuperset(question.stems) or has_type(question.asks, one.candidate.text, "")


def passages(chosen: Sequence[RankedSentence], read: Sequence[RankedSentence]) -> tuple[Passage, ...]:
    """Return the passages around sentences, without those that say the same as one before them."""
    kept: list[Passage] = []
    for one in chosen:
        own = one.candidate
        known = any(own.text in other.text or _is_similar(own, other.sentence.candidate) for other in kept)
        if not known:
            passage = passage_of(one, read)
            overlaps = any(each.sentence.candidate.text in passage.text for each in kept)
            kept.append(passage_of(one, ()) if overlaps else passage)
    return tuple(kept)


def passage_of(one: RankedSentence, read: Sequence[RankedSentence]) -> Passage:
    """Return a sentence with those beside it that were `read`: what it leans on, and what follows it."""
    own = one.candidate
    if own.items:
        return Passage(one, "\n".join((own.text, *own.items)), own.first_line, own.items_line)
    if own.shape is SentenceShape.ROW:
        return Passage(one, _truncated(own.text.strip("| \t") or own.text), own.first_line, own.last_line)
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
    return Passage(one, _truncated(text), first, last)


def _truncated(text: str) -> str:
    """Truncate a text to `MAX_QUOTE` characters, between words."""
    return text if len(text) <= MAX_QUOTE else text[: MAX_QUOTE + 1].rpartition(" ")[0] or text[:MAX_QUOTE]


def _is_sure(question: AnalysedQuestion, best: RankedSentence, ranked: Sequence[RankedSentence]) -> bool:
    """Return whether words, and meaning or a code, lead to one sentence, or it alone begins with a code that is asked.

    It must have all of the words in or around it, the numbers not only in the name of its document but where the
    question has them, behind a name, and a figure or date that is asked for. No other sentence with such a figure may
    have as many of the words.
    """
    own = best.candidate
    counted = question.asks in COUNTED
    typed = not counted or has_type(question.asks, _told(best), question.text)
    asked = _asked_beside_names(question, own)
    told = asked & own.stems.union(stems(own.columns))
    beside = f"{own.before} {own.text} {own.after} {own.heading} {own.columns}"
    places = padded(f"{beside} {' '.join(own.document).replace('_', ' ')}").lower()
    has_all = (
        best.covered >= ALL
        and all(word in stems(beside) for word in question.stems if word.isdigit())
        and all(padded(name).lower() in places for name in question.numbered)
    )
    if len(own.text) > MAX_QUOTE:  # its quotation may end before the words that answer
        return False
    others = [one for one in ranked[:TOP] if one.candidate.text not in beside]
    rows = [one for one in others if own.shape is SentenceShape.ROW and one.candidate.columns == own.columns]
    if any(one.own >= best.own and one.pinned == best.pinned for one in rows):
        return False
    if best.headed and not any(one.pinned and one.candidate.document != own.document for one in others):
        thing = frozenset((*question.thing, *question.head))  # that the row of a code may have no cell for
        has_thing = own.shape is not SentenceShape.ROW or not thing or not thing.isdisjoint(own.stems | own.place_words)
        return has_all or (has_thing and not (counted or question.asks is AnswerType.YES_NO))
    rivals = (one.candidate for one in others if not counted or has_type(question.asks, _told(one), question.text))
    most = max((len(asked & each.stems) for each in rivals), default=0)
    first = 2 * len(told) >= len(asked) and len(told) > most if asked else all(one.own < best.own for one in others)
    return has_all and first and (best.pinned or (typed and _nearest(best)))


def _told(one: RankedSentence) -> str:
    return f"{one.candidate.text} {one.candidate.columns}"


def _nearest(best: RankedSentence) -> bool:
    """Return whether a search by meaning ranked a sentence first that has enough of the words itself."""
    return best.candidate.focus == 1 and best.own >= SURE_OWN


def _asked_beside_names(question: AnalysedQuestion, own: CandidateSentence) -> frozenset[str]:
    """Return the words of a question besides its names, its codes and those in the names of a sentence's document."""
    known = stems(f"{' '.join(question.names)} {' '.join(question.codes)} {own.title} {own.file}")
    return frozenset(question.stems).difference(known)


def _telling_first(question: AnalysedQuestion, shown: Sequence[Passage]) -> tuple[Passage, ...]:
    """Return passages in order, those with less than half of what another one tells beside names at the end."""
    told = [
        len(_asked_beside_names(question, each.sentence.candidate).intersection(stems(each.text))) for each in shown
    ]
    enough = [2 * count > max(told, default=0) or not any(told) for count in told]
    pairs = list(zip(shown, enough, strict=True))
    return (*(each for each, tells in pairs if tells), *(each for each, tells in pairs if not tells))


def _has_all(best: RankedSentence) -> bool:
    """Return whether a sentence has all words of the question in and around it, so that it needs no other one."""
    return best.covered >= ALL and best.own >= SURE_OWN


def _with_further(
    question: AnalysedQuestion, ranked: Sequence[RankedSentence], pairs: Sequence[EvidencePair], *, linked: bool
) -> tuple[RankedSentence, ...]:
    """Return the linked pair or the best sentence, then the further sentences of pairs and the next best ones."""
    best = ranked[0]
    chosen = [pairs[0].first, pairs[0].second] if linked else [best]
    near = [one for one in ranked[1:] if one.score >= MIN_SHARE * best.score and one.own and _tells(question, one)]
    for pair in pairs[:MAX_PAIRS]:
        if pair.score < pairs[0].score - MAX_DROP:
            break
        new = (one for one in (pair.first, pair.second) if one.own)
        chosen += [one for one in new if pair.linked or (one in near and (linked or _is_apt(one, best)))]
    return tuple(dict.fromkeys((*chosen, *(one for one in near if _is_apt(one, best)))))


def _is_apt(one: RankedSentence, best: RankedSentence) -> bool:
    """Return whether a further sentence is from the best one's document or has nearly as many of the words asked."""
    near = one.own >= MIN_OWN_ELSEWHERE * best.own or one.score >= MIN_SHARE_ELSEWHERE * best.score
    return near or one.candidate.document == best.candidate.document


def _is_similar(one: CandidateSentence, other: CandidateSentence) -> bool:
    """Return whether two sentences share most of their words; rows of a table differ by one cell."""
    if SentenceShape.ROW in (one.shape, other.shape):
        return one.text == other.text and one.document == other.document
    if one.document != other.document:  # the same clause of two contracts
        return one.stems == other.stems
    shared = len(one.stems & other.stems)
    return shared >= SAME * max(1, min(len(one.stems), len(other.stems)))


def _convincing_first(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> Sequence[RankedSentence]:
    """Return the sentences, one with enough words of the question, or the figure, before a best one without."""
    near = [one for one in ranked[:LEADING] if (one.own or one.headed) and one.score >= MIN_LEADING * ranked[0].score]
    if question.asks in COUNTED:
        near.sort(key=lambda one: not has_type(question.asks, one.candidate.text, question.text))
    first = next((one for one in near if _is_convincing(question, one)), near[0] if near else ranked[0])
    return [first, *(one for one in ranked if one is not first)]


def _is_convincing(question: AnalysedQuestion, best: RankedSentence) -> bool:
    """Return whether the best sentence has enough of the question in and around it."""
    candidate = best.candidate
    if not best.own and best.covered < (MIN_CONTEXT_SEMANTIC if candidate.focus == 1 else MIN_CONTEXT):
        return False
    held = candidate.around | candidate.place_words
    has_head = all(not asked or not held.isdisjoint(asked) for asked in (question.head, question.thing))
    return best.covered >= (MIN_COVERED_SEMANTIC if candidate.focus == 1 and has_head else MIN_COVERED)


def _listed(ranked: Sequence[RankedSentence]) -> list[RankedSentence]:
    """Return the best sentence of every document that has the words of a question for all documents."""
    best: dict[tuple[str, str], RankedSentence] = {}
    for one in ranked:
        if one.own >= MIN_OWN_LISTED:
            best.setdefault(one.candidate.document, one)
    return list(best.values())


def _said_of(question: AnalysedQuestion, listed: Sequence[RankedSentence]) -> str:
    """Return the line above documents that were listed: the words of the question that all of them have."""
    held = frozenset[str].intersection(*(one.candidate.stems for one in listed))
    said = [f"“{word}”" for word in question.words if (forms := stems(word)) and held.issuperset(forms)]
    return f"{len(listed)} documents that were read mention {', '.join(said)}:" if said else ""


def _assigned(found: Sequence[Found]) -> list[Found]:
    """Assign each sentence to the question it answers best, if the other questions have nearly as good ones."""
    best: dict[str, float] = {}
    for _, ranked in found:
        for one in ranked[:MAX_PASSAGES]:
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
    if not is_english(question):
        return False
    words = (word for name in question.names for word in name.split())
    named = {
        stem[:NAME_PREFIX] for word in words if word.istitle() and len(word) >= NAME_PREFIX for stem in stems(word)
    }
    read = {word[:NAME_PREFIX] for one in ranked for word in one.candidate.around | one.candidate.place_words}
    return bool(named) and named.isdisjoint(read)
