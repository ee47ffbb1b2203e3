"""What is fuzzed: the code that meets bytes of strangers, each with a small corpus.

A target takes any bytes; it lets errors pass that a caller does not expect.
"""

import io
import json
import struct
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from benchmarks.security.carriers import CARRIERS
from desktop_rag.agent.citations.citation_stream import CitationStream
from desktop_rag.agent.citations.claim_facts import find_facts
from desktop_rag.agent.citations.claims import find_claims
from desktop_rag.agent.citations.support import CitedLines
from desktop_rag.agent.events import Citation
from desktop_rag.agent.tools.arguments import ArgumentError, choice, integer, parse_arguments, strings
from desktop_rag.documents.chunking import split
from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.sandbox.reader_client import is_consistent
from desktop_rag.documents.sandbox.reader_messages import READER_REPLIES, READER_REQUESTS, DocumentRead
from desktop_rag.errors import DesktopRagError, DocumentError, ProcessError, QueryError
from desktop_rag.gui.conversation.answer.markdown_blocks import parse as parse_markdown
from desktop_rag.gui.conversation.answer.markdown_blocks import plain_text, without_unfinished
from desktop_rag.index.records import ContentId
from desktop_rag.llm.exchange import EventParser
from desktop_rag.llm.failures import ChatEndpoint, EndpointFailure
from desktop_rag.llm.json_value import decode_turn
from desktop_rag.llm.streaming import TurnReader
from desktop_rag.processes.service import Service
from desktop_rag.processes.wire import unpack, unpack_error
from desktop_rag.retrieval.explorer import SearcherRequests
from desktop_rag.retrieval.query.parser import parse as parse_query
from desktop_rag.stop import Stop
from desktop_rag.text.hidden_characters import visible

SECONDS_OF_READING = 5.0
_LEASE = "# Lease\n\nThe rent is **900 euros** a month [turn1search1 L3-L4].\n\n| a | b |\n|---|---|\n| 1 | $x^2$ |\n"


@dataclass(frozen=True, slots=True)
class Target:
    """Takes any bytes; `corpus` are those that mutations begin from."""

    run: Callable[[bytes], None]
    corpus: tuple[bytes, ...]


def _text(data: bytes) -> str:
    """Return text with the lone surrogates of the data, as JSON and file names may bring them."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except ValueError:
        return data.decode("utf-8", "surrogateescape")


def _stream(data: bytes) -> None:
    parser, reader = EventParser(), TurnReader(ChatEndpoint("http://127.0.0.1/v1", "m"), {"search": ("queries",)})
    with suppress(EndpointFailure, DesktopRagError):
        for start in range(0, len(data), 97):
            for event in parser.feed(data[start : start + 97]):
                _feed(reader, event)
        for event in parser.end():
            _feed(reader, event)
    for delta in reader.end():
        delta.text.encode()
    message = reader.message("m")
    reader.reason(message)
    json.dumps(message.raw).encode()


def _feed(reader: TurnReader, event: str) -> None:
    with suppress(ValueError):  # the exchange says that the endpoint sent invalid JSON
        for delta in reader.feed(decode_turn(event)):
            repr(delta).encode()


def _arguments(data: bytes) -> None:
    with suppress(ArgumentError):
        given = parse_arguments(_text(data), ("queries", "mode", "limit"))
        for read in (
            lambda: strings(given, ("queries", "query"), 5),
            lambda: integer(given, ("limit", "top_k"), 5, 1, 50),
            lambda: choice(given, ("mode",), ("hybrid", "exact"), "hybrid"),
        ):
            with suppress(ArgumentError):
                read()


def _markdown(data: bytes) -> None:
    text = visible(data.decode("utf-8", "replace")).replace("\r", "\n")
    for end in {len(text), len(text) // 2}:
        units = parse_markdown(without_unfinished(text[:end]))
        plain_text([block for unit in units for block in unit.blocks]).encode()


def _citations(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    stream = CitationStream(lambda raw, claim: (1,) if raw.first is None or raw.first < 9 else ())
    shown = "".join(stream.feed(text[start : start + 7]) for start in range(0, len(text), 7)) + stream.end()
    lines = CitedLines({3: "The rent is 900 euros a month.", 4: "It is due on the third day."})
    find_claims(shown, (_CITATION,), lambda claim, numbers: find_facts(claim, (lines,) * len(numbers), numbers), Stop())


_CITATION = Citation(
    1,
    "turn1search1",
    ContentId(1),
    "0" * 64,
    "lease.md",
    "Lease",
    "md",
    None,
    3,
    4,
    "900 euros",
    "The rent",
    1,
    "verbatim",
)


def _query(data: bytes) -> None:
    text = _text(data)
    for default_and in (False, True):
        with suppress(QueryError):
            parse_query(text, default_and=default_and)


def _document(name: str) -> Callable[[bytes], None]:
    def read(data: bytes) -> None:
        with suppress(DocumentError):
            document = read_document(name, data, SECONDS_OF_READING)
            reply = READER_REPLIES.decode(READER_REPLIES.encode(DocumentRead(document, tuple(split(document)))))
            if not isinstance(reply, DocumentRead) or not is_consistent(reply):
                raise AssertionError("a reader made an inconsistent document")

    return read


def _messages(data: bytes) -> None:
    for wire in (READER_REPLIES, READER_REQUESTS):
        with suppress(ValueError):
            reply = wire.decode(data)
            if isinstance(reply, DocumentRead) and is_consistent(reply):
                list(reply.document.lines())
                list(reply.document.structure.each_mark())
    with suppress(ValueError, struct.error):
        unpack(data)
    repr(unpack_error(data))
    # Decoded as a searcher would: the arguments of a request are checked before its method is called.
    with suppress(ProcessError):
        list(_SEARCHER(data, Stop()))


class _Refusing:
    def __getattr__(self, name: str) -> Callable[..., object]:
        def refuse(*_arguments: object) -> object:
            raise ProcessError(name)

        return refuse


_SEARCHER = Service[object](SearcherRequests).handler(_Refusing())


def _archives() -> tuple[bytes, ...]:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/lease.txt", "The rent is 900 euros.")
        archive.writestr("b.md", _LEASE)
    taped = io.BytesIO()
    with tarfile.open(fileobj=taped, mode="w:gz") as tape:
        entry = tarfile.TarInfo("lease.txt")
        entry.size = 22
        tape.addfile(entry, io.BytesIO(b"The rent is 900 euros."))
    return packed.getvalue(), taped.getvalue()


def _event(delta: object, finish: object = None) -> bytes:
    body = {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}], "usage": {"prompt_tokens": 3}}
    return b"data: " + json.dumps(body).encode() + b"\n\n"


def _carried(kind: str) -> tuple[bytes, ...]:
    return (CARRIERS[kind][1]("Ignore this."),)


def _reply() -> bytes:
    document = read_document("a.md", _LEASE.encode())
    return READER_REPLIES.encode(DocumentRead(document, tuple(split(document))))


_CALL = {"index": 0, "id": "c1", "function": {"name": "search", "arguments": '{"queries": ["rent"]}'}}
_RTF = rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\info{\title T}}\f0\b Rent\b0\par 900 \'80 \u8364?\par}"
_PAGE = (
    b"<html><style>/* a */ .x, p > b[c='d'] { color: var(--w) !important } @media screen { #y { opacity: .0 } }"
    b" :root { --w: #fff }</style><body><p class=x style='left:-999em'>Rent <b c=d>900</b></p><p id=y>t</p></body>"
)
_ZIP, _TAR = _archives()

TARGETS: Mapping[str, Target] = {
    "stream": Target(
        _stream,
        (
            _event({"content": "900 [turn1search1 L3]"}) + _event({}, "stop") + b"data: [DONE]\n\n",
            _event({"tool_calls": [_CALL]}) + _event({}, "tool_calls"),
            _event({"reasoning_content": "<think>x</think>", "content": [{"type": "text", "text": "y"}]}),
        ),
    ),
    "tool arguments": Target(
        _arguments, (b'{"queries": ["rent", "lease"], "limit": "5", "mode": "exact"}', b'"{\\"query\\": \\"x\\"}"')
    ),
    "Markdown": Target(
        _markdown, (_LEASE.encode(), b"1. a\n   - b\n> c\n```py\nx\n```\n[a](cite:1) <b>x</b> \\[x\\] ![i](u)\n***\n")
    ),
    "citations": Target(
        _citations,
        (b'The rent is 900 euros [turn1search1 L3-L4 "900 euros"]. Due on day 5 [turn2open1; turn1search2 L9].',),
    ),
    "query": Target(
        _query, (b'"rent lease"~3 AND (name:lease OR type:pdf) -draft after:2024-03-01 ren* title:x^2', b"a")
    ),
    "mail": Target(_document("a.eml"), _carried("mail")),
    "notebook": Target(_document("a.ipynb"), _carried("notebook")),
    "RTF": Target(_document("a.rtf"), (_RTF,)),
    "web page": Target(_document("a.html"), (_PAGE,)),
    "zip": Target(_document("a.zip"), (_ZIP,)),
    "tar": Target(_document("a.tar.gz"), (_TAR,)),
    "messages": Target(_messages, (_reply(), b"\x92\xa6search\x91\x80")),
}
