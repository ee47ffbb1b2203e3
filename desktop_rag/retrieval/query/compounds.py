"""Splits German compounds into words that the library itself has: “Mietvertragsende” into “Miete”, “Vertrag”, “Ende”.

Of all splits, with the linking elements that German puts between parts, the one whose parts are fewest is taken; of
several, the one with the longest last part, which is the head.
"""

from collections.abc import Callable

COMPOUNDING = "de"
LEAST_COMPOUND, _LONGEST = 8, 40  # letters of a word that is split
_LINKS = ("", "s", "n", "es", "en", "er", "e", "ens")  # between parts: Vertrag-s-ende, Straße-n-bau
SHORTEST_PART = 4  # letters of a part
_MOST_PARTS = 4

IsKnown = Callable[[str], bool]


def compound_parts(word: str, is_known: IsKnown) -> tuple[str, ...]:
    """Return the parts of a folded word, all of them known to the library; empty if it is no compound of such words."""
    for count in range(2, _MOST_PARTS + 1) if LEAST_COMPOUND <= len(word) <= _LONGEST else ():
        if found := _split(word, count, is_known):
            return found
    return ()


def is_part(word: str, compound: str) -> bool:
    """Return whether a folded word begins or ends a longer one that may be a compound."""
    if not SHORTEST_PART <= len(word) < len(compound) >= LEAST_COMPOUND:
        return False
    return compound.endswith(word) or compound.startswith(word.removesuffix("e"))


def _split(word: str, count: int, is_known: IsKnown) -> tuple[str, ...]:
    if count == 1:
        return (word,) if is_known(word) else ()
    for end in range(SHORTEST_PART, len(word) - SHORTEST_PART * (count - 1) + 1):
        first = _part(word[:end], is_known)
        if first and (others := _split(word[end:], count - 1, is_known)):
            return (first, *others)
    return ()


def _part(written: str, is_known: IsKnown) -> str:
    """Return the word written so inside a compound: without its linking element, or with an “e” that it lost."""
    for link in _LINKS:
        stem = written.removesuffix(link) if link else written
        if len(stem) >= SHORTEST_PART and (link == "" or written.endswith(link)) and is_known(stem):
            return stem
    return f"{written}e" if is_known(f"{written}e") else ""
