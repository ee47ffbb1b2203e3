"""Names and addresses that the lines do not write; every form of a written name is one of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.agent.citations.names import full_names, missing_names


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The contract with Moscow was signed by Ivanov.", "Договор с Москвой подписан Ивановым."),
        ("Договор подписал Иванов.", "Договор подписан Ивановым."),
        ("The committee met in the Netherlands.", "The Dutch committee met."),
        ("The report of the European Central Bank says so.", "The ECB says so."),
        ("The report of the ECB says so.", "The European Central Bank says so."),
        ("She talked to LiHua.", "She talked to Li Hua."),
        ("She talked to Li Hua.", "She talked to LiHua."),
        ("The music of Tchaikovsky was played.", "Die Musik von Tschaikowsky wurde gespielt."),
        ("It was shown by O'Brien-Moore.", "O'Brien and Moore showed it."),
        ("The owner is Harbor Properties.", "The owner is Harbour Properties Ltd."),
        ("Es ist der zweite in den Vereinigten Staaten.", "Es ist der zweite der USA, sagt Rosa."),
        ("A Lockheed plane landed.", "A plane of LOCKHEEDMARTIN landed."),
        ("It was signed by Rosa Berg’s agent.", "Rosa Berg signed it."),
        ("The valve is an SST-2.", "The valve is an SST2."),
        ("Réné is the owner of Côte d'Azur.", "Rene is the owner of Cote d'Azur."),
    ],
)
def test_a_name_is_written_in_any_form(claim: str, source: str) -> None:
    assert missing_names(claim, [source]) == ()


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Barbecues are allowed.", "Grilling is allowed in Berlin."),
        ("Der Mieter zahlt das Hausgeld an den Vermieter.", "Die Kosten trägt Petra Nowak."),
        ("Das Schiff kam am 12.06.1912.", "The relief ship came on 12 June 1912, says Rosa."),
        ("Die Lagerung unter 25 Grad Celsius ist gut.", "Nur unter 25 °C lagern, sagt Rosa."),
        ("Ihr Bericht erschien auf Deutsch, sieben Jahre danach.", "The report was printed in Budapest by Rosa."),
        ("In May the Tenant pays.", "The Lessee pays in spring, says Rosa."),
        ("租客是李华。", "承租人为王明。"),
        ("The rent is EUR 950.", "Rosa pays 950 euros."),
        ("The flat costs Two Hundred euros.", "The flat in Rome costs 200 euros."),
    ],
)
def test_what_may_be_no_name_is_not_said_to_be_missing(claim: str, source: str) -> None:
    assert missing_names(claim, [source]) == ()


@pytest.mark.parametrize(
    ("claim", "source", "missing"),
    [
        ("The meeting took place in Hamburg.", "The meeting took place in Lübeck.", ("Hamburg",)),
        ("It was signed by Petra Nowak.", "It was signed by Rosa Berg.", ("Petra Nowak",)),
        ("Es wurde mit Maria Schulz vereinbart.", "Es wurde mit Petra Nowak vereinbart.", ("Maria Schulz",)),
        ("Le contrat est signé par Dupont.", "Le contrat est signé par Martin.", ("Dupont",)),
        ("The error is E04.", "The error is E05, as Rosa says.", ("E04",)),
        ("The variable is MAX_RETRIES.", "The variable is RETRY_LIMIT.", ("MAX_RETRIES",)),
        ("Write to ada@byron.example.", "Write to eva@byron.example.", ("ada@byron.example",)),
        ("See https://a.example/x.", "See https://a.example/y.", ("https://a.example/x",)),
        ("The report is of the OECD.", "The report is of Rosa Berg.", ("OECD",)),
        ("It is by Richard A. Johnson.", "It is by Rosa Berg.", ("Richard A. Johnson",)),
        ("It is by J. R. R. Rosen and Eva Lund.", "It is by Rosa Berg.", ("Rosen", "Eva Lund")),
    ],
)
def test_a_name_that_stands_nowhere_is_missing_as_written(claim: str, source: str, missing: tuple[str, ...]) -> None:
    assert missing_names(claim, [source]) == missing


_TEXTS = st.text(alphabet="abcdeABCDE ÄÖüß'-.@0123_,:\n/李", max_size=80)


@given(_TEXTS, _TEXTS)
def test_a_missing_name_is_in_the_claim_and_nowhere_in_the_text(claim: str, text: str) -> None:
    for name in missing_names(claim, [text]):
        assert name in claim
        assert name not in text


@given(_TEXTS)
def test_a_text_has_its_own_names(text: str) -> None:
    assert missing_names(text, [text]) == ()


def test_other_lines_give_the_full_form_of_a_name() -> None:
    known = {1: "Present: Petra Nowak, Tom Berger", 2: "Nowak reads the minutes.", 3: "Eva Stein leaves."}
    assert full_names(known, {2: known[2]}) == "Petra Nowak"
