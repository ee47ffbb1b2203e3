"""A sum is a proof only if the words of a claim ask for its operation, over operands of one thing."""

import pytest

from desktop_rag.agent.citations.sums.computed_figures import recompute

TENDERS = "3. **Roof.** Three tenders were received: Corrigan £84,000, Halse & Daughters £79,500, Penrith £91,200."
LIBRARY = "18,240 people visited, after 16,000 in the same quarter last year. Loans fell from 41,200 to 39,140."
WEIGHT = "Befund vom 6. Mai 2025: Gewicht 4,8 kg (im November 2024 noch 5,6 kg)."
COSTS = "Kosten: Untersuchung 38,50 Euro, Blutbild 64,00 Euro, Medikamente 27,50 Euro."
PUMP = "Gekauft am 8. Februar 2025, geliefert am 15. Februar. Seit dem 2. März pumpt das Gerät nicht mehr."


@pytest.mark.parametrize(
    ("figure", "claim", "line", "computed"),
    [
        ("£163,500", "The roof costs £163,500.", TENDERS, None),
        ("2,060", "The library lent 2,060 fewer items than a year before.", LIBRARY, "41,200 − 39,140 = 2,060"),
        ("5 %", "Loans fell by 5 %.", LIBRARY, "(41,200 − 39,140) ÷ 41,200 = 5 %"),
        ("0,8 kg", "Mika hat 0,8 kg abgenommen.", WEIGHT, "5,6 − 4,8 = 0,8 kg"),
        ("130 Euro", "Die Rechnung beläuft sich auf 130 Euro.", COSTS, "38,50 + 64,00 + 27,50 = 130 Euro"),
        ("two weeks", "The pump stopped about two weeks after delivery.", PUMP, "2025-03-02 − 2025-02-15 = two weeks"),
        (
            "2,450 miles",
            "It has covered 2,450 miles since its service.",
            "Mileage: 61,350 miles.\nLast service at 58,900 miles in 2025.",
            "61,350 − 58,900 = 2,450 miles",
        ),
        ("two days", "It failed two days after delivery.", "On 3 May 2025 it came, on 4 May 2025 it failed.", None),
    ],
)
def test_a_sum_is_asked_for(figure: str, claim: str, line: str, computed: str | None) -> None:
    assert recompute(figure, [line], claim) == computed
