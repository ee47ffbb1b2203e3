"""The encoding of a closed list of message types (frozen dataclasses) as bytes.

A message is one byte (the index of its type in the list) and MessagePack. Decoding checks every field against its type,
so a compromised child can send wrong values but no code, unlike with pickle.
"""

import os
import struct
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import TypeVar

import msgspec

from desktop_rag import errors
from desktop_rag.decoding import msgpack_decoder
from desktop_rag.errors import DesktopRagError, ModelBusy, ProcessError, QueryError, Stopped

Value = TypeVar("Value")


class Wire:
    """Encodes and decodes a closed list of message types (frozen dataclasses)."""

    def __init__(self, *types: type) -> None:
        self._types = types
        self._codes = {kind: code for code, kind in enumerate(types)}
        self._encoder = msgspec.msgpack.Encoder(enc_hook=encode_path)
        self._decoders: tuple[msgspec.msgpack.Decoder[object], ...] = tuple(
            msgpack_decoder(kind, decode_path) for kind in types
        )

    def encode(self, message: object) -> bytes:
        """Return the bytes of `message`; a type outside the list is a `KeyError`."""
        return bytes((self._codes[type(message)],)) + self._encoder.encode(message)

    def decode(self, data: bytes | memoryview) -> object:
        """Return the message in `data`; raises `ValueError` for anything else."""
        view = memoryview(data)
        if not view or view[0] >= len(self._decoders):
            raise ValueError("not a message of the expected types")
        return decoded(self._decoders[view[0]], view[1:])


def decoded(decoder: msgspec.msgpack.Decoder[Value], data: bytes | memoryview | msgspec.Raw) -> Value:
    """Return the value in `data`; raises `ValueError` for everything that is not of the decoder's type."""
    try:
        return decoder.decode(data)
    except RecursionError as error:  # nested more deeply than any message of ours
        raise ValueError("nested too deeply") from error


def encode_path(value: object) -> object:
    """Encode a path as its bytes; msgspec calls this for every type it does not know."""
    if isinstance(value, Path):
        return os.fsencode(value)  # a file name need not be valid UTF-8
    raise TypeError(f"{type(value).__name__} cannot be sent to another process")


def decode_path(kind: type, value: object) -> object:
    """Decode a path from its bytes; msgspec calls this for every type it does not know."""
    if issubclass(kind, Path) and isinstance(value, bytes):
        if b"\0" in value:
            raise ValueError("a path with a zero byte")
        return Path(os.fsdecode(value))
    raise TypeError(f"{kind.__name__} cannot be sent to another process")


# The envelope of each message (request number and kind), and the encoding of errors.

_HEAD = struct.Struct("!IB")


class FrameKind(IntEnum):
    """The kind of a frame."""

    REQUEST = 0
    CANCEL = 1
    REPLY = 2
    END = 3
    FAILURE = 4
    HEARTBEAT = 5


@dataclass(frozen=True, slots=True)
class Frame:
    """One message in its envelope; the client numbers the requests."""

    request: int
    kind: FrameKind
    payload: bytes = b""


@dataclass(frozen=True, slots=True)
class Failure:
    """The serialised form of an error."""

    kind: str
    message: str
    position: int = 0
    suggestion: str = ""


_FAILURES = msgpack_decoder(Failure)
_UNREADABLE = "The background process reported an error that cannot be read. Please try again."


def pack(frame: Frame) -> bytes:
    """Return the bytes of `frame`."""
    return _HEAD.pack(frame.request, frame.kind) + frame.payload


def unpack(data: bytes) -> Frame:
    """Return the frame in `data`; raises `ValueError` or `struct.error` for anything else."""
    request, kind = _HEAD.unpack_from(data)
    return Frame(request, FrameKind(kind), data[_HEAD.size :])


def pack_error(error: DesktopRagError) -> bytes:
    """Encode an error as the payload of a failure frame."""
    failure = Failure(type(error).__name__, str(error))
    if isinstance(error, QueryError):
        failure = Failure("QueryError", str(error), error.position, error.suggestion)
    return msgspec.msgpack.encode(failure)


def unpack_error(payload: bytes, otherwise: str = _UNREADABLE) -> DesktopRagError:
    """Decode the payload of a failure frame into an error of the same class; else return a `ProcessError`."""
    try:
        failure = decoded(_FAILURES, payload)
    except ValueError:
        return ProcessError(otherwise)
    if failure.kind == "QueryError":
        return QueryError(failure.message, failure.position, failure.suggestion)
    if failure.kind == "Stopped":
        return Stopped()
    if failure.kind == "ModelBusy":
        return ModelBusy(failure.message)
    kind = getattr(errors, failure.kind, ProcessError)
    if isinstance(kind, type) and issubclass(kind, DesktopRagError):
        return kind(failure.message)
    return ProcessError(failure.message)
