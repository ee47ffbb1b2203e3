from collections.abc import Sequence

import pytest

from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.citation_stream import CitationStream
from desktop_rag.agent.citations.citations import Citations
from desktop_rag.agent.citations.references import References
from desktop_rag.agent.events import Citation, Source
from desktop_rag.documents.document import Document
from desktop_rag.index.records import ContentId
from desktop_rag.stop import Stop
from tests.unit.agent.conftest import FakeRetriever, document

LEASE, REPORT = ContentId(1), ContentId(2)


@pytest.fixture
def report() -> Document:
    return document("Acme report 2018", "", "| Item | 2018 | 2017 |", "|---|---|---|", "| Capital | 1,577 | 1,373 |")


def citations(*named: tuple[str, Document]) -> Citations:
    """Return citations of a run that has read these documents as turn1search1, turn1search2 …"""
    lines_read = CitableLines()
    sources: list[Source] = []
    for number, (name, found) in enumerate(named, 1):
        lines = [found.line(n).text for n in range(1, found.line_count + 1)]
        lines_read.record(ContentId(number), 1, lines)
        path = f"/library/{name}"
        sources.append(Source(f"turn1search{number}", ContentId(number), name, path, 1, len(lines), None, ""))
    return Citations(References(2, sources), lines_read, FakeRetriever(*named), Stop())


def cite(made: Citations, text: str) -> Sequence[Citation]:
    stream = CitationStream(made.resolve)
    stream.feed(text)
    stream.end()
    return made.all()


def test_a_wrong_figure_fails_a_verbatim_quote(lease: Document) -> None:
    text = 'The rent is 850 euros. [turn1search1 L4 "The monthly rent is"]'
    [citation] = cite(citations(("lease.txt", lease)), text)
    assert (citation.verdict, citation.missing) == ("not found", ("850 euros",))


def test_swapped_figures_are_noticed(lease: Document) -> None:
    text = "Rent is 15 euros [turn1search1 L4], being late costs 950 euros [turn1search1 L6]."
    assert [(c.verdict, c.missing) for c in cite(citations(("lease.txt", lease)), text)] == [
        ("not found", ("15 euros",)),
        ("not found", ("950 euros",)),
    ]


def test_citations_of_one_claim_may_contain_its_figures_together(lease: Document) -> None:
    text = "Rent is 950 euros and being late costs 15 euros [turn1search1 L4][turn1search1 L6]."
    found = cite(citations(("lease.txt", lease)), text)
    assert [(c.verdict, c.missing) for c in found] == [("paraphrase", ()), ("paraphrase", ())]


def test_a_date_in_other_words_is_the_same(lease: Document) -> None:
    [citation] = cite(citations(("lease.txt", lease)), "It runs until 2027-07-31 [turn1search1 L9].")
    assert citation.verdict == "paraphrase"


def test_a_figure_in_the_header_over_a_row_counts(report: Document) -> None:
    text = "Acme spent 1,577 in 2018 [turn1search1 L5]."
    [citation] = cite(citations(("acme.md", report)), text)
    assert (citation.first_line, citation.verdict) == (5, "paraphrase")


def test_equal_lines_after_a_right_and_a_wrong_claim_are_two_citations(lease: Document) -> None:
    text = "Rent is 950 euros [turn1search1 L4]. Rent is 900 euros [turn1search1 L4]. Yes, 950 [turn1search1 L4]."
    made = citations(("lease.txt", lease))
    assert [(c.number, c.verdict) for c in cite(made, text)] == [(1, "paraphrase"), (2, "not found")]


def test_a_citation_moves_to_lines_that_support_the_claim(lease: Document, manual: Document) -> None:
    text = "The safety valve opens at three bar [turn1search1 L4]."
    [citation] = cite(citations(("lease.txt", lease), ("boiler.pdf", manual)), text)
    assert (citation.content, citation.first_line, citation.verdict) == (REPORT, 3, "misattributed")
    assert citation.named == "lease.txt, line 4"


def test_one_shared_word_is_no_support(lease: Document) -> None:
    [citation] = cite(citations(("lease.txt", lease)), "Rent control was abolished nationwide [turn1search1 L4].")
    assert (citation.verdict, citation.missing) == ("not found", ())


def test_a_missing_name_is_no_support(lease: Document) -> None:
    [citation] = cite(citations(("lease.txt", lease)), "The flat is let to Charles Babbage [turn1search1 L3].")
    assert citation.verdict == "not found"


def test_failures_name_claim_citation_and_reason(lease: Document) -> None:
    made = citations(("lease.txt", lease))
    cite(
        made,
        'Rent is 850 [turn1search1 L4]. Cats fly [turn7search1 L3]. So "x" [turn1search1 L2 "no such words here"].',
    )
    assert [(failure.claim, failure.citation, failure.reason) for failure in made.failures()] == [
        ("Rent is 850", "[turn1search1 L4]", "the cited lines do not say 850"),
        ('So "x"', '[turn1search1 L2 "no such words here"]', "these words stand nowhere in what you have read"),
        ("Cats fly", "[turn7search1 L3]", "it points at nothing that you have read"),
    ]


def test_negation_and_roles_are_not_checked(lease: Document) -> None:
    """A negation shares all words with its opposite: a lexical check cannot tell them apart."""
    [citation] = cite(citations(("lease.txt", lease)), "Pets are not allowed with written consent [turn1search1 L7].")
    assert citation.verdict == "paraphrase"
