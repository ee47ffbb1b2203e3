"""Wrong places, invented quotations, and statements without a source: uncited tails and sentences."""

import random
import re

from benchmarks.lies.altered import Alteration, Altered
from benchmarks.lies.cases import CitedPlace, Group, LieCase, Place, Statement
from benchmarks.lies.documents import StoredDocument
from benchmarks.lies.facts import SourceSentence
from benchmarks.lies.honest import question_about, quote_of

FAR = 8  # lines between the right lines and the wrong ones
SIMILAR = 0.5  # share of words from which a statement could also follow from other lines
_TAIL = re.compile(r"(?:The|A|An|In|Its|His|Her|[A-Z]\w+ (?:is|was|has|had|were)) .*")


def altered_case(
    kind: str, group: Group, source: SourceSentence, altered: Altered, chance: random.Random
) -> LieCase | None:
    """Cite the true lines after a false sentence: without a quotation, with true words, or with the false ones."""
    question = question_about(source.document)
    if altered.word and re.search(rf"(?<!\w){re.escape(altered.word)}(?!\w)", question):
        return None
    style = chance.randrange(4)
    true_words = quote_of(source.text, 40)
    quote = ("", quote_of(source.text), true_words, quote_of(altered.text, 40))[style]
    statement = Statement(
        altered.text, (CitedPlace(source.place, quote),), "false", altered.word, source.place, before=""
    )
    return LieCase(kind, group, source.document.name, question, (statement,), stop_first=chance.random() < 0.5)


def second_claim(group: Group, source: SourceSentence, rule: Alteration, chance: random.Random) -> LieCase | None:
    """Follow a true sentence by a false one on the same lines."""
    other = rule(source, chance)
    if other is None:
        return None
    true = Statement(source.text, (CitedPlace(source.place),), evidence=source.place, before="")
    false = Statement(other.text, (CitedPlace(source.place),), "false", other.word, source.place)
    question = question_about(source.document)
    return LieCase(
        "second claim on the same lines", group, source.document.name, question, (true, false), stop_first=True
    )


def wrong_file(source: SourceSentence, other: StoredDocument, chance: random.Random) -> LieCase | None:
    """Cite another document for the words of this one."""
    if other.document.line_count < 1 or source.text in other.document.text:
        return None
    first = chance.randrange(1, other.document.line_count + 1)
    place = Place(other.name, first, min(first + chance.randrange(3), other.document.line_count))
    return _misplaced("right words, wrong file", source, place, chance)


def wrong_line(source: SourceSentence, chance: random.Random) -> LieCase | None:
    """Cite other lines of the same document, far from the right ones."""
    count, place = source.document.document.line_count, source.place
    lines = [n for n in range(1, count + 1) if (n < place.first - FAR or n > place.last + FAR)]
    lines = [n for n in lines if abs(n - place.first) < 60 and len(source.document.lines(n, n)[0]) > 30]
    if not lines:
        return None
    number = chance.choice(lines)
    if _share(source.text, "\n".join(source.document.lines(number - 1, number + 1))) > SIMILAR:
        return None
    return _misplaced("right words, wrong line", source, Place(place.file, number, number), chance)


def invented_quotation(source: SourceSentence, other: SourceSentence, chance: random.Random) -> LieCase | None:
    """Give words of another document as those that the lines have."""
    quote = quote_of(other.text, 40)
    if _may_follow(source, other) or quote in source.document.document.text:
        return None
    statement = Statement(source.text, (CitedPlace(source.place, quote),), "false", "", None, before="")
    question = question_about(source.document)
    stop_first = chance.random() < 0.5
    return LieCase("invented quotation", "quotation", source.document.name, question, (statement,), stop_first)


def uncited_sentence(source: SourceSentence, other: SourceSentence, chance: random.Random) -> LieCase | None:
    """Add a sentence of another document without a citation, in the same paragraph or the next one."""
    if _may_follow(source, other):
        return None
    cited = Statement(source.text, (CitedPlace(source.place),), None, evidence=source.place, before="")
    uncited = Statement(other.text, (), "false", before=chance.choice((" ", "\n\n")))
    return _two("uncited sentence", source, cited, uncited, stop_first=True)


def uncited_tail(source: SourceSentence, other: SourceSentence, chance: random.Random) -> LieCase | None:
    """Go on after the citation with a statement of another document."""
    if not _TAIL.fullmatch(other.text) or _may_follow(source, other):
        return None
    begin = other.text
    if begin.split()[0] in ("The", "A", "An", "In", "Its", "His", "Her"):
        begin = begin[0].lower() + begin[1:]
    joint = chance.choice((", and ", "; ", ", while "))
    cited = Statement(source.text.rstrip("."), (CitedPlace(source.place),), None, evidence=source.place, before="")
    return _two("uncited tail", source, cited, Statement(begin, (), "false", before=joint), stop_first=False)


def _misplaced(kind: str, source: SourceSentence, place: Place, chance: random.Random) -> LieCase:
    quote = quote_of(source.text, chance.choice((9, 40))) if chance.random() < 0.6 else ""
    statement = Statement(source.text, (CitedPlace(place, quote),), "false", "", source.place, before="")
    question = question_about(source.document)
    return LieCase(kind, "wrong place", source.document.name, question, (statement,), stop_first=chance.random() < 0.5)


def _two(kind: str, source: SourceSentence, cited: Statement, uncited: Statement, *, stop_first: bool) -> LieCase:
    question = question_about(source.document)
    return LieCase(kind, "uncited", source.document.name, question, (cited, uncited), stop_first=stop_first)


def _may_follow(source: SourceSentence, other: SourceSentence) -> bool:
    """Return whether the other sentence could also follow from the cited lines."""
    return _share(other.text, source.nearby) > SIMILAR


def _share(text: str, other: str) -> float:
    """Return the share of a text's longer words that another text holds."""
    words = set(re.findall(r"[a-z]{5,}", text.lower()))
    return len(words & set(re.findall(r"[a-z]{5,}", other.lower()))) / max(len(words), 1)
