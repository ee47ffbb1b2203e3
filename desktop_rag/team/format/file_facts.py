"""Facts of files as fields of the indexes, and conditions of the query language as requests on these fields."""

import os
from collections.abc import Sequence
from datetime import date
from typing import assert_never

from desktop_rag.documents.document import MailHeader
from desktop_rag.index.records import Content, FilePlace
from desktop_rag.retrieval.query.date_ranges import month_ranges
from desktop_rag.retrieval.query.file_conditions import (
    EVERY_LANGUAGE,
    MIN_REST,
    field_stems,
    field_words,
    is_pattern,
    joined_names,
    joined_start,
    language_code,
    persons_of,
    word_pattern,
)
from desktop_rag.retrieval.query.own_dates import moment_ns, own_date_ns
from desktop_rag.retrieval.query.tree import (
    All,
    Boosted,
    Dated,
    Either,
    FileFact,
    FileField,
    Node,
    Not,
    Prefer,
)
from desktop_rag.settings import Withheld
from desktop_rag.team.server.json_answers import Json
from desktop_rag.text.normalize import fold

NOTHING: Json = {"match_none": {}}
EVERYTHING: Json = {"match_all": {}}
_FIELDS = {FileField.MODIFIED: "modified", FileField.DATE: "date", FileField.SENT: "sent"}
_PERSONS = {FileField.FROM: "person_from", FileField.TO: "person_to", FileField.CC: "person_cc"}


def facts_of(content: Content, places: Sequence[FilePlace], mails: Sequence[MailHeader]) -> Json:
    """Return the fields of a content with these files and mails, or of a part of it that belongs to one mail."""
    paths = [_slashes(os.fsdecode(place.path)) for place in places]
    names = [path.rpartition("/")[2] for path in paths]
    folders = [path.rpartition("/")[0] for path in paths]
    language = fold(content.language)
    main = language.partition("-")[0]
    found: Json = {
        "root": sorted({str(place.folder) for place in places}),
        "ext": sorted({ending for name in names for ending in (name.partition(".")[2], name.rpartition(".")[2])}),
        "folder": sorted({part for folder in folders for part in folder.split("/")}),
        "folders": sorted({f"/{folder}/" for folder in folders}),
        "path": paths,
        "name": [
            *names,
            *map(field_words, _names(places)),
            *(f"^{one}" for name in _names(places) for one in joined_names(name)),
        ],
        "author": [fold(content.author), field_words(content.author)],
        "language": sorted({language, main}),
        "tag": [fold(tag) for tag in content.tags],
        "modified": [place.mtime_ns for place in places],
        "date": sorted({own_date_ns(content, place, mail) for place in places for mail in mails or (None,)}),
    }
    if mails:
        found |= {
            "person_from": [field_words(mail.sender) for mail in mails],
            "person_to": [field_words(person) for mail in mails for person in persons_of(mail.receivers)],
            "person_cc": [field_words(person) for mail in mails for person in persons_of(mail.copies)],
            "subject": [field_words(mail.subject) for mail in mails],
            "subject_stems": [field_stems(mail.subject, code) for mail in mails for code in sorted({"en", main})],
            "sent": [moment for mail in mails if (moment := moment_ns(mail.sent)) is not None],
        }
    return found


def condition(node: Node) -> Json:
    """Return the request for a tree of conditions on files."""
    match node:
        case All(parts):
            return {"bool": {"filter": list(map(condition, parts))}}
        case Either(parts):
            return any_of(list(map(condition, parts)))
        case Not(part):
            return {"bool": {"must_not": [condition(part)]}}
        case Boosted(part) | Prefer(part):
            return condition(part)
        case Dated(field=field, month=month) if month:
            years = month_ranges(month, date.today().year + 1)
            return any_of([{"range": {_FIELDS[field]: {"gte": since, "lt": until}}} for since, until in years])
        case Dated(since_ns, until_ns, field):
            bounds = {"gte": since_ns, "lt": until_ns}
            return {"range": {_FIELDS[field]: {key: at for key, at in bounds.items() if at is not None}}}
        case FileFact(field, text, quoted):
            return _fact(field, text, quoted=quoted)
        case _:
            return EVERYTHING  # a word: not about files


def withheld_facts(withheld: Withheld) -> list[Json]:
    """Return conditions that each hold for documents which are never sent: below a path, or with a tag."""
    paths = [_slashes(os.fsdecode(path)).rstrip("/") for path in withheld.paths]
    files: list[Json] = [{"term": {"path": path}} for path in paths]
    below: list[Json] = [{"prefix": {"path": f"{path}/"}} for path in paths]
    return [*files, *below, *(_fact(FileField.TAG, tag) for tag in withheld.tags)]


def any_of(parts: Sequence[Json]) -> Json:
    """Return the request for OR."""
    return {"bool": {"should": list(parts), "minimum_should_match": 1}} if parts else NOTHING


def _fact(field: FileField, text: str, *, quoted: bool = False) -> Json:
    wanted = fold(text)
    match field:
        case FileField.AUTHOR:
            return any_of([_with_words("author", text), {"term": {"author": wanted}}])
        case FileField.LANGUAGE:
            return {"term": {"language": language_code(wanted)}}
        case FileField.TAG:
            tag = wanted.lstrip("#")
            return any_of([_like("tag", tag), _like("tag", f"{tag}/*")])
        case FileField.EXT:
            return _like("ext", wanted.lstrip("."))
        case FileField.FOLDER:
            folder = _slashes(text).strip("/")
            return _like("folders", f"*/{folder}/*", own_stars=True) if "/" in folder else _like("folder", folder)
        case FileField.PATH:
            return _containing("path", _slashes(text))
        case FileField.NAME:
            found: Json = {"bool": {"filter": [_named(part) for part in wanted.split()]}}
            start = f"^{joined_start(text)}"
            rest = [_like("name", start), _like("name", f"{start}{'?' * MIN_REST}*")]
            return any_of([found, *rest]) if len(start) > 1 else found
        case FileField.SUBJECT:
            with_words = _with_words("subject", text)
            return with_words if quoted or is_pattern(text) else any_of([with_words, *_inflected(text)])
        case FileField.FROM | FileField.TO | FileField.CC:
            return {"bool": {"filter": [_with_words(_PERSONS[field], part) for part in wanted.split()]}}
        case FileField.MODIFIED | FileField.DATE | FileField.SENT:
            return EVERYTHING  # a date is always a `Dated` node
    assert_never(field)


def _named(part: str) -> Json:
    literal = is_pattern(part) or not any(map(str.isalnum, part))
    return any_of([_with_words("name", part), *([_containing("name", part)] if literal else [])])


def _inflected(text: str) -> list[Json]:
    stems = {field_stems(text, code) for code in EVERY_LANGUAGE}
    return [_like("subject_stems", f"*{each}*", own_stars=True) for each in sorted(stems) if not each.isspace()]


def _with_words(field: str, wanted: str) -> Json:
    """Return the request for `field_words` with these words."""
    pattern = word_pattern(wanted)
    if is_pattern(wanted):
        return {"regexp": {field: {"value": f".*{pattern}.*", "flags": "NONE"}}}
    return _like(field, f"*{pattern}*", own_stars=True) if not pattern.isspace() else NOTHING


def _containing(field: str, wanted: str) -> Json:
    if "*" not in wanted and "?" not in wanted:
        return _like(field, f"*{_literal(wanted)}*", own_stars=True)
    expression = "".join({"*": ".*", "?": "."}.get(char) or _escaped(char) for char in wanted)
    return {"regexp": {field: {"value": rf"(.*[/ ])?{expression}( .*)?", "flags": "NONE"}}}


def _like(field: str, pattern: str, *, own_stars: bool = False) -> Json:
    if not own_stars and "*" not in pattern and "?" not in pattern:
        return {"term": {field: pattern}}
    return {"wildcard": {field: {"value": pattern if own_stars else pattern.replace("\\", "\\\\")}}}


def _literal(text: str) -> str:
    return "".join(f"\\{char}" if char in "*?\\" else char for char in text)


def _escaped(char: str) -> str:
    return char if char.isalnum() or char == " " else f"\\{char}"


def _names(places: Sequence[FilePlace]) -> list[str]:
    return [os.fsdecode(place.path).replace("\\", "/").rpartition("/")[2] for place in places]


def _slashes(text: str) -> str:
    return fold(text.replace("\\", "/"))
