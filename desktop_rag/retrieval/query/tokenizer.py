"""Tokenizes a query: brackets, operators, fields, ranges, phrases and words with their ^boost and ~number."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import Enum, auto

from desktop_rag.errors import QueryError
from desktop_rag.retrieval.query.tree import DATE_FIELDS, FileField, TextField
from desktop_rag.text.dates import MONTH_NAME

FIELDS = tuple(str(field) for field in (*TextField, *FileField) if field)
_FIELD_ALIASES = {
    "author": "author", "bcc": "cc", "body": "content", "by": "author", "created": "date", "directory": "folder",
    "dir": "folder", "extension": "ext", "file": "name", "filename": "name", "filetype": "ext", "heading": "title",
    "in": "folder", "intitle": "title", "keyword": "tag", "keywords": "tag", "label": "tag", "lang": "language",
    "recipient": "to", "sender": "from", "tags": "tag", "text": "content", "time": "date", "type": "ext",
    "when": "date",
}  # fmt: skip

_FIELD = re.compile(r"([^\W\d_][\w-]*):(?=[^\s:])")
_SIDE = r"([^\s\[\]{}](?:[^\[\]{}]{0,40}?[^\s\[\]{}])?)"  # of a range: “2023” or “last month”
_FIELD_VALUE = re.compile(r"[\w\"(\[]|[*?<>=]{1,2}\.?\w")
_RANGE = re.compile(rf"[\[{{]\s*{_SIDE}\s+TO\s+{_SIDE}\s*[\]}}]")
_SIDES = re.compile(rf"[\[{{]\s*{_SIDE}\s*?(?:\s(?:to|until|-)\s|\.{{2,3}}|[–—])\s*{_SIDE}\s*[\]}}]", re.IGNORECASE)
_SUFFIX = re.compile(r"\^(?P<boost>\d{1,6}(?:\.\d{1,6})?)|~(?P<tilde>\d{0,6})(?!\w)")
_WORD = re.compile(r'(?:[^\s()\[\]{}"^~“”„«»‹›「」『』＂]|\^(?!\d)(?=\S)|~(?!\d|[\s)^]|$))+')
_VALUE = re.compile(r'[^\s()"]+')
_LATELY = r"(?:this|last|past)\s{1,9}(?:\d+\s{1,9})?(?:day|week|month|quarter|year)s?(?!\w)"
_MONTH = rf"(?:\d{{1,2}}\.?\s{{1,9}})?(?:{MONTH_NAME})\.?\s{{1,9}}\d{{4}}(?![\w-])"  # of a year
_PERIOD = re.compile(rf'(?:[<>]=?\s{{0,9}})?(?:{_LATELY}|{_MONTH})|[<>]=?\s{{0,9}}[^\s()"\[\]<>=]+', re.IGNORECASE)
_QUOTES = {
    '"': '"', "“": "”", "„": "“”", "«": "»", "‹": "›", "「": "」", "『": "』", "＂": "＂",
    "»": "«»", "”": "”",  # German books; Swedish and Finnish
}  # fmt: skip
_DEMANDED_NUMBER = re.compile(r"(?:\d[.,]?){3}")
_CODE = re.compile(r"(?=.*[\d@_])(?=.*\w[^\w\s]|.*_)\S+")
_SPACED_NUMBER = re.compile(r"\d{1,3}(?: \d{3})+(?![^\s)])")
_SPACED_CODE = re.compile(  # a number of a telephone, an account, a book or a card
    r"(?:\+(?P<country>\d{1,3}(?: ?\(0\))?(?: ?\d{2,8}){2,6})|0\d{1,4}(?: \d{2,8}){2,5}"
    r"|[A-Z]{2}\d\d(?: [A-Z\d]{1,4}){2,8}|97[89](?: \d{1,7}){4}"
    r"|(?!(?:19|20)\d\d (?:19|20))\d{4}(?: \d{4}){2,4})(?![^\s)])"
)
_SENTENCE_MARKS = ".,;:!?'’‘`…¿¡"

NUMBER = re.compile(
    r"(?P<grouped>\d{1,3}(?:(?P<sign>[.,'’\u00a0\u202f])\d{3})(?:(?P=sign)\d{3})*)(?:[.,](?P<cents>\d+))?"
    r"|(?P<plain>\d{4,15}|\d{1,3}(?=[.,]\d))(?:[.,](?P<rest>\d+))?"
)


class QueryTokenKind(Enum):
    """The kinds of tokens."""

    OPEN = auto()
    CLOSE = auto()
    AND = auto()
    OR = auto()
    NOT = auto()
    REQUIRE = auto()
    PROHIBIT = auto()
    FIELD = auto()
    RANGE = auto()
    PHRASE = auto()
    WORD = auto()
    SPELLED = auto()


OPERATORS = {"AND": QueryTokenKind.AND, "OR": QueryTokenKind.OR, "NOT": QueryTokenKind.NOT}


@dataclass(frozen=True, slots=True)
class QueryToken:
    """A token and its position in the query; `tilde` is the number after `~`, -1 for a bare `~`."""

    kind: QueryTokenKind
    text: str
    position: int
    boost: float = 1.0
    tilde: int | None = None


def tokens(query: str) -> Iterator[QueryToken]:
    """Yield the tokens of `query`; raise `QueryError` for an open quote, an unknown field or a broken range."""
    at = 0
    named: str | None = None  # the field before the next token …
    groups: list[str | None] = []  # … and the fields of the open brackets
    while at < len(query):
        token = _period(query, at) if groups and groups[-1] in DATE_FIELDS and named is None else None
        token, at = (token, at + len(token.text)) if token is not None else _next_token(query, at, named)
        if token is None:
            continue
        if token.kind is QueryTokenKind.OPEN:
            groups.append(named or (groups[-1] if groups else None))
        elif token.kind is QueryTokenKind.CLOSE and groups:
            groups.pop()
        named = token.text if token.kind is QueryTokenKind.FIELD else None
        yield token


def bare(text: str) -> str:
    """Return a word without surrounding punctuation; empty if nothing searchable is left."""
    word = text.strip(_SENTENCE_MARKS)
    searchable = any(char.isalnum() or unicodedata.category(char) in {"So", "Sc"} for char in word)
    return word if searchable else ""


def is_number(word: str) -> bool:
    """Return whether a word is a number with grouped digits, decimals or at least four digits."""
    return NUMBER.fullmatch(word) is not None


def is_code(word: str) -> bool:
    """Return whether a word of several parts is one code: an e-mail address, a part number, snake_case."""
    return _CODE.fullmatch(word) is not None


def _next_token(query: str, at: int, named: str | None) -> tuple[QueryToken | None, int]:
    char = query[at]
    if char.isspace():
        return None, at + 1
    if char in _QUOTES:
        return _phrase(query, at)
    if char == "(":
        return QueryToken(QueryTokenKind.OPEN, char, at), at + 1
    if char == ")":
        return _with_suffix(query, QueryToken(QueryTokenKind.CLOSE, char, at), at + 1)
    about_files = named in set(FileField)
    if char in "[{":
        return _range(query, at, expected=about_files)
    if named in DATE_FIELDS and (days := _period(query, at)) is not None:
        return days, at + len(days.text)
    if about_files and (value := _VALUE.match(query, at)):
        return QueryToken(QueryTokenKind.WORD, value.group(), at), value.end()
    if char == "=" and (spelled := _spelled(query, at)) is not None:
        return spelled
    if (char in "+" or char.isalnum()) and (code := _spaced_code(query, at)) is not None:
        return code
    if char in "+-" and _is_prefix(query, at):
        return QueryToken(QueryTokenKind.REQUIRE if char == "+" else QueryTokenKind.PROHIBIT, char, at), at + 1
    if (field := _field(query, at)) is not None:
        return field, at + len(field.text) + 1
    return _word(query, at)


def _is_prefix(query: str, at: int) -> bool:
    starts = at == 0 or query[at - 1].isspace() or query[at - 1] == "("
    following = query[at + 1 : at + 2]
    # Before a short number the sign belongs to it (“at -5 or +3 degrees”); +640 demands a number.
    demanded = query[at] == "+" and _DEMANDED_NUMBER.match(query, at + 1) is not None
    return starts and bool(following) and (following.isalpha() or following in _QUOTES or following in "(=" or demanded)


def _period(query: str, at: int) -> QueryToken | None:
    """Return a date of several words, or a comparison, as one token."""
    found = _PERIOD.match(query, at)
    return QueryToken(QueryTokenKind.WORD, found.group(), at) if found is not None else None


def _spelled(query: str, at: int) -> tuple[QueryToken, int] | None:
    """Return the token and end of `=Spelled`; None if the sign is punctuation."""
    if at > 0 and not query[at - 1].isspace() and query[at - 1] not in "(:+-":
        return None
    if query[at + 1 : at + 2] in _QUOTES and at + 1 < len(query):
        token, end = _phrase(query, at + 1)
    else:
        found = _WORD.match(query, at + 1)
        if found is None or found.group()[0] in "=<>!":
            return None
        token, end = _with_suffix(query, QueryToken(QueryTokenKind.WORD, found.group(), at), found.end())
        token = replace(token, text=token.text.rstrip(_SENTENCE_MARKS))
    if token is None or not bare(token.text):
        return None
    if token.tilde is not None:
        raise QueryError(
            "= requires this very spelling; leave out the ~.", query.rindex("~", at, end), _without(query, at, end)
        )
    return replace(token, kind=QueryTokenKind.SPELLED, position=at), end


def _without(query: str, at: int, end: int) -> str:
    return query[:at] + re.sub(r"~\d*$", "", query[at:end]) + query[end:]


def _spaced_code(query: str, at: int) -> tuple[QueryToken, int] | None:
    """Return a number or code that is written in groups as one token; None if there is none."""
    if at and not query[at - 1].isspace() and query[at - 1] not in "(:":
        return None
    if (found := _SPACED_NUMBER.match(query, at)) is not None:
        return QueryToken(QueryTokenKind.WORD, found.group().replace(" ", "\u00a0"), at), found.end()
    if (found := _SPACED_CODE.match(query, at)) is None:
        return None
    written = (found["country"] or found.group()).replace("(0)", " ")
    return QueryToken(QueryTokenKind.WORD, "-".join(written.split()), at), found.end()


def _word(query: str, at: int) -> tuple[QueryToken | None, int]:
    found = _WORD.match(query, at)
    if found is None:
        return None, at + 1  # a stray bracket, ^ or ~ is punctuation
    text, end = found.group(), found.end()
    if text in OPERATORS:
        return QueryToken(OPERATORS[text], text, at), end
    return _with_suffix(query, QueryToken(QueryTokenKind.WORD, text, at), end)


def _phrase(query: str, at: int) -> tuple[QueryToken | None, int]:
    mark = query[at]
    ends = [end for close in _QUOTES[mark] if (end := query.find(close, at + 1)) >= 0]
    opens = at == 0 or query[at - 1].isspace() or query[at - 1] in "(:+-="
    if mark in "»”":  # these usually close
        opens = opens and bool(ends) and not query[at + 1 : at + 2].isspace()
        ends = ends if opens else []
    if not opens and not ends:
        return None, at + 1  # a stray mark, inches: punctuation
    if not ends:
        raise QueryError("This quotation mark is never closed.", at, query + _QUOTES[mark][0])
    end = min(ends)
    return _with_suffix(query, QueryToken(QueryTokenKind.PHRASE, query[at + 1 : end], at), end + 1)


def _with_suffix(query: str, token: QueryToken, at: int) -> tuple[QueryToken, int]:
    boost, tilde = token.boost, token.tilde
    while found := _SUFFIX.match(query, at):
        if found["boost"] is not None:
            boost = float(found["boost"])
            if not boost:
                raise QueryError("A boost must be more than 0.", at, f"{query[:at]}^0.5{query[found.end() :]}")
        else:
            tilde = int(found["tilde"]) if found["tilde"] else -1
        at = found.end()
    return QueryToken(token.kind, token.text, token.position, boost, tilde), at


def _range(query: str, at: int, *, expected: bool) -> tuple[QueryToken | None, int]:
    found = _RANGE.match(query, at)
    if found is not None and (expected or not any(" " in side for side in found.groups())):
        return QueryToken(QueryTokenKind.RANGE, found.group(), at), found.end()
    if expected:
        sides = _SIDES.match(query, at)
        better = f"[{sides[1]} TO {sides[2]}]{query[sides.end() :]}" if sides else "[2024 TO 2025]"
        raise QueryError("A range is written [from TO to], with * for an open side.", at, query[:at] + better)
    return None, at + 1


def _field(query: str, at: int) -> QueryToken | None:
    found = _FIELD.match(query, at)
    if found is None:
        return None
    name = found.group(1).lower()
    if name in FIELDS:
        return QueryToken(QueryTokenKind.FIELD, name, at)
    rest = query[found.end() :]
    if len(name) == 1 or not _FIELD_VALUE.match(rest):
        return None  # a drive letter, a web address, a smiley: words with a colon
    raise _unknown_field(query, found.group(1), at)


def _unknown_field(query: str, name: str, at: int) -> QueryError:
    near = _similar_field(name.lower())
    if near:
        repaired = f"{query[:at]}{near}{query[at + len(name) :]}"
        return QueryError(f"There is no field “{name}:”. Did you mean “{near}:”?", at, repaired)
    known = ", ".join(f"{field}:" for field in FIELDS)
    repaired = f"{query[: at + len(name)]} {query[at + len(name) + 1 :]}"
    return QueryError(f"There is no field “{name}:”. The fields are {known}.", at, repaired)


def _similar_field(name: str) -> str:
    """Return the field with this alias or prefix, or the most similar name; empty if there is none."""
    prefixed = [field for field in FIELDS if len(name) > 2 and field.startswith(name)]
    return next(
        iter([*filter(None, [_FIELD_ALIASES.get(name)]), *prefixed, *get_close_matches(name, FIELDS, 1, 0.6)]), ""
    )
