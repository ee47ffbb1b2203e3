"""Finds secrets that are broken: over lines, cells, list items, quoted mails, or by marks between their groups.

Such numbers are rarer than tables of figures, so a card number counts only in its usual groups and, unless it is
broken once at the end of a line, near a word such as “card”. Account numbers have check digits that are rarely right
by chance.
"""

import re
from collections.abc import Iterable, Iterator

from desktop_rag.text.labelled_secrets import Label
from desktop_rag.text.token_forms import PREFIXES

_MARK = r"(?:[^\w\n]|_)"  # what may stand between the parts
_LINE = (
    rf"\n(?>\d{{1,7}}: )?(?>\d{{1,2}}\. )?{_MARK}{{0,12}}"  # a line break, a line's number, marks of lists and cells
)
_BREAK = rf"{_MARK}{{0,6}}{_LINE}(?:{_LINE})?"
_GAP = rf"(?>{_BREAK}|{_MARK}{{1,7}})"
_CARD = re.compile(
    rf"(?<![\w.])(?:\d{{4}}{_GAP}\d{{4}}{_GAP}\d{{4}}{_GAP}\d{{4}}|\d{{4}}{_GAP}\d{{6}}{_GAP}\d{{4,5}})(?!\w)"
    rf"|(?<![\w.])\d{{2,17}}{_BREAK}\d{{2,17}}(?!\w)"
)
_GROUPED = re.compile(r"\d{4}(?:\D+\d{4}){3}|\d{4}\D+\d{6}\D+\d{4,5}")
_CARD_WORD = re.compile(
    r"(?i)card|karte|carte|tarjeta|cart[ãa]o|carta|kaart|kort|karta|карт|visa|maestro|amex|american express"
    r"|卡|カード|카드"
)
_CONTEXT = 200  # characters before a number in which such a word stands
_IBAN = re.compile(rf"(?<![^\W_])[A-Za-z]{{2}}\d{{2}}(?>(?:{_GAP})?[A-Za-z0-9]{{1,30}}){{2,12}}")
_PREFIX = (
    r"(?:AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|xox[abposr]-|sk-|[rs]k_(?:live|test)_|AIza|ya29\.|GOCSPX-|eyJ|npm_|pypi-"
    r"|hf_|SG\.|AGE-SECRET-KEY-1|dop_v1_|shp(?:at|ca|pa|ss)_|dapi|glsa_|hvs\.|ATATT3|PMAK-|sq0(?:csp|atp)-"
    rf"|(?=\S{{8}})(?:{PREFIXES}))"
)
_PART = r"(?>[\w.=-]{1,300})"
_TOKEN = re.compile(rf"\b{_PREFIX}(?:{_PART})?(?:{_BREAK}{_PART}){{1,8}}")
_BETWEEN = re.compile(_BREAK)
_LINE_NUMBER = re.compile(r"(?<=\n)\d{1,7}: (?:\d{1,2}\. )?|(?<=\n)\d{1,2}\. ")
_CELL = re.compile(r"(?=[^\s]*[^\W\d_])(?=[^\s]*[\d!#$%^&*+?@_~=-])[^\s]{5,200}")
_CODE = re.compile(r"\d{3,12}")
_LABELS = frozenset({"word", "short", "phrase", "key", "code"})
_LONGEST_NAME = 40  # characters of a column
_ROWS = 500  # of a table below its header
_BELOW = re.compile(
    r"(?: (?:of|for|to|von|vom|zu|zum|für|de|du|pour|di|per|para)\b[^\n:|]{1,60}(?=:))?"
    rf"{_MARK}{{0,6}}{_LINE}(?:{_LINE})?(?P<value>(?=[^\s|;,\"]*\d)(?=[^\s|;,\"]*[^\W\d_])[^\s|;,\"]{{5,200}}?|\d{{3,12}})(?=[\"'|]{{0,2}}\s*(?:\n|\Z|\|))"
)


def broken_numbers(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and digits of what may be a card number: its form fits, its check digit is not looked at."""
    at = 0
    while found := _CARD.search(text, at):
        plain = _LINE_NUMBER.sub("", found[0])
        grouped = _GROUPED.fullmatch(plain) is not None
        near = _CARD_WORD.search(text, max(0, found.start() - _CONTEXT), found.start())
        if near or (grouped and found[0].count("\n") == 1 and _is_broken_once(plain)):
            yield found.start(), found.end(), "".join(filter(str.isdigit, plain))
        at = found.start() + 1
        while at < len(text) and text[at].isalnum():
            at += 1


def _is_broken_once(text: str) -> bool:
    """Return whether the groups within the lines of a number are divided as usual."""
    return all(re.fullmatch(r"\D*\d+(?:[ .-]\d+)*\D*", line) for line in text.split("\n"))


def broken_accounts(text: str) -> Iterator[tuple[int, str]]:
    """Yield the start of what may be an account number (IBAN), and the text from there."""
    for found in _IBAN.finditer(text):
        yield found.start(), found[0]


def broken_tokens(text: str) -> Iterator[tuple[int, list[tuple[int, str]]]]:
    """Yield the start of a token that continues in other lines, and the end and text of each of its parts."""
    for found in _TOKEN.finditer(text):
        parts, at = list[tuple[int, str]](), 0
        for between in _BETWEEN.finditer(found[0]):
            parts.append((found.start() + between.start(), found[0][at : between.start()]))
            at = between.end()
        yield found.start(), [*parts, (found.end(), found[0][at:])]


def broken_passwords(text: str, labels: Iterable[Label]) -> Iterator[tuple[int, int]]:
    """Yield start and end of passwords and codes that stand alone in the line below their name."""
    for label in labels:
        found = _BELOW.match(text, label.end) if label.kind in _LABELS else None
        if not found or (found["value"].isdecimal() and label.kind != "code"):
            continue
        cells = _line_at(text, label.start).count("|")
        if cells < 3 or cells != _line_at(text, found.start("value")).count("|"):  # else a column has this name
            yield found.span("value")


def _line_at(text: str, place: int) -> str:
    end = text.find("\n", place)
    return text[text.rfind("\n", 0, place) + 1 : end if end >= 0 else len(text)]


def password_columns(text: str, labels: Iterable[Label]) -> Iterator[tuple[int, int]]:
    """Yield start and end of what stands below a header such as “password” in a table with cells divided like it."""
    for label in labels:
        at = text.rfind("\n", 0, label.start) + 1
        end = text.find("\n", label.end)
        mark = next((mark for mark in "|\t;," if mark in text[at:end]), "") if end > 0 and label.kind in _LABELS else ""
        column, names = text.count(mark or "|", at, label.start), text[at:end].split(mark or "|")
        if not mark or len(_LINE_NUMBER.sub("", f"\n{names[column]}").strip()) > _LONGEST_NAME:
            continue
        for _ in range(_ROWS):
            at = end + 1
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            cells = text[at:end].split(mark)
            if at >= len(text) or len(cells) != len(names):
                break
            value = cells[column].strip("\"'* \r")
            if (_CODE if label.kind == "code" else _CELL).fullmatch(value):
                start = at + sum(len(cell) + 1 for cell in cells[:column]) + cells[column].index(value)
                yield start, start + len(value)
