"""Turns what the tools returned into the sentences an answer can be made of."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from desktop_rag.agent.citations.source_sentences import SentenceShape, SourceSentence, sentences
from desktop_rag.agent.citations.support import significant_text
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.llm.chat import Evidence, ToolMessage
from desktop_rag.text.normalize import fold_quote

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-ZÀ-Þ“\"(])")
FOCUSED = 12  # best results of a search whose chosen words count
_PRONOUN = r"he|she|it|they|his|her|its|their|this|these|those|er|sie|es|dieser?s?|il|elle|ils|elles|ce"
_SAID_AGAIN = re.compile(rf"(?:{_PRONOUN})\b", re.IGNORECASE)
_LEANING = re.compile(rf"(?:{_PRONOUN}|that|however|but|then|also|there|such|the latter|dort)\b", re.IGNORECASE)
SUBJECT = 2  # telling words at the beginning of a sentence that "it" in the next one stands for


@dataclass(frozen=True)
class CandidateSentence:
    """A sentence that was read; `before` and `after` are its neighbours, `place` is its passage's rank from 0."""

    text: str
    reference: str
    title: str
    first_line: int
    last_line: int
    before: str = ""
    before_line: int = 0
    after: str = ""
    under: str = ""  # the heading it stands under, and the header of its table
    shape: SentenceShape = SentenceShape.PROSE
    place: int = 0
    focus: float = 0.0  # 1 for the sentence a search by meaning liked best, less for the next ones

    @cached_property
    def stems(self) -> frozenset[str]:
        """The sentence's telling words."""
        return frozenset(self.order)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The same, in order; "it" at the beginning is what the sentence before begins with."""
        meant = stems(self.before)[:SUBJECT] if _SAID_AGAIN.match(self.text) else ()
        return tuple(dict.fromkeys((*meant, *stems(self.text))))

    @cached_property
    def around(self) -> frozenset[str]:
        """Its telling words and those of its neighbours."""
        return self.stems.union(stems(self.before), stems(self.after))

    @cached_property
    def place_words(self) -> frozenset[str]:
        """The telling words of the headings it stands under, up to the document's title."""
        return frozenset(stems(f"{self.title} {self.under}"))

    @cached_property
    def leans(self) -> bool:
        """Whether the sentence cannot be understood without the one before it."""
        return bool(_LEANING.match(self.text))


@dataclass(slots=True)
class _Shown:
    """The lines seen under one reference."""

    title: str
    place: int
    lines: dict[int, str] = field(default_factory=dict)
    focus: list[tuple[str, float]] = field(default_factory=list)

    def add(self, evidence: Evidence) -> None:
        for number, shown in enumerate(evidence.lines, evidence.first_line):
            line = _whole_sentences(shown)
            if len(line) >= len(self.lines.get(number, "")):
                self.lines[number] = line


def candidates(own: Sequence[ToolMessage], others: Sequence[ToolMessage] = ()) -> list[CandidateSentence]:
    """Return every sentence that was shown, each once, passages in the order the searches ranked them.

    What searches for another question chose is seen here too, but counts for nothing.
    """
    shown: dict[str, _Shown] = {}
    for number, result in enumerate((*own, *others)):
        for index, evidence in enumerate(result.evidence):
            passage = shown.setdefault(evidence.reference, _Shown(evidence.title, len(shown)))
            passage.add(evidence)
            if number < len(own) and evidence.focus and evidence.score > 0 and index < FOCUSED:
                passage.focus.append((evidence.focus, 1.0 / (1 + index)))
    found: dict[str, CandidateSentence] = {}
    for reference, passage in shown.items():
        for candidate in _candidates(reference, passage):
            known = found.get(candidate.text)
            if known is None or candidate.focus > known.focus:
                found[candidate.text] = candidate
    return list(found.values())


def _whole_sentences(line: str) -> str:
    """Return a line cut by a preview without the beginnings and ends of sentences that the cut left over."""
    start, end = 0, len(line)
    if line.startswith("…") and (first := _SENTENCE_END.search(line)):
        start = first.end()
    if line.endswith("…"):
        ends = [match.start() for match in _SENTENCE_END.finditer(line, start)]
        end = ends[-1] if ends else end
    return line[start:end] if start < end else line


def _candidates(reference: str, passage: _Shown) -> list[CandidateSentence]:
    found = sentences(passage.lines)
    chosen = [(fold_quote(text), worth) for text, worth in passage.focus]
    befores, afters = (None, *found), (*found[1:], None)
    return [
        CandidateSentence(
            sentence.text,
            reference,
            passage.title,
            sentence.first_line,
            sentence.last_line,
            before=before.text if before and _go_together(before, sentence) else "",
            before_line=before.first_line if before else 0,
            after=after.text if after and _go_together(sentence, after) else "",
            under=sentence.under,
            shape=SentenceShape.HEADING if sentence.text in passage.title else sentence.shape,
            place=passage.place,
            focus=_focus(sentence.text, chosen),
        )
        for sentence, before, after in zip(found, befores, afters, strict=False)
    ]


def _focus(text: str, chosen: Sequence[tuple[str, float]]) -> float:
    """Return what the best search that chose this sentence is worth; `chosen` texts are folded."""
    sentence = significant_text(text) if chosen else ""
    return max((worth for focus, worth in chosen if sentence and sentence in focus), default=0.0)


def _go_together(one: SourceSentence, next_one: SourceSentence) -> bool:
    """Return whether neighbours explain each other: rows of a table do not, and a heading stands above its text."""
    return one.shape is next_one.shape and one.shape in (SentenceShape.PROSE, SentenceShape.CODE)
