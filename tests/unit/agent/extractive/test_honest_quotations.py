"""What the built-in model says of its quotations is so, and the sentence that answers stands first."""

import pytest

from desktop_rag.agent.citations.source_sentences import sentences
from desktop_rag.agent.citations.wording import count_claims
from desktop_rag.agent.extractive.answer import split_notes
from desktop_rag.agent.extractive.asked_things import head_without_name
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.extractive.names_as_read import as_read
from desktop_rag.agent.extractive.question_analysis import analyse
from desktop_rag.agent.extractive.sentence_candidates import candidates
from desktop_rag.agent.extractive.sentence_choice import choose_sentences
from desktop_rag.agent.extractive.sentence_ranking import rank
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
    assert rest.startswith("> ")
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


RESULTS = document(
    "Results of the fourth quarter",
    "Net sales of $3.2 billion compared to $2.7 billion in the year-ago quarter.",
    "",
    "Comparable sales increased 15.6 per cent in the year.",
    "",
    "Net sales increased 18.3 per cent to $10.2 billion compared to $8.6 billion in fiscal 2021.",
    "",
    "($ million)\tJune 30, 2022\tJune 30, 2023",
    "Total assets\t17,426\t17,003",
    title="Tidewater announces results of fiscal 2022",
)
OFFERS = document("supplier\tprice\twarranty", "Nordvarme\t41200\t10", "Seawell\t57400\t8")


@pytest.fixture
def figures() -> Asker:
    return Asker(FakeRetriever(("results.pdf", RESULTS), ("offers.csv", OFFERS), ("flat.txt", FLAT)), ExtractiveModel())


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("What were Tidewater's net sales in fiscal 2022?", "to $10.2 billion"),
        ("What were Tidewater's net sales in FY2022?", "to $10.2 billion"),
        ("What were Tidewater's net sales in the fourth quarter of fiscal 2022?", "of $3.2 billion"),
        ("Was kostet die Miete der Wohnung Lindenweg 4?", "Die Miete beträgt 1.150 Euro."),
    ],
)
def test_a_figure_of_another_period_is_not_quoted_first(figures: Asker, question: str, quoted: str) -> None:
    assert quoted in figures.answer(question).citations[0].quote


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What were the total assets of Tidewater?", "Total assets · June 30, 2022: 17,426 · June 30, 2023: 17,003"),
        ("What is the warranty of Seawell?", "supplier: Seawell · price: 57400 · warranty: 8"),
    ],
)
def test_a_table_row_is_quoted_with_its_header(figures: Asker, question: str, said: str) -> None:
    answered = figures.answer(question)
    assert said in answered.text
    assert all(claim.standing == "supported" for claim in answered.claims)


SALES = document(
    "| Region | 2021 | 2022 |",
    "|---|---|---|",
    "| North | 1,432 | 1,610 |",
    "| South | 2,210 | 2,015 |",
    title="Sales of Nordlicht",
)


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("What were the sales of the region North in 2022?", ""),
        ("Wie viel Umsatz hatte die Region North 2022?", "Nothing that was read mentions “Umsatz”.\n\n"),
    ],
)
def test_the_header_of_a_table_is_part_of_its_rows_and_no_answer(question: str, missing: str) -> None:
    answered = Asker(FakeRetriever(("sales.md", SALES)), ExtractiveModel()).answer(question)
    assert answered.text.startswith(f"{missing}> Region: North · 2021: 1,432 · 2022: 1,610 ")
    assert all("Region" not in each.quote for each in answered.citations)


def test_words_for_being_somewhere_or_due_are_not_told_as_missing(asker: Asker) -> None:
    assert "“due”" not in asker.answer("When is the parking fee due?").text
    assert "“reside”" not in asker.answer("In which place of work does one reside?").text


def test_numbers_and_words_that_only_ask_are_not_told_as_missing(figures: Asker) -> None:
    for question in ("What is the difference between Nordvarme and Seawell?", "Are total assets above 4,000?"):
        text = figures.answer(question).text.partition("mentions")[2]
        assert "“difference”" not in text
        assert "“000”" not in text


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


LEASE_DE = document(
    "Der Mietvertrag über die Lagerhalle endet am 31. Mai 2026. Die Kündigungsfrist beträgt sechs Monate."
)
ROOF_LINES = (
    "From: Jens Müller <jens@lager.example>",
    "To: Adaeze Okafor <ada@import.example>",
    "Subject: Re: Roof repairs and rent",
    "",
    "The roof was inspected on 20 November and found sound.",
)
ROOF = document(*ROOF_LINES, title="Re: Roof repairs and rent")
RENT_ZH = ("出席：王芳、李雷、韩梅梅。", "租金从六月起每月涨至八千五百元。", "仓库的屋顶必须在七月底之前修好。")


@pytest.mark.parametrize(
    ("question", "is_found"),
    [
        ("Was steht im Mietvertrag über die Kaution?", False),
        ("Was steht im Mietvertrag über die Halle?", True),  # in a compound
        ("What does the mail say about the deposit?", False),
        ("What does the mail say about the roof?", True),
    ],
)
def test_a_thing_asked_about_that_stands_nowhere_is_not_found(question: str, is_found: bool) -> None:
    library = FakeRetriever(("miete.txt", LEASE_DE), ("roof.eml", ROOF))
    assert Asker(library, ExtractiveModel()).answer(question).found is is_found


def quotes(question: str, title: str, lines: tuple[str, ...]) -> list[str]:
    evidence = Evidence("turn1search1", title, 1, lines)
    read = candidates([ToolMessage("1", "search", "", (evidence,))])
    asked = as_read(analyse(question), read)
    ranked = rank(asked, read)
    return [one.candidate.text for one in choose_sentences([(asked, ranked)], {})[0].sentences]


@pytest.mark.parametrize("question", ["What did Müller write about the roof?", "What did Mller say about the roof?"])
def test_header_lines_of_a_mail_answer_no_question_for_its_matter(question: str) -> None:
    quoted = quotes(question, "Roof repairs", ROOF_LINES)
    assert quoted == ["The roof was inspected on 20 November and found sound."]


def test_the_subject_of_a_mail_is_quoted_if_asked_for() -> None:
    answered = Asker(FakeRetriever(("roof.eml", ROOF)), ExtractiveModel()).answer(
        "What is the subject of the roof mail?"
    )
    assert "Subject: Re: Roof repairs and rent" in answered.text


def test_nothing_without_a_word_of_the_question_follows_the_answer() -> None:
    assert quotes("租金每月涨到多少？", "会议记录", RENT_ZH) == ["租金从六月起每月涨至八千五百元。"]


def test_what_adds_nothing_to_an_answer_with_the_amount_does_not_follow() -> None:
    notice, area = "Die Kündigungsfrist beträgt sechs Monate.", "Die Halle hat 240 Quadratmeter."
    lines = (area, "", notice, "", "Hunde sind in der Halle nicht erlaubt.")
    assert quotes("Wie lange ist die Kündigungsfrist für die Halle?", "Mietvertrag", lines) == [notice, area]


def test_no_unrelated_note_follows_a_sentence_without_the_reason_asked_for() -> None:
    lines = (
        "The closing insurance covers storm and water, not flood.",
        "The tea house pays late: the rent of January came on the 19th.",
        "Electricity meter of the basement: 48,112 kWh on Sunday, 49,870 kWh on Monday.",
    )
    assert quotes("Why does the tea house pay late?", "Notes", lines) == [lines[1]]


def test_the_year_of_a_question_for_a_reason_need_not_stand_beside_the_reason() -> None:
    lines = (
        "Merchandise inventories were $1.6 billion at the end of the year.",
        "The increase in merchandise inventories was driven by the opening of 47 new stores.",
    )
    asked = "What drove the increase in merchandise inventories in FY2023?"
    assert lines[1] in quotes(asked, "Fiscal results", lines)
    assert quotes("What were the merchandise inventories in FY2023?", "Fiscal results", lines) == []


def test_the_line_above_an_earlier_mail_is_no_answer() -> None:
    lines = (
        "The skylights cost 2,900 euros more.",
        "",
        "On Mon, 17 Feb 2025 Paul Weiss wrote:",
        "> Are they included?",
    )
    assert quotes("What did Paul Weiss write about the skylights?", "Roof offer", lines) == [lines[0]]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What happened on 17 February 2025?", "None of these quotations mentions “17 February 2025”."),
        ("What happened on 2 June 2025?", ""),
        ("What starts on 2025-06-02?", ""),
    ],
)
def test_a_day_that_no_quotation_names_is_told(question: str, said: str) -> None:
    notes = document("Work on the roof starts on 2 June 2025 and takes three weeks.", title="Notes of February 2025")
    text = Asker(FakeRetriever(("notes.txt", notes)), ExtractiveModel()).answer(question).text
    assert "Work on the roof" in text
    assert (said in text) if said else "mentions" not in text


@pytest.mark.parametrize("other", ["", "Elif Demir sent the key."])
def test_a_given_name_alone_is_that_of_the_question_unless_another_has_it(other: str) -> None:
    library = FakeRetriever(
        ("tenants.txt", document(f"Elif Aydin rents the upper floor in Kiel. {other}", title="Tenants")),
        ("notes.txt", document("Elif's practice is closed for renovation until 21 March.", title="Notes")),
    )
    answered = Asker(library, ExtractiveModel()).answer("When is the practice of Elif Aydin closed?")
    assert ("21 March" in answered.text.partition("closest passage")[0]) is (not other)


def test_words_written_together_or_with_a_hyphen_are_mentioned() -> None:
    chat = document("Li Hua asked for the Wi-Fi password of the apartment, which is Family123.", title="Chat")
    answered = Asker(FakeRetriever(("chat.txt", chat)), ExtractiveModel()).answer(
        "What is the wifi password of LiHua's apartment?"
    )
    assert "Family123" in answered.text
    assert "mentions" not in answered.text


def test_a_greeting_in_the_line_of_the_answer_is_not_quoted() -> None:
    answer = "The Wi-Fi password of the flat is Family123, with a capital letter."
    assert quotes("What is the Wi-Fi password of the flat?", "Chat", (f"Hope you're doing well. {answer}",)) == [answer]


def test_a_name_is_mentioned_by_the_sentence_that_is_quoted_before() -> None:
    chat = document(
        "AdamBrown: How is the school?",
        "YurikoYamamoto: Thank you! It truly is rewarding. Watching their progress is the best part of my job.",
    )
    asker = Asker(FakeRetriever(("20261226_2000.txt", chat)), ExtractiveModel())
    answered = asker.answer("What is Yuriko's job?").text
    assert "YurikoYamamoto: Thank you! It truly is rewarding." in answered
    assert "mentions" not in answered


def test_a_row_far_below_the_header_of_a_long_table_is_quoted_with_its_columns() -> None:
    rows = (f"{number}\tST03\t2024-12-{number % 28 + 1:02}\t6.04\tLund\tcalm" for number in range(100))
    header = "id\tstation\tdate\ttemperature\toperator\tremark"
    table = document(header, *rows, "100\tST03\t2024-12-12\t7.31\tBrandt\tsensor fault Zanzibar")
    library = FakeRetriever(("measurements.csv", table))
    answered = Asker(library, ExtractiveModel()).answer("Which operator noted the sensor fault Zanzibar?")
    assert "> id: 100 · station: ST03 · date: 2024-12-12 · temperature: 7.31 · operator: Brandt · " in answered.text
    assert "“operator”" not in answered.text
    assert [(each.first_line, each.last_line) for each in answered.citations] == [(102, 102)]


def test_a_row_of_words_is_quoted_with_its_columns() -> None:
    table = document("Boat\tKeeper\tBerth", "Kestrel\tBrandt\tnorth quay", "Heron\tLund\tsouth quay")
    answered = Asker(FakeRetriever(("boats.csv", table)), ExtractiveModel()).answer("Who is the keeper of Kestrel?")
    assert answered.text.startswith("> Boat: Kestrel · Keeper: Brandt · Berth: north quay")


BEFORE_TURN = (
    "If the employment ends without cause, the Company shall for twenty-four months",
    "continue the payment of the salary, and the notice period of the Company shall apply to",
)


@pytest.mark.parametrize("turn", [("7", ""), ("", "- 7 -", ""), ("Page 7 of 9",)])
def test_a_sentence_over_the_end_of_a_page_is_quoted_without_its_number(turn: tuple[str, ...]) -> None:
    rest = "Executive, with respect to the fiscal year in which such termination of employment occurs."
    text = document("Agreement", *BEFORE_TURN, *turn, rest)
    lines = {number: text.line(number).text for number in range(1, text.line_count + 1)}
    whole = f"{BEFORE_TURN[0]} {BEFORE_TURN[1]} {rest}"
    assert [(each.first_line, each.last_line) for each in sentences(lines) if each.text == whole] == [
        (2, text.line_count)
    ]


@pytest.mark.parametrize("end", [(), ("7",), ("", "7"), ("7", "Table of Contents"), ("time basis: two months",)])
def test_a_quotation_that_is_broken_off_says_so(end: tuple[str, ...]) -> None:
    library = FakeRetriever(("agreement.pdf", document("", *BEFORE_TURN, *end)))
    answered = Asker(library, ExtractiveModel()).answer("What is the notice period of the Company?")
    assert f"{BEFORE_TURN[1]} … [1]" in answered.text
    assert [(each.first_line, each.last_line, each.verdict) for each in answered.citations] == [(2, 3, "verbatim")]
    assert answered.claims[0].quoted


def test_a_quotation_of_a_whole_sentence_has_no_ellipsis(asker: Asker) -> None:
    assert "…" not in asker.answer("What notice may the tenant give?").text
    assert "…" not in asker.answer("What is MAX_RETRIES?").text


def test_a_number_that_is_no_page_number_stays() -> None:
    lines = ("The berth of the Kestrel at the north quay has for many years had the number", "7.", "It is let.")
    assert sentences(dict(enumerate(lines, 1)))[0].text.endswith("had the number 7.")


def test_a_quotation_that_is_too_long_ends_with_an_ellipsis() -> None:
    text = f"The notice period of the harbour lease is {'long and very ' * 60}long."
    answered = Asker(FakeRetriever(("lease.txt", document(text))), ExtractiveModel())
    assert " … [1]" in answered.answer("What is the notice period of the harbour lease?").text


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How long is the notice period in the service agreement?", "Either party may terminate with 90 days"),
        ("How long is the notice period in case of a breach?", "In case of a material breach, 14 days"),
    ],
)
def test_a_rule_is_quoted_before_its_exception(question: str, first: str) -> None:
    text = "Either party may terminate with 90 days written notice. In case of a material breach, 14 days suffice."
    text += " Highlights in this paragraph are about the notice period."
    agreement = document("Service agreement", "3. Termination", text, title="Service agreement")
    answered = Asker(FakeRetriever(("agreement.docx", agreement)), ExtractiveModel()).answer(question)
    assert answered.citations[0].quote.startswith(first)
