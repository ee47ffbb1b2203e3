"""The grammar of a text with citations of files: finds them in any form, and the places that they name.

    citation   = "[" places "]" | "(" places ")" | "【" places "】" | link | mark | bare place
    link       = "[" label "](" address ")" | "[[" address ["|" label] "]]"
    mark       = "[1]" | "[1, 2]" | "[^a]" | "[cite: 1]" | ¹ | <sup>1</sup>
    bare place = a file with its ending and a locator in running text: according to lease.md:10
    source     = a line of nothing but citations; it belongs to the line above: — Lease (lease.md), line 10

`cited_places` has the grammar of places, `source_lists` that of the meanings of marks. Citations by reference
(`turn1search3`) stay as they are for `citation_syntax`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from desktop_rag.agent.citations.references import ANY_REFERENCE
from desktop_rag.agent.citations.written.cited_places import (
    FILLER,
    SOURCE_WORD,
    CitedPlace,
    locator_at,
    locator_at_end,
    parse_places,
    place_of_address,
    places_at,
    plain,
)
from desktop_rag.agent.citations.written.source_lists import (
    ListedSource,
    entries,
    frame_of_export,
    mark_label,
    mark_labels,
    source_rows,
    titles_of_lists,
)

_DEPTH = 5  # of brackets in brackets that are looked into
_CLOSERS = {"[": "]", "(": ")", "【": "】", "（": "）"}
_UNITS = re.compile(r"(?:^|[\s\d])(?:[mcdk]?m|ft|in|yd|mi|s|[a-zA-Z]|10)$")  # their squares are no marks

_FENCE = re.compile(r"^ {0,3}(?:```|~~~)")
_TOKEN = re.compile(
    r"(?P<code>(?<!`)(?P<ticks>`+)(?!`)[^`\n]{1,300}(?P=ticks)(?!`))|(?P<bracket>[\[(【（])|(?P<raised>[⁰¹²³⁴-⁹]+)|"
    r"(?P<bare>(?<![\w/\\.~@%:-])(?:[A-Za-z]:(?=[\\/]))?[\w.%+~/\\-]*\.[A-Za-z]\w{0,7}(?=\s?[:#([,;|–—→-]|/lines/|\s(?:lines?|L\d|at|on|pp?\.|pages?|Zeilen?|Seite|第)))|"
    r"(?P<reversed>\b(?:[Ll]ines?|Zeilen?|ll?\.)\s\d)"
)
_NORMAL = (  # forms of a mark, and mark-up around the name of a file
    (re.compile(r"<sup>\s*\[?\^?([\d, -]{1,20})\]?\s*</sup>", re.IGNORECASE), r"[\1]"),
    (re.compile(r"\\\[(\^?[\w, -]{1,20})\\\]"), r"[\1]"),
    (re.compile(r"\[cite_start\]\s?"), ""),
    (re.compile(r"\^(\[\^?[\w, -]{1,20}\])\^?"), r"\1"),
    (
        re.compile(
            r"(?<![\w`*])([`*\"]{1,2}|“)([^`*\"“”\n\[\]()]{1,120}\.[A-Za-z]\w{0,7}(?P<point>[:#][\w:#-]{1,30})?)(?:\1|”)"
            r"(?![\w`*])(?(point)|(?=\s?[:#(,]|\s(?:lines?|L\d|at|on|pp?\.|pages?|Zeilen?|Seite|第)))"
        ),
        r"\2",
    ),
)
_LINK_TITLE = r"\s+[\"'(][^\"']*[\"')]"
_SOURCE_BEFORE = re.compile(rf"[\s(*_–—-]*\b{SOURCE_WORD}\s?[*_]{{0,2}}:[*_]{{0,2}}\s?$", re.IGNORECASE)
_MIN_CLAUSE = 3  # words
_LEADS_IN = re.compile(r"(?:^|\n|[.!?:;]\s)\W*(?:[\w’'-]+\s){0,3}$")  # at most three words stand before it
_CLAUSE_END = re.compile(r"[.!?;](?=[\s\"”*_]|$)|,\s(?=(?:[\w’'-]+\s){0,3}\S+\.[A-Za-z]\w{0,7}\s?[:(,])|\n|$")
_WORDS_BEFORE = re.compile(r"(?:[\w&'’-]+ ){1,5}$")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_QUOTED = re.compile(r"^\s*(?:>\s?)+")
_PATH_LINE = re.compile(r"^\s*(?:/|~/|[A-Za-z]:[\\/]|\\\\)[^\n]{1,1000}$")
_ATTRIBUTION = re.compile(r"^[*_]{0,2}[–—]+\s*(?=\S)")
_ENDS_OPEN = re.compile(r"[:：]\W*$|^ {0,3}#|^\s*(?:\*\*|__)[^.!?]{1,60}(?:\*\*|__)\W*$")  # a heading or lead-in


@dataclass(frozen=True, slots=True)
class WrittenCitation:
    """A citation as written, its places, and the words of it that belong to the text; without places, `why`."""

    written: str
    places: tuple[CitedPlace, ...]
    why: str = ""


Part = str | WrittenCitation


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text in parts without its lists of sources; `listed` are sources for the whole text."""

    parts: tuple[Part, ...]
    listed: tuple[WrittenCitation, ...]


def read_citations(text: str) -> ReadText:
    """Return the parts of a text with citations in any form."""
    for pattern, replacement in _NORMAL:
        text = pattern.sub(replacement, text)
    lines = [part for line in text.split("\n") for part in entries(line)]
    fenced = _fenced(lines)
    definitions = source_rows(lines, fenced)
    rows = {each.line for every in definitions.values() for each in every}
    dropped = rows | titles_of_lists(lines, rows) | frame_of_export(lines, rows)
    reader = _Reader(definitions)
    reader.listed += (WrittenCitation(each.written, each.places) for each in definitions.get("", ()))
    kept = [(number, line) for number, line in enumerate(lines) if number not in dropped]
    kept = reader.without_source_lines(kept, fenced)
    return ReadText(tuple(reader.parts(kept, fenced)), tuple(reader.listed))


@dataclass(slots=True)
class _Reader:
    """Reads the lines of a text with these definitions of marks."""

    definitions: Mapping[str, Sequence[ListedSource]]
    listed: list[WrittenCitation] = field(default_factory=list)
    _below: dict[int, list[WrittenCitation]] = field(default_factory=dict)  # of source lines, by the line above
    _line: int = 0

    def without_source_lines(self, lines: Sequence[tuple[int, str]], fenced: frozenset[int]) -> list[tuple[int, str]]:
        """Return the lines without those of nothing but citations, which belong to the line above or to the whole."""
        kept: list[tuple[int, str]] = []
        skip = -1
        for index, (number, line) in enumerate(lines):
            self._line = number
            after = lines[index + 1][1] if index + 1 < len(lines) else ""
            body, below = (_QUOTED.sub("", each).strip() for each in (line, after))
            if number == skip:
                continue
            located = locator_at_end(plain(body)) if _ATTRIBUTION.match(body) else []
            if located and below.startswith("[") and self._source_line(below):
                continue  # a link to the same place
            found = [] if number in fenced else self._source_line(body)
            if located and _PATH_LINE.match(below) and re.split(r"[/\\]", below)[-1] in body:
                found = [WrittenCitation(body, tuple(replace(each, names=(below,)) for each in located))]
                skip = lines[index + 1][0]
            if not found:
                kept.append((number, line))
                continue
            above = next((each for each in reversed(kept) if _QUOTED.sub("", each[1]).strip()), None)
            if _ITEM.match(body) or above is None or _ENDS_OPEN.search(above[1]):
                self.listed += found
            else:
                self._below.setdefault(above[0], []).extend(found)
        return kept

    def parts(self, lines: Sequence[tuple[int, str]], fenced: frozenset[int]) -> Iterator[Part]:
        """Yield the parts of lines, block by block: a bracket may go on in the next line."""
        block: list[str] = []
        for number, line in lines:
            self._line = self._line if block else number
            if number in fenced or not line.strip():
                yield from self._inline("".join(block), 0)
                block = []
                yield f"{line}\n"
            elif number in self._below:
                yield from self._inline("".join((*block, line)), 0)
                block = []
                yield from (part for each in self._below[number] for part in (" ", each))
                yield "\n"
            else:
                block.append(f"{line}\n")
        yield from self._inline("".join(block), 0)

    def _source_line(self, body: str) -> list[WrittenCitation]:
        """Return the citations of a line that has nothing else."""
        text = _ATTRIBUTION.sub("", _ITEM.sub("", body))
        if not text or (text == body and not re.match(rf"[\[(【*_<]|{SOURCE_WORD}", body, re.IGNORECASE)):
            return []
        if places := tuple(each for each in parse_places(text) if each.certain):
            return [WrittenCitation(body, places)]
        parts = list(self._inline(text, 0))
        words = "".join(part for part in parts if isinstance(part, str))
        cited = [part for part in parts if isinstance(part, WrittenCitation)]
        return cited if cited and FILLER.fullmatch(words) and not any(map(_is_uncertain, cited)) else []

    def _inline(self, text: str, depth: int) -> Iterator[Part]:
        """Yield the parts of a block of text."""
        pairs = _brackets(text)
        at = done = 0
        while token := _TOKEN.search(text, at):
            at = token.end()
            start, found = token.start(), None
            if token["code"]:
                continue
            if token["bracket"]:
                if (close := pairs.get(start)) is not None:
                    found = self._bracket(text, start, close, pairs, depth)
            elif token["raised"]:
                if not _UNITS.search(text[max(0, start - 4) : start]):
                    found = self._raised(token)
            else:
                found = _bare(text, start, done)
            if found is not None:
                parts, end = found
                before = text[done:start]
                if token["bare"] or token["reversed"]:
                    before, parts = _without_lead(before, parts)
                    parts, end = self._after_its_clause(text, before, parts, end, depth)
                yield before
                yield from parts
                at = done = end
        yield text[done:]

    def _after_its_clause(
        self, text: str, before: str, parts: list[Part], end: int, depth: int
    ) -> tuple[list[Part], int]:
        """Put a citation behind the clause that it leads in: `according to lease.md:10, the rent is …`."""
        clause = text[end : found.start()] if (found := _CLAUSE_END.search(text, end)) else ""
        if depth >= _DEPTH or not _LEADS_IN.search(before) or len(re.findall(r"\w+", clause)) < _MIN_CLAUSE:
            return parts, end
        *names, cited = parts
        words = "".join(each for each in names if isinstance(each, str)).rstrip()
        return [words, *self._inline(clause, depth + 1), " ", cited], end + len(clause)

    def _bracket(
        self, text: str, start: int, close: int, pairs: Mapping[int, int], depth: int
    ) -> tuple[list[Part], int] | None:
        """Return the parts of a bracket and its end; None if it is ordinary text."""
        inside, end = text[start + 1 : close], close + 1
        square = text[start] == "["
        following = pairs.get(end) if square and text[end : end + 1] in ("(", "[") else None
        if following is not None and text[end] == "(" and self._is_link(inside, text[end + 1 : following]):
            linked = self._link(inside, text[end + 1 : following], text[start : following + 1], depth)
            return _located(linked, text, following + 1)
        if ANY_REFERENCE.search(inside):
            return [text[start:end]], end
        if square and inside.startswith("[") and inside.endswith("]") and _is_address(inside[1:-1].partition("|")[0]):
            address, _, label = inside[1:-1].partition("|")
            return self._link(label, address, text[start:end], depth), end
        if text[start] not in "(（" and (marks := self._marks(inside, text[start:end])):
            return [marks], end
        if places := parse_places(inside):
            return _located([WrittenCitation(text[start:end], places)], text, end)
        if depth >= _DEPTH or not (parts := list(self._inline(inside, depth + 1))):
            return None
        cited = [part for part in parts if isinstance(part, WrittenCitation)]
        if not cited:
            return [text[start:end]], end
        if FILLER.fullmatch("".join(part for part in parts if isinstance(part, str))):
            return [*cited], end
        return [text[start], *parts, text[close]], end

    def _is_link(self, label: str, address: str) -> bool:
        """Return whether a square and a round bracket are a link, not two citations."""
        label, address = label.strip("[]"), address.strip()
        written = parse_places(label)
        if "[" in address:
            return False
        if re.match(r"[a-z-]+://", address, re.IGNORECASE):
            return True
        if not written and not any(each in self.definitions for each in mark_labels(label)):
            return True
        if re.match(r"<|\S*(?:#|://)", address):
            return not re.search(r"\s", re.sub(rf"<[^<>]*>|{_LINK_TITLE}", "", address))
        place = place_of_address(address)
        return place is not None and all(
            _is_name(each.names[-1], place) and each.first in (0, place.first) for each in written
        )

    def _link(self, label: str, address: str, written: str, depth: int) -> list[Part]:
        """Return the parts of a link: words that only name its place are none of the text."""
        bare = re.sub(rf"{_LINK_TITLE}\s*$", "", address)
        if bare.startswith("#") and (marks := self._marks(label.strip("[]"), written)):
            return [marks]
        place = place_of_address(bare)
        if place is None:
            return [written]
        words = plain(label)
        if quoted := re.fullmatch(r"[\"“„«](.+)[\"”“»]", words):
            place = replace(place, quote=quoted[1])
        if parse_places(words) or mark_labels(words.strip("[]()")) or FILLER.fullmatch(words) or _is_name(words, place):
            return [WrittenCitation(written, (place,))]
        return [*self._inline(label, depth + 1), " ", WrittenCitation(written, (place,))]

    def _marks(self, inside: str, written: str) -> WrittenCitation | None:
        """Return the sources of marks such as `1, 2` or `^a`; None if it is none."""
        labels = mark_labels(inside)
        if not labels or not all(each.isdigit() or "^" in inside or each in self.definitions for each in labels):
            return None
        sources = [source for label in labels if (source := self._definition(label))]
        places = tuple(place for source in sources for place in source.places)
        missing = [label for label in labels if self._definition(label) is None]
        unread = [source.written for source in sources if not source.places]
        why = f"No source is listed for [{', '.join(missing)}]." if missing else ""
        why = why or (f"This is no place in a document: {unread[0]}" if unread else "")
        return WrittenCitation(written, places, why)

    def _definition(self, label: str) -> ListedSource | None:
        """Return the definition of a mark: the next one below, else the last."""
        every = self.definitions.get(label, ())
        return next((each for each in every if each.line > self._line), every[-1] if every else None)

    def _raised(self, token: re.Match[str]) -> tuple[list[Part], int] | None:
        label = mark_label(token["raised"])
        if label not in self.definitions:
            return None
        marks = self._marks(label, token[0])
        return ([marks], token.end()) if marks else None


def _fenced(lines: Sequence[str]) -> frozenset[int]:
    """Return the numbers of the lines of code blocks."""
    fenced: set[int] = set()
    inside = False
    for number, line in enumerate(lines):
        if _FENCE.match(line):
            inside = not inside
            fenced.add(number)
        elif inside:
            fenced.add(number)
    return frozenset(fenced)


def _brackets(text: str) -> dict[int, int]:
    """Return the closing bracket of each opening one, as far as they are in balance."""
    pairs: dict[int, int] = {}
    stack: list[int] = []
    waiting = dict.fromkeys(_CLOSERS.values(), 0)
    for match in re.finditer(r"[\[\]()【】（）]", text):
        sign = match[0]
        if closer := _CLOSERS.get(sign):
            stack.append(match.start())
            waiting[closer] += 1
        elif waiting.get(sign):
            while True:
                opened = stack.pop()
                waiting[_CLOSERS[text[opened]]] -= 1
                if _CLOSERS[text[opened]] == sign:
                    break
            pairs[opened] = match.start()
    return pairs


def _bare(text: str, start: int, done: int) -> tuple[list[Part], int] | None:
    """Return a place in running text: the name of its file stays in the text."""
    places, end = places_at(text, start, bare=True)
    if not places or not all(place.first or place.page for place in places):
        return None
    before = _WORDS_BEFORE.search(text[max(done, start - 80) : start])
    words = before[0].split(" ")[:-1] if before and not text[start:].startswith(("/", "~")) else []
    longer = tuple(" ".join((*words[at:], places[0].names[0])) for at in range(len(words)))
    first = replace(places[0], names=(*longer, *places[0].names))
    names = " and ".join(dict.fromkeys(place.names[-1] for place in places))
    return [f"{names} ", WrittenCitation(text[start:end], (first, *places[1:]))], end


def _without_lead(before: str, parts: list[Part]) -> tuple[str, list[Part]]:
    """Return the text before a bare place and its parts without `Source:` and the name after it."""
    lead = _SOURCE_BEFORE.search(before)
    return (f"{before[: lead.start()]} ", parts[1:]) if lead else (before, parts)


def _located(parts: list[Part], text: str, end: int) -> tuple[list[Part], int]:
    """Add the lines that are written behind a link or bracket without any: `[lease.md](lease.md), line 10`."""
    cited = parts[-1]
    if (
        not isinstance(cited, WrittenCitation)
        or len(cited.places) != 1
        or cited.places[0].first
        or cited.places[0].page
    ):
        return parts, end
    found = locator_at(text, end)
    if found is None:
        return parts, end
    [place] = cited.places
    places = tuple(replace(each, names=place.names, sha256=place.sha256, quote=place.quote) for each in found[0])
    return [*parts[:-1], replace(cited, places=places)], found[1]


def _is_address(text: str) -> bool:
    place = place_of_address(text)
    return place is not None and place.certain


def _is_name(words: str, place: CitedPlace) -> bool:
    """Return whether words are the name or path of a place's file, with or without its ending."""
    name = place.names[0].replace("\\", "/").rpartition("/")[2].casefold()
    return words.rpartition("/")[2].casefold() in (name, name.rpartition(".")[0])


def _is_uncertain(cited: WrittenCitation) -> bool:
    return not cited.why and not any(place.certain for place in cited.places)
