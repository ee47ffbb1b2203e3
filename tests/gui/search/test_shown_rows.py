from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QTextLayout
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.documents.document import Span
from desktop_rag.documents.file_types import Format
from desktop_rag.gui.search import results_list
from desktop_rag.gui.search.query_row import OFFERED, ModeBox, QueryRow, SearchNameDialog, names_of
from desktop_rag.gui.search.result_summary import ResultSummary
from desktop_rag.gui.search.results_list import ResultsList, below_heading
from desktop_rag.gui.search.results_model import (
    DocumentRow,
    FileRow,
    HeadingRow,
    HitRow,
    ResultsModel,
    documents_of,
    shown_code,
)
from desktop_rag.gui.snippet_text import set_apart, shown_quote, shown_snippet
from desktop_rag.gui.theme.theme import Look, current_colors, text_font
from desktop_rag.gui.theme.theme_colors import LIGHT
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.api import FurtherPlace, Hit, MatchReason, Mode, NamedFile, SearchResult, Snippet
from desktop_rag.settings import Theme, Withheld


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("## 4. Ending the lease early  Either side", "4. Ending the lease early  Either side"),
        ("…of May. # Rent  The rent", "…of May. Rent  The rent"),
        ("| a | b | |---|:--:| | 1 | 2 |", "a · b; 1 · 2"),
        ("…| b | | 1 | 2 | Text | more.", "…b; 1 · 2 · Text · more."),
        ("the **lease** in C# 7", "the lease in C# 7"),
        ("Run:  ```python import os ```  Then **go** on.", "Run:  import os  Then go on."),
        ("~~~{.r echo=FALSE} x ~~~", "x "),
        ("a ```inline``` b", "a inline b"),
        ("Use `cat x | grep y`.", "Use cat x | grep y."),
        ("Before.  | a | b | |---|---| | 1 | 2 |  After.", "Before.  a · b; 1 · 2  After."),
        ("…| 1 | 2 |…", "…1 · 2…"),
        ("- 19 August: oil  ## 2025  - 12 April - 3 litres", "19 August: oil  2025  12 April - 3 litres"),
    ],
)
def test_the_signs_of_markdown_are_not_shown(text: str, shown: str) -> None:
    assert shown_snippet(text, (), "markdown")[0] == shown


def test_links_of_a_wiki_are_shown_by_their_text() -> None:
    text = "See [[Lease]] and [[notes/Rent#Due|the rent]] of a[0]]"
    assert shown_snippet(text, (), Format.MARKDOWN)[0] == "See Lease and the rent of a[0]]"
    assert shown_snippet(text, (), Format.TEXT)[0] == text
    shown, [mark] = shown_snippet(text, ((text.index("rent"), text.index("rent") + 4),), Format.MARKDOWN)
    assert shown[slice(*mark)] == "rent"


def test_marks_stay_on_their_words() -> None:
    text = "## The lease  of **the** lease,    twice the lease"
    places = [at for at in range(len(text)) if text.startswith("lease", at)]
    shown, marks = shown_snippet(text, tuple((at, at + 5) for at in places), "markdown")
    assert shown == "The lease  of the lease,  twice the lease"
    assert [shown[start:end] for start, end in marks] == ["lease"] * 3


def test_marks_stay_on_the_cells_of_a_table() -> None:
    text = "| Month | Rent | |---|--:| | May | 840 |"
    places = tuple((text.index(word), text.index(word) + len(word)) for word in ("Rent", "840"))
    shown, marks = shown_snippet(text, places, "markdown")
    assert shown == "Month · Rent; May · 840"
    assert [shown[start:end] for start, end in marks] == ["Rent", "840"]


@pytest.mark.parametrize("kind", ["markdown", "latex"])
def test_formulas_are_shown_as_text_and_marks_stay_on_their_words(kind: str) -> None:
    text = r"The rate $\frac{a+b}{2}$ of rent \(x_1 \le \alpha\) costs $5 and $10 of rent; \[ E = mc^2 \]"
    places = tuple((at, at + 4) for at in range(len(text)) if text.startswith("rent", at))
    shown, marks = shown_snippet(text, places, kind)
    assert shown == "The rate (a+b)/2 of rent x₁ ≤ α costs $5 and $10 of rent; E = mc²"
    assert [shown[start:end] for start, end in marks] == ["rent", "rent"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"& Sensors & 12 \\ \hline Fans & 3", "Sensors · 12; Fans · 3"),
        (r"\hline & Sensors & 12", "Sensors · 12"),
        (r"\\ Sensors & 12", "Sensors · 12"),
        (r"…& Sensors", "…Sensors"),
    ],
)
def test_a_passage_of_a_latex_table_begins_with_a_cell(text: str, shown: str) -> None:
    assert shown_quote(text, Format.LATEX) == shown


def test_a_formula_that_was_looked_for_and_one_in_code_stay() -> None:
    text = r"so $x \le \alpha$ holds"
    at = text.index("alpha")
    assert shown_snippet(text, ((at, at + 5),), "markdown") == (text, ((at, at + 5),))
    assert shown_snippet(text, (), "code")[0] == text


def test_what_was_looked_for_is_shown_whatever_it_is() -> None:
    assert shown_snippet("## Rent", ((0, 2),), "markdown") == ("## Rent", ((0, 2),))


def test_a_word_that_was_looked_for_stays_although_it_names_the_language_of_code() -> None:
    shown, marks = shown_snippet("Run:  ```python import os ```", ((9, 15),), "markdown")
    assert [shown[start:end] for start, end in marks] == ["python"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            r"\begin{table}\caption{Drift}\begin{tabular}{lr}Estuary & Drift\\ \hline Ems & 3.3\end{tabular}",
            "Drift Estuary · Drift; Ems · 3.3",
        ),
        (r"\section{Salt} The \textbf{salinity} is 3 \% \label{sec:a}here.", "Salt The salinity is 3 % here."),
        (r"\begin{equation} S = \frac{a}{b} \end{equation} where", "S = a/b where"),
        (r"\begin{itemize}\item One.\item Two.\end{itemize}", "• One. • Two."),
        (r"\begin{figure}[ht] \begin{longtable}[c]{l|r} Ems & 3 \end{longtable}", "Ems · 3"),
        (r"An \unknown{command} stays", r"An \unknown{command} stays"),
        (r"\author{Ada Roe \and John Doe}", "Ada Roe, John Doe"),
        (r"Eq.~\eqref{eq:mass} (\ref{eq:mass}), \cref{sec:model,tab:rents}", "Eq. (mass) (mass), (model, rents)"),
    ],
)
def test_latex_is_shown_by_what_its_commands_stand_for(text: str, shown: str) -> None:
    assert shown_quote(text, "latex") == shown
    assert shown_quote(text, "txt") == " ".join(text.split())


def test_marks_stay_on_their_words_in_latex() -> None:
    text = r"The \textbf{salinity} of water"
    shown, ((start, end),) = shown_snippet(text, ((12, 20),), "latex")
    assert (shown, shown[start:end]) == ("The salinity of water", "salinity")


def test_other_formats_lose_only_their_gaps() -> None:
    assert shown_snippet("# port =   1 ** 2", ((11, 12),), "code") == ("# port =  1 ** 2", ((10, 11),))


@pytest.mark.usefixtures("qapp")
def test_a_snippet_that_does_not_fit_ends_with_an_ellipsis_at_every_width() -> None:
    words = "In this section we study the effect of attention heads on the scaling results of our model"
    marks = tuple((words.index(word), words.index(word) + len(word)) for word in ("attention", "heads", "results"))
    row = HitRow(_row("", "heads.pdf").hit, "page 14", words, marks)
    cut = 0
    for room in range(80, 700, 7):
        layout = results_list._layout(row, room, LIGHT)
        assert layout.lineCount() <= 2, room
        assert layout.text() == words or layout.text().endswith("…"), room
        cut += layout.text() != words
    assert cut > 10


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("face", ["", "😀 "])
def test_the_first_word_found_is_shown_however_late_it_stands(face: str) -> None:
    words = (
        f"The monthly rent {face}is due on the first working day. Either party may terminate with three months’ notice."
    )
    place = words.index("notice")
    row = HitRow(_row("", "lease.md").hit, "line 3", words, ((place, place + 6),))
    begun_later = 0
    for room in range(160, 900, 20):
        layout = results_list._layout(row, room, LIGHT)
        (mark,) = layout.formats()
        cut = layout.text().encode("utf-16-le")[2 * mark.start : 2 * (mark.start + mark.length)]
        assert cut.decode("utf-16-le") == "notice", room
        assert layout.lineForTextPosition(mark.start).lineNumber() < 2, room
        begun_later += layout.text().startswith("…")
        assert layout.text().startswith("…") or layout.text() == words, room
    assert begun_later > 3


def test_a_snippet_is_broken_once_and_its_height_follows_width_and_font(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken: list[int] = []
    real = results_list._layout

    def counted(row: HitRow, room: int) -> QTextLayout:
        broken.append(room)
        return real(row, room)

    monkeypatch.setattr(results_list, "_layout", counted)
    results = ResultsList()
    qtbot.addWidget(results)
    delegate = results.itemDelegate()
    assert isinstance(delegate, results_list.ResultsDelegate)
    row = HitRow(_row("", "lease.md").hit, "line 3", "Either party may terminate with three months’ notice.")
    assert [delegate._lines(row, 500), delegate._lines(replace(row, place="line 4"), 500)] == [1, 1]
    assert broken == [500]
    assert delegate._lines(row, 150) == 2
    large = QFont(text_font().family(), 30)
    monkeypatch.setattr(results_list, "text_font", lambda *_: large)
    assert delegate._lines(row, 500) == 2


def test_a_title_stands_alone_and_the_file_name_before_the_folder() -> None:
    row = _row("Lease agreement for the boathouse at 14 Harbour Lane", "Lease.md")
    assert below_heading(row) == "Lease.md  ·  /"
    assert below_heading(replace(row, title="")) == "/"
    hit = replace(row.hit, path=Path("/Invoice 7.pdf"), title="Invoice 7")
    assert [document.row.title for document in documents_of([hit])] == [""]  # it only repeats the name


def test_the_short_names_of_the_ways_to_search_have_room(qapp: QApplication) -> None:
    box = ModeBox()
    box.set_short(short=False)
    whole = box.width()
    box.set_short(short=True)
    saved = whole - box.width()
    advance = box.fontMetrics().horizontalAdvance
    longest = [max(advance(names_of(mode)[which]) for mode in OFFERED) for which in (0, 1)]
    assert 0 < saved <= longest[0] - longest[1]
    box.deleteLater()


def _row(title: str, name: str) -> DocumentRow:
    span = Span(1, 1, 0, 1)
    snippet, why = Snippet("", (), span), MatchReason()
    path = Path("/") / name
    hit = Hit(1, ChunkId(1), ContentId(1), "", path, (), "markdown", title, 0, 0, None, "", span, 1.0, snippet, why)
    return DocumentRow(hit, 1, title, name, "/", "")


def test_hits_in_several_languages_name_them() -> None:
    known = _row("T", "note.md").hit
    german, english = replace(known, language="de"), replace(known, content=ContentId(2), language="en")
    shown = [document.row.folder for document in documents_of([german, english])]
    assert shown == ["German  ·  /", "English  ·  /"]
    assert [document.row.folder for document in documents_of([german])] == ["/"]


def test_similar_passages_follow_below_a_heading_that_cannot_be_chosen() -> None:
    def hit(number: int) -> Hit:
        span = Span(1, 1, 0, 4)
        snippet, path = Snippet("Text", (), span), Path(f"/home/me/{number}.md")
        why = MatchReason()
        content, chunk = ContentId(number), ChunkId(number)
        return Hit(1, chunk, content, "", path, (), "markdown", "T", 0, 0, None, "", span, 1.0, snippet, why)

    model = ResultsModel()
    model.show_hits([hit(1)], [hit(2)])
    kinds = [type(row) for row in model.rows]
    assert kinds == [DocumentRow, HitRow, HeadingRow, DocumentRow, HitRow]
    heading = model.index(2)
    assert heading.data() == "Similar passages without your words"
    assert model.flags(heading) == Qt.ItemFlag.NoItemFlags
    with_word = replace(hit(2), why=MatchReason(has_word=True))
    model.show_hits([hit(1)], [hit(3), with_word])
    assert model.index(2).data() == "Similar passages that do not fulfil your query"
    model.show_hits([hit(1)])
    assert [type(row) for row in model.rows] == [DocumentRow, HitRow]


def test_a_passage_found_by_the_name_of_its_file_says_so() -> None:
    hit = _row("Tolls", "tolls.md").hit
    model = ResultsModel()
    model.show_hits([hit, replace(hit, content=ContentId(2), why=MatchReason(has_word=True, by_name=True))])
    places = [row.place for row in model.rows if isinstance(row, HitRow)]
    assert [place.endswith("found by its name") for place in places] == [False, True]


def test_each_place_of_a_passage_is_a_row_and_counts(qtbot: QtBot) -> None:
    hit = _row("Tolls", "tolls.md").hit
    further = tuple(FurtherPlace(Snippet(f"Toll {at}", (), Span(at, at, at, at + 1)), page=at) for at in (2, 3, 4))
    hit = replace(hit, further=further)
    model = ResultsModel()
    model.show_hits([hit])
    assert [row.hit.page for row in model.rows if isinstance(row, HitRow)] == [None, 2, 3, 4]
    other = replace(hit, chunk=ChunkId(2), content=ContentId(2), further=())
    model.show_hits([hit, other])
    assert model.reveal(hit.by_place()[3]) == 4
    assert isinstance(row := model.rows[4], HitRow)
    assert row.hit.page == 4
    summary = ResultSummary(holder := QWidget())
    qtbot.addWidget(holder)
    summary.show_result(SearchResult("toll", Mode.KEYWORD, 1.0, (hit, other), 1.0), more=False)
    assert summary.text() == "5 passages in 2 documents"


def test_what_is_never_sent_is_named_so(qtbot: QtBot) -> None:
    private = replace(_row("Merger", "private/merger.md").hit, chunk=ChunkId(1), content=ContentId(1))
    copied = replace(_row("Rent", "rent.md").hit, chunk=ChunkId(2), content=ContentId(2))
    named = NamedFile(Path("/private/scan.png"), 0, 0, "a picture")
    model = ResultsModel()
    model.show_hits([private, copied], named=(named,))
    with qtbot.waitSignal(model.dataChanged):
        model.withhold(Withheld((b"/private",)))
    spoken = [str(model.index(place).data(Qt.ItemDataRole.AccessibleTextRole)) for place in range(model.rowCount())]
    assert [text.endswith("never sent") for text in spoken] == [True, False, False, False, False, True]
    assert [model.is_never_sent(row) for row in model.rows] == [True, True, False, False, False, True]
    tip = str(model.index(0).data(Qt.ItemDataRole.ToolTipRole))
    assert "no model gets its text" in tip
    model.show_hits([replace(copied, also=(Path("/private/rent.md"),))])  # one copy suffices, as in the engine
    assert model.is_never_sent(model.rows[0])
    model.withhold(Withheld())
    assert not any(map(model.is_never_sent, model.rows))


@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK])
def test_what_is_never_sent_is_painted_grey(qtbot: QtBot, qapp: QApplication, theme: Theme) -> None:
    Look(qapp).use(theme)
    hit = replace(
        _row("Merger", "private/merger.md").hit, snippet=Snippet("The merger with Northwind", (), Span(1, 1, 0, 25))
    )
    model = ResultsModel()
    model.show_hits([hit], named=(NamedFile(Path("/private/scan.png"), 0, 0, "a picture"),))
    view = ResultsList()
    qtbot.addWidget(view)
    view.setModel(model)
    view.resize(600, 400)
    view.show()
    painted = [row for row in range(model.rowCount()) if isinstance(model.rows[row], DocumentRow | HitRow | FileRow)]
    assert len(painted) == 3

    def inks(row: int) -> set[str]:
        picture = view.grab(view.visualRect(model.index(row))).toImage()
        return {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}

    ink = current_colors().text
    assert all(ink in inks(row) for row in painted)
    model.withhold(Withheld((b"/private",)))
    assert not any(ink in inks(row) for row in painted)
    assert all(current_colors().muted in inks(row) for row in painted)


def test_a_document_that_is_never_sent_because_of_a_tag_names_it(qtbot: QtBot) -> None:
    tagged = replace(_row("Merger", "merger.md").hit, chunk=ChunkId(1), content=ContentId(1), tags=("Board/Secret",))
    plain = replace(_row("Rent", "rent.md").hit, chunk=ChunkId(2), content=ContentId(2), tags=("boards",))
    model = ResultsModel()
    model.show_hits([tagged, plain], named=(NamedFile(Path("/scan.png"), 0, 0, "a picture", ("board",)),))
    with qtbot.waitSignal(model.dataChanged):
        model.withhold(Withheld(tags=("board",)))
    assert [model.is_never_sent(row) for row in model.rows] == [True, True, False, False, False, True]
    tip = str(model.index(0).data(Qt.ItemDataRole.ToolTipRole))
    assert "Because of its tag “Board/Secret”" in tip


def test_code_is_shown_in_lines_without_their_common_indentation() -> None:
    text = "    if open:\n\n\t    close(\u202e)"
    shown, marks = shown_code(text, [(text.index("open"), text.index("open") + 4), (text.index("close"), len(text))])
    assert shown.split("\u2028") == ["if open:", "", " close(\ufffd)"]
    assert [shown[start:end] for start, end in marks] == ["open", "close(\ufffd)"]


def test_files_without_text_follow_below_a_heading_with_their_label() -> None:
    model = ResultsModel()
    model.show_hits([], (), [NamedFile(Path("/home/me/beach.raw"), 0, 10, "Not read.")])
    heading, row = model.rows
    assert isinstance(heading, HeadingRow)
    assert isinstance(row, FileRow)
    assert str(model.index(1).data()).startswith("beach.raw, no text, ")
    assert "Not read." in str(model.index(1).data(Qt.ItemDataRole.ToolTipRole))
    assert model.flags(model.index(1)) == Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


def test_a_search_is_saved_under_the_name_that_was_typed(qtbot: QtBot) -> None:
    row = QueryRow()
    qtbot.addWidget(row)
    row.field.setText("rent AND lease")
    row.ask_for_name()
    dialog = row.findChild(SearchNameDialog)
    assert isinstance(dialog, SearchNameDialog)
    (field,) = dialog.findChildren(QLineEdit)
    assert field.text() == "rent AND lease"
    field.setText("  ")
    assert not dialog.act.isEnabled()
    field.setText(" Rents\n2024 ")
    with qtbot.waitSignal(row.save_requested) as saved:
        dialog.act.click()
    assert saved.args == ["Rents 2024"]


def test_the_cells_of_a_quoted_row_are_separated_by_dots() -> None:
    row = "| Nordvarme | air to water | 41,200 euros |"
    assert shown_quote(row, Format.MARKDOWN) == "Nordvarme · air to water · 41,200 euros"
    assert shown_quote("a | b", Format.TEXT) == "a | b"


@pytest.mark.usefixtures("qapp")
def test_a_tooltip_names_the_home_folder_by_its_sign() -> None:
    model = ResultsModel()
    model.show_hits([replace(_row("", "lease.md").hit, path=Path.home() / "House" / "lease.md")])
    tip = model.data(model.index(0), Qt.ItemDataRole.ToolTipRole)
    assert "~/House/lease.md" in str(tip).replace("\\", "/")
    assert str(Path.home()) not in str(tip)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            r"\begin{table}\caption{Drift by estuary}"
            r"\begin{tabular}{lr}Estuary & Drift\\ \hline Ems & 3.3\\\end{tabular}",
            "Drift by estuary Estuary · Drift; Ems · 3.3;",
        ),
        (r"The \emph{drift}, as said", "The drift, as said"),
        (r"\caption{Salinity by estuary}", "Salinity by estuary"),
        (r"\begin{itemize}\item The Ems drifts most.\end{itemize}", "• The Ems drifts most."),
    ],
)
def test_latex_is_quoted_without_its_commands(text: str, shown: str) -> None:
    assert shown_quote(text, Format.LATEX) == shown


def test_an_equation_is_quoted_as_it_is_read() -> None:
    assert "\\" not in shown_quote(r"\begin{equation} S = \frac{a}{b} \end{equation}", Format.LATEX)


def test_an_empty_line_becomes_a_dot_and_marks_stay_with_their_words() -> None:
    text = "Rent is due.  Deposit  of rent"
    places = [at for at in range(len(text)) if text.lower().startswith("rent", at)]
    shown, marks = set_apart(text, tuple((at, at + 4) for at in places))
    assert shown == "Rent is due. · Deposit · of rent"
    assert [shown[slice(*mark)] for mark in marks] == ["Rent", "rent"]


def test_a_snippet_does_not_begin_with_the_edge_of_a_table() -> None:
    text = "|---|---|\n| Advice | 505 € |\n| Travel | 60 € |\n\nIn all: 565 euros"
    at = text.index("euros")
    shown, [(start, end)] = shown_snippet(text, ((at, at + 5),), "markdown")
    assert shown.startswith("Advice · 505 €; Travel · 60 €")
    assert shown[start:end] == "euros"


def test_fields_of_a_mail_are_told_apart() -> None:
    text = "Date: 2026-03-03 10:01\nSubject: Re: Offer\n\nDear Anna"
    at = text.index("Offer")
    shown, [(start, end)] = set_apart(*shown_snippet(text, ((at, at + 5),), "mail"))
    assert shown == "Date: 2026-03-03 10:01 · Subject: Re: Offer · Dear Anna"
    assert shown[start:end] == "Offer"
    assert shown_snippet("a\nSubject: b", (), "text")[0] == "a Subject: b"
