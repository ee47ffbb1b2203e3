"""Judges whether lines carry a claim that quotes nothing: by its figures, its names, and the words they share."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.numbers import figures, missing
from desktop_rag.index.keywords.analysis import STOP_WORDS, stem
from desktop_rag.text.dates import MONTHS
from desktop_rag.text.language_detection import detect
from desktop_rag.text.normalize import fold_quote, words

HALF = 0.5  # share of a claim's telling words that must stand in its lines when it has neither figures nor names
MOST = 0.7  # the same when a name is not there: another word may have been taken for a name
_CAPITAL = re.compile(r"[^\W\d_][\w’'-]*")
_BEGINS = re.compile(r"(?:^|[.!?:;|。！？])[\s*_\"“„«(\[>#•–-]*$")
_NOUNS_ARE_CAPITAL = frozenset({"de", "lb"})


@dataclass(frozen=True, slots=True)
class CitedLines:
    """What a citation points at: the lines themselves, and what stands over them (title, section, table header)."""

    lines: Mapping[int, str]
    above: tuple[str, ...] = ()

    def texts(self) -> tuple[str, ...]:
        """Return everything a figure or name of the claim may stand in."""
        return ("\n".join(self.lines[number] for number in sorted(self.lines)), *self.above)


def missing_figures(claim: str, sources: Sequence[CitedLines]) -> tuple[str, ...]:
    """Return the figures of a claim, as it writes them, that none of its sources holds."""
    return missing(claim, [text for source in sources for text in source.texts()])


def speaks(claim: str, source: CitedLines) -> bool:
    """Return whether lines speak of what a claim says, its figures aside: they hold its names, or most of its words.

    What a claim denies, or who did what to whom, is out of reach: “no pets are allowed” passes for “pets are allowed”.
    """
    text = fold_quote("\n".join(source.texts()))
    said = {word.text for word in words(text)}
    called = names(claim)
    if called <= said:
        return bool(text) and bool(called or figures(claim) or share(claim, text) >= HALF)
    return share(claim, text) >= MOST


def carries(claim: str, source: CitedLines) -> bool:
    """Return whether lines hold the figures of a claim and speak of it."""
    return not missing_figures(claim, [source]) and speaks(claim, source)


def share(claim: str, text: str) -> float:
    """Return how much of a claim's telling words a text holds, whatever their endings."""
    wanted = _telling(claim)
    return len(wanted & _telling(text)) / len(wanted) if wanted else 0.0


def names(claim: str) -> frozenset[str]:
    """Return the words of a claim that name somebody or something, folded; its first word only if all capitals."""
    if detect(claim) in _NOUNS_ARE_CAPITAL:
        return frozenset()
    found: set[str] = set()
    for match in _CAPITAL.finditer(claim):
        word = match[0].removesuffix("'s").removesuffix("’s").strip("'’-")
        acronym = len(word) > 1 and word.isupper()
        if word[:1].isupper() and len(word) > 1 and (acronym or not _BEGINS.search(claim[: match.start()])):
            found.update(part.text for part in words(fold_quote(word)) if part.text not in MONTHS)
    return frozenset(found - STOP_WORDS)


def _telling(text: str) -> set[str]:
    said = {word.text for word in words(fold_quote(text)) if len(word.text) > 2 or not word.text.isascii()}
    return {stem(word) for word in said - STOP_WORDS or said}
