"""Chooses sentences that answer together: one names what the passage of the other is about, or has what it lacks.

"Where was the director of Human Flow born?" needs the sentence that names the director and one from his own passage.
Every pair of read sentences gets a linear score. Its weights were fitted by `benchmarks/evidence_weights.py`, which
also tests them on collections they were not fitted on.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion, has_type
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence, weights_of
from desktop_rag.text.dates import ENGLISH_MONTHS

LEADING = 12  # sentences, best first, that are paired without a link between their passages
MAX_LINKED = 150  # sentences, best first, whose names are looked up among the titles
MAX_OF_PASSAGE = 40  # sentences of one passage, best first, that a name leads to

SPREAD = 80  # characters within which the words of a title are one name
ROUGHLY = 0.7  # strength of a name by scattered words

_PARENTHESES = re.compile(r"\s*\([^()]*\)\s*$")
_FILE = re.compile(r"(\w+(?: \w+)+)\.[a-z][a-z\d]{1,4}")  # a file of several words; “Oxygen.txt” is named too often
_WORD = re.compile(r"\w+")

# Fitted to questions of HotpotQA, 2WikiMultiHopQA and MuSiQue beside nine features that are deleted; fitted again
# without them they were no better.
WEIGHTS = {
    "link": 1.28,
    "link from asked": 1.64,
    "link, typed": 1.43,
    "no link": -0.83,
    "asked": 1.06,
    "covered": 1.63,
    "first own": 0.35,
    "first focus": 0.95,
    "first score": 0.8,
    "second own": 0.5,
    "second leads": 0.98,
    "second focus": 0.56,
    "second score": 0.39,
    "typed": 0.91,
    "gained": 1.17,
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
    above: frozenset[str]  # in its title and heading

    @property
    def candidate(self) -> CandidateSentence:
        return self.ranked.candidate


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
                    yield self._pair(first, second, 0.0)

    def _sentence(self, ranked: RankedSentence) -> _Sentence:
        candidate, words = ranked.candidate, self._weights
        own = frozenset(word for word in words if word in candidate.stems)
        above = frozenset(word for word in words if word in candidate.place_words)
        return _Sentence(ranked, padded(candidate.text), own, above)

    def _links(self) -> dict[tuple[int, str], float]:
        """Return how surely each sentence names other passages, by its number and their title."""
        found: dict[tuple[int, str], float] = {}
        for number, sentence in enumerate(self._sentences[:MAX_LINKED]):
            for title, words in self._names.items():
                strength = name_in(words, sentence.padded) if title != sentence.candidate.title else 0.0
                if strength:
                    found[number, title] = strength
        return found

    def _share(self, words: frozenset[str]) -> float:
        return sum(self._weights[word] for word in words)

    def _pair(self, first: _Sentence, second: _Sentence, link: float) -> EvidencePair:
        one, other = first.candidate, second.candidate
        typed = float(has_type(self._question.asks, other.text, f"{self._question.text} {one.text}"))
        covered = self._share(first.own | first.above | second.own | second.above)
        asked, same = self._asked[one.title], one.title == other.title
        new_link = link * (1 - self._asked[other.title])
        features = {
            "link": new_link,
            "link from asked": new_link * asked,
            "link, typed": link * typed,
            "no link": float(not link and not same),
            "asked": asked,
            "covered": covered,
            "first own": self._share(first.own),
            "first focus": one.focus,
            "first score": first.ranked.score,
            "second own": self._share(second.own),
            "second leads": float(not other.before and other.shape is SentenceShape.PROSE),
            "second focus": other.focus,
            "second score": second.ranked.score,
            "typed": typed,
            "gained": self._share(second.own - first.own - first.above),
        }
        return EvidencePair(first.ranked, second.ranked, bool(link), covered, features)


def title_words(title: str) -> list[str]:
    """Return the words of a title without what follows in brackets, of a file's name without its suffix."""
    named = _FILE.fullmatch(title)
    return _WORD.findall(named[1] if named else _PARENTHESES.sub("", title))


def is_asked(title: str, question: str) -> float:
    """Return how surely a padded question names a passage by its title or what stands before its first comma."""
    found = [0.0]
    for words in (title_words(title), title_words(title.partition(",")[0])):
        literal = f" {' '.join(words)} ".lower() in question.lower() if words else False
        found.append(1.0 if literal else name_in(words, question))
    return max(found)


def padded(text: str) -> str:
    """Return the words of a text, with one space before and after each."""
    return f" {' '.join(_WORD.findall(text))} "


def name_in(words: Sequence[str], text: str) -> float:
    """Return how surely a padded text has a name: 1 literally, 0 not at all."""
    if not words or (len(words) == 1 and not words[0][0].isupper()):
        return 0.0
    if f" {' '.join(words)} " in text:
        return 1.0
    capitals = [word for word in words if word[0].isupper() and word not in ENGLISH_MONTHS]
    places = [text.find(f" {word} ") for word in capitals]
    scattered = len(capitals) > 1 and min(places) >= 0 and max(places) - min(places) < SPREAD
    return ROUGHLY if scattered else 0.0
