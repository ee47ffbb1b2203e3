"""Messages round-trip through the wire, and anything else is refused."""

import os
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag import errors
from desktop_rag.errors import DesktopRagError, QueryError
from desktop_rag.processes.wire import Frame, FrameKind, Wire, pack, pack_error, unpack, unpack_error


@dataclass(frozen=True, slots=True)
class Inner:
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Told:
    text: str
    inner: tuple[Inner, ...]
    path: Path
    blob: bytes


@dataclass(frozen=True, slots=True)
class Other:
    number: int


WIRE = Wire(Told, Other)


@given(st.text(), st.binary(), st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9))))
def test_a_message_round_trips(text: str, blob: bytes, pairs: list[tuple[int, int]]) -> None:
    told = Told(text, tuple(Inner(a, b) for a, b in pairs), Path("/a/b"), blob)
    assert WIRE.decode(WIRE.encode(told)) == told


def test_a_file_name_that_is_not_utf8_round_trips() -> None:
    told = Told("", (), Path(os.fsdecode(b"/a/\xff\xfe.txt")), b"")
    assert WIRE.decode(WIRE.encode(told)) == told


def test_a_field_of_the_wrong_type_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        WIRE.decode(b"\x01" + msgspec.msgpack.encode({"number": "seven"}))


@pytest.mark.parametrize("data", [b"", b"\x09abc"])
def test_invalid_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="not a message of"):
        WIRE.decode(data)


def test_a_frame_round_trips() -> None:
    frame = Frame(7, FrameKind.REPLY, b"payload")
    assert unpack(pack(frame)) == frame


def test_a_query_error_keeps_its_position_and_suggestion() -> None:
    error = unpack_error(pack_error(QueryError("no end", 4, 'add "')))
    assert isinstance(error, QueryError)
    assert (str(error), error.position, error.suggestion) == ("no end", 4, 'add "')


def test_each_error_keeps_its_class() -> None:
    kinds = [
        kind
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, DesktopRagError) and kind is not errors.Stopped
    ]
    for kind in kinds:
        assert type(unpack_error(pack_error(kind("why")))) is kind
