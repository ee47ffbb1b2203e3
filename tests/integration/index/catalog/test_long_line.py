"""A line without an end is stored in bounded pieces, and each is read once for all its chunks, not once for each."""

import pytest

from desktop_rag.index.catalog import content_table, stored_values
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.content_writer import LONG_LINE, SEGMENT_CHARACTERS
from desktop_rag.index.records import ContentId
from tests.integration.index.conftest import Put

LINE = " ".join(f"Sentence number {number} of a line that never ends." for number in range(40_000))


@pytest.fixture
def content(catalog: Catalog, put: Put) -> ContentId:
    return put(catalog.folders.add(b"/f", is_file=False), b"line.txt", LINE)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lengths of the pieces that were read and verified."""
    lengths: list[int] = []
    verify = stored_values.checked

    def noted(body: str, first_line: int, start: int, expected: int) -> str:
        lengths.append(len(body))
        return verify(body, first_line, start, expected)

    monkeypatch.setattr(content_table, "checked", noted)
    return lengths


def test_all_chunks_of_a_line_cost_one_read_of_it(catalog: Catalog, content: ContentId, read: list[int]) -> None:
    chunks = catalog.chunks.of_content(content)
    assert len(chunks) > 300  # several groups of neighbours
    assert sum(read) < 1.3 * len(LINE)  # groups of neighbours share a piece where they meet
    assert max(read) <= SEGMENT_CHARACTERS
    for chunk in chunks:
        assert chunk.text == LINE[chunk.span.start : chunk.span.end]


def test_ranges_of_several_contents_keep_their_order(catalog: Catalog, put: Put, content: ContentId) -> None:
    folder = catalog.folders.add(b"/g", is_file=False)
    other = put(folder, b"other.txt", "The mast is made of spruce.")
    ranges = [(content, 50, 90), (other, 4, 8), (content, 10, 20), (content, 50, 60)]
    assert catalog.texts.all_between(ranges) == [LINE[50:90], "mast", LINE[10:20], LINE[50:60]]
    assert catalog.texts.all_between([(content, 0, 0), (content, len(LINE) + 5, len(LINE) + 9)]) == ["", ""]


def test_lines_around_a_long_one_are_found_without_reading_it(catalog: Catalog, put: Put, read: list[int]) -> None:
    lines = ["The mast is made of spruce."] * 10 + [LINE] + ["The hull is made of oak."] * 10
    content = put(catalog.folders.add(b"/g", is_file=False), b"mixed.txt", "\n".join(lines))
    assert catalog.texts.whole(content) == "\n".join(lines)
    assert catalog.contents.is_intact(content)
    read.clear()
    assert catalog.texts.lines(content, 3, 8) == lines[2:10]
    assert catalog.texts.lines_with_offset(content, 12, 3) == (len("\n".join(lines[:11])) + 1, lines[11:14])
    assert sum(read) < LONG_LINE
    assert catalog.texts.lines(content, 10, 3) == lines[9:12]
    pieces = catalog.texts.pieces(content)
    assert [first for first, _, _ in pieces] == [1, 11, 12] == list(catalog.texts.piece_lines(content))
    assert pieces[1][2] == LINE + "\n"


def test_a_catalog_keyed_by_lines_keeps_a_piece_for_each(catalog: Catalog, put: Put) -> None:
    folder = catalog.folders.add(b"/h", is_file=False)
    schema = catalog.database.values(str, "SELECT sql FROM sqlite_master WHERE name = 'segment'")[0]
    catalog.database.execute("DROP TABLE segment")
    catalog.database.execute(schema.replace("-- see `stored_values`\n", ", PRIMARY KEY (content, first_line)"))
    content = put(folder, b"line.txt", LINE)
    assert catalog.database.number("SELECT count(*) FROM segment") == 1
    assert catalog.texts.whole(content) == LINE
    assert catalog.contents.is_intact(content)
    catalog.database.execute("DELETE FROM file")
    catalog.contents.discard((content,))
    while catalog.contents.erase_some():
        pass
    assert catalog.database.number("SELECT count(*) FROM segment") == 0
