"""The grammar of places in documents, as people, models and this program write them.

    places  = [lead] place {separator (place | locator)}     a locator alone is in the file before it
    place   = [quote] file [locator] [quote] | lines "of" file
    file    = path or name with its ending | title "(" file ")" | title | library://document/SHA-256
    locator = page [lines] | lines | point, after a comma, in brackets …
    page    = page 3 | pp. 3–4
    lines   = line 10 | lines 10 and 11 | L10-L12 | 第 10–12 行
    point   = #L10-L12 | :10-12 | :10:5 | #page=3 | /lines/10-12

Addresses of links are places, too: `desktop-rag://open?…`, `file:///…`, `folder/lease.md#L10`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import unquote

from desktop_rag.documents.file_types import SUFFIXES
from desktop_rag.errors import LinkError
from desktop_rag.text.desktop_links import OpenLink, is_link, parse_link

MAX_PLACES = 40  # in one bracket
MAX_WRITTEN = 900  # characters of a bracket that may be places
_MAX_NAME = 300

SOURCE_WORD = (
    r"(?:(?:cited |primary |main |data )?(?:sources?|refs?\.?|references?|citations?|citing)|"
    r"Quellen?|Belege?|fuentes?|来源)"
)
FILLER = re.compile(
    rf"(?:[\s.,;:&|·*_–—-]|(?:{SOURCE_WORD}|see also|see|cf|vgl|siehe|from|and|und|et)(?!\w))*", re.IGNORECASE
)
_LEAD = re.compile(
    rf"(?:{SOURCE_WORD}\s?:\s?|(?:{SOURCE_WORD}|see also|see|cf\.?|vgl\.|siehe|from|in|per|via|according to|laut|gemäß|"
    r"the|file|Datei|document|Dokument|archivo|fichier)\s?:?\s)+|\d+(?::\d+)?†",
    re.IGNORECASE,
)
_NUMBER = r"(?:L|第\s?)?\d{1,9}"
_RANGE = rf"{_NUMBER}(?:\s?(?:[-–—~至]|\b(?:to|bis|through)\b)\s?{_NUMBER})?"
_AND = r"\s?(?:,\s?(?:and|und)\b|[,&+、和]|\b(?:and|und|et|y)\b)\s?"
_RANGES = rf"{_RANGE}(?:{_AND}(?:lines?\s)?{_RANGE}(?![\w.]))*"
_LINES = re.compile(
    r"(?:line|Zeile)\s(?P<grouped>\d{1,3}(?:[,.]\d{3})+)\b|"
    rf"(?:(?:lines?|ll?\.|ln\.?|Zeilen?|Z\.|lignes?|líneas?|rig[ha]e?|L)(?::|\s?:(?=\s))?\s?|第\s?(?=[^页]{{1,20}}行))(?P<lines>{_RANGES})(?:\s?行)?"
    r"(?:\s?ff?\b\.?)?",
    re.IGNORECASE,
)
_PAGE = re.compile(
    r"(?:(?:pages?|pp?\.|Seiten?|S\.|páginas?)(?::|\s?:(?=\s))?\s?|第\s?(?=[\d–-]{1,13}\s?页))(?P<page>\d{1,6})"
    r"(?:\s?[-–—]\s?(?P<to>\d{1,6}))?(?:\s?页)?",
    re.IGNORECASE,
)
_POINT = re.compile(  # what editors and code servers write behind a path
    r"(?:\?plain=1)?#page=(?P<page>\d{1,6})(?P<to>)|(?:(?:\?plain=1)?#|/lines/)(?P<url>L?\d{1,9}(?:-L?\d{1,9})?)(?:C\d+)?|"
    r":(?P<lines>L?\d{1,9}(?:[-–]L?\d{1,9})?(?:,\s?L?\d{1,9}(?:[-–]L?\d{1,9})?(?![\w.]))*)(?::\d{1,6}(?!\d))?",
    re.IGNORECASE,
)
_GLUE = re.compile(r"(?:\s?[,;:·|†，→]\s?|\s[-–—]\s|\s)?(?:(?:at|on|in|auf|en)\s)?(?P<open>[(\[])?", re.IGNORECASE)
_QUOTE = re.compile(
    r"\s?[,;:·|–—-]?\s?[\"“„«「](?P<quote>.{1,600}?)[\"”“»」](?=\s?(?:[;,.:|)\]–—·-]|and\b|$))", re.DOTALL
)
_SEPARATOR = re.compile(
    r"\s?(?:[;,|&·](?:\s?(?:and|und|et|y)\b)?|\b(?:and|und|et|y|as well as)\b)\s?(?:see\s)?", re.IGNORECASE
)
_SECTION = re.compile(  # not looked up: its lines are
    r"(?:(?:§+|sections?|clauses?|chapters?|paragraphs?|articles?|art\.|Abschnitt|Kapitel)\s?(?:[\w.]{1,12}|[\"“][^\"”]{1,80}[\"”])|"
    r"(?P<titled>(?:(?!\.[A-Za-z]{1,8}\b)[^,;:·|\"“”„«»()\[\]\n]){1,80})(?=[,·]\s?(?:lines?|Zeilen?|第|L)\b))",
    re.IGNORECASE,
)
_BOUNDARY = re.compile(r"\s?(?:$|[;,|&·:–—\"“„«(\[]|[.](?:\s|$)|-\s|(?:and|und|et|y)\b)", re.IGNORECASE)
_OF = re.compile(r"\s?(?:of|in|from|von|aus|de|del|in der Datei)\s(?:the\s)?(?:file\s|document\s)?", re.IGNORECASE)
_ENDING = re.compile(r"\.(?=\w*[A-Za-z])\w{1,8}(?![\w.]*\w*[/\\])|library://document/[0-9a-f]{64}", re.IGNORECASE)
_TITLED = re.compile(r"[^()\n]{1,200}\s\((?P<file>(?:[^()\n]|\([^()\n]{0,40}\)){1,200}\.\w{1,8})\)")
_NAME = re.compile(r"[^\[\]()\"“”„«»<>|\n#;:,]{2,120}")
_MARKUP = re.compile(r"\\([`*_\[\]<>#|~()])|[`*<>]+")


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """Lines or pages of a file; 0 for a first line or page that is not named.

    `names` are what the file may be called, the likeliest first. Where not `certain`, it may be no citation at all.
    """

    names: tuple[str, ...]
    first: int = 0
    last: int = 0
    page: int = 0
    last_page: int = 0
    quote: str = ""
    sha256: str = ""
    certain: bool = True


def parse_places(text: str) -> tuple[CitedPlace, ...]:
    """Return the places that a text consists of, none if it has anything else."""
    text = plain(text).rstrip(" .;,") if len(text) <= MAX_WRITTEN else ""
    places, end = places_at(text, 0)
    return places if places and end == len(text) else ()


def places_at(text: str, at: int, *, bare: bool = False) -> tuple[tuple[CitedPlace, ...], int]:
    """Return the places that begin at an offset, and their end; a `bare` one has an ending, a locator and no spaces."""
    text = text[: at + MAX_WRITTEN]
    found = _led_place(text, at, bare=bare)
    places: list[CitedPlace] = []
    while found is not None and len(places) < MAX_PLACES:
        places += found[0]
        end = found[1]
        separator = _SEPARATOR.match(text, end)
        after = separator.end() if separator else end
        found = (_more(text, after, places[-1]) or _led_place(text, after, bare=bare)) if separator else None
        if found is None or (bare and not (found[0][0].first or found[0][0].page)):
            return tuple(places), end
    return tuple(places), (found[1] if found else at)


def place_of_address(address: str) -> CitedPlace | None:
    """Return the place of a link's address; None for one of the web or none of a file."""
    address = address.strip().strip("<>")
    if is_link(address):
        try:
            link = parse_link(address)
        except LinkError:
            return None
        return (
            CitedPlace((link.path,), link.first_line, link.last_line, sha256=link.sha256)
            if isinstance(link, OpenLink)
            else None
        )
    path = re.sub(r"^file:(?://(?:localhost)?(?=/))?/?(?=/|[A-Za-z]:/)", "", address, flags=re.IGNORECASE)
    if re.match(r"(?!library://document/|[\w.-]+\.\w+:\d|[a-z]:[\\/])[a-z][a-z0-9+.-]*:", path, re.IGNORECASE):
        return None
    [*places] = parse_places(unquote(path))
    return places[0] if len(places) == 1 else None


def locator_at_end(text: str) -> list[CitedPlace]:
    """Return the lines or pages, of any file, that a text ends with."""
    for start in [match.start() for match in re.finditer(r"[,;(·]|\s", text)][:-13:-1]:
        if (found := locator_at(text, start)) and found[1] == len(text):
            return found[0]
    return []


def plain(text: str) -> str:
    """Return a text on one line without the mark-up that may surround names."""
    return " ".join(_MARKUP.sub(r"\1", text).split())


def _led_place(text: str, at: int, *, bare: bool) -> tuple[list[CitedPlace], int] | None:
    """Return the place at an offset, after words such as `Source:`, and its end."""
    lead = None if bare else _LEAD.match(text, at)
    return (_place(text, lead.end(), bare=bare) if lead else None) or _place(text, at, bare=bare)


def _place(text: str, at: int, *, bare: bool) -> tuple[list[CitedPlace], int] | None:
    """Return the place that begins at an offset, one for each of its ranges of lines, and its end."""
    before_file = _LINES.match(text, at) or _PAGE.match(text, at)
    of = _OF.match(text, before_file.end()) if before_file else None
    if before_file and of and (found := _file(text, of.end(), bare=bare)):
        names, end, certain = found
        places = _pages(before_file) if before_file.re is _PAGE else _ranges(before_file)
        return [replace(each, names=names, certain=certain) for each in places], end
    found = _file(text, at, bare=bare) or (None if bare else _title(text, at))
    if found is None:
        return None
    names, end, certain = found
    places, end = locator_at(text, end) or ([CitedPlace(())], end)
    after = _QUOTE.match(text, end)
    quote, end = (after["quote"].strip(), after.end()) if after else ("", end)
    titled = not _ENDING.search(names[0]) and not names[0].startswith(("/", "~"))
    return [
        replace(each, names=names, certain=not titled and (certain or bool(each.first or each.page)), quote=quote)
        for each in places
    ], end


def _more(text: str, at: int, before: CitedPlace) -> tuple[list[CitedPlace], int] | None:
    """Return further lines or pages of the file before them."""
    found = locator_at(text, at)
    if found is None or not (_BOUNDARY.match(text, found[1]) or text[found[1] : found[1] + 1] in ")]"):
        return None
    places, end = found
    after = _QUOTE.match(text, end)
    quote, end = (after["quote"].strip(), after.end()) if after else ("", end)
    return [replace(each, names=before.names, quote=quote) for each in places], end


def _file(text: str, at: int, *, bare: bool) -> tuple[tuple[str, ...], int, bool] | None:
    """Return the names of a file with its ending, its end, and whether it is one for certain."""
    if not bare and (titled := _TITLED.match(text, at)) and _ends(text, titled.end()):
        return (titled["file"].strip(),), titled.end(), True
    for ending in _ENDING.finditer(text, at, min(len(text), at + _MAX_NAME)):
        name, end = text[at : ending.end()], ending.end()
        if any(sign in name for sign in '"“”„«»\n;') or (bare and re.search(r"[\s()\[\]]", name)):
            return None
        located = locator_at(text, end)
        if (bare or _ends(text, end)) if located is None else not re.match(r"\w", text[located[1] : located[1] + 1]):
            known = (ending[0][1:].lower() in SUFFIXES and len(ending[0]) > 2) or ending[0].lower().startswith(
                "library:"
            )
            return _names(name, bare=bare), end, known
    rooted = re.compile(r"(?:~?/|[A-Za-z]:[\\/])[^\s\[\]()\"“”<>|#;:,]+").match(text, at)
    return ((rooted[0],), rooted.end(), False) if rooted and locator_at(text, rooted.end()) else None


def _title(text: str, at: int) -> tuple[tuple[str, ...], int, bool] | None:
    """Return a title, or a name without its ending, that a locator follows: uncertain."""
    name = _NAME.match(text, at)
    for end in () if name is None else [m.start() for m in re.finditer(r"(?=\s)|$", name[0])]:
        stop = at + end
        if locator_at(text, stop) and (written := text[at:stop].strip()) and re.search(r"[^\W\d]{2}", written):
            return (written,), stop, False
    return None


def _ends(text: str, at: int) -> bool:
    return _BOUNDARY.match(text, at) is not None or text[at : at + 1] in ")]"


def _names(written: str, *, bare: bool) -> tuple[str, ...]:
    """Return a name as written, then without the words before a separator: `see the rent: lease.md`."""
    starts = [] if bare else [m.start() for m in re.finditer(r"(?<=[.:|–—,])\s|(?<=\s-\s)", written)][-8:]
    return (written, *(written[start:].strip() for start in starts))


def locator_at(text: str, at: int) -> tuple[list[CitedPlace], int] | None:
    """Return the pages or lines behind a file, and their end."""
    if point := _POINT.match(text, at):
        return (_ranges(point), point.end()) if point["page"] is None else (_pages(point), point.end())
    glue = _GLUE.match(text, at)
    if glue is None:
        return None
    places, end = [CitedPlace(())], glue.end()
    section = None if _LINES.match(text, end) or _PAGE.match(text, end) else _SECTION.match(text, end)
    if section and section["titled"] and not set(glue[0]) & set(",·;:|"):
        section = None
    if section and (glue_after := _GLUE.match(text, section.end())):
        end = glue_after.end() if glue_after.end() > section.end() else section.end()
        end = end if _LINES.match(text, end) or _PAGE.match(text, end) else section.end()
    if page := _PAGE.match(text, end):
        places, end = _pages(page), page.end()
        glue_between = _GLUE.match(text, end)
        lines = _LINES.match(text, glue_between.end()) if glue_between else None
    else:
        lines = _LINES.match(text, end)
    if lines:
        places, end = _ranges(lines), lines.end()
    if not (page or lines or section) or re.match(r"\w", text[end : end + 1]):
        return None
    if glue["open"]:
        return (places, end + 1) if text[end : end + 1] in ")]" and end < len(text) else None
    return places, end


def _pages(found: re.Match[str]) -> list[CitedPlace]:
    first = int(found["page"])
    return [CitedPlace((), page=first, last_page=max(first, int(found["to"] or first)))]


def _ranges(found: re.Match[str]) -> list[CitedPlace]:
    """Return a place for each range of lines; what follows without a gap is one: `lines 10 and 11`."""
    groups = found.groupdict()
    if grouped := groups.get("grouped"):
        number = int(re.sub(r"\D", "", grouped))
        return [CitedPlace((), number, number)]
    ranges: list[tuple[int, int]] = []
    for first, last in _number_pairs(groups.get("lines") or groups.get("url") or ""):
        if ranges and ranges[-1][1] + 1 == first:
            ranges[-1] = (ranges[-1][0], last)
        else:
            ranges.append((first, last))
    return [CitedPlace((), first, last) for first, last in ranges[:MAX_PLACES]]


def _number_pairs(text: str) -> Iterator[tuple[int, int]]:
    for each in re.finditer(rf"{_RANGE}", text, re.IGNORECASE):
        numbers = sorted(int(number) for number in re.findall(r"\d+", each[0]))
        yield numbers[0], numbers[-1]
