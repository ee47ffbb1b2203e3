"""Recognises citations of files as people, other models and this program write them.

`[lease.md, lines 4–6]`, `(lease.pdf, page 3; lease.pdf, page 5)`, `【lease.md:4】`, `[12 %](folder/lease.md#L4-L6)`,
links of this program (`[lease.md#L4](desktop-rag://open?…)`), and rows of a list of sources: `[^1]: lease.md, line 4`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from desktop_rag.agent.citations.references import ANY_REFERENCE
from desktop_rag.errors import LinkError
from desktop_rag.text.desktop_links import OpenLink, is_link, parse_link

MOST_PLACES = 20  # in one pair of brackets
MOST_ROW = 4_000  # characters of a row in a list of sources

_FILE = r"(?P<file>(?:library://document/|/|~/|[A-Za-z]:[\\/])?[^\[\]()\"“”„«»<>|\n#]*?[^\s\[\]()\"“”„«»<>|\n#:,;/\\])"
_LINE_WORD = r"(?:#L|:|/lines/|[,;]?\s+(?:L|ll?\.|lines?\s|Zeilen?\s|Z\.\s?|lignes?\s|líneas?\s))"
_PAGE_WORD = r"[,;]?\s+(?:pages?|p\.|pp\.|Seiten?|S\.|páginas?)"
_NUMBERS = r"\d{1,9}(?:\s*[-–—]\s*L?\d{1,9})?"
_AND = r"\s*(?:,|&|\band\b|\bund\b|\bet\b|\by\b)\s*(?:and\s+|und\s+)?"
_PLACE = (
    rf"(?:(?:{_PAGE_WORD}\s*(?P<page>\d{{1,6}})[,;]?)?"
    rf"(?:{_LINE_WORD}\s*(?P<lines>{_NUMBERS}(?:{_AND}{_NUMBERS}){{0,9}})(?::\d{{1,6}})?)?)"
)
_QUOTE = r"(?:[,;:]?\s*[\"“„«](?P<quote>[^\"”“»]{1,600})[\"”“»])?"
_LOCATION = re.compile(rf"{_FILE}{_PLACE}\s*{_QUOTE}", re.IGNORECASE)
_RANGE = re.compile(r"(\d{1,9})(?:\s*[-–—]\s*L?(\d{1,9}))?")
_NAMES_FILE = re.compile(r"\.\w{1,8}$|^library://document/[0-9a-f]{64}", re.IGNORECASE)
_LEAD_IN = re.compile(r"(?:sources?|see(?: also)?|cf\.|refs?\.?|from|quellen?|siehe|vgl\.)\s*:?\s+", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*(?:;|(?:,|&|\band\b|\bund\b)(?=\s+[^\s,;:\"“„]{1,200}\.\w{1,8}(?:[\s,;:#]|$)))\s*")
_ONLY_PLACE = re.compile(r"(?:L|ll?\.|lines?|pages?|pp?\.|Zeilen?|Seiten?|[SZ]\.)\s*\d", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“„«][^\"”“»]{0,600}[\"”“»]")
_LABEL = r"\[(?P<label>(?:\\.|[^\[\]\n\\]){0,600})\]"
_LINK = re.compile(rf"{_LABEL}\((?:<(?P<angled>[^<>\n]{{3,9000}})>|(?P<target>(?:[^()\n]|\([^()\n]*\)){{3,9000}}))\)")
_BRACKET = re.compile(r"[\[(【](?P<inside>[^\[\]()【】\n]{3,900})[\])】]")
_OPENING = re.compile(r"[\[(【]")
_WORDS_OF_QUOTE = re.compile(r"[“„«\"](.{1,2000})[”“»\"]")
_ESCAPE = re.compile(r"\\([\\`*_\[\]<>#|~])")


@dataclass(frozen=True, slots=True)
class WrittenPlace:
    """Lines of a file as a text names them; 0 is none. `sha256` is that of a link of this program."""

    written: str
    file: str
    page: int = 0
    first: int = 0
    last: int = 0
    quote: str = ""
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class WrittenGroup:
    """A citation from `start` to `end` of a text: a link with the words of its `label`, or a pair of brackets."""

    start: int
    end: int
    label: str
    places: tuple[WrittenPlace, ...]


def written_groups(text: str) -> Iterator[WrittenGroup]:
    """Yield the citations of files in a text; brackets with references of the tools are none."""
    at = 0
    while opening := _OPENING.search(text, at):
        group = _linked(text, opening.start()) or _bracketed(text, opening.start())
        if group:
            yield group
        at = group.end if group else opening.end()


def listed_place(row: str) -> WrittenPlace | None:
    """Return the place that a row of a list of sources names, None if it is more than that."""
    row = row.strip()
    if len(row) > MOST_ROW:
        return None
    links = [found for at in _OPENING.finditer(row) if (found := _linked(row, at.start()))]
    if not links:
        places = written_places(row.removeprefix("<").removesuffix(">"))
        return places[0] if len(places) == 1 else None
    *_, link = links
    before = _ESCAPE.sub(r"\1", f"{row[: link.start]}{row[link.end :]}").strip()
    quote = _WORDS_OF_QUOTE.search(before)
    named = before[: quote.start()] if quote else before
    if len(named.split()) > 20:
        return None  # a sentence with a citation
    return replace(link.places[0], quote=quote[1] if quote else "")


def written_places(text: str) -> tuple[WrittenPlace, ...]:
    """Return the places that the inside of brackets, or the target of a link, names; empty for anything else."""
    text = _LEAD_IN.sub("", text.strip(), count=1) if _LEAD_IN.match(text.strip()) else text.strip()
    found = list[WrittenPlace]()
    for part in _parts(text):
        places = _place(part)
        if not places and found and _ONLY_PLACE.match(part):
            places = _place(f"{found[-1].file}, {part}")
        if not places:
            return _place(text)
        found += places
    return tuple(found[:MOST_PLACES])


def _linked(text: str, start: int) -> WrittenGroup | None:
    link = _LINK.match(text, start)
    if link is None or ANY_REFERENCE.search(link["label"]):
        return None
    places = written_places(re.sub(r"\s+\"[^\"]*\"$", "", link["angled"] or link["target"]))
    if not places:
        return None
    named = written_places(_ESCAPE.sub(r"\1", link["label"]))
    if named and all(_same_file(place, places[0]) for place in named):
        return WrittenGroup(start, link.end(), "", places)
    return WrittenGroup(start, link.end(), "" if named else link["label"], (*named, *places))


def _bracketed(text: str, start: int) -> WrittenGroup | None:
    bracket = _BRACKET.match(text, start)
    if bracket is None or ANY_REFERENCE.search(bracket["inside"]):
        return None
    places = written_places(bracket["inside"])
    return WrittenGroup(start, bracket.end(), "", places) if places else None


def _parts(text: str) -> list[str]:
    """Return a text parted between places, but not in quotations."""
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    parts, end = list[str](), 0
    for mark in _BETWEEN.finditer(text):
        if not any(first <= mark.start() < last for first, last in quoted):
            parts.append(text[end : mark.start()])
            end = mark.end()
    return [*parts, text[end:]]


def _place(text: str) -> tuple[WrittenPlace, ...]:
    """Return the lines of one file that a text names; empty if it names no file."""
    if is_link(text):
        return _of_link(text)
    if text.lower().startswith("file://"):
        text = _of_file_address(text)
    match = _LOCATION.fullmatch(text)
    if match is None or ("://" in match["file"] and not match["file"].lower().startswith("library://")):
        return ()
    if not _NAMES_FILE.search(match["file"]) and not (match["file"].startswith(("/", "~/")) and match["lines"]):
        return ()
    place = WrittenPlace(text, match["file"], int(match["page"] or 0), quote=(match["quote"] or "").strip())
    if not match["lines"]:
        return (place,)
    ranges = [sorted((int(first), int(last or first))) for first, last in _RANGE.findall(match["lines"])]
    return tuple(replace(place, first=first, last=last) for first, last in ranges)


def _of_link(text: str) -> tuple[WrittenPlace, ...]:
    try:
        link = parse_link(text)
    except LinkError:
        return ()
    if not isinstance(link, OpenLink):
        return ()
    return (WrittenPlace(text, link.path, 0, link.first_line, link.last_line, sha256=link.sha256),)


def _of_file_address(text: str) -> str:
    """Return the path of a `file://` address, and the lines behind it."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return ""
    return f"{url2pathname(parts.path)}{f'#{parts.fragment}' if parts.fragment else ''}"


def _same_file(one: WrittenPlace, other: WrittenPlace) -> bool:
    names = (unquote(each.file).replace("\\", "/").rpartition("/")[2].casefold() for each in (one, other))
    return len(set(names)) == 1
