"""A real Whoosh index: every commit whole, every search exact, every damage survived."""

import os
import subprocess
import sys
from math import log
from pathlib import Path

import pytest
from whoosh.filedb.filestore import FileStorage
from whoosh.index import FileIndex
from whoosh.query import And, Every, Not, Phrase, Query, Term
from whoosh.writing import SegmentWriter

from desktop_rag.errors import LibraryBusy, LibraryError
from desktop_rag.index import keyword_storage
from desktop_rag.index.analysis import stem, terms
from desktop_rag.index.keyword import KeywordDocument, KeywordReader, KeywordWriter
from desktop_rag.index.keyword_schema import SCHEMA
from desktop_rag.index.records import ChunkId, ContentId, Watermark

RENT = "The rent is due on the first day of each month. The tenant's deposit is two months' rent."
NOTICE = "Either party may end the contract with a notice of three months."
EGGS = "Whisk the eggs with the sugar until the mixture is pale."


def document(chunk: int, text: str, *, content: int = 0, title: str = "", headings: str = "") -> KeywordDocument:
    return KeywordDocument(ChunkId(chunk), ContentId(content or chunk), title, headings, text)


def mark(sequence: int) -> Watermark:
    return Watermark(sequence, "lineage")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "keywords"


@pytest.fixture
def writer(folder: Path) -> KeywordWriter:
    writer = KeywordWriter.open(folder, "lineage")
    writer.apply([document(1, RENT), document(2, NOTICE), document(3, EGGS)], [], mark(3))
    return writer


def found(reader: KeywordReader, query: Query, allowed: frozenset[ContentId] | None = None) -> list[int]:
    return [int(chunk) for chunk, _ in reader.search(query, 10, allowed)]


def word(text: str) -> Term:
    (term,) = terms(text, query=True)
    return Term("stem", stem(term.text))


def test_a_word_is_found_in_any_form(folder: Path, writer: KeywordWriter) -> None:
    reader = KeywordReader(folder)
    assert found(reader, word("month")) == [1, 2]
    assert found(reader, word("Contracts")) == [2]


def test_a_phrase_counts_stop_words(folder: Path, writer: KeywordWriter) -> None:
    reader = KeywordReader(folder)
    assert found(reader, Phrase("text", ["with", "the", "sugar"])) == [3]
    assert found(reader, Phrase("text", ["with", "sugar"])) == []


def test_a_phrase_without_spaces_between_words_is_found(folder: Path) -> None:
    writer = KeywordWriter.open(folder, "lineage")
    writer.apply([document(1, "東京都 tower"), document(2, "京都東 tower")], [], mark(1))
    reader = KeywordReader(folder)
    asked = [term.text for term in terms("東京都 tower", query=True)]
    assert found(reader, Phrase("text", asked)) == [1]


def test_title_and_headings_are_fields_of_their_own(folder: Path) -> None:
    writer = KeywordWriter.open(folder, "lineage")
    writer.apply([document(1, "x", title="Tenancy Agreements", headings="Part 2: Deposits")], [], mark(1))
    reader = KeywordReader(folder)
    assert found(reader, Term("title", "agreement")) == [1]
    assert found(reader, Term("headings", "deposit")) == [1]
    assert found(reader, Term("text", "agreement")) == []


def test_the_score_is_bm25_with_lucenes_idf(folder: Path) -> None:
    writer = KeywordWriter.open(folder, "lineage")
    writer.apply([document(1, "rent rent due"), document(2, "eggs and sugar"), document(3, "a pale mix")], [], mark(1))
    ((_, score),) = KeywordReader(folder).search(Term("text", "rent"), 10)
    documents, length, average = 3, 3, 9 / 3
    idf = log(1 + (documents - 1 + 0.5) / 1.5)
    assert score == pytest.approx(idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * length / average)))


def test_a_replaced_chunk_is_found_once_and_with_its_new_text(folder: Path, writer: KeywordWriter) -> None:
    writer.apply([document(1, "old"), document(1, "The new rent")], [ChunkId(1)], mark(4))
    reader = KeywordReader(folder)
    assert found(reader, word("rent")) == [1]
    assert found(reader, word("deposit")) == []
    assert reader.chunks() == {1, 2, 3}


def test_a_removed_chunk_is_gone(folder: Path, writer: KeywordWriter) -> None:
    reader = KeywordReader(folder)
    writer.apply([], [ChunkId(2), ChunkId(99)], mark(4))
    assert reader.refresh()
    assert found(reader, word("month")) == [1]
    assert reader.chunks() == {1, 3}


def test_a_reader_keeps_its_commit_until_it_refreshes(folder: Path, writer: KeywordWriter) -> None:
    reader = KeywordReader(folder)
    writer.apply([document(4, "rent again")], [], mark(4))
    assert found(reader, word("rent")) == [1]
    assert reader.refresh()
    assert set(found(reader, word("rent"))) == {1, 4}
    assert not reader.refresh()


def test_only_allowed_contents_are_found(folder: Path) -> None:
    writer = KeywordWriter.open(folder, "lineage")
    writer.apply([document(n, "rent " * n, content=n % 3 + 1) for n in range(1, 10)], [], mark(1))
    writer.apply([document(10, "rent", content=2)], [], mark(2))
    reader = KeywordReader(folder)
    assert set(found(reader, word("rent"), frozenset({ContentId(2)}))) == {1, 4, 7, 10}
    assert found(reader, word("rent"), frozenset({ContentId(77)})) == []
    assert found(reader, word("rent"), frozenset()) == []


def test_no_query_finds_the_watermark(folder: Path, writer: KeywordWriter) -> None:
    reader = KeywordReader(folder)
    assert set(found(reader, Every())) == {1, 2, 3}
    assert set(found(reader, And([Every(), Not(word("rent"))]))) == {2, 3}
    assert len(reader.search(Every(), 2)) == 2


def test_the_watermark_travels_with_the_commit(folder: Path, writer: KeywordWriter) -> None:
    assert writer.watermark == mark(3)
    writer.apply([], [], mark(7))
    assert KeywordWriter.open(folder, "lineage").watermark == mark(7)
    assert KeywordReader(folder).watermark == mark(7)


def test_another_catalog_starts_an_empty_index(folder: Path, writer: KeywordWriter) -> None:
    reader = KeywordReader(folder)
    assert KeywordWriter.open(folder, "restored").watermark == Watermark(0, "restored")
    assert reader.refresh()
    assert found(reader, Every()) == []
    assert reader.watermark == Watermark(0, "restored")


def test_another_format_starts_an_empty_index(
    folder: Path, writer: KeywordWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.index.keyword_schema.FORMAT", 99)
    assert KeywordWriter.open(folder, "lineage").watermark == mark(0)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Whoosh forgets files it cannot read
@pytest.mark.parametrize("pattern", ["_MAIN_*.toc", "MAIN_*.seg"])
@pytest.mark.parametrize("keep", [0, 10])
def test_a_damaged_index_is_built_anew(folder: Path, writer: KeywordWriter, pattern: str, keep: int) -> None:
    for path in folder.glob(pattern):
        path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(LibraryError):
        KeywordReader(folder)
    again = KeywordWriter.open(folder, "lineage")
    assert again.watermark == mark(0)
    again.apply([document(1, RENT)], [], mark(1))
    assert found(KeywordReader(folder), word("rent")) == [1]


def test_an_index_can_be_built_anew_on_purpose(folder: Path, writer: KeywordWriter) -> None:
    assert KeywordWriter.open(folder, "lineage", rebuild=True).watermark == mark(0)


def test_a_folder_without_an_index_answers_with_nothing(folder: Path) -> None:
    reader = KeywordReader(folder)
    assert found(reader, Every()) == []
    assert reader.vocabulary("") == []
    assert reader.chunks() == frozenset()
    KeywordWriter.open(folder, "lineage").apply([document(1, RENT)], [], mark(1))
    assert reader.refresh()
    assert found(reader, word("rent")) == [1]


def test_the_vocabulary_lists_words_by_prefix(folder: Path, writer: KeywordWriter) -> None:
    reader = KeywordReader(folder)
    assert reader.vocabulary("mo") == ["month", "months"]
    assert reader.vocabulary("mo", limit=1) == ["month"]


def test_segments_stay_few_however_many_commits(folder: Path) -> None:
    writer = KeywordWriter.open(folder, "lineage")
    for number in range(1, 41):
        writer.apply([document(number, f"word{number} rent")], [], mark(number))
    assert len(list(folder.glob("*.seg"))) <= keyword_storage.MERGE_FACTOR
    assert KeywordReader(folder).chunks() == set(range(1, 41))


def test_big_segments_are_merged_only_at_rest(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyword_storage, "QUICK_MERGE", 10)
    monkeypatch.setattr(keyword_storage, "LARGEST_MERGE", 40)
    writer = KeywordWriter.open(folder, "lineage")
    for number in range(12):
        writer.apply([document(number * 9 + n, f"rent word{n}") for n in range(1, 10)], [], mark(number))
    assert len(list(folder.glob("*.seg"))) >= 11
    reader = KeywordReader(folder)
    before = reader.search(word("rent"), 200)
    while writer.settle():
        pass
    assert len(list(folder.glob("*.seg"))) <= 12 * 9 // 20 + keyword_storage.FEW
    assert not writer.settle()
    assert reader.refresh()
    assert reader.watermark == mark(11) == writer.watermark
    assert reader.search(word("rent"), 200) == before
    writer.apply([], [ChunkId(5)], mark(12))
    reader.refresh()
    assert reader.chunks() == set(range(1, 109)) - {5}


def test_merging_keeps_phrases_and_positions(folder: Path) -> None:
    writer = KeywordWriter.open(folder, "lineage")
    for number in range(1, 30):
        writer.apply([document(number, f"the first{number} of the month {'x ' * number} is due")], [], mark(number))
    writer.apply([], [ChunkId(3), ChunkId(17)], mark(30))
    while writer.settle():
        pass
    reader = KeywordReader(folder)
    assert found(reader, Phrase("text", ["first9", "of", "the", "month"])) == [9]
    assert found(reader, Phrase("text", ["first17", "of"])) == []
    assert len(reader.search(Phrase("text", ["x", "is", "due"]), 50)) == 27


def test_a_segment_of_mostly_removed_chunks_is_rewritten(folder: Path) -> None:
    writer = KeywordWriter.open(folder, "lineage")
    writer.apply([document(number, RENT) for number in range(1, 101)], [], mark(1))
    before = sum(path.stat().st_size for path in folder.glob("*.seg"))
    writer.apply([], [ChunkId(number) for number in range(1, 91)], mark(2))
    assert sum(path.stat().st_size for path in folder.glob("*.seg")) < before / 2
    assert KeywordReader(folder).chunks() == set(range(91, 101))


def test_a_second_writer_is_told_that_the_index_is_in_use(
    folder: Path, writer: KeywordWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyword_storage, "LOCK_SECONDS", 0.0)
    other = SegmentWriter(FileIndex(FileStorage(str(folder)), schema=SCHEMA))
    with pytest.raises(LibraryBusy):
        writer.apply([document(4, RENT)], [], mark(4))
    other.cancel()
    writer.apply([document(4, RENT)], [], mark(4))
    assert writer.watermark == mark(4)


def test_a_failed_commit_changes_nothing(folder: Path, writer: KeywordWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path) -> None:
        raise OSError(28, "No space left on device", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(keyword_storage, "_sync", full)
        with pytest.raises(LibraryError, match="No space left"):
            writer.apply([document(4, RENT)], [ChunkId(1)], mark(4))
    assert writer.watermark == mark(3)
    assert KeywordReader(folder).chunks() == {1, 2, 3}
    writer.apply([document(4, RENT)], [ChunkId(1)], mark(4))
    assert KeywordReader(folder).chunks() == {2, 3, 4}


KILLED = """
import os, signal, sys
from pathlib import Path
from desktop_rag.index import keyword_storage
from desktop_rag.index.keyword import KeywordDocument, KeywordWriter
from desktop_rag.index.records import Watermark

calls = 0
real = keyword_storage._sync

def sync(path):
    global calls
    calls += 1
    if calls == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
    real(path)

writer = KeywordWriter.open(Path(sys.argv[1]), "lineage")
keyword_storage._sync = sync
writer.apply([KeywordDocument(4, 4, "", "", "rent")], [1], Watermark(4, "lineage"))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_killed_commit_happened_whole_or_not_at_all(folder: Path, writer: KeywordWriter, step: int) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-W", "ignore", "-c", KILLED, str(folder), str(step)]
    subprocess.run(command, env=environment, check=False)
    again = KeywordWriter.open(folder, "lineage")
    reader = KeywordReader(folder)
    expected = {mark(3): {1, 2, 3}, mark(4): {2, 3, 4}}
    assert reader.chunks() == expected[again.watermark]
    again.apply([document(4, RENT)], [ChunkId(1)], mark(4))
    reader.refresh()
    assert reader.chunks() == {2, 3, 4}
