"""What a document mentions: in several languages, with its line, and nothing that only looks like it."""

import pytest

from desktop_rag.errors import Stopped
from desktop_rag.retrieval.api import DocumentGuide
from desktop_rag.retrieval.reading.guide import MOST_LINES, guide_of
from desktop_rag.stop import Stop

LEASE = """\
# Lease Of The Old Mill
This agreement (the “Agreement”) is made on 3 May 2024 between Anna Meier (“Landlord”) and Kestrel Ltd.

Landlord: Anna Meier
Yesterday Anna Meier paid $1,200.50 to Kestrel Ltd. The case of Dr. Jonas Krug is open since March.
Der Vertrag beginnt am 1. Juli 2023; Vermieter ist Herr Peter Lang (nachfolgend „Vermieter“). Miete: 1.250,00 €.
“Base Rent” means the rent of 14 rooms.
本合同（以下简称“合同”）于2024年3月5日签订，租金为5000元。""".splitlines()


def guide(lines: list[str]) -> DocumentGuide:
    return guide_of(lines, frozenset((1,)), Stop())


def of_kind(kind: str) -> dict[str, int]:
    return {each.text: each.line for each in guide(LEASE).entries if each.kind == kind}


def test_dates_and_amounts_have_their_lines() -> None:
    assert of_kind("date") == {"3 May 2024": 2, "1. Juli 2023": 6, "2024年3月5日": 8}
    assert of_kind("amount") == {"$1,200.50": 5, "1.250,00 €": 6, "5000元": 8}


@pytest.mark.parametrize(
    ("line", "amounts"),
    [
        ("The fee is EUR 1,250.00 a month.", ["EUR 1,250.00"]),
        ("Pay US$ 5,000 or **€1,200**.", ["US$ 5,000", "€1,200"]),
        ("It costs between 100 and 200 euros.", ["100 EUR", "200 euros"]),
        ("The 500 euros are due.", ["500 euros"]),
    ],
)
def test_amounts_keep_their_currency(line: str, amounts: list[str]) -> None:
    assert [each.text for each in guide(["", line]).entries if each.kind == "amount"] == amounts


def test_terms_are_those_that_are_defined() -> None:
    assert of_kind("term") == {"Agreement": 2, "Landlord": 2, "Vermieter": 6, "Base Rent": 7, "合同": 8}


def test_names_stand_within_sentences_or_behind_a_label() -> None:
    assert of_kind("name") == {"Anna Meier": 2, "Kestrel Ltd": 2, "Jonas Krug": 5, "Herr Peter Lang": 6}
    assert next(each.lines for each in guide(LEASE).entries if each.text == "Anna Meier") == 3
    assert guide(["", "Many Words begin a sentence."]).entries == ()


def test_a_long_document_says_that_not_all_was_looked_at_and_stop_stops() -> None:
    assert guide(LEASE).whole
    assert not guide(["word"] * (MOST_LINES + 1)).whole
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        guide_of(LEASE, frozenset(), stop)


def test_hostile_lines_are_looked_at_in_a_moment() -> None:
    lines = ["(" * 3_000, "A " * 3_000, "“" * 3_000, "A." * 3_000, "1 " * 3_000, "(“a" * 1_000]
    assert guide_of(lines, frozenset(), Stop()).whole
