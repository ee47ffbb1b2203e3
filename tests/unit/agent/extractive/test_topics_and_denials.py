import pytest

from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from tests.unit.agent.conftest import Asker, FakeRetriever, document

TRIP = document(
    "The price of the trip is 985 pounds. It includes coach and lift pass. It does not include lunch or insurance.",
    "",
    "We do not take pupils of other schools.",
    title="Trip",
)
LEASE = document(
    "The lease runs from 1 October 2022 to 30 September 2027.",
    "",
    "The lessee insures the building against fire.",
    "",
    "Subletting is forbidden.",
    title="Lease",
)


@pytest.mark.parametrize(
    ("question", "quoted", "absent"),
    [
        ("What does the lease say about subletting?", "Subletting is forbidden.", "against fire"),
        ("What does the lease say about fire?", "insures the building against fire.", "Subletting"),
        ("What does the trip not include?", "It does not include lunch or insurance.", "other schools"),
    ],
)
def test_what_is_asked_about_is_quoted(question: str, quoted: str, absent: str) -> None:
    text = Asker(FakeRetriever(("trip.txt", TRIP), ("lease.txt", LEASE)), ExtractiveModel()).answer(question).text
    assert quoted in text
    assert absent not in text
