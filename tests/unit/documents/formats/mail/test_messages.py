import base64
import io
import zipfile
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.documents.chunking import split
from desktop_rag.documents.document import Document
from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats import source_file
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import shown, texts


def _mail(text: str = "Rent is due.", subject: str = "The lease") -> EmailMessage:
    mail = EmailMessage()
    mail["From"] = "Anna Huber <anna@example.org>"
    mail["To"] = "office@example.org"
    mail["Date"] = "Tue, 05 Mar 2024 14:30:00 +0100"
    mail["Subject"] = subject
    mail.set_content(text)
    return mail


def _read(mail: EmailMessage) -> Document:
    return read_document("a.eml", mail.as_bytes())


def _labels(document: Document) -> list[str]:
    return [section.label for section in document.structure.sections]


def test_the_fields_of_a_mail_come_before_its_text() -> None:
    document = _read(_mail("Rent is due.\n\n> When?\n>> Soon."))
    assert shown(document) == [
        ("FIELD", 0, "From: Anna Huber <anna@example.org>"),
        ("FIELD", 0, "To: office@example.org"),
        ("FIELD", 0, "Date: 2024-03-05 14:30 +0100"),
        ("FIELD", 0, "Subject: The lease"),
        ("PARAGRAPH", 0, "Rent is due."),
        ("QUOTE", 1, "> When?"),
        ("QUOTE", 2, ">> Soon."),
    ]
    assert (document.title, document.created) == ("The lease", "2024-03-05T14:30:00+01:00")
    assert document.author == "Anna Huber <anna@example.org>"


def test_encoded_and_raw_headers_are_decoded() -> None:
    head = b"From: =?iso-8859-1?q?J=FCrgen?= <j@example.org>\nSubject: =?utf-8?b?5aWR57SE?=\n =?utf-8?b?5pu4?=\n"
    lines = texts("a.eml", head + "To: Zoë <z@example.org>\nDate: yesterday\n\ntext".encode())
    assert lines == [
        "From: Jürgen <j@example.org>",
        "To: Zoë <z@example.org>",
        "Date: yesterday",
        "Subject: 契約書",
        "text",
    ]


def test_plain_text_is_preferred_unless_html_contains_more() -> None:
    both = _mail("The plain text.")
    both.add_alternative("<p>The <b>plain</b> text.</p>", subtype="html")
    assert texts("a.eml", both.as_bytes())[4:] == ["The plain text."]
    stub = _mail("Your program cannot show HTML.")
    stub.add_alternative(f"<h1>Notice</h1><p>{'The lease ends in May. ' * 5}</p>", subtype="html")
    assert shown(_read(stub))[4] == ("HEADING", 1, "Notice")


def test_texts_between_attachments_are_all_read_in_order() -> None:
    mail = _mail("first")
    mail.make_mixed()
    for kind, text in (("html", "<p>second</p>"), ("plain", "third")):
        part = EmailMessage()
        part.set_content(text, subtype=kind)
        mail.attach(part)
    assert texts("a.eml", mail.as_bytes())[4:] == ["first", "second", "third"]


def test_attachments_are_read_as_sections() -> None:
    mail = _mail()
    mail.add_attachment(b"# Terms\n\nThree months.", maintype="text", subtype="markdown", filename="terms.md")
    mail.add_attachment(b"\xff\xd8\xff", maintype="image", subtype="jpeg", filename="photo.jpg")
    mail.add_attachment(b"PK no more", maintype="application", subtype="zip", filename="broken.docx")
    document = _read(mail)
    assert "Attachments: terms.md, photo.jpg, broken.docx" in document.text
    assert _labels(document) == ["The lease › terms.md", "The lease › broken.docx"]
    assert ("HEADING", 1, "# Terms") in shown(document)
    assert "broken.docx: This file is damaged" in document.text


def test_an_attached_mail_is_read_with_its_own_attachments() -> None:
    inner = _mail("Inner text.", "Inner")
    inner.add_attachment("a,b\n1,2\n", subtype="csv", filename="t.csv")
    outer = _mail()
    outer.add_attachment(inner)
    document = _read(outer)
    assert _labels(document) == ["The lease › Inner", "The lease › Inner › t.csv"]
    assert document.text.index("Inner text.") < document.text.index("1\t2" if "1\t2" in document.text else "1,2")


def test_mails_inside_mails_end_at_a_limit_and_keep_what_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_rag.documents.formats.mail.mail_message.MAX_NESTING", 2)
    mail = _mail("level 0")
    for level in range(1, 6):
        outer = _mail(f"level {level}")
        outer.add_attachment(mail)
        mail = outer
    document = _read(mail)
    assert "level 3" in document.text
    assert "level 2" not in document.text
    assert document.partial == "Mails nested this deeply in other mails are not read."


def test_names_of_attachments_are_only_labels() -> None:
    mail = _mail()
    mail.add_attachment("text", filename="../../etc/\u202egpj.txt")
    assert _labels(_read(mail)) == ["The lease › gpj.txt"]


def test_flowed_text_is_unfolded() -> None:
    mail = b"Content-Type: text/plain; format=flowed\n\nOne line \nthat goes on.\n-- \nsigned"
    assert texts("a.eml", mail) == ["One line that goes on.", "--", "signed"]


def test_a_broken_transfer_encoding_does_not_affect_other_parts() -> None:
    mail = b"Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Transfer-Encoding: base64\n\n!!!\n--x\n\nsound\n"
    assert "sound" in texts("a.eml", mail)[-1]


def test_an_apple_mail_is_read_up_to_its_property_list() -> None:
    mail = b"Subject: Lease\n\nRent is due.\n"
    assert texts("1.emlx", b"%d\n%s<?xml version='1.0'?><plist/>" % (len(mail), mail)) == [
        "Subject: Lease",
        "Rent is due.",
    ]


def test_a_mailbox_has_a_part_for_each_mail() -> None:
    first, second = _mail("One.\nFrom here on.", "First"), _mail(">From the start", "Second")
    box = b"".join(b"From x Tue Mar  5 14:30:00 2024\n" + mail.as_bytes() + b"\n" for mail in (first, second))
    document = read_document("Inbox.mbox", box)
    assert _labels(document) == ["Message 1: First", "Message 2: Second"]
    assert "\nFrom here on." in document.text
    assert document.text.endswith("\nFrom the start")
    assert document.structure.section_of(document.text[: document.text.index("Second")].count("\n") + 1) == (
        "Message 2: Second"
    )


def test_a_mailbox_without_a_suffix_is_known_by_its_first_line() -> None:
    box = b"From - Tue Mar  5 14:30:00 2024\nSubject: First\n\nOne.\n"
    assert read_document("Inbox", box).format == "mailbox"
    assert read_document("Inbox", b"From here on all is text.").format == "text"


def test_a_huge_mailbox_is_truncated_and_marked_partial(monkeypatch: pytest.MonkeyPatch) -> None:
    box = b"".join(b"From x Tue Mar  5 14:30:00 2024\nSubject: %d\n\n%s\n" % (n, b"word " * 100) for n in range(50))
    monkeypatch.setattr(source_file, "MAX_CHARACTERS", 5000)
    document = read_document("Inbox.mbox", box)
    assert 5 < len(document.structure.sections) < 15
    assert document.partial == "This file contains more text than can be read; the rest of it was left out."


@pytest.mark.parametrize(("name", "data"), [("a.eml", b"\x00\x01\x02"), ("a.mbox", b"no mails at all")])
def test_files_that_are_not_mails_are_refused(name: str, data: bytes) -> None:
    with pytest.raises(DocumentError, match=r"not a (?:mail|mailbox)\.|This file is damaged"):
        read_document(name, data)


_LINES = st.sampled_from(
    [
        b"Subject: =?utf-8?q?=FF?=",
        b"Subject: =?x?b?===?=",
        b"Content-Type: multipart/mixed; boundary=x",
        b"Content-Type: multipart/alternative; boundary=y",
        b"Content-Type: message/rfc822",
        b"Content-Type: text/plain; charset=\xff; name*0*=utf-8''%ff",
        b"Content-Type: text/html; charset=nonsense",
        b"Content-Transfer-Encoding: base64",
        b"Content-Transfer-Encoding: quoted-printable",
        b"Content-Disposition: attachment; filename*=utf-16''%00a.txt",
        b"Date: Tue, 99 Mar 99999 14:30:00 +9999",
        b"--x",
        b"--y",
        b"--x--",
        b"",
        b"=FF=",
        b"%s" % base64.b64encode(b"text \xff"),
        b"text",
    ]
)


@given(st.lists(_LINES, min_size=1, max_size=30).map(b"\n".join))
def test_any_mail_becomes_a_sound_document_or_a_reason(data: bytes) -> None:
    try:
        document = read_document("a.eml", b"From: x\n" + data)
    except DocumentError:
        return
    assert document.line_count == document.text.count("\n") + 1
    document.text.encode("utf-8")


def test_a_mail_has_its_id_and_the_ids_it_answers_nearest_first() -> None:
    mail = _mail()
    mail["Message-ID"] = "<three@example.org>"
    mail["In-Reply-To"] = "<two@example.org>"
    mail["References"] = "<one@example.org> <two@example.org>"
    document = read_document("a.eml", mail.as_bytes().replace(b"> <", b">\r\n <"))
    (found,) = document.structure.messages
    assert (found.id, found.answers) == ("three@example.org", ("two@example.org", "one@example.org"))
    assert (found.first_line, found.last_line) == (1, document.text.count("\n") + 1)


@pytest.mark.parametrize(
    ("header", "answers"),
    [
        ("In-Reply-To: Your message of Tue, 5 Mar from bo@example.org <one@example.org>", ("one@example.org",)),
        ("In-Reply-To: one@example.org", ("one@example.org",)),
        ("References: <a long\n one@example.org>", ("alongone@example.org",)),
        ("In-Reply-To: yesterday", ()),
        ("X-Other: <one@example.org>", ()),
    ],
)
def test_malformed_headers_are_understood(header: str, answers: tuple[str, ...]) -> None:
    document = read_document("a.eml", f"Message-Id: <two@example.org>\n{header}\n\nText.\n".encode())
    assert document.structure.messages[0].answers == answers


def test_mails_in_mailboxes_archives_and_other_mails_keep_their_ids() -> None:
    first, second = _mail("Rent is due.", "The lease"), _mail("It was paid.", "Re: The lease")
    first["Message-ID"], second["Message-ID"] = "<one@example.org>", "<two@example.org>"
    second["In-Reply-To"] = "<one@example.org>"
    second.add_attachment(first)
    box = b"".join(b"From a Tue Mar  5 14:30:00 2024\n" + mail.as_bytes() + b"\n" for mail in (first, second))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("notes.txt", "Line 1\nLine 2")
        archive.writestr("Inbox.mbox", box)
    for document in (read_document("Inbox.mbox", box), read_document("all.zip", packed.getvalue())):
        lines = document.text.split("\n")
        found = document.structure.messages
        assert [mail.id for mail in found] == ["one@example.org", "two@example.org", "one@example.org"]
        assert found[1].answers == ("one@example.org",)
        assert [lines[mail.first_line - 1][:5] for mail in found] == ["From:"] * 3
        assert [lines[mail.last_line - 1] for mail in found] == ["Rent is due.", "It was paid.", "Rent is due."]


def test_each_mail_of_a_mailbox_has_a_header_and_chunks_of_its_own() -> None:
    box = b"".join(b"From x\n" + _mail(text).as_bytes() + b"\n" for text in ("One.", "Two, a second one.", "Three."))
    document = read_document("box.mbox", box)
    headers = document.structure.mails
    assert [(each.sender, each.sent) for each in headers] == [
        ("Anna Huber <anna@example.org>", "2024-03-05T14:30:00+01:00")
    ] * 3
    lines = document.text.split("\n")
    assert [lines[each.first_line - 1] for each in headers] == ["From: Anna Huber <anna@example.org>"] * 3
    chunks = split(document)
    assert [chunk.span.first_line for chunk in chunks] == [each.first_line for each in headers]


def test_a_mailbox_is_dated_by_its_newest_mail() -> None:
    def dated(date: str) -> bytes:
        mail = _mail("Text.")
        del mail["Date"]
        mail["Date"] = date
        return b"From x\n" + mail.as_bytes() + b"\n"

    dates = (
        "Tue, 05 Mar 2024 14:30:00 +0100",
        "nonsense",
        "Tue, 05 Mar 2024 09:00:00 -0800",
        "Mon, 04 Mar 2024 09:00:00",
    )
    document = read_document("box.mbox", b"".join(map(dated, dates)))
    assert document.created == "2024-03-05T09:00:00-08:00"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("charset", ["utf-16", "iso-8859-1", "us-ascii"])
def test_a_mail_saved_as_utf_16_is_read(encoding: str, charset: str) -> None:
    mail = f"From: anna@example.org\nSubject: Grüße\nContent-Type: text/plain; charset={charset}\n\nMiete fällig.\n"
    found = texts("a.eml", mail.replace("\n", "\r\n").encode(encoding))
    assert "Subject: Grüße" in found
    assert found[-1] == "Miete fällig."


def test_encoded_parts_of_a_mail_saved_as_utf_16_keep_their_encoding() -> None:
    mail = _mail()
    mail.set_content("Miete fällig.", charset="iso-8859-1", cte="quoted-printable")
    assert texts("a.eml", mail.as_bytes().decode("ascii").encode("utf-16"))[-1] == "Miete fällig."


@pytest.mark.parametrize("kind", ["text/plain", "0 text/plain", "message/delivery-status", "application/pdf"])
def test_a_declared_encoding_with_a_nul_costs_nothing(kind: str) -> None:
    data = f'From: a@b.c\nSubject: Fee\nContent-Type: {kind}; charset="r\xff\0s"\n\nThe fee is 12 euros.\n'.encode(
        "latin-1"
    )
    text = read_document("a.eml", data).text
    assert "Fee" in text
    assert kind != "text/plain" or "12 euros" in text
