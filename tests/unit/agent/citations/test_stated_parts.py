import pytest

from desktop_rag.agent.citations.stated_parts import label_from, stated_from


@pytest.mark.parametrize(
    "sentence",
    [
        "I could not find the height, but you can look at the survey itself.",
        "I could not find the height, but it may be in a document that has not been indexed yet.",
        "I could not find the height, but there is information about the span.",
        "I could not find the exact height, but related information on the span is below.",
        "I looked through all the files but could not find the name of the architect.",
        "I searched for: rent 2023, lease, Miete",
        "I searched the 12 documents in your library and found 3 relevant passages.",
        "I searched for the year 2019 but no results were returned.",
        "The documents do not mention the height and the width is not given either.",
        "The documents do not mention the height, which would be needed to answer your question.",
        "The passages do not say that the tenant may keep dogs.",
        "I could not find a passage that states that the bridge was inspected.",
        "Not found: the rent in 2023.",
        "Nothing in your documents mentions the height; I searched for bridge, span and river.",
        "I can't give legal advice, but you may want to ask a lawyer.",
        "I don't know, but the lease may help.",
        "Which year do you mean?",
        "Ich konnte dazu nichts finden, aber Sie können im Vertrag nachsehen.",
        "Je n'ai rien trouvé à ce sujet, mais vous pouvez consulter le bail.",
        "No he encontrado nada sobre esto, pero puede preguntar al autor.",
    ],
)
def test_a_report_on_the_search_states_nothing(sentence: str) -> None:
    assert stated_from(sentence) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "I could not find the height, but |the bridge collapsed in 2020.",
        "I could not find the height, but |it is probably 30 metres.",
        "I could not find the date, but |according to the minutes the roof leaks.",
        "I could not find the height, though |the bridge collapsed.",
        "I searched the lease and found that |the rent is 900 euros.",
        "I searched the lease and |the rent is 900 euros.",
        "I looked at the lease and |it says that the tenant pays for everything.",
        "I looked through your files: |the rent is 900 euros.",
        "I can't give legal advice, but |you may terminate at any time.",
        "Here is what I found: |the pear trees were felled.",
        "The documents do not mention the height, which |is 30 m.",
        "The documents do not mention the designer, who |was Yusuf Tan.",
        "The documents do not mention the height; |it is 30 m.",
        "No document mentions the height, so |it must be 30 m.",
        "Je n'ai rien trouvé, mais |le loyer est de 900 euros.",
        "Ich habe nichts dazu gefunden, aber |der Mieter darf Hunde halten.",
        "No he encontrado nada, pero |el alquiler es de 900 euros.",
        "Isn't it true that |the harbour master resigned?",
        "|The rent is 900 euros, right?",
        "|I don't know whether it was 2020 when the bridge collapsed.",
    ],
)
def test_a_clause_after_a_report_is_a_statement(sentence: str) -> None:
    assert stated_from(sentence.replace("|", "")) == sentence.index("|")


@pytest.mark.parametrize(
    ("label", "states"),
    [
        ("The bridge is 846 metres long", True),
        ("Rent: 900 euros", True),
        ("3. Rent", False),
        ("4.2 The rent", False),
        ("The bridge was demolished", True),
        ("What was demolished", False),
        ("Things that were demolished", False),
        ("How long is the bridge in 2020?", False),
        ("The facts are as follows:", True),
        ("There are several differences:", False),
        ("Key findings", False),
    ],
)
def test_a_heading_with_a_figure_or_a_verb_may_state_something(label: str, *, states: bool) -> None:
    assert (label_from(label) is not None) == states
