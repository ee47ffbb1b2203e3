"""The options that restrict a command to some files: `--folder --file --type --since --until`."""

import argparse
import os
from pathlib import Path

from desktop_rag.errors import LibraryRefused
from desktop_rag.index.library import Library
from desktop_rag.paths import written_path
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.text.display import printable


def scope_filters(options: argparse.Namespace) -> tuple[Filter, ...]:
    """Return the filters for the options given."""
    dated = options.since or options.until
    by_path = any(map(_is_path, options.file))
    files = [_absolute(name) if by_path else name for name in options.file]
    return (
        *(Filter(FileField.FOLDER, _absolute(name) if _is_path(name) else name) for name in options.folder),
        *(Filter(FileField.PATH if by_path else FileField.NAME, name) for name in files),
        *(Filter(FileField.EXT, name) for name in options.type),
        *((Filter(FileField.DATE, f"{options.since or '*'} TO {options.until or '*'}"),) if dated else ()),
    )


def lasting_filters(options: argparse.Namespace, library: Library) -> tuple[Filter, ...]:
    """Return the filters of a server, whose clients are not told why nothing is found.

    Raises `LibraryRefused` for a path that neither exists nor is of the library (on a drive that is away).
    """
    filters = scope_filters(options)
    named = [Path(each.text) for each in filters if each.field in (FileField.FOLDER, FileField.PATH)]
    missing = [path for path in named if path.is_absolute() and not path.exists()]
    if missing and not library.is_team():
        from desktop_rag.retrieval.service.open_catalog import (
            ReadableLibrary,
        )  # which a search by an open program needs not

        folders = [Path(each) for each in ReadableLibrary(library).folders()] if library.catalog.exists() else []
        for path in missing:
            if not any(path.is_relative_to(folder) or folder.is_relative_to(path) for folder in folders):
                raise LibraryRefused(f"{printable(path)} does not exist, and the library does not know it.")
    return filters


def scope_text(filters: tuple[Filter, ...]) -> str:
    """Return the filters as the query language writes them."""
    return " ".join(
        f"{each.field.value}:[{each.text}]" if each.field is FileField.DATE else f'{each.field.value}:"{each.text}"'
        for each in filters
    )


def _is_path(name: str) -> bool:
    return name in (os.curdir, os.pardir) or any(mark in name for mark in ("/", os.sep))


def _absolute(name: str) -> str:
    return str(written_path(name))
