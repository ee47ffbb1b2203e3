"""Statements about short lines as people write them: sums in the head, extremes, years, swapped parties."""

import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.support import CitedLines

OFFERS = "Offer A: 1,200 euros\nOffer B: 1,450 euros\nOffer C: 990 euros"
VISITORS = ("January | 310\nFebruary | 280\nMarch | 405\nApril | 390", "Month | Visitors")
FURNITURE = "Item | Qty | Unit price\nChairs | 12 | 45.00\nTables | 3 | 210.00"
BALANCE = ("Total assets | 5,000 | 4,500\nTotal liabilities | 3,000 | 2,900", "| 2023 | 2022")
SALES = (
    "Total revenue | 8,200 | 7,500 | 6,900\nCost of revenue | 4,920 | 4,650 | 4,209\n"
    "Gross profit | 3,280 | 2,850 | 2,691",
    "(in millions) | 2023 | 2022 | 2021",
)
MEMBERS = "In 2019 there were 3,400 members, in 2023 there were 2,890."
LEASE = "The contract may be terminated with three months' notice to the end of a quarter."
RENT = "Die Miete beträgt 1.250,50 EUR im Monat."
OPENED = "Die Sitzung wurde von Frau Kern eröffnet und von Herrn Vogt geschlossen."
ROOF = "Anna Weber wrote to Karl Busch on Monday that the roof leaks."
REGIONS = "Sales fell in Europe but rose in Asia."
VOTE = "The committee rejected the proposal by 7 votes to 2."

BUDGET = (
    "January\t12000\t84000\t3100\nFebruary\t12000\t84500\t2900\nMarch\t12000\t86000\t2700\nApril\t12500\t86000\t1900",
    "Month\tRent\tWages\tEnergy",
)
CURIE = "Polonium is a radioactive metal. It was discovered by Marie and Pierre Curie in 1898 in Paris."

HONEST = (
    (CURIE, "Polonium was discovered in 1898 by the Curies."),
    ("The lease began on 1 March 2021 and ended in 2063.", "It lasted 42 years."),
    (BUDGET, "Wages rose by 2,000 from January to April."),
    (BUDGET, "Rent in the first quarter came to 36,000."),
    ("Revenue: 1.5 million euros", "Der Umsatz betrug 1,5 Mio. Euro."),
    ("Revenue: 1.5 million euros", "Revenue was EUR 1.5 mn."),
    ("The lease runs from 1 May 2020 for five years.", "The lease ends in 2025."),
    ("He was born on 4 June 1912 and died on 23 August 1954.", "He died at the age of 42."),
    ("The train leaves at 9:15 and arrives at 11:40.", "The journey takes 2 hours 25 minutes."),
    ("Of 250 patients, 40 dropped out.", "16 % dropped out."),
    ("Von 60 Mitgliedern stimmten 45 zu.", "15 Mitglieder stimmten nicht zu."),
    ("The loan of 200,000 euros bears 3.5 % interest a year.", "That is about 583 euros a month."),
    ("The factory makes 340 units per day and works 5 days a week.", "It makes 1,700 units a week."),
    ("The warranty covers parts only, not labour.", "Only parts are covered."),
    (LEASE, "The notice period is three months to the end of a quarter."),
    (MEMBERS, "The club lost 510 members in four years."),
    (BALANCE, "Equity was 2,000 in 2023."),
    (VISITORS, "The first quarter adds up to 995."),
    (VISITORS, "All four months together make 1,385."),
    (VISITORS, "March was the highest month with 405."),
    (FURNITURE, "The chairs cost 540.00 in total."),
    (FURNITURE, "Chairs and tables together cost 1,170."),
    (SALES, "The two-year CAGR of revenue is 9.0 %."),
    (SALES, "Cost of revenue was 60% of revenue in 2023."),
    (SALES, "Average revenue over the three years was 7,533 million."),
    (OFFERS, "Offer C is the cheapest at 990 euros."),
    (OPENED, "Frau Kern eröffnete die Sitzung."),
    (REGIONS, "Sales rose in Asia."),
    (VOTE, "The proposal was rejected, 7 to 2."),
)  # fmt: skip

FALSE = (
    ("The Continental Army was led by European soldiers.",
     "The westernmost areas of its metro are the outermost point of Continental Europe."),
    (CURIE, "Polonium was discovered in 1898 in Berlin."),
    (BUDGET, "Wages fell by 2,000 from January to April."),
    (BUDGET, "Rent in the first quarter came to 37,000."),
    (RENT, "The rent is EUR 1,250.50 a year."),
    (FURNITURE, "The chairs cost 450 in total."),
    (BALANCE, "Equity was 1,600 in 2023."),
    (SALES, "Revenue was 7,500 in 2023."),
    (SALES, "Gross profit decreased by $430 million."),
    (MEMBERS, "Membership rose by 15 % between 2019 and 2023."),
    ("Revenue 2022: $4,200 million. Revenue 2023: $4,620 million.", "Revenue fell by 10 % in 2023."),
    ("The lease runs from 1 May 2020 for five years.", "The lease ends in 2026."),
    ("The lease runs from 1 May 2020 for five years.", "The lease ends in March 2026."),
    ("Net 1,250.00 euros, plus 19 % VAT.", "The rent is 237.50 euros."),
    (REGIONS, "Sales rose in Europe."),
    (REGIONS, "Sales fell in Asia."),
    (VOTE, "The proposal was rejected by 2 votes to 7."),
    ("Access is granted only to employees over 18.", "Access is granted only to employees under 18."),
)  # fmt: skip

Lines = str | tuple[str, str]


def faults(lines: Lines, claim: str) -> list[str]:
    text, *above = (lines,) if isinstance(lines, str) else lines
    cited = CitedLines(dict(enumerate(text.split("\n"), 1)), tuple(above))
    return [fault.text for fault in check_claim(claim, (cited,), "").faults]


@pytest.mark.parametrize(("lines", "claim"), HONEST)
def test_an_honest_statement_is_supported(lines: Lines, claim: str) -> None:
    assert faults(lines, claim) == []


@pytest.mark.parametrize(("lines", "claim"), FALSE)
def test_a_false_statement_is_doubtful(lines: Lines, claim: str) -> None:
    assert faults(lines, claim)
