from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_rag.index.keywords.open_index import keyword_reader
from desktop_rag.retrieval.api import Mode, Scope
from desktop_rag.retrieval.query.tree import Either, Phrase
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates
from desktop_rag.retrieval.retrievers.substring import substring_search
from desktop_rag.stop import Stop
from tests.examples import examples
from tests.integration.retrieval.conftest import FILES, LEASE, Ask, SmallLibrary, names

ODD = {
    "one.txt": "Mother's day: the boxer, the fox and the FOXES.\n\nCo-operation, x_y, Straße; naïve e\u0301té ½ ﬁnd",
    "two.txt": "東京タワーは東京にある。fox-fox_fox İstanbul ΟΔΟΣ οδός",
    "three.txt": "the of the of the, s's S 's mothers' boxes " + "fox" * 60 + " -> e",
    "four.md": "# Foxes\n\nA fox is a fox is a fox.\n\n## Cafés\n\nCafe\u0301 and café, हिन्दी کتاب ไทย",
}
plain = st.sampled_from(
    ("fox", "the of", "s", "'s", "mother's", "e", "->", "x_y", "ss", "i", "ox-fo", " ", "foxf", "1")
)
odd = st.sampled_from(("é", "東京", "京", "ﬁ", "ß", "i\u0307", "café", "हिन", "οδοσ", "ΟΔΟΣ", "à", "ไท", "½"))
keywords = plain | odd


def test_distinct_and_rare_words_rank_before_repetitions(ask: Ask, library: SmallLibrary) -> None:
    filler = {f"filler{number}.txt": f"Revenue of store {number}." for number in range(8)}
    many = "Revenue revenue revenue revenue revenue revenue revenue revenue revenue revenue."
    library.add({**filler, "many.txt": many, "both.txt": "Backlog and revenue.", "rare.txt": "The backlog."}, root="r")
    found = names(ask("revenue backlog", Mode.EXACT))
    assert found[:3] == ["both.txt", "rare.txt", "many.txt"]


def test_plain_words_in_a_row_rank_first(ask: Ask, library: SmallLibrary) -> None:
    scattered = "A mill street. " + "Mills in the street, millions of streets, a family street. " * 4
    library.add({"scattered.txt": scattered.replace("mill street", "mill in a street"), "row.txt": "7 Mill Street."})
    assert names(ask("mill street", Mode.EXACT))[:2] == ["row.txt", "scattered.txt"]
    assert names(ask("mill stre", Mode.EXACT))[:2] == ["row.txt", "scattered.txt"]


def test_the_published_score_is_the_sum_of_counts_times_lengths(ask: Ask, library: SmallLibrary) -> None:
    library.add({"f.txt": "Foxes like a fox. FOX! The foxglove and the boxer."})
    hit = ask("fox box", Mode.EXACT, published=True).hits[0]
    assert hit.path.name == "f.txt"
    assert hit.score == 4 * len("fox") + 1 * len("box")


def test_every_published_score_follows_the_formula(ask: Ask, library: SmallLibrary) -> None:
    for hit in ask('rent "the t" month', Mode.EXACT, published=True).hits:
        text = library.catalog.chunks.by_id((hit.chunk,))[hit.chunk].text.lower().replace("\n", " ")
        assert hit.score == sum(text.count(keyword) * len(keyword) for keyword in ("rent", "the t", "month"))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("RENT", {"lease.md", "rent.py"}),
        ("ent_incr", {"rent.py"}),
        ("rent AND landlord", {"lease.md"}),
        ("rent -landlord -deposit", {"rent.py"}),
        ('"quiet after ten"', {"minutes.txt"}),
        ('"first day of each month. The landlord"', {"lease.md"}),
        ("Zürich", {"cats.md"}),
        ("float)", set()),
        ("rent ext:py", {"rent.py"}),
        ("title:lease", {"lease.md"}),
        ("bi*les", {"minutes.txt"}),
        ("xyzzy", set()),
    ],
)
def test_words_match_as_substrings(ask: Ask, query: str, found: set[str]) -> None:
    if query.endswith(")"):
        query = f'"{query}"'
        found = {"rent.py"}
    assert set(names(ask(query, Mode.EXACT))) == found


def test_the_snippet_holds_a_keyword_and_marks_it(ask: Ask) -> None:
    hit = ask("notice", Mode.EXACT).hits[0]
    marked = {hit.snippet.text[start:end] for start, end in hit.snippet.marks}
    assert marked == {"notice"}
    span = hit.snippet.span
    assert LEASE[span.start : span.end].replace("\n", " ") == hit.snippet.text


def test_unindexed_texts_are_read(ask: Ask, library: SmallLibrary) -> None:
    folder = library.catalog.folders.all()[0].id
    path = library.files / "home" / "new.txt"
    path.write_text("A brand new quokka.")
    library.put(folder, "new.txt", path)
    assert names(ask("quokka")) == []
    assert names(ask("quokka", Mode.EXACT)) == ["new.txt"]
    assert len(FILES) == 4


def counted(library: SmallLibrary, words: list[str]) -> list[tuple[int, float]]:
    """Count in every text, as A-RAG does."""
    found = []
    for chunk in library.catalog.chunks.by_id(library.catalog.chunks.all_ids()).values():
        text = chunk.text.lower().replace("\n", " ")
        score = sum(text.count(word.lower()) * len(word) for word in words)
        if score:
            found.append((int(chunk.id), float(score)))
    return sorted(found, key=lambda hit: (-hit[1], hit[0]))


@settings(max_examples=examples(80), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(keywords, min_size=1, max_size=3), st.integers(1, 12), st.booleans())
def test_the_top_k_equals_brute_force(library: SmallLibrary, words: list[str], limit: int, whole_index: bool) -> None:
    if not library.catalog.folders.all()[1:]:
        folder = library.add(ODD, root="odd")
        path = library.files / "odd" / "late.txt"
        path.write_text("The fox that the index has not seen yet: the of 東京", encoding="utf-8")
        library.put(folder, "late.txt", path)
    if whole_index:
        library.commit()
    with closing(keyword_reader(library.layout.keywords)) as reader:
        candidates = Candidates(library.catalog, Scope(), None, Stop())
        tree = Either(tuple(Phrase(word) for word in words))
        every = counted(library, words)
        published = substring_search(library.catalog, reader, tree, candidates, limit, Stop(), published=True)
        assert published == every[:limit]
        own = substring_search(library.catalog, reader, tree, candidates, 1_000, Stop())
        assert {chunk for chunk, _ in own} == {chunk for chunk, _ in every}
        assert substring_search(library.catalog, reader, tree, candidates, limit, Stop()) == own[:limit]
