"""Recognises the boilerplate of web pages: menus, cookie notices, invisible elements."""

import re
from itertools import islice

from lxml import etree

_INVISIBLE = (
    "script style template noscript title svg canvas audio video iframe frame applet noembed map datalist meter "
    "progress rp rt"
)
INVISIBLE_TAGS = frozenset(_INVISIBLE.split())

_NAVIGATION = frozenset(("navigation", "menu", "menubar", "tablist"))
_WHOLE = frozenset(("html", "body", "main", "article", "table", "form"))
_COOKIES = re.compile(
    r"cookie[-_ ]?(?:banner|bar|consent|notice|notification|law|popup|modal|overlay|dialog|disclaimer)"
    r"|(?:gdpr|consent|privacy)[-_]?(?:banner|bar|notice|popup|modal|overlay|dialog)"
    r"|onetrust|cookiebot|usercentrics|didomi|cmpbox|cc-window|truste[-_]|borlabs-cookie|klaro\b",
    re.I,
)
_MENU = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|submenu|portlet|sidebar|breadcrumbs?|pagination|share|social)(?:$|[\s_-])",
    re.I,
)
_MAX_ELEMENTS = 10_000  # maximum elements of a menu
_MAX_VISITED = 200_000  # elements in total per page; nested parts are counted repeatedly
_MAX_NOTICE = 3000  # characters; a longer text is an article about cookies
_MIN_LINK_SHARE = 0.6  # fraction of link text in a menu
_MIN_LINK_SHARE_BY_CLASS = 0.9  # the same for an element that is a menu only by its class
_MIN_LINKS = 3  # minimum links of such a menu


class Boilerplate:
    """Recognises the menus and notices of one page; the number of visited elements is limited."""

    def __init__(self) -> None:
        self._left = _MAX_VISITED

    def is_boilerplate(self, element: "etree._Element", tag: str) -> bool:
        """Return whether an element is a menu or a cookie notice."""
        if tag == "nav" or element.get("role") in _NAVIGATION:
            return self._is_small(element) and _share_of_links(element) >= _MIN_LINK_SHARE
        if tag in _WHOLE:
            return False
        named = f"{element.get('id', '')} {element.get('class', '')}"
        if len(named) == 1:
            return False
        notice, menu = _COOKIES.search(named), _MENU.search(named)
        if not (notice or menu) or not self._is_small(element):
            return False
        if notice:
            return _length(element) < _MAX_NOTICE
        return _share_of_links(element) >= _MIN_LINK_SHARE_BY_CLASS and _links(element) >= _MIN_LINKS

    def _is_small(self, element: "etree._Element") -> bool:
        limit = min(_MAX_ELEMENTS, self._left)
        count = sum(1 for _ in islice(element.iter(), limit + 1))
        self._left -= min(count, limit)
        return count <= limit


def is_larger(element: "etree._Element", limit: int) -> bool:
    """Return whether an element has more than `limit` descendants, counting no further."""
    return next(islice(element.iter(), limit, None), None) is not None


def _share_of_links(element: "etree._Element") -> float:
    """Return the fraction of link text in an element."""
    return sum(_length(link) for link in element.iter("a")) / max(1, _length(element))


def _links(element: "etree._Element") -> int:
    return sum(1 for _ in element.iter("a"))


def _length(element: "etree._Element") -> int:
    return sum(len(text.strip()) for text in element.itertext())
