"""Checks without a model call which sentence of the read lines supports or repeats a claim."""

from collections.abc import Mapping
from dataclasses import dataclass

from desktop_rag.agent.citations.source_sentences import sentences
from desktop_rag.index.keywords.analysis import STOP_WORDS
from desktop_rag.text.locate import ENOUGH
from desktop_rag.text.normalize import fold_quote, words


@dataclass(frozen=True, slots=True)
class Support:
    """The sentence that supports a claim best; `share` is how much of the claim's words it holds."""

    text: str
    first_line: int
    last_line: int
    share: float


def telling(quote: str) -> bool:
    """Return whether `quote` is long enough to prove anything."""
    return len(fold_quote(quote).encode()) >= ENOUGH


def best_support(claim: str, lines: Mapping[int, str]) -> Support | None:
    """Return the sentence of `lines` that shares most with `claim`; on equal terms the first one."""
    said = {word.text for word in words(fold_quote(claim)) if len(word.text) > 2 or not word.text.isascii()}
    wanted = said - STOP_WORDS or said
    best: Support | None = None
    for sentence in sentences(lines):
        held = {word.text for word in words(fold_quote(sentence.text))}
        share = len(wanted & held) / len(wanted) if wanted else 0.0
        if held and (best is None or share > best.share):
            best = Support(sentence.text, sentence.first_line, sentence.last_line, share)
    return best


def contains(claim: str, sentence: str) -> bool:
    """Return whether a claim repeats a source's sentence word for word."""
    folded = core(sentence)
    return bool(folded) and folded in fold_quote(claim)


def core(sentence: str) -> str:
    """Return a sentence folded and without its marks; empty if it is too short to prove anything."""
    folded = fold_quote(sentence).strip(" .,;:\"'")
    return folded if len(folded.encode()) >= ENOUGH else ""
