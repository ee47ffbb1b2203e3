"""Stock Whoosh on the disk: built in one go, and told from a damaged or unfinished index."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.keywords.stock_index import StockKeywordReader, build, stored_watermark
from desktop_rag.errors import LibraryError
from desktop_rag.index.keywords.keyword_engine import KeywordDocument
from desktop_rag.index.records import Watermark
from tests.integration.index.keywords.keyword_samples import EGGS, NOTICE, RENT, document, found, mark, word


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "keywords"
    build(folder, [document(1, RENT), document(2, NOTICE), document(3, EGGS)], mark(3))
    return folder


def test_an_index_is_replaced_as_a_whole(folder: Path) -> None:
    assert StockKeywordReader(folder).watermark == stored_watermark(folder) == mark(3)
    build(folder, [document(4, RENT)], mark(5))
    reader = StockKeywordReader(folder)
    assert reader.watermark == mark(5)
    assert found(reader, word("rent")) == [4]


def test_another_format_counts_as_no_index(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.keywords.stock_index.FORMAT", 99)
    assert stored_watermark(folder) == Watermark(0, "")
    assert StockKeywordReader(folder).chunks() == frozenset()


def test_an_unfinished_index_counts_as_none(folder: Path) -> None:
    def documents() -> Iterator[KeywordDocument]:
        yield document(1, RENT)
        raise OSError(28, "No space left on device")

    with pytest.raises(LibraryError, match="No space left"):
        build(folder, documents(), mark(4))
    assert stored_watermark(folder) == Watermark(0, "")
    build(folder, [document(1, RENT)], mark(4))
    assert found(StockKeywordReader(folder), word("rent")) == [1]


def test_an_index_of_no_documents_finds_nothing(folder: Path) -> None:
    build(folder, [], mark(0))
    assert found(StockKeywordReader(folder), word("rent")) == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Whoosh forgets files it cannot read
@pytest.mark.parametrize("pattern", ["_MAIN_*.toc", "MAIN_*.seg"])
@pytest.mark.parametrize("keep", [0, 10])
def test_a_damaged_index_is_refused(folder: Path, pattern: str, keep: int) -> None:
    for path in folder.glob(pattern):
        path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(LibraryError):
        StockKeywordReader(folder)
