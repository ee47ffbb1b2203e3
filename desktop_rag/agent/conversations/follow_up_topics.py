"""What to ask next, drawn from the evidence of a run without a model: sections, names, a document not read."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.agent.conversations.erasing import SEARCHES
from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.conversations.turn_search import answer_text
from desktop_rag.agent.events import Answered, Citation, Source, ToolReturned
from desktop_rag.text.dates import MONTHS
from desktop_rag.text.display import one_line
from desktop_rag.text.normalize import fold

MOST = 3
_OFTEN = 2  # occurrences that make a name or a document worth a question
_LONGEST = 60  # characters of a heading or name
_HEADING = re.compile(
    r"#{1,6}\s+(?P<marked>\S.*)|(?P<counted>(?:§\s?)?\d{1,2}(?:\.\d{1,2})*[.)]?\s+[^\W\d_][^.!?;:|]*)"
)
_NUMBER = re.compile(r"\A(?:§\s?)?\d{1,2}(?:\.\d{1,2})*[.)]?\s+(?=\D)")
_PARTICLES = "of the|of|for|de|von|van|da|di|du|der|la"
_WORD = r"[^\W\d_a-z][\w’'-]+"
_NEXT = rf"(?: (?:{_PARTICLES})\b)? {_WORD}"
_NAME = re.compile(rf"{_WORD}{_NEXT}(?:{_NEXT}(?![\w’'-]|:))*")  # not the label after it: “Ada Brandt Price: 9”
_NO_NAMES = {  # first words of what a pattern takes for a name: salutations, lists of contents, dates
    "dear", "hello", "hi", "sehr", "liebe", "lieber", "guten", "table", "contents", "inhaltsverzeichnis", "chapter",
    "section", "figure", "appendix", "page", "in", "on", "at", "by", "from", "to", "for", "with", "am", "im", "vom",
    "zum", "zur", "seit", "until", "since", "during", "hey", "some", "and", "but", "or", "if", "when", "while", "any",
    "type", "types", "data",
}  # fmt: skip
_PLACES = {  # last words of addresses: nothing more is said of them
    "centre", "center", "street", "road", "avenue", "square", "house", "building", "park", "lane", "drive", "suite",
    "tower", "plaza", "boulevard", "strasse", "platz", "weg", "allee", "gasse", "hof", "rue", "via",
}  # fmt: skip
_NO_HEADINGS = _NO_NAMES | {
    "the",
    "one",
    "two",
    "three",
    "first",
    "second",
    "third",
    "part",
    "index",
    "notes",
    "summary",
    "slide",
    "cell",
}
_MESSAGE = re.compile(r"Message \d+: (?:(?:re|aw|fwd?|wg): )*", re.IGNORECASE)  # how a mailbox names its mails
_CONTRACTION = re.compile(r"[’'](?:ll|m|ve|re|d|t)\b")
_CELLS = re.compile(r"[A-Z]{1,3}\d+")


class TopicKind(StrEnum):
    """Where a topic is from."""

    SECTION = "section"  # a heading beside cited lines: `text`, in the document `other`
    NAME = "name"  # a name in the cited words, or often around them, that the question lacks
    COMPARE = "compare"  # a cited document, and `other` beside it, which was found again and again and not read


@dataclass(frozen=True, slots=True)
class FollowUpTopic:
    """Something that the next question could be about; both texts are on one line."""

    kind: TopicKind
    text: str
    other: str = ""


def follow_up_topics(turn: Turn) -> tuple[FollowUpTopic, ...]:
    """Return at most `MOST` topics of an answered turn, of different kinds first; none if nothing was found."""
    last = turn.events[-1] if turn.events else None
    if not isinstance(last, Answered) or not last.found or not last.citations:
        return ()
    told = fold(f"{turn.question} {answer_text(turn)}")
    kinds = [
        [topic for topic in _sections(last.citations) if fold(topic.text) not in told],
        [topic for topic in _names(last.citations) if fold(topic.text) not in fold(turn.question)],
        list(_comparisons(turn, last.citations)),
    ]
    rounds = (group[at] for at in range(MOST) for group in kinds if at < len(group))
    return tuple(dict.fromkeys(rounds))[:MOST]


def _sections(citations: Sequence[Citation]) -> Iterator[FollowUpTopic]:
    for citation in citations:
        for line in (citation.section, *citation.passage.split("\n")):
            found = _HEADING.fullmatch(line.strip())
            text = (found["marked"] or found["counted"]) if found else line if line == citation.section else ""
            text = _NUMBER.sub("", one_line(text).rstrip(":").strip(), count=1)
            text = _MESSAGE.sub("", text, count=1)
            telling = any(len(word) > 2 and word not in _NO_HEADINGS for word in fold(text).split())
            if telling and 4 <= len(text) <= _LONGEST and not _CELLS.search(text) and text not in citation.quote:
                yield FollowUpTopic(TopicKind.SECTION, text, _document(citation))


def _names(citations: Sequence[Citation]) -> Iterator[FollowUpTopic]:
    quoted = [name for citation in citations for line in citation.quote.split("\n") for name in _names_in(line)]
    lines = {line for citation in citations for line in citation.passage.split("\n")}
    counts = Counter(name for line in lines if not _HEADING.fullmatch(line.strip()) for name in _names_in(line))
    often = [name for name, count in counts.most_common() if count >= _OFTEN]
    for name in dict.fromkeys((*quoted, *often)):
        yield FollowUpTopic(TopicKind.NAME, one_line(name))


def _names_in(line: str) -> Iterator[str]:
    """Yield the names of two words or more, without a “The” or “Die” before them."""
    from desktop_rag.agent.citations.source_sentences import LEADS_ON  # not needed before the first answer

    for found in _NAME.findall(line):
        words = found.split()
        while words and fold(words[0]) in LEADS_ON:
            words.pop(0)
        if words and (fold(words[0]) in _NO_NAMES or any(fold(word) in MONTHS for word in words)):
            continue
        if words and fold(words[-1]) in _PLACES:
            continue
        if any(word[0].islower() and word not in re.split(r"[| ]", _PARTICLES) for word in words):
            continue  # “Mietvertrag über”: the pattern takes letters beyond a to z for capitals
        name = " ".join(words)
        if _CONTRACTION.search(name):
            continue
        if len(words) > 1 and words[0][0].isupper() and len(name) <= _LONGEST and not name.isupper():
            yield name


def _comparisons(turn: Turn, citations: Sequence[Citation]) -> Iterator[FollowUpTopic]:
    returned = [event for event in turn.events if isinstance(event, ToolReturned)]
    read = {source.path for event in returned if event.name not in SEARCHES for source in event.sources}
    read |= {citation.path for citation in citations}
    found = [{source.path: source for source in event.sources} for event in returned if event.name in SEARCHES]
    counts = Counter(path for sources in found for path in sources)
    known = {path: source for sources in found for path, source in sources.items()}
    beside = _folder(citations[0].path)
    for path, count in counts.most_common():
        if path not in read and count >= _OFTEN and _folder(path) == beside:
            yield FollowUpTopic(TopicKind.COMPARE, _document(citations[0]), _document(known[path]))


def _folder(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[0]


def _document(shown: Citation | Source) -> str:
    name = shown.path.replace("\\", "/").rpartition("/")[2]
    return one_line(name or shown.title)
