"""Documents as resources of the protocol: `library://document/SHA-256`, and `…/lines/FIRST-LAST` for a part of one.

`…/from/N` begins at character N of the first line: a line can be longer than one answer.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from desktop_rag.agent.citations.references import readable
from desktop_rag.agent.gate.surroundings import SentLines, surroundings_of
from desktop_rag.retrieval.api import DocumentCard, DocumentQuery, LineWindow, Order, Retriever, Scope
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.retrieval.reading.scope_documents import is_within
from desktop_rag.settings import privacy
from desktop_rag.stop import Stop
from desktop_rag.text.display import printable
from desktop_rag.text.hidden_characters import as_data
from desktop_rag.text.secrets import Surroundings, cut_outside

PAGE = 100  # documents of one page of the list
MOST_LINES = 2_000  # in one answer
MOST_CHARACTERS = 400_000
TEMPLATE = "library://document/{sha256}/lines/{range}"
NEAR, STEP = 20, 200  # lines of the ranges that are proposed
_HASH = re.compile("(?i)[0-9a-f]{64}")
MOST_LOOKED_AT = 2_000  # documents, for what begins as typed
_URI = re.compile(
    r"(library://document/([0-9a-f]{64})(?:/lines/(\d{1,9})(?:-(\d{1,9})?)?)?)(?:/from/(?P<offset>[1-9]\d{0,8}))?",
    re.IGNORECASE,
)


class ResourceError(Exception):
    """There is no such resource; the message says what to do."""


@dataclass(frozen=True, slots=True)
class ListedDocument:
    """A document of the list: its address, name, description, and when its file was changed (ISO, UTC)."""

    uri: str
    name: str
    title: str
    description: str
    modified: str


class DocumentResources:
    """Lists and reads the documents of a library, from any thread."""

    def __init__(self, retriever: Retriever) -> None:
        self._retriever = retriever

    def page(self, cursor: str, filters: tuple[Filter, ...], stop: Stop) -> tuple[tuple[ListedDocument, ...], str]:
        """Return a page of the documents by name, and the cursor of the next one, "" after the last.

        Raises `ResourceError` for a wrong cursor, and as `Retriever`.
        """
        if not re.fullmatch(r"\d{0,9}", cursor):
            raise ResourceError("This cursor is not one of this server. List from the beginning.")
        skip = int(cursor or 0)
        asked = DocumentQuery(scope=_sendable(), filters=filters, order=Order.NAME, skip=skip, limit=PAGE)
        found = self._retriever.documents(asked, stop)
        more = skip + len(found.cards) < found.total
        return tuple(map(_listed, found.cards)), str(skip + PAGE) if more and found.cards else ""

    def read(self, uri: str, filters: tuple[Filter, ...], stop: Stop) -> tuple[str, tuple[Surroundings, ...]]:
        """Return the text of a document or of some of its lines, and what stands around it, to find secrets.

        Raises `ResourceError`, and as `Retriever`.
        """
        match = _URI.fullmatch(uri)
        if match is None:
            raise ResourceError(f"The address must be library://document/SHA-256 or {TEMPLATE}, such as …/lines/40-46.")
        card = self._retriever.lookup(match[2].lower(), None, stop)
        withheld = privacy().withheld()
        if card is None or card.path is None or not is_within(self._retriever, card.content, filters, stop, withheld):
            raise ResourceError("The library has no such document, or not any more. List the resources again.")
        first = int(match[3] or 1)
        last = int(match[4] or (first if match[3] and not match[1].endswith("-") else card.lines))
        if not 1 <= first <= max(card.lines, 1) or last < first:
            raise ResourceError(f"The document has {card.lines:,} lines: give a range of them, such as 1-40.")
        last = min(last, card.lines)
        window = self._retriever.read_lines(card.content, first, min(last - first + 1, MOST_LINES), stop)
        text, lines = _page(window, last, int(match["offset"] or 1))
        sent = (SentLines(card.content, window.first, lines),) if lines else ()
        return text, tuple(around for _, around in surroundings_of(self._retriever, sent, stop))

    def completed(
        self, argument: str, value: str, sha256: str, filters: tuple[Filter, ...], stop: Stop
    ) -> tuple[list[str], int]:
        """Return values of an argument of the template that fit what was typed, and how many there are; as `Retriever`.

        `value` is the beginning of a document's SHA-256 or name, or words of its name or title; or the beginning of a
        range of lines of the document `sha256`.
        """
        match argument:
            case "range":
                found = self._lines_of(sha256.lower(), value, filters, stop)
                return found[:PAGE], len(found)
            case "sha256":
                order = Order.FIT if value else Order.NAME
                asked = DocumentQuery(value, _sendable(), filters=filters, order=order, limit=PAGE)
                named = self._retriever.documents(asked, stop)
                begun = self._begun(value.casefold(), filters, stop) if value else []
                found = list(dict.fromkeys((*begun, *(card.sha256 for card in named.cards))))
                return found[:PAGE], max(named.total, len(found))
        return [], 0

    def _lines_of(self, sha256: str, typed: str, filters: tuple[Filter, ...], stop: Stop) -> list[str]:
        card = self._retriever.lookup(sha256, None, stop) if _HASH.fullmatch(sha256) else None
        if card is None or not is_within(self._retriever, card.content, filters, stop, privacy().withheld()):
            return []
        return [each for each in _ranges(card.lines, typed) if each.startswith(typed)]

    def _begun(self, beginning: str, filters: tuple[Filter, ...], stop: Stop) -> list[str]:
        """Return the documents whose SHA-256 or name begins so, of the first `MOST_LOOKED_AT`."""
        asked = DocumentQuery(scope=_sendable(), filters=filters, order=Order.NAME, limit=MOST_LOOKED_AT)
        cards = self._retriever.documents(asked, stop).cards
        return [
            card.sha256
            for card in cards
            if card.sha256.startswith(beginning) or (card.path and card.path.name.casefold().startswith(beginning))
        ]


def _sendable() -> Scope:
    """Return the scope without what the user never sends: other programs send it to their models."""
    return Scope(withheld=privacy().withheld())


def _page(window: LineWindow, last: int, offset: int) -> tuple[str, tuple[str, ...]]:
    """Return lines from character `offset` of the first one on, with where to go on if they are more than one answer.

    The lines come once more as they are.
    """
    whole, begin = "\n".join(window.lines), offset - 1
    if begin and begin >= len(window.lines[0] if window.lines else ""):
        raise ResourceError(f"Line {window.first} ends before character {offset:,}.")
    begin = cut_outside(whole, begin)
    end = cut_outside(whole, begin + MOST_CHARACTERS)
    following, rest = window.first + len(window.lines), 1
    if end < len(whole):
        following = window.first + whole.count("\n", 0, end)
        rest = end - whole.rfind("\n", 0, end)
        if whole[end] == "\n":  # the page ends with a line
            following, rest = following + 1, 1
    lines = tuple(whole[begin:end].split("\n"))
    text = as_data(whole[begin:end])
    if following > last:
        return text, lines
    address = f"/lines/{following}-{last}" + (f"/from/{rest}" if rest > 1 else "")
    shown = f"Lines {window.first}–{following if rest > 1 else following - 1} of {last}"
    return f"{text}\n[{shown}{', the last one in part' if rest > 1 else ''}; go on with {address}]", lines


def _ranges(lines: int, typed: str) -> list[str]:
    """Return ranges to choose from: of some lines from the one typed on, and the pages of a document."""
    first = int(typed.rstrip("-")) if re.fullmatch(r"[1-9]\d{0,8}-?", typed) else 0
    near = [f"{first}-{min(first + NEAR - 1, lines)}"] if 0 < first <= lines else []
    pages = [f"{start}-{min(start + STEP - 1, lines)}" for start in range(1, lines + 1, STEP)]
    return list(dict.fromkeys((*near, *pages)))


def _listed(card: DocumentCard) -> ListedDocument:
    name = printable(card.path.name) if card.path else printable(card.title)
    where = printable(readable(card.path)) if card.path else ""
    size = f"{card.pages} pages" if card.pages else f"{card.lines} lines"
    changed = datetime.fromtimestamp(card.modified_ns / 1e9, UTC).isoformat() if card.modified_ns > 0 else ""
    return ListedDocument(
        f"library://document/{card.sha256}", name, printable(card.title) or name, f"{where} ({size})", changed
    )
