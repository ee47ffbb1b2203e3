"""The contents a query may find, and the paths to show for them: visible, in scope, fulfilling the file conditions.

Of a mailbox, only the chunks of those mails that fulfil the conditions may be found. Conditions that few files fulfil
restrict the search; where many do, what was found is checked (`fitting`): no query reads the record of every file.
"""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from desktop_rag.documents.document import MailHeader
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.file_lookup import absolute
from desktop_rag.index.catalog.file_table import sorted_by_path
from desktop_rag.index.records import ChunkId, Content, ContentId, FilePlace
from desktop_rag.retrieval.api import Scope
from desktop_rag.retrieval.query.file_conditions import filter_condition, fulfils, is_about_mails, likely_files, mail_at
from desktop_rag.retrieval.query.own_dates import own_date_ns, own_date_of
from desktop_rag.retrieval.query.tree import FileLeaf, Node, join_all
from desktop_rag.stop import Stop

# Every visible document in a few arrays: its own date, and which others are counted alike; kept until a change.
#
# Without it each list and each count of a large library would read the records of all its documents.

_ROWS = 5_000  # files read at a time
_SEPARATOR = os.fsencode(os.sep)
Numbers = npt.NDArray[np.int64]


class CountedKind(NamedTuple):
    """What is counted of a document; `ending` is that of any name, `suffix` with its point, `tags` has one a line."""

    folder: int
    inside: bytes
    ending: bytes
    suffix: str
    year: int
    month: int
    author: str
    language: str
    tags: str


class Alike(NamedTuple):
    """A document, and how many are counted like it, itself included; `kind` is None if that is unknown."""

    content: ContentId
    number: int
    kind: CountedKind | None = None


class DocumentTable:
    """The documents in ascending order; `kinds` has the number of each one's kind, another one where it is unknown."""

    def __init__(self, contents: Numbers, dates: Numbers, kinds: Numbers, known: Sequence[CountedKind]) -> None:
        self._contents, self._dates, self._kinds, self._known = contents, dates, kinds, known

    def alike(self, contents: Collection[ContentId] | Numbers, *, others: bool) -> list[Alike]:
        """Return one of each kind of these documents; with `others` also those unknown here, each on its own."""
        asked = contents if isinstance(contents, np.ndarray) else np.fromiter(contents, np.int64, len(contents))
        known = np.isin(asked, self._contents)
        unknown = [Alike(ContentId(content), 1) for content in asked[~known].tolist()] if others else []
        asked = asked[known]
        kinds = self._kinds[np.searchsorted(self._contents, asked)]
        some, first, numbers = np.unique(kinds, return_index=True, return_counts=True)
        found = zip(asked[first].tolist(), numbers.tolist(), some.tolist(), strict=True)
        return [
            *(Alike(ContentId(one), number, self._known[kind] if kind >= 0 else None) for one, number, kind in found),
            *unknown,
        ]

    @cached_property
    def newest_first(self) -> tuple[ContentId, ...]:
        """The documents by their own date."""
        order = np.lexsort((self._contents, -self._dates))
        return tuple(map(ContentId, self._contents[order].tolist()))


def document_table(catalog: CatalogReader, stop: Stop) -> DocumentTable:
    """Return the table of a catalog; raises `Stopped`."""
    version = catalog.files.version()
    known = catalog.documents
    if known is None or known[0] != version:
        known = catalog.documents = version, _read(catalog, stop)
    table = known[1]
    assert isinstance(table, DocumentTable)
    return table


def _read(catalog: CatalogReader, stop: Stop) -> DocumentTable:
    contents, dates, kinds = list[int](), list[int](), list[int]()
    numbers: dict[CountedKind, int] = {}
    last = None
    for rows in catalog.files.described(_ROWS):
        stop.check()
        for row in rows:
            if row.content == last:  # the first file is shown; such a document is counted on its own
                kinds[-1] = -row.content
                continue
            last = row.content
            path = absolute(row.root, row.path)
            moment = own_date_of((row.modified, row.created), row.title, path.rpartition(_SEPARATOR)[2], row.mtime_ns)
            kind = kind_of(row.folder, path, moment, row.author, row.language, row.tags or "")
            contents.append(row.content)
            dates.append(moment)
            kinds.append(numbers.setdefault(kind, len(numbers)))
    known = tuple(numbers)
    return DocumentTable(np.array(contents, np.int64), np.array(dates, np.int64), np.array(kinds, np.int64), known)


def kind_of(folder: int, path: bytes, moment_ns: int, author: str, language: str, tags: str) -> CountedKind:
    """Return the kind of a document by its first file and its own date."""
    inside, _, name = path.rpartition(_SEPARATOR)
    stem, _, ending = name.rpartition(b".")
    suffix = f".{os.fsdecode(ending)}" if stem and ending else ""
    dated = datetime.fromtimestamp(moment_ns / 1e9)
    return CountedKind(folder, inside, ending, suffix, dated.year, dated.month, author, language, tags)


_BATCH = 2000
_SAMPLE = 300  # of the newest contents; if so many of them fulfil the conditions …
_OFTEN = 60  # … what is found is checked, else all that fulfil them are looked for
_REMEMBERED = 8  # conditions whose contents are kept until the next change


class DatedUnit(NamedTuple):
    """A document, or one mail of a mailbox, from `first_line` on; `place` is its first file."""

    content: ContentId
    first_line: int
    place: FilePlace
    dated_ns: int


class Candidates:
    """The contents a query may find; `narrowed` says that they are not simply all visible ones."""

    def __init__(self, catalog: CatalogReader, scope: Scope, condition: Node | None, stop: Stop) -> None:
        self._catalog = catalog
        self._scope = scope
        of_scope = filter_condition(scope.filters, date.today())
        self._condition = join_all((of_scope, condition))
        self._asked = condition  # without that of the scope, which attached files need not fulfil
        self._stop = stop
        self._known: dict[ContentId, Content] = {}
        self._fit: dict[ContentId, bool] = {}
        self._scoped = bool(scope.folders or scope.contents or scope.withheld)
        self.narrowed = self._scoped or self._condition is not None
        self.are_all = not self.narrowed and not scope.attached  # the visible contents

    @cached_property
    def contents(self) -> frozenset[ContentId]:
        """The contents that may be found; a whole library has too many to ask for."""
        return self._visible if self._condition is None else self._fulfilling(self._condition)

    @cached_property
    def checked(self) -> bool:
        """Whether the file conditions are no restriction of a search: what it finds has to be checked (`fitting`)."""
        if self._condition is None or self._likely is not None:
            return False
        newest = self._catalog.files.newest_contents(_SAMPLE)
        return len(newest) == _SAMPLE and len(self.places(newest)) >= _OFTEN

    @cached_property
    def _likely(self) -> frozenset[ContentId] | None:
        return None if self._condition is None else likely_files(self._condition, self._catalog)

    def among(self, contents: Collection[ContentId]) -> frozenset[ContentId]:
        """Return those of some contents that may be found."""
        if not self.checked:
            return self.contents.intersection(contents)
        new = set(contents) - self._fit.keys()
        self._fit |= dict.fromkeys(new, False) | dict.fromkeys(self.places(new), True)
        return frozenset(content for content in contents if self._fit[content])

    def fitting(self, held: Mapping[ChunkId, ContentId]) -> frozenset[ChunkId]:
        """Return those of some chunks, each with its content, that may be found."""
        contents = self.among(held.values())
        excluded = self.excluded
        if self.checked and is_about_mails(self._condition):
            excluded = self._excluded_among(contents)
        return frozenset(chunk for chunk, content in held.items() if content in contents and chunk not in excluded)

    @cached_property
    def _visible(self) -> frozenset[ContentId]:
        visible = self._catalog.files.visible_contents(self._scope.folders, self._scope.attached)
        if self._scope.withheld:
            visible -= self._catalog.files.contents_below(self._scope.withheld.paths)
            visible -= self._catalog.contents.tagged(self._scope.withheld.tags)
        return visible.intersection(self._scope.contents) if self._scope.contents else visible

    def by_path(self) -> Sequence[ContentId]:
        """Return the contents sorted by the path of their first file that may be found."""
        if self._scope.folders or self._scope.attached or self._condition is not None:
            return sorted_by_path(self.places(self.contents))
        every = self._catalog.files.visible_by_path()
        return [content for content in every if content in self.contents] if self.narrowed else every

    def count_up_to(self, most: int) -> int:
        """Return how many contents may be found, at most `most`."""
        if self.checked:
            return most
        return min(most, len(self.contents)) if self.narrowed else self._catalog.files.count_contents_up_to(most)

    @property
    def restriction(self) -> frozenset[ContentId] | None:
        """Return the contents an index search must be restricted to; None for no restriction."""
        if self.checked:
            return self._visible if self._scoped else None
        return self.contents if self.narrowed else None

    @cached_property
    def excluded(self) -> frozenset[ChunkId]:
        """The chunks of these contents that are in mails, or other parts, which do not fulfil the conditions."""
        if self.checked or not is_about_mails(self._condition):
            return frozenset()
        return self._excluded_among(self.contents)

    def _excluded_among(self, contents: Iterable[ContentId]) -> frozenset[ChunkId]:
        condition = self._condition
        excluded: set[ChunkId] = set()
        for content, mails in self._catalog.mails.of(contents).items():
            self._stop.check()
            known, places = self._catalog.contents.by_id((content,)), self._places((content,))
            if len(mails) == 1 and content in known and mails[0].last_line >= known[content].line_count:
                continue  # the document is one mail
            for chunk, line in self._catalog.chunks.first_lines(content) if content in known else ():
                mail = mail_at(mails, line)
                if not any(self._fits(condition, known[content], place, mail) for place in places.get(content, ())):
                    excluded.add(chunk)
        return frozenset(excluded)

    @cached_property
    def chunks(self) -> frozenset[ChunkId] | None:
        """The chunks that a search must be restricted to; None for no restriction."""
        contents = self.restriction
        return None if contents is None else self._catalog.chunks.ids_of_contents(contents) - self.excluded

    def places(self, contents: Iterable[ContentId]) -> dict[ContentId, tuple[FilePlace, ...]]:
        """Return the files of these contents, those in scope that fulfil the conditions first.

        Contents without such a file are left out, even if they have other files.
        """
        some = self._visible.intersection(contents) if self._scoped else contents
        return self._fitting_first(self._condition, self._places(some))

    def _fitting_first(
        self, condition: Node | None, places: dict[ContentId, tuple[FilePlace, ...]]
    ) -> dict[ContentId, tuple[FilePlace, ...]]:
        if not self._scope.folders and condition is None:
            return places
        known, mails = self._contents(places), self._mails(condition, places)
        ordered: dict[ContentId, tuple[FilePlace, ...]] = {}
        for content, found in places.items():
            mine = mails.get(content, ())
            fitting = tuple(each for each in found if self._fits_any(condition, known[content], each, mine))
            if fitting:
                ordered[content] = (*fitting, *(each for each in found if each not in fitting))
        return ordered

    def allow(self, content: ContentId) -> bool:
        """Return whether a content may be found; a team's server is asked, which `may_find` spares it."""
        return self.may_find(content)

    def may_find(self, content: ContentId) -> bool:
        """Return whether a content may be found."""
        return bool(self.places((content,)))

    def units(self) -> Iterator[DatedUnit]:
        """Yield the documents that may be found, those with several mails mail by mail if the conditions name mails."""
        places = self.places(self.contents)
        known = self._contents(places)
        mails = self._mails(self._condition, places)
        for content, found in places.items():
            of_content = mails.get(content, ())
            fitting = [mail for mail in of_content if self._fits(self._condition, known[content], found[0], mail)]
            for mail in fitting if len(of_content) > 1 and fitting else (next(iter(of_content), None),):
                line = mail.first_line if mail is not None and len(of_content) > 1 else 1
                yield DatedUnit(content, line, found[0], own_date_ns(known[content], found[0], mail))

    def newest(self) -> Iterator[DatedUnit] | None:
        """Yield the documents that may be found, the newest first, if they are many and none is listed mail by mail."""
        if self._scope.attached or not self.checked or (is_about_mails(self._condition) and self._catalog.mails.any()):
            return None
        return self._in_order(document_table(self._catalog, self._stop).newest_first)

    def _in_order(self, contents: Sequence[ContentId]) -> Iterator[DatedUnit]:
        for first in range(0, len(contents), _SAMPLE):
            self._stop.check()
            places = self.places(contents[first : first + _SAMPLE])
            known = self._contents(places)
            units = [DatedUnit(one, 1, at[0], own_date_ns(known[one], at[0])) for one, at in places.items()]
            yield from sorted(units, key=_newest_first)

    def holders(self, leaf: FileLeaf, among: frozenset[ContentId] | None = None) -> frozenset[ContentId]:
        """Return the contents with a file that fulfils one condition, for conditions inside an OR or NOT of words."""
        return self._fulfilling(leaf) if among is None else self._of(among, leaf)

    def _fulfilling(self, condition: Node) -> frozenset[ContentId]:
        """Return the contents that fulfil a condition, kept until the next change if all had to be looked through."""
        likely = self._likely if condition is self._condition else likely_files(condition, self._catalog)
        if likely is not None:
            return self._of(likely | self._catalog.files.attached_contents(self._scope.attached), condition)
        cache, key = self._catalog.fulfilling, (self._catalog.files.version(), self._scope, condition)
        if key not in cache:
            cache[key] = self._of(self._visible, condition)
            while len(cache) > _REMEMBERED:
                del cache[next(iter(cache))]
        return cache[key]

    def _of(self, contents: frozenset[ContentId], condition: Node) -> frozenset[ContentId]:
        fulfilling: set[ContentId] = set()
        waiting = sorted(self._visible.intersection(contents))
        for first in range(0, len(waiting), _BATCH):
            self._stop.check()
            some = waiting[first : first + _BATCH]
            known, places = self._catalog.contents.by_id(some), self._places(some)
            mails = self._mails(condition, some)
            fulfilling.update(
                content
                for content, found in places.items()
                if content in known
                and any(self._fits_any(condition, known[content], place, mails.get(content, ())) for place in found)
            )
            self._known |= {content: known[content] for content in fulfilling.intersection(known)}
        return frozenset(fulfilling)

    def _places(self, contents: Iterable[ContentId]) -> dict[ContentId, tuple[FilePlace, ...]]:
        return self._catalog.files.places(contents, self._scope.attached)

    def _contents(self, contents: Iterable[ContentId]) -> Mapping[ContentId, Content]:
        missing = set(contents) - self._known.keys()
        self._known |= self._catalog.contents.by_id(missing)
        return self._known

    def _mails(self, condition: Node | None, contents: Iterable[ContentId]) -> Mapping[ContentId, Sequence[MailHeader]]:
        return self._catalog.mails.of(contents) if is_about_mails(condition) else {}

    def _fits_any(
        self, condition: Node | None, content: Content, place: FilePlace, mails: Sequence[MailHeader]
    ) -> bool:
        """Return whether a file fits, or any of its mails; what is beside the mails of an archive can fit, too."""
        beside = not mails or mails[0].first_line > 1 or mails[-1].last_line < content.line_count
        return any(self._fits(condition, content, place, mail) for mail in (*mails, *((None,) if beside else ())))

    def _fits(self, condition: Node | None, content: Content, place: FilePlace, mail: MailHeader | None = None) -> bool:
        if self._scope.folders and place.folder not in (*self._scope.folders, *self._scope.attached):
            return False
        if condition is self._condition and place.folder in self._scope.attached:
            condition = self._asked
        return condition is None or fulfils(condition, content, place, mail)


def _newest_first(unit: DatedUnit) -> tuple[int, ContentId]:
    return -unit.dated_ns, unit.content
