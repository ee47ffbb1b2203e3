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
    ("text", "marks"),
    [
        (f"{HEADER}| North | 1,610 |\n| South | 2,015 |\n\nThese are the sales {ROWS}.", ["unchecked"] * 3),
        (f"These are the sales {ROWS}.\n\n{HEADER}| North | 1,610 |\n| South | 2,015 |", ["unchecked"] * 3),
        (f"{HEADER}| North | 1,610 {ROWS} |\n| South | 2,015 |", ["unchecked"] * 2),
        (
            "| Item | Value |\n|:--|--:|\n| Rent | 1,240 euros |\n\nSee the lease [turn1search2 L3-4].",
            ["unchecked"] * 2,
        ),
        (
            f"{HEADER}| North | 1,620 |\n| South | 2,016 |\n\nThese are the sales {ROWS}.",
            ["uncited"] * 2 + ["unchecked"],
        ),
        (
            f"{HEADER}| North | 1,610 |\n| South | 2,016 |\n\nThese are the sales {ROWS}.",
            ["unchecked", "missing", "unchecked"],
        ),
        (f"{HEADER}| North | 1,610 |\n\nThe rent is 1,240 euros [turn1search2 L3].", ["uncited", "unchecked"]),
    ],
)
def test_rows_share_the_citations_beside_their_table_if_these_support_them(text: str, marks: list[str]) -> None:
    _, claims = answered(text, "1 + 1", SALES, LEASE)
    assert [claim.mark for claim in claims] == marks
