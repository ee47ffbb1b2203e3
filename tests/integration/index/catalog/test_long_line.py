"""A line without an end is one piece of text: it is read once for all its chunks, not once for each."""

import pytest

from desktop_rag.index.catalog import content_texts, stored_values
from desktop_rag.index.catalog.catalog import Catalog
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

    monkeypatch.setattr(content_texts, "checked", noted)
    return lengths


def test_all_chunks_of_a_line_cost_one_read_of_it(catalog: Catalog, content: ContentId, read: list[int]) -> None:
    chunks = catalog.chunks.of_content(content)
    assert len(chunks) > 300  # several groups of neighbours
    assert read == [len(LINE)]
    for chunk in chunks:
        assert chunk.text == LINE[chunk.span.start : chunk.span.end]


def test_ranges_of_several_contents_keep_their_order(catalog: Catalog, put: Put, content: ContentId) -> None:
    folder = catalog.folders.add(b"/g", is_file=False)
    other = put(folder, b"other.txt", "The mast is made of spruce.")
    ranges = [(content, 50, 90), (other, 4, 8), (content, 10, 20), (content, 50, 60)]
    assert catalog.texts.all_between(ranges) == [LINE[50:90], "mast", LINE[10:20], LINE[50:60]]
    assert catalog.texts.all_between([(content, 0, 0), (content, len(LINE) + 5, len(LINE) + 9)]) == ["", ""]
