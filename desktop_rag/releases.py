"""Looks for a newer version of the program, at an address that the user has entered and only when they ask.

The address answers with a release feed, a small JSON object that `docs/releasing.md` describes. Nothing is downloaded.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated
from urllib.parse import urlsplit

import msgspec

from desktop_rag.decoding import decode_json
from desktop_rag.errors import ModelError, SettingsError, UpdateError
from desktop_rag.llm.transport import RequestTimeouts, http_client, interruptible, is_loopback
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop

FORMAT = 1
MAX_BYTES = 64 * 1024
TIMEOUTS = RequestTimeouts(connect=10.0, first_token=10.0, idle=10.0)

_VERSION = re.compile(r"\d{1,6}(\.\d{1,6}){1,3}")

Line = Annotated[str, msgspec.Meta(max_length=300, pattern=r"^[^\x00-\x1f\x7f]*$")]
Size = Annotated[int, msgspec.Meta(ge=0, le=1 << 40)]


class UpdateTrouble(StrEnum):
    """Why nothing is known about newer versions."""

    ADDRESS = "address"  # it is no https address
    CONNECTION = "connection"
    REDIRECT = "redirect"
    STATUS = "status"  # the server answered with an error
    SIZE = "size"  # the answer is larger than a feed
    FEED = "feed"  # the answer is no release feed
    FORMAT = "format"  # the feed is of a later format


@dataclass(frozen=True, slots=True)
class ReleaseFile:
    """A file of a release; `size` in bytes."""

    name: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9._+~-]{1,120}$")]
    size: Size
    sha256: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}$")]


@dataclass(frozen=True, slots=True)
class Release:
    """The newest version that a feed knows."""

    version: Line
    date: Annotated[str, msgspec.Meta(pattern=r"^\d{4}-\d\d-\d\d$")]
    page: Line = ""  # where people download it
    notes: Annotated[str, msgspec.Meta(max_length=4_000)] = ""
    files: Annotated[tuple[ReleaseFile, ...], msgspec.Meta(max_length=50)] = ()

    def is_newer(self, than: str) -> bool:
        """Return whether this version follows the version `than`."""
        return _numbers(self.version) > _numbers(than)


def usable_address(typed: str) -> str:
    """Return the typed address of a feed, or raise `UpdateError`: https, or http on this computer, and no password."""
    address = typed.strip()
    if not _is_safe(address):
        raise UpdateError(UpdateTrouble.ADDRESS, address)
    return address


def newest_release(address: str, stop: Stop) -> Release:
    """Ask `address` once for the newest release; raises `UpdateError`, or `Stopped` at once."""
    url = usable_address(address)
    answer = interruptible(lambda: _asked(url), stop)
    if isinstance(answer, bytes):
        return parse_feed(answer)
    raise answer if isinstance(answer, UpdateError) else UpdateError(UpdateTrouble.CONNECTION, url)


def parse_feed(data: bytes) -> Release:
    """Return the release of a feed, or raise `UpdateError`."""
    try:
        form = decode_json(data, _Form).format
        if form > FORMAT:
            raise UpdateError(UpdateTrouble.FORMAT)
        release = decode_json(data, Release)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UpdateError(UpdateTrouble.FEED, str(error)) from error
    if form < 1 or not _VERSION.fullmatch(release.version) or (release.page and not _is_safe(release.page)):
        raise UpdateError(UpdateTrouble.FEED)
    return release


@dataclass(frozen=True, slots=True)
class _Form:
    format: int


def _asked(url: str) -> object:
    """Return what the address answers as bytes, or the `UpdateError`."""
    import httpx2

    try:
        with (
            http_client(Profile("", url, ""), url, "", TIMEOUTS) as client,
            client.stream("GET", url, headers={"Accept": "application/json"}) as response,
        ):
            if response.is_redirect:
                return UpdateError(UpdateTrouble.REDIRECT, response.headers.get("location", "")[:300])
            if not response.is_success:
                return UpdateError(UpdateTrouble.STATUS, str(response.status_code))
            body = bytearray()
            for block in response.iter_bytes(8_192):
                body += block
                if len(body) > MAX_BYTES:
                    return UpdateError(UpdateTrouble.SIZE)
            return bytes(body)
    except (httpx2.HTTPError, httpx2.InvalidURL, ModelError, SettingsError, OSError, ValueError) as error:
        return UpdateError(UpdateTrouble.CONNECTION, str(error))


def _is_safe(address: str) -> bool:
    try:
        parts = urlsplit(address)
        plain = parts.scheme == "http" and is_loopback(address)
        return (plain or parts.scheme == "https") and bool(parts.hostname) and not parts.username and parts.port != 0
    except ValueError:
        return False


def _numbers(version: str) -> list[int]:
    found = [int(part) for part in re.findall(r"\d+", version)]
    while found and not found[-1]:
        found.pop()  # 1.0 is 1.0.0
    return found
