"""What the servers on this computer share: where they listen, and the key that a client must send."""

import hmac
import re
from collections.abc import Sequence

HOST = "127.0.0.1"
NAMES = frozenset((HOST, "localhost", "::1"))
LEAST_KEY = 16  # characters
_OWN_PAGE = re.compile(r"(?!(?:ws|http)s?:|file://.)[a-z][a-z0-9.+-]*://[a-z0-9.-]*", re.ASCII | re.IGNORECASE)
_PLACE = re.compile(
    rf"(?:{'|'.join(map(re.escape, sorted(NAMES - {'::1'})))}|\[::1\])(?::\d{{1,5}})?", re.IGNORECASE | re.ASCII
)


def key_fault(key: str, variable: str) -> str:
    """Return why a key from this environment variable cannot be used and what to do, "" if it can."""
    if len(key) >= LEAST_KEY and key.isascii() and key.isprintable():  # it must fit into a header of HTTP
        return ""
    return f"Give at least {LEAST_KEY} plain characters in {variable}, or none."


def is_this_computer(hosts: Sequence[str]) -> bool:
    """Return whether the `Host` headers of a request are one that names this computer, and nothing else."""
    return len(hosts) == 1 and _PLACE.fullmatch(hosts[0]) is not None


def is_own_page(origins: Sequence[str]) -> bool:
    """Return whether the `Origin` headers of a request are none, a page of this computer, or a program's own page.

    Programs that show pages of their own give them a scheme of their own, which no page of a web site has.
    """
    if len(origins) != 1:
        return not origins
    scheme, _, host = origins[0].partition("://")
    if scheme in ("http", "https"):
        return is_this_computer((host,))
    return _OWN_PAGE.fullmatch(origins[0]) is not None


class LoopbackKey:
    """Compares the header `Authorization` of requests with `Bearer KEY`, in constant time."""

    def __init__(self, key: str) -> None:
        self._expected = f"bearer {key}".encode()

    def fits(self, header: bytes) -> bool:
        """Return whether this is the header of a client with the key."""
        scheme = len(b"bearer")  # which may be written in any case
        return hmac.compare_digest(header[:scheme].lower() + header[scheme:], self._expected)
