"""Numbers in compounds (“three-year”, “dreijährig”) and how often something is done."""

import pytest

from desktop_rag.agent.citations.numbers import figures_not_in

CONTRACT = "Marchbank signed a three-year contract with a two-week notice. The ferry has a four-cylinder engine."
DOSE = "The dose is 5 mg/kg twice daily for ten days."
TERM = "Der Vertrag hat eine dreijährige Laufzeit und eine zweiwöchige Frist."


@pytest.mark.parametrize(
    ("claim", "source", "missing"),
    [
        ("It is a five-year contract.", CONTRACT, "five-year"),
        ("It is a three-month contract.", CONTRACT, "three-month"),
        ("It has a six-week notice.", CONTRACT, "six-week"),
        ("It has an eight-cylinder engine.", CONTRACT, "eight"),
        ("The contract lasts 4 years.", CONTRACT, "4 years"),
        ("A twenty-five-year contract was signed.", CONTRACT, "twenty-five-year"),
        ("Die Laufzeit ist fünfjährig.", TERM, "fünfjährig"),
        ("Der Vertrag hat eine zweijährige Laufzeit.", TERM, "zweijährige"),
        ("The dose is 5 mg/kg three times daily.", DOSE, "three"),
        ("The dose is 5 mg/kg twice daily.", DOSE.replace("twice", "three times"), "twice"),
    ],
)
def test_another_number_in_a_compound_is_missing(claim: str, source: str, missing: str) -> None:
    assert figures_not_in(claim, [source]) == (missing,)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("It is a contract for three years with a notice of two weeks.", CONTRACT),
        ("It lasts 3 years, and the notice is 14 days.", CONTRACT),
        ("It is a three-year contract.", "The contract lasts 36 months."),
        ("The engine has four cylinders.", CONTRACT),
        ("Der Vertrag läuft drei Jahre, die Frist ist zwei Wochen.", TERM),
        ("The dose is given two times a day.", DOSE),
        ("It was a one-way, first-class ticket on the twenty-first of May.", "It was a ticket for 21 May."),
        ("A two-thirds majority decided.", "Two thirds of the votes decide."),
    ],
)
def test_the_same_number_in_other_words_is_found(claim: str, source: str) -> None:
    assert figures_not_in(claim, [source]) == ()
