"""The clean page of a LaTeX file: what its commands stand for, and every shown word at its line."""

import time

from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.documents.document import Document, MarkKind
from desktop_rag.documents.format_registry import read_document
from desktop_rag.gui.viewer.clean.composing import Block, BlockShape, Markup
from desktop_rag.gui.viewer.viewer_events import ViewMode, modes_of
from tests.gui.viewer.clean.conftest import found
from tests.gui.viewer.clean.test_composing import blocks, composer

PAPER = r"""\documentclass{article}
\usepackage{amsmath}
\title{Harbour Rents: A Study}
\newcommand{\eg}{e.g.}
\begin{document}
\maketitle
\section{Model}\label{sec:model}
% a comment
Rents --- \emph{not} fees --- cost 5\,\% of \$100~\cite[p.~5]{smith}, % why
\eg{} ``quoted'' \textbf{over
two lines} of $r = \alpha t^2$ and \unknown{this} one\footnote{A note.}.

\begin{enumerate}
  \item one, see \href{https://example.org}{the page}
  \item two
    goes on
\end{enumerate}
\begin{theorem}[Tides] It holds. \end{theorem}
\begin{equation}\label{eq:rent}
  R(t) &= \frac{a}{b} \\
\end{equation}
\begin{tabular}{lr}
\toprule
Year & Rent \\
\midrule
2021 \& 2022 & 1{,}200 \\
\bottomrule
\end{tabular}
\begin{verbatim}
\emph{as it is}
\end{verbatim}
\end{document}
"""


def latex(text: str) -> Document:
    return read_document("a.tex", text.encode())


def page(text: str) -> list[Block]:
    hidden = (BlockShape.GAP, BlockShape.NOTHING)
    return [block for block in blocks(latex(text), markup=Markup.LATEX) if block.shape not in hidden]


def test_tables_lists_and_formulas_of_one_line_are_shown_in_several() -> None:
    lines = (
        r"\begin{equation}\delta(t)=\alpha\,t\end{equation}",
        r"\begin{table}\caption{Drift}\begin{tabular}{lr}Estuary & Drift\\ \hline Weser \& Co & 1.9\\"
        r" \end{tabular}\end{table}",
        r"\begin{tabular}{lr}\hline A & B\\ \hline C & D\\ \hline\end{tabular}",
        r"\begin{itemize}\item The Ems.\item The Weser.\end{itemize}",
        r"\begin{enumerate}\item One.\item Two.\end{enumerate}",
    )
    assert [" ".join(block.text().replace("\u2028", "\n").split(" ")) for block in page("\n\n".join(lines))] == [
        "δ(t)=α t",
        "Drift\nEstuary  |  Drift\nWeser & Co  |  1.9",
        "A  |  B\nC  |  D",
        "• The Ems.\n• The Weser.",
        "1. One.\n2. Two.",
    ]


def test_a_page_shows_what_the_commands_stand_for() -> None:
    assert [(block.shape, block.text()) for block in page(PAPER)] == [
        (BlockShape.HEADING, "Harbour Rents: A Study"),
        (BlockShape.HEADING, "Model"),
        (
            BlockShape.PARAGRAPH,
            "Rents — not fees — cost 5 % of $100\xa0[p. 5: smith], e.g. “quoted” over two lines of "
            "r = α t² and \\unknown{this} one (A note.).",
        ),
        (BlockShape.ITEM, "1. one, see the page"),
        (BlockShape.ITEM, "2. two goes on"),
        (BlockShape.PARAGRAPH, "Theorem (Tides).  It holds."),
        (BlockShape.PARAGRAPH, "R(t) = a/b"),
        (BlockShape.ROW, "Year\tRent"),
        (BlockShape.ROW, "2021 & 2022\t1,200"),
        (BlockShape.CODE, "\\emph{as it is}"),
    ]
    assert ViewMode.CLEAN in modes_of(found(latex(PAPER)), printed=False)


def test_styles_and_links_lie_on_the_shown_words() -> None:
    strips = [strip for block in page(PAPER) for strip in block.strips]
    styled = {(mark.kind, strip.text[mark.start : mark.end]) for strip in strips for mark in strip.marks}
    assert styled >= {
        (MarkKind.EMPHASIS, "not"),
        (MarkKind.STRONG, "over two lines"),
        (MarkKind.LINK, "the page"),
        (MarkKind.STRONG, "Theorem (Tides). "),
    }


def test_words_of_the_file_are_found_on_the_page() -> None:
    line = next(number for number, text in enumerate(PAPER.split("\n"), 1) if "quoted" in text)
    text = PAPER.split("\n")[line - 1]
    [strip] = next(block for block in page(PAPER) if block.first <= line <= block.last).strips

    def place(words: str) -> str:
        at = text.index(words)
        return strip.text[slice(*(strip.shown(line, at, at + len(words)) or (0, 0)))]

    assert [place(words) for words in ("quoted", "over", r"\eg")] == ["quoted", "over", "e.g."]


def test_a_table_has_its_columns_and_edges_between_its_rules() -> None:
    rows = [block for block in page(PAPER) if block.shape is BlockShape.ROW]
    assert [(row.level, row.opens, row.closes) for row in rows] == [(1, True, False), (0, False, True)]
    table = PAPER.split("\n").index("\\begin{tabular}{lr}") + 1
    assert composer(latex(PAPER), markup=Markup.LATEX).alignments(table) == "lr"


def test_what_is_not_closed_ends_with_its_paragraph() -> None:
    found = page("\\textbf{open {{ \\footnote{x\n\nnext} one \\[ x\n\n\\emph{last} $5\n")
    assert [block.text() for block in found] == ["open   (x", "next one \\[ x", "last $5"]


def test_hostile_lines_cost_little() -> None:
    for text in ("\\foo{" * 4_000, "\\textbf{" * 2_000, "{" * 19_000, "$" * 19_001, "\\item[" * 3_000, "[" * 19_000):
        began = time.process_time()
        latex(f"\\begin{{itemize}}\n{text}\n")
        assert time.process_time() - began < 2, text[:10]


@given(st.text(alphabet="\\{}[]$%&~-ab \n`'", max_size=200), st.sampled_from(("", "\\begin{tabular}{l}\n", "\\[\n")))
def test_any_text_is_composed_and_its_marks_lie_in_it(text: str, before: str) -> None:
    document = latex(f"{before}{text}\\emph{{x}}")
    marks = list(document.structure.each_mark())
    assert all(0 <= mark.start < mark.end <= len(document.text) for mark in marks)
    assert [mark.start for mark in marks] == sorted(mark.start for mark in marks)
    for block in blocks(document, markup=Markup.LATEX):
        assert all(mark.end <= len(strip.text) for strip in block.strips for mark in strip.marks)


def test_references_and_authors_are_shown_in_words() -> None:
    text = r"""\begin{document}
\author{Ada Roe \and John Doe}

Eq.~\eqref{eq:mass} (\ref{eq:mass}), \cref{sec:model,tab:rents} and \ref{plain}.
\end{document}
"""
    assert [block.text() for block in page(text)] == [
        "Ada Roe, John Doe",
        "Eq.\xa0(mass) (mass), (model, rents) and (plain).",
    ]
