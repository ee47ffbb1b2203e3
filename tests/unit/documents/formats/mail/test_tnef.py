import base64
import struct

import pytest

from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import read_or_refuse, texts

_TEXT, _BYTES, _LONG, _TIME, _OBJECT = 0x1F, 0x102, 3, 0x40, 0x0D


def _attribute(identifier: int, data: bytes, level: int = 1) -> bytes:
    return struct.pack("<BII", level, identifier, len(data)) + data + struct.pack("<H", sum(data) & 0xFFFF)


def _property(tag: int, kind: int, value: "bytes | int") -> bytes:
    if isinstance(value, int):
        return struct.pack("<HH", kind, tag) + value.to_bytes(8 if kind == _TIME else 4, "little")
    padded = value + bytes(-len(value) % 4)
    return struct.pack("<HHII", kind, tag, 1, len(value)) + padded


def _properties(*values: bytes) -> bytes:
    return struct.pack("<I", len(values)) + b"".join(values)


def _wide(text: str) -> bytes:
    return text.encode("utf-16-le") + b"\0\0"


def _named(name: str, value: bytes) -> bytes:
    coded = _wide(name)
    head = struct.pack("<HH", _TEXT, 0x8001) + bytes(16) + struct.pack("<II", 1, len(coded))
    return head + coded + bytes(-len(coded) % 4) + struct.pack("<II", 1, len(value)) + value + bytes(-len(value) % 4)


def _tnef(*attributes: bytes) -> bytes:
    return struct.pack("<IH", 0x223E9F78, 1) + b"".join(attributes)


def _mail(subject: str, *further: bytes) -> bytes:
    inner = _properties(
        _named("x-header", _wide("skipped")),
        _property(0x0037, _TEXT, _wide(subject)),
        _property(0x1000, _TEXT, _wide("The marrowfat peas.")),
        _property(0x0C1A, _TEXT, _wide("Ada")),
        _property(0x0C1F, _TEXT, _wide("ada@example.org")),
        _property(0x0039, _TIME, 133_000_000_000_000_000),
        _property(0x0E04, _TEXT, _wide("Bob")),
    )
    return _tnef(_attribute(0x69007, struct.pack("<II", 1252, 0)), _attribute(0x69003, inner), *further)


def _attachment(title: bytes, data: bytes) -> bytes:
    return _attribute(0x69002, bytes(14), 2) + _attribute(0x18010, title, 2) + _attribute(0x6800F, data, 2)


def test_winmail_dat_holds_the_mail_and_its_attachments() -> None:
    data = _mail("Beds", _attachment(b"plan.txt\0", b"Sow in April"), _attachment(b"photo.png\0", b"x"))
    document = read_document("winmail.dat", data)
    assert [line.text for line in document.lines() if line.text] == [
        "From: Ada <ada@example.org>",
        "To: Bob",
        "Date: 2022-06-18 04:26 +0000",
        "Subject: Beds",
        "Attachments: plan.txt, photo.png",
        "The marrowfat peas.",
        "Sow in April",
    ]
    assert (document.format, document.title) == ("outlook mail", "Beds")


def test_a_mail_in_a_winmail_dat_and_one_in_a_mail_are_read() -> None:
    embedded = _property(0x3701, _OBJECT, bytes(16) + _mail("Inner"))
    forwarded = _attribute(0x69002, bytes(14), 2) + _attribute(0x69005, _properties(embedded), 2)
    assert texts("a.tnef", _mail("Outer", forwarded)).count("The marrowfat peas.") == 2
    outer = (
        b"From: a@example.org\nSubject: See below\nMIME-Version: 1.0\nContent-Type: application/ms-tnef\n"
        b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(_mail("Beds"))
    )
    assert "The marrowfat peas." in texts("a.eml", outer)


def test_a_body_in_compressed_rtf_is_read() -> None:
    rtf = rb"{\rtf1 Leeks in May}"
    packed = struct.pack("<IIII", len(rtf) + 12, len(rtf), 0x414C454D, 0) + rtf
    data = _tnef(_attribute(0x69003, _properties(_property(0x1009, _BYTES, packed))))
    assert texts("winmail.dat", data) == ["Leeks in May"]


def test_damaged_files_end_in_a_text_or_a_reason() -> None:
    data = _mail("Beds", _attachment(b"plan.txt\0", b"Sow in April"))
    for at in range(0, len(data), 3):
        read_or_refuse("winmail.dat", data[:at])
        read_or_refuse("winmail.dat", data[:at] + b"\xff\xff" + data[at + 2 :])
    with pytest.raises(DocumentError, match="contains no text"):
        read_document("winmail.dat", _tnef())
