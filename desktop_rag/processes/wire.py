"""The encoding of a closed list of message types (frozen dataclasses) as bytes.

A message is one byte (the index of its type in the list) and MessagePack. Decoding checks every field against its type,
so a compromised child can send wrong values but no code, unlike with pickle.
"""

import os
from pathlib import Path
from typing import TypeVar

import msgspec

from desktop_rag.decoding import msgpack_decoder

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
