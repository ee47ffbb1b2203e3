"""Word lists of words that are no names, in English, German, French and Spanish."""

from functools import cache

from desktop_rag.paths import resources


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


@cache
def _lists() -> dict[str, str]:
    text = (resources() / "claim_words.txt").read_text(encoding="utf-8")
    parts = (part.partition("]") for part in text.split("\n[")[1:])
    return {name: words.partition("\n")[2] for name, _, words in parts}


FUNCTION_WORDS = word_set(_lists()["function words"])
TITLES_AND_FORMS = word_set(_lists()["titles and forms"])
