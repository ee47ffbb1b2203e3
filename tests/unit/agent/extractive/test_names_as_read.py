import pytest

from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.names_as_read import as_read, with_parts
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
    ("question", "noun", "having"),
    [
        ("Wie alt ist die Halle?", "hall", [0, 1, 2]),
        ("Wie alt ist das Dach?", "dach", [0]),
        ("Was steht dort über die Kaution?", "kaution", [4]),  # a longer word is stemmed more
        ("Was steht dort über die Garage?", "garag", []),
        ("What is the age of the package?", "age", []),  # no German noun
    ],
)
def test_a_compound_has_the_german_noun_that_it_ends_with(question: str, noun: str, having: list[int]) -> None:
    read = [CandidateSentence(line, "turn1search1", "", 1, 1) for line in GERMAN]
    found = with_parts(analyse(question), read)
    assert [number for number, one in enumerate(found) if noun in one.stems] == having


@pytest.mark.parametrize(
    ("read", "has"),
    [
        ("Beide Seiten können mit einer Frist von drei Monaten kündigen.", True),
        ("Die Kündigung braucht eine Frist.", True),
        ("Die Frist für Schäden beträgt drei Tage.", False),
        ("Beide Seiten können kündigen.", False),
    ],
)
def test_a_german_compound_is_told_by_its_two_words(read: str, has: bool) -> None:
    [found] = with_parts(
        analyse("Wie lange ist die Kündigungsfrist?"), [CandidateSentence(read, "turn1search1", "", 1, 1)]
    )
    assert ("kundigungsfrist" in found.stems) is has


@pytest.mark.parametrize(
    ("asked", "read", "is_same"),
    [
        ("erstattet", "erstatten", True),
        ("gekündigt", "kündigen", True),
        ("kündigen", "Kündigung", True),
        ("widersprochen", "widersprechen", True),
        ("überwiesen", "überweisen", True),
        ("ausgezahlt", "auszahlen", True),
        ("erstattet", "erstellen", False),
        ("Mieter", "Miete", False),
    ],
)
def test_a_german_word_has_its_other_forms(asked: str, read: str, is_same: bool) -> None:
    [found] = with_parts(
        analyse(f"Wann wird das {asked}?"), [CandidateSentence(f"Wir {read} das.", "turn1search1", "", 1, 1)]
    )
    assert (stems(asked)[0] in found.stems) is is_same
