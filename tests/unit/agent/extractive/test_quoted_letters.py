"""What is quoted of mails, letters and minutes, and what is said to be missing."""

import pytest

from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.extractive.names_as_read import as_read
from desktop_rag.agent.extractive.question_analysis import analyse
from desktop_rag.agent.extractive.sentence_candidates import candidates
from desktop_rag.agent.extractive.sentence_choice import choose_sentences
from desktop_rag.agent.extractive.sentence_ranking import rank
from desktop_rag.llm.chat import Evidence, ToolMessage
from tests.unit.agent.conftest import Asker, FakeRetriever, document

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
