import pytest

from desktop_rag.retrieval.hits import Mode
from tests.integration.retrieval.conftest import FILES, LEASE, Ask, SmallLibrary, names


def test_the_score_is_the_sum_of_counts_times_lengths(ask: Ask, library: SmallLibrary) -> None:
    library.add({"f.txt": "Foxes like a fox. FOX! The foxglove and the boxer."})
    hit = ask("fox box", Mode.EXACT).hits[0]
    assert hit.path.name == "f.txt"
    assert hit.score == 4 * len("fox") + 1 * len("box")


def test_every_score_follows_the_formula(ask: Ask, library: SmallLibrary) -> None:
    for hit in ask('rent "the t" month', Mode.EXACT).hits:
        text = library.catalog.chunks((hit.chunk,))[hit.chunk].text.lower().replace("\n", " ")
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
def test_words_are_found_literally(ask: Ask, query: str, found: set[str]) -> None:
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


def test_texts_need_no_index(ask: Ask, library: SmallLibrary) -> None:
    folder = library.catalog.folders()[0].id
    path = library.files / "home" / "new.txt"
    path.write_text("A brand new quokka.")
    library.put(folder, "new.txt", path)
    assert names(ask("quokka")) == []
    assert names(ask("quokka", Mode.EXACT)) == ["new.txt"]
    assert len(FILES) == 4
