import re

import pytest

from desktop_rag.agent.citations.claim_facts import find_facts
from desktop_rag.agent.citations.claims import find_claims
from desktop_rag.agent.citations.support import CitedLines
from desktop_rag.agent.events import Citation
from desktop_rag.index.records import ContentId
from desktop_rag.stop import Stop

LINES = {
    1: CitedLines({4: "The monthly rent is 950 euros, payable to the landlord."}),
    2: CitedLines({6: "Being late costs 15 euros."}),
    3: CitedLines({9: "Tokyo and Osaka are cities in Japan."}),
}


def citation(number: int) -> Citation:
    return Citation(number, "turn1search1", ContentId(1), "", "a", "a", "text", None, 1, 1, "", "", 1, "verbatim")


def graded(answer: str) -> list[tuple[str, str]]:
    """Return each claim of an answer, in which [1] is a link to the citation 1, with its mark."""
    text = re.sub(r"\[(\d)\]", r"[\1](cite:\1)", answer)
    claims = find_claims(
        text,
        [*map(citation, LINES)],
        lambda claim, numbers: find_facts(claim, [LINES[n] for n in numbers], numbers),
        Stop(),
    )
    return [(re.sub(r"\(cite:\d\)", "", text[claim.start : claim.end]), claim.mark) for claim in claims]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            "Rent is 15 euros [1], being late costs 950 euros [2].",
            [("Rent is 15 euros", "missing"), ("being late costs 950 euros [2].", "altered")],
        ),
        (
            "The rent is 950 euros [1], which makes it the best flat of the whole city.",
            [("The rent is 950 euros", "unchecked"), ("which makes it the best flat of the whole city.", "uncited")],
        ),
        (
            "The rent is 950 euros [1] and being late costs 15 euros [2] and dogs bark at night.",
            [
                ("The rent is 950 euros", "unchecked"),
                ("and being late costs 15 euros", "unchecked"),
                ("and dogs bark at night.", "uncited"),
            ],
        ),
        ("According to the lease [1], the rent is 950 euros.", [("*", "unchecked")]),
        ("According to the lease [1], the rent is 900 euros.", [("*", "missing")]),
        ("Tokyo [3] and Osaka [3] are cities in Japan.", [("*", "quoted")]),
        (
            "Osaka is a city [3]. Tokyo and Osaka are cities in Japan.",
            [("Osaka is a city [3].", "unchecked"), ("Tokyo and Osaka are cities in Japan.", "quoted")],
        ),
        ("The rent is 950 euros [1] in Paris.", [("*", "missing")]),
        ("[1] The rent is 950 euros.", [("The rent is 950 euros.", "unchecked")]),
        (
            "The rent is 900 euros. [1]\n[2] It costs 15 euros to be late.",
            [("The rent is 900 euros.", "missing"), ("It costs 15 euros to be late.", "unchecked")],
        ),
    ],
)
def test_a_sentence_is_one_claim_for_each_citation(answer: str, expected: list[tuple[str, str]]) -> None:
    assert graded(answer) == [(answer if text == "*" else text, mark) for text, mark in expected]


@pytest.mark.parametrize(
    "sentence",
    [
        "Sure, happy to help!",
        "Let me know if you need more details.",
        "If you want, I can look further.",
        "I'm sorry, but I cannot answer that.",
        "Here is what I found about the lease.",
        "Gerne helfe ich weiter.",
        "Falls Sie weitere Fragen haben, melden Sie sich.",
        "N'hésitez pas à demander.",
        "Hola, claro que sí.",
        "Good question!",
        "Gern geschehen!",
        "De rien.",
        "Note: this is based on two documents.",
        "Je n'ai rien trouvé à ce sujet.",
        "The documents do not mention dogs.",
        "# The lease of the flat",
        "The facts are as follows:",
        "Which flat is it?",
    ],
)
def test_courtesies_reports_and_lead_ins_are_no_claims(sentence: str) -> None:
    assert graded(f"{sentence}\n\nThe rent is 950 euros [1].") == [("The rent is 950 euros [1].", "unchecked")]


@pytest.mark.parametrize(
    "sentence",
    [
        "Sure, the landlord pays the deposit.",
        "Certainly, the tenant may keep pets.",
        "I'm sorry, but the lease ends in March.",
        "I am afraid the landlord pays the rent.",
        "I can confirm that the landlord signed the lease.",
        "Natürlich, der Vermieter zahlt die Kaution.",
    ],
)
def test_a_statement_after_a_courtesy_is_a_claim(sentence: str) -> None:
    assert graded(sentence) == [(sentence, "uncited")]


@pytest.mark.parametrize(
    "label",
    [
        "# Rent: 950 euros",
        "## 3. Rent",
        "## The 2 costs",
        "## Costs in winter 2022",
        "**Rent and late fees**",
        "The rent of 950 euros is due:",
        "### Late",
    ],
)
def test_a_heading_that_the_cited_lines_bear_out_is_no_claim(label: str) -> None:
    assert graded(f"{label}\n\nThe rent is 950 euros [1].") == [("The rent is 950 euros [1].", "unchecked")]


@pytest.mark.parametrize(
    "label",
    [
        "# Rent: 900 euros",
        "### 1. The rent is 900 euros",
        "**Rent: 900 euros**",
        "**The rent of 900 euros is due:**",
        "The flat of 120 square metres has:",
    ],
)
def test_a_heading_that_no_cited_line_bears_out_is_an_uncited_claim(label: str) -> None:
    [(said, mark), other] = graded(f"{label}\n\nThe rent is 950 euros [1].")
    assert (said.strip("*"), mark) == (label.removeprefix("### 1. ").strip("#* "), "uncited")
    assert other == ("The rent is 950 euros [1].", "unchecked")


def test_a_heading_may_tell_what_later_or_all_citations_say() -> None:
    answer = "# 950 euros rent, 15 euros for being late\n\nThe rent is 950 euros [1].\n\nBeing late costs 15 euros [2]."
    assert [mark for _, mark in graded(answer)] == ["unchecked", "quoted"]


def test_an_answer_of_one_word_is_an_uncited_claim() -> None:
    assert graded("Yes.") == [("Yes.", "uncited")]
    assert graded("Yes.\n\nThe rent is 950 euros [1].") == [("The rent is 950 euros [1].", "unchecked")]


def test_a_report_on_the_search_with_a_figure_is_a_claim() -> None:
    answer = "I could not find the deposit, but the rent is 900 euros. The rent is due to the landlord [1]."
    assert graded(answer)[0] == ("I could not find the deposit, but the rent is 900 euros.", "uncited")


def test_a_courtesy_with_a_figure_is_a_claim() -> None:
    assert graded("Sure, the rent is 900 euros.") == [("Sure, the rent is 900 euros.", "uncited")]


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        ("> The rent is 900 euros. It is payable each month. Thanks, Adam! [1]", 1),
        ("> The rent is 900 euros. [1] It is payable each month. [1]", 2),
        ("The rent is 900 euros. It is payable each month. [1]", 2),
    ],
)
def test_a_block_quotation_with_one_citation_is_one_claim(answer: str, count: int) -> None:
    assert len(graded(answer)) == count
