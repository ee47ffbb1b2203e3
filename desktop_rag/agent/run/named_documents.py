"""Finds the documents that a text or a call names as its writer knows them: path, file name, SHA-256 or address."""

import posixpath
import re
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from desktop_rag.agent.citations.references import Reference, References, readable
from desktop_rag.agent.tools.arguments import ArgumentError
from desktop_rag.retrieval.api import DocumentCard, DocumentQuery, Retriever, Scope
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.retrieval.reading.scope_documents import is_within
from desktop_rag.settings import Withheld
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, shorten

ADDRESS = "library://document/"  # followed by the SHA-256 of a document
_SAME_NAME = 20  # files of one name that are looked at
_SHA256 = re.compile("[0-9a-f]{64}")
_LINES = re.compile(
    r"(?:/lines/|#L|:L?|(?:,\s*|\s+)\(?(?:L|lines?\s+))(\d{1,9})(?:\s*[-–]\s*L?(\d{1,9})?)?\)?(?:/from/\d{1,9})?\s*$",
    re.IGNORECASE,
)
_QUOTES = "\"'`“”„‘’«»<>[]() "


@dataclass(frozen=True, slots=True)
class NamedDocuments:
    """Finds documents by name, of those that fulfil `filters` and are not `withheld`."""

    retriever: Retriever
    filters: tuple[Filter, ...]
    withheld: Withheld
    stop: Stop

    def called(self, name: str, *, certain: bool) -> list[DocumentCard]:
        """Return the documents of a name, path or address; an uncertain name may be a title or have no ending."""
        if name.lower().startswith(ADDRESS):
            return self._of_hash(name.rpartition("/")[2])
        path = readable(Path(name).expanduser()) if name.startswith("~") else name
        path = posixpath.normpath(path.replace("\\", "/"))
        path = re.sub(r"^(?:\.\./)+", "", path)
        last = path.rpartition("/")[2]
        asked = DocumentQuery("" if certain else last, Scope(withheld=self.withheld), self.filters, limit=_SAME_NAME)
        found = self._at(path, last) if certain else self.retriever.documents(asked, self.stop).cards
        cards = [each for each in found if any(_ends_with(at, path, certain=certain) for at in (each.path, *each.also))]
        if not cards and "/" in path:
            cards = [each for each in found if any(at and _is_same_file(at, path) for at in (each.path, *each.also))]
        if not certain and not cards:
            cards = [each for each in found if each.title.casefold() == name.casefold()]
        return cards

    def may_read(self, card: DocumentCard) -> bool:
        """Return whether a document is one of these."""
        return is_within(self.retriever, card.content, self.filters, self.stop, self.withheld)

    def reference(self, name: str, references: References) -> Reference | None:
        """Return the reference to the document that a call names, None if there is none.

        Raises `ArgumentError` if there are several.
        """
        bare = name.strip(_QUOTES)
        for form in dict.fromkeys((name, bare, _LINES.sub("", name), _LINES.sub("", bare))):
            found = self._named(form)
            if len(found) > 1:
                least = "At least " if len(found) >= _SAME_NAME else ""
                raise ArgumentError(
                    f"{least}{len(found)} documents are called “{_shown(form)}”. Name one by its path: "
                    f"{'; '.join(one_line(readable(each.path)) for each in found[:5] if each.path)}."
                )
            if found and found[0].path is not None:
                return references.of_document(found[0])
        return None

    def _named(self, name: str) -> list[DocumentCard]:
        hashed = name.lower().removeprefix(ADDRESS).removeprefix("sha256:")
        if _SHA256.fullmatch(hashed):
            return self._of_hash(hashed)
        if name.lower().startswith("file:"):
            name = url2pathname(urlsplit(name).path)
        for form in dict.fromkeys((name, unquote(name))):
            if found := self.called(form, certain=True) or self.called(form, certain=False):
                return found
        return []

    def _of_hash(self, sha256: str) -> list[DocumentCard]:
        card = self.retriever.lookup(sha256.lower(), None, self.stop)
        return [card] if card is not None and self.may_read(card) else []

    def _at(self, path: str, last: str) -> tuple[DocumentCard, ...]:
        """Return documents of this file name, those with the whole path if there are some."""
        named = (*self.filters, Filter(FileField.NAME, last, narrows=True))
        for filters in dict.fromkeys(((*named, Filter(FileField.PATH, path, narrows=True)), named)):
            asked = DocumentQuery(scope=Scope(withheld=self.withheld), filters=filters, limit=_SAME_NAME)
            if found := self.retriever.documents(asked, self.stop).cards:
                return found
        return ()


def lines_of(name: str) -> tuple[int, int] | None:
    """Return the first line that is named behind a document, and how many, 0 if it does not say; None without one.

    `lease.md#L4-L6`, `lease.md, lines 4-6`, `library://…/lines/4-6`.
    """
    match = _LINES.search(name.strip(_QUOTES))
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not first:
        return None
    return first, 0 if match and match[0].split("/from")[0].endswith("-") else max(last - first + 1, 1)


def _shown(name: str) -> str:
    return shorten(one_line(name), 200)


def _is_same_file(known: Path, path: str) -> bool:
    """Return whether a path leads to a known file through a linked folder, from here or a folder above it."""
    for folder in (Path(), *known.parents):
        with suppress(OSError, ValueError):
            if (folder / path).samefile(known):
                return True
    return False


def _ends_with(path: Path | None, ending: str, *, certain: bool) -> bool:
    """Return whether a path is or ends with another one; an uncertain one may lack the ending of its name."""
    if path is None:
        return False
    known, ending = _folded(readable(path).replace("\\", "/")), _folded(ending)
    forms = (known,) if certain else (known, known.rpartition(".")[0])
    return any(form == ending or form.endswith(f"/{ending.lstrip('/')}") for form in forms)


def _folded(path: str) -> str:
    """Return a path in one form: macOS writes letters and their accents apart."""
    return unicodedata.normalize("NFC", path).casefold()
