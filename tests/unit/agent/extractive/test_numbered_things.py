import pytest

from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.extractive.numbered_things import untold_numbers
from tests.unit.agent.conftest import Asker, FakeRetriever, document


@pytest.mark.parametrize(
    ("question", "text", "untold"),
    [
        ("When is the Year 8 outing?", "The Year 9 outing is on 8 May.", ["Year 8"]),
        ("When is the Year 8 outing?", "Years 7, 8 and 9 go to the sea.", []),
        ("What is flight TP 1328?", "flight TP 1327, Friday 19 September 2025", ["TP 1328"]),
        ("What does section 4 say?", "4. Claims", []),
        ("What does section 4 say?", "The bar closes at 4 pm", ["section 4"]),
        ("Where is the key to room 3?", "The key to room 13 hangs in room 2.", ["room 3"]),
        ("Where is the key to room 3?", "Room no. 3: the key is in the office.", []),
        ("Was steht in Abschnitt 7?", "Abschnitt 6: Kaution", ["Abschnitt 7"]),
        ("What is in the plan for year 2024?", "The plan.", []),  # a time, which is looked for elsewhere
        ("What happened on May 5?", "The boat sank.", []),
        ("Who pays for children under 12?", "Children are free.", []),  # an amount
        ("What costs 84 euros?", "Batteries.", []),
        ("Who is the captain of the A team?", "A captain leads. The captain of the B team is Rory Bell.", ["A team"]),
        ("Who is the captain of the A team?", "Teams A and B have one captain.", []),
        ("Who teaches class C?", "Class B is taught by Rory Bell.", ["class C"]),
        ("Which group I joined?", "The group.", []),
    ],
)
def test_a_number_is_told_beside_its_noun(question: str, text: str, untold: list[str]) -> None:
    assert list(untold_numbers(question, [text])) == untold


def test_the_answer_says_that_another_number_is_quoted() -> None:
    letter = document("The Year 9 ski trip to Zell will take place from 14 to 21 February 2026.", title="Ski trip")
    asker = Asker(FakeRetriever(("letter.txt", letter)), ExtractiveModel())
    assert "“Year 8”" in asker.answer("When is the Year 8 ski trip?").text
    assert "“Year 9”" not in asker.answer("When is the Year 9 ski trip?").text
