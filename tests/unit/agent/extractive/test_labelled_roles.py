"""“Buyer: Tamsin Achebe” answers who buys, who the buyer is, and nothing else."""

import pytest

from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from tests.unit.agent.conftest import Asker, FakeRetriever, document

SALE = document(
    "Seller: Dominic Ferreira, 22 Larch Avenue, Reading",
    "Buyer: Tamsin Achebe, 5 Mill Lane, Newbury",
    "",
    "Vehicle: Skoda Octavia Estate",
    title="Sale of a used car",
)
OFFER = document("Brightfield Solar Ltd, Truro", "", "**Contact:** Gareth Nance, 01872 555 019", title="Solar offer")
VERTRAG = document("Verkäufer: Jörn Tietjen", "Käuferin: Anke Voss", "", "Anhänger von Böckmann", title="Kaufvertrag")
LEASE = document(
    "Tenant: Kwame Boateng", "Guarantor: Abena Boateng, Leeds", "", "Property: flat 6, Harbour Row", title="Tenancy"
)
MALER = document("Malerbetrieb Kessler, Leipzig", "", "Ansprechpartnerin: Frau Dr. Nele Hartwig, 0341 555 0199")
CHAT = document("Kofi: My amp is broken.", "Greta: Ask Piet.", title="Rehearsal")
LIBRARY = FakeRetriever(
    ("sale.txt", SALE),
    ("offer.md", OFFER),
    ("vertrag.txt", VERTRAG),
    ("chat.txt", CHAT),
    ("lease.txt", LEASE),
    ("maler.md", MALER),
)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who buys the Skoda?", "Tamsin Achebe"),
        ("Who is the seller of the Skoda?", "Dominic Ferreira"),
        ("Who sold the Skoda?", "Dominic Ferreira"),
        ("Who is the contact at Brightfield Solar?", "Gareth Nance"),
        ("Wer verkauft den Anhänger?", "Jörn Tietjen"),
        ("Who rents the flat in Harbour Row?", "Kwame Boateng"),
        ("Who is the guarantor of Kwame Boateng?", "Abena Boateng"),
        ("Wer ist die Ansprechpartnerin bei Malerbetrieb Kessler?", "Nele Hartwig"),
        ("Wer kauft den Anhänger?", "Anke Voss"),
    ],
)
def test_a_label_names_who_has_a_role(question: str, name: str) -> None:
    [citation] = Asker(LIBRARY, ExtractiveModel()).answer(question).citations
    assert name in citation.quote


@pytest.mark.parametrize(
    "question",
    ["Who did Dominic Ferreira buy the Skoda from?", "Who buys the boat?", "Who did not buy the Skoda?"],
)
def test_a_label_is_not_taken_for_another_role(question: str) -> None:
    citations = Asker(LIBRARY, ExtractiveModel()).answer(question).citations
    assert [each.quote for each in citations] != ["Buyer: Tamsin Achebe, 5 Mill Lane, Newbury"]
