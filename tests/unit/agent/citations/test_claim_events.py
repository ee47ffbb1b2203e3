import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.support import CitedLines

LINES = {
    1: "The boathouse roof must be repaired before October. Dorian Petts offered to obtain three quotations.",
    2: "The roots were once used as a remedy for fever; the leaves are eaten in salads.",
    3: "Pets are not permitted unless the landlord agrees in writing.",
    4: "Smoking is forbidden in the studio except on the balcony.",
    5: "The club plans to build a pier. The shed was built in 1990, the fence has to be painted.",
    6: "The mayor refused to sign the treaty. The treaty was signed by the governor.",
    7: "The firm agreed to pay the fine; it paid the costs.",
    9: "The roots were once used as a remedy; the leaves are used in salads.",
    10: "Mrs Lund was admitted on 3 June with palpitations. "
    "Cardioversion was planned for 6 June but was cancelled because she had returned to sinus rhythm.",
    11: "The surgery was to be carried out on 6 June. The wedding was planned for May and took place in June.",
    12: "I decline your offer of 120 pounds. I will accept 475 pounds in full settlement.",
    8: "The rooms may be booked online. Anna asked to rent the hall.",
}


def faults(line: int, claim: str) -> list[str]:
    checked = check_claim(claim, [CitedLines({line: LINES[line]})], "")
    return [f"{fault.kind} {fault.text}" for fault in checked.faults]


@pytest.mark.parametrize(
    ("line", "claim", "fault"),
    [
        (1, "The boathouse roof was repaired before October.", "extent repaired"),
        (1, "The boathouse roof has been repaired.", "extent repaired"),
        (1, "Dorian Petts obtained three quotations.", "extent obtained"),
        (1, "Dorian Petts refused to obtain three quotations.", "direction refused"),
        (2, "The roots are used today as a remedy for fever.", "extent today"),
        (2, "The roots are used as a remedy for fever.", "extent are"),
        (3, "Pets are never permitted.", "extent never"),
        (3, "The lease says “Pets are not permitted” without exception.", "extent without exception"),
        (4, "Smoking is forbidden everywhere, including the balcony.", "extent everywhere"),
        (4, "Smoking is forbidden in the studio, even on the balcony.", "extent even"),
        (5, "The fence was painted by the club.", "extent painted"),
        (8, "Anna rented the hall.", "extent rented"),
        (12, "I accept your offer of 120 pounds.", "direction accept"),
        (12, "The tenant accepted the offer of 120 pounds.", "direction accepted"),
        (10, "Cardioversion took place on 6 June.", "extent took place"),
        (10, "Mrs Lund underwent cardioversion on 6 June.", "extent underwent"),
        (10, "Cardioversion was carried out on 6 June.", "extent was carried out"),
    ],
)
def test_a_plan_an_order_or_an_exception_is_no_fact(line: int, claim: str, fault: str) -> None:
    assert faults(line, claim) == [fault]


@pytest.mark.parametrize(
    ("line", "claim"),
    [
        (1, "The boathouse roof has to be repaired before October."),
        (1, "The boathouse roof is to be repaired."),
        (1, "Three quotations will be obtained by Dorian Petts."),
        (1, "Dorian Petts volunteered to obtain three quotations."),
        (2, "The roots were used as a remedy for fever."),
        (2, "The roots used to be a remedy for fever."),
        (2, "The leaves are eaten in salads."),
        (9, "The leaves are used in salads."),
        (3, "Pets are only permitted if the landlord agrees in writing."),
        (4, "Smoking is forbidden in the studio, but allowed on the balcony."),
        (5, "The shed was built in 1990."),
        (6, "The treaty was signed by the governor."),
        (7, "The firm paid the costs."),
        (8, "Rooms can be booked online."),
        (10, "Cardioversion was planned for 6 June, but was not carried out."),
        (12, "The offer of 120 pounds was turned down; 475 pounds would be accepted."),
        (11, "The wedding took place in June."),
        (8, "Anna wanted to rent the hall."),
    ],
)
def test_what_was_done_or_is_told_with_its_frame_is_honest(line: int, claim: str) -> None:
    assert faults(line, claim) == []


_ISLANDS = "In 1816 the United Kingdom annexed the islands, so that the French could not use them as a base."
_METALS = (
    "Its melting point is the lowest of all the transition metals aside from mercury. "
    "She is the second-most famous voice."
)


@pytest.mark.parametrize(
    ("claim", "line", "check"),
    [
        ("The United Kingdom annexed the islands in 1816 because of their fishing grounds.", _ISLANDS, "other_cause"),
        ("Of all the transition metals, it has the lowest melting point.", _METALS, "exception_dropped"),
        ("She is the most famous voice.", _METALS, "exception_dropped"),
        ("The gate stayed shut because of the strike.", "The gate stayed shut because of the flood.", "other_cause"),
        ("The pump failed because of the smoke.", "Because the pump failed, smoke filled the hall.", "other_cause"),
        ("The gate stayed shut because of high water.", "The flood, the highest water ever, kept the gate shut.", ""),
        ("Smoke filled the hall because the pump failed.", "Because the pump failed, smoke filled the hall.", ""),
        ("The United Kingdom annexed the islands in 1816 because of the French.", _ISLANDS, ""),
        ("Apart from mercury, it has the lowest melting point of all the transition metals.", _METALS, ""),
        ("She is the second-most famous voice.", _METALS, ""),
    ],
)
def test_another_cause_and_a_dropped_exception_are_doubted(claim: str, line: str, check: str) -> None:
    found = check_claim(claim, [CitedLines({1: line})], "").faults
    assert [fault.check for fault in found] == ([check] if check else [])


_SETTLERS = "The guild claimed the island in 1633, although there is no evidence that it ever settled or fortified it."
_PIER = (
    "The mayor proposed in May that the market be moved to the pier. The lamp may cause burns. Rats are thought to "
    "have damaged the wall. Ilse Brandt did not, however, obtain the lease. It is not known if the gulls nest there. "
    "The deal has never been confirmed. Some sources state that the crew repaired the mast. The stairs were repaired."
)
_OFTEN = "Members often meet at the lock; the lamps may be lit if the fog is dense."


@pytest.mark.parametrize(
    ("claim", "line", "doubted"),
    [
        ("The guild claimed the island in 1633 and fortified it later.", _SETTLERS, "fortified"),
        ("After a proposal of the mayor the market was moved to the pier.", _PIER, "moved"),
        ("The lamp causes burns.", _PIER, "causes"),
        ("Rats damaged the wall.", _PIER, "damaged"),
        ("Ilse Brandt obtained the lease.", _PIER, "obtained"),
        ("The gulls nest there.", _PIER, "nest"),
        ("The deal has been confirmed.", _PIER, "confirmed"),
        ("The crew repaired the mast.", _PIER, ""),  # stairs were, too
        ("The members always meet at the lock.", _OFTEN, "always"),
        ("Every lamp is lit.", _OFTEN, "Every"),
        ("The mayor proposed that the market be moved.", _PIER, ""),
        ("According to some sources the crew repaired the mast.", _PIER, ""),
        ("The lamp may cause burns.", _PIER, ""),
        ("The winch lifts 40 tonnes.", "The winch can lift 40 tonnes.", ""),
        ("Whether gulls nest there is not known.", _PIER, ""),
        ("The stairs were repaired.", _PIER, ""),
        ("The members meet at the lock.", _OFTEN, ""),
    ],
)
def test_what_is_denied_doubted_or_limited_is_no_plain_fact(claim: str, line: str, doubted: str) -> None:
    found = check_claim(claim, [CitedLines({1: line})], "").faults
    assert bool(found) == bool(doubted)
