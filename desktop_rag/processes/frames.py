"""The envelope of each message (request number and kind), and the encoding of errors."""

import struct
from dataclasses import dataclass
from enum import IntEnum

import msgspec

from desktop_rag import errors
from desktop_rag.decoding import msgpack_decoder
from desktop_rag.errors import DesktopRagError, ModelBusy, ProcessError, QueryError, Stopped
from desktop_rag.processes.wire import decoded

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
