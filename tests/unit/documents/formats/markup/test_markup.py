"""The readers of markup languages: the lines stay as in the file, and each gets a kind."""

from textwrap import dedent

import pytest

from desktop_rag.documents.document import Document
from desktop_rag.documents.format_registry import read_document


def read(name: str, text: str) -> Document:
    text = dedent(text).lstrip("\n")
    document = read_document(name, text.encode())
    assert document.text == text.rstrip("\n"), "lines are those of the file"
    return document


def kinds(document: Document) -> list[str]:
    """Return kind and level of each non-blank line, such as `item2`."""
    return [f"{line.kind.name.lower()}{line.level or ''}" for line in document.lines() if line.text.strip()]


def headings(document: Document) -> list[tuple[int, int, str]]:
    return [(entry.line, entry.level, entry.title) for entry in document.structure.outline]


def test_sections_of_restructuredtext_follow_their_adornment() -> None:
    document = read(
        "a.rst",
        """
        =========
        The Lease
        =========

        :Author: Jane Roe
        :Date: 2024-01-02

        Rent
        ====

        When ``due``
        ------------

        Monthly.

        The *End*
        =========
        """,
    )
    assert headings(document) == [(2, 1, "The Lease"), (8, 2, "Rent"), (11, 3, "When due"), (16, 2, "The End")]
    assert (document.title, document.author, document.created) == ("The Lease", "Jane Roe", "2024-01-02")


def test_blocks_of_restructuredtext() -> None:
    document = read(
        "a.rst",
        """
        An example::

            = no heading =
            ==============

        - item
          goes on
        - next

          its paragraph

        .. code-block:: python
           :linenos:

           x = 1

        .. note:: A note
           is text.

        .. a comment
           goes on

        Prose

          quoted

        >>> 1 + 1
        2
        """,
    )
    assert kinds(document) == [
        *("paragraph", "code", "code", "item1", "paragraph", "item1", "paragraph", "field", "field", "code"),
        *("field", "paragraph", "field", "field", "paragraph", "quote1", "code", "code"),
    ]


def test_tables_of_restructuredtext_have_a_header() -> None:
    document = read(
        "a.rst",
        """
        =====  ====
        Name   Rent
        =====  ====
        Ann    3
        Bob    4
        =====  ====

        After

        +-----+-----+
        | A   | B   |
        +=====+=====+
        | 1   | 2   |
        +-----+-----+

        =====  ====
        no     head
        =====  ====

        After
        """,
    )
    assert kinds(document) == [
        *("row", "row1", "row", "row", "row", "row", "paragraph", "row", "row1", "row", "row", "row"),
        *("row", "row", "row", "paragraph"),
    ]


def test_a_transition_is_not_a_heading() -> None:
    assert headings(read("a.rst", "Text\n\n----\n\nmore text\nof two lines\n------------\n")) == []


def test_asciidoc() -> None:
    document = read(
        "a.adoc",
        """
        = The *Lease*
        Jane Roe <jane@example.org>
        v1.2, 2024-01-02
        :toc:

        Text that
        goes on.

        == Rent

        [source,python]
        ----
        == no heading

        * no item
        ----

        * one
        ** two
        . first

        |===
        |Name |Rent

        |Ann |3
        |===

        ____
        Quoted
        ____

        // a comment

        Old style
        ~~~~~~~~~
        """,
    )
    assert kinds(document) == [
        *("heading1", "field", "field", "field", "paragraph", "paragraph", "heading2", "field"),
        *("code", "code", "code", "code", "item1", "item2", "item1", "row", "row1", "row", "row"),
        *("paragraph", "quote1", "paragraph", "field", "heading3", "paragraph"),
    ]
    assert headings(document) == [(1, 1, "The Lease"), (9, 2, "Rent"), (34, 3, "Old style")]
    assert (document.title, document.author, document.created) == ("The Lease", "Jane Roe", "2024-01-02")


def test_org() -> None:
    document = read(
        "a.org",
        """
        #+TITLE: My lease
        #+AUTHOR: Jane Roe
        * TODO [#A] Rent of [[https://example.org][the house]] :home:
          DEADLINE: <2024-01-01>
          :PROPERTIES:
          :ID: 3
          :END:
        Text
        goes on.
        - item
          - below it
        #+BEGIN_SRC python
        * 2
        #+END_SRC
        | A | B |
        |---+---|
        | 1 | 2 |
        : fixed
        #+begin_quote
        Quoted
        #+end_quote
        ** When
        # a comment
        """,
    )
    assert kinds(document) == [
        *("field", "field", "heading1", "field", "field", "field", "field", "paragraph", "paragraph", "item1"),
        *("item2", "field", "code", "field", "row1", "row", "row", "code", "field", "quote1", "field"),
        *("heading2", "field"),
    ]
    assert headings(document) == [(3, 1, "Rent of the house"), (22, 2, "When")]
    assert (document.title, document.author) == ("My lease", "Jane Roe")


def test_latex() -> None:
    document = read(
        "a.tex",
        r"""
        \documentclass{article}
        \title{The Lease\thanks{A note}}
        \author{Jane Roe \and John Doe}
        \begin{document}
        \section{Rent and \emph{more}}
        Text
        goes on.
        % a comment
        \begin{itemize}
          \item one
          \begin{enumerate}
            \item below it
          \end{enumerate}
        \end{itemize}
        \begin{tabular}{ll}
        \hline
        Name & Rent \\ \hline
        Ann & 3 \\
        \end{tabular}
        \begin{verbatim}
        \section{no heading}
        \end{verbatim}
        \begin{quote}
        Quoted
        \end{quote}
        \subsection[short]{A long
        title}
        \end{document}
        """,
    )
    assert kinds(document) == [
        *("field", "field", "field", "field", "heading1", "paragraph", "paragraph", "field", "field", "item1", "field"),
        *("item2", "field", "field", "row", "row", "row1", "row", "row", "code", "code", "code", "field", "quote1"),
        *("quote1", "heading2", "paragraph", "field"),
    ]
    assert headings(document) == [(5, 1, "Rent and more"), (26, 2, "A long title")]
    assert (document.title, document.author) == ("The Lease", "Jane Roe, John Doe")


def test_book_chapters_are_above_sections() -> None:
    document = read("a.tex", "\\chapter{One}\n\\section{Two}\n\\subsection*{Three}\n")
    assert headings(document) == [(1, 1, "One"), (2, 2, "Two"), (3, 3, "Three")]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"K\"ase und Stra{\ss}e", "Käse und Straße"),
        (r"J\'er\^ome, Cura\c{c}ao, na\"{\i}ve", "Jérôme, Curaçao, naïve"),
        (r"Bj{\o}rn \v{S}koda, \L{}\'od\'z", "Bjørn Škoda, Łódź"),
        (r"\section{Gr{\"o}{\ss}e} \textbf{x} \\ \"", r"\section{Größe} \textbf{x} \\ \""),
    ],
)
def test_latex_accent_commands_become_letters(written: str, meant: str) -> None:
    assert read_document("a.tex", written.encode()).text == meant


def test_headings_of_markdown_have_their_names_in_the_outline() -> None:
    document = read("a.md", "# The *Lease*\n\nRent `due`\n----------\n\n- item\n\n[End](x) of it\n=====\n")
    assert headings(document) == [(1, 1, "The Lease"), (3, 2, "Rent due"), (8, 1, "End of it")]


def test_subtitles_are_sections_labelled_with_their_time() -> None:
    text = "1\n00:00:01,000 --> 00:00:02,500\n<i>Hello</i> there.\n\n2\n01:02:03,000 --> 01:02:04,000\nBye.\n"
    document = read_document("film.srt", text.encode())
    assert kinds(document) == ["field", "field", "paragraph", "field", "field", "paragraph"]
    assert document.line(3).text == "Hello there."
    assert [document.structure.section_of(line) for line in (3, 7)] == ["0:00:01", "1:02:03"]


def test_subtitles_of_the_web_may_have_no_hours() -> None:
    document = read_document("film.vtt", b"WEBVTT\n\n01:02.000 --> 01:04.000\n<v Ann>Hello.</v>\n")
    assert document.line(4).text == "Hello."
    assert document.structure.section_of(4) == "0:01:02"
