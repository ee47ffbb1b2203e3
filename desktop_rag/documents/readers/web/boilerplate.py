"""Decides which parts of a web page are not its text: menus, questions about cookies, what only programs read."""

import re

from lxml import etree

_UNSEEN = (
    "script style template noscript title svg canvas audio video iframe frame applet noembed map select datalist meter "
    "progress rp rt"
)
UNSEEN = frozenset(_UNSEEN.split())

_NAVIGATION = frozenset(("navigation", "menu", "menubar", "tablist"))
_WHOLE = frozenset(("html", "body", "main", "article", "table", "form"))
_COOKIES = re.compile(
    r"cookie[-_ ]?(?:banner|bar|consent|notice|notification|law|popup|modal|overlay|dialog|disclaimer)"
    r"|(?:gdpr|consent|privacy)[-_]?(?:banner|bar|notice|popup|modal|overlay|dialog)"
    r"|onetrust|cookiebot|usercentrics|didomi|cmpbox|cc-window|truste[-_]|borlabs-cookie|klaro\b",
    re.I,
)
_LONGEST_NOTICE = 3000  # characters; more is a page about cookies
_MOSTLY = 0.6  # of the characters of a menu are links


def is_boilerplate(element: "etree._Element", tag: str) -> bool:
    """Return whether an element is a menu, or a question about cookies."""
    if tag == "nav" or element.get("role") in _NAVIGATION:
        return _is_mostly_links(element)
    if tag in _WHOLE:
        return False
    named = f"{element.get('id', '')} {element.get('class', '')}"
    return _COOKIES.search(named) is not None and _length(element) < _LONGEST_NOTICE


def _is_mostly_links(element: "etree._Element") -> bool:
    """Return whether a part leads elsewhere and says little itself."""
    linked = sum(_length(link) for link in element.iter("a"))
    return linked >= _MOSTLY * _length(element)


def _length(element: "etree._Element") -> int:
    return sum(len(text.strip()) for text in element.itertext())
