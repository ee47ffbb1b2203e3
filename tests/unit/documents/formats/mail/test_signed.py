import base64

import pytest

from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import read_or_refuse, texts

_SIGNED, _ENVELOPED, _PLAIN = "2a864886f70d010702", "2a864886f70d010703", "2a864886f70d010701"
_MAIL = b"Content-Type: text/plain\r\n\r\nThe marrowfat peas.\r\n"


def _der(tag: int, *contents: bytes) -> bytes:
    data = b"".join(contents)
    size = len(data).to_bytes(4, "big")
    return bytes((tag, 0x84)) + size + data


def _endless(tag: int, *contents: bytes) -> bytes:
    return bytes((tag, 0x80)) + b"".join(contents) + b"\0\0"


def _cms(content: bytes | None, kind: str = _SIGNED) -> bytes:
    """Return signed data in DER, detached if there is no content."""
    inside = b"" if content is None else _der(0xA0, _der(0x04, content))
    held = _der(0x30, _der(0x06, bytes.fromhex(_PLAIN)), inside)
    signed = _der(0x30, _der(0x02, b"\1"), _der(0x31), held, _der(0x31))
    return _der(0x30, _der(0x06, bytes.fromhex(kind)), _der(0xA0, signed))


def _streamed(*pieces: bytes) -> bytes:
    """Return signed data in BER of indefinite lengths, its content in pieces."""
    octets = _endless(0x24, *(_der(0x04, piece) for piece in pieces))
    held = _endless(0x30, _der(0x06, bytes.fromhex(_PLAIN)), _endless(0xA0, octets))
    signed = _endless(0x30, _der(0x02, b"\1"), _der(0x31), held)
    return _endless(0x30, _der(0x06, bytes.fromhex(_SIGNED)), _endless(0xA0, signed))


def test_a_signed_file_is_read_like_the_file_in_it() -> None:
    assert texts("rent.csv.p7m", _cms(b"month,sum\nMay,900\n"))[-1] == "May\t900"
    assert texts("rent.csv.p7m", _streamed(b"month,sum\nM", b"ay,900\n"))[-1] == "May\t900"
    armoured = b"-----BEGIN PKCS7-----\n" + base64.encodebytes(_cms(b"Signed twice")) + b"-----END PKCS7-----\n"
    assert texts("note.txt.p7m.p7m", _cms(armoured)) == ["Signed twice"]


def test_a_signed_mail_is_read_as_a_mail_alone_and_inside_of_one() -> None:
    assert texts("smime.p7m", _cms(_MAIL)) == ["The marrowfat peas."]
    outer = (
        b"From: a@example.org\nSubject: Peas\nMIME-Version: 1.0\nContent-Transfer-Encoding: base64\n"
        b'Content-Type: application/x-pkcs7-mime; smime-type=signed-data; name="smime.p7m"\n\n'
    )
    mail = outer + base64.encodebytes(_cms(_MAIL))
    assert texts("a.eml", mail) == ["From: a@example.org", "Subject: Peas", "The marrowfat peas."]
    sealed = outer + base64.encodebytes(_cms(_MAIL, _ENVELOPED))
    assert texts("a.eml", sealed)[-1].startswith("smime.p7m: This mail or file is encrypted")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (_cms(_MAIL, _ENVELOPED), "is encrypted; save it decrypted"),
        (_cms(None), "holds only a signature"),
        (b"\0\1\2", "damaged or not a signed mail"),
        (_cms(b""), "holds only a signature"),
    ],
)
def test_what_holds_nothing_readable_says_why(data: bytes, reason: str) -> None:
    with pytest.raises(DocumentError, match=reason):
        read_document("a.p7m", data)


def test_damaged_lengths_end_in_a_text_or_a_reason() -> None:
    for data in (_cms(_MAIL), _streamed(_MAIL, _MAIL)):
        for at in range(len(data)):
            read_or_refuse("a.txt.p7m", data[:at])
            read_or_refuse("a.txt.p7m", data[:at] + bytes((data[at] ^ 0x80,)) + data[at + 1 :])
    read_or_refuse("a.txt.p7m", b"\x30\x80" * 100_000)
    read_or_refuse("a.txt.p7m", b"\x30\x88" + b"\xff" * 200)
