"""Random operations on a columnar index and a dictionary: both hold the same."""

import tempfile
from itertools import pairwise
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from desktop_rag.index.keywords.columnar.columnar_keywords import (
    ColumnarKeywordReader,
    ColumnarKeywordWriter,
)
from desktop_rag.index.keywords.keyword_query import AdjacentQuery, KeywordQuery, TermQuery
from desktop_rag.index.records import ChunkId
from tests.examples import examples
from tests.integration.index.keywords.keyword_samples import document, mark


class Books(RuleBasedStateMachine):
    """A columnar index and a dictionary: after the same operations they hold the same."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: dict[int, str] = {}
        self.sequence = 0
        self.highest = 0

    @initialize()
    def begin(self) -> None:
        self.place = tempfile.TemporaryDirectory()
        self.folder = Path(self.place.name, "keywords")
        self.writer = ColumnarKeywordWriter.open(self.folder, "lineage")
        self.reader = ColumnarKeywordReader(self.folder)

    @rule(texts=st.lists(st.text("ab ", max_size=9), max_size=4), data=st.data())
    def apply(self, texts: list[str], data: st.DataObject) -> None:
        known = st.integers(1, self.highest + 1)
        removed = data.draw(st.lists(known, max_size=3))
        replaced = data.draw(st.dictionaries(known, st.text("ab ", max_size=9), max_size=2))
        added = {self.highest + 1 + number: text for number, text in enumerate(texts)} | replaced
        self.sequence += 1
        given = [document(chunk, text) for chunk, text in added.items()]
        self.writer.apply(given, map(ChunkId, removed), mark(self.sequence))
        self.highest = max(self.highest, *added) if added else self.highest
        self.texts = {chunk: text for chunk, text in self.texts.items() if chunk not in removed} | added

    @rule()
    def tend(self) -> None:
        self.writer.tend()

    @rule()
    def settle(self) -> None:
        self.writer.settle()

    @rule()
    def purge(self) -> None:
        self.writer.purge()

    @rule()
    def reopen(self) -> None:
        self.writer = ColumnarKeywordWriter.open(self.folder, "lineage")

    @invariant()
    def holds_the_same(self) -> None:
        self.reader.refresh()
        assert self.reader.watermark == mark(self.sequence) == self.writer.watermark
        assert self.reader.chunks() == set(self.texts)
        words = {chunk: text.split() for chunk, text in self.texts.items()}
        for asked in ("a", "b", "ab"):
            assert self.found(TermQuery("text", asked)) == {chunk for chunk, said in words.items() if asked in said}
        followed = {chunk for chunk, said in words.items() if ("a", "b") in pairwise(said)}
        assert self.found(AdjacentQuery("text", ("a", "b"))) == followed

    def found(self, query: KeywordQuery) -> set[int]:
        return {int(chunk) for chunk, _ in self.reader.search(query, 1000)}

    def teardown(self) -> None:
        self.reader.close()
        self.place.cleanup()


TestBooks = Books.TestCase
TestBooks.settings = settings(max_examples=examples(10), stateful_step_count=15, deadline=None)
