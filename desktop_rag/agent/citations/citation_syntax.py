"""Parses citations as models write them: [turn1search3 L12-14 "words relied on"], and the usual variations."""

import re
from dataclasses import dataclass
from enum import Enum

from desktop_rag.agent.citations.references import ANY_REFERENCE

OPENERS = {"[": "]", "【": "】", "(": ")", "［": "］"}
MAX_QUOTE_READ = 4_000  # characters of a citation; the end of a longer one is not looked for
MAX_BRACKET = 1_500  # characters after which an unfinished bracket counts as ordinary text
NOT_FOUND = "not found"
LINK = re.compile(r"\[(\d+)\]\(cite:\1\)")  # what replaces a citation in the text that is shown

_LEADS = ("^", "cite:", "citation:", "citations:", "source:", "sources:", "ref:")  # before a reference
_LEAD = re.compile(rf"\s*(?:{'|'.join(map(re.escape, _LEADS))})?", re.IGNORECASE)
_PREFIX = re.compile(r"\s*(?:t(?:u(?:r(?:n(?:\d{1,6}(?:[a-z_]{1,20}\d{0,6})?)?)?)?)?)?", re.IGNORECASE)
_REFERENCE_START = re.compile(rf"\s*{ANY_REFERENCE.pattern}", re.IGNORECASE)
_LINES = re.compile(
    r"(?:\bL|\blines?\b|\bll?\.|#L|:)?\s*(\d{1,9})(?:\s*(?:[-–—]|to|bis)\s*L?\s*(\d{1,9}))?", re.IGNORECASE
)
_BARE = re.compile(rf"{ANY_REFERENCE.pattern}(?:,?\s?L\d{{1,9}}(?:\s?[-–]\s?L?\d{{1,9}})?)?(?![\w-])", re.IGNORECASE)
_QUOTE = re.compile(r'["“”„«](.*)["“”»]', re.DOTALL)
_RELEVANCY = re.compile(
    r"[;,]?\s*\b(?:relevanc[ey]|score)\b\s*[:=]?\s*(\d{1,3}(?:\.\d{1,6})?)(?:\s*%|\s*/\s*\d{1,3})?", re.IGNORECASE
)
_AFTER = rf"\s*(?:{_RELEVANCY.pattern})?\s*"  # allowed between a quote and the end of its citation
_WOULD_END = re.compile(rf'["”“»](?={_AFTER}(?:\]|[;,]\s*turn\d))', re.IGNORECASE)
_QUOTE_END = re.compile(rf'["”“»](?={_AFTER}(?:$|[;,]\s*turn\d))', re.IGNORECASE)


class Bracket(Enum):
    """Kinds of text that an opening bracket may begin."""

    TEXT = "ordinary text"
    OPEN = "undecided: more text is needed"
    CITATION = "a citation"
    NOT_FOUND = "the marker of an answer that found nothing"


@dataclass(frozen=True, slots=True)
class RawCitation:
    """A citation as the model wrote it; `first` and `last`, from 1, are None where it named no lines."""

    reference: str
    first: int | None
    last: int | None
    quote: str
    relevancy: float | None = None  # the model's own score, comparable only within one answer
    counts_from: int = 1  # the number the model saw for the first line


def read_bracket(text: str) -> tuple[Bracket, int]:
    """Return the kind of the bracket that opens `text`, and its length in characters (0 if undecided)."""
    closer, inside = OPENERS[text[0]], text[1:]
    mark = f"{NOT_FOUND}]"
    if text[0] == "[" and inside.lower().startswith(mark):
        return Bracket.NOT_FOUND, 1 + len(mark)
    rest = _LEAD.sub("", inside, count=1)
    if _REFERENCE_START.match(rest):
        return _measure_citation(text, closer)
    if text[0] != "(" and inside[:1] in OPENERS:  # “[[turn1search3]]”
        kind, length = read_bracket(inside)
        if kind is Bracket.CITATION and length < len(inside):
            return (kind, length + 2) if inside[length] == closer else (Bracket.TEXT, 1)
        return (Bracket.OPEN, 0) if kind is Bracket.OPEN or kind is Bracket.CITATION else (Bracket.TEXT, 1)
    is_lead = any(lead.startswith(inside.strip().lower()) for lead in _LEADS)
    undecided = is_lead or bool(_PREFIX.fullmatch(rest)) or (text[0] == "[" and mark.startswith(inside.lower()))
    return (Bracket.OPEN, 0) if undecided else (Bracket.TEXT, 1)


def read_bare_reference(text: str, *, ended: bool) -> int | None:
    """Return the length of a reference without brackets that begins `text`, 0 if none does, None if undecided."""
    match = _BARE.match(text)
    if match and (ended or match.end() + 1 < len(text)):
        return match.end()
    undecided = not ended and (match or _PREFIX.fullmatch(text) or _REFERENCE_START.fullmatch(text))
    return None if undecided else match.end() if match else 0


def parse_citations(inside: str, counts_from: int = 1) -> tuple[RawCitation, ...]:
    """Return the citations inside one pair of brackets; the model counts lines from `counts_from`."""
    quotes = _quotes(inside)
    names = (match.start() for match in ANY_REFERENCE.finditer(inside))
    starts = [at for at in names if not any(start < at < end for start, end in quotes)]
    ends = [*starts[1:], len(inside)]
    return tuple(_parse(inside[start:end], counts_from) for start, end in zip(starts, ends, strict=True))


def write_citation(reference: str, first: int, last: int, quote: str = "") -> str:
    """Return a citation in the form that the prompts ask for; a quote is the same text for `read_bracket`."""
    lines = f"L{first}" if first == last else f"L{first}-{last}"
    # A word joiner, which no comparison sees, where `"]` in a quote, as in JSON, would end the citation.
    whole = _WOULD_END.sub("\\g<0>\u2060", quote)
    words = f' "{whole}"' if whole else ""
    return f"[{reference} {lines}{words}]"


def _measure_citation(text: str, closer: str) -> tuple[Bracket, int]:
    text = text[:MAX_QUOTE_READ]
    position, quoted = 1, False
    while position < len(text):
        character = text[position]
        if not quoted and character == closer:
            return Bracket.CITATION, position + 1
        if not quoted and character in '"“„«':
            quoted = True
        elif quoted and character in '"”“»':
            rest = text[position + 1 :].lstrip()
            if not rest:
                break  # the next text decides whether the quote ends here
            if re.match(rf"{_AFTER}(?:{re.escape(closer)}|[;,]\s*turn\d)", rest, re.IGNORECASE):
                quoted = False
        position += 1
    if len(text) < MAX_BRACKET and "\n\n" not in text:
        return Bracket.OPEN, 0
    end = text.find(closer)
    return (Bracket.CITATION, end + 1) if end > 0 else (Bracket.TEXT, 1)


def _quotes(inside: str) -> list[tuple[int, int]]:
    """Return the offsets of the quotes in a bracket; quotation marks inside a quote do not end it."""
    found: list[tuple[int, int]] = []
    opening = re.compile(r'["“„«]')
    while opened := opening.search(inside, found[-1][1] if found else 0):
        ended = _QUOTE_END.search(inside, opened.end())
        found.append((opened.start(), ended.end() if ended else len(inside)))
    return found


def _parse(text: str, counts_from: int) -> RawCitation:
    name = ANY_REFERENCE.match(text)
    rest = text[name.end() :] if name else text
    quote = _QUOTE.search(rest)
    around = f"{rest[: quote.start()]} {rest[quote.end() :]}" if quote else rest
    relevancy = _RELEVANCY.search(around)
    lines = _LINES.search(_RELEVANCY.sub(" ", around))
    numbers = sorted(int(number) + 1 - counts_from for number in (lines[1], lines[2] or lines[1])) if lines else ()
    first, last = numbers or (None, None)
    return RawCitation(
        name[0].lower() if name else "",
        first,
        last,
        quote[1].strip() if quote else "",
        float(relevancy[1]) if relevancy else None,
        counts_from,
    )
