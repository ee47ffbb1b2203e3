"""Jobs that resolve a target to the current document and read it in parts, the cited lines first."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import accumulate

from desktop_rag.documents.document import InlineMark as TextMark
from desktop_rag.gui.viewer.viewer_events import (
    DiffPiece,
    DocumentFound,
    FoundPlace,
    LinesLoaded,
    Mark,
    MatchesFound,
    PassageCompared,
    QuoteFound,
    Staleness,
    Target,
    TextRead,
    ViewerEvent,
    WordChange,
)
from desktop_rag.index.records import ContentId, DocumentLayout
from desktop_rag.retrieval.api import DocumentCard, LineWindow, Passage, Retriever
from desktop_rag.stop import Stop
from desktop_rag.text.locate import mark_quote

LONGEST_LINE = 10_000  # Qt lays out a line as a whole: a line of megabytes would block the window for seconds
MAX_MATCHES = 1_000

_FIRST_LINES = 240  # read at once, a quarter of them above the cited ones
_MAX_LINES = 2_000
_MAX_CHARACTERS = 400_000
_PAUSE_SECONDS = 0.03  # lets the window draw what it has before more arrives
_SNIPPET = 120
_LEAD = 28
_NOTHING = DocumentLayout(b"", (), b"")


def open_target(target: Target, retriever: Retriever, stop: Stop) -> Generator[ViewerEvent]:
    """Resolve `target`, then read the lines around it."""
    staleness, card = resolve(target, retriever, stop)
    if card is None:
        yield DocumentFound(target, staleness, None, _NOTHING, target.first_line, target.last_line)
        yield from _stored_passage(target)
        return
    first, last = _present_lines(target, staleness, card, retriever, stop)
    layout = retriever.layout(card.content, stop)
    yield DocumentFound(target, staleness, card, layout, first, last)
    count = _first_count(card)
    start = max(1, min(first or target.first_line, card.lines) - count // 4)
    window = retriever.read_lines(card.content, start, count, stop)
    head = _loaded(window)
    if target.words and staleness is not Staleness.CHANGED:
        yield _find_words(target.words, window)
    elif first and (quote := _find_quote(target.quote, head.lines[first - start : last - start + 1], first)):
        starts = _line_starts(window)
        places = ((starts[line - start], begin, end) for line, begin, end in quote.marks)
        yield replace(quote, offsets=tuple((at + begin, at + end) for at, begin, end in places))
    yield head
    if staleness is Staleness.CHANGED and target.passage.strip():
        yield from compare_passage(target, card, retriever, stop)
    yield from _read_more(retriever, head, stop)


def read_lines(content: ContentId, first: int, count: int, retriever: Retriever, stop: Stop) -> Generator[LinesLoaded]:
    """Read more lines of an open document."""
    yield _read(retriever, content, first, count, stop)


def read_text(content: ContentId, first: int, last: int, retriever: Retriever, stop: Stop) -> Generator[TextRead]:
    """Read the complete text of lines, however long they are."""
    yield TextRead(first, "\n".join(retriever.read_lines(content, first, last - first + 1, stop).lines))


def find_in(content: ContentId, pattern: str, retriever: Retriever, stop: Stop) -> Generator[MatchesFound]:
    """Search the whole document for `pattern`."""
    passages = retriever.find(content, (pattern,), MAX_MATCHES, stop)
    places = tuple(_found_place(passage, match) for passage in passages for match in _matches(passage))
    yield MatchesFound(pattern, places, len(passages) == MAX_MATCHES)


def window_size(lines: Sequence[str]) -> int:
    """Return how many lines of this average length to read at once."""
    mean = sum(map(len, lines)) / max(1, len(lines)) + 1
    return max(20, min(_MAX_LINES, int(_MAX_CHARACTERS / mean)))


def truncate_line(line: str) -> str:
    """Return `line`, truncated if it is too long to be shown."""
    return line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + "…"


def resolve(target: Target, retriever: Retriever, stop: Stop) -> tuple[Staleness, DocumentCard | None]:
    """Return the staleness of `target` and the card of the current document, None if there is none."""
    if not target.sha256:
        card = retriever.describe(target.content, stop)
        if card is None and (card := retriever.lookup("", target.place, stop)) is not None:
            return Staleness.CHANGED, card  # its file was read again after the search
        return (_staleness_of(card), card) if card else (Staleness.LOST, None)
    card = retriever.lookup(target.sha256, target.place, stop)
    if card is not None and card.sha256 == target.sha256 and card.path is None:
        now = retriever.lookup("", target.place, stop)  # still indexed, but another file may be in its place
        card = now if now is not None and now.path is not None else card
    if card is None:
        return Staleness.LOST, None
    return (_staleness_of(card) if card.sha256 == target.sha256 else Staleness.CHANGED), card


def _staleness_of(card: DocumentCard) -> Staleness:
    if card.path is None:
        return Staleness.GONE
    return Staleness.OFFLINE if card.offline else Staleness.SAME


def _present_lines(
    target: Target, staleness: Staleness, card: DocumentCard, retriever: Retriever, stop: Stop
) -> tuple[int, int]:
    """Return the lines to highlight: in a changed text those with the quote, (0, 0) without any."""
    if staleness is not Staleness.CHANGED:
        last = min(target.last_line, card.lines)
        return (min(target.first_line, last), last) if target.first_line > 0 and last > 0 else (0, 0)
    passages = retriever.find(card.content, (target.quote,), 1, stop) if target.quote.strip() else ()
    marks = [mark for passage in passages for mark in passage.marks]
    return (marks[0][0], marks[-1][0]) if marks else (0, 0)


def _first_count(card: DocumentCard) -> int:
    """Return how many lines to read first: fewer if they are long."""
    mean = card.words * 7 / max(1, card.lines) + 1
    return max(8, min(_FIRST_LINES, int(_MAX_CHARACTERS / mean)))


def _find_quote(quote: str, lines: Sequence[str], first: int) -> QuoteFound | None:
    """Return the position of `quote` in `lines` from line `first` on."""
    marks = mark_quote(quote, dict(enumerate(lines, first)))
    return QuoteFound(marks, tuple(lines[line - first][start:end] for line, start, end in marks)) if marks else None


def _find_words(words: Sequence[tuple[int, int]], window: LineWindow) -> QuoteFound:
    """Return the marks of `words`, given as offsets in the text, in the lines of a window."""
    starts = _line_starts(window)
    parts = [part for start, end in words for part in _by_line(start, end, starts)]
    marks = tuple((window.first + index, start, end) for index, start, end in parts)
    return QuoteFound(marks, tuple(window.lines[index][start:end] for index, start, end in parts), tuple(words))


def _stored_passage(target: Target) -> Generator[ViewerEvent]:
    lines = tuple(truncate_line(line) for line in target.passage.split("\n"))
    first = max(1, target.passage_first_line)
    cited = lines[max(0, target.first_line - first) : target.last_line - first + 1]
    if quote := _find_quote(target.quote, cited, max(first, target.first_line)):
        yield quote
    yield LinesLoaded(target.content, first, lines, first + len(lines) - 1)


def _read_more(retriever: Retriever, head: LinesLoaded, stop: Stop) -> Generator[ViewerEvent]:
    """Read more lines below and above: about as many as a user scrolls through at first."""
    count = max(0, window_size(head.lines) - len(head.lines)) // 2
    below = head.first + len(head.lines)
    if count and below <= head.total:
        stop.wait(_PAUSE_SECONDS)
        yield _read(retriever, head.content, below, count, stop)
    if count and head.first > 1:
        first = max(1, head.first - count)
        stop.wait(_PAUSE_SECONDS)
        yield _read(retriever, head.content, first, head.first - first, stop)


def _read(retriever: Retriever, content: ContentId, first: int, count: int, stop: Stop) -> LinesLoaded:
    return _loaded(retriever.read_lines(content, first, count, stop))


def _loaded(window: LineWindow) -> LinesLoaded:
    lines = tuple(map(truncate_line, window.lines))
    return LinesLoaded(window.content, window.first, lines, window.total, marks_by_line(window))


def marks_by_line(window: LineWindow) -> tuple[tuple[TextMark, ...], ...]:
    """Return the marks of each line with offsets in that line; a mark across a line end is split there."""
    starts = _line_starts(window)
    found: list[list[TextMark]] = [[] for _ in window.lines]
    for mark in window.marks:
        for index, start, end in _by_line(mark.start, mark.end, starts):
            found[index].append(TextMark(start, end, mark.kind, mark.target))
    return tuple(map(tuple, found))


def _line_starts(window: LineWindow) -> list[int]:
    """Return the offset of each line in the text, and that of the line after the last one."""
    return list(accumulate((len(line) + 1 for line in window.lines), initial=window.start))


def _by_line(start: int, end: int, starts: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield the parts of a range of the text as (index of the line, start, end in it)."""
    for index in range(max(0, bisect_right(starts, start) - 1), min(bisect_left(starts, end), len(starts) - 1)):
        left, right = max(start, starts[index]), min(end, starts[index + 1] - 1)
        if left < right:
            yield index, left - starts[index], right - starts[index]


def _found_place(passage: Passage, marks: tuple[Mark, ...]) -> FoundPlace:
    """Return a match with a one-line snippet of its context."""
    first, last = marks[0], marks[-1]
    before = passage.lines[first[0] - passage.first][: first[1]]
    after = passage.lines[last[0] - passage.first][last[2] :]
    found = " ".join(passage.lines[line - passage.first][start:end].strip() for line, start, end in marks)[:_SNIPPET]
    lead = _tail(before)
    cut = "…" if len(after.rstrip()) > _SNIPPET else ""
    words = f"{lead}{found}{after[:_SNIPPET]}".replace("\t", " ").rstrip() + cut
    return FoundPlace(marks, words, len(lead), len(lead) + len(found), passage.page, passage.section)


def _tail(text: str) -> str:
    """Return the end of the text before a match, cut at a word boundary."""
    text = text.lstrip()
    if len(text) <= _LEAD:
        return text
    cut = text[-_LEAD:]
    return "…" + cut[cut.find(" ") + 1 :]


def _matches(passage: Passage) -> Generator[tuple[Mark, ...]]:
    """Yield the matches of a passage; a match across a line end counts once."""
    match: list[Mark] = []
    for line, start, end in passage.marks:
        if match:
            before = passage.lines[match[-1][0] - passage.first]
            here = passage.lines[line - passage.first]
            goes_on = line == match[-1][0] + 1 and not before[match[-1][2] :].strip() and not here[:start].strip()
            if not goes_on:
                yield tuple(match)
                match = []
        match.append((line, start, end))
    if match:
        yield tuple(match)


AROUND = 2  # lines of context above and below, in which words may have been inserted or removed
ALIKE = 0.3  # share of common words below which the text counts as a different passage
_SHORTEST = 12  # characters of a line that can locate the passage
_MAX_WORDS = 800
_WORD = re.compile(r"(?:\w+(?:[.,'’-]\w+)*|[^\w\s])\s*")


def compare_passage(target: Target, card: DocumentCard, retriever: Retriever, stop: Stop) -> Iterator[PassageCompared]:
    """Yield the word diff of the cited lines, if similar lines are still there."""
    lines = target.passage.split("\n")
    start = max(0, target.first_line - target.passage_first_line)
    cited = lines[start : start + target.last_line - target.first_line + 1]
    if not any(line.strip() for line in cited):
        return
    shift = _line_offset(target, lines, card, retriever, stop)
    first = max(1, target.first_line + shift - AROUND)
    count = target.last_line - target.first_line + 1 + 2 * AROUND
    window = retriever.read_lines(card.content, first, count, stop)
    pieces = word_diff("\n".join(cited), "\n".join(window.lines))
    if not pieces:
        return
    yield PassageCompared(pieces)


def word_diff(old: str, new: str) -> tuple[DiffPiece, ...]:
    """Return the word diff of `old` and `new` without the context around it; empty if they are too different."""
    then, now = _WORD.findall(old)[:_MAX_WORDS], _WORD.findall(new)[:_MAX_WORDS]
    matcher = SequenceMatcher(None, [word.strip() for word in then], [word.strip() for word in now], autojunk=False)
    same = sum(block.size for block in matcher.get_matching_blocks())
    if not then or same < ALIKE * len(then):
        return ()
    codes = matcher.get_opcodes()
    if codes[0][0] == "insert":
        codes = codes[1:]
    if codes and codes[-1][0] == "insert":
        codes = codes[:-1]
    return tuple(_pieces(codes, then, now))


def _pieces(
    codes: Sequence[tuple[str, int, int, int, int]], then: Sequence[str], now: Sequence[str]
) -> Iterator[DiffPiece]:
    for kind, a, b, c, d in codes:
        if kind == "equal":
            yield DiffPiece(WordChange.SAME, _text(now[c:d]))
            continue
        if b > a:
            yield DiffPiece(WordChange.GONE, _text(then[a:b]).rstrip() + " ")
        if d > c:
            yield DiffPiece(WordChange.NEW, _text(now[c:d]))


def _text(words: Sequence[str]) -> str:
    return re.sub(r"\s+", " ", "".join(words))


def _line_offset(target: Target, lines: Sequence[str], card: DocumentCard, retriever: Retriever, stop: Stop) -> int:
    """Return by how many lines the passage has moved: the majority among its lines that still exist."""
    numbered = enumerate(lines, target.passage_first_line)
    known = {words: number for number, line in numbered if len(words := line.strip()) >= _SHORTEST}
    if not known:
        return 0
    found = retriever.find(card.content, tuple(known), 1, stop)
    moves = Counter(passage.marks[0][0] - known[passage.pattern] for passage in found if passage.marks)
    return moves.most_common(1)[0][0] if moves else 0


# The loaded lines of a document: one consecutive window around the visible part.

_NEAR = 80  # lines from the end of the window at which more should be read …
_MAX_ASKED = 600  # … and how many at most
_KEPT_LINES = 12_000
_KEPT_CHARACTERS = 3_000_000


class LoadedLines:
    """A window of consecutive lines with their marks; lines far from the visible part are dropped."""

    def __init__(self) -> None:
        self.first = 1
        self._texts: list[str] = []
        self._marks: list[tuple[TextMark, ...]] = []

    @property
    def last(self) -> int:
        """Return the number of the last loaded line; less than `first` if nothing is loaded."""
        return self.first + len(self._texts) - 1

    def hold(self, first: int, last: int) -> bool:
        """Return whether all these lines are loaded."""
        return self.first <= first and last <= self.last

    def text(self, line: int) -> str:
        """Return the text of a loaded line."""
        return self._texts[line - self.first]

    def marks(self, line: int) -> tuple[TextMark, ...]:
        """Return the inline marks of a loaded line."""
        return self._marks[line - self.first]

    def texts(self, first: int, last: int) -> list[str]:
        """Return the text of the loaded lines among `first` to `last`."""
        begin = max(first, self.first) - self.first
        return self._texts[begin : max(begin, last - self.first + 1)]

    def add(self, read: LinesLoaded, seen: int) -> None:
        """Extend the window by adjacent lines, or replace it; `seen` is the first visible line."""
        if not read.lines:
            return
        marks = list(read.marks) or [()] * len(read.lines)
        end = read.first + len(read.lines)
        if not self._texts or read.first > self.last + 1 or end < self.first:
            self.first, self._texts, self._marks = read.first, list(read.lines), marks
            return
        if end > self.last + 1:
            skipped = self.last + 1 - read.first
            self._texts += read.lines[skipped:]
            self._marks += marks[skipped:]
        if read.first < self.first:
            count = self.first - read.first
            self._texts[:0] = read.lines[:count]
            self._marks[:0] = marks[:count]
            self.first = read.first
        self._trim(seen)

    def missing(self, first: int, last: int, total: int) -> tuple[int, int] | None:
        """Return (first, count) of the lines to read next while `first` to `last` are visible, or None."""
        count = min(_MAX_ASKED, window_size(self._texts[:_MAX_ASKED]))
        near = min(_NEAR, count)
        if not self._texts or last < self.first or first > self.last + 1:
            return max(1, first - count // 3), max(count, last - first + 1)
        if last > self.last - near and self.last < total:
            return self.last + 1, max(count, last - self.last)
        if first < self.first + near and self.first > 1:
            start = max(1, min(first, self.first) - count)
            return start, self.first - start
        return None

    def _trim(self, seen: int) -> None:
        count = len(self._texts)
        if count <= _KEPT_LINES and sum(map(len, self._texts)) <= _KEPT_CHARACTERS:
            return
        drop = count // 3
        if seen - self.first > self.last - seen:
            del self._texts[:drop], self._marks[:drop]
            self.first += drop
        else:
            del self._texts[-drop:], self._marks[-drop:]
