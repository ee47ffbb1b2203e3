"""The built-in model's summary: of each part of a text the sentences that hold most of its words, quoted and cited."""

import math
from collections import Counter
from collections.abc import Sequence

from desktop_rag.agent.citations.citation_syntax import write_citation
from desktop_rag.agent.citations.source_sentences import SentenceShape, SourceSentence, sentences
from desktop_rag.agent.extractive.answer import NOTE, ExtractiveAnswer
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.llm.chat import Evidence

SHORTEST, LONGEST = 25, 500  # characters of a sentence worth noting
EACH = 3  # sentences below one heading
FIRST = 1.25  # worth of the first sentence below a heading
MOST = 24  # sentences of a summary


def key_sentences(shown: Sequence[Evidence], most: int) -> list[Evidence]:
    """Return the sentences of some lines that hold most of their telling words, in their order."""
    found: list[tuple[float, Evidence, str]] = []
    for evidence in shown:
        every = sentences(dict(enumerate(evidence.lines, evidence.first_line)))
        counts = Counter(word for sentence in every for word in set(stems(sentence.text)))
        seen: set[str] = set()
        for sentence in every:
            if sentence.shape is SentenceShape.HEADING or not SHORTEST <= len(sentence.text) <= LONGEST:
                continue
            worth = _worth(sentence, counts) * (1.0 if sentence.under in seen else FIRST)
            seen.add(sentence.under)
            found.append((worth, _kept(evidence, sentence), sentence.under))
    below: Counter[str] = Counter()
    chosen: list[Evidence] = []
    for _, kept, under in sorted(found, key=lambda one: -one[0]):
        if len(chosen) < most and (below[under] < EACH or not under):
            below[under] += 1
            chosen.append(kept)
    return sorted(chosen, key=lambda kept: (kept.reference, kept.first_line))


def write_digest(given: Sequence[Evidence], told: str) -> ExtractiveAnswer:
    """Quote every passage below its heading; `told` says what share of the text they come from."""
    parts: list[str] = []
    title = ""
    thinned = given if len(given) <= MOST else [given[index * len(given) // MOST] for index in range(MOST)]
    for evidence in thinned:  # evenly over the whole, not the beginning
        if evidence.title != title:
            title = evidence.title
            parts.append(f"#### {_plain(title)}")
        parts += [f"> {text} {write_citation(evidence.reference, *lines, text)}" for text, lines in _said(evidence)]
    return ExtractiveAnswer("\n\n".join(parts), f"*{told}*\n\n{NOTE}" if told else NOTE, found=True)


def _worth(sentence: SourceSentence, counts: Counter[str]) -> float:
    words = set(stems(sentence.text))
    return sum(math.log(1 + counts[word]) for word in words) / math.sqrt(len(words) or 1)


def _kept(evidence: Evidence, sentence: SourceSentence) -> Evidence:
    first = sentence.first_line - evidence.first_line
    lines = evidence.lines[first : sentence.last_line - evidence.first_line + 1]
    heading = sentence.under.split("\n")[0].partition("|")[0].strip("#* ")
    title = f"{evidence.title} – {heading}" if heading and heading not in evidence.title else evidence.title
    return Evidence(evidence.reference, title, sentence.first_line, tuple(lines), 0.0, sentence.text)


def _said(evidence: Evidence) -> list[tuple[str, tuple[int, int]]]:
    """Return the sentences of some lines, or the one they were chosen for, each with its first and last line."""
    if evidence.focus:
        return [(evidence.focus, (evidence.first_line, evidence.first_line + len(evidence.lines) - 1))]
    found = sentences(dict(enumerate(evidence.lines, evidence.first_line)))
    return [(sentence.text[:LONGEST], (sentence.first_line, sentence.last_line)) for sentence in found]


def _plain(text: str) -> str:
    return " ".join("".join(" " if character in "[]()<>*_`#|【】" else character for character in text).split())
