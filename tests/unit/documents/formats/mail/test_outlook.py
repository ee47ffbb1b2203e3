import struct
from contextlib import suppress
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats.mapi import unpack_rtf
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.mail.outlook_files import Storage, ole, properties, texts_of
from tests.unit.documents.formats.office.packages import shown, texts

_SENT = int((datetime(2024, 3, 5, 13, 30) - datetime(1601, 1, 1)).total_seconds()) * 10_000_000  # ticks of 100 ns


def _person(kind: int, name: str, address: str) -> Storage:
    return {"__properties_version1.0": properties(8, {0x0C15: kind}), **texts_of({0x3001: name, 0x39FE: address})}


def _attached(name: str, data: bytes) -> Storage:
    return {"__properties_version1.0": properties(8), "__substg1.0_37010102": data, **texts_of({0x3707: name})}


def _mail(parts: Storage, top: int = 32) -> Storage:
    facts = {0x0037: "The lease", 0x0C1A: "Anna Huber", 0x5D01: "anna@example.org"}
    return {
        "__properties_version1.0": properties(top, {0x3FFD: 1251}, {0x0039: _SENT}),
        "__recip_version1.0_#00000000": _person(1, "Office", "office@example.org"),
        "__recip_version1.0_#00000001": _person(2, "", "bo@example.org"),
        **texts_of(facts),
        **parts,
    }


def _body(text: str) -> dict[str, "bytes | Storage"]:
    return texts_of({0x1000: text})


def test_a_mail_that_outlook_saved_has_its_fields_and_text() -> None:
    document = read_document("a.msg", ole(_mail(_body("Rent is due.\r\n\r\n> When?"))))
    assert shown(document) == [
        ("FIELD", 0, "From: Anna Huber <anna@example.org>"),
        ("FIELD", 0, "To: Office <office@example.org>"),
        ("FIELD", 0, "Cc: bo@example.org"),
        ("FIELD", 0, "Date: 2024-03-05 13:30 +0000"),
        ("FIELD", 0, "Subject: The lease"),
        ("PARAGRAPH", 0, "Rent is due."),
        ("QUOTE", 1, "> When?"),
    ]
    assert (document.title, document.created) == ("The lease", "2024-03-05T13:30:00+00:00")


def test_thread_ids_come_from_properties_or_transport_headers() -> None:
    ids = texts_of({0x1035: "<two@example.org>", 0x1042: "<one@example.org>", 0x1039: "<zero@x.org> <one@example.org>"})
    headers = "Message-ID: <two@example.org>\r\nReferences: <zero@x.org>\r\n\t<one@example.org>\r\n\r\n"
    for parts in (ids, texts_of({0x007D: headers})):
        (found,) = read_document("a.msg", ole(_mail({**_body("Rent is due."), **parts}))).structure.messages
        assert (found.id, found.answers) == ("two@example.org", ("one@example.org", "zero@x.org"))


def test_a_body_in_html_or_rich_text_is_read_where_there_is_no_other() -> None:
    page = {"__substg1.0_10130102": "<h1>Kündigung</h1><p>In May.</p>".encode()}
    assert shown(read_document("a.msg", ole(_mail(page))))[-2:] == [
        ("HEADING", 1, "Kündigung"),
        ("PARAGRAPH", 0, "In May."),
    ]
    rich = b"{\\rtf1\\ansi Rent is \\b due\\b0 .\\par}"
    packed = struct.pack("<IIII", len(rich) + 12, len(rich), 0x414C454D, 0) + rich
    assert texts("a.msg", ole(_mail({"__substg1.0_10090102": packed})))[-1] == "Rent is due."


def test_texts_in_a_code_page_are_decoded() -> None:
    old = {"__substg1.0_1000001E": "Договор аренды".encode("cp1251")}
    assert texts("a.msg", ole(_mail(old)))[-1] == "Договор аренды"


def test_attachments_and_attached_mails_are_sections() -> None:
    inner = {**_mail(_body("The inner text."), 24), **texts_of({0x0037: "Inner"})}
    attached = {"__properties_version1.0": properties(8), "__substg1.0_3701000D": inner, **texts_of({0x3001: "Inner"})}
    parts: Storage = {
        **_body("Outer."),
        "__attach_version1.0_#00000000": _attached("C:\\x\\terms.md", b"# Terms"),
        "__attach_version1.0_#00000001": attached,
        "__attach_version1.0_#00000002": _attached("photo.jpg", b"x"),
    }
    document = read_document("a.msg", ole(_mail(parts)))
    assert "Attachments: terms.md, Inner, photo.jpg" in document.text
    labels = [section.label for section in document.structure.sections]
    assert labels == ["The lease › terms.md", "The lease › Inner"]
    assert document.text.endswith("The inner text.")


def test_a_mail_of_another_program_under_the_name_is_read() -> None:
    assert texts("a.msg", b"Subject: Lease\n\nRent is due.") == ["Subject: Lease", "Rent is due."]


@pytest.mark.parametrize("data", [b"\x00\x01", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), ole({"other": b"x"})])
def test_files_that_are_not_mails_are_refused(data: bytes) -> None:
    with pytest.raises(DocumentError, match="damaged or not a"):
        read_document("a.msg", data)


def test_blocks_of_an_impossible_size_are_damage_and_no_error_of_ours() -> None:
    data = bytearray(ole(_mail(_body("Rent is due."))))
    data[33] ^= 1  # the size of small blocks: 2 to the power of 262
    with suppress(DocumentError):
        read_document("a.msg", bytes(data))


def test_rich_text_is_unpacked_as_the_specification_shows() -> None:
    # [MS-OXRTFCP] section 4.1
    packed = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
    )
    assert unpack_rtf(packed) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"


@given(st.binary(max_size=300))
def test_any_bytes_unpack_to_no_more_than_they_declare(data: bytes) -> None:
    head = struct.pack("<IIII", len(data), 100, 0x75465A4C, 0)
    assert len(unpack_rtf(head + data)) <= 100
    unpack_rtf(data)


_MAIL = ole(_mail({**_body("Rent is due."), "__attach_version1.0_#00000000": _attached("a.txt", b"text")}))


@given(st.lists(st.tuples(st.integers(0, len(_MAIL) - 1), st.integers(0, 255)), max_size=8), st.integers(1, len(_MAIL)))
def test_any_damage_yields_a_document_or_a_reason(changes: list[tuple[int, int]], length: int) -> None:
    damaged = bytearray(_MAIL)
    for place, value in changes:
        damaged[place] = value
    try:
        read_document("a.msg", bytes(damaged[:length]))
    except DocumentError:
        return
