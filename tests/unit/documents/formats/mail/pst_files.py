"""Writes small Outlook data files ([MS-PST]) of both widths: one page for each tree, data blocks, lists of blocks."""

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from desktop_rag.documents.formats.mail.pst import _REPLACED

Values: TypeAlias = Mapping[tuple[int, int], "bytes | int"]  # an int below 32 bits is a value or the id of a subnode

_ENCODED = bytes(_REPLACED.index(byte) for byte in range(256))
_BLOCK = 7000  # bytes of a data block of a long value


@dataclass
class NodeSpec:
    """A node: its properties or its data, its subnodes, the folder it is in."""

    values: "Values | bytes"
    subnodes: "Mapping[int, NodeSpec]" = field(default_factory=dict)
    parent: int = 0


def text(value: str) -> bytes:
    """Return a text property."""
    return value.encode("utf-16-le")


def properties(values: Values) -> bytes:
    """Return a heap with a table of properties."""
    items: list[bytes] = [struct.pack("<BBBBI", 0xB5, 2, 6, 0, 2 << 5), b""]
    records = b""
    for (tag, kind), value in sorted(values.items()):
        if isinstance(value, bytes):
            items.append(value)
            value = len(items) << 5
        records += struct.pack("<HHI", tag, kind, value)
    items[1] = records
    offsets = [12 + sum(map(len, items[:number])) for number in range(len(items) + 1)]
    head = struct.pack("<HBBII", offsets[-1], 0xEC, 0xBC, 1 << 5, 0)
    return head + b"".join(items) + struct.pack(f"<HH{len(offsets)}H", len(items), 0, *offsets)


def pst(nodes: Mapping[int, NodeSpec], *, wide: bool = True, permuted: bool = False, version: int = 0) -> bytes:
    """Return a file of these nodes by their ids."""
    blocks: dict[int, bytes] = {}
    number = "Q" if wide else "I"

    def put(data: bytes, *, internal: bool = False) -> int:
        bid = (len(blocks) + 1) * 4 + 2 * internal
        blocks[bid] = data.translate(_ENCODED) if permuted and not internal else data
        return bid

    def put_node(node: NodeSpec) -> tuple[int, int]:
        data = node.values if isinstance(node.values, bytes) else properties(node.values)
        if isinstance(node.values, bytes) and len(data) > _BLOCK:
            parts = [put(data[at : at + _BLOCK]) for at in range(0, len(data), _BLOCK)]
            held = put(struct.pack(f"<BBHI{len(parts)}{number}", 1, 1, len(parts), len(data), *parts), internal=True)
        else:
            held = put(data)
        if not node.subnodes:
            return held, 0
        entries = [(identifier, *put_node(inner)) for identifier, inner in sorted(node.subnodes.items())]
        head = struct.pack("<BBH", 2, 0, len(entries)) + bytes(4 if wide else 0)
        return held, put(head + b"".join(struct.pack(f"<3{number}", *entry) for entry in entries), internal=True)

    held = {identifier: put_node(node) for identifier, node in sorted(nodes.items())}
    place, data, places = 2048, bytearray(), {}
    for bid, block in blocks.items():
        places[bid] = place + len(data)
        data += block + bytes(-len(block) % 64)
    if wide:
        leaves = [struct.pack("<QQQII", nid, *held[nid], nodes[nid].parent, 0) for nid in held]
        links = [struct.pack("<QQHHI", bid, places[bid], len(blocks[bid]), 1, 0) for bid in blocks]
    else:
        leaves = [struct.pack("<IIII", nid, *held[nid], nodes[nid].parent) for nid in held]
        links = [struct.pack("<IIHH", bid, places[bid], len(blocks[bid]), 1) for bid in blocks]
    head = bytearray(1024)
    head[:12] = b"!BDN" + bytes(4) + b"SM" + struct.pack("<H", version or (23 if wide else 14))
    struct.pack_into("<8xQ8xQ" if wide else "<4xI4xI", head, 216 if wide else 184, 1024, 1536)
    head[513 if wide else 461] = int(permuted)
    return bytes(head) + _page(leaves, wide=wide) + _page(links, wide=wide) + bytes(data)


def _page(entries: list[bytes], *, wide: bool) -> bytes:
    room = 488 if wide else 496
    body = b"".join(entries)
    assert len(body) <= room
    return body.ljust(room, b"\0") + struct.pack("<4B", len(entries), 20, len(entries[0]), 0) + bytes(508 - room)
