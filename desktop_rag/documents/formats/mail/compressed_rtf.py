"""Unpacks the Rich Text in which Outlook keeps the body of a mail ([MS-OXRTFCP])."""

import struct

_HEADER = struct.Struct("<IIII")
_COMPRESSED, _PLAIN = 0x75465A4C, 0x414C454D
_WINDOW = 4096
_BEGINNING = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)


def unpack_rtf(data: bytes) -> bytes:
    """Return the Rich Text in `data`, of damaged data what comes before the damage; no more than is declared."""
    if len(data) < _HEADER.size:
        return b""
    _, size, kind, _ = _HEADER.unpack_from(data)
    if kind == _PLAIN:
        return data[_HEADER.size : _HEADER.size + size]
    if kind != _COMPRESSED:
        return b""
    window = bytearray(_BEGINNING.ljust(_WINDOW, b"\0"))
    end = len(_BEGINNING)
    out = bytearray()
    place = _HEADER.size
    while place < len(data) and len(out) < size:
        flags = data[place]
        place += 1
        for bit in range(8):
            if place >= len(data) or len(out) >= size:
                break
            if not flags >> bit & 1:
                out.append(data[place])
                window[end] = data[place]
                end = (end + 1) % _WINDOW
                place += 1
                continue
            token = int.from_bytes(data[place : place + 2], "big")
            place += 2
            start = token >> 4
            if start == end:
                return bytes(out)
            for offset in range((token & 15) + 2):
                byte = window[(start + offset) % _WINDOW]
                out.append(byte)
                window[end] = byte
                end = (end + 1) % _WINDOW
    return bytes(out[:size])
