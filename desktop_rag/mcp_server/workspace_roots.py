"""The scope of a client: the folders and files it works in (its roots), as far as they are in the library."""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from desktop_rag.retrieval.api import Filter
from desktop_rag.retrieval.query.tree import FileField

MOST_ROOTS = 20  # of those in the library; further ones do not widen the scope


def root_filters(roots: Iterable[str], folders: Sequence[str]) -> tuple[Filter, ...]:
    """Return the filters for roots (`file://` URIs) in one of the `folders` of the library, or around one.

    None means everything: a client that works elsewhere has not chosen among the documents. A root inside of a folder
    restricts the client even if it holds no documents yet. Links are followed; a file is a scope of its own.
    """
    known = [(folder, _real(folder)) for folder in folders]
    paths = {place: None for root in roots if (path := _path(root)) for place in _places(_real(path), known)}
    chosen = list(paths)[:MOST_ROOTS]
    if not any(Path(each).is_file() for each in chosen):
        return tuple(Filter(FileField.FOLDER, each) for each in chosen)
    # All of one field, since filters of different fields must all be met.
    return tuple(
        Filter(FileField.PATH, each if Path(each).is_file() else f"{each.rstrip(os.sep)}{os.sep}") for each in chosen
    )


def _places(real: str, folders: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield the place of a root in the folders of the library, under the names that these have there."""
    for folder, real_folder in folders:
        if _holds(real_folder, real):
            yield str(Path(folder, os.path.relpath(real, real_folder)))
        elif _holds(real, real_folder):
            yield folder


def _holds(folder: str, path: str) -> bool:
    inside, outside = os.path.normcase(path), os.path.normcase(folder)
    return inside == outside or inside.startswith(outside.rstrip(os.sep) + os.sep)


def _real(path: str) -> str:
    real = os.path.realpath(path)
    return f"/{real.lstrip('/')}" if os.sep == "/" else real  # POSIX keeps two slashes at the beginning


def _path(root: str) -> str:
    """Return the path of a root, "" if it is none of this computer."""
    try:
        parts = urlsplit(root)
    except ValueError:
        return ""
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return ""
    path = url2pathname(parts.path)
    return path if len(path) > 1 and "\0" not in path else ""
