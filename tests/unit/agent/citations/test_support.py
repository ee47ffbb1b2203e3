import pytest

from desktop_rag.agent.citations.support import CitedLines, is_supported_by, proper_names

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
def test_lines_with_figures_and_names_support_a_claim(claim: str) -> None:
    assert is_supported_by(claim, FLAT)


@pytest.mark.parametrize(
    "claim",
    [
        "Ada Byron pays 850 euros.",
        "The flat in Mill Lane 9 is let to Ada Byron.",
        "The flat is let to Charles Babbage.",
        "Washing machines may be used until ten.",
        "As said before",
    ],
)
def test_lines_without_figures_or_names_do_not_support_a_claim(claim: str) -> None:
    assert not is_supported_by(claim, FLAT)


def test_context_above_lines_counts() -> None:
    row = {12: "Purchases of equipment (1,577)"}
    claim = "In 2018 Acme spent 1,577 million on equipment."
    assert not is_supported_by(claim, CitedLines(row))
    assert is_supported_by(claim, CitedLines(row, ("Acme annual report", "(in millions) 2018")))


def test_an_empty_source_supports_nothing() -> None:
    assert not is_supported_by("The rent is due.", CitedLines({}))


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        ("The flat is let to Ada Byron.", {"ada", "byron"}),
        ("Rent is due to NASA in March.", {"nasa"}),
        ("IBM pays. Then it stops.", {"ibm"}),
        ("Der Mieter zahlt die Miete für die Wohnung an den Eigentümer.", set()),
        ("- **Mill** Lane's owner", {"lane"}),
        ("他住在磨坊巷", set()),
    ],
)
def test_proper_names_are_recognised_by_capitals(claim: str, found: set[str]) -> None:
    assert proper_names(claim) == found
