"""Requests to an OpenSearch cluster: JSON over HTTP(S) to one origin, with timeouts, retries and `Stop`."""

import base64
import contextlib
import json
import logging
import random
import re
import socket
import ssl
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar
from urllib.parse import urlencode, urlsplit

import msgspec

from desktop_rag.errors import (
    SettingsError,
    TeamBusy,
    TeamConflict,
    TeamError,
    TeamMisconfigured,
    TeamMissing,
    TeamNotSecure,
    TeamRefused,
    TeamUnreachable,
)
from desktop_rag.llm.json_value import as_list, as_object
from desktop_rag.llm.transport import OFFLINE, is_closed_offline, is_loopback
from desktop_rag.stop import Stop
from desktop_rag.team.server.json_answers import Json, ServerHit, Shards, as_int, passage_answers
from desktop_rag.team.server.node_http import HTTP_ERRORS, PROBE_SECONDS, NodeHttp, NodeWatch, Reply
from desktop_rag.team.server.silences import silence_of

# Why an OpenSearch server refused a request, as a sentence for the user.

_WAITED_FOR = (
    "cluster_block_exception",
    "no_shard_available_action_exception",
    "node_disconnected_exception",
    "node_not_connected_exception",
    "node_closed_exception",
)
SAID = 300  # characters of a server's message that are shown


class BlockedError(TeamBusy):
    """Nodes refused to read that have no cluster manager now, or do not know yet which copy took over."""


def reason_of(error: object) -> str:
    """Return the reason in the error of an answer."""
    if not isinstance(error, dict):
        return str(error)[:SAID]
    causes = error.get("root_cause")
    cause = causes[0] if isinstance(causes, list) and causes and isinstance(causes[0], dict) else error
    return str(cause.get("reason") or error.get("reason") or error.get("type"))[:SAID]


def is_blocked(error: object) -> bool:
    """Return whether nodes refused to read for want of a cluster manager or, before it has looked, of a copy."""
    if not isinstance(error, dict) or error.get("type") != "search_phase_execution_exception":
        return isinstance(error, dict) and error.get("type") in _WAITED_FOR
    failed = error.get("failed_shards")
    reasons = [each.get("reason") for each in failed if isinstance(each, dict)] if isinstance(failed, list) else []
    return all(isinstance(reason, dict) and reason.get("type") in _WAITED_FOR for reason in reasons)


def is_full(reason: str) -> bool:
    """Return whether a server refused because disks are full: its status is that of an overload, or of no rights."""
    return any(words in reason for words in ("disk usage exceeded", "read-only", "create-index blocked"))


def refusal_of(error: object, status: str) -> TeamError:
    """Return the error for a request that a server refused with an HTTP status."""
    reason = reason_of(error)
    if is_full(reason):
        return TeamBusy(f"A disk of the team's server is full, so it refuses changes ({reason}).")
    match status:
        case "401":
            return TeamRefused("The team's server does not accept this user. Check the password, token or certificate.")
        case "403":
            return TeamRefused("This user may not do that in the team's library. Ask whoever runs it for the role.")
        case "409":
            return TeamConflict(f"Another program changed the team's library at the same moment ({reason}).")
        case "404":
            return TeamMissing("There is no such team library on the server. Check the name at the end of its address.")
        case "429" | "502" | "503" | "504":
            return TeamBusy(f"The team's server is overloaded or starting ({reason}). Try again in a moment.")
    return TeamError(f"The team's server refused a request ({status}: {reason}).")


logger = logging.getLogger(__name__)

Answer = TypeVar("Answer")

CONNECT_SECONDS = 3.0
READ_SECONDS = 30.0
BULK_SECONDS = 120.0
_TRIES = 6
_ELECTION_WAITS = (0.25, 0.5, 1.0, 2.0, 2.0)
_FIRST_WAIT, _LONGEST_WAIT = 0.25, 8.0
NEAR = "_local"  # copies on the node that is asked, where it has them: no other one has to answer
_BUSY = (429, 502, 503, 504)
_CONFLICT = 409


class BulkAction(NamedTuple):
    """One document to write; `source` None deletes it."""

    kind: str
    id: str
    source: Json | None


class TeamConnection:
    """A client of one cluster; one thread uses it at a time. `name` is the prefix of its indexes.

    `url` is that of the cluster and the name: `https://search.example.org:9200/team`, or of several nodes of it with
    commas between, `https://one:9200,two:9200/team`: each client begins with any of them; if one does not answer, the
    next is asked. `user` and `password`
    are sent as basic authentication, a `token` as bearer; neither appears in any message. `certificate` is a PEM file
    with the user's certificate and its key; without a user, the password is that of the key. `incomplete`
    counts the searches that a part of the library did not answer.
    `generation` is the end of the names of the indexes that are written, see `team_indexes`.
    """

    def __init__(
        self, url: str, user: str = "", password: str = "", token: str = "", ca_file: str = "", certificate: str = ""
    ) -> None:
        parts = urlsplit(url)
        self.name = parts.path.strip("/").lower()
        hosts = parts.netloc.split(",")
        well_formed = all(re.fullmatch(r"[\w.-]+(:\d+)?|\[[0-9a-fA-F:]+\](:\d+)?", host) for host in hosts)
        if parts.scheme not in ("http", "https") or not well_formed or not self.name or "/" in self.name:
            raise TeamMisconfigured("The address of a team library is written https://SERVER:9200/NAME.")
        self._origins = [f"{parts.scheme}://{host}" for host in random.sample(hosts, len(hosts))]
        if parts.scheme == "http" and certificate:
            raise TeamMisconfigured("A certificate needs https://. Change the address of the team library.")
        if parts.scheme == "http" and (password or token) and not all(map(is_loopback, self._origins)):
            raise TeamMisconfigured("A password is sent over https:// only. Change the address of the team library.")
        self.place = f"{parts.scheme}://{parts.netloc}/{self.name}"
        self._user, self._password = user, password
        self._token = token
        self._ca_file, self._certificate = ca_file, certificate
        self._client: NodeHttp | None = None
        self._socket: socket.socket | None = None  # of the last connection, to interrupt a request that waits
        self._watch = NodeWatch(self._lives, self._hang_up)
        self.incomplete = self._interruptions = 0
        self.generation = ""

    @property
    def node(self) -> str:
        """Return the address of the node that is asked next."""
        return self._origins[0]

    @property
    def ports(self) -> tuple[int, ...]:
        """Return the TCP ports of the nodes; raises `TeamError` for one that cannot be."""
        try:
            parts = [urlsplit(origin) for origin in self._origins]
            return tuple(part.port or (443 if part.scheme == "https" else 80) for part in parts)
        except ValueError as error:
            raise TeamMisconfigured(f"The address of a team library has no usable port ({error}).") from error

    def close(self) -> None:
        """Close the connections; the next request opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def index(self, kind: str) -> str:
        """Return the name of an index of this library: for readers the alias, for a writer that of its generation."""
        return f"{self.alias(kind)}{self.generation}"

    def alias(self, kind: str) -> str:
        """Return the name by which readers ask for an index."""
        return f"{self.name}-{kind}"

    def ask(
        self, method: str, path: str, body: object = None, stop: Stop | None = None, *, tries: int = _TRIES
    ) -> Json:
        """Return the answer to one request; raises `TeamError`, or `Stopped` when `stop` was set meanwhile."""
        data = None if body is None else _encoded(body)
        return _decoded(self._retried(method, path, data, "application/json", READ_SECONDS, stop, tries))

    def refresh(self, kinds: Iterable[str], stop: Stop | None = None) -> None:
        """Let searches see what was written."""
        for kind in kinds:
            self.ask("POST", f"/{self.index(kind)}/_refresh", stop=stop)

    def msearch(self, kind: str, bodies: Sequence[Json], *, may_be_missing: bool = False) -> list[Json]:
        """Return the answers of several searches of one index, sent as one request."""

        def ask() -> list[Json]:
            answer = _decoded(self._searched(kind, bodies, may_be_missing=may_be_missing))
            found = [each for each in as_list(answer.get("responses")) if isinstance(each, dict)]
            for each in found:
                shards = as_object(each.get("_shards"))
                answered = Shards(as_int(shards.get("total")), as_int(shards.get("successful")))
                self._check(each.get("error"), answered, timed_out=bool(each.get("timed_out")))
            return found

        return self._patiently(ask)

    def find_passages(self, kind: str, bodies: Sequence[Json], *, scored: int = 0) -> list[list[ServerHit]]:
        """Return the hits of several searches for passages, sent as one request.

        In the first `scored` of them words count as in the whole index, and not in each shard; that costs a round
        among the nodes.
        """

        def ask() -> list[list[ServerHit]]:
            found = passage_answers(self._searched(kind, bodies, scored=scored))
            for each in found:
                self._check(each.error, each.shards, timed_out=each.timed_out)
            return [each.hits.hits for each in found]

        return self._patiently(ask)

    def _patiently(self, ask: Callable[[], Answer], stop: Stop | None = None) -> Answer:
        """Return the answer of a cluster, which may have to elect another cluster manager before it gives one."""
        for wait in _ELECTION_WAITS:
            try:
                return ask()
            except BlockedError:
                self._origins.append(self._origins.pop(0))
                (stop or Stop()).wait(wait)
                if stop is not None:
                    stop.check()
        return ask()

    def _searched(self, kind: str, bodies: Sequence[Json], *, scored: int = 0, may_be_missing: bool = False) -> bytes:
        plain: Json = {"index": self.index(kind), "preference": NEAR, "ignore_unavailable": may_be_missing}
        head = [{**plain, "search_type": "dfs_query_then_fetch"} if at < scored else plain for at in range(len(bodies))]
        data = _lines(part for pair in zip(head, bodies, strict=True) for part in pair)
        return self._retried("POST", "/_msearch", data, "application/x-ndjson", READ_SECONDS, None)

    def _check(self, error: object, shards: Shards, *, timed_out: bool) -> None:
        if error is not None:
            refusal = f"The server refused a search: {reason_of(error)}"
            raise BlockedError(refusal) if is_blocked(error) else TeamError(refusal)
        if timed_out or shards.successful < shards.total:
            self.incomplete += 1

    def mget(self, kind: str, ids: Sequence[str], fields: Sequence[str], stop: Stop | None = None) -> dict[str, Json]:
        """Return the named fields of those documents that exist now, whatever a search still shows."""
        found = self._by_id(kind, {"ids": list(ids)}, {"_source_includes": ",".join(fields)}, stop) if ids else {}
        return {id_: as_object(each.get("_source")) for id_, each in found.items()}

    def mget_stored(self, kind: str, ids: Sequence[str], field: str) -> dict[str, list[object]]:
        """Return the values of a field that is stored apart, of those documents that have it, as searches see them."""
        found = self._by_id(kind, {"ids": list(ids)}, {"stored_fields": field, "realtime": "false"}) if ids else {}
        values = {id_: as_list(as_object(each.get("fields")).get(field)) for id_, each in found.items()}
        return {id_: value for id_, value in values.items() if value}

    def mget_versions(self, kind: str, wanted: Mapping[str, Sequence[str]]) -> dict[str, tuple[int, Json]]:
        """Return the versions of those documents that exist now, and of each the fields that are wanted."""
        docs = [{"_id": id_, "_source": list(fields) or False} for id_, fields in wanted.items()]
        found = self._by_id(kind, {"docs": docs}, {}) if docs else {}
        return {id_: (as_int(each.get("_version")), as_object(each.get("_source"))) for id_, each in found.items()}

    def _by_id(self, kind: str, body: Json, wanted: Mapping[str, str], stop: Stop | None = None) -> dict[str, Json]:
        options = urlencode({"preference": NEAR, **wanted})

        def ask() -> dict[str, Json]:
            answer = self.ask("POST", f"/{self.index(kind)}/_mget?{options}", body, stop)
            found: dict[str, Json] = {}
            for each in as_list(answer.get("docs")):
                if isinstance(each, dict) and each.get("found"):
                    found[str(each["_id"])] = each
                elif isinstance(each, dict) and "error" in each:
                    refusal = f"A part of the team's library is not available: {reason_of(each['error'])}"
                    raise BlockedError(refusal) if is_blocked(each["error"]) else TeamError(refusal)
            return found

        return self._patiently(ask, stop)

    def bulk(self, actions: Sequence[BulkAction], version: int, stop: Stop, *, refresh: bool = False) -> int:
        """Write documents, each unless the server has a later `version` of it; return how many changed.

        A repeated or late request changes nothing. Documents that the server is too busy for are sent again. With
        `refresh` searches see the changes when this returns.
        """
        path = "/_bulk?refresh=true" if refresh else "/_bulk"
        waiting, changed, wait = list(actions), 0, _FIRST_WAIT
        while waiting:
            data = _lines(part for action in waiting for part in self._written(action, version))
            answer = _decoded(self._retried("POST", path, data, "application/x-ndjson", BULK_SECONDS, stop))
            items = [as_object(next(iter(as_object(item).values()))) for item in as_list(answer.get("items"))]
            again: list[BulkAction] = []
            for action, item in zip(waiting, items, strict=True):
                status = item.get("status")
                if status in _BUSY and not is_full(reason_of(item.get("error"))):
                    again.append(action)
                elif status == _CONFLICT or (status == 404 and action.source is None):
                    continue
                elif "error" in item:
                    raise refusal_of(item.get("error"), str(status))
                else:
                    changed += 1
            if again and len(again) == len(waiting):
                if wait > _LONGEST_WAIT:
                    raise TeamBusy("The team's server is overloaded; the rest is sent later.")
                stop.wait(wait)
                stop.check()
                wait *= 2
            waiting = again
        return changed

    def _written(self, action: BulkAction, version: int) -> Iterable[Json]:
        head = {
            "_index": self.index(action.kind),
            "_id": action.id,
            "version": version,
            "version_type": "external_gte",
        }
        if action.source is None:
            return ({"delete": head},)
        return ({"index": head}, action.source)

    def _retried(
        self,
        method: str,
        path: str,
        data: bytes | None,
        kind: str,
        seconds: float,
        stop: Stop | None,
        tries: int = _TRIES,
    ) -> bytes:
        wait = _FIRST_WAIT
        for attempt in range(tries):
            status, body = self._send(method, path, data, kind, seconds, stop)
            if status < 400:
                return body
            if status not in _BUSY or attempt == tries - 1:
                raise refusal_of(_decoded(body).get("error"), str(status))
            self._origins.append(self._origins.pop(0))  # this node may have lost the others
            logger.info("the team's server is busy (%s); trying again in %.1f s", status, wait)
            (stop or Stop()).wait(wait * (1 + random.random() / 4))
            if stop is not None:
                stop.check()
            wait = min(2 * wait, _LONGEST_WAIT)
        raise AssertionError("the last attempt raises")

    def _send(self, method: str, path: str, data: bytes | None, kind: str, seconds: float, stop: Stop | None) -> Reply:
        check_offline(self._origins)
        failure: Exception | None = None
        interruptions = self._interruptions
        for _ in self._origins:
            with (stop or Stop()).interrupting(self.interrupt), self._watching():
                try:
                    return self._opened().send(method, path, data, kind, CONNECT_SECONDS, seconds)
                except HTTP_ERRORS as error:
                    self.close()
                    if stop is not None:
                        stop.check()
                    failure = error
                    if self._interruptions != interruptions:
                        raise TeamError("The request was stopped.") from error
            self._origins.append(self._origins.pop(0))  # the next node; every request may be repeated
        if _is_insecure(failure):
            raise TeamNotSecure(
                f"There is no secure connection to the team's server {self.place} ({failure}). If it has no TLS, its "
                "address begins with http://; if the system does not know the authority of its certificate, name that: "
                "its file in “Add team library…”, or `--ca-file FILE` on the command line."
            ) from failure
        servers, why = ", ".join(self._origins), silence_of(failure)
        if len(self._origins) > 1:
            raise TeamUnreachable(
                f"The team's servers {servers} do not answer (the last: {why}). Check the network, or ask whoever "
                "runs them."
            ) from failure
        raise TeamUnreachable(
            f"The team's server {servers} does not answer ({why}). Check the network, or ask whoever runs it."
        ) from failure

    def interrupt(self) -> None:
        """End the request that another thread waits for, and ask no other node."""
        self._interruptions += 1
        self._hang_up()

    def _watching(self) -> contextlib.AbstractContextManager[None]:
        """Watch the node while it is waited for, if another one can be asked instead."""
        return self._watch.watching(self._origins[0]) if self._origins[1:] else contextlib.nullcontext()

    def _lives(self, origin: str) -> bool:
        """Return whether a node answers anything."""
        try:
            with contextlib.closing(self._new_client(origin)) as client:
                client.send("GET", "/", None, "application/json", PROBE_SECONDS, PROBE_SECONDS)
        except HTTP_ERRORS:
            return False
        return True

    def _hang_up(self) -> None:
        """Shut the socket down; closing it alone would not wake the thread that waits for an answer."""
        if (connection := self._socket) is not None:
            with contextlib.suppress(OSError):  # it may be closed already
                socket.socket.shutdown(connection, socket.SHUT_RDWR)  # not SSLSocket's, which disturbs the reader

    def _opened(self) -> NodeHttp:
        """Return the connection to the node that is asked next."""
        if self._client is None or self._client.origin != self._origins[0]:
            self.close()
            self._client = self._new_client(self._origins[0], self._note_socket)
        return self._client

    def _note_socket(self, connection: socket.socket) -> None:
        self._socket = connection

    def _new_client(self, origin: str, opened: Callable[[socket.socket], None] = lambda _: None) -> NodeHttp:
        secure = origin.startswith("https:")
        near = not secure and is_loopback(origin)  # packing would cost more than it saves
        headers = {"User-Agent": b"desktop-rag", "Accept-Encoding": b"identity" if near else b"gzip"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}".encode()
        elif self._user:
            headers["Authorization"] = b"Basic " + base64.b64encode(f"{self._user}:{self._password}".encode())
        return NodeHttp(origin, headers, self._trust() if secure else None, opened)

    def _trust(self) -> ssl.SSLContext:
        context = trust_of(self._ca_file)
        if self._certificate:
            try:
                context.load_cert_chain(self._certificate, password=lambda: "" if self._user else self._password)
            except (OSError, ssl.SSLError, ValueError) as error:
                raise TeamMisconfigured(
                    f"The certificate {self._certificate} cannot be used ({error}). Choose a PEM file that holds the "
                    "certificate and its key, and give the password of the key if it has one."
                ) from error
        return context


def trust_of(ca_file: str) -> ssl.SSLContext:
    """Return the TLS context that trusts the system's authorities and a given one; raises `TeamError`."""
    import truststore

    context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if ca_file:
        try:
            context.load_verify_locations(cafile=ca_file)
        except (OSError, ssl.SSLError) as error:
            raise TeamMisconfigured(f"The CA file {ca_file} cannot be used ({error}). Choose a PEM file.") from error
    return context


def check_offline(origins: Iterable[str]) -> None:
    """Raise `TeamError` if the user has switched the network off, or if that cannot be read."""
    try:
        closed = any(map(is_closed_offline, origins))
    except SettingsError as error:
        raise TeamError(str(error)) from error
    if closed:
        raise TeamError(OFFLINE)


def _lines(parts: Iterable[Mapping[str, object]]) -> bytes:
    return b"".join(_encoded(part) + b"\n" for part in parts)


def _encoded(part: object) -> bytes:
    try:
        return msgspec.json.encode(part)
    except UnicodeEncodeError:  # lone surrogates, which JSON can escape
        return json.dumps(part).encode()


def _decoded(body: bytes) -> Json:
    try:
        return as_object(msgspec.json.decode(body)) if body else {}
    except (ValueError, msgspec.DecodeError):
        return {"error": body[:SAID].decode("utf-8", "replace")}


def _is_insecure(failure: Exception | None) -> bool:
    """Return whether TLS failed, other than by a lost connection."""
    lost = (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLSyscallError)
    return isinstance(failure, ssl.SSLError) and not isinstance(failure, lost)
