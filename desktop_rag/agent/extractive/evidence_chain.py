"""Chooses sentences that answer together: one names what the passage of the other is about, or has what it lacks.

"Where was the director of Human Flow born?" needs the sentence that names the director and one from his own passage.
Every pair of read sentences gets a linear score. Its weights were fitted by `benchmarks/evidence_weights.py`, which
also tests them on collections they were not fitted on.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.answer_type import has_type
from desktop_rag.agent.extractive.content_words import related, stems
from desktop_rag.agent.extractive.names_in_text import is_asked, name_in, padded, title_words
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence, weights_of

LEADING = 12  # sentences, best first, that are paired without a link between their passages
MAX_LINKED = 150  # sentences, best first, whose names are looked up among the titles
MAX_OF_PASSAGE = 40  # sentences of one passage, best first, that a name leads to
NEAR_NAME = 40  # characters around a name in which a word of the question says what the name is

_ADDRESS = re.compile(r"\bhttps?://\S+")

# Fitted to questions of HotpotQA, 2WikiMultiHopQA and MuSiQue; see docs/evaluation.md.
WEIGHTS = {
    "link": 1.28,
    "link from asked": 1.64,
    "link, typed": 1.43,
    "link, gained": 0.9,
    "no link": -0.83,
    "same passage": 0.17,
    "beside the name": 0.47,
    "asked": 1.06,
    "covered": 1.63,
    "first own": 0.35,
    "first like": 0.33,
    "first leads": 0.33,
    "first focus": 0.95,
    "first score": 0.8,
    "first place": -0.21,
    "second own": 0.5,
    "second leads": 0.98,
    "second focus": 0.56,
    "second score": 0.39,
    "second place": 0.65,
    "typed": 0.91,
    "gained": 1.17,
    "gained like": 1.11,
    "typed, gained": 0.4,
}


@dataclass(frozen=True, slots=True)
class EvidencePair:
    """Two sentences with their score; the `second` is the one that should complete the `first`."""

    first: RankedSentence
    second: RankedSentence
    linked: bool  # one names what the other's passage is about
    covered: float  # weighted share of the question's words in both and their titles
    features: dict[str, float]

    @property
    def score(self) -> float:
        """The linear score."""
        return sum(WEIGHTS.get(name, 0.0) * value for name, value in self.features.items())


def best_pairs(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> list[EvidencePair]:
    """Return pairs of sentences that may answer together, the best first; `ranked` is best first."""
    return sorted(pairs(question, ranked), key=lambda pair: -pair.score)


def pairs(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> Iterator[EvidencePair]:
    """Yield all pairs worth scoring: linked passages, one passage, and the leading sentences."""
    prose = [one for one in ranked if one.candidate.shape is not SentenceShape.HEADING]
    graph = _PassageGraph(question, prose)
    return graph.pairs() if prose else iter(())


@dataclass(frozen=True)
class _Sentence:
    """A sentence with what its pairs share; the words are those of the question."""

    ranked: RankedSentence
    padded: str  # its words between single spaces
    own: frozenset[str]
    like: frozenset[str]  # with words that mean the same to a question
    above: frozenset[str]  # in its title and heading

    @property
    def candidate(self) -> CandidateSentence:
        return self.ranked.candidate

    @cached_property
    def leads(self) -> float:
        """1 for the first sentence of a paragraph."""
        return float(not self.candidate.before and self.candidate.shape is SentenceShape.PROSE)


@dataclass(frozen=True, slots=True)
class _Link:
    """A name of a passage in a sentence: how surely it is one, and whether a word of the question is beside it."""

    strength: float = 0.0
    said: float = 0.0


class _PassageGraph:
    """The read sentences by passage, and which sentence names what another passage is about."""

    def __init__(self, question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> None:
        self._question = question
        self._weights = weights_of(question, [one.candidate for one in ranked])
        self._sentences = [self._sentence(one) for one in ranked]
        self._passages: dict[str, list[_Sentence]] = defaultdict(list)
        for sentence in self._sentences:
            self._passages[sentence.candidate.title].append(sentence)
        files = {one.candidate.file for one in ranked}  # a path in a log or in settings tells nothing about its file
        self._names = {title: title_words(title) for title in self._passages if title not in files}
        asked = padded(question.text)
        self._asked = {title: is_asked(title, asked) for title in self._passages}

    def pairs(self) -> Iterator[EvidencePair]:
        """Yield linked pairs, then pairs of leading sentences and of one passage."""
        leading = self._sentences[:LEADING]
        seen = set[tuple[int, int]]()
        links = self._links()
        for (number, title), link in links.items():
            first = self._sentences[number]
            for second in self._passages[title][:MAX_OF_PASSAGE]:
                seen.add((id(first), id(second)))
                yield self._pair(first, second, link)
        for first in leading:
            for second in (*leading, *self._passages[first.candidate.title][:MAX_OF_PASSAGE]):
                if second is not first and (id(first), id(second)) not in seen:
                    seen.add((id(first), id(second)))
                    yield self._pair(first, second, _Link())

    def _sentence(self, ranked: RankedSentence) -> _Sentence:
        candidate, words = ranked.candidate, self._weights
        own = frozenset(word for word in words if word in candidate.stems)
        like = own.union(word for word in words if related(word) & candidate.stems)
        above = frozenset(word for word in words if word in candidate.place_words)
        return _Sentence(ranked, padded(candidate.text), own, like, above)

    def _links(self) -> dict[tuple[int, str], _Link]:
        """Return the passages that each sentence names, by its number and their title."""
        found: dict[tuple[int, str], _Link] = {}
        for number, sentence in enumerate(self._sentences[:MAX_LINKED]):
            for title, words in self._names.items():
                if title != sentence.candidate.title and not _is_bare(sentence.candidate, title):
                    strength, at = name_in(words, sentence.padded)
                    if strength:
                        beside = sentence.padded[max(at - NEAR_NAME, 0) : at + NEAR_NAME + len(title)]
                        found[number, title] = _Link(strength, self._says(frozenset(stems(beside)), title))
        return found

    def _unmet(self, sentence: _Sentence) -> frozenset[str]:
        """Return the words of the question that neither a sentence nor what stands above it has."""
        return frozenset(self._weights) - sentence.own - sentence.above

    def _says(self, beside: frozenset[str], title: str) -> float:
        """Return 1 if the words beside a name have one of the question, or a related one, that is not of the name."""
        named = stems(title)
        return float(any((word in beside or related(word) & beside) for word in self._weights if word not in named))

    def _share(self, words: frozenset[str]) -> float:
        return sum(self._weights[word] for word in words)

    def _pair(self, first: _Sentence, second: _Sentence, link: _Link) -> EvidencePair:
        one, other = first.candidate, second.candidate
        unmet = self._unmet(first)
        gained, gained_like = self._share(second.own & unmet), self._share(second.like & unmet)
        typed = float(has_type(self._question.asks, other.text, f"{self._question.text} {one.text}"))
        covered = self._share(first.own | first.above | second.like | second.above)
        asked, same = self._asked[one.title], one.title == other.title
        new_link = link.strength * (1 - self._asked[other.title])
        features = {
            "link": new_link,
            "link from asked": new_link * asked,
            "link, typed": link.strength * typed,
            "link, gained": link.strength * gained_like,
            "no link": float(not link.strength and not same),
            "same passage": float(same),
            "beside the name": link.said,
            "asked": asked,
            "covered": covered,
            "first own": self._share(first.own),
            "first like": self._share(first.like),
            "first leads": first.leads,
            "first focus": one.focus,
            "first score": first.ranked.score,
            "first place": 1 / (1 + one.place),
            "second own": self._share(second.own),
            "second leads": second.leads,
            "second focus": other.focus,
            "second score": second.ranked.score,
            "second place": 1 / (1 + other.place),
            "typed": typed,
            "gained": gained,
            "gained like": gained_like,
            "typed, gained": typed * gained_like,
        }
        return EvidencePair(first.ranked, second.ranked, bool(link.strength), covered, features)


def _is_bare(candidate: CandidateSentence, title: str) -> bool:
    """Return whether a sentence is nothing but the name of a passage, such as the text of a link to it."""
    words = frozenset(stems(_ADDRESS.sub(" ", candidate.text)))
    return words <= frozenset(stems(title)) | candidate.place_words
