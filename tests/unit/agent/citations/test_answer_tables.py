import pytest

from tests.unit.agent.citations.test_calculations import answered
from tests.unit.agent.conftest import document

SALES = document(
    "Sales of Nordlicht",
    "",
    "| Region | 2022 | 2023 |",
    "|---|---|---|",
    "| North | 1,610 | 1,875 |",
    "| South | 2,015 | 2,480 |",
)
LEASE = document("Lease", "", "The monthly rent is 1,240 euros.", "The notice period is three months.")
HEADER = "| Region | 2022 |\n|---|---|\n"
ROWS = "[turn1search1 L3-6]"


@pytest.mark.parametrize(
    ("text", "standings"),
    [
        (f"{HEADER}| North | 1,610 |\n| South | 2,015 |\n\nThese are the sales {ROWS}.", ["supported"] * 3),
        (f"These are the sales {ROWS}.\n\n{HEADER}| North | 1,610 |\n| South | 2,015 |", ["supported"] * 3),
        (f"{HEADER}| North | 1,610 {ROWS} |\n| South | 2,015 |", ["supported"] * 2),
        (
            "| Item | Value |\n|:--|--:|\n| Rent | 1,240 euros |\n\nSee the lease [turn1search2 L3-4].",
            ["supported"] * 2,
        ),
        (
            f"{HEADER}| North | 1,620 |\n| Berlin | 2,015 |\n\nThese are the sales {ROWS}.",
            ["uncited"] * 2 + ["supported"],
        ),
        (
            f"{HEADER}| North | 2,015 |\n| South | 1,610 |\n\nThese are the sales {ROWS}.",
            ["uncited"] * 2 + ["supported"],
        ),
        (f"{HEADER}| North | 1,610 |\n\nThe rent is 1,240 euros [turn1search2 L3].", ["uncited", "supported"]),
    ],
)
def test_rows_share_the_citations_beside_their_table_if_these_support_them(text: str, standings: list[str]) -> None:
    _, claims = answered(text, "1 + 1", SALES, LEASE)
    assert [claim.standing for claim in claims] == standings


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (f"{HEADER}| North | 1,875 [turn1search1 L5] |", ("1,875", "1,610")),
        (f"{HEADER}| North | 1,610 [turn1search1 L5] |", None),
        ("| Region | 2022 | 2023 |\n|---|---|---|\n| South | 2,480 | 2,015 [turn1search1 L6] |", ("2,480", "2,015")),
        ("| Region | 2022 | 2023 |\n|---|---|---|\n| South | 2,015 | 2,480 [turn1search1 L6] |", None),
    ],
)
def test_the_amount_of_another_year_than_that_of_its_column_is_a_fault(
    text: str, wrong: tuple[str, str] | None
) -> None:
    _, (claim,) = answered(text, "1 + 1", SALES, LEASE)
    assert claim.standing == ("unsupported" if wrong else "supported")
    assert [(fault.text, fault.found) for fault in claim.faults] == ([wrong] if wrong else [])
