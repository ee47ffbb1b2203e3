"""Recent and saved searches of a library, in one small file."""

import contextlib
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from desktop_rag.decoding import decode_json
from desktop_rag.index.library import Library
from desktop_rag.paths import private_folder, write_durably
from desktop_rag.retrieval.api import Mode, Sort
from desktop_rag.retrieval.query.tree import Filter

MOST_RECENT = 50


@dataclass(frozen=True, slots=True)
class RecentSearch:
    """A query, its mode, its filters and the order of its hits."""

    query: str
    mode: Mode = Mode.HYBRID
    filters: tuple[Filter, ...] = ()
    sort: Sort = Sort.RELEVANCE


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A search saved under a name."""

    name: str
    search: RecentSearch


@dataclass(frozen=True, slots=True)
class SavedSearches:
    """All recent searches (newest first) and saved ones (by name)."""

    recent: tuple[RecentSearch, ...] = ()
    saved: tuple[SavedSearch, ...] = ()

    def with_recent(self, search: RecentSearch) -> "SavedSearches":
        """Return a copy with `search` as the newest."""
        others = (each for each in self.recent if each.query != search.query)
        return replace(self, recent=(search, *others)[:MOST_RECENT])

    def with_saved(self, name: str, search: RecentSearch) -> "SavedSearches":
        """Return a copy with `search` saved under a name, replacing an earlier one."""
        others = (each for each in self.saved if each.name != name)
        return replace(self, saved=tuple(sorted((SavedSearch(name, search), *others), key=lambda each: each.name)))

    def without_saved(self, name: str) -> "SavedSearches":
        """Return a copy without the saved search of that name."""
        return replace(self, saved=tuple(each for each in self.saved if each.name != name))


def load(library: Path) -> SavedSearches:
    """Load the file from a library's folder; empty if it is missing or unreadable."""
    with contextlib.suppress(OSError, msgspec.MsgspecError, UnicodeError):
        return decode_json(Library(library).searches.read_bytes(), SavedSearches)
    return SavedSearches()


def store(library: Path, kept: SavedSearches) -> None:
    """Write the file; an unplugged or read-only library keeps nothing."""
    if library.is_dir():
        with contextlib.suppress(OSError):
            write_durably(Library(private_folder(library)).searches, msgspec.json.encode(kept))
