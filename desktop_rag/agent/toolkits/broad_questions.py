"""Classifies broad questions by rules: a list of everything, a summary, changes between versions."""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["list", "summary", "changes"]

_CHANGES = (
    r"what(?:'s| is| has| have|) (?:been )?(?:changed|different|new)\b.*\b(?:between|from|since|in)\b"
    r"|what changed\b|(?:what(?: are| is|'s) )?(?:the )?(?:differences?|changes) between\b"
    r"|compare .*\b(?:versions?|drafts?|editions?)\b"
    r"|was (?:hat|haben) sich .*geändert|was ist (?:neu|anders)|unterschiede? zwischen"
    r"|qu'est-ce qui a changé|différences? entre|qué (?:ha )?cambi|diferencias? entre|cosa è cambiato"
)
_SUMMARY = (
    r"(?:please |can you |could you )?(?:summari[sz]e|sum up|outline)\b"
    r"|(?:please |can you )?(?:give|write|make)(?: me)? (?:a |an )?(?:short |brief |detailed )?(?:summary|overview)\b"
    r"|(?:a )?(?:summary|overview) of\b|(?:bitte )?(?:fasse?|fassen sie) .*\bzusammen|(?:eine )?zusammenfassung\b"
    r"|(?:gib .*)?überblick über|résume[zr]?\b|(?:un )?résumé d|resum(?:e|en|a)\b|riassumi\b|riassunto d"
)
_LIST = (
    r"(?:please )?(?:list|name|enumerate|find|show)(?: me)? (?:all|every|each)\b|(?:please )?list\b"
    r"|(?:what|which) are all\b|(?:nenne|liste|zeige?)(?: mir)? (?:alle|sämtliche)|liste[zr]? (?:tous|toutes)"
    r"|énumère|enumera|lista (?:todos|todas|tutti|tutte)"
)
_WORDS: tuple[tuple[Kind, str], ...] = (("changes", _CHANGES), ("summary", _SUMMARY), ("list", _LIST))
_KINDS = tuple((kind, re.compile(rf"^\W*(?:{words})", re.IGNORECASE)) for kind, words in _WORDS)
_PAIR = re.compile(
    r"^\W*(?:please |can you |could you |bitte )?(?:compare[zr]?|vergleichen?|compara|confronta)\s+(.+?)\s+"
    r"(?:and|with|to|against|und|mit|et|avec|y|con|e)\s+(.+?)\W*$",
    re.IGNORECASE,
)
_ASPECT = re.compile(r"\b(?:in|from|between|dans|aus|zwischen|en|entre|tra)\b|\b(?:of|von|de)\b(?! ?\d)", re.IGNORECASE)
_FILLING = re.compile(
    r"\b(?:between|these?|those|the|two|both|versions?|of|in|and|from|to|this|that|whole|entire|files?|documents?|folders?"
    r"|pages?|\d+-page|for|me|about|all|every|each|zwischen|den|die|das|der|beiden|und|datei|dokument|ordner|entre|les|le)\b",
    re.IGNORECASE,
)

_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class BroadQuestion:
    """The kind of a broad question, and the words that may name its documents."""

    kind: Kind
    about: str


def classify_broad(question: str) -> BroadQuestion | None:
    """Classify a broad question; None for any other."""
    text = " ".join(question.split())
    for kind, words in _KINDS:
        if found := words.match(text):
            rest = text[found.end() :] if kind != "changes" or found.end() < len(text) else text
            about = " ".join(_FILLING.sub(" ", rest).replace("?", " ").replace(".txt", " ").split())
            return BroadQuestion(kind, about)
    return _version_comparison(text)


def _version_comparison(text: str) -> BroadQuestion | None:
    """Recognise a comparison of two documents whose names share a word, without any aspect."""
    found = _PAIR.match(text)
    if found is None or _ASPECT.search(text):
        return None
    one, other = (_FILLING.sub(" ", part) for part in found.groups())
    shared = {word.casefold() for word in _WORD.findall(one)} & {word.casefold() for word in _WORD.findall(other)}
    return BroadQuestion("changes", " ".join(f"{one} {other}".split())) if shared else None
