"""What a claim takes from the wrong one of two clauses: names, opposites, conditions, comparisons, votes."""

import pytest

from desktop_rag.agent.citations.claim_check import ClaimCheck, check_claim
from desktop_rag.agent.citations.support import CitedLines

SUPPLY = "Varley Works casts the bells and Tobin Brothers supplies the ropes."
PIERS = "The council maintains the north pier, while the club maintains the south pier."
BEETLES = "Ground beetles inhabit the dry slope and diving beetles the pond."
TOR = "Das Tor streicht Meister Kolbe, den Zaun streicht die Firma Ahrens."
CHOIR = "M. Aubry conduit le choeur et Mme Lenoir le ballet."
STAFF = "Beds in Ansty: 210. Beds in Corley: 95. Beds in Wolvey: 40."
POLICY = "The policy covers theft, but excludes damage by frost."
GYM = "The gym opens at 9:00 and closes at 20:00. On Fridays it is closed."
HALLE = "Die Halle ist sonntags geschlossen und samstags geöffnet."
SUBLET = "Subletting is allowed only with the owner’s consent."
ENTRY = "L’entrée de la cave est possible sans clé."
COACHES = "Coach 4 was longer than coach 6, although it carried fewer bags."
PEAT = "Nitrogen was higher in drained bogs than in wet ones."
SWANS = "Everyone but Mrs Oduya signed the petition."
LIME = "Growth increased after the soil was limed, but shading had no effect."
ERRORS = "Warnings are logged; debug messages are not."
COSTS = "The repairs in the second year exceeded the income by 4 tonnes."
VOTE = "The plan was approved by nine votes to three."
WAHL = "Der Antrag wurde mit 14 gegen 2 Stimmen angenommen."
PUMPS = "The old pump ran 37 times in May; the new pump ran 12 times."
ACCOUNTS = "| Item | 2021 | 2022 |\n|---|---|---|\n| Rents | 81 | 92 |\n| Gifts | 40 | 12 |"
CAUSE = "The alarm rang because the battery was low."
HERDS = "The 2019 herd had 40 cows and the 2020 herd 35 cows."
RATES = "Unemployment was 4 % in 2021 and 6 % in 2022."
LOAN = "Loan: $2 million at the start, $60 thousand at the end."
LATE = "The fee is due on the second working day; the office is on the 3rd floor."
LEASE = "The tenant pays for repairs up to EUR 80 each, but not more than EUR 200 a year."
PRESENT = "Present: Ilse Vahl (chair), Lt. Col. Omar Reyes, Bo Lind."
THOUSANDS = "| Item (£ thousand) | 2021 | 2022 |\n|---|---|---|\n| Rents | 8.1 | 9.2 |\n| Gifts | 4.0 | 2.5 |"
VALVE = "The valve must not be opened unless the gauge reads below 40 bar."
COPY = "供方负责安装，需方负责清洁。"
RETURN = "退货须在四十五天内提出。"
CONSENT = "未经业主同意，住户不得改建。"
SCOPE = "费用包括午餐，不包括住宿。"
HALL = "新礼堂比旧礼堂高。"
BALLOT = "议案以九票赞成、三票反对获得通过。"


def _check(claim: str, lines: str) -> ClaimCheck:
    return check_claim(claim, [CitedLines(dict(enumerate(lines.split("\n"), 3)), ("# Notes",))], "")


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("The south pier is maintained by the council.", PIERS),
        ("The policy covers damage by frost.", POLICY),
        ("The policy excludes theft.", POLICY),
        ("The gym is open on Fridays.", GYM),
        ("Die Halle ist sonntags geöffnet.", HALLE),
        ("Subletting is allowed without the owner’s consent.", SUBLET),
        ("Coach 6 was longer than coach 4.", COACHES),
        ("Coach 4 carried more bags than coach 6.", COACHES),
        ("Nitrogen was higher in wet bogs than in drained ones.", PEAT),
        ("Debug messages are logged.", ERRORS),
        ("The plan was approved unanimously.", VOTE),
        ("All members approved the plan.", VOTE),
        ("Der Antrag wurde einstimmig angenommen.", WAHL),
        ("Unemployment rose by 2 %.", RATES),
        ("Unemployment decreased between 2021 and 2022.", RATES),
        ("Unemployment fell from 6 % in 2021 to 4 % in 2022.", RATES),
        ("The loan grew.", LOAN),
        ("The loan rose from $60 thousand to $2 million.", LOAN),
        ("The fee is due on the second calendar day.", LATE),
        ("The tenant pays for repairs up to EUR 80 each, at least EUR 200 a year.", LEASE),
        ("Gifts came to £8,100 in 2021.", THOUSANDS),
        ("Rents were £9,200 in 2021 and £8,100 in 2022.", THOUSANDS),
        ("供方负责清洁。", COPY),
        ("退货须在35天内提出。", RETURN),
        ("住户可以在没有业主同意的情况下改建。", CONSENT),
        ("费用包括住宿。", SCOPE),
        ("新礼堂比旧礼堂低。", HALL),
        ("议案一致通过。", BALLOT),
    ],
)
def test_what_stands_in_another_clause_is_doubted(claim: str, lines: str) -> None:
    assert _check(claim, lines).faults


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("Tobin Brothers supplies the ropes.", SUPPLY),
        ("Varley Works casts the bells, Tobin Brothers makes the ropes.", SUPPLY),
        ("The club maintains the south pier and the council the north pier.", PIERS),
        ("The council and the club maintain the north and the south pier.", PIERS),
        ("Diving beetles inhabit the pond.", BEETLES),
        ("Den Zaun streicht die Firma Ahrens, das Tor Meister Kolbe.", TOR),
        ("Meister Kolbe streicht das Tor.", TOR),
        ("Mme Lenoir conduit le ballet.", CHOIR),
        ("Ansty has 210 beds and Corley 95.", STAFF),
        ("Damage by frost is not covered by the policy.", POLICY),
        ("The gym opens at 9:00.", GYM),
        ("On Fridays the gym is closed.", GYM),
        ("Die Halle ist samstags geöffnet und sonntags geschlossen.", HALLE),
        ("Without the owner’s consent subletting is not allowed.", SUBLET),
        ("On peut entrer dans la cave sans clé.", ENTRY),
        ("Coach 6 carried more bags than coach 4.", COACHES),
        ("Wet bogs held less nitrogen than drained ones.", PEAT),
        ("Only Mrs Oduya did not sign the petition.", SWANS),
        ("Shading had no effect on growth.", LIME),
        ("Warnings are logged, but debug messages are not.", ERRORS),
        ("A majority of nine approved the plan.", VOTE),
        ("The old pump ran more often than the new one.", PUMPS),
        ("Most beds are in Ansty.", STAFF),
        ("Rents were higher than gifts in 2022.", ACCOUNTS),
        ("Gifts were lower in 2022 than in 2021.", ACCOUNTS),
        ("The low battery made the alarm ring.", CAUSE),
        ("The 2019 herd exceeded the 2020 herd by 5 cows.", HERDS),
        ("Unemployment rose by 2 percentage points.", RATES),
        ("Unemployment increased between 2021 and 2022.", RATES),
        ("The loan shrank.", LOAN),
        ("The fee is due on the second working day.", LATE),
        ("The tenant pays at most EUR 200 a year for repairs.", LEASE),
        ("Lieutenant Colonel Reyes was present, and Ilse Vahl chaired the meeting.", PRESENT),
        ("Rents were £8,100 in 2021 and £9,200 in 2022.", THOUSANDS),
        ("The gauge has to read less than 40 bar before the valve is opened.", VALVE),
        ("清洁由需方负责。", COPY),
        ("退货须在45天内提出。", RETURN),
        ("没有业主同意，住户不能改建。", CONSENT),
        ("旧礼堂比新礼堂低。", HALL),
        ("议案以9票对3票通过。", BALLOT),
    ],
)
def test_what_the_clause_says_is_no_fault(claim: str, lines: str) -> None:
    assert not _check(claim, lines).faults
