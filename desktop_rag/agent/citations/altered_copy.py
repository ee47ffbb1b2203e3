"""Finds what was altered in a statement that is nearly word for word a sentence of its lines.

A figure, name or date that the lines do not write, in the place of another one; a negation put in or left out. Only
where every other word agrees: no paraphrase is taken for a copy, and no figure in another unit or for another period.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from difflib import SequenceMatcher

from desktop_rag.agent.citations.names import missing_names
from desktop_rag.agent.citations.numbers import figures
from desktop_rag.agent.citations.source_sentences import sentences
from desktop_rag.agent.citations.statement_words import StatementWord, is_ordinary, split_words
from desktop_rag.agent.citations.support import CitedLines, word_overlap
from desktop_rag.agent.events import Alteration
from desktop_rag.index.keywords.analysis import STOP_WORDS
from desktop_rag.text.figures import Figure
from desktop_rag.text.language_detection import detect
from desktop_rag.text.normalize import fold_quote

FEWEST, MOST = 5, 80  # words of a copy, one less of one with a negation
SAME = 0.7  # share of its words that the sentence has in the same order
LONGEST = 5  # words of an alteration
MOST_SENTENCES = 1_000  # of the lines
MOST_ALIKE = 3  # of them that are compared
ROUNDED = Decimal("0.06")  # share of a figure by which a shorter one may be it, rounded
AROUND = 2  # words told around a negation
_Words = Sequence[StatementWord]


@dataclass(frozen=True, slots=True)
class _Change:
    """Words of a statement where its sentence has others; either may be none."""

    here: _Words
    there: _Words
    at: int  # of the first word in the statement …
    other: int  # … and in the sentence

    @property
    def content(self) -> int:
        """Return how many words say something by themselves."""
        return max(sum(word.fold not in STOP_WORDS for word in side) for side in (self.here, self.there))


def altered_copy(claim: str, sources: Sequence[CitedLines], missing: Collection[str]) -> Alteration | None:
    """Return the alteration of a statement; `missing` are its figures and names that its lines do not write."""
    words = split_words(claim)
    if not FEWEST - 1 <= len(words) <= MOST:
        return None
    texts = {each.text for source in sources for each in sentences(source.lines)}
    folded = fold_quote(claim).strip(" .")
    if len(texts) > MOST_SENTENCES:
        return None
    alike = sorted(texts, key=lambda text: (-word_overlap(claim, text), text))[:MOST_ALIKE]
    if any(folded in fold_quote(text) for text in alike):
        return None
    for text in alike:
        other = split_words(text)
        changes = _changes(words, other) if FEWEST - 1 <= len(other) <= MOST else None
        if changes is None:
            continue
        everything = [part for source in sources for part in (source.text(), source.paragraph)]
        found = _exchanged(claim, text, changes, missing, everything) or _denied(claim, text, words, other, changes)
        if found:
            return found
    return None


def _changes(words: _Words, other: _Words) -> list[_Change] | None:
    """Return where a statement differs from a sentence, apart from what it leaves out around; None if it is no copy."""
    matcher = SequenceMatcher(None, [word.stem for word in words], [word.stem for word in other], autojunk=False)
    if sum(block.size for block in matcher.get_matching_blocks()) < SAME * len(words):
        return None
    found = [
        _Change(words[first:last], other[left:right], first, left)
        for kind, first, last, left, right in matcher.get_opcodes()
        if kind != "equal" and not (kind == "insert" and first in (0, len(words)))
    ]
    return found if all(len(side) <= LONGEST for each in found for side in (each.here, each.there)) else None


def _exchanged(
    claim: str, text: str, changes: Sequence[_Change], missing: Collection[str], everything: Sequence[str]
) -> Alteration | None:
    """Return the figure or name of a statement that stands in the place of another one, where nothing else differs."""
    differing = [each for each in changes if each.content]
    if len(differing) != 1 or not (differing[0].here and differing[0].there) or len(split_words(claim)) < FEWEST:
        return None
    [change] = differing
    if {word.fold for word in change.there} <= _folds((claim,)):
        return None
    mine = claim[change.here[0].start : change.here[-1].end]
    theirs = text[change.there[0].start : change.there[-1].end]
    own = [each for each in figures(claim) if each.text in missing and _covers(each, change.here, claim)]
    others = [each for each in figures(text) if any(_covers(each, [word], text) for word in change.there)]
    if pair := next(((one, other) for one in own for other in others if _same_kind(one, other)), None):
        return Alteration(*(_bare(each.text) for each in pair))
    names = _names(change.here) and _names(change.there) and not figures(mine) and not figures(theirs)
    lacking = any(each in mine or mine in each for each in missing) or (
        detect(claim) == "en" and not any(each.fold in _folds(everything) for each in change.here)
    )
    return Alteration(mine, theirs) if names and lacking and not _is_one_name(mine, theirs) else None


def _bare(text: str) -> str:
    """Return a figure without the full stop of its sentence, which “9 p.m.” has of its own."""
    return text if text.endswith(".m.") else text.rstrip(" .,;:")


def _covers(figure: Figure, words: _Words, text: str) -> bool:
    """Return whether a figure has all words that say something: else another unit or period may explain it."""
    start = text.find(figure.text)
    end = start + len(figure.text)
    telling = [word.start for word in words if word.fold not in STOP_WORDS]
    return start >= 0 and bool(telling) and all(start <= at < end for at in telling)


def _same_kind(one: Figure, other: Figure) -> bool:
    """Return whether a figure of a statement may stand for another one: in its unit, and not that one rounded."""
    if bool(one.when) != bool(other.when) or bool(one.name) != bool(other.name):
        return False
    if (one.units, one.scales) != (other.units, other.scales):
        return False
    if not (one.values and other.values) or one.is_year:
        return True
    mine, theirs = one.values[0], other.values[0]
    shorter = len(mine.normalize().as_tuple().digits) < len(theirs.normalize().as_tuple().digits)
    return not (shorter and abs(mine - theirs) <= abs(theirs) * ROUNDED)


def _names(words: _Words) -> bool:
    """Return whether words are a name: all are capitalised, and none is an ordinary word."""
    return all(word.is_capital and not is_ordinary(word) for word in words)


def _folds(texts: Sequence[str]) -> frozenset[str]:
    return frozenset(word.fold for text in texts for word in split_words(text))


def _is_one_name(one: str, other: str) -> bool:
    """Return whether two names may be forms of one, such as an acronym and its words."""
    return not missing_names(f"by {one}", (other,)) or not missing_names(f"by {other}", (one,))


def _denied(claim: str, text: str, words: _Words, other: _Words, changes: Sequence[_Change]) -> Alteration | None:
    """Return the words around a negation that only one side has, if nothing else differs."""
    if (sum(word.is_negation for word in words) - sum(word.is_negation for word in other)) % 2 == 0:
        return None
    negated = [each for each in changes if any(word.is_negation for word in (*each.here, *each.there))]
    if len(negated) != 1 or not all(word.is_negation for each in changes for word in (*each.here, *each.there)):
        return None
    [change] = negated
    return Alteration(
        _around(claim, words, change.at, len(change.here)), _around(text, other, change.other, len(change.there))
    )


def _around(text: str, words: _Words, at: int, count: int) -> str:
    """Return the words of a text at an index with some before and after them."""
    near = words[max(0, at - AROUND) : at + count + AROUND]
    return text[near[0].start : near[-1].end]
