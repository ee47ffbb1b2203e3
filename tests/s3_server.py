"""A small S3 server on loopback that checks the signature of each request, and refuses bytes of another hash."""

import hashlib
import hmac
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

from tests.loopback import QuietHandler, served

_PAGE = 2  # keys of one listing
_AUTHORIZATION = re.compile(
    r"AWS4-HMAC-SHA256 Credential=(\S+?)/(\d{8})/(\S+?)/s3/aws4_request, SignedHeaders=(\S+), Signature=([0-9a-f]{64})"
)


class S3Server(ThreadingHTTPServer):
    """Has the bucket `files`: `objects` by key; `keys` are the access keys with their secrets.

    `readable` has the beginnings of the keys that an access key may read, as a policy of the bucket says.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}/files"
        self.objects: dict[str, bytes] = {}
        self.keys = {"WRITER": "secret/of+writer"}
        self.readable: dict[str, str] = {}
        self.asked: list[str] = []


class _Handler(QuietHandler, BaseHTTPRequestHandler):
    server: S3Server

    def do_GET(self) -> None:
        self._answer(b"")

    def do_DELETE(self) -> None:
        self._answer(b"")

    def do_PUT(self) -> None:
        self._answer(self.body())

    def _answer(self, data: bytes) -> None:
        self.reply(*self._reply(data))

    def _reply(self, data: bytes) -> tuple[int, bytes]:
        server, parts = self.server, urlsplit(self.path)
        user = self._signed_by()
        if not user:
            return 403, b"<Code>SignatureDoesNotMatch</Code>"
        key = unquote(parts.path).removeprefix("/files").strip("/")
        server.asked.append(f"{self.command} {key}")
        if user != "WRITER" and (self.command != "GET" or not key.startswith(server.readable[user])):
            return 403, b"<Code>AccessDenied</Code>"
        if not key:
            return 200, self._listing(parts.query)
        match self.command:
            case "PUT":
                if hashlib.sha256(data).hexdigest() != self.headers["x-amz-content-sha256"]:
                    return 400, b"<Code>XAmzContentSHA256Mismatch</Code>"
                server.objects[key] = data
                return 200, b""
            case "DELETE":
                server.objects.pop(key, None)
                return 204, b""
        found = server.objects.get(key)
        return (200, found) if found is not None else (404, b"<Code>NoSuchKey</Code>")

    def _listing(self, query: str) -> bytes:
        asked = {name: values[0] for name, values in parse_qs(query).items()}
        keys = sorted(key for key in self.server.objects if key.startswith(asked["prefix"]))
        keys = [key for key in keys if key > asked.get("continuation-token", "")]
        more = f"<NextContinuationToken>{escape(keys[_PAGE - 1])}</NextContinuationToken>" if keys[_PAGE:] else ""
        found = "".join(f"<Contents><Key>{escape(key)}</Key></Contents>" for key in keys[:_PAGE])
        return f"<ListBucketResult>{found}{more}</ListBucketResult>".encode()

    def _signed_by(self) -> str:
        """Return the id of the access key that has signed this request as it arrived, or an empty text."""
        found = _AUTHORIZATION.fullmatch(self.headers.get("Authorization", ""))
        secret = self.server.keys.get(found[1], "") if found else ""
        if not found or not secret:
            return ""
        path, _, query = self.path.partition("?")
        headers = "".join(f"{name}:{self.headers[name].strip()}\n" for name in found[4].split(";"))
        request = f"{self.command}\n{path}\n{query}\n{headers}\n{found[4]}\n{self.headers['x-amz-content-sha256']}"
        key = f"AWS4{secret}".encode()
        for part in (found[2], found[3], "s3", "aws4_request"):
            key = hmac.new(key, part.encode(), hashlib.sha256).digest()
        scope = f"{found[2]}/{found[3]}/s3/aws4_request"
        digest = hashlib.sha256(request.encode()).hexdigest()
        text = f"AWS4-HMAC-SHA256\n{self.headers['x-amz-date']}\n{scope}\n{digest}"
        return found[1] if hmac.new(key, text.encode(), hashlib.sha256).hexdigest() == found[5] else ""


@contextmanager
def s3_server() -> Iterator[S3Server]:
    """Serve a bucket on this computer."""
    with served(S3Server()) as server:
        yield server
