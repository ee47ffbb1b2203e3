"""Every phrase of a text that may be the title of a document, looked up when a passage leads on.

A title can hold words written small, commas and dashes (“Love, death and a hat”), of which `names` keeps only pieces:
to keep every run of words of every text would make the tables many times as long; of three passages it costs
milliseconds.
"""

import re

from desktop_rag.index.links.mentions import ARTICLES, LONGEST, keys_of

_WORD = re.compile(r"[^\W_]+")


def phrase_keys(text: str) -> list[int]:
    """Return the keys of all runs of up to eight words that begin with a capital letter or a figure."""
    words = _WORD.findall(text)
    folded = [word.casefold() for word in words]
    phrases: set[str] = set()
    for first, word in enumerate(words):
        if word[0].isupper() or word[0].isdigit():
            after = first + (folded[first] in ARTICLES)
            ends = range(after + 1, min(after + LONGEST, len(words)) + 1)
            phrases.update(" ".join(folded[after:end]) for end in ends)
    return keys_of(phrases)
