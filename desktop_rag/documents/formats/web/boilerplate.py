"""Decides which parts of a web page are not its text: menus, questions about cookies, what only programs read."""

import re
from itertools import islice

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
_MENU = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|submenu|portlet|sidebar|breadcrumbs?|pagination|share|social)(?:$|[\s_-])",
    re.I,
)
_LARGEST = 10_000  # elements of a menu
_MAX_LOOKS = 200_000  # elements; in parts that are nested each is looked at again and again
_LONGEST_NOTICE = 3000  # characters; more is a page about cookies
_MOSTLY = 0.6  # of the characters of a menu are links
_ONLY = 0.9  # of those of a part that is a menu by its class alone
_FEWEST = 3  # links of such a menu


class Boilerplate:
    """Tells the menus and notices of one page; there is an end to how much of it is looked at for that."""

    def __init__(self) -> None:
        self._left = _MAX_LOOKS

    def holds(self, element: "etree._Element", tag: str) -> bool:
        """Return whether an element is a menu, or a question about cookies."""
        if tag == "nav" or element.get("role") in _NAVIGATION:
            return self._is_small(element) and _share_of_links(element) >= _MOSTLY
        if tag in _WHOLE:
            return False
        named = f"{element.get('id', '')} {element.get('class', '')}"
        if len(named) == 1:
            return False
        notice, menu = _COOKIES.search(named), _MENU.search(named)
        if not (notice or menu) or not self._is_small(element):
            return False
        if notice:
            return _length(element) < _LONGEST_NOTICE
        return _share_of_links(element) >= _ONLY and _links(element) >= _FEWEST

    def _is_small(self, element: "etree._Element") -> bool:
        most = min(_LARGEST, self._left)
        count = sum(1 for _ in islice(element.iter(), most + 1))
        self._left -= min(count, most)
        return count <= most


def is_larger(element: "etree._Element", most: int) -> bool:
    """Return whether there are more than `most` elements in a part of the page, counting no more than these."""
    return next(islice(element.iter(), most, None), None) is not None


def _share_of_links(element: "etree._Element") -> float:
    """Return which share of a part's characters leads elsewhere."""
    return sum(_length(link) for link in element.iter("a")) / max(1, _length(element))


def _links(element: "etree._Element") -> int:
    return sum(1 for _ in element.iter("a"))


def _length(element: "etree._Element") -> int:
    return sum(len(text.strip()) for text in element.itertext())
