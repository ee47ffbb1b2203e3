from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from desktop_rag.agent.events import Claim, Operand, ToolReturned
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.conversation.sources.source_chips import SourceChip
from desktop_rag.gui.conversation.sources.sources_list import SourcesList
from desktop_rag.gui.conversation.sources.sources_model import (
    OtherFile,
    SourcesModel,
    UncitedFiles,
    group_citations,
    shown_preview,
    uncited_files,
)
from desktop_rag.gui.viewer.viewer_events import target_of_source
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from tests.gui.conversation.conftest import CITATIONS, citation, source, working_events


@pytest.fixture
def sources(qtbot: QtBot, requests: ConversationRequests) -> SourcesList:
    sources = SourcesList(requests.viewer)
    qtbot.addWidget(sources)
    sources.resize(700, 600)
    sources.show()
    sources.show_citations(CITATIONS)
    return sources


def test_the_sources_model_passes_the_model_tester(qtbot: QtBot) -> None:
    model = SourcesModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    model.set_citations(CITATIONS, 2)
    model.show_all()
    assert model.rowCount() == 4


def test_the_header_counts_sources(sources: SourcesList) -> None:
    assert sources._header.text() == "4 sources"
    sources.show_citations([citation(1), citation(2)])
    assert sources._header.text() == "2 sources"
    sources.show_citations([citation(1, "not found")])
    assert sources._header.text() == "1 source"
    sources.show_citations([citation(1), replace(citation(2), content=citation(1).content)])
    assert sources._header.text() == "1 source"


def test_the_header_counts_statements_by_mark(sources: SourcesList) -> None:
    claims = (*[Claim(n, n + 1, "read", (1,)) for n in range(6)], Claim(7, 9, "uncited"))
    sources.show_citations([citation(1)], claims)
    assert sources._header.text() == "7 statements: 6 read by the model, 1 without a source · 1 document"
    sources.show_citations([citation(1), replace(citation(2), content=citation(1).content)], claims)
    assert sources._header.text().endswith(" · 1 document")
    sources.show_citations((), (Claim(0, 4, "uncited"),))
    assert (sources._header.text(), sources.isVisible(), sources.view.isVisible()) == (
        "1 statement: 1 without a source",
        True,
        False,
    )
    sources.show_citations(())
    assert not sources.isVisible()


def test_a_citation_is_copied_in_every_form(qtbot: QtBot, sources: SourcesList, requests: ConversationRequests) -> None:
    cited = replace(CITATIONS[0], path="/home/ada/lease.md", first_line=40, last_line=46, sha256="ab" * 32)
    sources.show_citations([cited])
    sources.view.customContextMenuRequested.emit(sources.view.visualRect(sources.view.model().index(0, 0)).center())
    menu = sources.view.findChildren(QMenu)[-1]
    copies = {action.text(): action for action in menu.actions() if action.text().startswith("Copy")}
    copied = {}
    for name in list(copies)[:5]:
        copies[name].trigger()
        copied[name] = QApplication.clipboard().text()
    assert copied["Copy path and lines"] == "/home/ada/lease.md#L40-L46"
    assert copied["Copy link"] == f"desktop-rag://open?file=/home/ada/lease.md&line=40-46&sha256={'ab' * 32}"
    assert copied["Copy as Markdown"].startswith(f"> {cited.quote}")
    assert f"[lease.md#L40-L46]({copied['Copy link']}&words=The%20landlord%20" in copied["Copy as Markdown"]
    assert (copied["Copy quote"], copied["Copy reference"][:4]) == (cited.quote, "[1] ")
    for name, kind in (("Copy as BibTeX", "bib"), ("Copy as CSL-JSON", "csl.json")):
        with qtbot.waitSignal(requests.viewer.bibliography_requested) as wanted:
            copies[name].trigger()
        assert wanted.args == [cited, kind]


def test_a_document_of_several_citations_is_copied_too(
    qtbot: QtBot, sources: SourcesList, requests: ConversationRequests
) -> None:
    cited = (citation(1), replace(citation(2), content=citation(1).content))
    sources.show_citations(cited)
    sources.view.customContextMenuRequested.emit(sources.view.visualRect(sources.view.model().index(0, 0)).center())
    menu = sources.view.findChildren(QMenu)[-1]
    with qtbot.waitSignal(requests.viewer.bibliography_requested) as wanted:
        next(action for action in menu.actions() if action.text() == "Copy as BibTeX").trigger()
    assert wanted.args == [cited[0], "bib"]
    next(action for action in menu.actions() if action.text() == "Copy path").trigger()
    assert QApplication.clipboard().text() == cited[0].path
    with qtbot.waitSignal(requests.viewer.folder_requested) as shown:
        next(action for action in menu.actions() if action.text() == "Show in folder").trigger()
    assert shown.args == [Path(cited[0].path)]
    assert menu.actions()[0].text() == "Open the source"
    assert "Copy quote" not in [action.text() for action in menu.actions()]  # that of a passage


def test_each_operand_of_a_sum_opens_its_line(
    qtbot: QtBot, sources: SourcesList, requests: ConversationRequests
) -> None:
    operands = (Operand("900.0", 1), Operand("868.2", 2))
    sum_ = Claim(0, 9, "computed", (1, 2), computed="900.0 − 868.2 = 31.8", operands=operands)
    sources.show_citations([citation(1), citation(2)], (sum_, Claim(9, 12, "unchecked", (1,))))
    assert sources.sums.isVisible()
    assert [link.accessibleName().partition(":")[0] for link in sources.sums.operands] == ["900.0", "868.2"]
    with qtbot.waitSignal(requests.viewer.citation_requested) as opened:
        sources.sums.operands[1].click()
    assert opened.args == [citation(2), (citation(1), citation(2))]
    assert "Computed here:" in [label.text() for label in sources.sums.findChildren(PlainLabel)]
    for made, shown in ((replace(sum_, mark="read"), True), (replace(sum_, mark="otherwise"), False)):
        sources.show_citations([citation(1), citation(2)], (made,))
        assert sources.sums.isVisible() is shown  # a sum of a statement that is refused is no help
    sources.show_citations([citation(1)], (Claim(0, 9, "unchecked", (1,)),))
    assert not sources.sums.isVisible()


def test_a_row_says_where_its_words_stand(sources: SourcesList) -> None:
    wrong = replace(citation(1, "not found"), passage="Other words.")
    moved = replace(citation(2, "misattributed", "/x/b.md"), named="lease.pdf, line 2")
    sources.show_citations([wrong, moved])
    tips = [sources.view.model().index(row, 0).data(Qt.ItemDataRole.ToolTipRole) for row in range(2)]
    assert "The quoted words are nowhere in what was read." in tips[0]
    assert "The words are here; the model named lease.pdf, line 2." in tips[1]


def test_a_row_says_that_its_file_has_changed(sources: SourcesList) -> None:
    sources.show_source_notes({(CITATIONS[0].sha256, CITATIONS[0].path): "changed since this answer"})
    rows = [sources.view.model().index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(2)]
    assert rows[0].startswith(
        "1. lease.pdf, page 3 · lines 11–14 (changed since this answer). The document has these words."
    )
    assert "since this answer" not in rows[1]
    sources.grab()  # drawn without complaint


def test_the_accessible_text_of_a_row_is_complete(sources: SourcesList) -> None:
    spoken = sources.view.model().index(3, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("4. rent.xlsx, lines 14–17. The lines are cited, no words of them.")
    assert "at least three months ahead" in spoken


def test_rows_are_accessible_children(sources: SourcesList) -> None:
    tree = QAccessible.queryAccessibleInterface(sources.view)
    names = [tree.child(row).text(QAccessible.Text.Name) for row in range(tree.childCount())]
    assert [name[:12] for name in names] == ["1. lease.pdf", "2. Lease agr", "3. notes.md,", "4. rent.xlsx"]


def test_a_click_opens_the_source(sources: SourcesList, qtbot: QtBot, requests: ConversationRequests) -> None:
    view = sources.view
    at = view.visualRect(view.model().index(1, 0)).center()
    with qtbot.waitSignal(requests.viewer.citation_requested) as caught:
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert caught.args == [CITATIONS[1], tuple(CITATIONS)]


def test_enter_opens_the_source(sources: SourcesList, qtbot: QtBot, requests: ConversationRequests) -> None:
    sources.view.setCurrentIndex(sources.view.model().index(2, 0))
    with qtbot.waitSignal(requests.viewer.citation_requested) as caught:
        QTest.keyClick(sources.view, Qt.Key.Key_Return)
    assert caught.args == [CITATIONS[2], tuple(CITATIONS)]


def test_many_sources_are_listed_on_request(sources: SourcesList, qtbot: QtBot) -> None:
    sources.show_citations([citation(number) for number in range(1, 13)])
    assert sources.view.model().rowCount() == 6
    (more,) = sources.findChildren(QPushButton)
    assert more.text() == "Show 7 more sources"
    QTest.mouseClick(more, Qt.MouseButton.LeftButton)
    assert sources.view.model().rowCount() == 13
    assert sources.view.currentIndex().row() == 6


def test_a_file_cited_several_times_is_named_once(sources: SourcesList) -> None:
    other = citation(2, path="/home/ada/Flat/notes.md")
    sources.show_citations([citation(1), other, citation(3)])
    assert [len(file.citations) for file in group_citations([citation(1), other, citation(3)])] == [2, 1]
    assert _spoken(sources)[0] == "lease.pdf, cited 2 times"
    assert [row.partition(",")[0] for row in _spoken(sources)[1:]] == ["1. lease.pdf", "3. lease.pdf", "2. notes.md"]


def test_documents_that_are_not_cited_are_folded(
    sources: SourcesList, qtbot: QtBot, requests: ConversationRequests
) -> None:
    read, found = OtherFile(source(1), 1), tuple(OtherFile(source(n), 2) for n in (2, 3))
    sources.show_citations([citation(1)], (), UncitedFiles((read,), found))
    assert _spoken(sources)[1:] == ["Read, not cited, 1 document, folded", "Found, not read, 2 documents, folded"]
    sources.view.setCurrentIndex(sources.view.model().index(1, 0))
    QTest.keyClick(sources.view, Qt.Key.Key_Space)
    assert _spoken(sources)[1] == "Read, not cited, 1 document, unfolded"
    assert _spoken(sources)[2].startswith("lease.pdf, page 3")
    sources.view.setCurrentIndex(sources.view.model().index(2, 0))
    with qtbot.waitSignal(requests.viewer.target_requested) as opened:
        QTest.keyClick(sources.view, Qt.Key.Key_Return)
    assert opened.args == [target_of_source(source(1))]
    QTest.mouseClick(sources.view.viewport(), Qt.MouseButton.LeftButton, pos=_centre(sources, 1))
    assert _spoken(sources)[1] == "Read, not cited, 1 document, folded"


def test_a_run_without_citations_lists_what_it_read(sources: SourcesList) -> None:
    sources.show_citations((), (), UncitedFiles((OtherFile(source(1), 1),)))
    assert sources.isVisible()
    assert sources._header.text() == ""
    assert sources.more.isHidden()


def test_a_run_has_read_what_a_tool_other_than_a_search_showed() -> None:
    cited = "/home/ada/Flat/rent.xlsx"
    files = uncited_files(working_events(), [citation(1, path=cited)])
    read = {file.source.path for file in files.read}
    found = {file.source.path for file in files.found}
    assert read == {source(1).path}
    assert found == {source(n).path for n in range(1, 9)} - read - {cited}


def test_a_passage_that_gives_orders_has_a_calm_note(sources: SourcesList) -> None:
    ordering = replace(source(1), gives_orders=True)
    quoted = replace(citation(1, path=ordering.path), title=ordering.title, first_line=ordering.first_line)
    quoted = replace(quoted, last_line=ordering.first_line)
    elsewhere = replace(quoted, number=2, first_line=ordering.last_line + 1, last_line=ordering.last_line + 1)
    event = ToolReturned(1, "c", "open", "", (ordering,), 0.1, 10, failed=False)
    files = uncited_files([event], [quoted, elsewhere])
    assert [files.gives_orders(each) for each in (quoted, elsewhere)] == [True, False]
    sources.show_citations((quoted,), (), files)
    assert "contains instructions to a model" in _spoken(sources)[0]
    sources.show_citations((), (), uncited_files([event], ()))
    QTest.mouseClick(sources.view.viewport(), Qt.MouseButton.LeftButton, pos=_centre(sources, 0))
    assert any("contains instructions" in text for text in _spoken(sources))
    chip = SourceChip(ordering, sources)
    assert "contains instructions" in chip.accessibleName()
    assert "part of the document" in chip.toolTip()


def test_a_preview_shows_neither_syntax_nor_control_characters() -> None:
    raw = replace(source(1, "/x/notes.md"), preview="# Rent\n\n**Due** on the\x07 [first](http://x.y) day")
    assert shown_preview(raw) == "Rent Due on the first day"
    assert shown_preview(replace(raw, path="/x/notes.txt")) == "# Rent **Due** on the [first](http://x.y) day"


def test_space_shows_the_card_of_a_source(sources: SourcesList, qtbot: QtBot, requests: ConversationRequests) -> None:
    sources.view.setCurrentIndex(sources.view.model().index(0, 0))
    with qtbot.waitSignal(requests.viewer.card_requested) as asked:
        QTest.keyClick(sources.view, Qt.Key.Key_Space)
    (request,) = asked.args
    assert (request.citation, request.by_key) == (CITATIONS[0], True)
    assert request.checked == "The document has these words."


def _spoken(sources: SourcesList) -> list[str]:
    model = sources.view.model()
    return [str(model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)) for row in range(model.rowCount())]


def _centre(sources: SourcesList, row: int) -> QPoint:
    return sources.view.visualRect(sources.view.model().index(row, 0)).center()


def test_the_list_is_as_high_as_its_rows(sources: SourcesList) -> None:
    view = sources.view
    last = view.visualRect(view.model().index(3, 0))
    assert abs(last.bottom() + 1 - view.viewport().height()) <= 1


def test_without_citations_there_is_no_list(sources: SourcesList) -> None:
    sources.show_citations(())
    assert not sources.isVisible()


def test_a_mail_is_named_by_its_subject_and_then_its_file() -> None:
    mail = replace(citation(1), path="/home/ada/Mail/3.eml", title="Mooring fee for 2026", page=None)
    model = SourcesModel()
    model.set_citations([mail], 5)
    named = str(model.data(model.index(0), Qt.ItemDataRole.AccessibleTextRole))
    assert named.startswith("1. Mooring fee for 2026, 3.eml · line")
    model.set_citations([mail, replace(mail, number=2)], 5)
    assert model.data(model.index(0)) == "Mooring fee for 2026"
    assert "3.eml" in str(model.data(model.index(0), Qt.ItemDataRole.AccessibleTextRole))
    model.set_citations([replace(mail, title="")], 5)
    assert str(model.data(model.index(0))).startswith("1. 3.eml, line")
