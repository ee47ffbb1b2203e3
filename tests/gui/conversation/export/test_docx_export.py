"""Conversations and reports as Word documents: read back by the program's own reader, in styles that Word knows."""

import io
import xml.etree.ElementTree as ET
import zipfile
from dataclasses import replace

from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.documents.format_registry import read_document
from desktop_rag.gui.conversation.export.docx_export import as_docx
from desktop_rag.gui.conversation.export.exported_conversation import ExportedConversation, exported
from tests.gui.conversation.conftest import answered, citation

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
TEXT = (
    "The rent is **due** [1](cite:1).\n\n#### Details\n\n- Twice [1](cite:1)\n  - nested\n\n1. One\n2. Two\n\n"
    "Again:\n\n1. First\n\n> Quoted <words> & more\n\n| a | b |\n|---|--:|\n| 1 | `x<y` |\n\n"
    "```\na = 1\nb = 2\n```\n\n---\n\nEnd\x08."
)


def conversation() -> ExportedConversation:
    turns = [
        Turn(1, "When is it due?", (answered(TEXT, (replace(citation(1), path="/home/ada/lease.pdf"),)),), 10**18),
        Turn(2, "And then?", (answered("Again [1](cite:1).", (citation(1),)),), 2 * 10**18, 1),
    ]
    return exported("Rent", turns, lambda _: None)


def parts(data: bytes) -> dict[str, ET.Element]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: ET.fromstring(archive.read(name)) for name in archive.namelist()}


def test_headings_lists_and_tables_have_the_styles_of_word() -> None:
    made = parts(as_docx(conversation()))
    styles = {style.get(f"{_WORD}styleId") for style in made["word/styles.xml"].iter(f"{_WORD}style")}
    used = {
        each.get(f"{_WORD}val")
        for kind in ("pStyle", "rStyle", "tblStyle")
        for each in made["word/document.xml"].iter(f"{_WORD}{kind}")
    }
    assert used <= styles
    assert {"Title", "Heading1", "Heading5", "ListBullet", "ListNumber", "Quote", "Code", "TableGrid"} <= used
    body = made["word/document.xml"]
    numbers = [each.get(f"{_WORD}val") for each in body.iter(f"{_WORD}numId")]
    assert numbers == ["1", "1", "2", "2", "3"]  # the second numbered list begins anew
    known = [each.get(f"{_WORD}numId") for each in made["word/numbering.xml"].findall(f"{_WORD}num")]
    assert set(numbers) <= set(known)


def test_every_number_leads_to_its_reference() -> None:
    body = parts(as_docx(conversation()))["word/document.xml"]
    anchors = [each.get(f"{_WORD}anchor") for each in body.iter(f"{_WORD}hyperlink")]
    marks = [each.get(f"{_WORD}name") for each in body.iter(f"{_WORD}bookmarkStart")]
    assert anchors == ["source1", "source1", "source2"]
    assert marks == ["source1", "source2"]


def test_only_with_links_is_a_path_of_this_computer_written() -> None:
    assert b"/home/ada" not in b"".join(ET.tostring(each) for each in parts(as_docx(conversation())).values())
    linked = parts(as_docx(conversation(), file_links=True))["word/_rels/document.xml.rels"]
    targets = [str(each.get("Target")) for each in linked if each.get("TargetMode") == "External"]
    assert targets[0].startswith("desktop-rag://open?file=/home/ada/lease.pdf&line=11-14")


def test_the_reader_of_documents_reads_it() -> None:
    text = read_document("rent.docx", as_docx(conversation())).text
    for words in ("The rent is due", "nested", "Quoted <words> & more", "x<y", "a = 1", "When is it due?"):
        assert words in text
