import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.support import CitedLines

OFFICE = "The head office of Lovelace Analytics Inc. moved from Glasgow to Manchester in March."
HONEST = [
    (OFFICE, "Lovelace Analytics' head office moved to Manchester."),
    (OFFICE, "LOVELACE ANALYTICS moved its head office from Glasgow."),
    (OFFICE, "Additionally, the headquarters of Lovelace Analytics GmbH were moved in March."),
    (OFFICE, "Relocation to Manchester: the head office moved."),
    ("The United Nations met in New York.", "The UN met in New York."),
    ("The UN met in New York.", "The United Nations met in New York."),
    ("The Mueller report names Chaikovsky.", "The Müller report names Tchaikovsky."),
    ("He was born in Germany and moved to the Netherlands.", "He is a German who moved to a Dutch town."),
    ("J. Smith wrote the report.", "John Smith wrote the report."),
    ("Smith wrote the report.", "John Smith wrote the report."),
    ("Due on 03.04.2021 or 04.03.2021 by post.", "It is due in March or April by post."),
    ("Der Mietvertrag endet am 31. Juli, die Kaution beträgt 900 Euro.", "Die Kaution des Vertrags beträgt 900 Euro."),
    ("The tenant pays 900 euros a month to the landlord.", "Der Mieter zahlt dem Vermieter monatlich 900 Euro."),
    ("Pets are not allowed without written consent.", "Pets are allowed only with written consent."),
    (
        "Pets are not allowed in the house without written consent.",
        "Pets are allowed in the house with written consent.",
    ),
    ("He shall not sublet it without the consent of the landlord, not to be withheld.", "Subletting requires consent."),
    ("We employ h = 8 heads.", "Specifically, h is 8."),
    ("Mozart was a composer.", "He was a composer."),
    ("Deliveries resumed in August after a pause.", "Deliveries did not resume until August."),
    ("Boeing delivered 340 aircraft.", "Boeing delivered only 340 aircraft."),
    ("The cost must not exceed 12,000 euros.", "The cost is at most 12,000 euros."),
    ("Unused days expire after 31 March.", "No, unused days do not expire before 31 March."),
    ("Employees are entitled to leave.", "All employees are entitled to leave."),
    ("The company does not own the building.", "The company doesn't own the building."),
    ("No pets are allowed.", "Pets are not allowed."),
    ("Revenue rose by 5 percent while costs fell.", "Costs fell while revenue increased by 5 percent."),
    ("The notice period is three months at most.", "Notice is three months, no more than that at most."),
    ("Staff may work from home if the manager agrees.", "Staff can work from home if the manager agrees."),
    ("Acme acquired Bolt in May.", "Bolt was acquired by Acme in May."),
    ("Anna married Bert in 2001.", "Bert married Anna in 2001."),
]
FALSE = [
    (OFFICE, "The head office of Lovelace Analytics moved to Edinburgh.", "name", "Edinburgh"),
    (OFFICE, "Charles Babbage moved the head office to Manchester.", "name", "Charles Babbage"),
    (OFFICE, "The head office of Lovelace Analytics moved in June.", "name", "June"),
    ("Grace Lovelace wrote it.", "Ada Lovelace wrote it.", "name", "Ada"),
    ("It runs on the GLM-130B model.", "It runs on the GLM-65B model.", "name", "GLM-65B"),
    ("Der Sitz der Firma ist in München.", "Der Sitz der Firma ist in Hamburg.", "name", "Hamburg"),
    ("Das Schreiben ist von Frau Meier.", "Das Schreiben ist von Frau Schulze.", "name", "Schulze"),
    ("Pets are allowed in the garden.", "Pets are not allowed in the garden.", "negation", "not"),
    ("Pets are not allowed without consent.", "Pets are allowed.", "negation", "allowed"),
    ("The deposit will not be refunded.", "The deposit will be refunded.", "negation", "refunded"),
    ("Die Kaution wird erstattet.", "Die Kaution wird nicht erstattet.", "negation", "nicht"),
    ("Le loyer n'est pas inclus.", "Le loyer est inclus.", "negation", "est"),
    ("Operating income rose by 5 percent.", "Operating income fell by 5 percent.", "direction", "fell"),
    ("It was built before the war.", "It was built after the war.", "direction", "after"),
    ("Acme acquired Bolt in May.", "Bolt acquired Acme in May.", "direction", "Bolt acquired Acme"),
    ("Acme was acquired by Bolt in May.", "Acme acquired Bolt in May.", "direction", "Acme acquired Bolt"),
    ("The tenant pays the landlord.", "The landlord pays the tenant.", "direction", "landlord pays the tenant"),
    ("Deliveries resumed in August.", "Deliveries stopped in August.", "direction", "stopped"),
    ("Some tenants pay in cash.", "All tenants pay in cash.", "extent", "All"),
    ("The filter is cleaned in spring.", "The filter is always cleaned in spring.", "extent", "always"),
    (
        "The tenant may end the lease with a notice period of three months.",
        "The tenant may end the lease at any time with a notice period of three months.",
        "extent",
        "at any time",
    ),
    (
        "Der Mieter kann den Vertrag mit einer Frist von drei Monaten beenden.",
        "Der Mieter kann den Vertrag zu jeder Zeit mit einer Frist von drei Monaten beenden.",
        "extent",
        "zu jeder Zeit",
    ),
    ("The landlord may raise the rent.", "The landlord will raise the rent.", "extent", "will"),
    ("The flat has two rooms.", "Elephants enjoy bathing in muddy rivers.", "wording", ""),
]


@pytest.mark.parametrize(("line", "claim"), HONEST)
def test_an_honest_claim_has_no_fault(line: str, claim: str) -> None:
    assert check_claim(claim, [CitedLines({4: line})], "").faults == ()


@pytest.mark.parametrize(("line", "claim", "kind", "text"), FALSE)
def test_a_false_claim_has_a_fault_that_names_the_word(line: str, claim: str, kind: str, text: str) -> None:
    faults = check_claim(claim, [CitedLines({4: line})], "").faults
    assert (kind, text) in [(fault.kind, fault.text) for fault in faults]


def test_a_name_may_stand_above_the_lines_or_in_the_question() -> None:
    claim = "Lockheed Martin paid Boeing."
    lines = {4: "The company paid its partner."}
    assert check_claim(claim, [CitedLines(lines)], "").faults
    assert not check_claim(claim, [CitedLines(lines, ("LOCKHEEDMARTIN_2022_10K.pdf",))], "Did it pay Boeing?").faults


def test_the_lines_of_all_citations_count_together() -> None:
    sources = [CitedLines({1: "Acme sells pumps."}), CitedLines({9: "Bolt sells valves."})]
    assert not check_claim("Acme sells pumps and Bolt sells valves.", sources, "").faults


@pytest.mark.parametrize("claim", ["", "…", "?!", "**", "—", "\u200b", "a" * 5000, "ß" * 300, "١٢٣", "日本語の文です"])
def test_a_claim_without_words_is_no_error(claim: str) -> None:
    check_claim(claim, [CitedLines({1: "The rent is 950 euros."})], "")
    check_claim(claim, [], claim)


@pytest.mark.parametrize("claim", ["The lease does not mention parking.", "No parking: Edinburgh is not mentioned."])
def test_lines_support_that_they_do_not_mention_a_thing(claim: str) -> None:
    assert not check_claim(claim, [CitedLines({1: "The rent is 954 euros a month."})], "").faults


def test_lines_that_mention_a_thing_contradict_that_they_do_not() -> None:
    [fault] = check_claim("The lease does not mention parking.", [CitedLines({1: "Parking is 20 euros."})], "").faults
    assert (fault.kind, fault.found) == ("negation", "parking")


@pytest.mark.parametrize(
    ("claim", "line", "found"),
    [
        ("The rent rose by 4 per cent.", "The rent is 3,850 euros.", ""),
        ("The rent is 3,580 euros.", "The rent of 4 rooms is 3,850 euros.", "3,850 euros"),
        ("The lease began on 3 May 2021.", "The lease of 2021 began on 5 May 2021.", "5 May 2021"),
        ("The flat has 72 rooms.", "The flat has 27 rooms and costs 3,850 euros.", "27"),
    ],
)
def test_the_lines_are_quoted_with_a_figure_of_the_same_kind(claim: str, line: str, found: str) -> None:
    [fault] = check_claim(claim, [CitedLines({1: line})], "").faults
    assert (fault.kind, fault.found) == ("figure", found)


def test_a_name_may_stand_in_the_rest_of_the_paragraph_a_figure_may_not() -> None:
    source = CitedLines({2: "opened the new pier in 2023."}, (), "Harbour master Ruth Ellingham, with 64 people,")
    assert not check_claim("Ruth Ellingham opened the new pier.", [source], "").faults
    assert check_claim("Ruth Ellingham opened the new pier with 64 people.", [source], "").faults


def test_a_number_that_markdown_escapes_is_one_figure() -> None:
    rent = "3.1 The monthly rent is € 4,720.00 plus VAT; each parking space costs € 95.00 a month."
    source = CitedLines({13: rent}, ("3 Rent",))
    checked = check_claim(rent.replace("3.1", "3\\.1"), [source], "How much rent do we pay a month?")
    assert not checked.faults
    assert not checked.computed  # not “3.1 − 3 = .1”
