from itertools import islice
from pathlib import Path

import pytest

from benchmarks.corpus import Corpus, build, shuffled
from benchmarks.libraries.many_files import queries_of
from benchmarks.opensearch import team
from desktop_rag.errors import BenchError
from desktop_rag.paths import resources
from desktop_rag.retrieval.query.parser import parse
from desktop_rag.retrieval.query.tree import binds


def test_the_sample_repeated_for_a_large_library_gives_queries_of_each_kind() -> None:
    passages = build(resources() / "sample", 2_000).passages
    queries = queries_of(passages)
    assert all(queries[kind] for kind in ("words", "phrase", "AND"))
    texts = [passage.lower() for passage in passages]
    assert all(any(all(word in text for word in query.split()) for text in texts) for query in queries["words"])


def test_words_that_many_passages_hold_are_left_out_if_there_are_others() -> None:
    letters = "abcdefghij"
    names = ["".join(letters[int(digit)] for digit in f"{number:03}") for number in range(900)]
    queries = queries_of([f"every passage says this {' '.join(name + end for end in letters)}" for name in names])
    assert not {"every", "passage", "says", "this"} & {word for query in queries["words"] for word in query.split()}


def test_texts_without_words_are_reported() -> None:
    with pytest.raises(BenchError, match="too few words"):
        queries_of(list(islice(shuffled(["1 2 3 4. 5 6 7 8."]), 20)))


def test_queries_of_a_team_library_have_no_operators() -> None:
    corpus = Corpus(Path(), ["AND this vessel OR that NOT the other AND one more NOT"] * 20, 20)
    queries = team.queries_of(corpus, 20)
    assert len(queries) == 20
    assert not any(binds(parse(query).words) for query in queries)
