"""Who wrote, said or proposed something: the sender of a mail, the speaker of a line of a chat."""

import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.support import CitedLines

MAIL = CitedLines(
    {9: "the saw is out of order until 4 May. Can the boards come on Friday instead?"},
    ("From: Ilse Brandt <ilse@mill.example>", "To: Owen Pryce <owen@mill.example>"),
)
REPLY = CitedLines({9: "As you said, the saw is out of order."}, MAIL.above)
ASKED = CitedLines({9: "Could you come? The saw is out of order."}, MAIL.above)
CHAT = CitedLines(
    {
        4: "MiaNovak: How about “River Walkers” as our name?",
        5: "Tom Reed: “River Walkers” sounds great, I am in.",
        6: "MiaNovak: Then we meet at the lock on Sunday.",
    }
)


@pytest.mark.parametrize(
    ("claim", "source", "doubted"),
    [
        ("Owen Pryce reports that the saw is out of order until 4 May.", MAIL, "Owen Pryce"),
        ("Owen asked whether the boards can come on Friday.", MAIL, "Owen"),
        ("Ilse Brandt reports that the saw is out of order until 4 May.", MAIL, ""),
        ("Ilse asked Owen whether the boards can come on Friday.", MAIL, ""),
        ("Owen said that the saw is out of order.", REPLY, ""),
        ("Owen said that the saw is out of order.", ASKED, "Owen"),
        ("Mia suggested “River Walkers”, and Tom was in.", CHAT, ""),
        ("Tom Reed proposed “River Walkers”.", CHAT, "Tom Reed"),
        ("Tom suggested the name “River Walkers”, which Mia liked.", CHAT, "Tom"),
        ("Mia Novak proposed “River Walkers”.", CHAT, ""),
        ("Mia suggested “River Walkers”, and Tom Reed liked it.", CHAT, ""),
        ("Tom Reed said that “River Walkers” sounds great.", CHAT, ""),
    ],
)
def test_another_speaker_is_a_fault(claim: str, source: CitedLines, doubted: str) -> None:
    assert [fault.text for fault in check_claim(claim, [source], "").faults] == [doubted] * bool(doubted)


@pytest.mark.parametrize(
    ("claim", "doubted"),
    [
        ("Jane Doe sent the mail to John Doe.", "Jane Doe"),
        ("John Doe received a mail from Jane Doe.", "Jane Doe"),
        ("jane.doe@mill.example wrote to John.", "jane.doe@mill.example"),
        ("The mail from Jane to John has two parts.", "Jane"),
        ("John Doe sent Jane Doe a mail.", ""),
        ("Jane received the mail from john.doe@mill.example.", ""),
        ("Doe wrote to Jane Doe.", ""),
    ],
)
def test_sender_and_recipient_known_by_their_addresses_are_not_exchanged(claim: str, doubted: str) -> None:
    header = ("From: john.doe@mill.example", "To: jane.doe@mill.example")
    found = check_claim(claim, [CitedLines({5: "This mail has two parts."}, header)], "").faults
    assert [fault.text for fault in found] == [doubted] * bool(doubted)


_BAKERY = CitedLines(
    {
        2: "Mia Novak: I have slept badly all week. Could you send me bread twice a week?",
        3: "Tom Reed: Of course, I will deliver bread every Monday. You should try the HIIT course!",
    }
)
_ONE_LINE = CitedLines({5: "MiaNovak: I really liked the boss battles of the game."}, ("MiaNovak, Tom Reed",))


@pytest.mark.parametrize(
    ("claim", "source", "doubted"),
    [
        ("Tom slept badly all week.", _BAKERY, "Tom"),
        ("Tom Reed asked Mia to send bread twice a week.", _BAKERY, "Tom Reed"),
        ("Mia sleeps well, and Mia will deliver bread every Monday.", _BAKERY, "Mia"),
        ("Tom liked the boss battles of the game.", _ONE_LINE, "Tom"),
        ("Mia Novak slept badly all week.", _BAKERY, ""),
        ("Mia asked Tom to send bread twice a week.", _BAKERY, ""),
        ("Tom agreed to deliver bread every Monday.", _BAKERY, ""),
        ("Mia was asked to try the HIIT course.", _BAKERY, ""),
        ("Mia liked the boss battles of the game.", _ONE_LINE, ""),
    ],
)
def test_what_a_speaker_tells_of_himself_is_not_the_others(claim: str, source: CitedLines, doubted: str) -> None:
    assert [fault.text for fault in check_claim(claim, [source], "").faults] == [doubted] * bool(doubted)
