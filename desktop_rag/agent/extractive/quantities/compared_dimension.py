"""What a comparative compares: only these kinds of units, stated with one of these words, are an amount of it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.text.figures import Figure


@dataclass(frozen=True, slots=True)
class Dimension:
    """The kinds of units of a dimension (or, `excluded`, those that it cannot have), and the stems that state it.

    `columns` are further stems that name a column with it.
    """

    kinds: frozenset[str]
    words: frozenset[str] = frozenset()
    columns: frozenset[str] = frozenset()
    excluded: bool = False

    def chosen(self, text: str, found: Sequence[Figure]) -> list[Figure]:
        """Return those of the figures in a text that may be amounts of this dimension."""
        if self.excluded:
            return [each for each in found if not each.kinds & self.kinds]
        fitting = [each for each in found if each.kinds & self.kinds]
        of_metres = any("metres" in each.kinds or "grams" in each.kinds for each in fitting)
        if of_metres and self.words and not self.words.intersection(stems(text)):
            return []  # 310 metres above the sea are no depth, 300 kg of ballast no weight
        told = [each for each in fitting if self.words.intersection(stems(" ".join(text[each.end :].split()[:1])))]
        return told if len(fitting) > 1 and told else fitting


def _dimension(kinds: str, words: str, columns: str = "") -> Dimension:
    return Dimension(frozenset(kinds.split(",")), frozenset(stems(words)), frozenset(stems(columns)))


_DIMENSIONS = tuple(
    (re.compile(rf"\b(?:{comparatives})\b", re.IGNORECASE), dimension)
    for comparatives, dimension in (
        (r"longe(?:r|st)|shorte(?:r|st)|länger\w*|längste\w*|kürze\w+", _dimension(
            "metres,months,seconds", "long length lang länge", "duration hours minutes days dauer stunden minuten")),
        (r"heavie(?:r|st)|lighte(?:r|st)|schwer(?:er|ste)\w*|leicht(?:er|este)\w*", _dimension(
            "grams", "weigh weighs weight heavy displaces displacement mass wiegt gewicht schwer")),
        (r"talle(?:r|st)", _dimension("metres", "tall high height hoch höhe groß größe")),
        (r"deepe(?:r|st)|shallowe(?:r|st)|tief(?:er|ste)\w*|flach(?:er|ste)\w*", _dimension(
            "metres", "deep depth draught tief tiefe")),
        (r"wide(?:r|st)|broade(?:r|st)|narrowe(?:r|st)|breite(?:r|ste)\w*|schmal(?:er|ste)\w*", _dimension(
            "metres", "wide width broad breadth beam breit breite")),
        (r"faste(?:r|st)|slowe(?:r|st)|schnell(?:er|ste)\w*|langsam(?:er|ste)\w*", _dimension(
            "km/h", "", "speed geschwindigkeit")),
        (r"(?:warm|hott|cold|cool)(?:er|est)|wärm(?:er|ste)\w*|kält(?:er|este)\w*", _dimension(
            "°C,°F,°", "", "temperature temperatur")),
        (r"large(?:r|st)|bigge(?:r|st)|smalle(?:r|st)|größer\w*|größte\w*|klein(?:er|ste)\w*", Dimension(
            frozenset(("metres", "grams", "months", "seconds", "km/h", "°C", "°F", "°")),
            columns=frozenset(stems("area size fläche größe")), excluded=True)),
    )
)  # fmt: skip


def compared_dimension(question: str) -> Dimension | None:
    """Return the dimension of a question's comparative; None if it may be any: “higher”, “more”."""
    return next((dimension for pattern, dimension in _DIMENSIONS if pattern.search(question)), None)


_OF_HEIGHT = re.compile(r"\b(?:high|low)(?:er|est)\b|\b(?:höher|höchste|niedriger|niedrigste)\w*", re.IGNORECASE)
_HEIGHT = frozenset(stems("altitude elevation height höhe"))


def measured_in(question: str, column: frozenset[str]) -> bool:
    """Return whether a column with these stems has what the comparative of a question compares."""
    dimension = compared_dimension(question)
    if dimension:
        return not column.isdisjoint(dimension.words | dimension.columns)
    return bool(_OF_HEIGHT.search(question)) and not column.isdisjoint(_HEIGHT)
