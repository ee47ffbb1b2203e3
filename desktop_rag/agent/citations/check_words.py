"""Word lists of the claim check, folded, in English, German, French, Spanish and some words of other languages.

They are in `resources/claim_words.txt`: a list has classes, a class has sides, a side has words.
"""

from functools import cache

from desktop_rag.index.keywords.analysis import stem
from desktop_rag.paths import resources


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


@cache
def _lists() -> dict[str, str]:
    text = (resources() / "claim_words.txt").read_text(encoding="utf-8")
    parts = (part.partition("]") for part in text.split("\n[")[1:])
    return {name: words.partition("\n")[2] for name, _, words in parts}


def word_classes(name: str) -> tuple[tuple[frozenset[str], ...], ...]:
    """Return the classes of a list, each with its sides."""
    return tuple(tuple(map(word_set, each.split("|"))) for each in _lists()[name].strip().split("\n\n"))


def word_sides(name: str) -> tuple[frozenset[str], ...]:
    """Return the sides of a list that is one class."""
    return word_classes(name)[0]


def word_forms(name: str) -> tuple[tuple[str, ...], ...]:
    """Return the sides of a list that is one class, their words in order."""
    return tuple(tuple(each.split()) for each in _lists()[name].split("|"))


def words(name: str) -> frozenset[str]:
    """Return the words of a list that is one side."""
    return word_sides(name)[0]


_BASES = {past: base for base, *pasts in word_forms("irregular verbs") for past in pasts}
PASTS = frozenset(_BASES)


def base_stem(word: str) -> str:
    """Return the stem of a folded word, of the past form of an irregular verb that of its infinitive: paid, pay."""
    return stem(_BASES.get(word, word))


NEGATIONS = words("negations")
IMPLIED_NEGATIONS = words("implied negations")
WITHOUT = frozenset(("without", "ohne", "sans", "sin", "senza"))  # negations of what they add to a clause
LIMITS = words("limits")
EXTENTS = word_sides("extents")
ONLY, ALL = 2, 3  # sides of `EXTENTS`
EXTENT_PHRASES = word_forms("extent phrases")
OPPOSITES = tuple((one, other) for one, other in word_classes("opposites"))
ROLES = tuple((one, other) for one, other in word_classes("roles"))
PERMITS = next(pair for pair in OPPOSITES if any("allowed" in side for side in pair))
RISES, FALLS = words("rises"), words("falls")
VERBS_AT_END = words("verbs at end")
SYMMETRIC = frozenset(map(base_stem, words("symmetric")))
TELLS = words("tells")
EXCEPTIONS, CONDITIONS = words("exceptions"), words("conditions")
ORDERS = words("orders")
SWITCHES = words("switches")
JOINING = words("joining")
AGENT_MARKS = words("agent marks")
WEAK_MODALS, STRONG_MODALS = words("weak modals"), words("strong modals")
PRONOUNS = words("pronouns")
FUNCTION_WORDS = words("function words")
TITLES_AND_FORMS, FORMS_OF_ADDRESS = words("titles and forms"), words("forms of address")
PLACE_PREPOSITIONS, NO_PLACES = words("place prepositions"), words("no places")
BEFORE_MONTHS = words("before months")
