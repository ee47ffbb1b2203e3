"""Ranks the entries of the command palette: beginnings of words first, then parts of words, initials and typos."""

from collections.abc import Sequence

_BEGINS, _CONTAINS, _INITIALS, _PART, _TYPO = 100.0, 85.0, 75.0, 60.0, 0.75
_MIN_TYPO = 72.0  # similarity in percent of a mistyped word
_SHORTEST_TYPO = 3  # letters; shorter words resemble everything


def ranked(names: Sequence[tuple[str, str]], query: str) -> list[int]:
    """Return the positions of the (title, part) pairs that fit the query, the best first; all for an empty one."""
    words = query.casefold().split()
    if not words:
        return list(range(len(names)))
    scores = [(_score(title.casefold(), part.casefold(), words), at) for at, (title, part) in enumerate(names)]
    return [at for score, at in sorted(scores, key=lambda found: (-found[0], found[1])) if score > 0]


def is_named(title: str, query: str) -> bool:
    """Return whether a title has all words of the query, as they are typed."""
    return all(word in title.casefold() for word in query.casefold().split())


def _score(title: str, part: str, words: Sequence[str]) -> float:
    parts = title.split()
    fits = [_fit(word, title, parts, part) for word in words]
    if all(fits):
        return sum(fits) / len(fits) - 0.01 * len(title)  # of equal fits the shorter title
    initials = "".join(each[0] for each in parts)
    return _INITIALS if len(words) == 1 and len(words[0]) > 1 and initials.startswith(words[0]) else 0.0


def _fit(word: str, title: str, parts: Sequence[str], part: str) -> float:
    if any(each.startswith(word) for each in parts):
        return _BEGINS
    if word in title:
        return _CONTAINS
    if word in part:
        return _PART
    if len(word) < _SHORTEST_TYPO:
        return 0.0
    from rapidfuzz.distance.Indel import normalized_similarity

    best = max((100 * normalized_similarity(word, each[: len(word) + 1]) for each in parts), default=0.0)
    return _TYPO * best if best >= _MIN_TYPO else 0.0
