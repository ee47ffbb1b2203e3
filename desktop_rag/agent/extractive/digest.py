"""Extractive summaries: the sentences of each section with the most frequent content words, quoted and cited."""

import math
import re
from collections import Counter
from collections.abc import Sequence

from desktop_rag.agent.citations.citation_syntax import write_citation
from desktop_rag.agent.citations.source_sentences import SentenceShape, SourceSentence, sentences
from desktop_rag.agent.extractive.answer import NOTE, ExtractiveAnswer, literal, without_markup
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.prompts import NEEDS_MODEL
from desktop_rag.llm.chat import Evidence

MIN_LENGTH, MAX_LENGTH = 25, 500  # characters of a sentence
MAX_PER_HEADING = 3  # sentences
FIRST_BONUS = 1.25  # factor for the first sentence below a heading
MAX_SENTENCES = 24  # of a summary
_MAIL_HEAD = re.compile(r"(?:From|To|Cc|Bcc|Subject|Date|Sent|Reply-To): ")


def key_sentences(shown: Sequence[Evidence], most: int) -> list[Evidence]:
    """Return the `most` sentences with the most frequent content words, in text order."""
    found: list[tuple[float, tuple[str, int, int], Evidence, str]] = []
    for evidence in shown:
        every = sentences(dict(enumerate(evidence.lines, evidence.first_line)))
        counts = Counter(word for sentence in every for word in set(stems(sentence.text)))
        seen: set[str] = set()
        for number, sentence in enumerate(every):
            if (
                sentence.shape is SentenceShape.HEADING
                or _MAIL_HEAD.match(sentence.text)
                or not MIN_LENGTH <= len(sentence.text) <= MAX_LENGTH
            ):
                continue
            score = _score(sentence, counts) * (1.0 if sentence.under in seen else FIRST_BONUS)
            seen.add(sentence.under)
            place = (evidence.reference, sentence.first_line, number)
            found.append((score, place, _excerpt(evidence, sentence), sentence.under))
    below: Counter[str] = Counter()
    chosen: list[tuple[tuple[str, int, int], Evidence]] = []
    for _, place, excerpt, under in sorted(found, key=lambda one: -one[0]):
        if len(chosen) < most and (below[under] < MAX_PER_HEADING or not under):
            below[under] += 1
            chosen.append((place, excerpt))
    return [excerpt for _, excerpt in sorted(chosen, key=lambda one: one[0])]


def write_digest(given: Sequence[Evidence], note: str) -> ExtractiveAnswer:
    """Quote every passage below its heading; `note` says what share of the text was read."""
    parts: list[str] = []
    title = ""
    count = min(len(given), MAX_SENTENCES)
    for evidence in (given[index * len(given) // count] for index in range(count)):  # evenly spread over the text
        if evidence.title != title:
            title = evidence.title
            parts.append(f"#### {' '.join(without_markup(title).split())}")
        quoted = ((text, write_citation(evidence.reference, *lines, text)) for text, lines in _sentences(evidence))
        parts += [f"> {literal(text)} {cited}" for text, cited in quoted]
    closing = f"*{note}*\n\n{NOTE}" if note else NOTE
    return ExtractiveAnswer("\n\n".join(parts), closing, found=True, before=NEEDS_MODEL)


def _score(sentence: SourceSentence, counts: Counter[str]) -> float:
    words = set(stems(sentence.text))
    return sum(math.log(1 + counts[word]) for word in words) / math.sqrt(len(words) or 1)


def _excerpt(evidence: Evidence, sentence: SourceSentence) -> Evidence:
    first = sentence.first_line - evidence.first_line
    lines = evidence.lines[first : sentence.last_line - evidence.first_line + 1]
    heading = sentence.under.split("\n")[0].strip("#* ")
    named = heading and heading not in evidence.title and not _MAIL_HEAD.match(heading)
    title = f"{evidence.title} – {heading}" if named else evidence.title
    return Evidence(evidence.reference, title, sentence.first_line, tuple(lines), 0.0, sentence.text)


def _sentences(evidence: Evidence) -> list[tuple[str, tuple[int, int]]]:
    """Return the sentence the evidence was chosen for, or all of its sentences, with their first and last lines."""
    if evidence.focus:
        return [(evidence.focus, (evidence.first_line, evidence.first_line + len(evidence.lines) - 1))]
    found = sentences(dict(enumerate(evidence.lines, evidence.first_line)))
    return [(sentence.text[:MAX_LENGTH], (sentence.first_line, sentence.last_line)) for sentence in found]
