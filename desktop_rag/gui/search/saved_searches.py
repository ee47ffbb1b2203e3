"""The queries of a library that a person asked lately, and those they keep by name, in one small file."""

import contextlib
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from desktop_rag.index.library import Library
from desktop_rag.paths import private_folder, write_durably
from desktop_rag.retrieval.api import Filter, Mode

MOST_RECENT = 50


@dataclass(frozen=True, slots=True)
class RecentSearch:
    """What was asked for, and how."""

    query: str
    mode: Mode = Mode.HYBRID
    filters: tuple[Filter, ...] = ()


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A search under the name the person gave it."""

    name: str
    search: RecentSearch


@dataclass(frozen=True, slots=True)
class SavedSearches:
    """All of them; the recent ones newest first, the saved ones by name."""

    recent: tuple[RecentSearch, ...] = ()
    saved: tuple[SavedSearch, ...] = ()

    def with_recent(self, search: RecentSearch) -> "SavedSearches":
        """Return these with `search` as the newest."""
        others = (each for each in self.recent if each.query != search.query)
        return replace(self, recent=(search, *others)[:MOST_RECENT])

    def with_saved(self, name: str, search: RecentSearch) -> "SavedSearches":
        """Return these with `search` under a name, in the place of what had it."""
        others = (each for each in self.saved if each.name != name)
        return replace(self, saved=tuple(sorted((SavedSearch(name, search), *others), key=lambda each: each.name)))

    def without_saved(self, name: str) -> "SavedSearches":
        """Return these without the one of that name."""
        return replace(self, saved=tuple(each for each in self.saved if each.name != name))


def load(library: Path) -> SavedSearches:
    """Read what is kept in a library's folder; nothing where there is none or it cannot be read."""
    with contextlib.suppress(OSError, msgspec.MsgspecError, UnicodeError):
        return msgspec.json.decode(Library(library).searches.read_bytes(), type=SavedSearches)
    return SavedSearches()


def store(library: Path, kept: SavedSearches) -> None:
    """Write what is kept; a library whose disk is away, or that cannot be written, keeps nothing."""
    if library.is_dir():
        with contextlib.suppress(OSError):
            write_durably(Library(private_folder(library)).searches, msgspec.json.encode(kept))
