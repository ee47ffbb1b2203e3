import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.agent.extractive.question_analysis import MAX_QUESTIONS, split


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "When does the lease end, and how long is the notice period?",
            ("When does the lease end", "how long is the notice period"),
        ),
        ("How high is the deposit? When is it returned?", ("How high is the deposit", "When is it returned")),
        (
            "Which heat pump did the board choose, and why?",
            ("Which heat pump did the board choose", "why"),
        ),
        (
            "When was the deposit paid and how much was it?",
            ("When was the deposit paid", "how much was it"),
        ),
        (
            "Wann wurde die Kaution bezahlt, und wie hoch war sie?",
            ("Wann wurde die Kaution bezahlt", "wie hoch war sie"),
        ),
        ("Who paid it and when was it due?", ("Who paid it", "when was it due")),
        ("When and where is the next meeting?", ("When and where is the next meeting",)),
        ("Is the roof insulated and how much would it cost?", ("Is the roof insulated", "how much would it cost")),
        ("Who paid; what was the price?", ("Who paid", "what was the price")),
        (
            "Wann endet der Vertrag und wie lange ist die Frist?",
            ("Wann endet der Vertrag", "wie lange ist die Frist"),
        ),
        ("Quand finit le bail et combien coûte le loyer ?", ("Quand finit le bail", "combien coûte le loyer")),
        ("I rent a flat. When is rent due?", ("I rent a flat. When is rent due",)),
        ('A 5" pipe and how long is the 6" pipe?', ('A 5" pipe', 'how long is the 6" pipe')),
        ("Hi, when is rent due?", ("when is rent due",)),
        ("Guten Tag! Wann ist die Miete fällig?", ("Wann ist die Miete fällig",)),
    ],
)
def test_a_question_with_several_parts_is_split(text: str, parts: tuple[str, ...]) -> None:
    assert split(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "Who are Marta and Ines?",
        "What are the doors and windows made of?",
        "Did he ask about the time and how to get there?",
        "Who is the man who designed the bridge and who died in 1900?",
        "What did the board, which met in May, decide?",
        "rent and deposit",
        'Who painted "why me?" on the boat?',
        "Hi-fi costs how much?",
        "Compare Acme and Bolt",
        "Who directed Romeo and Juliet?",
        "Did revenue grow in Europe and Asia?",
        "Compare the price of the Model X with the Model Y and say why",
        "Hello World prints what?",
        "why?",
        "",
    ],
)
def test_a_single_question_stays_whole(text: str) -> None:
    assert split(text) == (text.rstrip("?"),)


def test_at_most_four_parts_and_every_word_is_kept() -> None:
    parts = split("Who paid? When did he pay? Where is the bank? Why was it late? How much was the fee?")
    assert len(parts) == MAX_QUESTIONS
    assert parts[-1] == "Why was it late? How much was the fee"


@given(st.text(alphabet='wWhoyen and,;?. é時"“”\ue000', max_size=60))
def test_any_text_gives_at_least_one_part(text: str) -> None:
    assert 1 <= len(split(text)) <= MAX_QUESTIONS
