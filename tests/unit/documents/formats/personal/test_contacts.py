import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import shown, texts

_CARD = r"""BEGIN:VCARD
VERSION:3.0
N:Huber;Anna;;Dr.;
FN:Dr. Anna Huber
ORG:Flats\, Ltd.;Letting
item1.TEL;TYPE=CELL,VOICE:+43 1 234
EMAIL;TYPE=INTERNET;TYPE=WORK:anna@example.org
ADR;TYPE=HOME:;;Main St 1;Vienna;;1010;Austria
BDAY:19800229
NOTE:Landlady\nof the flat
PHOTO;ENCODING=b;TYPE=JPEG:AAAA
 BBBB
END:VCARD
"""


def test_a_contact_is_a_section_with_fields() -> None:
    document = read_document("a.vcf", _CARD.encode())
    assert shown(document) == [
        ("HEADING", 1, "Dr. Anna Huber"),
        ("FIELD", 0, "Organization: Flats, Ltd., Letting"),
        ("FIELD", 0, "Phone (cell): +43 1 234"),
        ("FIELD", 0, "E-mail (work): anna@example.org"),
        ("FIELD", 0, "Address (home): Main St 1, 1010, Vienna, Austria"),
        ("FIELD", 0, "Birthday: 1980-02-29"),
        ("PARAGRAPH", 0, "Landlady"),
        ("PARAGRAPH", 0, "of the flat"),
    ]


def test_each_contact_of_an_address_book_is_a_section() -> None:
    book = _CARD + "BEGIN:VCARD\nN:Roth;Bo\nEND:VCARD\nBEGIN:VCARD\nEMAIL:x@example.org\nEND:VCARD\nBEGIN:VCARD\nFN:Cut"
    labels = [section.label for section in read_document("a.vcf", book.encode()).structure.sections]
    assert labels == ["Dr. Anna Huber", "Bo Roth", "x@example.org", "Cut"]


def test_cards_of_old_phones_are_decoded() -> None:
    name = "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6=\nrg"
    card = f"BEGIN:VCARD\nVERSION:2.1\n{name}\nTEL;HOME;FAX:123\nEND:VCARD"
    assert texts("a.vcf", card.encode()) == ["Jörg Müller", "Phone (home, fax): 123"]
    western = "BEGIN:VCARD\nFN;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:J=F6rg=0Ax\nEND:VCARD"
    assert texts("a.vcf", western.encode()) == ["Jörg x"]


@pytest.mark.parametrize("data", [b"text", b"BEGIN:VCARD\nEND:VCARDS", b"BEGIN:VCALENDAR\nEND:VCALENDAR"])
def test_an_address_book_without_contacts_is_refused_with_the_reason(data: bytes) -> None:
    with pytest.raises(DocumentError, match="without contacts"):
        read_document("a.vcf", data)


@given(
    st.lists(st.sampled_from([*_CARD.split("\n"), "N:", ";:;", "TEL;TYPE=:", "FN;=:x", "ADR:;;;;;;;;;"])).map("\n".join)
)
def test_any_card_becomes_a_sound_document_or_a_reason(text: str) -> None:
    try:
        document = read_document("a.vcf", b"BEGIN:VCARD\n" + text.encode())
    except DocumentError:
        return
    assert document.line_count == document.text.count("\n") + 1
