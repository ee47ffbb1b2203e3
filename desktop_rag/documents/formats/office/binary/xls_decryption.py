"""Decrypts .xls files that Excel opens without asking: protecting their structure encrypts them with a fixed password.

[MS-OFFCRYPTO] 2.3.5.2 and 2.3.6.2, [MS-XLS] 2.2.10: RC4 with a new key for each 1,024 bytes of the stream.
"""

import hashlib
import io
import struct
from collections.abc import Callable, Iterator

import olefile

from desktop_rag.documents.formats.mapi import BROKEN
from desktop_rag.documents.formats.office.binary.ole_file import ole_file

PASSWORD = "VelvetSweatshop".encode("utf-16-le")
_STREAM = "Workbook"
_HEAD = struct.Struct("<HH")  # kind and length of a record
_FILE_PASS, _SHEET, _FILLER = 0x2F, 0x85, b"\xff\x0f"
_PLAIN = frozenset((0x809, _FILE_PASS, 0xE1, 0x138, 0x194, 0x195, 0x196))  # records that are never encrypted
_PLACE_BYTES = 4  # of the record of a sheet, which stay plain
_BLOCK = 1024

KeyOfBlock = Callable[[int], bytes]


def decrypted(data: bytes) -> bytes | None:
    """Return the workbook of the file without its encryption, or None if it has a password of its own."""
    try:
        stream = bytearray(olefile.OleFileIO(io.BytesIO(data)).openstream([_STREAM]).read())
        at = _place_of_password(stream)
        key = _key(bytes(stream[at + _HEAD.size : at + _HEAD.size + _HEAD.unpack_from(stream, at)[1]]))
        if key is None:
            return None
        stream[at : at + 2] = _FILLER
        return ole_file(_STREAM, _decrypted_records(bytes(stream), key))
    except BROKEN:
        return None


def _place_of_password(stream: bytearray) -> int:
    at = 0
    while True:
        kind, size = _HEAD.unpack_from(stream, at)
        if kind == _FILE_PASS:
            return at
        at += _HEAD.size + size


def _key(record: bytes) -> KeyOfBlock | None:
    """Return the key of each block, or None if another password or another method was used."""
    method, version, _ = struct.unpack_from("<3H", record)
    if method != 1:
        return None
    if version == 1:
        salt, verifier, hashed = record[6:22], record[22:38], record[38:54]
        short = hashlib.md5(PASSWORD, usedforsecurity=False).digest()[:5]
        base = hashlib.md5((short + salt) * 16, usedforsecurity=False).digest()[:5]
        digest, length = hashlib.md5, 16
    else:
        (size,) = struct.unpack_from("<I", record, 10)
        (bits,) = struct.unpack_from("<I", record, 14 + 16)
        at = 14 + size + 4
        salt, verifier, hashed = record[at : at + 16], record[at + 16 : at + 32], record[at + 36 : at + 56]
        base = hashlib.sha1(salt + PASSWORD, usedforsecurity=False).digest()
        digest, length = hashlib.sha1, (bits or 40) // 8

    def key(block: int) -> bytes:
        found = digest(base + struct.pack("<I", block), usedforsecurity=False).digest()[:length]
        return found.ljust(16, b"\0") if length == 5 else found

    opened = rc4(key(0), verifier + hashed)
    return key if digest(opened[:16], usedforsecurity=False).digest() == opened[16:] else None


def _decrypted_records(stream: bytes, key: KeyOfBlock) -> bytes:
    """Return the stream with its records decrypted; their heads are plain."""
    blocks = range(0, len(stream), _BLOCK)
    opened = b"".join(rc4(key(at // _BLOCK), stream[at : at + _BLOCK]) for at in blocks)
    found = bytearray(stream)
    at = 0
    while at + _HEAD.size <= len(stream):
        kind, size = _HEAD.unpack_from(stream, at)
        first = at + _HEAD.size + (_PLACE_BYTES if kind == _SHEET else 0)
        at += _HEAD.size + size
        if kind not in _PLAIN:
            found[first:at] = opened[first:at]
    return bytes(found)


def rc4(key: bytes, data: bytes) -> bytes:
    """Return `data` encrypted or decrypted by RC4."""
    return bytes(byte ^ noise for byte, noise in zip(data, _noise(key), strict=False))


def _noise(key: bytes) -> Iterator[int]:
    state = list(range(256))
    other = 0
    for index, value in enumerate(state):
        other = (other + value + key[index % len(key)]) & 255
        state[index], state[other] = state[other], value
    index = other = 0
    while True:
        index = (index + 1) & 255
        value = state[index]
        other = (other + value) & 255
        state[index] = state[other]
        state[other] = value
        yield state[(state[index] + value) & 255]
