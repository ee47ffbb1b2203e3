"""Messages of a process that was taken over: wrong types, cut, huge, nested, or about places that do not exist."""

import io
import struct
import threading
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing import Pipe
from typing import Protocol, cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.documents.chunking import split
from desktop_rag.documents.document import Box, Document, OutlineEntry, Page, Section, Span, Structure
from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.sandbox.reader_client import is_consistent
from desktop_rag.documents.sandbox.reader_messages import READER_REPLIES, DocumentRead
from desktop_rag.errors import DesktopRagError, ProcessError
from desktop_rag.processes.connection import MessageTooLong, PipeConnection, SocketConnection
from desktop_rag.processes.service import Service
from desktop_rag.processes.serving import serve
from desktop_rag.processes.wire import Frame, FrameKind, pack, unpack, unpack_error
from desktop_rag.stop import Stop

DEEP = 200_000

_DOCUMENT = read_document("a.md", b"# Lease\n\nThe rent is **900 euros** a month.\n\n| a | b |\n|---|---|\n| 1 | 2 |")
_READ = DocumentRead(_DOCUMENT, tuple(split(_DOCUMENT)))
_VALID = READER_REPLIES.encode(_READ)


def nested(depth: int = DEEP) -> bytes:
    """Return MessagePack of lists in lists."""
    return b"\x91" * depth + b"\xc0"


def test_a_nested_message_is_no_message() -> None:
    unknown_field = b"\x00\x81\xa1z" + nested()
    with pytest.raises(ValueError, match="nested"):
        READER_REPLIES.decode(unknown_field)


@pytest.mark.parametrize("kind", [b"\xdd", b"\xdf", b"\xdb", b"\xc6"])  # list, map, text, bytes
def test_announced_lengths_cost_no_memory(kind: bytes) -> None:
    for code in range(3):
        with pytest.raises(ValueError):  # noqa: PT011 - of msgspec, any
            READER_REPLIES.decode(bytes([code]) + kind + b"\xff\xff\xff\xff")


def test_an_announced_length_beyond_the_limit_is_not_read() -> None:
    connection = PipeConnection(io.BytesIO(struct.pack("!Q", 1 << 40)), io.BytesIO())
    with pytest.raises(MessageTooLong):
        connection.recv_bytes()


@pytest.mark.parametrize(
    "packed",
    [(bytes(4), bytes(4)), (bytes(8), struct.pack("2i", 0, 10_000)), (struct.pack("2i", -1, 1),)],
    ids=["halves of pairs", "behind the end", "before the start"],
)
def test_sentences_outside_of_the_text_are_refused(packed: tuple[bytes, ...]) -> None:
    chunks = tuple(replace(_READ.chunks[0], packed=pairs) for pairs in packed)
    assert is_consistent(replace(_READ, chunks=()))
    assert not is_consistent(replace(_READ, chunks=chunks))


def test_a_message_that_another_follows_is_sent_with_it() -> None:
    sent = io.BytesIO()
    connection = PipeConnection(io.BytesIO(), io.BufferedWriter(cast("io.RawIOBase", sent)))
    connection.send_bytes(b"one", follows=True)
    assert not sent.getvalue()
    connection.send_bytes(b"two")
    received = PipeConnection(io.BytesIO(sent.getvalue()), io.BytesIO())
    assert [received.recv_bytes(), received.recv_bytes()] == [b"one", b"two"]


@given(st.integers(0, len(_VALID) - 1), st.binary(max_size=6), st.integers(0, 8))
def test_a_changed_reply_is_refused_or_consistent(place: int, put: bytes, cut: int) -> None:
    changed = _VALID[:place] + put + _VALID[place + cut :]
    try:
        reply = READER_REPLIES.decode(changed)
    except ValueError:
        return
    if isinstance(reply, DocumentRead) and is_consistent(reply):
        document = reply.document
        assert len(list(document.lines())) == document.line_count
        assert all(len(document.text_at(chunk.span)) == chunk.span.end - chunk.span.start for chunk in reply.chunks)
        assert len(list(document.structure.each_mark())) * 16 == len(document.structure.marks)
        assert all(document.box(line + 1) is None or document.boxes for line in range(document.line_count))


LINES, END = _DOCUMENT.line_count, len(_DOCUMENT.text)


@pytest.mark.parametrize(
    "document",
    [
        replace(_DOCUMENT, kinds=_DOCUMENT.kinds + b"\0"),
        replace(_DOCUMENT, kinds=b""),
        replace(_DOCUMENT, kinds=b"\x0f" * LINES),
        replace(_DOCUMENT, boxes=b"\0" * 15),
        replace(_DOCUMENT, pages=(Page(1, LINES + 5, 10, 10),)),
        replace(_DOCUMENT, pages=(Page(2**63, 1, 10, 10),)),
        replace(_DOCUMENT, pages=(Page(1, 1, float("nan"), 10),)),
        replace(_DOCUMENT, pages=(Page(1, 3, 9, 9), Page(2, 1, 9, 9))),
        replace(_DOCUMENT, structure=Structure(marks=struct.pack("=4i", 0, END + 1, 0, -1))),
        replace(_DOCUMENT, structure=Structure(marks=struct.pack("=4i", 0, 1, 99, -1))),
        replace(_DOCUMENT, structure=Structure(marks=struct.pack("=4i", 0, 1, 3, 0))),
        replace(_DOCUMENT, structure=Structure(marks=b"\0")),
        replace(_DOCUMENT, structure=Structure(sections=(Section(-1, "x"),))),
        replace(_DOCUMENT, structure=Structure(outline=(OutlineEntry(10**9, 1, "x"),))),
        replace(_DOCUMENT, structure=Structure(textless=(-3,))),
    ],
)
def test_a_document_that_points_outside_of_itself_is_not_consistent(document: Document) -> None:
    assert not is_consistent(replace(_READ, document=document))


@pytest.mark.parametrize(
    "span", [Span(0, 1, 0, 1), Span(1, LINES + 1, 0, 1), Span(1, 1, -1, 1), Span(1, 1, 0, END + 1), Span(2, 1, 0, 1)]
)
def test_a_chunk_outside_of_its_document_is_not_consistent(span: Span) -> None:
    first, *_ = _READ.chunks
    assert not is_consistent(replace(_READ, chunks=(replace(first, span=span),)))
    assert not is_consistent(replace(_READ, chunks=(replace(first, packed=struct.pack("=2i", 0, END + 1)),)))
    assert not is_consistent(replace(_READ, chunks=(replace(first, packed=b"\0" * 7),)))


def test_real_documents_are_consistent() -> None:
    assert is_consistent(_READ)
    assert is_consistent(DocumentRead(Document("text", "", b""), ()))
    boxed = replace(_DOCUMENT, boxes=struct.pack("=4f", 0, 0, 9, 9) * LINES, pages=(Page(1, 1, 10, 10),))
    assert is_consistent(replace(_READ, document=boxed))
    assert boxed.box(1) == Box(0, 0, 9, 9)


@given(st.binary(max_size=200))
def test_any_failure_frame_becomes_an_error_of_ours(payload: bytes) -> None:
    assert isinstance(unpack_error(payload), DesktopRagError)


def test_a_nested_failure_becomes_an_error_of_ours() -> None:
    assert isinstance(unpack_error(nested()), ProcessError)


@given(st.binary(max_size=40))
def test_any_frame_is_one_or_a_value_error(data: bytes) -> None:
    try:
        assert len(unpack(data).payload) == len(data) - 5
    except (ValueError, struct.error):
        assert len(data) < 5 or data[4] > 5


class _NoSearcher(Protocol):
    def search(self, text: str, numbers: tuple[int, ...], stop: Stop) -> int: ...


class _Searcher:
    def search(self, text: str, numbers: tuple[int, ...], stop: Stop) -> int:
        return len(text) + sum(numbers)


@given(st.binary(max_size=100) | st.builds(lambda body: b"\x92\xa6search" + body, st.binary(max_size=60)))
def test_any_request_is_answered_or_refused(payload: bytes) -> None:
    handle = Service[_NoSearcher](_NoSearcher).handler(_Searcher())
    try:
        (reply,) = handle(payload, Stop())
        assert isinstance(msgspec.msgpack.decode(reply), int)
    except ProcessError:
        pass


def test_a_nested_or_unknown_request_is_refused() -> None:
    handle = Service[_NoSearcher](_NoSearcher).handler(_Searcher())
    for payload in (b"\x92\xa6search" + nested(), nested(), msgspec.msgpack.encode(("__init__", ()))):
        with pytest.raises(ProcessError):
            list(handle(payload, Stop()))


def test_a_request_number_that_is_used_twice_ends_the_connection() -> None:
    ours, theirs = (SocketConnection(end) for end in Pipe())
    sent_twice = threading.Event()

    def handle(_payload: bytes, stop: Stop) -> Iterator[bytes]:
        sent_twice.wait(10)
        stop.wait(10)
        yield b""

    server = threading.Thread(target=serve, args=(theirs, handle))
    server.start()
    for _ in range(2):
        ours.send_bytes(pack(Frame(1, FrameKind.REQUEST)))
    sent_twice.set()
    server.join(60)
    ended = not server.is_alive()
    ours.close()
    server.join(60)
    assert ended
