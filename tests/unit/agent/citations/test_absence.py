import pytest

from desktop_rag.agent.citations.absence import is_about_the_search, unmentioned


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


@pytest.mark.parametrize(
    "sentence",
    [
        "I don't know.",
        "I have found nothing on that in your files.",
        "The search returned no results.",
        "I found three relevant documents.",
        "Ich habe dazu nichts gefunden.",
        "Dazu habe ich in den Dokumenten nichts gefunden.",
        "In den Dokumenten steht nichts darüber.",
        "Unfortunately, nothing in your documents mentions a treasurer.",
        "The table below shows the figures.",
        "The following table sums up the results.",
        "Your question has two parts.",
        "Note: the documents are in English.",
        "No he encontrado nada sobre esto.",
        "Non ho trovato nulla al riguardo.",
        "Sources: kiln.md, lease.txt",
        "The answer depends on which kiln you mean.",
        "As requested, a short summary follows.",
        "It is unclear from the documents who paid.",
    ],
)
def test_a_sentence_about_the_search_or_the_answer_is_recognised(sentence: str) -> None:
    assert is_about_the_search(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "I found three documents that show a loss of 5 million.",
        "I found nothing on heating, but the rent is 900 euros.",
        "The search returned 5 % interest.",
        "The table below shows that revenue fell.",
        "Your question was answered in 2019 by the council, which fell.",
        "I have found nothing; the rent is 900 euros.",
        "The search found three people guilty.",
        "Sources: revenue fell by half.",
        "In den Dokumenten steht, dass die Miete sinkt.",
        "Ich habe nichts gefunden, aber die Miete sinkt.",
    ],
)
def test_a_statement_beside_a_report_remains_a_claim(sentence: str) -> None:
    assert not is_about_the_search(sentence)
