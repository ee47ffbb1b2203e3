"""The lists of sources in a text: numbered rows and footnotes that say what a mark such as `[1]` or `[^a]` means.

    definition = ("[^a]:" | "[1]" | "[1]:" | "1." | "(1)" | ¹) (places | link) [words]       a line of its own

A numbered row is one only if its mark stands elsewhere in the text. The Markdown that this program exports has such
footnotes, and lines around its answers that state nothing.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_rag.agent.citations.written.cited_places import SOURCE_WORD, CitedPlace, place_of_address, places_at, plain

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_MARKS = re.compile(
    r"(?:cite:\s?|\^)?(?P<labels>[1-9]\d{0,2}(?:\s?[,;–-]\s?\^?\d{1,3})*|(?<=\^)[\w-]{1,20}|[a-z]{1,3}\d{1,3})\^?",
    re.IGNORECASE,
)
_ROW = re.compile(
    r"[ \t]*(?:>[ \t]?)*(?:[-*•][ \t]+)?(?:\*\*|__)?"
    r"(?:\[(?P<foot>\^?)(?P<label>[\w-]{1,20})\^?\](?!\()(?P<colon>(?:\*\*|__)?:)?|(?P<number>\d{1,3})[.):](?!\d)|"
    r"(?P<raised>[⁰¹²³⁴-⁹]{1,3})|\^(?P<caret>\d{1,3}))"
    r"(?:\*\*|__)?[ \t]*[:–—-]?[ \t]*(?P<rest>\S.*?)[ \t]*"
)
_LIST_IN_LINE = re.compile(rf"^\W*{SOURCE_WORD}\W*:\W*(?=\[?\^?\d)", re.IGNORECASE)
_ENTRY = re.compile(r"(?<=[\s,;.])(?=\[\^?\d{1,3}\]\s?:?\s?\w)")
_LINK = re.compile(r"\[[^\[\]\n]{0,600}\]\((<[^<>\n]{1,2000}>|(?:[^()\s]|\([^()\s]*\)){1,9000})[^()\n]{0,200}\)")
_QUOTED = re.compile(r"[\"“„«](.{1,600}?)[\"”“»](?!\w)")
_TITLE = re.compile(
    rf"[\s#*_>-]*(?:{SOURCE_WORD}|(?:works|sources|documents) cited|bibliography|(?:foot)?notes|"
    r"Literatur\w*|Fußnoten)[\s:*_]*",
    re.IGNORECASE,
)
_NOTE = re.compile(r"\*[^*\s][^*]*\*")


@dataclass(frozen=True, slots=True)
class ListedSource:
    """A listed source: its line in the text, its places, and what is written there."""

    line: int
    places: tuple[CitedPlace, ...]
    written: str


def entries(line: str) -> Iterator[str]:
    """Yield a line, in parts if it lists sources: `Sources: [1] lease.md, line 10; [2] …`."""
    if _LIST_IN_LINE.match(line) and len(parts := _ENTRY.split(line)) > 1:
        yield from parts[:1]
        yield from (part.rstrip(" ,;") for part in parts[1:])
    else:
        yield line


def source_rows(lines: Sequence[str], fenced: Collection[int]) -> dict[str, list[ListedSource]]:
    """Return the listed sources by the label of their mark, "" for those without a mark in the text."""
    rows = [
        (number, row) for number, line in enumerate(lines) if number not in fenced and (row := _ROW.fullmatch(line))
    ]
    read = [(number, row, _places(row["rest"])) for number, row in rows]
    likely = {number for number, row, places in read if places or row["label"]}
    first_uses: dict[str, int] = {}
    for number, line in enumerate(lines):
        for label in _marks_in(line) if number not in likely else ():
            first_uses.setdefault(label, number)
    found: dict[str, list[ListedSource]] = {}
    for number, row, places in read:
        label = mark_label(next(filter(None, row.group("label", "number", "raised", "caret"))))
        used = first_uses.get(label, len(lines))
        if places and (used < len(lines) or row["label"]):
            found.setdefault(label if used < len(lines) else "", []).append(ListedSource(number, places, row["rest"]))
        elif row["label"] and (row["foot"] or used < number):
            found.setdefault(label, []).append(ListedSource(number, (), row["rest"][:200]))
    return found


def mark_labels(text: str) -> list[str]:
    """Return the labels of a mark, none if it is no mark: those of `1, 3-5` are 1, 3, 4, 5."""
    match = _MARKS.fullmatch(text.strip())
    labels: list[str] = []
    for each in re.split(r"\s?[,;]\s?", match["labels"]) if match else ():
        first, _, last = re.sub(r"\s?[–-]\s?\^?", "-", mark_label(each)).partition("-")
        if first.isdigit() and last.isdigit() and 0 <= int(last) - int(first) < 20:
            labels += map(str, range(int(first), int(last) + 1))
        else:
            labels.append(mark_label(each))
    return labels


def mark_label(text: str) -> str:
    """Return a label in the form in which it is compared: `^1^` and `¹` are 1."""
    return text.strip("^ ").lower().translate(_SUPERSCRIPTS)


def titles_of_lists(lines: Sequence[str], rows: Collection[int]) -> set[int]:
    """Return the lines above the rows that only name the list."""
    titles: set[int] = set()
    for row in rows:
        above = row - 1
        while above >= 0 and not lines[above].strip():
            above -= 1
        titles |= {above} if above >= 0 and _TITLE.fullmatch(lines[above]) else set()
    return titles


def frame_of_export(lines: Sequence[str], rows: Collection[int]) -> set[int]:
    """Return the lines that this program's export writes around answers: dates, notes, documents, repeated doubts."""
    links = [number for number in rows if "](desktop-rag://open?" in lines[number]]
    if not links:
        return set()
    headings = [number for number, line in enumerate(lines[: min(links)]) if line.startswith("## ")]
    frame = set(range(headings[-1], min(links))) if headings else set()
    frame |= {number for number, line in enumerate(lines) if _NOTE.fullmatch(line)}
    seen = ""
    for number, line in enumerate(lines):
        words = " ".join(re.findall(r"\w+", re.sub(r"\[\^?\d+\]", "", line)))
        if line.startswith("- ") and words and words in seen:
            frame.add(number)
        seen += f" {words}"
    return frame


def _places(row: str) -> tuple[CitedPlace, ...]:
    """Return the places of a listed source: those of its links, else what it begins with or names after a title."""
    linked = [place for link in _LINK.finditer(row) if (place := place_of_address(link[1]))]
    if linked:
        quoted = _QUOTED.search(row)
        return (replace(linked[0], quote=quoted[1]),) if quoted and len(linked) == 1 else tuple(linked)
    if row.startswith("<") or "://" in row[:30]:
        address = place_of_address(row)
        return (address,) if address else ()
    text = plain(row)
    places, _ = places_at(text, 0)
    if not any(place.certain for place in places) and (
        title := re.search(r"(?<=[–—:,.])\s(?=\S)|(?<=\s-)\s", text[:200])
    ):
        places, _ = places_at(text, title.end())
    return tuple(place for place in places if place.certain)


def _marks_in(line: str) -> Iterator[str]:
    for bracket in re.finditer(r"[\[【]([\w ,;^:–-]{1,40})[\]】]", line):
        yield from mark_labels(bracket[1])
    for raised in re.finditer(r"[⁰¹²³⁴-⁹]+", line):
        yield mark_label(raised[0])
