"""Conversations as files and on paper: every format from a stored conversation, with hostile text in it."""

import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import pymupdf
import pytest
from markdown_it import MarkdownIt
from PySide6.QtGui import QTextBlock, QTextDocument
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import Claim, Judgment, Mark, Operand, RunStopped
from desktop_rag.agent.prompts import UNSURE
from desktop_rag.chat_server.chat_requests import readable_answer
from desktop_rag.errors import ExportError
from desktop_rag.gui.conversation.export.export_files import (
    LINKED,
    ExportFormat,
    as_json,
    encoded,
    format_names,
    path_with_ending,
    safe_name,
)
from desktop_rag.gui.conversation.export.exported_conversation import (
    ExportedConversation,
    as_bibtex,
    as_csl_json,
    as_ris,
    exported,
    plain_reference,
)
from desktop_rag.gui.conversation.export.html_export import as_html, as_markdown
from desktop_rag.gui.os_services import write_file
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import DocumentCard
from desktop_rag.text.desktop_links import link_to
from tests.endpoint import ScriptedEndpoint
from tests.endpoint import Turn as ScriptedTurn
from tests.gui.conversation.conftest import answered, citation
from tests.gui.conversation.conversation_table import Table, answers

HOSTILE = "<script>alert(1)</script> & <img src=http://x/y>"


def card(author: str = "", created: str = "") -> DocumentCard:
    path = Path("/home/ada/Flat/lease.pdf")
    title = "Lease {100 %} & more"
    return DocumentCard(
        ContentId(1), "0" * 64, path, (), "pdf", title, author, created, "en", 0, 1, 1, 1, "", offline=False
    )


def conversation(author: str = "Ada Byron; Émile Zola", created: str = "D:20240315") -> ExportedConversation:
    lease = replace(citation(1), sha256="1" * 64)
    mail = replace(citation(2, "not found", "/home/ada/Flat/a|b.eml"), sha256="2" * 64, quote=HOSTILE)
    text = (
        f"The rent is **due** [1](cite:1).\n\n- Twice [2](cite:2)\n- {HOSTILE}\n\n| a | b |\n|---|---|\n| 1 | `x<y` |"
    )
    doubt = Claim(0, 19, "otherwise", (1,), judgment=Judgment("contradicts", "due [later] | *never*"))
    turns = [
        Turn(1, f"When is it due? {HOSTILE}", (replace(answered(text, (lease, mail)), claims=(doubt,)),), 10**18),
        Turn(2, "And then?", (answered("Again [1](cite:1), *later*.", (lease,)),), 2 * 10**18, 1),
        Turn(3, "Interrupted?", (), 3 * 10**18, 2),
    ]
    return exported(f"Rent {HOSTILE}", turns, lambda each: card(author, created) if each.sha256[0] == "1" else None)


def test_footnotes_count_through_the_whole_conversation() -> None:
    text = as_markdown(conversation(), file_links=True)
    assert "The rent is **due**[^1]. [The model reads otherwise: “due \\[later\\] \\| \\*never\\*”]\n" in text
    assert "Again[^3], *later*." in text
    assert re.findall(r"^\[\^(\d+)\]:", text, re.MULTILINE) == ["1", "2", "3"]
    assert "[^1]: lease.pdf, page 3 · lines 11–14: “The landlord shall" in text
    assert "[lease.pdf#L11-L14](desktop-rag://open?file=/home/ada/Flat/lease.pdf&line=11-14&sha256=" in text
    assert "\n\n*1 statement: 1 that the model reads otherwise*\n\n" in text
    assert "- Ada Byron; Émile Zola (2024). Lease {100 %} & more. lease.pdf." in text
    assert len(conversation().works) == 2


@pytest.mark.usefixtures("qapp")
def test_a_source_leads_to_its_file_only_on_request() -> None:
    address = "file:///home/ada/Flat/lease.pdf#page=3"
    linked = {kind: encoded(conversation(), kind, file_links=True) for kind in LINKED}
    assert f'<a href="{address}">lease.pdf</a>, page 3'.encode() in linked[ExportFormat.HTML]
    assert f"({address})".encode() in linked[ExportFormat.PDF]
    assert b"(desktop-rag://open?file=/home/ada/" in linked[ExportFormat.MARKDOWN]
    for kind in LINKED:
        page = encoded(conversation(), kind)
        assert b"/home/ada" not in page
        assert b"file:" not in page
    assert "</sup> lease.pdf, page 3" in as_html(conversation())


@pytest.mark.usefixtures("qapp")
def test_a_doubted_statement_is_marked_where_it_stands() -> None:
    rent, row = "The rent is **EUR 9,999**.", "| Set-off | EUR 6,200 [1](cite:1) |"
    text = f"{rent} It is due monthly [1](cite:1).\n\n| Item | Sum |\n|---|---|\n{row}\n| Rent | EUR 1 |\n"
    claims = (
        Claim(0, len(rent), "uncited"),
        Claim(len(rent) + 1, text.index("\n"), "read", (1,)),
        Claim(text.index(row), text.index(row) + len(row), "silent", (1,)),
    )
    turns = [Turn(1, "Rent?", (replace(answered(text, (citation(1),)), claims=claims),), 10**18)]
    made = exported("Rent", turns, lambda _: None)
    markdown = as_markdown(made)
    assert f"{rent} [The model names no source in your documents for this] It is due monthly[^1].\n" in markdown
    assert "| Set-off | EUR 6,200[^1] [The model does not find this in the cited lines] |\n" in markdown
    document = QTextDocument()
    document.setHtml(as_html(made))
    assert "EUR 9,999. [The model names no source in your documents for this] It is" in document.toPlainText()
    assert document.toPlainText().count("[The model does not find this in the cited lines]") == 1
    assert "names no source" not in json.loads(as_json(made))["turns"][0]["answer"]  # as the model wrote it


@pytest.mark.usefixtures("qapp")
def test_notes_of_the_program_are_in_the_language_of_the_question() -> None:
    turns = [Turn(1, "Wie hoch ist die Miete, und wer zahlt sie?", (answered(f"{UNSURE}\n\n> Die Miete", ()),), 10**18)]
    assert "Ob dies die Frage beantwortet" in exported("Miete", turns, lambda _: None).turns[0].answer


def test_two_numbers_side_by_side_stay_two() -> None:
    both = (citation(1), citation(2))
    turns = [Turn(1, "Rent?", (answered("Due [1](cite:1)[2](cite:2) [1](cite:1).", both),), 10**18)]
    made = exported("Rent?", turns, lambda _: None)
    assert "Due[^1] [^2] [^1]." in as_markdown(made)
    document = QTextDocument()
    document.setHtml(as_html(made))
    assert re.search(r"Due\s?1,\s?2 1\.", document.toPlainText())
    for text in (as_markdown(made), as_html(made)):
        assert len(re.findall(r"^#+ Rent\?|<h\d>Rent\?", text, re.MULTILINE)) == 1  # the title is the question


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(
    "text", ["It drifts by 2.4 mm [1](cite:1).", "Is it due? [1](cite:1) Yes", "房租是九百欧元。[1](cite:1)"]
)
def test_a_number_stays_on_the_line_of_its_statement(text: str) -> None:
    turns = [Turn(1, "Rent?", (answered(text, (citation(1),)),), 10**18)]
    document = QTextDocument()
    document.setHtml(as_html(exported("Rent?", turns, lambda _: None)))
    block = list(_blocks_of(document))[2]  # below the title and the time
    for width in range(130, 300, 2):
        document.setTextWidth(width)
        document.size()  # lays out
        starts = [block.layout().lineAt(at).textStart() for at in range(block.layout().lineCount())]
        assert not any(block.text()[start:].startswith("1") for start in starts if start), width


def _blocks_of(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


@pytest.mark.usefixtures("qapp")
def test_lists_and_quotations_are_indented_on_paper() -> None:
    text = "1. One\n   - below\n\n> Quoted.\n\nLast."
    document = QTextDocument()
    document.setHtml(as_html(exported("Rent?", [Turn(1, "Rent?", (answered(text, ()),), 10**18)], lambda _: None)))
    levels = {block.text().strip("•1.\xa0 "): block.blockFormat().indent() for block in _blocks_of(document)}
    assert (levels["Last"], levels["One"], levels["below"], levels["Quoted"]) == (0, 1, 2, 1)


@pytest.mark.usefixtures("qapp")
def test_chinese_is_not_slanted() -> None:
    text = "*Quoted from your files.* *逐字引自您的文档。*"
    page = as_html(exported("Rent?", [Turn(1, "Rent?", (answered(text, ()),), 10**18)], lambda _: None))
    assert "<i>Quoted from your files.</i>" in page
    assert "<i>逐" not in page


def test_an_answer_that_was_stopped_says_so_and_ends_with_a_word() -> None:
    for text, end in (
        ("-", ""),
        ("It is due.\n\n- ", "It is due."),
        ("It is due.\n2.", "It is due."),
        ("Well", "Well"),
    ):
        turns = [Turn(1, "Rent?", (RunStopped(text, (), 1.0),), 10**18)]
        made = exported("Rent?", turns, lambda _: None)
        assert made.turns[0].answer == end
        assert as_markdown(made).endswith(f"{end}\n\n*This answer is not complete.*\n".lstrip())


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(
    ("mark", "note"),
    [
        ("quoted", ""),
        ("read", ""),
        ("unchecked", ""),
        ("earlier", ""),
        ("missing", " [“8,400 euros” is not written in the cited lines]"),
        ("computed", r" [Computed here: 24 × 350 = 8,400, from \[2\]]"),
        ("silent", " [The model does not find this in the cited lines]"),
    ],
)
def test_a_statement_has_a_note_in_the_words_of_the_window(mark: Mark, note: str) -> None:
    text = "It is 8,400 euros [1](cite:1)."
    claim = Claim(0, len(text), mark, (1,))
    if mark == "missing":
        claim = replace(claim, missing=("8,400 euros",))
    elif mark == "computed":
        claim = replace(claim, computed="24 × 350 = 8,400", operands=(Operand("24", 1), Operand("350", 1)))
    first = Turn(1, "Before?", (answered("Due [1](cite:1).", (citation(1),)),), 10**18)
    second = Turn(2, "How much?", (replace(answered(text, (citation(1),)), claims=(claim,)),), 10**18, 1)
    assert f"It is 8,400 euros[^2].{note}\n" in as_markdown(exported("Rent", [first, second], lambda _: None))


def test_a_file_has_the_ending_of_its_format(tmp_path: Path) -> None:
    markdown, page = ExportFormat.MARKDOWN, ExportFormat.HTML
    for name, kind in (("a.md", markdown), ("a.txt", markdown), ("a.csl.json", ExportFormat.CSL), ("a.htm", page)):
        assert path_with_ending(tmp_path / name, kind).name == name
    assert path_with_ending(tmp_path / "a.odt", markdown).name == "a.odt.md"
    (tmp_path / "a.odt.md").touch()
    assert path_with_ending(tmp_path / "a.odt", markdown).name == "a.odt (2).md"


def test_markdown_for_other_programs_loads_nothing() -> None:
    text = f"Due [1](cite:1). ![x](http://e.example/?d=1) {HOSTILE} `x<y`"
    turns = [Turn(1, HOSTILE, (answered(text, (citation(1),)),), 10**18)]
    served, annotations = readable_answer(answered(text, (citation(1),)))
    for made in (served, as_markdown(exported(HOSTILE, turns, lambda _: None))):
        tokens = MarkdownIt("commonmark", {"html": True}).parse(made)
        kinds = {each.type for token in tokens for each in (token, *(token.children or ()))}
        assert not kinds & {"image", "html_inline", "html_block"}, made
        assert "`x<y`" in made
    assert len(annotations) == 1
    assert served.startswith("Due [1]. \\![x](http://e.example/?d=1) \\<script>")


def test_a_title_and_a_quote_of_several_lines_begin_nothing_in_markdown() -> None:
    hostile = "Rent\n\n# Paid\n\n![x](http://e.example/q) [y](http://e.example)"
    source = replace(citation(1), quote=hostile)
    turns = [Turn(1, hostile, (answered("Due [1](cite:1).", (source,)),), 10**18)]
    text = as_markdown(exported(hostile, turns, lambda _: None))
    assert [line for line in text.splitlines() if line.startswith("# ")] == [text.splitlines()[0]]
    assert "Paid" in text.splitlines()[0]
    tokens = MarkdownIt("commonmark", {"html": True}).parse(text)
    links = [each.attrs["href"] for token in tokens for each in token.children or () if each.type == "link_open"]
    assert not any(each.type == "image" for token in tokens for each in token.children or ())
    assert all(str(link).startswith("desktop-rag:") for link in links)


class _Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


@pytest.mark.usefixtures("qapp")
def test_a_print_has_readable_formulas_and_numbers_that_can_be_seen_in_any_theme() -> None:
    text = "The area is $\\frac{a+b}{2} h$ [1](cite:1)."
    doubt = Claim(0, len(text), "silent", (1,))
    turns = [Turn(1, "Area?", (replace(answered(text, (citation(1),)), claims=(doubt,)),), 10**18)]
    document = QTextDocument()
    document.setHtml(as_html(exported("Area", turns, lambda _: None)))
    assert document.toPlainText().count("(a+b)/2 h") == 1
    assert "frac" not in document.toPlainText()
    number = document.find("1", document.find("(a+b)/2 h"))
    assert number.charFormat().anchorHref() == "#note1"
    assert number.charFormat().foreground().color().name() == "#2f54c8"


def test_a_web_page_loads_and_runs_nothing() -> None:
    page = as_html(conversation())
    seen = _Seen()
    seen.feed(page)
    names = {tag for tag, _ in seen.tags}
    assert not names & {"script", "img", "link", "iframe", "object"}
    targets = [attributes["href"] for tag, attributes in seen.tags if tag == "a"]
    assert targets
    assert all(target and target.startswith("#") for target in targets)
    anchors = {attributes.get("name") for tag, attributes in seen.tags if tag == "a"}
    assert {str(target)[1:] for target in targets} <= anchors
    assert page.count("&lt;script&gt;") >= 4
    assert "default-src 'none'" in page
    assert "<code>x&lt;y</code>" in page


def test_a_pdf_has_the_text_and_its_pages() -> None:
    with pymupdf.open(stream=encoded(conversation(), ExportFormat.PDF), filetype="pdf") as document:
        text = "\n".join(str(page.get_text()) for page in map(document.load_page, range(document.page_count)))
    assert "The rent is due" in text
    assert "alert(1)" in text
    assert "Émile Zola" in text


def test_the_bibliography_is_escaped_for_each_reference_manager() -> None:
    known = conversation()
    bibtex = as_bibtex(known)
    assert "title = {Lease \\textbraceleft{}100 \\%\\textbraceright{} \\& more}" in bibtex
    assert "author = {Ada Byron and Émile Zola}" in bibtex
    assert "year = {2024}" in bibtex
    assert bibtex.count("@misc{") == 2
    ris = as_ris(known)
    assert ris.count("TY  - GEN\r\n") == ris.count("ER  - \r\n") == 2
    assert "AU  - Émile Zola" in ris
    csl = json.loads(as_csl_json(known))
    assert csl[0]["issued"] == {"date-parts": [[2024]]}
    assert len({item["id"] for item in csl}) == 2
    link = link_to(known.works[0].path, sha256=known.works[0].sha256)
    assert f"  url = {{{link}}},\n" in bibtex
    assert f"UR  - {link}\r\n" in ris
    assert csl[0]["URL"] == link
    unknown = conversation("", "")
    assert plain_reference(unknown.works[0]) == "Lease agreement. a|b.eml."
    assert "author" not in as_bibtex(unknown)


def test_json_has_everything_that_the_answers_cite() -> None:
    data = json.loads(as_json(conversation()))
    assert [turn["question"] for turn in data["turns"]][1:] == ["And then?", "Interrupted?"]
    assert [note["number"] for turn in data["turns"] for note in turn["notes"]] == [1, 2, 3]
    assert data["turns"][0]["notes"][0]["verdict"] == "verbatim"
    assert data["turns"][0]["statements"] == "1 statement: 1 that the model reads otherwise"


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("When? a/b\\c:d", "When a b c d"),
        ("..", "Conversation"),
        ("\x00\n\t", "Conversation"),
        ("con", "_con"),
        ("COM1.txt", "_COM1.txt"),
        ("x" * 300, "x" * 80),
        ("Wie hoch?", "Wie hoch"),
    ],
)
def test_a_title_becomes_a_file_name_that_every_system_takes(title: str, name: str) -> None:
    assert safe_name(title) == name


def test_a_name_of_many_bytes_is_cut() -> None:
    assert len(os.fsencode(safe_name("租" * 200))) <= 200


def test_a_write_that_fails_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rent.md"
    path.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ExportError, match="No space left on device"):
        write_file(path, b"new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_and_a_read_only_file_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ExportError, match="cannot be written"):
        write_file(tmp_path / "gone" / "rent.md", b"new")
    path = tmp_path / "rent.md"
    path.write_text("old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    with pytest.raises(ExportError, match="read-only"):
        write_file(path, b"new")
    assert path.read_text() == "old"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_device_is_refused_and_a_link_stays_one(tmp_path: Path) -> None:
    pipe, name = tmp_path / "pipe", "x" * 250 + ".md"
    os.mkfifo(pipe)
    with pytest.raises(ExportError, match="no regular file"):
        write_file(pipe, b"new")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    (tmp_path / "link.md").symlink_to(tmp_path / name)
    write_file(tmp_path / "link.md", b"new")
    assert (tmp_path / "link.md").is_symlink()
    assert (tmp_path / name).read_bytes() == b"new"


def _copied(start: str) -> bool:
    return QApplication.clipboard().text().startswith(start)


@pytest.mark.processes
def test_a_stored_conversation_is_written_in_every_format(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot, tmp_path: Path, wait_for_dialog: Callable[[], QFileDialog]
) -> None:
    cited = 'Monthly. [turn1search1 L3 "the third working day"]'
    endpoint.script = answers(ScriptedTurn(text=cited))
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.ask("Is the rent due?")
    (number,) = table.wait_until_listed("Is the rent due?")
    written: dict[ExportFormat, bytes] = {}
    for kind in format_names():
        path = tmp_path / f"rent.{kind}"
        with qtbot.waitSignal(table.control.saved, timeout=60_000) as said:
            table.control._export.write(number, path, kind)
        assert said.args == [f"Saved as {path.name}", path]
        written[kind] = path.read_bytes()
    assert b"Monthly." in written[ExportFormat.MARKDOWN]
    assert b"file:" not in written[ExportFormat.HTML]
    table.panel.export_requested.emit(number)
    dialog = wait_for_dialog()
    dialog.selectNameFilter("Web page with links to the files on this computer (*.html)")
    with qtbot.waitSignal(table.control.saved, timeout=60_000):
        dialog.fileSelected.emit(str(tmp_path / "linked"))
        dialog.reject()
    assert 'href="file:///' in (tmp_path / "linked.html").read_text()
    assert written[ExportFormat.PDF].startswith(b"%PDF-")
    stored: list[Turn] = []
    table.control.repository.run(lambda store, _: store.load(number).turns[0], stored.append)
    qtbot.waitUntil(lambda: bool(stored))
    [cited_lines] = stored[0].events[-1].citations  # type: ignore[union-attr]
    for kind, start in ((ExportFormat.BIBTEX, "@misc{"), (ExportFormat.CSL, "[\n")):
        QApplication.clipboard().clear()
        table.pane.requests.viewer.bibliography_requested.emit(cited_lines, kind)
        qtbot.waitUntil(partial(_copied, start), timeout=60_000)
        copied = QApplication.clipboard().text()
        assert f"lease-agreement-{cited_lines.sha256[:6]}" in copied  # no other document's, whatever its title
        assert f"line {cited_lines.first_line}" in copied
    with qtbot.waitSignal(table.control.repository.trouble, timeout=60_000) as trouble:
        table.control._export.write(number, tmp_path / "gone" / "x.md", ExportFormat.MARKDOWN)
    assert trouble.args[0] == "Nothing was exported"


def test_the_menu_asks_for_a_place_and_printing_makes_pages(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot, tmp_path: Path, wait_for_dialog: Callable[[], QFileDialog]
) -> None:
    endpoint.script = answers(ScriptedTurn(text="Monthly."))
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.ask("Is the rent due: when?")
    (number,) = table.wait_until_listed("Is the rent due: when?")
    table.panel.export_requested.emit(number)
    dialog = wait_for_dialog()
    assert dialog.selectedFiles()[0].endswith("Is the rent due when.md")
    with qtbot.waitSignal(table.control.saved, timeout=60_000):
        dialog.fileSelected.emit(str(tmp_path / "rent.html"))
        dialog.reject()
    assert (tmp_path / "rent.html").read_text().startswith("<!DOCTYPE html>")  # as its name says, not the list
    printer = QPrinter()
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "printed.pdf"))
    with qtbot.waitSignal(table.control.saved, timeout=60_000) as saved:
        table.control._export.print_on(number, printer)
    assert saved.args == ["Printed “Is the rent due: when?”", tmp_path / "printed.pdf"]  # is offered in its folder
    table.control.close()  # finishes what was queued
    with pymupdf.open(str(tmp_path / "printed.pdf")) as document:
        assert "Monthly." in str(document.load_page(0).get_text())


@pytest.fixture
def wait_for_dialog(qtbot: QtBot, table: Table) -> Callable[[], QFileDialog]:
    def wait() -> QFileDialog:
        qtbot.waitUntil(lambda: bool(table.pane.findChildren(QFileDialog)))
        return table.pane.findChildren(QFileDialog)[0]

    return wait
