from itertools import islice

import pytest

from benchmarks.corpus import build, shuffled
from benchmarks.libraries.many_files import queries_of
from desktop_rag.errors import BenchError
from desktop_rag.paths import resources


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
