import pytest

from desktop_rag.agent.citations.absence import unmentioned


@pytest.mark.parametrize(
    ("sentence", "thing"),
    [
        ("The lease does not mention parking.", "parking"),
        ("However, the minutes do not say who chaired the meeting.", "who chaired the meeting"),
        ("The filing doesn’t disclose the purchase price.", "the purchase price"),
        ("It makes no mention of a deposit.", "a deposit"),
        ("There is no information about pets.", "pets"),
        ("The notice period is not stated.", "The notice period"),
        ("Der Vertrag erwähnt Haustiere nicht.", "Haustiere"),
        ("Le bail ne mentionne pas le parking.", "le parking"),
        ("El contrato no menciona mascotas.", "mascotas"),
    ],
)
def test_a_statement_about_what_is_not_mentioned_is_recognised(sentence: str, thing: str) -> None:
    assert unmentioned(sentence) == thing


@pytest.mark.parametrize(
    "sentence",
    [
        "The lease does not mention parking, but the rent is 954 euros.",
        "The tenant does not pay for parking.",
        "She did not say whether she would come.",
        "Ruth Ellingham did not mention the pier.",
        "The report mentions parking.",
        "The rent is 954 euros.",
        "",
    ],
)
def test_other_statements_are_not(sentence: str) -> None:
    assert unmentioned(sentence) is None
