"""A claim and what is cited for it, in the cuts that the checks compare."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.agent.citations.claim_words import (
    ClaimEvidence,
    ClaimWord,
    content_stems,
    is_content,
    is_negation,
    share_of,
    split_words,
    stems_of,
)
from desktop_rag.agent.citations.source_sentences import SentenceShape, sentences
from desktop_rag.agent.citations.support import CitedLines
from desktop_rag.index.keywords.analysis import DENSE
from desktop_rag.text.language_detection import detect, word_scores
from desktop_rag.text.language_profiles import LATIN

LANGUAGE_SAMPLE = 1_000  # characters of the lines that show their language
LIKELY = 0.5  # share of the common words of the likeliest language that another one must have
SURELY = 0.8  # the same of a claim: “ten times as heavy as in 2011” scores higher in Galician
MAX_PROSE = 8_000  # characters of lines that are compared clause by clause
REPEATED = 0.6  # share of a claim's plain words in its lines that shows that both are in one language
FOREIGN_WORDS = 0.12  # share of common words of another language in a claim without any of its lines' language
MOST_ALIKE = 3  # sentences
_DENSE = re.compile(f"[{DENSE}]")
_LIST_ITEM = re.compile(r"(?:[-*•–]|\(?[a-z\d]{1,2}[.)])\s")
_NOTE = re.compile(
    r"\[(?:not|no|citation|weasel|clarification|dubious|original|verification|failed|who|when|which|where|by whom)"
    r"\b[^\]\n]{0,40}\]"
)
_detected = lru_cache(maxsize=256)(detect)
word_evidence = lru_cache(maxsize=64)(ClaimEvidence)


@dataclass(frozen=True, slots=True)
class ClaimText:
    """A claim without Markdown, its language, and the sums that gave the figures that its lines lack."""

    text: str
    question: str
    language: str
    sums: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[ClaimWord, ...]:
        """Return its words."""
        return split_words(self.text)

    @property
    def denies(self) -> bool:
        """Return whether it has a negation."""
        return any(map(is_negation, self.words))


@dataclass(frozen=True, slots=True)
class CitedEvidence:
    """The cited lines, their context and the question."""

    lines: str  # that are cited
    read: tuple[str, ...]  # each source with the context above it
    prose: str  # the sentences of the lines without the rows of tables, one on each line; "" of too many lines
    alike: tuple[str, ...]  # the sentences of the lines that are most like the claim, the best first
    own: ClaimEvidence  # the words of lines, context and paragraphs
    known: ClaimEvidence  # of lines, context and question
    nearby: ClaimEvidence  # of the paragraphs around the lines, too
    foreign: bool  # the claim is in another language

    @property
    def nearest(self) -> str:
        """Return the sentence most like the claim, "" if there is none."""
        return self.alike[0] if self.alike else ""

    @property
    def table(self) -> str:
        """Return the lines with the context above them: headings, table headers."""
        return "\n".join(self.read)


Check = Callable[[ClaimText, CitedEvidence], Iterable[ClaimFault]]


def cited_evidence(text: str, sources: Sequence[CitedLines], question: str) -> tuple[ClaimText, CitedEvidence]:
    """Return a claim with its language, and its evidence."""
    sources = tuple(map(_without_notes, sources))
    texts = tuple(text for source in sources for text in source.texts())
    paragraphs = tuple(source.paragraph for source in sources if source.paragraph)
    known = word_evidence((*texts, question))
    language = _detected("\n".join(texts)[:LANGUAGE_SAMPLE])
    spoken = _language(text, language, question)
    foreign = bool(language) and not _may_be_in(spoken, language, texts) and not _repeats(text, texts)
    foreign = foreign or is_dense(text) != is_dense("\n".join(texts) or question)
    lines = "\n".join(map(_cited_text, sources))
    evidence = CitedEvidence(
        lines,
        tuple(source.text() for source in sources),
        _prose(sources) if len(lines) <= MAX_PROSE else "",
        _with_lead_in(most_alike(text, sources), sources),
        word_evidence((*texts, *paragraphs)),
        known,
        word_evidence((*texts, question, *paragraphs)) if paragraphs else known,
        foreign,
    )
    return ClaimText(text, question, spoken if foreign or not language else language), evidence


def _with_lead_in(alike: tuple[str, ...], sources: Iterable[CitedLines]) -> tuple[str, ...]:
    """Return sentences, the first with the line above its list if it is an item: “The following are forbidden:”."""
    for source in sources:
        lead = next((each for each in source.above if each.endswith(":")), "")
        for number in sorted(source.lines):
            line = source.lines[number].strip()
            if _LIST_ITEM.match(line) and lead and alike and alike[0] in line:
                return (f"{lead} {alike[0]}", *alike[1:])
            lead = line if line.endswith(":") else lead if not line or _LIST_ITEM.match(line) else ""
    return alike


def _without_notes(source: CitedLines) -> CitedLines:
    """Return lines without the notes of editors about a sentence, which would deny it."""
    return replace(source, lines={number: _NOTE.sub("", line) for number, line in source.lines.items()})


def _cited_text(source: CitedLines) -> str:
    return "\n".join(source.lines[number] for number in sorted(source.lines))


def _prose(sources: Sequence[CitedLines]) -> str:
    shaped = (each for source in sources for each in sentences(source.lines))
    return "\n".join(each.text for each in shaped if each.shape is not SentenceShape.ROW)


def most_alike(claim: str, sources: Sequence[CitedLines]) -> tuple[str, ...]:
    """Return the source sentences by likeness to the claim, the best first."""
    stems = content_stems(split_words(claim))
    texts = (each.text for source in sources for each in sentences(source.lines))
    return tuple(sorted(texts, key=lambda text: -share_of(stems, text))[:MOST_ALIKE])


def is_dense(text: str) -> bool:
    """Return whether a text is mostly written in a script without word spaces, such as Chinese."""
    dense = 0 if text.isascii() else len(_DENSE.findall(text))
    return dense > 0 and 2 * dense > sum(map(str.isalpha, text))


def _language(claim: str, read: str, question: str) -> str:
    """Return the language of a claim; a short one is in that of its lines unless it has words of another only.

    Without a common word, as in “Notice: three months”, it is in the language of the question.
    """
    found, scores = _detected(claim), word_scores(claim, LATIN)
    if found:
        return read if scores.get(found, 0) and scores.get(read, 0) >= SURELY * scores[found] else found
    best = max(scores, key=scores.__getitem__)
    if not scores[best] and read:
        return _asked_in(question, read)
    return best if not scores.get(read) and scores[best] > FOREIGN_WORDS else read


def _asked_in(question: str, read: str) -> str:
    """Return the language of a question, that of the lines if it is unclear."""
    scores = word_scores(question, LATIN)
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] > FOREIGN_WORDS and not scores.get(read) else read


def _may_be_in(spoken: str, read: str, texts: Sequence[str]) -> bool:
    """Return whether lines whose language was found to be `read` may be in another: of a few words it is a guess."""
    if spoken == read:
        return True
    scores = word_scores("\n".join(texts)[:LANGUAGE_SAMPLE], LATIN)
    return bool(scores.get(spoken)) and scores[spoken] >= LIKELY * scores.get(read, 1)


def _repeats(claim: str, texts: Sequence[str]) -> bool:
    """Return whether lines have most plain words of a claim: of a few words the language is a guess."""
    plain = [word for word in split_words(claim) if not word.is_capital and word.fold.isalpha() and is_content(word)]
    written = frozenset[str]().union(*map(stems_of, texts))
    return bool(plain) and sum(word.stem in written for word in plain) >= REPEATED * len(plain)
