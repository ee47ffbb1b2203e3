"""Who was copied, whom a mail was sent to, when, and its subject: the line of its head that says so."""

import pytest

from desktop_rag.agent.extractive.question_analysis import analyse
from desktop_rag.agent.extractive.structured.mail_headers import mail_head
from desktop_rag.llm.chat import Evidence, ToolMessage

LEASE = (
    "From: Anna Smith <anna@x.example>", "To: Bob Roe <bob@x.example>", "Cc: Carl Vance <carl@x.example>",
    "Date: 2024-03-05 14:30 +0100", "Subject: Lease of the boathouse", "", "The boathouse has a slipway.",
)  # fmt: skip
REPLY = (
    "From: Bob Roe <bob@x.example>", "To: Anna Smith <anna@x.example>", "Date: 2024-03-06 09:00 +0100",
    "Subject: Re: Lease of the boathouse", "", "I will send the keys.",
)  # fmt: skip
HIDDEN = (
    "From: Susanna Vale <sv@x.example>", "To: Anna Smith <anna@x.example>", "Bcc: Erik Holm <eh@x.example>",
    "Date: 2024-03-11 10:00 +0100", "Subject: Insurance of the Marlin", "", "It ends in June.",
)  # fmt: skip
NOTE = ("# The boathouse", "", "When the lease was sent by mail, nobody was copied.")


def said(question: str, *documents: tuple[str, ...], first: int = 1) -> tuple[str, ...]:
    """Return the lead-in and the quoted lines."""
    results = [
        ToolMessage("builtin3.1.1", "read", "", (Evidence(f"turn1search{at}", "", first, lines, file=f"{at}.eml"),))
        for at, lines in enumerate(documents or (LEASE, REPLY, HIDDEN, NOTE), 1)
    ]
    head = mail_head(analyse(question), results)
    return (head.lead_in, *(each.text for each in head.quoted)) if head else ()


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("Who was copied on the mail about the lease of the boathouse?", (LEASE[2], LEASE[4])),
        ("Who was in CC on the mail from Anna to Bob?", (LEASE[2], LEASE[4])),
        ("Who got a copy of the mail about the insurance?", (HIDDEN[2], HIDDEN[4])),
        ("Wer stand in Kopie bei der Mail zur Marlin?", (HIDDEN[2], HIDDEN[4])),
        ("Who was the mail about the keys sent to?", (REPLY[1], REPLY[3])),
        ("To whom did Bob write about the keys?", (REPLY[1], REPLY[3])),
        ("Who received the mail about the insurance of the Marlin?", (HIDDEN[1], HIDDEN[4])),
        ("When was the mail about the insurance sent?", (HIDDEN[3], HIDDEN[4])),
        ("When did Bob write to Anna?", (REPLY[2], REPLY[3])),
        ("What is the subject of Susanna's mail?", (HIDDEN[4],)),
    ],
)
def test_the_line_of_the_head_is_quoted(question: str, lines: tuple[str, ...]) -> None:
    assert said(question) == ("In the head of a mail:", *lines)


def test_that_nobody_was_copied_is_said() -> None:
    assert said("Was anyone copied on Bob's mail?") == (
        "Nobody is named as copied in the head of this mail:", REPLY[1], REPLY[3]
    )  # fmt: skip


@pytest.mark.parametrize(
    "question",
    [
        "Who was copied?",  # on which mail?
        "Who was copied on the mail about the engine?",
        "When did Carl write to Anna?",
        "When does the insurance end?",
        "What is the subject of the lease?",
        "Who was copied on the mail from Ann?",
    ],
)
def test_nothing_is_said_of_other_mails(question: str) -> None:
    assert said(question) == ()


def test_a_head_that_was_not_read_says_nothing() -> None:
    assert said("Was anyone copied on the mail about the keys?", REPLY, first=2) == ()


def test_the_mails_of_a_mailbox_are_told_apart() -> None:
    lines = (*LEASE, "", *REPLY, "", *HIDDEN)
    passages = [Evidence("turn1search1", "club.mbox", 1, lines, file="club.mbox")]
    results = [ToolMessage("builtin3.1.1", "read", "", tuple(passages))]
    head = mail_head(analyse("Who was copied on the mail about the insurance?"), results)
    assert head is not None
    assert [(each.text, each.first_line) for each in head.quoted] == [(HIDDEN[2], 18), (HIDDEN[4], 20)]
    nobody = mail_head(analyse("Was anyone copied on Bob's mail?"), results)
    assert nobody is not None
    assert nobody.lead_in == "Nobody is named as copied in the head of this mail:"
