"""Decoding bytes and values into declared types, safely from several threads.

msgspec describes a class when it meets it first. Two threads that do this at once crash the process (seen with 0.22:
the second finds the first one's unfinished description), so descriptions are made here, one at a time.
"""

import threading
from collections.abc import Callable, Hashable
from functools import cache
from typing import Any, TypeVar, cast

import msgspec

Value = TypeVar("Value")
_describing = threading.Lock()


def decode_json(data: bytes | str, kind: type[Value], *, strict: bool = True) -> Value:
    """Return the value of type `kind` in a JSON text; raises `msgspec.DecodeError` and `RecursionError`."""
    _describe(cast("Hashable", kind))
    return msgspec.json.decode(data, type=kind, strict=strict)


def decode_msgpack(data: bytes | memoryview, kind: type[Value]) -> Value:
    """Return the value of type `kind` in MessagePack; raises `msgspec.DecodeError` and `RecursionError`."""
    _describe(cast("Hashable", kind))
    return msgspec.msgpack.decode(data, type=kind)


def converted(value: object, kind: type[Value]) -> Value:
    """Return lists, dicts and plain values as `kind`; raises `msgspec.ValidationError`."""
    _describe(cast("Hashable", kind))
    return msgspec.convert(value, kind)


def msgpack_decoder(
    kind: type[Value], custom: Callable[[type, Any], object] | None = None
) -> "msgspec.msgpack.Decoder[Value]":
    """Return a decoder of MessagePack; `custom` decodes the types that msgspec does not know."""
    with _describing:
        return msgspec.msgpack.Decoder(kind, dec_hook=custom)


@cache
def _describe(kind: Hashable) -> None:
    with _describing:
        msgspec.json.Decoder(kind)
