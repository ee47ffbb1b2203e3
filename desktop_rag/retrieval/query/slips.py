"""Slips in valid queries: signs of other query languages (`&&`, `!`, `NEAR/5`) and a space after a field's colon.

Also signs of words (`=`, `~`, `^`) on a field of mails or documents, and `*` in quoted words: they are taken literally.
"""

import re

from desktop_rag.errors import QueryError
from desktop_rag.retrieval.query.parser import parse
from desktop_rag.retrieval.query.tokenizer import FIELDS, bare

NEAR_WORDS = 10  # between two words, where NEAR does not say how many
_BEGINNING = re.compile(r"\w{2,}\*")
_OPERATORS = {"&&": " AND ", "||": " OR ", "!": " NOT "}
_SLIP = re.compile(
    r'(?P<quoted>(?:"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»)(?:~\d*)?)'  # other signs in quoted words are left as they are
    r"|(?<![\w:])(?P<fact>(?:from|to|cc|subject|author):)(?P<exact>=?)(?P<value>\"[^\"]*\"|[^\s()\"~^=]+)"
    r"(?P<suffix>(?:~\d?|\^\d+)?)(?=[\s)]|$)"
    rf"|(?<!\S)(?P<field>{'|'.join(FIELDS)})\s?:\s+(?=\S)"
    r"|(?<!\S)(?P<one>\w[\w'’-]*)\s+(?:(?:NEAR|ADJ|WITHIN|W|N)/(?P<words>\d{1,3})|(?-i:NEAR))\s+(?P<other>\w[\w'’-]*)(?!\S)"
    r"|(?<=\S)\s+(?:(?P<sign>&&|\|\|)\s+(?=\S)|(?P<without>!)(?=[\w(\"“„«]))",
    re.IGNORECASE,
)


def without_slips(text: str) -> str:
    """Return the query as probably meant; empty if it has no slips, or if that would not parse."""
    meant = _SLIP.sub(_repaired, text)
    if meant == text:
        return ""
    try:
        parse(meant)
    except QueryError:
        return ""
    return meant


def _repaired(found: re.Match[str]) -> str:
    if quoted := found["quoted"]:
        words = [bare(word) for word in re.sub(r"~\d*$", "", quoted)[1:-1].split()]
        bound = found.string[: found.start()].endswith((":", "="))
        begun = any(_BEGINNING.fullmatch(word) for word in words) and all(words)
        return quoted if bound or not begun else words[0] if len(words) == 1 else f"({' AND '.join(words)})"
    if field := found["field"]:
        return f"{field.lower()}:"
    if fact := found["fact"]:
        return f"{fact}{found['value']}"
    if other := found["other"]:
        return f'"{found["one"]} {other}"~{found["words"] or NEAR_WORDS}'
    sign = found["sign"] or found["without"]
    return _OPERATORS[sign] if sign else found.group()
