"""Conditions on files and mails: path, extension, author, tag, dates, sender …; also made from filters."""

import os
import re
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from itertools import groupby
from typing import assert_never

from desktop_rag.documents.document import MailHeader
from desktop_rag.errors import QueryError
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.keywords.analysis import dense, terms
from desktop_rag.index.keywords.analysis import fold as fold_word
from desktop_rag.index.keywords.identifiers import names_with_humps, parts_of
from desktop_rag.index.keywords.inflection import STEMMERS, stem_in
from desktop_rag.index.records import Content, ContentId, FilePlace
from desktop_rag.retrieval.query.date_ranges import month_of, period
from desktop_rag.retrieval.query.own_dates import moment_ns, own_date_ns
from desktop_rag.retrieval.query.tree import (
    DATE_FIELDS,
    MAIL_FIELDS,
    All,
    Boosted,
    Dated,
    Either,
    FileFact,
    FileField,
    FileLeaf,
    Filter,
    Node,
    Not,
    Prefer,
    join_all,
    leaves,
    wildcard_expression,
)
from desktop_rag.text.normalize import fold, has_tag

# Compares the words of a condition with those of a subject, person, author or file name: never inside words.
#
# A field is written as its words between spaces: once as they stand, then with letters and digits apart (“anna85”),
# then the parts of camelCase names, each version behind two spaces, which no condition can span.

_PIECES = re.compile(r"\d+|[^\W\d_]+")
_PATTERN_WORD = re.compile(r"(?:[^\W_]|[*?])+")
_CAPITALS = re.compile(r"(?<![^\W_])[^\W\d_a-zß-öø-ÿ]{7,}(?![^\W\d_])")
MIN_PART, MIN_REST = 4, 3  # letters of the start of a name in capitals, and of the rest
EVERY_LANGUAGE = ("en", *STEMMERS)


@lru_cache(maxsize=1 << 16)
def field_words(text: str) -> str:
    """Return the words of a field between spaces, in all its versions."""
    words = _words(text)
    apart = [piece for word in words for piece in _PIECES.findall(word)]
    humps = (" ".join(part for part, _, _ in parts_of(name)) for name, _ in names_with_humps(text))
    versions = dict.fromkeys((" ".join(words), " ".join(apart), *humps))
    return f" {'  '.join(version for version in versions if version)} "


@lru_cache(maxsize=1 << 16)
def field_stems(text: str, language: str) -> str:
    """Return the stems (in a language, ISO 639-1) of the words of a field between spaces."""
    return f" {' '.join(stem_in(word, language) for word in _words(text))} "


def has_words(text: str, wanted: str) -> bool:
    """Return whether a field has the wanted words in a row; in them, `*` is any letters and `?` is one."""
    pattern = word_pattern(wanted)
    if is_pattern(wanted):
        return re.search(pattern, field_words(text)) is not None
    if pattern.isspace() or (text.isascii() and not all(map(text.lower().__contains__, pattern.split()))):
        return False  # as most file names, in a tenth of the time
    return pattern in field_words(text)


def joined_names(name: str) -> tuple[str, ...]:
    """Return the words of a file name that are all in capitals, folded: joined names such as BESTBUY have no humps."""
    return tuple(map(fold, _CAPITALS.findall(name)))


def joined_start(wanted: str) -> str:
    """Return a condition's words as a joined name may start with them; "" if they are short or no plain words."""
    joined = "" if is_pattern(wanted) else "".join(_words(wanted))
    return joined if len(joined) >= MIN_PART and joined.isalpha() else ""


def starts_joined(name: str, wanted: str) -> bool:
    """Return whether a word in capitals is the wanted words, joined, or starts with them: LOCKHEEDMARTIN_2021."""
    start = joined_start(wanted)
    if not start or (name.isascii() and start not in name.lower()):
        return False
    return any(
        each == start or (each.startswith(start) and len(each) >= len(start) + MIN_REST) for each in joined_names(name)
    )


def has_inflected(text: str, wanted: str, language: str) -> bool:
    """Return whether a field has the wanted words in a row in any inflected form, English or of its language."""
    if is_pattern(wanted) or word_pattern(wanted).isspace():
        return False
    return any(field_stems(wanted, code) in field_stems(text, code) for code in {"en", language.partition("-")[0]})


def is_pattern(wanted: str) -> bool:
    """Return whether a condition has `*` or `?`."""
    return "*" in wanted or "?" in wanted


@lru_cache(maxsize=64)
def word_pattern(wanted: str) -> str:
    """Return what `field_words` has where the wanted words stand; a regular expression if they have `*` or `?`."""
    if not is_pattern(wanted):
        return f" {' '.join(_words(wanted))} "
    words = _PATTERN_WORD.findall(fold_word(wanted))
    return f" {' '.join(wildcard_expression(word, '[^ ]') for word in words)} "


def _words(text: str) -> list[str]:
    """Return the folded words of a text, of scripts without spaces the single characters."""
    found = terms(text)
    return [each.text for each in found if each.end - each.start == 1 or not _is_dense(each.text)]


def _is_dense(text: str) -> bool:
    return not text.isascii() and dense().match(text) is not None


_OF_MAILS = MAIL_FIELDS | {FileField.DATE}
_LANGUAGES = {name: code for code, name in STEMMERS.items()} | {
    "chinese": "zh", "czech": "cs", "english": "en", "hebrew": "he", "hungarian": "hu", "japanese": "ja",
    "korean": "ko", "persian": "fa", "polish": "pl", "thai": "th", "turkish": "tr", "ukrainian": "uk",
    "vietnamese": "vi",
}  # fmt: skip


def filter_condition(filters: Sequence[Filter], today: date) -> Node | None:
    """Return the condition of all filters: OR within a field, AND between fields and with those that narrow.

    None for no filters.

    Raises `QueryError` for an invalid date.
    """

    def group(each: Filter) -> tuple[str, bool]:
        return each.field, each.narrows

    groups = (tuple(_condition(each, today) for each in same) for _, same in groupby(sorted(filters, key=group), group))
    return join_all(group[0] if len(group) == 1 else Either(group) for group in groups)


def _condition(each: Filter, today: date) -> FileFact | Dated:
    if each.field not in DATE_FIELDS:
        return FileFact(each.field, each.text)
    days = period(each.text, today)
    if days is None:
        raise QueryError(f"“{each.text}” is not a date; write 2024, 2024-03-15, today or last week.", 0)
    return Dated(days.since_ns, days.until_ns, each.field, days.month)


def is_about_mails(node: Node | None) -> bool:
    """Return whether a condition depends on single mails: a mailbox may fulfil it with some of them only."""
    return any(isinstance(leaf, FileLeaf) and leaf.field in _OF_MAILS for leaf in leaves(node))


def mail_at(mails: Sequence[MailHeader], line: int) -> MailHeader | None:
    """Return the innermost of a document's mails, in order, that contains a line."""
    return next((mail for mail in reversed(mails) if mail.first_line <= line <= mail.last_line), None)


def fulfils(node: Node, content: Content, place: FilePlace, mail: MailHeader | None = None) -> bool:
    """Return whether the file `place` with `content`, or a mail in it, fulfils a tree of conditions."""
    match node:
        case All(parts):
            return all(fulfils(part, content, place, mail) for part in parts)
        case Either(parts):
            return any(fulfils(part, content, place, mail) for part in parts)
        case Not(part):
            return not fulfils(part, content, place, mail)
        case Boosted(part) | Prefer(part):
            return fulfils(part, content, place, mail)
        case Dated(since_ns, until_ns, field, month):
            moment = _moment(field, content, place, mail)
            if moment is None or (month and month_of(moment) != month):
                return False
            return (since_ns is None or moment >= since_ns) and (until_ns is None or moment < until_ns)
        case FileFact():
            return _has_fact(node, content, place, mail)
        case _:
            return True  # a word: not about files


def _moment(field: FileField, content: Content, place: FilePlace, mail: MailHeader | None) -> int | None:
    if field is FileField.SENT:
        return moment_ns(mail.sent) if mail is not None else None
    return own_date_ns(content, place, mail) if field is FileField.DATE else place.mtime_ns


def language_code(wanted: str) -> str:
    """Return the code (ISO 639-1) of a language by its folded English name; codes are returned unchanged."""
    return _LANGUAGES.get(wanted, wanted)


def _has_fact(fact: FileFact, content: Content, place: FilePlace, mail: MailHeader | None) -> bool:
    text = fact.text
    match fact.field:
        case FileField.AUTHOR:
            return has_words(content.author, text) or fold(content.author) == fold(text)
        case FileField.LANGUAGE:
            language = fold(content.language)
            return language_code(fold(text)) in (language, language.partition("-")[0])
        case FileField.TAG:
            return has_tag(content.tags, (text,))
        case FileField.EXT:
            wanted, name = fold(text).lstrip("."), _name(place)
            return _matches(name.partition(".")[2], wanted) or _matches(name.rpartition(".")[2], wanted)
        case FileField.FOLDER:
            return _in_folder(_path(place).rpartition("/")[0], _slashes(text))
        case FileField.PATH:
            return _contains(_path(place), _slashes(text))
        case FileField.NAME:
            return has_name(os.fsdecode(place.path).replace("\\", "/").rpartition("/")[2], text)
        case FileField.SUBJECT:
            subject = mail.subject if mail is not None else ""
            return has_words(subject, text) or (not fact.quoted and has_inflected(subject, text, content.language))
        case FileField.FROM | FileField.TO | FileField.CC:
            return mail is not None and _has_person(fact.field, text, mail)
        case FileField.MODIFIED | FileField.DATE | FileField.SENT:
            return True  # a date is always a `Dated` node
    assert_never(fact.field)


def has_name(name: str, wanted: str) -> bool:
    """Return whether a file name has all parts of a condition as words; one with `*` or of signs is found anywhere.

    Of a word in capitals, which may be several names joined, the start is enough.
    """
    parts = fold(wanted).split()
    literal = [part for part in parts if is_pattern(part) or not any(map(str.isalnum, part))]
    found = all(has_words(name, part) or (part in literal and _contains(fold(name), part)) for part in parts)
    return found or starts_joined(name, wanted)


def _has_person(field: FileField, wanted: str, mail: MailHeader) -> bool:
    """Return whether one of these persons of a mail has all the wanted words in the name or address."""
    match field:
        case FileField.FROM:
            people = [mail.sender]
        case FileField.TO:
            people = persons_of(mail.receivers)
        case _:
            people = persons_of(mail.copies)
    return any(all(has_words(person, part) for part in wanted.split()) for person in people)


def persons_of(people: str) -> list[str]:
    """Return the persons of an address field; commas inside quotation marks, or beside semicolons, are of names."""
    return people.split(";") if ";" in people else re.findall(r'(?:"[^"]*"|[^,"])+', people)


def _in_folder(folder: str, wanted: str) -> bool:
    """Return whether a part of the folder's path has this name, or the path contains these consecutive folders."""
    if "/" in wanted.strip("/"):
        return _contains(folder + "/", wanted.strip("/") + "/", from_name_start=True)
    return any(_matches(name, wanted.strip("/")) for name in folder.split("/"))


def _contains(text: str, wanted: str, *, from_name_start: bool = False) -> bool:
    if not is_pattern(wanted):
        return (f"/{wanted}" in f"/{text}") if from_name_start else (wanted in text)
    pattern = re.compile(rf"(?:^|[/\s]){wildcard_expression(wanted)}(?:$|[\s])")
    return pattern.search(text) is not None


def _matches(text: str, wanted: str) -> bool:
    return re.fullmatch(wildcard_expression(wanted), text) is not None if is_pattern(wanted) else text == wanted


def _name(place: FilePlace) -> str:
    return _path(place).rpartition("/")[2]


def _path(place: FilePlace) -> str:
    return _slashes(os.fsdecode(place.path))


def _slashes(text: str) -> str:
    return fold(text.replace("\\", "/"))


# Finds the files that may fulfil a condition by their paths alone, which the catalog looks through in its index.

MOST = 1_000  # contents; more are no small choice of a library
_RUNS = re.compile(r"[a-z0-9]+|[^\W_]")


def likely_files(node: Node, catalog: CatalogReader) -> frozenset[ContentId] | None:
    """Return contents among which are all that fulfil a condition; None if it is not known, or if they are many."""
    match node:
        case All(parts):
            known = [found for part in parts if (found := likely_files(part, catalog)) is not None]
            return known[0].intersection(*known[1:]) if known else None
        case Either(parts):
            every = [likely_files(part, catalog) for part in parts]
            return frozenset[ContentId]().union(*(found or () for found in every)) if None not in every else None
        case Boosted(part) | Prefer(part):
            return likely_files(part, catalog)
        case FileFact(FileField.TAG, text):
            tagged = catalog.contents.tagged((text,))
            return tagged if len(tagged) <= MOST else None
        case FileFact():
            patterns = _patterns(node)
            return (
                catalog.files.with_path_like(patterns, MOST, names=node.field is FileField.NAME) if patterns else None
            )
        case _:
            return None


def _patterns(fact: FileFact) -> list[str]:
    """Return patterns of LIKE that the folded path, or name, of each file with a fact matches; none if not known."""
    text = fold(fact.text)
    match fact.field:
        case FileField.NAME:
            # Figures first: most names that have the words of a search lack its figures.
            return [f"%{run}%" for run in sorted(_RUNS.findall(text), key=str.isalpha)]
        case FileField.EXT:
            return [f"%.{_loose(text.lstrip('.'))}"]
        case FileField.PATH:
            return [f"%{_loose(text)}%"]
        case FileField.FOLDER:
            inside = text.replace("\\", "/").strip("/")
            starred = "/" in inside and _loose(inside) != inside.replace("/", "_")
            return [f"%{_loose(inside)}%" if starred else f"%_{_loose(inside)}_%"]
        case _:
            return []


def _loose(text: str) -> str:
    """Return a pattern that also matches some more: `_` is any character, such as a separator of folders."""
    return re.sub(r"%+", "%", re.sub(r"[?/\\]", "_", text.replace("*", "%")))
