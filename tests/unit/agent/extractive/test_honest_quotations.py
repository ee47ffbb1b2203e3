"""What the built-in model says of its quotations is so, and the sentence that answers stands first."""

import pytest

from desktop_rag.agent.citations.marks import count_claims
from desktop_rag.agent.extractive.answer import split_notes
from desktop_rag.agent.extractive.asked_things import head_without_name
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.extractive.question_analysis import analyse
from desktop_rag.agent.extractive.sentence_candidates import candidates
from desktop_rag.agent.extractive.sentence_ranking import rank
from desktop_rag.agent.prompts import CLOSEST
from desktop_rag.llm.chat import Evidence, ToolMessage
from tests.unit.agent.conftest import Asker, FakeRetriever, document

LEASE = document(
    "The lease begins on 1 April 2023 and runs for five years. The tenant may end it early with a notice of six months "
    "to the end of a quarter. The landlord may not end it early.",
    title="Lease of the harbour office",
)
FEBRUARY = document(
    "Present: Maren Quist, Jonas Weber, Aylin Demir.", "", "Next meeting: 7 May 2024.", title="Board, 6 February 2024"
)
MAY = document("Present: Aylin Demir, Paul Okafor.", "", "Paul asked for a review.", title="Board, 7 May 2024")
MAIL = document("Der Drucker kostet 2.390 Euro und wird in der 23. Woche geliefert. Die Garantie läuft zwei Jahre.")
CODE = document('"""Reads tide gauges."""', "", "MAX_RETRIES = 5", "", "", "def mean_level(levels):", "    pass")
FEES = document("From July the parking fee is 85 euros a month for each car.")
LINKS = document("Harbour Wiki", "https://wiki.example/harbour", title="Search results")
WIKI = document("The harbour master resigned in 1983.", "", "A new quay was built.", title="Harbour Wiki")
HARBOUR_DE = document("Der Hafenmeister trat im Jahr 1983 zurück.")
ARBEIT = document(
    "Arbeitsvertrag",
    "",
    "Die GmbH wird vertreten durch den Geschäftsführer Jonas Weber.",
    "",
    "Der Urlaub von Aylin Demir beträgt 28 Arbeitstage im Jahr.",
    "",
    "Die neue Säge wird gekauft. Angebot A kostet 14.200 Euro, Angebot B 12.900 Euro.",
)
WORK = document("Holiday: 28 days a year.", "Place of work is Bern.", title="Employment contract")


@pytest.fixture
def asker() -> Asker:
    named = {
        "lease.md": LEASE,
        "2024-02-06.md": FEBRUARY,
        "2024-05-07.md": MAY,
        "drucker.eml": MAIL,
        "tides.py": CODE,
        "parking.eml": FEES,
        "work.md": WORK,
        "arbeit.txt": ARBEIT,
        "hafen.txt": HARBOUR_DE,
        "links.html": LINKS,
        "wiki.html": WIKI,
    }
    return Asker(FakeRetriever(*named.items()), ExtractiveModel())


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("May the landlord end the lease early?", "The landlord may not end it early."),
        ("Who was present at the board in May 2024?", "Present: Aylin Demir, Paul Okafor."),
        ("Wie viel kostet der Drucker?", "Der Drucker kostet 2.390 Euro und wird in der 23. Woche geliefert."),
        ("What is MAX_RETRIES?", "MAX_RETRIES = 5"),
        ("Where is the place of work?", "Place of work is Bern."),
        ("Who of the harbour resigned?", "The harbour master resigned in 1983."),
        ("Wann trat der Hafenmeister zurueck?", "Der Hafenmeister trat im Jahr 1983 zurück."),
        ("Wer ist der Geschaeftsfuehrer der GmbH?", "Die GmbH wird vertreten durch den Geschäftsführer Jonas Weber."),
        ("Wie viele Urlaubstage hat Aylin Demir?", "Der Urlaub von Aylin Demir beträgt 28 Arbeitstage im Jahr."),
        ("Welches Angebot für die Säge ist billiger?", "Angebot A kostet 14.200 Euro, Angebot B 12.900 Euro."),
    ],
)
def test_the_sentence_that_answers_stands_first(asker: Asker, question: str, first: str) -> None:
    assert asker.answer(question).citations[0].quote == first


@pytest.mark.parametrize(
    "question", ["Who is the dentist of Maren Quist?", "Who is the CEO of Aylin Demir's employer?"]
)
def test_sentences_that_mention_nothing_but_the_name_do_not_answer(asker: Asker, question: str) -> None:
    answered = asker.answer(question)
    assert not answered.found
    assert not answered.citations


def test_quotations_are_counted_as_quotations(asker: Asker) -> None:
    answered = asker.answer("How much is the parking fee?")
    assert count_claims(answered.claims) == "1 quotation, word for word"
    assert all(claim.quoted for claim in answered.claims)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the average notice that the tenant may give?", True),
        ("What notice may the tenant give?", False),
        ("How much is the average parking fee?", False),  # the sentence states an average
        ("What do the fees for cars and boats cost altogether?", True),
    ],
)
def test_a_calculation_that_was_not_made_is_said(question: str, said: bool) -> None:
    fees = document("The average parking fee is 85 euros.")
    boats = document("The fee for boats is 9 euros, that for cars 80.")
    library = FakeRetriever(("lease.md", LEASE), ("fees.txt", fees), ("boats.txt", boats))
    answered = Asker(library, ExtractiveModel()).answer(question)
    assert answered.found
    assert ("nothing was calculated or compared" in answered.text) is said
    assert ["calculated or compared" in text for text, is_note in split_notes(answered.text) if is_note][-1] is said


def test_a_word_that_stands_nowhere_is_named(asker: Asker) -> None:
    answered = asker.answer("How much is the monthly cleaning fee for each car?")
    assert "Nothing that was read mentions “cleaning”." in answered.text
    notes = [text for text, is_note in split_notes(answered.text) if is_note]
    assert any("“cleaning”" in note for note in notes)
    assert len(answered.claims) == 1  # the note makes no claim


@pytest.mark.parametrize(
    "question", ["How much is the monthly cleaning fee for each car?", "Wann trat der Direktor zurück?"]
)
def test_what_no_quotation_mentions_is_said_before_them(question: str) -> None:
    library = FakeRetriever(("parking.eml", FEES), ("wiki.html", WIKI), ("hafen.txt", HARBOUR_DE))
    answered = Asker(library, ExtractiveModel()).answer(question)
    opening, _, rest = answered.text.partition("\n\n")
    assert opening.startswith(("Nothing that was read mentions “", "None of these quotations mentions “"))
    assert rest.removeprefix(f"{CLOSEST}\n\n").startswith("> ")
    assert next(text.strip() for text, is_note in split_notes(answered.text) if is_note) == opening


@pytest.mark.parametrize(
    "question",
    [
        "How much is the daily fee for boats in the paper?",
        "Which rate is the fee for boats in the code?",
        "Laut Notiz, wo liegt der Schluessel zum Hafen?",
    ],
)
def test_words_for_documents_and_for_what_is_written_otherwise_are_not_named(question: str) -> None:
    fees = document("The fee for boats is 9 EUR per day.")
    key = document("Der Schlüssel zum Hafen liegt beim Hausmeister.")
    answered = Asker(FakeRetriever(("fees.txt", fees), ("hafen.txt", key)), ExtractiveModel()).answer(question)
    assert answered.found
    assert answered.text.startswith("> ")


def test_a_word_in_another_form_is_not_named(asker: Asker) -> None:
    assert "Nothing that was read" not in asker.answer("What are the fees for parking cars?").text


def test_an_identifier_is_mentioned_only_as_it_is_written(asker: Asker) -> None:
    library = FakeRetriever(("risks.txt", document("The loss of key customers is required to be reported.")))
    assert "“required_keys”" in Asker(library, ExtractiveModel()).answer("What is required_keys?").text
    assert "Nothing that was read" not in asker.answer("What is MAX_RETRIES?").text


def test_an_identifier_at_the_end_of_a_long_sentence_is_mentioned() -> None:
    """Folding a word cuts it at 128 characters; a text is folded whole."""
    text = f"It was measured {'and measured again ' * 8}that the model outperforms OpenAI GPT by 8.3 points."
    library = FakeRetriever(("models.txt", document(text)))
    answered = Asker(library, ExtractiveModel()).answer("By how much does the model outperform OpenAI GPT?").text
    assert "OpenAI GPT by 8.3 points" in answered
    assert "mention" not in answered.split("OpenAI GPT by 8.3")[0]


def test_a_figure_needs_no_word_for_it(office: Asker) -> None:
    answered = office.answer("What is the phone number of Ole Lund?")
    assert answered.text.startswith("> Ole Lund has the phone 0471 5550.")


def test_another_spelling_and_a_round_number_are_not_named_as_missing() -> None:
    library = FakeRetriever(("licences.txt", document("They sold 60 million licenses of Windows in 2013.")))
    answered = Asker(library, ExtractiveModel()).answer("Were more than 1000 licences of Windows sold?").text
    assert "60 million licenses" in answered
    assert "mentions" not in answered


def test_a_word_inside_a_compound_is_not_named() -> None:
    library = FakeRetriever(("fees.txt", document("Die Parkgebühr kostet 85 Euro im Monat.")))
    assert "Gebühr" not in Asker(library, ExtractiveModel()).answer("Wie viel kostet die Gebühr im Monat?").text


CONTRACT = document("The salary is 4,200 euros a month. She has 28 days of leave.", title="Contract of Ingrid Solberg")
MINUTES = document(
    "Present: Maren Quist, Jonas Weber. Absent: Paul Okafor.",
    "",
    "1. Paul Okafor asked for a review of the crane.",
    "2. Aylin Demir was elected treasurer.",
    title="Board of Nordwind",
)
PARKING = document(
    "Dear all,", "the parking fee is 85 euros for each car. Please keep the places clean.", "Maren Quist"
)
NOVELS = document("Feynman wrote What Do You Care What Other People Think in 1988.", title="Feynman")
PEOPLE = document(
    "Ingrid Solberg manages the harbour for Nordwind.", "Ole Lund has the phone 0471 5550.", title="People"
)
FLAT = document(
    "Mietvertrag über die Wohnung Lindenweg 4", "", "Die Miete beträgt 1.150 Euro. Die Kaution beträgt drei Mieten."
)
OFFICE = {
    "contract.md": CONTRACT,
    "minutes.md": MINUTES,
    "parking.eml": PARKING,
    "feynman.txt": NOVELS,
    "people.md": PEOPLE,
    "flat.txt": FLAT,
}


@pytest.fixture
def office() -> Asker:
    return Asker(FakeRetriever(*OFFICE.items()), ExtractiveModel())


@pytest.mark.parametrize("question", ["What is the phone number of Paul Okafor?", "What is the salary of Maren Quist?"])
def test_what_else_is_told_of_a_person_is_no_answer(office: Asker, question: str) -> None:
    answered = office.answer(question)
    assert answered.text.startswith("No sentence that answers this was found")
    assert not answered.citations  # what else the person did is not close


def test_the_closest_passage_shares_what_is_asked(office: Asker) -> None:
    answered = office.answer("Which review of the World Cup did Paul Okafor ask for?")
    assert answered.text.startswith("No sentence that answers this was found")
    assert "The closest passage, which may not answer the question:" in answered.text
    assert [each.quote for each in answered.citations] == ["Paul Okafor asked for a review of the crane."]


@pytest.mark.parametrize(
    "question",
    [
        "Which hobbies does Ole Lund have?",  # nothing read has the thing asked for
        "What is a harbour pilot?",  # nor a word of the term
        "How many children does Ingrid Solberg have?",
        "Wie viele Kinder hat Ingrid Solberg?",
    ],
)
def test_what_nothing_read_mentions_is_not_answered(office: Asker, question: str) -> None:
    answered = office.answer(question)
    assert not answered.found, answered.text


def test_a_heading_is_no_answer() -> None:
    lease = document("Mietvertrag", "", "§ 4 Kaution", "Die Mieterin leistet eine Sicherheit von drei Monatsmieten.")
    answered = Asker(FakeRetriever(("lease.txt", lease)), ExtractiveModel()).answer("Wie hoch ist die Kaution?")
    assert [each.quote for each in answered.citations] == [
        "Die Mieterin leistet eine Sicherheit von drei Monatsmieten."
    ]


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("How much is the cleaning fee for each car?", "cleaning"),
        ("Who founded Nordwind?", "founded"),
        ("When was Aylin Demir elected treasurer of the museum?", "museum"),
    ],
)
def test_quotations_tell_what_they_do_not_mention(office: Asker, question: str, missing: str) -> None:
    answered = office.answer(question)
    notes = "".join(text for text, is_note in split_notes(answered.text) if is_note)
    assert f"“{missing}”" in notes
    assert len(answered.claims) == len(answered.citations)  # the note makes no claim


RIVER = document(
    "The length of the Rhine was given as 1,320 kilometres. The error was discovered in 2010.",
    "",
    "Its source must have been a glacier in the last ice age.",
    title="Rhine",
)


def test_words_that_no_quotation_has_together_are_told() -> None:
    asker = Asker(FakeRetriever(("rhine.txt", RIVER)), ExtractiveModel())
    answered = asker.answer("Who discovered the Rhine's source?")
    told = "No quotation mentions “discovered”, “source” together."
    assert next(text for text, is_note in split_notes(answered.text) if is_note) == told
    assert "together" not in asker.answer("When was the error in the length of the Rhine discovered?").text


def test_documents_about_somebody_else_are_not_quoted(office: Asker) -> None:
    assert all("Feynman" not in each.quote for each in office.answer("Who founded Nordwind?").citations)
    answered = office.answer("How many days of leave does Ingrid Solberg have?")
    assert {each.path for each in answered.citations} == {"/library/contract.md"}
    assert "None of these quotations" not in answered.text


def test_a_list_is_quoted_with_the_entry_that_is_asked_about(office: Asker) -> None:
    answered = office.answer("Was Paul Okafor present at the board of Nordwind?")
    assert [each.quote for each in answered.citations] == ["Present: Maren Quist, Jonas Weber.", "Absent: Paul Okafor."]


def test_how_high_is_no_word_of_the_answer(office: Asker) -> None:
    answered = office.answer("Wie hoch ist die Kaution der Wohnung Lindenweg 4?")
    assert "Die Kaution beträgt drei Mieten." in [each.quote for each in answered.citations]
    assert "hoch" not in answered.text


def test_words_for_being_somewhere_or_due_are_not_told_as_missing(asker: Asker) -> None:
    assert "“due”" not in asker.answer("When is the parking fee due?").text
    assert "“reside”" not in asker.answer("In which place of work does one reside?").text


def test_a_list_marker_is_in_no_quotation(office: Asker) -> None:
    answered = office.answer("What did Paul Okafor ask for?")
    assert all(each.verdict == "verbatim" for each in answered.citations)
    assert answered.citations[0].quote == "Paul Okafor asked for a review of the crane."


def test_neighbours_of_what_is_asked_are_no_answer(office: Asker) -> None:
    answered = office.answer("Did Ole Lund resign?")
    assert not answered.citations or "Ole Lund" in answered.citations[0].quote


def test_the_post_of_somebody_elsewhere_is_no_answer() -> None:
    ulta = document("Ulta Beauty opened 47 stores.", "Its sales rose to $10.2 billion.", title="Ulta Beauty results")
    windows = document("Microsoft CEO Steve Ballmer announced Windows 8.", title="Windows 8")
    asker = Asker(FakeRetriever(("ulta.pdf", ulta), ("windows.txt", windows)), ExtractiveModel())
    answered = asker.answer("Who is the CEO of Ulta Beauty?")
    assert all("Ballmer" not in each.quote for each in answered.citations)


CHAT = document("LiHua: Thanks!", "I suggest a newsletter for the new scheduling feature.", title="chat")
PARTY = document("WolfgangSchulz: Hey Li Hua!", "A small party at my place.", "A new family dinner.", title="party")
REPORT_LINES = (
    *("The company pays taxes in Brazil.", "Taxes were paid.", "Costs fell.", "Sales rose."),
    *("Ida Falk is Vice President for finance.", "The board met.", "The world market grew in 2022."),
)
REPORT = document(*REPORT_LINES, title="Report")


@pytest.fixture
def chats() -> Asker:
    named = {"chat.txt": CHAT, "party.txt": PARTY, "report.txt": REPORT}
    return Asker(FakeRetriever(*named.items()), ExtractiveModel())


def test_a_name_may_be_written_as_one_word(chats: Asker) -> None:
    answered = chats.answer("What does Li Hua suggest for the new scheduling feature?")
    assert "I suggest a newsletter for the new scheduling feature." in [each.quote for each in answered.citations]


@pytest.mark.parametrize(
    "question",
    [
        "Who won the 2022 World Cup?",
        "What type of dessert did Wolfgang plan to order for Li Hua during their dinner celebration?",
    ],
)
def test_what_was_asked_of_a_name_stands_with_it_or_nothing_answers(chats: Asker, question: str) -> None:
    assert not chats.answer(question).found


def test_an_amount_of_another_year_does_not_answer() -> None:
    report = document("Net revenues of the company were 5 million euros in 2021.", title="Report")
    asker = Asker(FakeRetriever(("report.txt", report)), ExtractiveModel())
    assert asker.answer("What were the net revenues of the company in 2021?").found
    assert not asker.answer("What were the net revenues of the company in 2019?").found


def test_the_president_of_another_is_not_that_of_brazil() -> None:
    read = (*REPORT_LINES, "The president of Chile resigned.")
    evidence = Evidence("turn1search1", "Report", 1, read, 0.0, "", "report.txt")
    found = candidates([ToolMessage("1", "search", "", (evidence,))])
    brazil, chile = analyse("Who is the president of Brazil?"), analyse("Who is the president of Chile?")
    assert head_without_name(brazil, rank(brazil, found))
    assert not head_without_name(chile, rank(chile, found))


def test_a_quotation_of_a_whole_sentence_has_no_ellipsis(asker: Asker) -> None:
    assert "…" not in asker.answer("What notice may the tenant give?").text
    assert "…" not in asker.answer("What is MAX_RETRIES?").text
