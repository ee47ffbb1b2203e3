"""Turns what the tools returned into the sentences an answer can be made of."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from desktop_rag.agent.citing.sentences import sentences
from desktop_rag.agent.citing.verification import contains
from desktop_rag.agent.extractive.ranking import Candidate
from desktop_rag.llm.chat import Evidence, ToolMessage

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-ZÀ-Þ“\"(])")
FOCUSED = 12  # best results of a search whose chosen words count


@dataclass(slots=True)
class _Shown:
    """The lines seen under one reference."""

    title: str
    place: int
    lines: dict[int, str] = field(default_factory=dict)
    focus: list[tuple[str, float]] = field(default_factory=list)


def candidates(results: Sequence[ToolMessage]) -> list[Candidate]:
    """Return every sentence that was shown, each once, passages in the order the searches ranked them."""
    shown: dict[str, _Shown] = {}
    for result in results:
        for index, evidence in enumerate(result.evidence):
            passage = shown.setdefault(evidence.reference, _Shown(evidence.title, len(shown)))
            _add(passage, evidence, index)
    found: dict[str, Candidate] = {}
    for reference, passage in shown.items():
        for candidate in _sentences(reference, passage):
            known = found.get(candidate.text)
            if known is None or candidate.focus > known.focus:
                found[candidate.text] = candidate
    return list(found.values())


def _add(passage: _Shown, evidence: Evidence, index: int) -> None:
    for number, shown in enumerate(evidence.lines, evidence.first_line):
        line = _whole_sentences(shown)
        if len(line) >= len(passage.lines.get(number, "")):
            passage.lines[number] = line
    if evidence.focus and evidence.score > 0 and index < FOCUSED:
        passage.focus.append((evidence.focus, 1.0 / (1 + index)))


def _whole_sentences(line: str) -> str:
    """Return a line cut by a preview without the beginnings and ends of sentences that the cut left over."""
    start, end = 0, len(line)
    if line.startswith("…") and (first := _SENTENCE_END.search(line)):
        start = first.end()
    if line.endswith("…"):
        ends = [match.start() for match in _SENTENCE_END.finditer(line, start)]
        end = ends[-1] if ends else end
    return line[start:end] if start < end else line


def _sentences(reference: str, passage: _Shown) -> list[Candidate]:
    found = sentences(passage.lines)
    texts = [sentence.text for sentence in found]
    return [
        Candidate(
            sentence.text,
            reference,
            passage.title,
            sentence.first_line,
            sentence.last_line,
            before=texts[index - 1] if index else "",
            before_line=found[index - 1].first_line if index else 0,
            after=texts[index + 1] if index + 1 < len(texts) else "",
            place=passage.place,
            focus=max((worth for focus, worth in passage.focus if contains(focus, sentence.text)), default=0.0),
        )
        for index, sentence in enumerate(found)
    ]
