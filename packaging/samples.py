"""Writes one small file of every supported format, each containing the same word, which the frozen program must find.

It covers above all the formats that need a package of their own: such packages are easily lost when freezing.
"""

import bz2
import gzip
import io
import json
import lzma
import tarfile
import zipfile
from collections.abc import Mapping
from email.message import EmailMessage
from pathlib import Path

import py7zr
import pymupdf
from backports import zstd
from PIL import Image, PngImagePlugin

from tests.unit.documents.formats.mail.outlook_files import ole, properties, texts_of

WORD = "marrowfat"
_SENTENCE = f"The {WORD} peas are sown in April."
_PARAGRAPH = f"<p>{_SENTENCE}</p>"
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_ODF = "urn:oasis:names:tc:opendocument:xmlns"


def write_samples(folder: Path) -> list[str]:
    """Write the files and return their names."""
    texts = {**_texts(), **_markup()}
    files = {name: text.encode() for name, text in texts.items()}
    files |= _office() | _books() | _archives() | {"letter.msg": _outlook_mail()}
    files |= {"page.pdf": _pdf(), "note.png": _picture(), "talk.mp3": _recording()}
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return sorted(files)


def _texts() -> dict[str, str]:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Ada <ada@example.org>", "Bob <bob@example.org>", "Peas"
    mail.set_content(_SENTENCE)
    saved = EmailMessage()
    saved["Subject"] = "Peas"
    saved.set_content(f"<html><body>{_PARAGRAPH}</body></html>", subtype="html")
    saved.make_related()
    day = "BEGIN:VEVENT\nUID:1\nDTSTART:20260401T080000Z\nSUMMARY:" + _SENTENCE
    return {
        "note.txt": _SENTENCE,
        "note.md": f"# Peas\n\n{_SENTENCE}\n",
        "note.rst": f"Peas\n====\n\n{_SENTENCE}\n",
        "sow.py": f'"""{_SENTENCE}"""\n',
        "beds.csv": f"bed,what\n1,{WORD}\n2,leek\n",
        "beds.json": json.dumps({"bed": _SENTENCE}),
        "letter.eml": mail.as_string(),
        "letters.mbox": f"From ada@example.org Wed Apr  1 08:00:00 2026\n{mail.as_string()}\n",
        "page.mhtml": saved.as_string(),
        "april.ics": f"BEGIN:VCALENDAR\nVERSION:2.0\n{day}\nEND:VEVENT\nEND:VCALENDAR\n",
        "ada.vcf": f"BEGIN:VCARD\nVERSION:3.0\nFN:Ada\nNOTE:{_SENTENCE}\nEND:VCARD\n",
        "note.rtf": rf"{{\rtf1\ansi {_SENTENCE}\par}}",
        "notebook.ipynb": json.dumps(
            {
                "cells": [{"cell_type": "markdown", "metadata": {}, "source": [_SENTENCE]}],
                "metadata": {},
                "nbformat": 4,
                "nbformat_minor": 5,
            }
        ),
    }


def _markup() -> dict[str, str]:
    return {
        "page.html": f"<html><head><title>Peas</title></head><body>{_PARAGRAPH}</body></html>",
        "plan.svg": f'<svg xmlns="http://www.w3.org/2000/svg"><text>{_SENTENCE}</text></svg>',
        "letter.abw": f"<abiword><section>{_PARAGRAPH}</section></abiword>",
        "book.fb2": '<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><description><title-info>'
        f"<book-title>Peas</book-title></title-info></description><body><section>{_PARAGRAPH}</section></body>"
        "</FictionBook>",
    }


def _office() -> dict[str, bytes]:
    row = f'<row r="1"><c r="A1" t="inlineStr"><is><t>{_SENTENCE}</t></is></c></row>'
    return {
        "letter.docx": _package(
            {
                "_rels/.rels": _relation("officeDocument", "word/document.xml"),
                "word/document.xml": f'<w:document xmlns:w="{_W}"><w:body><w:p><w:r><w:t>{_SENTENCE}</w:t></w:r></w:p>'
                "</w:body></w:document>",
            }
        ),
        "slides.pptx": _package(
            {
                "_rels/.rels": _relation("officeDocument", "ppt/presentation.xml"),
                "ppt/presentation.xml": f'<p:presentation xmlns:p="{_P}" xmlns:r="{_R}"><p:sldIdLst>'
                '<p:sldId id="256" r:id="a"/></p:sldIdLst></p:presentation>',
                "ppt/_rels/presentation.xml.rels": _relation("slide", "slides/slide1.xml"),
                "ppt/slides/slide1.xml": f'<p:sld xmlns:p="{_P}" xmlns:a="{_A}"><p:cSld><p:spTree><p:sp><p:txBody>'
                f"<a:p><a:r><a:t>{_SENTENCE}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>",
            }
        ),
        "beds.xlsx": _package(
            {
                "[Content_Types].xml": "<Types/>",
                "_rels/.rels": _relation("officeDocument", "xl/workbook.xml"),
                "xl/workbook.xml": f'<workbook xmlns="{_S}" xmlns:r="{_R}"><sheets>'
                '<sheet name="Beds" sheetId="1" r:id="a"/></sheets></workbook>',
                "xl/_rels/workbook.xml.rels": _relation("worksheet", "worksheets/sheet1.xml"),
                "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_S}"><sheetData>{row}</sheetData></worksheet>',
            }
        ),
        "letter.odt": _package(
            {
                "mimetype": "application/vnd.oasis.opendocument.text",
                "content.xml": f'<office:document-content xmlns:office="{_ODF}:office:1.0" '
                f'xmlns:text="{_ODF}:text:1.0"><office:body><office:text><text:p>{_SENTENCE}</text:p></office:text>'
                "</office:body></office:document-content>",
            }
        ),
    }


def _books() -> dict[str, bytes]:
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="book.opf"/></rootfiles></container>'
    )
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest>'
        '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="a"/></spine></package>'
    )
    chapter = f'<html xmlns="http://www.w3.org/1999/xhtml"><body>{_PARAGRAPH}</body></html>'
    parts = {"mimetype": "application/epub+zip", "META-INF/container.xml": container, "book.opf": package}
    return {"book.epub": _package({**parts, "a.xhtml": chapter})}


def _archives() -> dict[str, bytes]:
    data = _SENTENCE.encode()
    taped, sevens = io.BytesIO(), io.BytesIO()
    with tarfile.open(fileobj=taped, mode="w") as tape:
        entry = tarfile.TarInfo("inside.txt")
        entry.size = len(data)
        tape.addfile(entry, io.BytesIO(data))
    with py7zr.SevenZipFile(sevens, "w") as archive:
        archive.writestr(_SENTENCE, "inside.txt")
    packed = taped.getvalue()
    return {
        "all.zip": _package({"inside.txt": _SENTENCE}),
        "all.7z": sevens.getvalue(),
        "all.tar.gz": gzip.compress(packed),
        "all.tar.bz2": bz2.compress(packed),
        "all.tar.xz": lzma.compress(packed),
        "all.tar.zst": zstd.compress(packed),
    }


def _pdf() -> bytes:
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), _SENTENCE)
    data: bytes = document.tobytes()
    return data


def _picture() -> bytes:
    written = PngImagePlugin.PngInfo()
    written.add_text("Description", _SENTENCE)
    drawn = io.BytesIO()
    Image.new("RGB", (64, 48), "white").save(drawn, "png", pnginfo=written)
    return drawn.getvalue()


def _recording() -> bytes:
    title = b"\x03" + _SENTENCE.encode()  # UTF-8
    tag = b"TIT2" + len(title).to_bytes(4) + bytes(2) + title
    frame = b"\xff\xfb\x90\x00".ljust(417, b"\0")  # an MPEG layer 3 frame: 128 kbit/s, 44.1 kHz, silence
    return b"ID3\x04\0\0" + len(tag).to_bytes(4) + tag + 40 * frame


def _outlook_mail() -> bytes:
    top = {"__properties_version1.0": properties(32)}
    return ole({**top, **texts_of({0x0037: "Peas", 0x1000: _SENTENCE})})


def _relation(kind: str, target: str) -> str:
    return (
        f'<Relationships xmlns="{_RELATIONS}"><Relationship Id="a" Type="{_R}/{kind}" Target="{target}"/>'
        "</Relationships>"
    )


def _package(parts: Mapping[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in parts.items():
            package.writestr(name, text)
    return packed.getvalue()
