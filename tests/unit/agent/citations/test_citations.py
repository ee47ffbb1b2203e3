from collections.abc import Sequence

import pytest

from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.citation_stream import CitationStream
from desktop_rag.agent.citations.citations import Citations, DroppedCitation
from desktop_rag.agent.citations.claims import find_claims
from desktop_rag.agent.citations.references import References
from desktop_rag.agent.citations.written.files_by_name import NamedFiles
from desktop_rag.agent.events import Alteration, Citation, Claim, Source
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


def checked(made: Citations, text: str) -> list[Claim]:
    """Return the claims of an answer."""
    return list(find_claims(feed(made, text), made.all(), made.check, Stop()))


def marks(made: Citations, text: str) -> list[str]:
    """Return the mark of each claim of an answer."""
    return [claim.mark for claim in checked(made, text)]


def test_a_wrong_figure_fails_the_claim_but_not_its_verbatim_quote(lease: Document) -> None:
    text = 'The rent is 850 euros. [turn1search1 L4 "The monthly rent is"]'
    made = citations(("lease.txt", lease))
    [claim] = checked(made, text)
    assert (claim.mark, claim.missing) == ("missing", ("850 euros",))
    assert made.all()[0].verdict == "verbatim"


def test_citations_of_one_claim_may_contain_its_figures_together(lease: Document) -> None:
    text = "Rent is 950 euros and being late costs 15 euros [turn1search1 L4][turn1search1 L6]."
    assert marks(citations(("lease.txt", lease)), text) == ["unchecked"]


def test_a_date_in_other_words_is_the_same(lease: Document) -> None:
    assert marks(citations(("lease.txt", lease)), "It runs until 2027-07-31 [turn1search1 L9].") == ["unchecked"]


def test_a_figure_in_the_header_over_a_row_counts(report: Document) -> None:
    text = "Acme spent 1,577 in 2018 [turn1search1 L5]."
    made = citations(("acme.md", report))
    assert marks(made, text) == ["unchecked"]
    assert made.all()[0].first_line == 5


def test_two_claims_on_the_same_lines_are_judged_apart(lease: Document) -> None:
    text = "Rent is 950 euros [turn1search1 L4]. Rent is 900 euros [turn1search1 L4]. Yes, 950 [turn1search1 L4]."
    made = citations(("lease.txt", lease))
    assert marks(made, text) == ["unchecked", "missing", "unchecked"]
    assert [(c.number, c.verdict) for c in made.all()] == [(1, "paraphrase")]


def test_a_citation_moves_to_lines_that_support_the_claim(lease: Document, manual: Document) -> None:
    text = "The safety valve opens at three bar [turn1search1 L4]."
    [citation] = cite(citations(("lease.txt", lease), ("boiler.pdf", manual)), text)
    assert (citation.content, citation.first_line, citation.verdict) == (REPORT, 3, "misattributed")
    assert citation.named == "lease.txt, line 4"


def test_lines_about_something_else_are_not_said_to_bear_a_claim_out(lease: Document) -> None:
    text = "Warmer oceans attract hungry whales [turn1search1 L4]."
    made = citations(("lease.txt", lease))
    assert marks(made, text) == ["unchecked"]
    assert (made.all()[0].first_line, made.all()[0].verdict) == (4, "paraphrase")
    assert not made.check("Warmer oceans attract hungry whales", (1,)).is_borne_out


def test_a_citation_is_not_moved_to_lines_that_only_share_words_with_the_statement(lease: Document) -> None:
    other = document("Being late with the rent costs 20 euros by the law of the city.")
    text = "By the law of the city being late costs less [turn1search1 L6]."
    [citation] = cite(citations(("lease.txt", lease), ("law.txt", other)), text)
    assert (citation.first_line, citation.verdict) == (6, "paraphrase")


def test_a_citation_of_unread_lines_is_dropped(lease: Document) -> None:
    made = citations(("lease.txt", lease))
    cite(made, "Cats fly [turn7search1 L3].")
    assert made.dropped() == (DroppedCitation("Cats fly", "[turn7search1 L3]"),)


def test_an_unread_line_of_a_known_reference_leads_to_the_right_document(lease: Document) -> None:
    made = citations(("other.txt", document("Cats fly.")), ("lease.txt", lease))
    assert marks(made, "The monthly rent is 950 euros [turn1search1 L77].") == ["quoted"]
    assert [each.first_line for each in made.all()] == [4]


def test_an_invented_quotation_is_told(lease: Document) -> None:
    [claim] = checked(citations(("lease.txt", lease)), 'Rent is due [turn1search1 L4 "no such words here"].')
    assert (claim.mark, claim.altered) == ("altered", Alteration("no such words here"))


@pytest.mark.parametrize("line", [2, 3, 5, 6])
def test_words_a_line_or_two_beside_the_named_one_are_cited_silently(lease: Document, line: int) -> None:
    text = f'The rent is 950 euros [turn1search1 L{line} "The monthly rent is 950 euros"].'
    made = citations(("lease.txt", lease))
    assert marks(made, text) == ["unchecked"]
    [citation] = made.all()
    assert (citation.first_line, citation.verdict, citation.named) == (4, "verbatim", "")


@pytest.mark.parametrize(
    ("quote", "verdict"), [("Ada Byron", "verbatim"), ("950 euros", "verbatim"), ("Ada Bloom", "paraphrase")]
)
def test_a_short_quotation_that_stands_in_the_cited_lines_is_verbatim(quote: str, verdict: str) -> None:
    flat = document("Flat", "The flat is let to Ada Byron.", "The monthly rent is 950 euros.")
    line = 3 if "950" in quote else 2
    [citation] = cite(citations(("flat.txt", flat)), f'> {quote} [turn1search1 L{line} "{quote}"]')
    assert citation.verdict == verdict
    assert (citation.quote == quote) is (verdict == "verbatim")


def test_the_operands_of_a_sum_lead_to_their_citations() -> None:
    read = document("The rent is 912.50 euros.", "It begins in spring.", "The heating is 215.00 euros.")
    made = citations(("lease.txt", read))
    text = "Rent and heating total 1,127.50 euros [turn1search1 L1] [turn1search1 L3]."
    [claim] = checked(made, text)
    assert (claim.mark, claim.computed) == ("computed", "215.00 euros + 912.50 euros = 1,127.50 euros")
    opened = {each.text: made.all()[each.citation - 1].first_line for each in claim.operands}
    assert opened == {"912.50 euros": 1, "215.00 euros": 3}


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
    assert marks(made, text) == ["unchecked"]


def test_each_citation_is_returned_as_it_was_written_at_its_place(lease: Document) -> None:
    made = citations(("lease.txt", lease))
    feed(made, 'Rent is 950 euros [turn1search1 L4]. It is monthly [turn1search1 "The monthly rent is 950 euros"].')
    first, second = (each.number for each in made.all())
    assert made.as_written(first, "Rent is 950 euros ") == "[turn1search1 L4]"
    assert made.as_written(second, "Rent is 950 euros. It is monthly") == (
        '[turn1search1 "The monthly rent is 950 euros"]'
    )


def test_rows_of_a_table_are_cited_together_but_long_prose_is_narrowed() -> None:
    rows = [f"| {name} | {hours} |" for name, hours in zip("ABCDEFGHIJKL", range(1, 13), strict=True)]
    sheet = document("Hours", "| Name | Hours |", "|---|---|", *rows)
    prose = document("Notes", *(f"Paragraph {number} tells of {number} sheep." for number in range(1, 15)))
    made = citations(("hours.md", sheet), ("notes.txt", prose))
    text = "They worked 78 hours in all [turn1search1 L4-15]. There are 11 sheep [turn1search2 L2-15]."
    [together, narrowed] = cite(made, text)
    assert (together.first_line, together.last_line) == (4, 15)
    assert narrowed.first_line == narrowed.last_line
    [added, _] = find_claims(
        text.replace("[turn1search1 L4-15]", "[1](cite:1)").replace("[turn1search2 L2-15]", "[2](cite:2)"),
        made.all(),
        made.check,
        Stop(),
    )
    assert (added.mark, added.computed.endswith("= 78 hours")) == ("computed", True)
