import pytest

from desktop_rag.agent.citations.source_sentences import SentenceShape, SourceSentence, paragraph_around, sentences

PROSE, HEADING, ROW, CODE = SentenceShape.PROSE, SentenceShape.HEADING, SentenceShape.ROW, SentenceShape.CODE


def read(*lines: str, first: int = 1) -> list[SourceSentence]:
    return list(sentences(dict(enumerate(lines, first))))


def shapes(*lines: str) -> list[tuple[str, SentenceShape]]:
    return [(sentence.text, sentence.shape) for sentence in read(*lines)]


def test_wrapped_lines_become_one_sentence_with_their_numbers() -> None:
    found = read("The inner basin will be dredged from 12 January to 6 Febru-", "ary 2026. Boats must leave.", first=7)
    assert [(s.text, s.first_line, s.last_line) for s in found] == [
        ("The inner basin will be dredged from 12 January to 6 February 2026.", 7, 8),
        ("Boats must leave.", 8, 8),
    ]


def test_a_sentence_has_the_heading_above_it() -> None:
    found = read("# Lease", "", "The rent is due.", "", "2. Term", "", "It ends in May.")
    assert [(s.text, s.shape, s.under) for s in found] == [
        ("Lease", HEADING, ""),
        ("The rent is due.", PROSE, "Lease"),
        ("Term", HEADING, ""),
        ("It ends in May.", PROSE, "Term"),
    ]


@pytest.mark.parametrize(
    "line", ["28 April 2026", "Dear Ruth, dear all,", "It is closed.", "See page 4 of 9", "Thank you. Ruth Hale, owner"]
)
def test_a_line_alone_is_not_always_a_heading(line: str) -> None:
    assert read("", line, "")[0].shape is PROSE


@pytest.mark.parametrize(
    "table",
    [
        ("| Part | Loss |", "|---|---:|", "| Roof | 15,600 |", "| Doors | 9,700 |"),
        ("Part\tLoss in", "year", "", "Roof\t15,600", "Doors\t9,700"),
        ("part,note,loss", "Roof,warm stripes,15600", "Doors,a gap,9700"),
    ],
)
def test_each_table_row_is_a_sentence_under_its_header(table: tuple[str, ...]) -> None:
    found = read("# Losses", "", *table)
    rows = [s for s in found if s.shape is ROW]
    assert ["Roof" in row.text for row in rows] == [True, False]
    assert {(row.under, row.columns) for row in rows} == {("Losses", found[1].text)}
    assert found[1].shape is HEADING


def test_commas_in_clauses_and_thousands_make_no_table() -> None:
    assert read("In May, June, and July 46,000 people came; 1,200,000 stayed away.")[0].shape is PROSE


def test_lines_of_code_are_not_run_together() -> None:
    lines = ("def cost(demand: float) -> float:", '    """Return the cost for a year."""', "PRICE = 0.262")
    assert [shape for _, shape in shapes(*lines)] == [CODE, CODE, CODE]


def test_marks_of_lists_and_speakers_begin_a_new_sentence() -> None:
    long = "Present: Ines Carvalho (chair), Tomasz Zielinski (treasurer)"
    assert [text for text, _ in shapes(long, "Excused: Dev Patel", "- Aoife asks", "2. Ruth writes")] == [
        long,
        "Excused: Dev Patel",
        "Aoife asks",
        "Ruth writes",
    ]


def test_no_sentence_spans_a_gap() -> None:
    found = sentences({1: "The pressure of the boiler must never fall below", 9: "one bar."})
    assert [(s.text, s.first_line, s.last_line) for s in found] == [
        ("The pressure of the boiler must never fall below", 1, 1),
        ("one bar.", 9, 9),
    ]


def test_the_paragraph_around_lines_ends_at_blank_lines_lists_and_rows() -> None:
    wrapped = "This line was wrapped at the width of a printed page and"
    lines = {1: "", 2: wrapped, 3: wrapped, 4: "ends here.", 5: "Next.", 6: "- item", 7: f"| {wrapped} |", 8: wrapped}
    assert paragraph_around(lines, 3, 3) == f"{wrapped}\nends here."
    assert paragraph_around(lines, 5, 5) == paragraph_around(lines, 8, 8) == paragraph_around({}, 1, 1) == ""
