"""Checks what Python programs pass: a value of the wrong type is refused with a sentence, before anything is done."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from desktop_rag.errors import ArgumentTypeError, LibraryRefused, QueryError
from desktop_rag.paths import valid_text, written_path
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.stop import Stop
from desktop_rag.text.display import shorten

MOST_HITS = 1_000
_LAST = 2**31 - 1  # more lines than any document has


def text(given: object, name: str) -> str:
    """Return a text, with characters that no file can have replaced."""
    if not isinstance(given, str):
        raise _wrong(name, "a text", given)
    return valid_text(given)


def optional_text(given: object, name: str) -> str | None:
    """Return a text, or None."""
    return None if given is None else text(given, name)


def name_of_file(given: object, name: str) -> str:
    """Return a path or name as a text that the system can take."""
    if isinstance(given, os.PathLike):
        given = given.__fspath__()
    if not isinstance(given, str):
        raise _wrong(name, "a text or a path", given)
    if not given.strip() or "\0" in given:
        raise LibraryRefused(f"“{_shown(given)}” is no path.")
    return given


def texts(given: object, name: str) -> list[str]:
    """Return several texts."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise _wrong(name, "a list of texts", given)
    return [text(each, name) for each in given]


def document_of(given: object) -> str:
    """Return the id or path of a document: written, of a document, or of a hit."""
    for name in ("id", "document"):
        if isinstance(found := getattr(given, name, None), str):
            return found
    return name_of_file(given, "documents")


def path(given: object, name: str) -> Path:
    """Return an absolute path, with `~` and `..` resolved."""
    written = name_of_file(given, name)
    try:
        os.fsencode(written)
        return written_path(written)
    except (RuntimeError, UnicodeEncodeError) as error:
        raise LibraryRefused(f"“{_shown(written)}” is no path.") from error


def choice(given: object, name: str, of: Iterable[str]) -> str:
    """Return one of the words `of`; raises `QueryError` for another one."""
    known = tuple(of)
    if text(given, name) not in known:
        raise QueryError(f"There is no {name} “{_shown(given)}”. Choose one of: {', '.join(known)}.")
    return str(given)


def limit(given: object) -> int:
    """Return how many are wanted at most; raises `QueryError` for an impossible number."""
    wanted = _whole(given, "limit")
    if not 1 <= wanted <= MOST_HITS:
        raise QueryError(f"The limit must be from 1 to {MOST_HITS}.")
    return wanted


def lines(given: object) -> tuple[int, int]:
    """Return the first and the last line."""
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise _wrong("lines", "the first and the last line, such as (3, 5)", given)
    first, last = _whole(given[0], "lines"), _whole(given[1], "lines")
    if not 1 <= first <= last:
        raise QueryError(f"Lines {_shown(first)} to {_shown(last)} are no lines: give the first, from 1, and the last.")
    return min(first, _LAST), min(last, _LAST)


def flag(given: object, name: str) -> bool:
    """Return a truth value."""
    if not isinstance(given, bool):
        raise _wrong(name, "True or False", given)
    return given


def stop_of(given: object) -> Stop:
    """Return the stop of a call, or a new one."""
    if given is None:
        return Stop()
    if not isinstance(given, Stop):
        raise _wrong("stop", "a Stop", given)
    return given


def filters(scope: object) -> tuple[Filter, ...]:
    """Return the conditions of a scope as filters; raises `QueryError` for an unknown field."""
    if scope is None:
        return ()
    if not isinstance(scope, Mapping):
        raise _wrong("scope", 'conditions such as {"ext": "pdf"}', scope)
    found = list[Filter]()
    for field, values in scope.items():
        if field not in tuple(FileField):
            raise QueryError(f"There is no condition “{_shown(field)}”. Choose one of: {', '.join(FileField)}.")
        given = values if isinstance(values, list | tuple | set | frozenset) else (values,)
        if not given:
            raise QueryError(f"The condition “{field}” has no value: leave it out, or give one.")
        found += [Filter(FileField(field), _value(field, text(each, f"scope: {field}"))) for each in given]
    return tuple(found)


def _value(field: str, written: str) -> str:
    """Return the value of a condition; in a path, `~` and `..` are resolved."""
    is_place = field in (FileField.FOLDER, FileField.PATH) and written.startswith(("~", "/", "./", "../"))
    return str(written_path(written)) if is_place else written


def _whole(given: object, name: str) -> int:
    if isinstance(given, bool) or not hasattr(given, "__index__"):
        raise _wrong(name, "a whole number", given)
    return int(given.__index__())  # also those of numpy


def _wrong(name: str, wanted: str, given: object) -> ArgumentTypeError:
    return ArgumentTypeError(f"“{name}” must be {wanted}, not {type(given).__name__}.")


def _shown(given: object) -> str:
    return shorten(valid_text(str(given)), 80)
