"""Reads Outlook data files (.pst, .ost): every mail with its attachments, a section each, named by its folder."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.mail.mail_message import MailAttachment, MailMessage, append_mail
from desktop_rag.documents.formats.mail.mapi_mail import ATTACHED, attachment_name, mapi_mail
from desktop_rag.documents.formats.mapi import MapiProperties
from desktop_rag.documents.formats.source_file import MAX_NESTING, ReadBudget, SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

# The nodes and blocks of an Outlook data file ([MS-PST], layers NDB and LTP), as far as its mails need them.

_ANSI, _UNICODE, _LARGE_PAGES = (14, 15), range(20, 36), 36  # versions
_PAGE = 512
_PERMUTED = 1  # kind of encryption: each byte replaced; no secret
_REPLACED = bytes.fromhex(
    "47f1b4e60b6a7248854e9eebe2f89453e0bba002e85a09abdbe3bac67cc310dd39059630f53760828cc9134a6b1df3fb8f2697ca"
    "911701c4322d6e3195ffd923d1005e79dc443b1a28c5615720903d83b943be67d2464276c06d5b7eb20f16293ca903540dda5ddf"
    "f6b7c762cd8d06d3695c86d614f7a56675acb1e94521700c879f74a4224c6fbf1f56aa2eb3783350b0a392bccf191ca763cb1e4d"
    "3e4b1b9b4fe7f0eead3ab55904ea40552551e57a893868527bfc27aed7bdfa07f4cc8e5fef359c842b15d5773449b6120a7f7188"
    "fd9d18417d93d8582ccefe24afdeb836c8a180a69998a82f0e816573e4c2a28ad4e111d0088b2af2ed9a643fc16cf9ec"
)
_INTERNAL = 2  # bit of a block's id: it lists other blocks
_MAX_LEVELS, _MAX_ENTRIES = 8, 2_000_000
_HEAP, _PROPERTIES, _TREE = 0xEC, 0xBC, 0xB5  # signatures
_INLINE = frozenset((0x0002, 0x0003, 0x0004, 0x000A, 0x000B))  # types whose value is in the record itself


class PstDamaged(ValueError):
    """The data does not follow the format."""


@dataclass(frozen=True, slots=True)
class PstNode:
    """A node: the ids of its block of data and of the block that lists its subnodes, and the node it belongs to."""

    data: int
    subnodes: int
    parent: int = 0


class PstFile:
    """The nodes of a file by their ids; raises `DocumentError` for versions and encryptions that are not read."""

    def __init__(self, data: bytes, budget: ReadBudget) -> None:
        self._data = data
        self._budget = budget
        (version,) = self._unpack("<H", 10)
        if version >= _LARGE_PAGES:
            raise DocumentError(
                "The data file of Outlook 2013 or later is not read; export its folders as a .pst file."
            )
        if version not in _ANSI and version not in _UNICODE:
            raise PstDamaged
        self._wide = version in _UNICODE
        method = self._unpack("<B", 513 if self._wide else 461)[0]
        if method > _PERMUTED:
            raise DocumentError(
                "This Outlook data file has high encryption; export its folders to a new file without.",
                ProblemKind.PROTECTED,
            )
        self._permuted = method == _PERMUTED
        nodes, blocks = self._unpack("<8xQ8xQ", 216) if self._wide else self._unpack("<4xI4xI", 184)
        self._blocks = {
            bid & ~1: (place, size) for bid, place, size in self._leaves(blocks, "<QQH" if self._wide else "<IIH")
        }
        layout = "<QQQI" if self._wide else "<IIII"
        self.nodes = {nid & 0xFFFFFFFF: PstNode(*rest) for nid, *rest in self._leaves(nodes, layout)}

    def check(self) -> None:
        """Raise `ReadLimitReached` if a limit is reached."""
        self._budget.check()

    def blocks_of(self, node: PstNode) -> list[bytes]:
        """Return the data of a node, in its blocks."""
        found: list[bytes] = []
        total = 0
        for piece in self._pieces(node.data, 0):
            total += len(piece)
            if total > len(self._data):  # blocks may be listed again and again
                raise PstDamaged
            found.append(piece)
        return found

    def subnodes_of(self, node: PstNode) -> dict[int, PstNode]:
        """Return the subnodes of a node by their ids."""
        return dict(self._subnodes(node.subnodes, 0)) if node.subnodes else {}

    def _unpack(self, layout: str, position: int) -> tuple[int, ...]:
        try:
            return struct.unpack_from(layout, self._data, position)
        except (struct.error, OverflowError) as error:
            raise PstDamaged from error

    def _leaves(self, root: int, layout: str) -> Iterator[tuple[int, ...]]:
        """Yield the entries of a B-tree of pages."""
        waiting, seen = [root], {root}
        counts, link = (488, "<Q8xQ") if self._wide else (496, "<I4xI")
        for _ in range(_MAX_ENTRIES):
            if not waiting:
                return
            self._budget.check()
            page = waiting.pop()
            count, _, size, level = self._unpack("<4B", page + counts)
            if not size or count * size > counts or level > _MAX_LEVELS:
                raise PstDamaged
            for entry in range(page, page + count * size, size):
                if not level:
                    yield self._unpack(layout, entry)
                    continue
                child = self._unpack(link, entry)[1]
                if child not in seen:
                    seen.add(child)
                    waiting.append(child)

    def _block(self, bid: int) -> bytes:
        place, size = self._blocks.get(bid & ~1, (0, 0))
        data = self._data[place : place + size]
        if bid & _INTERNAL or not self._permuted:
            return data
        return data.translate(_REPLACED)

    def _pieces(self, bid: int, depth: int) -> Iterator[bytes]:
        self._budget.check()
        block = self._block(bid)
        if not bid & _INTERNAL:
            yield block
            return
        if depth > 2 or len(block) < 8 or block[0] != 1:
            raise PstDamaged
        (count,) = struct.unpack_from("<H", block, 2)
        for child in _numbers(block, 8, count, wide=self._wide):
            yield from self._pieces(child, depth + 1)

    def _subnodes(self, bid: int, depth: int) -> Iterator[tuple[int, PstNode]]:
        self._budget.check()
        block = self._block(bid)
        if depth > 2 or len(block) < 4 or block[0] != 2:
            raise PstDamaged
        level, count = block[1], struct.unpack_from("<H", block, 2)[0]
        width = 2 if level else 3
        numbers = _numbers(block, 8 if self._wide else 4, count * width, wide=self._wide)
        for entry in zip(*[iter(numbers)] * width, strict=False):
            if level:
                yield from self._subnodes(entry[1], depth + 1)
            else:
                yield entry[0] & 0xFFFFFFFF, PstNode(entry[1], entry[2])


class PstProperties(MapiProperties):
    """The properties of a node: a heap with a table of them."""

    def __init__(self, file: PstFile, node: PstNode, code_page: str = "") -> None:
        self._file = file
        self.subnodes = file.subnodes_of(node)
        self._blocks = file.blocks_of(node)
        self._values: dict[tuple[int, int], int] = {}
        head = self._blocks[0][:8] if self._blocks else b""
        if len(head) < 8 or head[2] != _HEAP or head[3] != _PROPERTIES:
            raise PstDamaged
        tree = self._item(int.from_bytes(head[4:8], "little"))
        if len(tree) < 8 or tree[0] != _TREE or tree[1] != 2 or tree[2] != 6:
            raise PstDamaged
        self._read_tree(int.from_bytes(tree[4:8], "little"), tree[3])
        self.find_code_pages(code_page)

    def stored(self, tag: int, kind: int) -> bytes:
        """Return the bytes of a property of variable size."""
        place = self._values.get((tag, kind), 0)
        if not place:
            return b""
        try:
            if place & 0x1F:  # the id of a subnode
                node = self.subnodes.get(place)
                return b"".join(self._file.blocks_of(node)) if node is not None else b""
            return self._item(place)
        except PstDamaged:
            return b""

    def fixed(self, tag: int, kind: int) -> int:
        """Return the value of a property of fixed size."""
        value = self._values.get((tag, kind), 0)
        return value if kind in _INLINE else int.from_bytes(self.stored(tag, kind), "little")

    def size(self, tag: int, kind: int) -> int:
        """Return the size of a property of variable size."""
        return len(self.stored(tag, kind))

    def _read_tree(self, place: int, level: int) -> None:
        self._file.check()
        if level > _MAX_LEVELS:
            raise PstDamaged
        records = self._item(place) if place else b""
        if level:
            for _, child in struct.iter_unpack("<HI", records[: len(records) // 6 * 6]):
                self._read_tree(child, level - 1)
            return
        for tag, kind, value in struct.iter_unpack("<HHI", records[: len(records) // 8 * 8]):
            self._values[tag, kind] = value

    def _item(self, place: int) -> bytes:
        """Return an item of the heap: its number in a block, and the number of that block."""
        number, index = place >> 5 & 0x7FF, place >> 16
        if place & 0x1F or not number or index >= len(self._blocks):
            raise PstDamaged
        block = self._blocks[index]
        try:
            (table,) = struct.unpack_from("<H", block)
            first, last = struct.unpack_from("<HH", block, table + 4 + 2 * (number - 1))
        except struct.error as error:
            raise PstDamaged from error
        return block[first:last]


def _numbers(block: bytes, start: int, count: int, *, wide: bool) -> tuple[int, ...]:
    size = 8 if wide else 4
    count = min(count, (len(block) - start) // size)
    return struct.unpack_from(f"<{max(0, count)}{'Q' if wide else 'I'}", block, start)


_FOLDER, _MESSAGE, _ATTACHMENT = 2, 4, 5  # the lowest five bits of a node's id
_NAME = 0x3001
_OBJECT, _BINARY = 0x0D, 0x102
_MAX_FOLDERS_DEEP = 20


def read_pst(source: SourceFile, kind: Format) -> Document:
    """Return the mails of a data file; raises `DocumentError` if it is damaged or of an unsupported version."""
    builder = DocumentBuilder(kind)
    broken = 0
    with source.keep_partial(builder):
        try:
            mails = _Mails(source)
        except PstDamaged as error:
            raise DocumentError("This file is damaged or not an Outlook data file.", ProblemKind.DAMAGED) from error
        for number, (folder, node) in enumerate(mails.in_folders(), start=1):
            source.budget.check(builder.characters)
            try:
                mail = mails.mail(node, 0)
            except PstDamaged:
                broken += 1
                continue
            label = " › ".join(filter(None, (folder, f"Message {number}: {mail.subject}".rstrip(": "))))
            builder.begin_section(label, apart=True)
            append_mail(mail, builder, source, label)
            builder.created = max(builder.created, mail.sent_text)
    if broken and not builder.partial:
        builder.leave_out("This file is damaged; only a part of it was read.", ProblemKind.DAMAGED)
    return builder.build("This mailbox contains no mails.")


class _Mails:
    def __init__(self, source: SourceFile) -> None:
        self._source = source
        self._file = PstFile(source.data, source.budget)
        self._folders: dict[int, str] = {}

    def in_folders(self) -> list[tuple[str, PstNode]]:
        """Return the mails, each with the path of its folder, folder by folder."""
        nodes = self._file.nodes
        found = [
            (self._folder(node.parent, 0), identifier, node)
            for identifier, node in nodes.items()
            if identifier & 0x1F == _MESSAGE and node.parent & 0x1F == _FOLDER
        ]
        return [(folder, node) for folder, _, node in sorted(found, key=lambda one: one[:2])]

    def mail(self, node: PstNode, depth: int, code_page: str = "") -> MailMessage:
        """Return the mail of a node; raises `PstDamaged`."""
        properties = PstProperties(self._file, node, code_page)
        attachments: list[MailAttachment] = []
        for identifier, inner in sorted(properties.subnodes.items()):
            if identifier & 0x1F == _ATTACHMENT:
                attachments.append(self._attachment(inner, len(attachments) + 1, depth, properties.code_page))
        return mapi_mail(properties, (), attachments, self._source)

    def _attachment(self, node: PstNode, number: int, depth: int, code_page: str) -> MailAttachment:
        try:
            properties = PstProperties(self._file, node, code_page)
        except PstDamaged:
            return MailAttachment(f"Attachment {number}", bytes)
        name = attachment_name(properties, number)
        embedded = int.from_bytes(properties.stored(ATTACHED, _OBJECT)[:4], "little")
        inner = properties.subnodes.get(embedded)
        if inner is not None and depth < MAX_NESTING:
            return MailAttachment(name, bytes, mail=partial(self._embedded, inner, depth + 1, code_page))
        size = properties.size(ATTACHED, _BINARY)
        return MailAttachment(name, partial(properties.binary, ATTACHED), size)

    def _embedded(self, node: PstNode, depth: int, code_page: str) -> MailMessage:
        try:
            return self.mail(node, depth, code_page)
        except PstDamaged:
            return MailMessage(people=())

    def _folder(self, identifier: int, depth: int) -> str:
        """Return the path of a folder without the roots, which have no names of their own."""
        node = self._file.nodes.get(identifier)
        if node is None or depth > _MAX_FOLDERS_DEEP or node.parent == identifier:
            return ""
        if identifier not in self._folders:
            try:
                name = PstProperties(self._file, node).line(_NAME)
            except PstDamaged:
                name = ""
            above = self._folder(node.parent, depth + 1)
            self._folders[identifier] = " › ".join(filter(None, (above, name)))
        return self._folders[identifier]
