"""Facets: counts of documents by folder, type, date, language, author and tag."""

import os
import re
from collections import Counter
from collections.abc import Sequence, Set
from datetime import date
from pathlib import PurePath

import numpy as np

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.records import Content, ContentId, FilePlace
from desktop_rag.retrieval.api import Facet, Facets
from desktop_rag.retrieval.query.file_conditions import filter_condition, fulfils
from desktop_rag.retrieval.query.own_dates import own_date_ns
from desktop_rag.retrieval.query.tree import DATE_FIELDS, FileField, Filter, Node
from desktop_rag.retrieval.retrievers.candidate_filter import Alike, Candidates, CountedKind, document_table, kind_of
from desktop_rag.retrieval.retrievers.keyword import Contents
from desktop_rag.stop import Stop

MAX_VALUES = 12  # of a list, the most frequent ones
MAX_TAGS = 500  # a tag is looked for by its letters, also a rare one; the same of any list that keeps its values
_MAX_MONTHS = 18  # a longer period is counted by years
_BATCH = 250  # documents; the next search waits for no more of them
_FEW = 2_000  # documents; of more, those that are alike are counted together
_LISTED = (FileField.EXT, FileField.LANGUAGE, FileField.AUTHOR, FileField.TAG)  # others are a range and a tree
_PLAIN_ENDING = re.compile(r"\.?[^.*?]+")


def count_facets(
    catalog: CatalogReader,
    candidates: Candidates,
    contents: Sequence[ContentId] | frozenset[ContentId] | Contents,
    filters: Sequence[Filter],
    stop: Stop,
    *,
    keep: bool = False,
) -> Facets:
    """Count the candidates that are among `contents`, each with the path of its first file.

    With `keep` every value among `contents` and filters is listed, with 0 where other fields' filters exclude it.
    """
    counted = _Counts(catalog, filters, keep=keep)
    grouped = len(contents) > _FEW and all(_is_of_kinds(each) for each in filters)
    if not (grouped and candidates.are_all):  # else the table has those that may be found
        ids = contents.tolist() if isinstance(contents, np.ndarray) else contents
        contents = candidates.contents.intersection(ids)
    if grouped:
        waiting = document_table(catalog, stop).alike(contents, others=not candidates.are_all)
    else:
        waiting = [Alike(ContentId(each), 1) for each in sorted(contents)]
    if not filters:  # else one of each kind is compared with them
        for each in waiting:
            if each.kind is not None:
                counted.count(each.kind, each.number)
        waiting = [each for each in waiting if each.kind is None]
    for first in range(0, len(waiting), _BATCH):
        stop.check()
        numbers = {each.content: each.number for each in waiting[first : first + _BATCH]}
        places = candidates.places(numbers)
        known = catalog.contents.by_id(places)
        for content, files in places.items():
            if content in known:
                counted.add(known[content], files, numbers[content])
    return counted.facets()


def _is_of_kinds(each: Filter) -> bool:
    """Return whether all documents of a kind in the table fulfil a filter if one does."""
    if each.field is FileField.EXT:
        return _PLAIN_ENDING.fullmatch(each.text) is not None
    return each.field in (FileField.FOLDER, FileField.LANGUAGE, FileField.AUTHOR, FileField.TAG)


class _Counts:
    def __init__(self, catalog: CatalogReader, filters: Sequence[Filter], *, keep: bool) -> None:
        self._keep = keep
        self._roots: dict[int, str] = {folder.id: os.fsdecode(folder.path) for folder in catalog.folders.all()}
        self._chosen_folders = [each.text for each in filters if each.field is FileField.FOLDER]
        fields = {each.field for each in filters}
        today = date.today()
        self._conditions: dict[FileField, Node | None] = {
            field: filter_condition([each for each in filters if each.field is field], today) for field in fields
        }
        self._documents = 0
        self._inside: Counter[tuple[int, bytes]] = Counter()  # the folder that a document is in
        self._folders: Counter[str] = Counter()
        self._used_roots: set[str] = set()
        self._months: Counter[tuple[int, int]] = Counter()
        self._values = {field: Counter[str]() for field in _LISTED}
        self._types, self._languages, self._authors, self._tags = self._values.values()
        for each in filters if keep else ():
            if each.field in self._values:
                self._values[each.field][each.text] = 0

    def add(self, content: Content, places: tuple[FilePlace, ...], number: int) -> None:
        """Count `number` such documents in the lists of those fields whose filters alone exclude them, or in all."""
        failing = {
            field
            for field, node in self._conditions.items()
            if node is not None and not any(fulfils(node, content, place) for place in places)
        }
        if len(failing) > 1 and not self._keep:
            return
        place, tags = places[0], "\n".join(content.tags)
        moment = own_date_ns(content, place)
        kind = kind_of(place.folder, place.path, moment, content.author, content.language, tags)
        self.count(kind, number, failing)

    def count(self, kind: CountedKind, number: int, failing: Set[FileField] = frozenset()) -> None:
        """Count documents of a kind, which the filters of these fields exclude."""
        self._documents += number * (not failing)
        self._inside[kind.folder, kind.inside] += number * (failing <= {FileField.FOLDER})
        self._months[kind.year, kind.month] += number * (failing <= DATE_FIELDS)
        if kind.suffix:
            self._types[kind.suffix.lower()] += number * (failing <= {FileField.EXT})
        if kind.language:
            self._languages[kind.language.lower().partition("-")[0]] += number * (failing <= {FileField.LANGUAGE})
        if kind.author:
            self._authors[kind.author] += number * (failing <= {FileField.AUTHOR})
        for tag in {tag.casefold() for tag in kind.tags.split("\n") if tag}:
            self._tags[tag] += number * (failing <= {FileField.TAG})

    def _add_folders(self) -> None:
        """Count the documents of each folder, those in its subfolders included; a file that is a root is in none."""
        for (root_id, inside), number in self._inside.items():
            root, folder = self._roots.get(root_id), os.fsdecode(inside) or os.sep
            if root is None or len(folder) < len(root):
                continue
            self._used_roots.add(root)
            while len(folder) >= len(root):
                self._folders[folder] += number
                if folder == root:
                    break
                folder = _parent(folder)

    def facets(self) -> Facets:
        """Return the facets: the most frequent values first, folders as a tree, dates in chronological order."""
        self._add_folders()
        if not self._keep:
            self._folders, self._months = +self._folders, +self._months  # without zeros
            self._used_roots.intersection_update(self._folders)
        most = MAX_TAGS if self._keep else MAX_VALUES
        return Facets(
            self._documents,
            tuple(self._folder_facets()),
            self._most_frequent(FileField.EXT, most),
            self._date_facets(),
            self._most_frequent(FileField.LANGUAGE, most),
            self._most_frequent(FileField.AUTHOR, most),
            self._most_frequent(FileField.TAG, MAX_TAGS),
        )

    def _folder_facets(self) -> list[Facet]:
        """Return the root folders, and the subfolders of the only root and of folders with a filter."""
        found: list[Facet] = []
        for root in sorted(self._used_roots, key=lambda root: (-self._folders[root], root)):
            self._descend(root, 0, found)
        return found

    def _descend(self, folder: str, level: int, found: list[Facet]) -> None:
        name = PurePath(folder).name or folder
        found.append(Facet(name, self._folders[folder], Filter(FileField.FOLDER, folder), level))
        is_chosen = any(chosen == folder or chosen.startswith(folder + os.sep) for chosen in self._chosen_folders)
        if not is_chosen and not (level == 0 and len(self._used_roots) == 1):
            return
        inside = [each for each in self._folders if each != folder and _parent(each) == folder]
        inside.sort(key=lambda each: (-self._folders[each], each))
        for at, child in enumerate(inside):
            if at < MAX_VALUES or child in self._chosen_folders:
                self._descend(child, level + 1, found)

    def _date_facets(self) -> tuple[Facet, ...]:
        if not self._months:
            return ()
        (first_year, first_month), (last_year, last_month) = min(self._months), max(self._months)
        if (last_year - first_year) * 12 + last_month - first_month < _MAX_MONTHS:
            named = {f"{year:04}-{month:02}": number for (year, month), number in sorted(self._months.items())}
        else:
            named = Counter()
            for (year, _), number in sorted(self._months.items()):
                named[f"{year:04}"] += number
        return tuple(Facet(name, number, Filter(FileField.DATE, name)) for name, number in named.items())

    def _most_frequent(self, field: FileField, most: int) -> tuple[Facet, ...]:
        found = (item for item in self._values[field].items() if item[1] or self._keep)
        ordered = sorted(found, key=lambda item: (-item[1], item[0]))[:most]
        return tuple(Facet(value, number, Filter(field, value)) for value, number in ordered)


# Plain string functions: making a Path for each file would take longer than all the counting.


def _parent(path: str) -> str:
    return path.rpartition(os.sep)[0] or os.sep
