"""Statements in other words than their lines: shares of a group, the rest of some people, days before the first."""

import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.support import CitedLines

_ROOF = "The boathouse roof must be repaired before the first of October."
_FEE = "He recommended, but the committee did not decide, to raise the annual fee from £150 to £165."
_PEOPLE = "248 people took part in the study, 131 of them women. It lasted eighteen months."
_PERSONEN = "An der Studie nahmen 248 Personen teil, davon 131 Frauen. Sie dauerte achtzehn Monate."
_TRIAL = (
    "Of 400 patients, 200 received veltoxin and 200 received placebo. "
    "38 patients in the veltoxin group and 57 in the placebo group had a relapse."
)
_DOSE = "The dose was 15 mg twice daily for the first week and 30 mg once daily thereafter."
_DOGS = "Animals are not admitted except guide dogs."
_STATIONS = (
    "Station\tOpened\tPassengers per day\nVarnholt\t1874\t14200\nEskdalen\t1911\t830\nPort Celan\t1888\t31750\n"
    "Lindmere\t1902\t5120\nOakhaven\t1859\t2640"
)
_MILLS = "Eight of the nine mills were occupied. There is no evidence that the ninth mill was ever lit."
_CHARTER = "In 1657 Ada Brandt granted the guild a charter, and the following year it built a chapel."
_CLUB = "The club joined the league in 1888 and won its first cup two seasons later."
_LENS = "The motion was far too slight to be seen with the small lens."
_FARMS = "Farmers reduced spraying on wet fields by 65 % and saw a 15 % crop increase."
_LAMP = "The gas would not be identified until 1932. He would formally adopt the name in 1961."
_CHAT = "IanHale-Lee: Try a library.\nMira: Good idea."
_RENT = "The monthly rent is 912.50 euros."
_ABBEY = "It was built in 1065, a week before his death on 5 January 1066. A week later he was buried."
_VALVES = "In the 1840s and 50s valves were tried. By the end of the 17th century all beer was bought. He died in 1955."
_PLUGS = "If the plugs were any larger, the steam would harm the crew. Ale was made solely from malt."
_CRUISE = "It drifted for 8 weeks. Members account for 95 % of the tours. It carried people aged seven to 84."
_SCURVY = "Between 1500 and 1800 two million sailors died. In 2006 the world used 2.4 megatonnes of lime."
_PROBE = "It was first seen on 23 September 1846 and passed on 25 August 1989."
_SCORE = "LightGBM reached an accuracy of 0.94 on the test set."


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("The roof of the boathouse has to be repaired by 30 September.", _ROOF),
        ("A tenth of the fee is £15.", _FEE),
        ("He recommended raising the annual fee by 10 %, from £150 to £165.", _FEE),
        ("He recommended to raise the annual fee by 10 %.", _FEE),
        ("117 were men.", _PEOPLE),
        ("About 53 % were women and 47 % men.", _PERSONEN),
        ("19 % of the veltoxin group relapsed.", _TRIAL),
        ("After the first week the dose was 30 mg once a day.", _DOSE),
        ("Guide dogs are admitted.", _DOGS),
        ("The five stations have 54,540 passengers a day.", _STATIONS),
        ("LightGBM reached an accuracy of 94 %.", _SCORE),
        ("One of the nine mills was not occupied.", _MILLS),
        ("The ninth mill was probably never lit.", _MILLS),
        ("The guild built a chapel in 1658.", _CHARTER),
        ("In 1890 the club won its first cup.", _CLUB),
        ("The small lens could not show the motion.", _LENS),
        ("Farmers cut spraying on wet fields by 65 % and harvested 15 % more.", _FARMS),
        ("The gas was identified in 1932.", _LAMP),
        ("He formally adopted the name in 1961.", _LAMP),
        ("Ian suggested a library.", _CHAT),
        ("Three months' rent is 2,737.50 euros.", _RENT),
        ("He was buried on 12 January 1066.", _ABBEY),
        ("Valves were tried between 1840 and 1860.", _VALVES),
        ("By 1700 all beer was bought.", _VALVES),
        ("He died in the mid-1950s.", _VALVES),
        ("They cannot be made larger, since the steam would then harm the crew.", _PLUGS),
        ("Ale was made of nothing but malt.", _PLUGS),
        ("It drifted for about two months.", _CRUISE),
        ("Other ships account for 5 % of the tours.", _CRUISE),
        ("It carried people between seven and 84 years old.", _CRUISE),
        ("Two million sailors died from the 16th to the 18th century.", _SCURVY),
        ("The world used 2.4 million tonnes of lime.", _SCURVY),
        ("It passed 143 years after it was first seen.", _PROBE),
    ],
)
def test_a_true_statement_in_other_words_is_not_doubted(claim: str, line: str) -> None:
    assert not check_claim(claim, [CitedLines(dict(enumerate(line.split("\n"), 1)))], "").faults


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("The roof of the boathouse has to be repaired by 29 September.", _ROOF),
        ("The roof of the boathouse must be repaired before 30 September.", _ROOF),
        ("A tenth of the fee is £12.", _FEE),
        ("He recommended to raise the annual fee by 12 %.", _FEE),
        ("He recommended lowering the annual fee by 10 %, from £165 to £150.", _FEE),
        ("117 were women.", _PEOPLE),
        ("117 participants were women.", _PERSONEN),
        ("53 % were men.", _PERSONEN),
        ("19 % of the placebo group relapsed.", _TRIAL),
        ("29 % of the veltoxin group relapsed.", _TRIAL),
        ("Guide dogs are not admitted.", _DOGS),
        ("Dogs are admitted.", _DOGS),
        ("The five stations have 54,450 passengers a day.", _STATIONS),
        ("The four stations have 54,540 passengers a day.", _STATIONS),
        ("LightGBM reached an accuracy of 0.94 %.", _SCORE),
        ("The nine mills were not occupied.", _MILLS),
        ("The ninth mill was lit.", _MILLS),
        ("The guild built a chapel in 1659.", _CHARTER),
        ("In 1891 the club won its first cup.", _CLUB),
        ("Farmers increased spraying on wet fields by 65 %.", _FARMS),
        ("Four months' rent is 2,737.50 euros.", _RENT),
        ("Three months' rent is 2,747.50 euros.", _RENT),
        ("He was buried on 13 January 1066.", _ABBEY),
        ("Valves were tried between 1840 and 1870.", _VALVES),
        ("By 1750 all beer was bought.", _VALVES),
        ("He died in the mid-1960s.", _VALVES),
        ("It drifted for about three months.", _CRUISE),
        ("Other ships account for 6 % of the tours.", _CRUISE),
        ("Members account for 5 % of the tours.", _CRUISE),
        ("The world used 2.4 billion tonnes of lime.", _SCURVY),
        ("It passed 144 years after it was first seen.", _PROBE),
    ],
)
def test_a_false_statement_in_these_words_is_noticed(claim: str, line: str) -> None:
    assert check_claim(claim, [CitedLines(dict(enumerate(line.split("\n"), 1)))], "").faults
