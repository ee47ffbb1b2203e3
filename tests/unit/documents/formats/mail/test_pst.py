import struct

import pytest

from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.mail.pst_files import NodeSpec, pst, text
from tests.unit.documents.formats.office.packages import read_or_refuse

_WIDE, _BINARY, _LONG, _TIME, _OBJECT = 0x1F, 0x102, 3, 0x40, 0x0D
_ROOT, _FOLDER, _INNER = 0x122, 0x8022, 0x8042
_SENT = 133_000_000_000_000_000


def _mail(subject: str, body: str) -> dict[tuple[int, int], "bytes | int"]:
    return {
        (0x0037, _WIDE): "\x01\x05".encode("utf-16-le") + text(subject),
        (0x0039, _TIME): struct.pack("<Q", _SENT),
        (0x0C1A, _WIDE): text("Ada"),
        (0x0E04, _WIDE): text("Bob"),
        (0x1000, _WIDE): text(body),
    }


def _file(*, wide: bool = True, permuted: bool = False, version: int = 0) -> bytes:
    long = b"Sow in April. " * 1000
    attached = NodeSpec({(0x3707, _WIDE): text("plan.txt"), (0x3701, _BINARY): b"Leeks in May"})
    large = NodeSpec({(0x3707, _WIDE): text("long.txt"), (0x3701, _BINARY): 0x83F}, {0x83F: NodeSpec(long)})
    inner = NodeSpec(_mail("Forwarded", "Said before"))
    mail = NodeSpec({(0x3707, _WIDE): text("Forwarded"), (0x3701, _OBJECT): struct.pack("<II", 0x84, 0)}, {0x84: inner})
    nodes = {
        _ROOT: NodeSpec({(0x3001, _WIDE): b""}, parent=_ROOT),
        _FOLDER: NodeSpec({(0x3001, _WIDE): text("Inbox")}, parent=_ROOT),
        _INNER: NodeSpec({(0x3001, _WIDE): text("Garden")}, parent=_FOLDER),
        0x200004: NodeSpec(_mail("Re: Beds", "The marrowfat peas."), {0x8025: attached, 0x8045: large}, _INNER),
        0x200024: NodeSpec(_mail("Outer", "See below"), {0x8025: mail}, _FOLDER),
        0x200064: NodeSpec(b"no properties", parent=_FOLDER),
    }
    return pst(nodes, wide=wide, permuted=permuted, version=version)


@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("permuted", [True, False])
def test_the_mails_of_all_folders_are_read_with_their_attachments(wide: bool, permuted: bool) -> None:
    document = read_document("archive.pst", _file(wide=wide, permuted=permuted))
    lines = [line.text for line in document.lines() if line.text]
    fields = ["From: Ada", "To: Bob", "Date: 2022-06-18 04:26 +0000"]
    assert lines[:6] == [*fields, "Subject: Outer", "Attachments: Forwarded", "See below"]
    assert lines[6:11] == [*fields, "Subject: Forwarded", "Said before"]
    assert lines[11:16] == [*fields, "Subject: Re: Beds", "Attachments: plan.txt, long.txt"]
    assert lines[16:18] == ["The marrowfat peas.", "Leeks in May"]
    assert document.text.count("Sow in April.") == 1000
    labels = [section.label for section in document.structure.sections]
    assert labels[0] == "Inbox › Message 1: Outer"
    assert labels[-3] == "Inbox › Garden › Message 3: Re: Beds"
    assert document.partial == "This file is damaged; only a part of it was read."  # the node without properties
    assert (document.format, len(document.structure.mails)) == ("mailbox", 3)


def test_versions_and_encryptions_that_are_not_read_say_so() -> None:
    with pytest.raises(DocumentError, match="Outlook 2013 or later"):
        read_document("a.ost", _file(version=36))
    locked = bytearray(_file())
    locked[513] = 2
    with pytest.raises(DocumentError, match="high encryption"):
        read_document("a.pst", bytes(locked))
    with pytest.raises(DocumentError, match="damaged or not an Outlook data file"):
        read_document("a.pst", b"!BDN")
    with pytest.raises(DocumentError, match="contains no mails"):
        read_document("a.pst", pst({_ROOT: NodeSpec({(0x3001, _WIDE): b""})}))


@pytest.mark.slow
def test_loops_lying_sizes_and_damage_end_in_mails_or_a_reason() -> None:
    data = _file()
    for at in (*range(0, 1024, 13), *range(1024, 2048, 7), *range(2048, 6000, 31)):
        read_or_refuse("a.pst", data[:at] + b"\xff\xff" + data[at + 2 :])
        read_or_refuse("a.pst", data[:at] + bytes((data[at] ^ 0x04,)) + data[at + 1 :])
    for at in range(0, len(data), 800):
        read_or_refuse("a.pst", data[:at])
