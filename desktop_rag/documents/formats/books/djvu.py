"""Reads the text layer of DjVu books, page by page; pictures of pages are left alone."""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.document import Document, Line
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.source_file import MAX_ENTRIES, ReadBudget, ReadLimitReached, SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

# Unpacks BZZ, the compression of texts in DjVu: blocks sorted as by Burrows and Wheeler, coded by the ZP coder.
#
# The format: DjVu3 specification, appendices 3 (ZP coder, with its table of states) and 4 (BZZ).

# Of each state: size of the interval, threshold, next state after the likelier and after the other symbol.
_STATES = bytes.fromhex(
    "8000000054918000000003048000000004036bbd10a505016bbd10a506025d451f2807035d451f28080451b92bd30905"
    "51b92bd30a06481336e30b07481336e30c083fd5408c0d093fd5408c0e0a38b148fd0f0b38b148fd100c3275505d110d"
    "3275505d120e2cfd56d0130f2cfd56d0141028255c71151128255c71161223ab615b171323ab615b18141f8765a51915"
    "1f8765a51a161bbb69621b171bbb69621c1818456ca21d1918456ca21e1a15236f741f1b15236f74201c125371e6211d"
    "125371e6221e0fcf7404231f0fcf740424200d9575d625210d9575d626220b9d776827230b9d7768282409e378c22925"
    "09e378c22a26086179ea2b27086179ea2c2807117ae72d2907117ae72e2a05f17bbe2f2b05f17bbe302c04f97c75312d"
    "04f97c75322e04257d0f332f04257d0f343003717d91353103717d91363202d97dfe373302d97dfe383402597e5a3935"
    "02597e5a3a3601ed7ea63b3701ed7ea63c3801937ee63d3901937ee63e3a01497f1a3f3b01497f1a403c010b7f45413d"
    "010b7f45423e00d57f6b433f00d57f6b444000a57f8d454100a57f8d4642007b7faa4743007b7faa484400577fc34945"
    "00577fc34a46003b7fd74b47003b7fd74c4800237fe74d4900237fe74e4a00137ff24f4b00137ff2504c00077ffa514d"
    "00077ffa524e00017fff514f00017fff525056950000095524ee000056e28000000005060d30000058b0481a0000598f"
    "048100005a8a357900005b8d017a00005c7024ef00005d87007b00005e68197800005f8500280000606410ca00006181"
    "000d000052620b5d0000637f003400004c48078a0000657d00a000004666050f0000677b01170000423c035800006979"
    "01ea00006a6e023400006b7701440000426c017300006d75023400003c3600f500006f7303530000383000a100004571"
    "05c500007286011a0000413b03cf0000748401aa00003d3702850000768202860000393301ab0000788003d30000352f"
    "011a00007a7e05c50000312900ba00007c3e08ad00002b25007a000048420ccc0000271f01eb00003c36130200002119"
    "02e6000038321b8100001d83045e0000342e24ef0000171106900000302828650000170f09de00002a88398700008907"
    "0dc8000026202c990000158b10ca00008cac3b5f00000f090b5d00008eaa569500000955078a000090a8800000008df8"
    "050f000092a624ee000093f70358000094a40d30000095c50234000096a204810000975f0173000098a0017a000099ad"
    "00f500009a9e007b00009ba500a10000469c002800009da1011a0000423c000d0000519f01aa00003e38003400004b47"
    "028600003a3400a0000045a303d30000363001170000413b05c50000322a01ea0000a7ab08ad00002c260144000041a9"
    "0ccc00002820023400003b3513020000221a03530000372f1b8100001eae05c50000afc124ef0000181203cf0000b1bf"
    "2b740000b2de02850000b3bd201d0000b4da01ab0000b5bb17150000b6d8011a0000b7b90fb70000b8d600ba0000453d"
    "0a670000bad401eb00003b3506e70000bcd202e60000373104960000bed0045e0000332d030d0000c0ce069000002f27"
    "02060000c2cc09de000029c301550000c4ca0dc80000251f00e10000c6c82b740000c7f3009400004840201d0000c9ef"
    "018800003e3817150000cbed025200003a340fb70000cdeb0383000036300a670000cfe905470000322c06e70000d1e7"
    "07e200002e2604960000d3e50bc000002822030d0000d5e311780000241c02060000d7e119da00001e1601550000d9df"
    "24ef00001a1000e10000dbdd320e000014dc00940000473f432a00000e08018800003d37447d00000ee0025200003933"
    "5ece0000080203830000352f80000000e45705470000312b481a0000e6f607e200002d2535790000e8f40bc000002721"
    "24ef0000eaee11780000231b197800008aec19da00001d1528650000181024ef0000190f39870000f008320e000013f1"
    "2c99000016f2432a00000d073b5f0000100a447d00000df5569500000a025ece0000070180000000f45380000000f9fa"
    "569500000a02481a0000598f481a0000e6f6"
)
_STATE_BYTES = 6
_SIZES, _THRESHOLDS = (
    [int.from_bytes(_STATES[at + part : at + part + 2], "big") for at in range(0, len(_STATES), _STATE_BYTES)]
    for part in (0, 2)
)
_UP, _DOWN = (list(_STATES[part::_STATE_BYTES]) for part in (4, 5))
_LEADING_ONES = [8 - (255 - byte).bit_length() for byte in range(256)]
_PADDING = 25  # bytes that may be missing at the end
_MAX_BLOCK = 4096 * 1024
_CONTEXTS, _NEAR = 300, 3
_FREQUENCIES = 4  # of the symbols in front of which a frequency is kept
_CHECKED_EVERY = 4096  # symbols


class BzzDamaged(ValueError):
    """The data is damaged or ends too early."""


def unpack_bzz(data: bytes, budget: ReadBudget) -> bytes:
    """Return the unpacked data; raises `BzzDamaged`."""
    coder = _ZpDecoder(data)
    out: list[bytes] = []
    while size := coder.plain_bits(24):
        if size > _MAX_BLOCK:
            raise BzzDamaged
        budget.count_unpacked(size, len(data))
        out.append(_block(coder, size, budget))
    return b"".join(out)


class _ZpDecoder:
    """The ZP coder: an adaptive binary arithmetic coder."""

    def __init__(self, data: bytes) -> None:
        self._data = data + b"\xff" * _PADDING
        self._position = 2
        self._interval = 0
        self._code = int.from_bytes(self._data[:2], "big")
        self._bits = self._buffer = 0
        self._states = bytearray(_CONTEXTS)
        self._fill()

    def _fill(self) -> None:
        while self._bits <= 24:
            if self._position >= len(self._data):
                raise BzzDamaged
            self._buffer = (self._buffer << 8 | self._data[self._position]) & 0xFFFFFFFF
            self._position += 1
            self._bits += 8
        self._fence = min(self._code, 0x7FFF)

    def _shift(self, interval: int, count: int) -> None:
        self._bits -= count
        self._interval = interval << count & 0xFFFF
        self._code = (self._code << count | self._buffer >> self._bits & (1 << count) - 1) & 0xFFFF
        if self._bits < 16:
            self._fill()
        else:
            self._fence = min(self._code, 0x7FFF)

    def _less_likely(self, size: int) -> None:
        rest = 0x10000 - size
        interval = self._interval + rest
        self._code += rest
        ones = _LEADING_ONES[interval >> 8 & 0xFF]
        self._shift(interval, ones + _LEADING_ONES[interval & 0xFF] if ones == 8 else ones)

    def bit(self, context: int) -> int:
        """Return the next bit in a context."""
        state = self._states[context]
        likelier = state & 1
        size = self._interval + _SIZES[state]
        if size <= self._fence:
            self._interval = size
            return likelier
        size = min(size, 0x6000 + (size + self._interval >> 2))
        if size > self._code:
            self._states[context] = _DOWN[state]
            self._less_likely(size)
            return likelier ^ 1
        if self._interval >= _THRESHOLDS[state]:
            self._states[context] = _UP[state]
        self._shift(size, 1)
        return likelier

    def plain_bit(self) -> int:
        """Return the next bit without a context."""
        size = 0x8000 + (self._interval >> 1)
        if size > self._code:
            self._less_likely(size)
            return 1
        self._shift(size, 1)
        return 0

    def plain_bits(self, count: int) -> int:
        """Return a number of `count` bits without contexts."""
        value = 0
        for _ in range(count):
            value = value << 1 | self.plain_bit()
        return value

    def bits(self, context: int, count: int) -> int:
        """Return a number of `count` bits, whose contexts are a tree that begins at `context`."""
        node = 1
        for _ in range(count):
            node = node << 1 | self.bit(context + node - 1)
        return node - (1 << count)


def _block(coder: _ZpDecoder, size: int, budget: ReadBudget) -> bytes:
    speed = (1 + coder.plain_bit()) if coder.plain_bit() else 0
    symbols = bytearray(size)
    order = list(range(256))  # the symbols, the last ones seen in front
    frequencies = [0] * _FREQUENCIES
    step, rank, marker = 4, 3, -1
    for index in range(size):
        if index % _CHECKED_EVERY == 0:
            budget.check()
        rank = _rank(coder, min(rank, _NEAR - 1))
        if rank == 256:
            marker = index
            continue
        symbol = symbols[index] = order[rank]
        step += step >> speed
        if step > 0x10000000:
            step >>= 24
            frequencies = [frequency >> 24 for frequency in frequencies]
        frequency = step + (frequencies[rank] if rank < _FREQUENCIES else 0)
        place = rank
        if place >= _FREQUENCIES:
            del order[place]
            order.insert(_FREQUENCIES - 1, order[_FREQUENCIES - 1])
            place = _FREQUENCIES - 1
        while place > 0 and frequency >= frequencies[place - 1]:
            order[place], frequencies[place] = order[place - 1], frequencies[place - 1]
            place -= 1
        order[place], frequencies[place] = symbol, frequency
    return _unsorted(symbols, marker)


def _rank(coder: _ZpDecoder, near: int) -> int:
    """Return the place of the next symbol in the order, 256 for the marker of the end."""
    if coder.bit(near):
        return 0
    if coder.bit(near + _NEAR):
        return 1
    context = 2 * _NEAR
    for count in range(1, 8):
        if coder.bit(context):
            return (1 << count) + coder.bits(context + 1, count)
        context += 1 << count
    return 256


def _unsorted(symbols: bytearray, marker: int) -> bytes:
    """Return the text of a sorted block, whose end is at `marker`."""
    size = len(symbols)
    if not 0 < marker < size:
        raise BzzDamaged
    counts = [0] * 256
    earlier = [0] * size  # equal symbols before each
    for index, symbol in enumerate(symbols):
        if index != marker:
            earlier[index] = counts[symbol]
            counts[symbol] += 1
    first = list(accumulate(counts, initial=1))
    text = bytearray(size - 1)
    index = 0
    for place in range(size - 2, -1, -1):
        if index == marker:
            raise BzzDamaged
        symbol = text[place] = symbols[index]
        index = first[symbol] + earlier[index]
    return bytes(text)


_SIGNATURE = b"AT&TFORM"
_FORM, _BUNDLE, _PAGE = b"FORM", b"DJVM", b"DJVU"
_NO_TEXT = "This DjVu book has no text layer; recognise its text with another program, or convert it to PDF."
_LINE_ENDS = re.compile(r"[\n\x0b\x1d\x1f]")  # of lines, columns, regions and paragraphs
_POINTS = 72
_MAX_PAGES = 20_000


@dataclass(frozen=True, slots=True)
class _Chunk:
    name: bytes
    first: int
    last: int


def read_djvu(source: SourceFile, kind: Format) -> Document:
    """Return the text of the pages; raises `DocumentError` if none has text or the file is no DjVu."""
    data = source.data
    if not data.startswith(_SIGNATURE):
        raise DocumentError("This file is damaged or not a DjVu book.", ProblemKind.DAMAGED)
    builder = DocumentBuilder(kind)
    broken = 0
    with source.keep_partial(builder):
        for number, page in enumerate(_pages(data), start=1):
            if number > _MAX_PAGES:
                raise ReadLimitReached(f"Only the first {_MAX_PAGES:,} pages of this book were read.")
            source.budget.check(builder.characters)
            text = b""
            width = height = 0.0
            for chunk in _chunks(data, page.first + 4, page.last):
                content = data[chunk.first : chunk.last]
                if chunk.name == b"INFO" and len(content) >= 8:
                    width, height = _size(content)
                elif chunk.name in (b"TXTa", b"TXTz"):
                    try:
                        text = content if chunk.name == b"TXTa" else unpack_bzz(content, source.budget)
                    except BzzDamaged:
                        broken += 1
            builder.begin_page(width, height)
            _append_text(text, builder, source.budget)
    if broken and not builder.partial:
        pages = "1 page" if broken == 1 else f"{broken:,} pages"
        builder.leave_out(f"The text of {pages} of this book is damaged and was left out.", ProblemKind.DAMAGED)
    return builder.build(_NO_TEXT, ProblemKind.OTHER)


def _append_text(text: bytes, builder: DocumentBuilder, budget: ReadBudget) -> None:
    """Append the lines of a page: three bytes of length, the text, then where its words are."""
    size = int.from_bytes(text[:3], "big")
    for line in _LINE_ENDS.split(text[3 : 3 + size].decode("utf-8", "replace")):
        budget.check(builder.characters)
        words = " ".join(clean(line).split())
        if words:
            builder.add(Line(words))
        elif builder.characters:
            builder.add_blank()


def _pages(data: bytes) -> Iterator[_Chunk]:
    """Yield the pages of a book of one file; of an index without its pages there are none."""
    whole = _Chunk(_FORM, 12, len(data))
    if data[12:16] == _PAGE:
        yield whole
    elif data[12:16] == _BUNDLE:
        for chunk in _chunks(data, 16, len(data)):
            if chunk.name == _FORM and data[chunk.first : chunk.first + 4] == _PAGE:
                yield chunk


def _chunks(data: bytes, position: int, end: int) -> Iterator[_Chunk]:
    for _ in range(MAX_ENTRIES * 2):
        if position + 8 > end:
            return
        name, size = struct.unpack_from(">4sI", data, position)
        first = position + 8
        yield _Chunk(name, first, min(first + size, end))
        position = first + size + (size & 1)


def _size(info: bytes) -> tuple[float, float]:
    """Return width and height in points."""
    width, height = struct.unpack_from(">HH", info)
    (resolution,) = struct.unpack_from("<H", info, 6)
    dots = resolution if 25 <= resolution <= 6000 else 300
    return width * _POINTS / dots, height * _POINTS / dots
