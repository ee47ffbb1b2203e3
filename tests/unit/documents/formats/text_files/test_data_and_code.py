"""Delimited tables, data files and source code."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.documents.document import Document, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.format_registry import read_document


def rows(document: Document) -> list[list[str]]:
    return [line.text.split("\t") for line in document.lines() if line.kind is LineKind.ROW]


def names(document: Document) -> list[tuple[int, int, str]]:
    return [(entry.line, entry.level, entry.title) for entry in document.structure.outline]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "Name,Rent\nAnn,3\nBob,4\n"),
        ("a.csv", "Name;Rent\nAnn;3\nBob;4\n"),
        ("a.csv", "Name\tRent\nAnn\t3\nBob\t4\n"),
        ("a.tsv", "Name\tRent\nAnn\t3\nBob\t4\n"),
        ("a.psv", "Name|Rent\nAnn|3\nBob|4\n"),
        ("a.csv", '"Name","Rent"\n"Ann","3"\n"Bob","4"\n'),
    ],
)
def test_cells_are_separated_by_tabs_whatever_the_delimiter(name: str, text: str) -> None:
    document = read_document(name, text.encode())
    assert rows(document) == [["Name", "Rent"], ["Ann", "3"], ["Bob", "4"]]
    assert [line.level for line in document.lines()] == [1, 0, 0]


def test_a_comma_in_a_number_does_not_split_cells() -> None:
    document = read_document("a.csv", b"Name;Rent\nAnn;1,50\nBob;2,50\n")
    assert rows(document)[1] == ["Ann", "1,50"]


def test_the_declared_delimiter_splits_cells() -> None:
    assert read_document("a.csv", "SEP=;\nName;a".encode("utf-16")).text.split() == ["Name", "a"]
    document = read_document("a.csv", b"sep=|\nName|a,b\nAnn|1,2\n")
    assert rows(document) == [["Name", "a,b"], ["Ann", "1,2"]]
    assert document.line(1).kind is LineKind.BLANK


def test_a_row_with_line_breaks_in_cells_stays_on_its_first_line() -> None:
    document = read_document("a.csv", b'Name,Note\nAnn,"one\ntwo ""so"", three"\nBob,x\n')
    assert [line.text for line in document.lines()] == ["Name\tNote", 'Ann\tone two "so", three', "", "Bob\tx"]


def test_a_table_of_numbers_has_no_header() -> None:
    assert read_document("a.csv", b"1,2\n3,4\n").line(1).level == 0


def test_an_unclosed_quotation_mark_loses_no_rows() -> None:
    text = 'Name,Inch\nScreen,"27\n' + "Other,x\n" * 3000
    assert len(rows(read_document("a.csv", text.encode()))) == 3002


@given(st.lists(st.lists(st.text("ab,;\" \n'1", max_size=8), min_size=2, max_size=2), min_size=1, max_size=8))
def test_any_table_keeps_its_line_numbers(table: list[list[str]]) -> None:
    text = "Head,Foot\n" + "".join(
        ",".join(f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row) + "\n" for row in table
    )
    document = read_document("a.csv", text.encode())
    line = 2
    for row in table:
        cells = [" ".join(cell.split()) for cell in row]
        found = [" ".join(cell.split()) for cell in document.line(line).text.split("\t")]
        assert found == cells or not any(cells)
        line += 1 + sum(cell.count("\n") for cell in row)


def test_escaped_letters_of_json_can_be_searched() -> None:
    document = read_document("a.json", json.dumps({"k": 'Käse 😀 \n "x" \\u0041'}).encode())
    assert document.text == '{"k": "Käse 😀 \\n \\"x\\" \\\\u0041"}'


def test_minified_json_is_broken_into_lines() -> None:
    value = {"lease": {"rent": [1, 2, 3], "parts": [{"name": "a, {b"}, {"name": "c"}]}, "rest": "x" * 3000}
    document = read_document("a.json", json.dumps(value).encode())
    assert document.line_count > 8
    assert json.loads(document.text) == value
    assert '"rent": [1, 2, 3],' in [line.text.strip() for line in document.lines()]
    assert names(document) == [(2, 1, "lease")]


def test_json_in_lines_keeps_them() -> None:
    text = json.dumps({"a": {"b": [1, {"c": 2}]}}, indent=2)
    assert read_document("a.json", text.encode()).text == text


def test_minified_xml_is_broken_into_lines() -> None:
    text = "<a>" + "<b>word</b>" * 1000 + "</a>"
    document = read_document("a.xml", text.encode())
    assert document.line_count == 1001
    assert document.text.replace("\n", "") == text


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.toml", "x = 1\n\n# about it\n[tool.lease]\ny = 2\n", [(3, 1, "tool.lease")]),
        ("a.yaml", "rent:\n  due: 1\nname: x\nparts:\n  - a\n", [(1, 1, "rent"), (4, 1, "parts")]),
        ("a.json", '{\n  "a": {\n    "b": {\n    }\n  }\n}\n', [(2, 1, "a")]),
    ],
)
def test_data_files_are_outlined_by_their_sections(name: str, text: str, expected: list[tuple[int, int, str]]) -> None:
    assert names(read_document(name, text.encode())) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "a.py",
            "import x\n\n# About it.\n@cached\nclass Lease:\n    async def due(self):\n        return 1\n\n"
            "    def end(self): ...\n",
            [(3, 1, "Lease"), (6, 2, "due"), (9, 2, "end")],
        ),
        (
            "a.java",
            "/** Doc. */\npublic class Lease<T> extends Base {\n    int x = due(3);\n"
            "    public int due(int a, List<B> b) throws X {\n"
            "        if (a > 3) {\n            return end(a);\n        }\n    }\n}\n",
            [(1, 1, "Lease"), (4, 2, "due")],
        ),
        (
            "a.c",
            "int x = 3;\nstatic int due(char *a,\n               int b)\n{\n  return end(a);\n}\n"
            "struct lease *make(void) {\n}\n",
            [(2, 1, "due"), (7, 1, "make")],
        ),
        (
            "a.go",
            "type Lease struct {\n}\n\n// Due tells.\nfunc (l *Lease) Due(x int) string {\n}\n",
            [(1, 1, "Lease"), (4, 1, "Due")],
        ),
        (
            "a.rs",
            "impl<T> Lease<T> {\n    pub(crate) fn due<'a>(&'a self) -> u8 {\n    }\n}\n",
            [(1, 1, "Lease"), (2, 2, "due")],
        ),
        (
            "a.ts",
            "export const due = async (a: number) => {\n}\nexport default class Lease {\n  async end(x) {\n  }\n}\n",
            [(1, 1, "due"), (3, 1, "Lease"), (4, 2, "end")],
        ),
        ("a.sql", "-- who\nCREATE TABLE IF NOT EXISTS lease (\n  id INT\n);\n", [(1, 1, "lease")]),
        ("a.sh", "set -e\ndue() {\n  true\n}\nfunction end() {\n}\n", [(2, 1, "due"), (5, 1, "end")]),
        ("a.rb", "module Lease\n  def due?(x)\n  end\nend\n", [(1, 1, "Lease"), (2, 2, "due?")]),
        ("a.el", ";; About\n(defun due (x)\n  x)\n", [(1, 1, "due")]),
        ("a.R", "due <- function(x) {\n}\n", [(1, 1, "due")]),
        ("Makefile", "CC := gcc\nall: lease.o\n\t$(CC)\n", [(2, 1, "all")]),
        ("a.mk", "CC := gcc\nall: lease.o\n\t$(CC)\n", [(2, 1, "all")]),
    ],
)
def test_definitions_are_the_outline_of_code(name: str, text: str, expected: list[tuple[int, int, str]]) -> None:
    document = read_document(name, text.encode())
    assert names(document) == expected
    assert document.text == text.rstrip("\n")


@pytest.mark.parametrize(
    "piece", ["a ", "a(", "class ", "a b(", "public ", "((", "{", "\\u", '"', "[", "[a] ", "<", "> ", "fn <"]
)
@pytest.mark.parametrize(
    "name", ["a.c", "a.json", "a.xml", "a.sql", "a.csv", "a.rst", "a.adoc", "a.org", "a.tex", "a.md", "a.srt"]
)
def test_no_regular_expression_backtracks_excessively(name: str, piece: str) -> None:
    assert read_document(name, b"x\n" + piece.encode() * 20_000, seconds=60).line_count >= 2


@pytest.mark.parametrize("suffix", ["opml", "rss", "atom", "kml", "gpx", "xlf", "xliff", "tmx", "dita", "ditamap"])
def test_outlines_feeds_maps_and_translations_are_read_as_xml(suffix: str) -> None:
    outlines = "".join(f'<outline text="Rent {number}"/>' for number in range(300))
    document = read_document(f"a.{suffix}", f"<opml><body>{outlines}</body></opml>".encode())
    assert document.format == Format.DATA
    assert '<outline text="Rent 299"/>' in document.text.split("\n")[-1]
    assert document.text.count("\n") >= 300
