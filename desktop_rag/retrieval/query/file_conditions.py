"""Conditions on files: path, extension, folder, author, language and date; also made from filters."""

import os
import re
from collections.abc import Sequence
from datetime import date
from itertools import groupby
from typing import assert_never

from desktop_rag.errors import QueryError
from desktop_rag.index.keywords.inflection import STEMMERS
from desktop_rag.index.records import Content, FilePlace
from desktop_rag.retrieval.api import Filter
from desktop_rag.retrieval.query.date_ranges import period
from desktop_rag.retrieval.query.tree import (
    All,
    Boosted,
    Either,
    FileFact,
    FileField,
    Modified,
    Node,
    Not,
    Prefer,
    join_all,
)
from desktop_rag.text.normalize import fold

_LANGUAGES = {name: code for code, name in STEMMERS.items()} | {
    "chinese": "zh", "czech": "cs", "english": "en", "hebrew": "he", "hungarian": "hu", "japanese": "ja",
    "korean": "ko", "persian": "fa", "polish": "pl", "thai": "th", "turkish": "tr", "ukrainian": "uk",
    "vietnamese": "vi",
}  # fmt: skip


def filter_condition(filters: Sequence[Filter], today: date) -> Node | None:
    """Return the condition of all filters: OR within a field, AND between fields; None for no filters.

    Raises `QueryError` for an invalid date.
    """
    ordered = sorted(filters, key=lambda each: each.field)
    groups = (tuple(_condition(each, today) for each in same) for _, same in groupby(ordered, lambda each: each.field))
    return join_all(tuple(group[0] if len(group) == 1 else Either(group) for group in groups))


def _condition(each: Filter, today: date) -> FileFact | Modified:
    if each.field is not FileField.MODIFIED:
        return FileFact(each.field, each.text)
    days = period(each.text, today)
    if days is None:
        raise QueryError(f"“{each.text}” is not a date; write 2024, 2024-03-15, today or last week.", 0)
    return Modified(days.since_ns, days.until_ns)


def fulfils(node: Node, content: Content, place: FilePlace) -> bool:
    """Return whether the file `place` with `content` fulfils a tree of conditions."""
    match node:
        case All(parts):
            return all(fulfils(part, content, place) for part in parts)
        case Either(parts):
            return any(fulfils(part, content, place) for part in parts)
        case Not(part):
            return not fulfils(part, content, place)
        case Boosted(part) | Prefer(part):
            return fulfils(part, content, place)
        case Modified(since_ns, until_ns):
            late = since_ns is None or place.mtime_ns >= since_ns
            return late and (until_ns is None or place.mtime_ns < until_ns)
        case FileFact(field, text):
            return _has_fact(field, text, content, place)
        case _:
            return True  # a word: not about files


def _has_fact(field: FileField, text: str, content: Content, place: FilePlace) -> bool:
    match field:
        case FileField.AUTHOR:
            return _contains(fold(content.author), fold(text))
        case FileField.LANGUAGE:
            language, wanted = fold(content.language), fold(text)
            return _LANGUAGES.get(wanted, wanted) in (language, language.partition("-")[0])
        case FileField.EXT:
            wanted = fold(text).lstrip(".")
            return _matches(_path(place).rpartition("/")[2].partition(".")[2], wanted) or _matches(
                _path(place).rpartition(".")[2], wanted
            )
        case FileField.FOLDER:
            return _in_folder(_path(place).rpartition("/")[0], _slashes(text))
        case FileField.PATH:
            return _contains(_path(place), _slashes(text))
        case FileField.MODIFIED:
            return True  # a date is always a `Modified` node
    assert_never(field)


def _in_folder(folder: str, wanted: str) -> bool:
    """Return whether a part of the folder's path has this name, or the path contains these consecutive folders."""
    if "/" in wanted.strip("/"):
        return _contains(folder + "/", wanted.strip("/") + "/", from_name_start=True)
    return any(_matches(name, wanted.strip("/")) for name in folder.split("/"))


def _contains(text: str, wanted: str, *, from_name_start: bool = False) -> bool:
    if "*" not in wanted and "?" not in wanted:
        return (f"/{wanted}" in f"/{text}") if from_name_start else (wanted in text)
    pattern = re.compile(rf"(?:^|[/\s]){_expression(wanted)}(?:$|[\s])")
    return pattern.search(text) is not None


def _matches(text: str, wanted: str) -> bool:
    return re.fullmatch(_expression(wanted), text) is not None


def _expression(wanted: str) -> str:
    return "".join({"*": ".*", "?": "."}.get(char) or re.escape(char) for char in wanted)


def _path(place: FilePlace) -> str:
    return _slashes(os.fsdecode(place.path))


def _slashes(text: str) -> str:
    return fold(text.replace("\\", "/"))
