"""Finds the figure that cited lines have in the place of a claim's: “the lines say 850, not 950”.

Silent unless it is of the same kind and beside the same words: visitors are no items, a price is no threshold.
"""

import re

from desktop_rag.agent.citations.claim_words import is_content, split_words
from desktop_rag.text.figures import Figure, FigureText, read_figures

_BREAK = re.compile(r"[.;:!?](?=\s)|[)|\n]|,\s")
_ASKED = re.compile(
    r"\b(?:per|each|together|combined|altogether|averag\w*|mean|fewer|less|more|half|twice|double|times|"
    r"by|rest|remaining|remainder|um|pro|je|jeweils|zusammen|insgesamt|durchschnittlich\w*|Durchschnitt|weniger|mehr|Hälfte|doppelt|mal)\b",
    re.IGNORECASE,
)


def figure_instead(figure: str, claim: str, sentence: str) -> str:
    """Return the figure of a sentence that stands in the place of one of a claim; empty if none or several do."""
    said, read = read_figures(claim), read_figures(sentence)
    mine = next((each for each in said.figures if figure in each.text), None)
    if mine is None or not _asked(claim) <= _asked(sentence):  # a result is compared with no operand
        return ""
    written = {each.text for each in said.figures}
    others = [each for each in read.figures if each.text not in written and not each.part and _is_alike(mine, each)]
    beside = {each.text: _beside(read, each) for each in others}
    common = frozenset[str]().union(*beside.values()) if len(beside) < 2 else frozenset.intersection(*beside.values())
    own = _beside(said, mine) - (common if len(beside) > 1 else frozenset())
    placed = [text for text, stems in beside.items() if own & stems]
    return placed[0] if len(placed) == 1 else ""


def _asked(text: str) -> set[str]:
    return {word.casefold() for word in _ASKED.findall(text)}


def _is_alike(one: Figure, other: Figure) -> bool:
    """Return whether two figures measure or count alike: two dates, two names, two amounts of one unit or thing."""
    if (bool(one.when), one.period and one.period[0], bool(one.name), one.is_year, bool(one.ordinal)) != (
        bool(other.when), other.period and other.period[0], bool(other.name), other.is_year, bool(other.ordinal)
    ):  # fmt: skip
        return False
    if one.bound in ("over", "under") and one.bound != other.bound:
        return False
    return bool(one.kinds & other.kinds) or one.kinds == other.kinds


def _beside(text: FigureText, figure: Figure) -> frozenset[str]:
    """Return the stems of the content words beside a figure, up to the next figure or end of a clause."""
    others = [each for each in text.figures if _is_alike(figure, each)]
    before = max((each.end for each in others if each.end <= figure.start), default=0)
    after = min((each.start for each in others if each.start >= figure.end), default=len(text.plain))
    parts = _BREAK.split(text.plain[before : figure.start])[-1], _BREAK.split(text.plain[figure.end : after])[0]
    return frozenset(word.stem for part in parts for word in split_words(part) if is_content(word))
