"""A store of files by their SHA-256 in a bucket that speaks Amazon's S3 protocol, for desktops without the file server.

A key is `PREFIX/SPACE/SOURCE/SHA256`: a policy of the bucket lets a reader read the spaces of a role, and only the
writer of a source writes and deletes there. Requests are signed (Signature Version 4) and go to one origin.
"""

import hashlib
import hmac
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from desktop_rag.documents.file_types import MAX_FILE_BYTES
from desktop_rag.errors import TeamError, TeamMisconfigured
from desktop_rag.llm.transport import is_loopback
from desktop_rag.paths import private_opener
from desktop_rag.retrieval.api import DocumentCard, Hit, Scope, SearchResult
from desktop_rag.stop import Stop
from desktop_rag.team.server.silences import silence_of
from desktop_rag.team.server.team_connection import CONNECT_SECONDS, READ_SECONDS, check_offline, trust_of

if TYPE_CHECKING:
    import httpx2

_NOTHING = hashlib.sha256().hexdigest()
_BLOCK = 1 << 18
_REGION = "us-east-1"
_COPIES, _KEPT_SECONDS = 16, 3600.0
_SHA256 = re.compile(rb"<Key>[^<]*?([0-9a-f]{64})</Key>")
_MORE = re.compile(rb"<NextContinuationToken>([^<]+)</NextContinuationToken>")


def place_in_store(space: str, source: int) -> str:
    """Return where the files of a source are; other characters than letters, digits, “.” and “-” become `_HEX_`."""
    plain = re.sub(r"[^A-Za-z0-9.-]", lambda found: f"_{ord(found[0]):x}_", space)
    return f"{plain}/{source}"


@dataclass(frozen=True, slots=True)
class StoreKey:
    """Who asks: the id of an access key and its secret."""

    id: str
    secret: str = field(repr=False)


class FileStore:
    """A client of one bucket; `url` is `https://SERVER/BUCKET/PREFIX`, with `?region=…` if the server asks for one."""

    def __init__(self, url: str, key: StoreKey, ca_file: str = "") -> None:
        parts = urlsplit(url)
        well_formed = re.fullmatch(r"([\w.-]+|\[[0-9a-fA-F:]+\])(:\d+)?", parts.netloc) and parts.path.strip("/")
        if parts.scheme not in ("http", "https") or not well_formed:
            raise TeamMisconfigured("The address of a store of files is written https://SERVER/BUCKET.")
        self.origin = f"{parts.scheme}://{parts.netloc}"
        if parts.scheme == "http" and not is_loopback(self.origin):
            raise TeamMisconfigured("Files are stored over https:// only. Change the address of the store.")
        bucket, _, prefix = parts.path.strip("/").partition("/")
        self._bucket, self._prefix = f"/{bucket}", f"{prefix}/" if prefix else ""
        self._region = dict(parse_qsl(parts.query)).get("region", _REGION)
        self._key, self._ca_file = key, ca_file
        self._client: httpx2.Client | None = None

    @property
    def port(self) -> int:
        """Return the TCP port of the store; raises `TeamError` for one that cannot be."""
        try:
            return urlsplit(self.origin).port or (443 if self.origin.startswith("https:") else 80)
        except ValueError as error:
            raise TeamMisconfigured(f"The address of the store has no usable port ({error}).") from error

    def close(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def hashes(self, place: str, stop: Stop) -> Iterator[str]:
        """Yield the hashes of the files in a place, such as `SPACE/SOURCE`."""
        query = {"list-type": "2", "prefix": f"{self._prefix}{place}/"}
        while True:
            with closing(self._send("GET", "", stop, query=query)) as reply:
                body = reply.read()
            yield from (found.decode() for found in _SHA256.findall(body))
            more = _MORE.search(body)
            if more is None:
                return
            token = more[1].decode().replace("&amp;", "&")
            query = {**query, "continuation-token": token}

    def put(self, place: str, sha256: str, file: Path, stop: Stop) -> bool:
        """Store a file unless its bytes have changed meanwhile, which the store finds out; return whether it did."""
        with file.open("rb") as data:
            headers = {"Content-Length": str(file.stat().st_size)}
            reply = self._send("PUT", f"{place}/{sha256}", stop, sha256, headers, _blocks(data.read, stop), refused=400)
        with closing(reply):
            reply.read()
            return reply.status_code < 300

    def delete(self, place: str, sha256: str, stop: Stop) -> None:
        """Delete a file; one that is not there is no error."""
        self._send("DELETE", f"{place}/{sha256}", stop, refused=404).close()

    def get(self, place: str, sha256: str, target: Path, stop: Stop) -> bool:
        """Write a file to `target` if the store has it and its bytes have this hash; raises `TeamError`."""
        found, size = hashlib.sha256(), 0
        with closing(self._send("GET", f"{place}/{sha256}", stop, refused=404)) as reply:
            if reply.status_code == 404:
                return False
            with open(target, "wb", opener=private_opener) as file:
                for block in reply.iter_raw(_BLOCK):
                    stop.check()
                    size += len(block)
                    if size > MAX_FILE_BYTES:
                        raise TeamError("The store sent more than a file of the library has. Ask whoever runs it.")
                    found.update(block)
                    file.write(block)
        if found.hexdigest() != sha256:
            raise TeamError("The store holds other bytes than those that were indexed. Ask whoever runs it.")
        return True

    def _send(
        self,
        method: str,
        key: str,
        stop: Stop,
        payload: str = _NOTHING,
        headers: Mapping[str, str] | None = None,
        content: Iterator[bytes] | None = None,
        query: Mapping[str, str] | None = None,
        refused: int = 0,
    ) -> "httpx2.Response":
        """Send a request; return the reply, whose body is not read, if it is good or has the status `refused`."""
        import httpx2

        stop.check()
        check_offline((self.origin,))
        path = quote(f"{self._bucket}/{self._prefix}{key}" if key else self._bucket, safe="/-_.~")
        asked = urlencode(sorted((query or {}).items()), quote_via=quote, safe="-_.~")
        url = f"{self.origin}{path}{'?' if asked else ''}{asked}"
        try:
            client = self._opened()
            request = client.build_request(method, url, headers=headers, content=content)
            host, now = request.headers["Host"], datetime.now(UTC)
            request.headers.update(signed_headers(method, host, path, asked, payload, self._region, self._key, now))
            reply = client.send(request, stream=True)
        except (httpx2.HTTPError, OSError) as error:
            self.close()
            stop.check()
            raise TeamError(f"The store of files {self.origin} does not answer ({silence_of(error)}).") from error
        if reply.status_code >= 300 and reply.status_code != refused:
            reply.close()
            raise TeamError(f"The store of files {self.origin} refuses this user ({reply.status_code}).")
        return reply

    def _opened(self) -> "httpx2.Client":
        import httpx2

        if self._client is None:
            secure = self.origin.startswith("https:")
            self._client = httpx2.Client(
                verify=trust_of(self._ca_file) if secure else False,
                trust_env=False,
                follow_redirects=False,
                headers={"User-Agent": "desktop-rag", "Accept-Encoding": "identity"},
                timeout=httpx2.Timeout(READ_SECONDS, connect=CONNECT_SECONDS),
            )
        return self._client


class StoredCopies:
    """The copies of files that this computer fetched to show their pages: few, and none for long."""

    def __init__(self, folder: Path, store: FileStore) -> None:
        self._folder = folder
        self._store = store

    def fetch(self, place: str, sha256: str, ending: str, stop: Stop) -> Path | None:
        """Return a copy of a file, whose name has this ending; None if the store has none. Raises `TeamError`."""
        copy = self._folder / f"{sha256}{ending}"
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            self._clear(copy)
            if copy.exists():
                return copy
            scratch = copy.with_suffix(f".{os.getpid()}.new")
            try:
                if not self._store.get(place, sha256, scratch, stop):
                    return None
                scratch.replace(copy)
            finally:
                scratch.unlink(missing_ok=True)
        except OSError as error:
            raise TeamError(f"The file cannot be kept in {self._folder} ({error.strerror}).") from error
        return copy

    def _clear(self, wanted: Path) -> None:
        """Delete copies that are old, or more than a few."""
        known = sorted(((each.stat().st_mtime, each) for each in self._folder.iterdir()), reverse=True)
        for number, (at, copy) in enumerate(known):
            if copy != wanted and (number >= _COPIES or time.time() - at > _KEPT_SECONDS):
                copy.unlink(missing_ok=True)


def signed_headers(
    method: str, host: str, path: str, query: str, payload: str, region: str, key: StoreKey, now: datetime
) -> dict[str, str]:
    """Return the headers that sign a request by Signature Version 4; `path` and `query` are encoded."""
    at = now.strftime("%Y%m%dT%H%M%SZ")
    headers = {"host": host, "x-amz-content-sha256": payload, "x-amz-date": at}
    names = ";".join(headers)
    lines = "".join(f"{name}:{value}\n" for name, value in headers.items())
    request = "\n".join((method, path, query, lines, names, payload))
    scope = f"{at[:8]}/{region}/s3/aws4_request"
    text = "\n".join(("AWS4-HMAC-SHA256", at, scope, hashlib.sha256(request.encode()).hexdigest()))
    secret = f"AWS4{key.secret}".encode()
    for part in scope.split("/"):
        secret = hmac.digest(secret, part.encode(), "sha256")
    signature = hmac.digest(secret, text.encode(), "sha256").hex()
    credential = f"Credential={key.id}/{scope}, SignedHeaders={names}, Signature={signature}"
    return {
        "x-amz-content-sha256": payload,
        "x-amz-date": at,
        "Authorization": f"AWS4-HMAC-SHA256 {credential}",
    }


def _blocks(read: Callable[[int], bytes], stop: Stop) -> Iterator[bytes]:
    while block := read(_BLOCK):
        stop.check()
        yield block


# Where the folders of a file server are on this computer: `/srv/files` may be `Z:\` here.
#
# Only displayed and opened paths are translated; conditions such as `folder:` are about paths of the server. A page is
# painted from a file only if its bytes have the hash that the library has (`gui.viewer.pages.render_service`).

Mounts = Sequence[tuple[str, str]]


def mount_of(text: str) -> tuple[str, str]:
    """Return the folder on the server and here of `SERVER=HERE`; raises `TeamMisconfigured`."""
    server, sign, here = (part.strip() for part in text.partition("="))
    if not (server and sign and here):
        raise TeamMisconfigured(f"“{text}” names no folder. Write SERVER=HERE, such as //server/share=Z:\\")
    return server, here


class MountTable:
    """Translates paths of a team library; the longest folder that fits counts."""

    def __init__(self, mounts: Mounts) -> None:
        pairs = [(_slashes(server).rstrip("/"), here) for server, here in mounts]
        self._mounts = sorted(pairs, key=lambda pair: -len(pair[0]))

    def here(self, path: Path) -> Path:
        """Return where a file of the server is on this computer, as far as that is known."""
        return self._mounted(path) or path

    def _mounted(self, path: Path) -> Path | None:
        whole = _slashes(str(path))
        for server, here in self._mounts:
            if whole == server or whole.startswith(f"{server}/"):
                return Path(here, *whole[len(server) :].strip("/").split("/"))
        return None

    def _is_away(self, path: Path) -> bool:
        return self._mounted(path) is None

    def there(self, path: Path) -> Path:
        """Return the path on the server of a file on this computer."""
        for server, here in self._mounts:
            if path.is_relative_to(here):
                return Path(server, *path.relative_to(here).parts)
        return path

    def scope(self, scope: Scope) -> Scope:
        """Return a scope whose withheld paths are named as here and as on the server."""
        here = scope.withheld.paths
        there = (os.fsencode(self.there(Path(os.fsdecode(path)))) for path in here)
        return replace(scope, withheld=replace(scope.withheld, paths=tuple(dict.fromkeys((*here, *there)))))

    def hits(self, found: Iterable[Hit]) -> tuple[Hit, ...]:
        """Return hits with the places of their files here."""
        return tuple(
            replace(hit, path=self.here(hit.path), also=tuple(map(self.here, hit.also)), away=self._is_away(hit.path))
            for hit in found
        )

    def result(self, result: SearchResult) -> SearchResult:
        """Return a result with the places of its files here."""
        named = (replace(file, path=self.here(file.path), away=self._is_away(file.path)) for file in result.named)
        return replace(result, hits=self.hits(result.hits), similar=self.hits(result.similar), named=tuple(named))

    def cards(self, cards: Iterable[DocumentCard]) -> tuple[DocumentCard, ...]:
        """Return the cards of documents with the places of their files here."""
        return tuple(
            replace(
                card,
                path=self.here(card.path) if card.path else None,
                also=tuple(map(self.here, card.also)),
                away=card.path is not None and self._is_away(card.path),
            )
            for card in cards
        )


def _slashes(path: str) -> str:
    return path.replace("\\", "/")
