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
    folded = [(title.casefold(), part.casefold()) for title, part in names]
    # What has the words as they are typed is not mixed with what resembles them, which takes long to compare.
    for typos in (False, True):
        scores = [(_score(*pair, words, typos=typos), at) for at, pair in enumerate(folded)]
        if fit := [at for score, at in sorted(scores, key=lambda found: (-found[0], found[1])) if score > 0]:
            return fit
    return []


def is_named(title: str, query: str) -> bool:
    """Return whether a title has all words of the query, as they are typed."""
    return all(word in title.casefold() for word in query.casefold().split())


def _score(title: str, part: str, words: Sequence[str], *, typos: bool) -> float:
    parts = title.split()
    spaced, total = " " + " ".join(parts), 0.0
    for word in words:
        fit = _fit(word, spaced, part) or (_resemblance(word, parts) if typos else 0.0)
        if not fit:
            initials = "".join(each[0] for each in parts)
            return _INITIALS if len(words) == 1 and len(words[0]) > 1 and initials.startswith(words[0]) else 0.0
        total += fit
    return total / len(words) - 0.01 * len(title)  # of equal fits the shorter title


def _fit(word: str, spaced: str, part: str) -> float:
    if f" {word}" in spaced:
        return _BEGINS
    if word in spaced:
        return _CONTAINS
    return _PART if word in part else 0.0


def _resemblance(word: str, parts: Sequence[str]) -> float:
    if len(word) < _SHORTEST_TYPO:
        return 0.0
    from rapidfuzz.distance.Indel import normalized_similarity

    best = max((100 * normalized_similarity(word, each[: len(word) + 1]) for each in parts), default=0.0)
    return _TYPO * best if best >= _MIN_TYPO else 0.0
