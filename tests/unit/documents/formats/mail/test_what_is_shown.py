"""The text of a mail is what its recipient sees; odd forms of parts lose nothing."""

import base64
import binascii

import pytest

from desktop_rag.documents.format_registry import read_document

HEAD = "From: Ida <ida@example.org>\nDate: Mon, 10 Mar 2025 09:15:00 +0100\nMIME-Version: 1.0\nSubject: Due\n"
STUB = "Your mail program cannot show this message."
SHOWN = "The invoice 2025-118 over 4,310 euros is due on 30 April 2025."


def read(mail: str) -> str:
    return read_document("a.eml", mail.encode()).text


def alternative(plain: str, html: str) -> str:
    parts = f"--A\nContent-Type: text/plain\n\n{plain}\n--A\nContent-Type: text/html; charset=utf-8\n\n{html}\n--A--\n"
    return f'{HEAD}Content-Type: multipart/alternative; boundary="A"\n\n{parts}'


@pytest.mark.parametrize("stub", [STUB, f"{STUB}\nhttps://example.net/{'x' * 400}", "Disclaimer. " * 40])
def test_a_stub_does_not_replace_the_page(stub: str) -> None:
    text = read(alternative(stub, f"<p>{SHOWN}</p>"))
    assert SHOWN in text
    assert f"[hidden: {STUB}]" in text or STUB not in stub


def test_another_figure_in_the_page_is_the_one_that_counts() -> None:
    assert "1,350 euros" in read(alternative("The rent is 1,250 euros.", "<p>The rent is 1,350 euros.</p>"))


def test_the_same_words_are_read_without_layout() -> None:
    plain = "> The rent is 1,250 euros.\nYes, it is, and it is due in May."
    html = "<blockquote>The rent is <b>1,250 euros</b>.</blockquote><p>Yes, it is, and it is due in May.</p>"
    assert "> The rent is 1,250 euros." in read(alternative(plain, html))


def test_a_mail_in_base64_is_read() -> None:
    inner = base64.encodebytes(b"From: lager@example.net\nSubject: Late\n\nThe parcel arrives on 21 March.\n").decode()
    head = "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n"
    text = read(f'{HEAD}Content-Type: multipart/mixed; boundary="O"\n\n--O\n{head}\n{inner}\n--O--\n')
    assert "The parcel arrives on 21 March." in text
    assert "From: lager@example.net" in text


def test_parts_between_other_boundaries_are_read() -> None:
    parts = "--OTHER\nContent-Type: text/plain\n\nThe grease is in locker 12.\n--OTHER--\n"
    assert "The grease is in locker 12." in read(f'{HEAD}Content-Type: multipart/mixed; boundary="NO"\n\n{parts}')
    packed = base64.encodebytes(parts.replace("OTHER", "NO").encode()).decode()
    encoded = "Content-Transfer-Encoding: base64\n"
    mail = f'{HEAD}{encoded}Content-Type: multipart/mixed; boundary="NO"\n\n{packed}'
    assert "The grease is in locker 12." in read(mail)


def test_a_report_gives_its_prose_and_the_returned_headers() -> None:
    parts = (
        "--S\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org\n\nThe mailbox is full.\n"
        "--S\nContent-Type: text/rfc822-headers\n\nSubject: Offer for the winter berth\n--S--\n"
    )
    text = read(f'{HEAD}Content-Type: multipart/report; boundary="S"\n\n{parts}')
    assert "The mailbox is full." in text
    assert "Subject: Offer for the winter berth" in text


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_uuencoded_files_are_attachments(line_end: str) -> None:
    line = binascii.b2a_uu(b"Cleats cost 12 euros.\n").decode()
    mail = f"{HEAD}Content-Type: text/plain\n\nSee below.\nbegin 644 prices.txt\n{line}`\nend\nRegards\n"
    text = read(mail.replace("\n", line_end))
    assert "Attachments: prices.txt" in text
    assert "Cleats cost 12 euros." in text
    assert "begin 644" not in text


def test_a_short_page_with_other_words_is_what_is_shown() -> None:
    text = read(alternative("You have a survey waiting for you, please answer it.", "<p>Hello world</p>"))
    assert text.endswith("Hello world\n\n[hidden: You have a survey waiting for you, please answer it.]")


def test_what_only_the_plain_part_says_is_hidden() -> None:
    text = read(
        alternative("The rent is 1,250 euros [1].\n\nSee page [2].", "<p>The rent is 1,350 euros.</p><p>See page.</p>")
    )
    assert text.endswith("The rent is 1,350 euros.\n\nSee page.\n\n[hidden: The rent is 1,250 euros [1⟧.]")


def test_a_quoted_printable_mail_in_a_mail_is_read() -> None:
    inner = "Subject: Late\nContent-Type: text/plain; charset=3Dutf-8\n\nThe caf=C3=A9 opens=\n at noon.\n"
    head = "Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n"
    text = read(f'{HEAD}Content-Type: multipart/mixed; boundary="O"\n\n--O\n{head}\n{inner}\n--O--\n')
    assert "The café opens at noon." in text


def test_enriched_text_is_read_without_its_marks() -> None:
    rich = "<bold>The keel</bold> is << 3 tons."
    assert read(f"{HEAD}Content-Type: text/enriched\n\n{rich}\n").endswith("The keel is < 3 tons.")
    both = f"--A\nContent-Type: text/plain\n\nThe keel.\n--A\nContent-Type: text/enriched\n\n{rich}\n--A--\n"
    assert read(f'{HEAD}Content-Type: multipart/alternative; boundary="A"\n\n{both}').count("keel") == 1
