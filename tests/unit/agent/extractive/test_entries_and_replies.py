"""Quotations with the date of their entry, with the reply that reverses them, and from the latest entry on a thing."""

import pytest

from desktop_rag.agent.citations.source_sentences import sentences
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.extractive.quantities.validity import periods
from desktop_rag.agent.extractive.sentence_candidates import candidates
from desktop_rag.agent.prompts import CLOSEST, CLOSEST_PASSAGES
from desktop_rag.documents.document import Document
from tests.unit.agent.conftest import Asker, FakeRetriever, document
from tests.unit.agent.extractive.test_quantity_answer import opened

LOG = document(  # four lines an entry: the retriever of these tests returns so many
    "## 14 April 2025",
    "- Attendees: Nadia, Oskar",
    "- The adjuster visited the house.",
    "- Budget is 4,000 euros.",
    "## 2 May 2025",
    "- Attendees: Nadia",
    "- Budget cut to 3,500 euros.",
    "",
    "## 13 May 2025",
    "- The claim was closed.",
    title="Claim log",
)
CHAT = document(
    "12/06/2025, 18:02 - Hattie: Who has the key to the shed?",
    "12/06/2025, 18:05 - Dev: I gave it to Moritz on Sunday",
    "22/06/2025, 08:12 - Dev: Somebody stole the wheelbarrow",
    "22/06/2025, 08:20 - Hattie: No, my brother borrowed it, he brings it back tonight",
    title="Chat.txt",
)
README = document(
    "# logtool",
    "",
    "**Can I write compressed logs?** Not yet. Reading gzip is possible since version 1.4.",
    "",
    "Cats are allowed. We are closed on Mondays.",
    title="logtool",
)
LETTER = document(
    "The trip costs 985 pounds. It includes the coach. It does not include lunch or insurance.",
    "",
    "",
    "",
    "Yours sincerely",
    "",
    "Dr Fiona Hartnell",
    "Headteacher",
    title="Harrow Academy",
)
MINUTES = document(
    "Minutes of the meeting, 16 September 2025",
    "Present: Salma Idris",
    "Apologies: Luke Fenner",
    "Tom will repair the blue eight.",
    title="Minutes of the meeting, 16 September 2025",
)
LATER = document(
    "Minutes of the meeting, 21 October 2025",
    "",
    "1. **Blue eight.** Tom could not repair it; it will be sold.",
    "2. **Trailer insurance** was renewed.",
    title="Minutes of the meeting, 21 October 2025",
)
NOTE = document(
    "Patient: Piotr Wolak, born 4 June 1979",
    "Consultant: Mr Rahul Deshpande",
    "",
    "Allergies: penicillin.",
    title="Discharge note",
)
MAIL = document("From: Ingrid <ingrid@example.org>", "To: Piotr Wolak <piotr@example.org>", "", "Hello", title="Mail")
WEDDING = document("# Wedding of Ilse", "", "Date: 6 September 2025", "Venue: Millbrook Barn", title="Wedding")
HEATING = document(
    "The engineer will come on Wednesday to look at the heating. His name is Aled Price.",
    title="Mail",
)
CARE = document("Born: 3 May 1941", "Next of kin: Felix Mirza (son)", title="Care plan: Ottoline Mirza")
CHOIR = document("The concert takes place on 12 July 2025 in St Bride's Church.", title="Choir")
FLAT = document("The monthly rent is 1,120 pounds.", title="Lease: flat 3B, 14 Harbour Street")
MACHINE = document("Die Garantie beträgt zwei Jahre ab Kaufdatum.", title="Anleitung")
BIKES = document(
    "Petra is ill.", "", "The red bike was stolen on 3 May.", "", "The hall is closed until 4 April.", title="Club"
)


def answered(question: str, *texts: Document) -> str:
    library = FakeRetriever(*((f"document {number}.md", text) for number, text in enumerate(texts)))
    return Asker(library, ExtractiveModel()).answer(question).text


@pytest.mark.parametrize(
    ("question", "text", "begins"),
    [
        ("When was the claim closed?", LOG, "> 13 May 2025: The claim was closed."),
        ("When did the adjuster visit the house?", LOG, "> 14 April 2025: The adjuster visited the house."),
        ("Who attended on 2 May 2025?", LOG, "> 2 May 2025: Attendees: Nadia"),
        ("What is the current budget of the claim?", LOG, "> 2 May 2025: Budget cut to 3,500 euros."),
        ("Can logtool write compressed logs?", README, "> **Can I write compressed logs?** Not yet."),
        ("Are they open on Mondays?", README, "> We are closed on Mondays."),
        ("Who is the headteacher of Harrow Academy?", LETTER, "> Dr Fiona Hartnell Headteacher"),
        (
            "Who was absent on 16 September 2025?",
            MINUTES,
            "> Minutes of the meeting, 16 September 2025: Apologies: Luke Fenner",
        ),
        ("What is the email address of Piotr?", MAIL, "> To: Piotr Wolak"),
        (
            "What is Piotr allergic to?",
            NOTE,
            "> Patient: Piotr Wolak, born 4 June 1979 [1](cite:1)\n\n> Allergies: penicillin.",
        ),
    ],
)
def test_the_sentence_is_quoted_with_what_belongs_to_it(question: str, text: Document, begins: str) -> None:
    assert answered(question, text).replace("\\", "").startswith(begins)


def test_a_paragraph_below_the_last_entry_has_no_date() -> None:
    plan = "## 17 March 2025\nDose lowered.\n\nThe nurse visits on Tuesdays."
    entries = {each.text: each.entry for each in candidates([opened("Plan.md", plan)])}
    assert entries["Dose lowered."] == "17 March 2025"
    assert entries["The nurse visits on Tuesdays."] == ""
    later = candidates([opened("Plan.md", f"{plan}\n\n## 2 April 2025\nDose raised.")])
    assert {each.entry for each in later if "nurse" in each.text} == {"17 March 2025"}


def test_a_mention_is_no_definition() -> None:
    text = "Every pupil needs a passport and a GHIC card."
    assert CLOSEST in answered("What is a GHIC card?", document(text, title="Letter"))
    defined = "A GHIC card is a proof of insurance abroad."
    assert CLOSEST not in answered("What is a GHIC card?", document(text, "", defined, title="Letter"))


def test_what_a_yes_or_no_question_asks_may_stand_elsewhere_in_the_document() -> None:
    lines = ("Customer: St Aidan's Church, pew restoration", "Beeswax, 45.00", "", "A discount was refused by us.")
    invoice = document(*lines, title="Invoice 325")
    assert "discount was refused" in answered("Did St Aidan's Church get a discount?", invoice)


def test_taking_place_says_nothing_of_the_place() -> None:
    assert answered("Where does the wedding take place?", WEDDING, CHOIR).startswith("> Venue: Millbrook Barn")


def test_the_name_in_the_next_sentence_is_quoted() -> None:
    text = answered("Who will look at the heating?", HEATING)
    assert "Aled Price" in text
    assert CLOSEST not in text


def test_another_german_verb_may_say_the_same() -> None:
    assert CLOSEST not in answered("Wie lange gilt die Garantie?", MACHINE)


def test_what_restricts_or_denies_a_sentence_is_quoted_with_it() -> None:
    assert "It does not include lunch" in answered("What does the price of the trip include?", LETTER)
    assert "No, my brother borrowed it" in answered("Was the wheelbarrow stolen?", CHAT)


def test_a_message_of_an_exported_chat_is_a_sentence_of_its_own() -> None:
    lines = dict(enumerate(CHAT.text.split("\n"), 1))
    assert len({each.first_line for each in sentences(lines) if each.first_line == each.last_line}) == len(lines)


def test_the_latest_entry_tells_what_became_of_a_thing() -> None:
    text = answered("What became of the blue eight?", MINUTES, LATER)
    assert text.index("it will be sold") < text.index("Tom will repair the blue eight")
    assert "Trailer" not in text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When was Rahul Deshpande born?", NOTE),  # the patient was
        ("When was Felix Mirza born?", CARE),
        ("How old is Petra?", BIKES),
        ("Who stole the red bike?", BIKES),
        ("When was the red bike sold?", BIKES),
        ("How much is the rent of Flat 14?", FLAT),
    ],
)
def test_what_is_told_of_another_thing_is_only_the_closest(question: str, text: Document) -> None:
    said = answered(question, text)
    assert CLOSEST in said or CLOSEST_PASSAGES in said or said.startswith("No sentence")


def test_a_period_needs_no_from() -> None:
    [period] = periods("Period of cover: 1 March 2025 to 28 February 2026")
    assert (period.first, period.last) == ((2025, 3, 1), (2026, 2, 28))


def test_minutes_of_another_month_do_not_answer() -> None:
    later = document(
        "Minutes of the meeting, 21 October 2025",
        "Present: Luke Fenner",
        "Apologies: Salma Idris",
        title="Minutes of the meeting, 21 October 2025",
    )
    said = answered("Did Luke Fenner attend the October meeting?", MINUTES, later)
    assert said.startswith("> Minutes of the meeting, 21 October 2025: Present: Luke Fenner")
    assert "> Present" not in answered("Did Salma Idris attend the October meeting?", MINUTES, later)
