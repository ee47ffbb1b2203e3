"""Tags that documents give themselves: in front matter, in the text of notes, in metadata and labels of mails."""

import io
import zipfile

import pymupdf
import pytest

from desktop_rag.documents.builder import LONGEST_TAG, MOST_TAGS, distinct_tags, inline_tags
from desktop_rag.documents.format_registry import read_document


@pytest.mark.parametrize(
    ("name", "text", "tags"),
    [
        ("a.md", "---\ntags: [travel, 'Mill Lane']\n---\nText.", ("travel", "Mill Lane")),
        ("a.md", "---\ntags: travel, #home\n---\n", ("travel", "home")),
        ("a.md", '---\ntitle: A\ntags:\n  - novel\n- "draft"\ndate: 2025-01-01\n---\n- point', ("novel", "draft")),
        ("a.md", "---\ntags: 2024-05-31, 0000104169-18-000028, 10-K\n---\n", ("2024-05-31", "10-K")),
        ("a.md", '+++\nkeywords = ["rent", "lease"]\n+++\n', ("rent", "lease")),
        ("a.md", "Walk #nature/birds, (#sea) and #Nature/Birds.\n\n- [ ] call #it", ("nature/birds", "sea", "it")),
        ("a.md", "Issue #12, colour #ff8800, C# and a#b, `#code`\n\n```\n#include\n```\n# Heading", ()),
        ("a.org", "#+FILETAGS: :work:paper:\n* Intro :draft:\n", ("work", "paper", "draft")),
        ("a.html", '<meta name="keywords" content="rent, house"><p>Text</p>', ("rent", "house")),
        ("a.eml", "Keywords: lease,\n sea\nX-Gmail-Labels: =?UTF-8?Q?K=C3=BCche?=\n\nHi", ("lease", "sea", "Küche")),
        ("a.txt", "Plain text with #nothing", ()),
    ],
)  # fmt: skip
def test_the_tags_of_a_text_file(name: str, text: str, tags: tuple[str, ...]) -> None:
    assert read_document(name, text.encode()).tags == tags


def test_the_keywords_of_office_files_and_pdfs() -> None:
    meta = (
        '<office:document-meta xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0">'
        "<office:meta><meta:keyword>rent</meta:keyword><meta:keyword>house</meta:keyword></office:meta>"
        "</office:document-meta>"
    )
    text = (
        '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">'
        "<office:body><office:text><text:p>A text.</text:p></office:text></office:body></office:document-content>"
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr("content.xml", text)
        archive.writestr("meta.xml", meta)
    assert read_document("a.odt", packed.getvalue()).tags == ("rent", "house")
    with pymupdf.open() as file:
        file.new_page().insert_text((72, 72), "A text.")
        file.set_metadata({"keywords": "rent; house"})
        assert read_document("a.pdf", file.tobytes()).tags == ("rent", "house")


def test_a_flood_of_tags_is_cut() -> None:
    assert len(distinct_tags(f"tag {number}" for number in range(1000))) == MOST_TAGS
    assert distinct_tags(["", " ", "x" * (LONGEST_TAG + 1), "Rent", "RENT"]) == ("Rent",)
    assert not list(inline_tags("#" * 100_000 + "a" * 100_000))


def test_an_archive_has_the_tags_of_its_members() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("deep/notes.md", "# Notes\n\nThe rent. #diary\n")
        archive.writestr("page.html", '<meta name="keywords" content="rent"><p>The rent.</p>')
    assert read_document("a.zip", packed.getvalue()).tags == ("diary", "rent")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.ics", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:x\nCATEGORIES:Diary,rent\nEND:VEVENT\nEND:VCALENDAR\n"),
        ("a.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:x\nCATEGORIES:Diary,rent\nEND:VCARD\n"),
        ("a.md", "| a | b |\n|---|---|\n| #Diary | #rent |\n"),
        (
            "a.mbox",
            "From a Thu Jan  1 00:00:00 2026\nFrom: a@b.c\nX-Gmail-Labels: Diary\n\nOne.\n\n"
            "From a Thu Jan  1 00:00:00 2026\nFrom: a@b.c\nKeywords: rent\n\nTwo.\n",
        ),
    ],
)
def test_parts_of_a_document_have_tags_too(name: str, text: str) -> None:
    assert read_document(name, text.encode()).tags == ("Diary", "rent")
