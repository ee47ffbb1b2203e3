"""What the servers on this computer share: where they listen, and the key that a client must send."""

import hmac

HOST = "127.0.0.1"
NAMES = frozenset((HOST, "localhost", "::1"))
LEAST_KEY = 16  # characters


def key_fault(key: str, variable: str) -> str:
    """Return why a key from this environment variable cannot be used and what to do, "" if it can."""
    if len(key) >= LEAST_KEY and key.isascii() and key.isprintable():  # it must fit into a header of HTTP
        return ""
    return f"Give at least {LEAST_KEY} plain characters in {variable}, or none."


class LoopbackKey:
    """Compares the header `Authorization` of requests with `Bearer KEY`, in constant time."""

    def __init__(self, key: str) -> None:
        self._expected = f"Bearer {key}".encode()

    def fits(self, header: bytes) -> bool:
        """Return whether this is the header of a client with the key."""
        return hmac.compare_digest(header, self._expected)
