"""Bounds what a response may send: its size, its unpacked size, and the time of an error's text."""

import time
import zlib
from collections.abc import Iterator

import httpx2

from desktop_rag.errors import StreamCut

MAX_ANSWER_BYTES = 64 * 1024 * 1024  # of a stream; a token takes about 250 bytes
MAX_ERROR_BYTES = 64 * 1024  # the message is quoted in 300 characters
ERROR_SECONDS = 10.0
_BLOCK = 64 * 1024
_UNPACKED = frozenset({"", "identity"})
_GZIP = b"\x1f"  # the first byte of a member
_GZIP_OR_ZLIB = 47  # `wbits` of zlib for either header


def bound_body(response: httpx2.Response) -> None:
    """Replace the body of `response` by a bounded one; an event hook of the client."""
    if not isinstance(response.stream, httpx2.SyncByteStream):
        return
    encoding = response.headers.pop("content-encoding", "").strip().lower()  # the client must not unpack it again
    response.stream = _BoundedBody(response.stream, encoding, is_error=not response.is_success)


class _BoundedBody(httpx2.SyncByteStream):
    """Yields the unpacked bytes in small blocks; the text of an error is cut, an answer raises `StreamCut`."""

    def __init__(self, stream: httpx2.SyncByteStream, encoding: str, *, is_error: bool) -> None:
        self._stream = stream
        self._encoding = encoding
        self._is_error = is_error

    def __iter__(self) -> Iterator[bytes]:
        left = MAX_ERROR_BYTES if self._is_error else MAX_ANSWER_BYTES
        deadline = time.monotonic() + ERROR_SECONDS
        for block in self._blocks():
            yield block[:left]
            left -= len(block)
            if self._is_error and (left <= 0 or time.monotonic() > deadline):
                return
            if left <= 0:
                raise StreamCut(f"The model sent more than {MAX_ANSWER_BYTES >> 20} MB. The answer ends here.")

    def _blocks(self) -> Iterator[bytes]:
        if self._encoding in _UNPACKED:
            for block in self._stream:
                yield from (block[start : start + _BLOCK] for start in range(0, len(block), _BLOCK))
            return
        if self._encoding not in {"gzip", "x-gzip", "deflate"}:
            raise StreamCut("The model compresses its answer in a way it was not asked for. Check its proxy.")
        unpacker, packed = zlib.decompressobj(_GZIP_OR_ZLIB), b""
        for received in self._stream:
            packed += received
            while packed:
                if unpacker.eof:  # another member may follow, of gzip only; other bytes are no part of the answer
                    if packed[:1] != _GZIP:
                        return
                    unpacker = zlib.decompressobj(_GZIP_OR_ZLIB)
                try:
                    block = unpacker.decompress(packed, _BLOCK)
                except zlib.error as error:
                    raise StreamCut("The model sent a damaged compressed answer. Ask again.") from error
                packed = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
                if block:
                    yield block

    def close(self) -> None:
        """Close the stream of the connection."""
        self._stream.close()
