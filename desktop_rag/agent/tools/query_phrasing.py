"""Turns a model's words into queries (plain language, literal phrases), and recognises Boolean syntax in them."""

import re
from collections.abc import Iterable

_SYNTAX = re.compile(r"[\"“”„«»():^~*?\[\]{}\\/+!=<>]|\b(?:AND|OR|NOT|TO)\b")
_MINUS = re.compile(r"(?<!\S)[-–−]+(?=\S)")
_QUOTES = re.compile(r'["“”„«»]')
_QUOTED = re.compile(r'"[^"]*"?|“[^”]*”?|„[^“”]*[“”]?|«[^»]*»?')
_BOOLEAN = re.compile(r"(?<!\S)\(*(?:AND|OR|NOT)\b")
_GROUPS = re.compile(r"[()]|(?<!\S)[+-](?=\w)")


def plain_query(text: str) -> str:
    """Return `text` without the operators of the query language."""
    return " ".join(_MINUS.sub(" ", _SYNTAX.sub(" ", text)).split())  # “Model C”-schools forbids no “schools”


def any_of(keywords: Iterable[str]) -> str:
    """Return a query for any of these keywords, each verbatim."""
    bare = (" ".join(_QUOTES.sub(" ", keyword).split()) for keyword in keywords)
    return " OR ".join(f'"{keyword}"' for keyword in dict.fromkeys(bare) if keyword)


def has_boolean_words(text: str) -> bool:
    """Return whether AND, OR or NOT join words outside of quotes; a sentence in capitals does not count."""
    bare = _QUOTED.sub(" ", text)
    others = _BOOLEAN.sub(" ", bare)
    capitals = not any(character.islower() for character in others) and len(others.split()) > 2
    return bool(_BOOLEAN.search(bare)) and not capitals


def has_operators(text: str) -> bool:
    """Return whether a query requires, excludes or groups words."""
    return has_boolean_words(text) or bool(_GROUPS.search(_QUOTED.sub(" ", text)))
