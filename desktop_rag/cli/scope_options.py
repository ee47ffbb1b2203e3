"""The options that restrict `search` and `ask` to some files: `--folder --file --type --since --until`."""

import argparse
import os
from pathlib import Path

from desktop_rag.retrieval.api import Filter
from desktop_rag.retrieval.query.tree import FileField


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


def scope_text(filters: tuple[Filter, ...]) -> str:
    """Return the filters as the query language writes them."""
    return " ".join(
        f"{each.field.value}:[{each.text}]" if each.field is FileField.DATE else f'{each.field.value}:"{each.text}"'
        for each in filters
    )


def _is_path(name: str) -> bool:
    return name in (os.curdir, os.pardir) or any(mark in name for mark in ("/", os.sep))


def _absolute(name: str) -> str:
    return os.path.normpath(Path(name).expanduser().absolute())
