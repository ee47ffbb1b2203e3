"""Comparisons of two named things, or of documents: one sentence a side, and whether two things are of one country."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.names import place_groups
from desktop_rag.agent.extractive.content_words import ENGLISH, stems
from desktop_rag.agent.extractive.evidence_chain import EvidencePair, padded, title_words
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence
from desktop_rag.index.keywords.analysis import fold

_COMPARES = re.compile(
    r"\b(?:both|same|share|common|or|either|than|compare\w*|differ\w*|vergleiche?n?|unterschied\w*)\b", re.IGNORECASE
)
_SAME_ORIGIN = re.compile(r"\b(?:same|share|both)\b.*\b(?:countr(?:y|ies)|nationalit(?:y|ies))\b", re.IGNORECASE)
_ROLE = re.compile(r"\b(?:director|performer|composer|author|founder|writer|singer|creator)s?\b", re.IGNORECASE)
_OF_DOCUMENTS = re.compile(r"\b(?:compare\w*|differ\w*|vergleiche?n?|unterschied\w*)\b", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_SIDES = 2
MAX_COUNTRY = 3  # words
MAX_DOCUMENTS = 3
MIN_SHARE = 0.6  # of the best score, for the sentence of another document


@dataclass(frozen=True, slots=True)
class SideComparison:
    """The sentences of all sides, and a lead-in with what follows from them, if anything does."""

    sentences: tuple[RankedSentence, ...]
    lead_in: str = ""
    of_documents: bool = False  # it is asked to compare them, not which of them is more
    lacking: tuple[str, ...] = ()  # the names of the sides of which nothing was found


def compare_sides(
    question: AnalysedQuestion, ranked: Sequence[RankedSentence], pairs: Sequence[EvidencePair]
) -> SideComparison | None:
    """Return the comparison that a question asks for; None if it names no two passages that were read."""
    if not _COMPARES.search(question.text):
        return None
    of_documents = bool(_OF_DOCUMENTS.search(question.text))
    titles = _asked_titles(question.text, ranked)
    if len(titles) != _SIDES:
        return _by_document(ranked) if of_documents else None
    origin = bool(_SAME_ORIGIN.search(question.text))
    sides = [_side(question, title, ranked, pairs, origin=origin) for title in titles]
    quoted = tuple(dict.fromkeys(sentence for side in sides for sentence in side))
    if not quoted:
        return None
    lacking = tuple(" ".join(title_words(title)) for title, side in zip(titles, sides, strict=True) if not side)
    return SideComparison(quoted, _same_origin(sides) if origin else "", of_documents, lacking)


def _by_document(ranked: Sequence[RankedSentence]) -> SideComparison | None:
    """Return the best sentence of each document that has nearly as good a one as the best; None of one document."""
    best: dict[tuple[str, str], RankedSentence] = {}
    for one in ranked:
        if one.own and one.score >= MIN_SHARE * ranked[0].score:
            best.setdefault(one.candidate.document, one)
    return SideComparison(tuple(best.values())[:MAX_DOCUMENTS], of_documents=True) if len(best) > 1 else None


def _asked_titles(question: str, ranked: Sequence[RankedSentence]) -> list[str]:
    """Return the titles of passages that the question names, in its order; of equal names the one it spells out."""
    asked = padded(question).lower()
    found: dict[tuple[int, int], str] = {}
    names = dict.fromkeys((one.candidate.title, name) for one in ranked for name in _names(one.candidate))
    for title, name in names:
        at = asked.find(f" {name} ") if name else -1
        if at >= 0:
            span = (at, at + len(name))
            if span not in found or padded(title).lower() in asked:
                found[span] = title
    inner = {one for one in found for other in found if one != other and other[0] <= one[0] and one[1] <= other[1]}
    return [found[span] for span in sorted(found.keys() - inner)]


def _names(candidate: CandidateSentence) -> tuple[str, str]:
    """Return how a question may call a document: by its title, or by its file without the suffix."""
    file = candidate.file.rpartition(".")[0].replace("_", " ")
    return " ".join(title_words(candidate.title)).lower(), padded(file).strip().lower()


def _side(
    question: AnalysedQuestion,
    title: str,
    ranked: Sequence[RankedSentence],
    pairs: Sequence[EvidencePair],
    *,
    origin: bool,
) -> tuple[RankedSentence, ...]:
    """Return the sentence about one side; if it is asked for its country, the first one with a country."""
    own = [one for one in ranked if one.candidate.title == title and one.candidate.text not in title]
    if _ROLE.search(question.text):
        named = next((each for each in pairs if each.linked and each.first.candidate.title == title), None)
        if named is None:
            return tuple(own[:1])
        told = [one for one in ranked if one.candidate.title == named.second.candidate.title]
        return named.first, *_with_origin([named.second, *told] if origin else [named.second])
    if origin:
        return _with_origin(sorted(own, key=lambda one: (bool(one.candidate.before), -one.score)))
    asked = frozenset(question.stems).difference(*(stems(f"{title} {one.candidate.file}") for one in own[:1]))
    return tuple(one for one in own if asked & one.candidate.stems)[:1]


def _with_origin(sentences: Sequence[RankedSentence]) -> tuple[RankedSentence, ...]:
    """Return the first sentence that has a country, the first one if none has."""
    return tuple([one for one in sentences if origins(one.candidate.text)][:1] or sentences[:1])


def _same_origin(sides: Sequence[Sequence[RankedSentence]]) -> str:
    found = [each for side in sides for one in side[-1:] for each in origins(one.candidate.text)[:1]]
    if len(found) != _SIDES:
        return ""
    [(one, country), (other, other_country)] = found
    return f"{'Yes' if country == other_country else 'No'}, going by “{one}” and “{other}”:"


def origins(text: str) -> list[tuple[str, int]]:
    """Return the countries and nationalities in a text, in order: as written, and the number of the country.

    Those that are only a part of another name are none: New Mexico, American Airlines.
    """
    found: list[tuple[str, int]] = []
    words = list(_WORD.finditer(text))
    capital = [word[0][0].isupper() and fold(word[0]) not in ENGLISH for word in words]
    at = 0
    while at < len(words):
        spans = (words[at : at + size] for size in range(MAX_COUNTRY, 0, -1) if all(capital[at : at + size]))
        named = ((span, place_groups(countries=True).get("-".join(fold(word[0]) for word in span))) for span in spans)
        span, country = next((each for each in named if each[1] is not None), (words[at : at + 1], None))
        first, last = at, at + len(span) - 1
        before = first > 0 and capital[first - 1] and text[words[first - 1].end() : span[0].start()] == " "
        after = last + 1 < len(words) and capital[last + 1] and text[span[-1].end() : words[last + 1].start()] == " "
        if country is not None and not (before or after):
            found.append((text[span[0].start() : span[-1].end()], country))
        at = last + 1
    return found
