"""Questions for somebody's mails, and for who wrote what."""

import pytest

from desktop_rag.agent.extractive.question_analysis import analyse
from desktop_rag.agent.extractive.structured.letter_sender import letter_sender
from desktop_rag.agent.extractive.structured.mail_questions import MailQuestion, answer_from_mails, mail_question
from desktop_rag.llm.chat import Evidence, ToolMessage


def _mail(number: int, file: str, *lines: str) -> ToolMessage:
    evidence = Evidence(f"turn1search{number}", f"Delivery {number}", 1, lines, file=file)
    return ToolMessage("builtin3.1.0", "read_chunks", "", (evidence,))


MAILS = [
    _mail(1, "1.eml", "From: Priya Raman <p@x.example>", "To: Tom", "Subject: Delivery 1", "", "Hello Tom,", "",
          "the lamps arrive on Thursday.", "", "Priya"),
    _mail(2, "2.eml", "From: Tom Becker <t@x.example>", "To: Priya", "Subject: Delivery 2", "", "I cannot be there."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Which mails did Priya send?", MailQuestion("Priya", "", lists=True)),
        ("Show me all emails from Tom Becker to Priya", MailQuestion("Tom Becker", "Priya", lists=True)),
        ("What did Tom write to Priya?", MailQuestion("Tom", "Priya", lists=False)),
        ("Was hat Tom an Priya geschrieben?", MailQuestion("Tom", "Priya", lists=False)),
        ("Which mails mention the crane?", None),
        ("What did Einstein say about mails in 1920?", None),
    ],
)
def test_a_question_names_whose_mails_are_meant(text: str, asked: MailQuestion | None) -> None:
    assert mail_question(text) == asked


def test_mails_are_listed_by_subject_and_counted_only_if_none_may_be_missing() -> None:
    asked = MailQuestion("Priya", "", lists=True)
    assert asked.query == 'from:"Priya"'
    subjects, complete = answer_from_mails(asked, MAILS[:1], MAILS)
    assert ([each.text for each in subjects], complete) == (["Subject: Delivery 1"], True)
    mailbox = _mail(3, "all.mbox", "From: Priya", "Subject: Delivery 3")
    assert not answer_from_mails(asked, [mailbox], [mailbox])[1]
    assert asked.lead_in(1, complete=True) == "1 mail from Priya:"
    assert asked.lead_in(1, complete=False) == "Mails from Priya, perhaps not all:"


def test_of_a_mailbox_only_the_mails_of_the_sender_are_listed() -> None:
    heads = [
        ("Ida Falk <i@x.example>", "Jetty"),
        ("Nora Vik <n@x.example>", "Party"),
        ("Nora Vik <n@x.example>", "Keys"),
    ]
    lines = [
        line for name, subject in heads for line in (f"From: {name}", "To: Tom", f"Subject: {subject}", "", "Hi.", "")
    ]
    mailbox = _mail(1, "all.mbox", *lines)
    subjects, complete = answer_from_mails(MailQuestion("Nora Vik", "", lists=True), [mailbox], [mailbox])
    assert [each.text for each in subjects] == ["Subject: Party", "Subject: Keys"]
    assert not complete


@pytest.mark.parametrize(
    ("sender", "found"),
    [("Anna", "134"), ("Anna Müller", "134"), ("Susanna", "24"), ("Lena", "34"), ("Ann", "4"), ("Lund", "4")],
)
def test_a_part_of_another_name_is_not_the_sender(sender: str, found: str) -> None:
    names = ("Anna Müller <am@x.example>", "Susanna Roe <sr@x.example>", "Müller, Anna-Lena <al@x.example>")
    senders = (*names, "olelund@x.example")  # an address without a name may be anybody's
    mails = [_mail(at, f"{at}.eml", f"From: {name}", f"Subject: Delivery {at}") for at, name in enumerate(senders, 1)]
    subjects, complete = answer_from_mails(MailQuestion(sender, "", lists=True), mails, mails)
    assert [each.text for each in subjects] == [f"Subject: Delivery {number}" for number in found]
    assert complete


def test_what_somebody_wrote_is_the_body_of_the_mail() -> None:
    said, _ = answer_from_mails(MailQuestion("Priya", "Tom", lists=False), MAILS[:1], MAILS)
    assert [each.text for each in said] == ["the lamps arrive on Thursday."]


def test_who_wrote_something_is_the_sender_of_the_mail_that_says_it() -> None:
    found = letter_sender(analyse("Who wrote that the lamps arrive on Thursday?"), MAILS)
    assert [each.text for each in found] == ["From: Priya Raman <p@x.example>", "the lamps arrive on Thursday."]
    assert letter_sender(analyse("Who wrote the novel about lamps?"), MAILS) == ()
