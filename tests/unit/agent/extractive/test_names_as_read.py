import pytest

from desktop_rag.agent.extractive.names_as_read import as_read
from desktop_rag.agent.extractive.question_analysis import analyse
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence

LINES = (
    "LiHua: Hey Wolfgang, shall we have dinner on Friday?",
    "Have you ever met someone as quirky as Sheldon Cooper?",
    "Adam Smith rents the basement.",
    "Marta and Martha Brandt came, too.",
)


@pytest.mark.parametrize(
    ("question", "has", "lacks"),
    [
        ("Has LiHua met anyone like Shedlon Cooper?", "sheldon", "shedlon"),
        ("What does Adam Smith rent?", "adam", "adamsmith"),
        ("Who is Jonas Weber?", "weber", ""),  # nobody of that name was read
        ("When did Sherdon come?", "sherdon", "sheldon"),  # another name
        ("What is quirkyy?", "quirkyy", "quirki"),  # no name
    ],
)
def test_a_mistyped_name_is_the_one_that_was_read(question: str, has: str, lacks: str) -> None:
    read = [CandidateSentence(line, "turn1search1", "Chat", 1, 1) for line in LINES]
    asked = as_read(analyse(question), read)
    assert has in asked.stems
    assert lacks not in asked.stems
    assert asked.text == question


GERMAN = (
    "Die Lagerhalle hat ein Dach aus Blech.",
    "Die Lagerhalle ist alt.",
    "Die Turnhalle ist neu.",
    "Die Package Ltd.",
    "Die Mietkaution",
)


@pytest.mark.parametrize(
    ("question", "has"),
    [
        ("Wie alt ist die Halle?", "lagerhall"),  # the most frequent compound
        ("Wie alt ist das Dach?", "dach"),  # it was read itself
        ("Was steht dort über die Kaution?", "mietkaut"),
        ("Was steht dort über die Garage?", "garag"),
        ("What is the age of the package?", "age"),  # no German noun
    ],
)
def test_a_german_noun_that_was_read_only_in_a_compound_is_the_compound(question: str, has: str) -> None:
    read = [CandidateSentence(line, "turn1search1", "", 1, 1) for line in GERMAN]
    assert has in as_read(analyse(question), read).stems
