from collections.abc import Sequence

import pytest

from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.citation_stream import CitationStream
from desktop_rag.agent.citations.citations import Citations, DroppedCitation
from desktop_rag.agent.citations.claims import find_claims
from desktop_rag.agent.citations.references import References
from desktop_rag.agent.citations.written.files_by_name import NamedFiles
from desktop_rag.agent.events import Citation, ClaimFault, Source
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
    feed(made, text)
    return made.all()


def feed(made: Citations, text: str) -> str:
    stream = CitationStream(made.cite)
    return stream.feed(text) + stream.end()


def checked(made: Citations, text: str) -> list[tuple[str, tuple[ClaimFault, ...]]]:
    """Return standing and faults of each claim of an answer."""
    shown = feed(made, text)
    return [(claim.standing, claim.faults) for claim in find_claims(shown, made.all(), made.check, Stop())]


def test_a_wrong_figure_fails_the_claim_but_not_its_verbatim_quote(lease: Document) -> None:
    text = 'The rent is 850 euros. [turn1search1 L4 "The monthly rent is"]'
    made = citations(("lease.txt", lease))
    assert checked(made, text) == [("unsupported", (ClaimFault("figure", "850 euros", "950 euros"),))]
    assert made.all()[0].verdict == "verbatim"


def test_citations_of_one_claim_may_contain_its_figures_together(lease: Document) -> None:
    text = "Rent is 950 euros and being late costs 15 euros [turn1search1 L4][turn1search1 L6]."
    assert checked(citations(("lease.txt", lease)), text) == [("supported", ())]


def test_a_date_in_other_words_is_the_same(lease: Document) -> None:
    assert checked(citations(("lease.txt", lease)), "It runs until 2027-07-31 [turn1search1 L9].") == [
        ("supported", ())
    ]


def test_a_figure_in_the_header_over_a_row_counts(report: Document) -> None:
    text = "Acme spent 1,577 in 2018 [turn1search1 L5]."
    made = citations(("acme.md", report))
    assert checked(made, text) == [("supported", ())]
    assert made.all()[0].first_line == 5


def test_a_cited_passage_opens_at_the_line_with_the_names_and_figures() -> None:
    lines = ("Tobias Wren died when the storm took the boat.", "Marguerite kept the lamp.", "", "It paid 950 euros.")
    made = citations(("chapter one.txt", document(*lines)))
    feed(made, "Marguerite died in the storm [turn1search1]. Tobias Wren took the boat for 950 euros [turn1search1].")
    assert [(each.first_line, each.last_line) for each in made.all()] == [(2, 2), (1, 1)]


def test_two_claims_on_the_same_lines_are_judged_apart(lease: Document) -> None:
    text = "Rent is 950 euros [turn1search1 L4]. Rent is 900 euros [turn1search1 L4]. Yes, 950 [turn1search1 L4]."
    made = citations(("lease.txt", lease))
    assert [standing for standing, _ in checked(made, text)] == ["supported", "unsupported", "supported"]
    assert [(c.number, c.verdict) for c in made.all()] == [(1, "paraphrase")]


def test_a_citation_moves_to_lines_that_support_the_claim(lease: Document, manual: Document) -> None:
    text = "The safety valve opens at three bar [turn1search1 L4]."
    [citation] = cite(citations(("lease.txt", lease), ("boiler.pdf", manual)), text)
    assert (citation.content, citation.first_line, citation.verdict) == (REPORT, 3, "misattributed")
    assert citation.named == "lease.txt, line 4"


def test_lines_about_something_else_are_no_support(lease: Document) -> None:
    text = "Warmer oceans attract hungry whales [turn1search1 L4]."
    assert checked(citations(("lease.txt", lease)), text) == [("unsupported", (ClaimFault("wording", ""),))]


def test_a_citation_of_unread_lines_is_dropped(lease: Document) -> None:
    made = citations(("lease.txt", lease))
    cite(made, "Cats fly [turn7search1 L3].")
    assert made.dropped() == (DroppedCitation("Cats fly", "[turn7search1 L3]"),)


def test_an_unread_line_of_a_known_reference_leads_to_the_right_document(lease: Document) -> None:
    made = citations(("other.txt", document("Cats fly.")), ("lease.txt", lease))
    assert checked(made, "The monthly rent is 950 euros [turn1search1 L77].") == [("relocated", ())]
    assert [each.first_line for each in made.all()] == [4]


def test_an_invented_quotation_is_a_fault(lease: Document) -> None:
    [(standing, faults)] = checked(
        citations(("lease.txt", lease)), 'Rent is due [turn1search1 L4 "no such words here"].'
    )
    assert (standing, faults[0]) == ("unsupported", ClaimFault("quote", "no such words here"))


@pytest.mark.parametrize("line", [2, 3, 5, 6])
def test_words_a_line_or_two_beside_the_named_one_are_cited_silently(lease: Document, line: int) -> None:
    text = f'The rent is 950 euros [turn1search1 L{line} "The monthly rent is 950 euros"].'
    made = citations(("lease.txt", lease))
    assert checked(made, text) == [("supported", ())]
    [citation] = made.all()
    assert (citation.first_line, citation.verdict, citation.named) == (4, "verbatim", "")


@pytest.mark.parametrize(
    ("quote", "verdict"), [("Ada Byron", "verbatim"), ("950 euros", "verbatim"), ("Ada Bloom", "not found")]
)
def test_a_short_quotation_that_stands_in_the_cited_lines_is_verbatim(quote: str, verdict: str) -> None:
    flat = document("Flat", "The flat is let to Ada Byron.", "The monthly rent is 950 euros.")
    line = 2 if "950" in quote else 1
    [citation] = cite(citations(("flat.txt", flat)), f'> {quote} [turn1search1 L{line} "{quote}"]')
    assert citation.verdict == verdict
    assert (citation.quote == quote) is (verdict == "verbatim")


def test_each_operand_opens_the_line_that_writes_it() -> None:
    lines = ("Rent of the studio", "It begins in spring.", "The rent is 912.50 euros.", "", "", "", "", "", "")
    read = document(*lines, "The heating is 215.00 euros.", "Keys are handed over at noon.")
    made = citations(("lease.txt", read))
    text = "Rent and heating total 1,127.50 euros [turn1search1]."
    [claim] = find_claims(feed(made, text), made.all(), made.check, Stop())
    assert claim.standing == "computed"
    opened = {each.text: made.all()[each.citation - 1].first_line for each in claim.operands}
    assert opened == {"912.50": 3, "215.00": 10}


def test_a_figure_that_stands_in_another_line_is_not_computed() -> None:
    read = document(
        "Mietvertrag", "Die Miete beträgt monatlich 912,50 Euro.", "Die Vorauszahlung beträgt 215,00 Euro.",
        "", "", "", "Die Kaution von 2.737,50 Euro ist in drei gleichen Raten zu zahlen.",
        "", "Miete und Vorauszahlung betragen insgesamt 1.127,50 Euro.",
    )  # fmt: skip
    for text, line in (
        ("The deposit is 2,737.50 euros [turn1search1 L1-L3].", 7),
        ("The rent is 1,127.50 euros in total [turn1search1 L2-L3].", 9),
    ):
        made = citations(("Mietvertrag.pdf", read))
        assert checked(made, text) == [("relocated", ())]
        assert [each.first_line for each in made.all()] == [line]


@pytest.mark.parametrize(
    "written", ["[lease.txt, line 4]", "(lease.txt, L4)", "[Source: lease.txt:4]", "[`Lease.txt` L4]"]
)
def test_a_citation_by_file_name_leads_to_the_lines(lease: Document, written: str) -> None:
    made = citations(("lease.txt", lease))
    for pieces in ((f"The rent is 950 euros {written}.",), ("The rent is 950 euros ", *written, ".")):
        stream = CitationStream(made.cite, 1, NamedFiles(made.references))
        assert "".join((*map(stream.feed, pieces), stream.end())) == "The rent is 950 euros [1](cite:1)."
    assert [(each.first_line, each.verdict) for each in made.all()] == [(4, "paraphrase")]


@pytest.mark.parametrize(
    "text",
    [
        "The lease (lease.txt) is old.",
        "See [lease.txt](lease.txt).",
        "See [leases, line 4].",
        "See [other.txt, line 4].",
    ],
)
def test_a_file_name_that_cites_nothing_stays_text(lease: Document, text: str) -> None:
    made = citations(("lease.txt", lease))
    for pieces in ((text,), tuple(text)):
        stream = CitationStream(made.cite, 1, NamedFiles(made.references))
        assert "".join((*map(stream.feed, pieces), stream.end())) == text


def test_a_name_of_two_files_cites_neither(lease: Document, report: Document) -> None:
    made = citations(("a/notes.txt", lease), ("b/notes.txt", report))
    stream = CitationStream(made.cite, 1, NamedFiles(made.references))
    text = "The rent is 950 euros [notes.txt, line 4] [a/notes.txt, line 4]."
    assert stream.feed(text) + stream.end() == "The rent is 950 euros [notes.txt, line 4] [1](cite:1)."


@pytest.mark.parametrize(
    "fields",
    [
        ("Return-Path: <o@kiln.example>", "From: Olga Brandt", "To: Felix Aumann", "Subject: Kiln"),
        ("Von: Olga Brandt", "Gesendet: 10. Januar 2024", "An: Felix Aumann", "Betreff: Ofen"),
    ],
)
def test_a_mail_has_a_sender_also_where_only_its_text_was_read(fields: tuple[str, ...]) -> None:
    mail = document(*fields, "", "Dear Felix,", "", "we order one kiln for Berlin at 6,480 euros.")
    lines_read = CitableLines()
    lines_read.record(LEASE, 8, [mail.line(8).text])
    source = Source("turn1search1", LEASE, "order.eml", "/library/order.eml", 8, 8, None, "")
    made = Citations(References(2, [source]), lines_read, FakeRetriever(("order.eml", mail)), Stop())
    text = "Olga Brandt orders one kiln for Berlin at 6,480 euros from Felix Aumann. [turn1search1 L8]"
    assert checked(made, text) == [("supported", ())]


def test_both_leases_are_not_proven_by_one() -> None:
    flat = document("Lease of flat 3", "", "Cats are allowed with consent.", title="Lease of flat 3")
    house = document("Lease of flat 5", "", "Cats are allowed.", title="Lease of flat 5")
    both = "Both leases allow cats. [turn1search1 L3]"
    made = citations(("Lease 3.txt", flat), ("Lease 5.txt", house))
    assert checked(made, both) == [("unsupported", (ClaimFault("extent", "Both leases"),))]
    made = citations(("Lease 3.txt", flat), ("Lease 5.txt", house))
    assert checked(made, f"{both[:-1]}; turn1search2 L3]")[0][0] == "supported"
