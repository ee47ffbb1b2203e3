import pytest

from desktop_rag.agent.citations.claim_facts import find_facts
from desktop_rag.agent.citations.support import CitedLines

FLAT = CitedLines({3: "The flat in Mill Lane 7 is let to Ada Byron.", 4: "The monthly rent is 950 euros."})


@pytest.mark.parametrize(
    "claim",
    [
        "Ada Byron pays 950 euros.",
        "The tenant of Mill Lane 7 is Ada Byron",
        "The rents are monthly.",
        "Die Wohnung wurde an Ada Byron vermietet, sie zahlt 950 Euro.",
        "Ada’s flat costs 950.",
    ],
)
def test_lines_with_figures_and_names_bear_a_claim_out(claim: str) -> None:
    assert find_facts(claim, [FLAT]).is_borne_out


@pytest.mark.parametrize(
    ("claim", "missing"),
    [
        ("Ada Byron pays 850 euros.", ("850 euros",)),
        ("The flat in Mill Lane 9 was let to somebody.", ("9",)),
        ("The flat is let to Charles Babbage.", ("Charles Babbage",)),
        ("Washing machines may be used until ten.", ()),
    ],
)
def test_lines_without_figures_names_or_words_do_not(claim: str, missing: tuple[str, ...]) -> None:
    facts = find_facts(claim, [FLAT])
    assert facts.missing == missing
    assert not facts.is_borne_out


def test_context_above_lines_counts() -> None:
    row = {12: "Purchases of equipment (1,577)"}
    claim = "In 2018 Acme spent 1,577 million on equipment."
    assert "2018" in find_facts(claim, [CitedLines(row)]).missing
    above = ("Acme annual report", "(in millions) 2018")
    assert not find_facts(claim, [CitedLines(row, above)]).missing


def test_an_empty_source_bears_nothing_out() -> None:
    assert not find_facts("The rent is due.", [CitedLines({})]).is_borne_out
