"""Tables with columns of like names, and with cells that have no amount: no other column answers instead."""

import pytest

from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.extractive.quantities.counted_rows import counted_rows
from desktop_rag.agent.extractive.quantities.dated_rows import dated_row
from desktop_rag.agent.extractive.quantities.labelled_amounts import QuantityAnswer
from desktop_rag.agent.extractive.quantities.quantity_answer import answer_quantity
from desktop_rag.agent.extractive.quantities.stated_cell import stated_cell
from desktop_rag.agent.extractive.question_analysis import analyse
from desktop_rag.llm.chat import ToolMessage
from tests.unit.agent.conftest import Asker, FakeRetriever, document
from tests.unit.agent.extractive.test_quantity_answer import opened

TREATMENTS = """# Treatments

| Treatment | Minutes | Small dog | Large dog |
|---|---|---|---|
| Bath | 45 | €38 | €49 |
| Trim | 90 | €62 | €85 |
| Claws | 15 | €14 | – |"""
COVER = """# Cover

| Item | Limit | Excess |
|---|---|---|
| Contents | £45,000 | £250 |
| Bicycles | £1,200 | £75 |
| Freezer food | £300 | none |"""
SPENT = (
    "Date,Person,Category,Description,Amount\n2025-01-14,Vera,Travel,Train,58.90\n2025-02-03,Vera,Tools,Saw,144.00\n"
    "2025-03-05,Otto,Course,First aid,165.00\n2025-04-30,Otto,Tools,Drill,24.00"
).replace(",", "\t")


def amounts(question: str, file: str, text: str) -> list[str] | None:
    answer = answer_quantity(analyse(question), [opened(file, text)])
    assert answer is None or isinstance(answer, QuantityAnswer)
    return [one.cell for one in answer.operands] if answer else None


@pytest.mark.parametrize(
    ("question", "cells"),
    [
        ("What is the total of the prices for a small dog?", ["€38", "€62", "€14"]),
        ("What is the average of the prices for a small dog?", ["€38", "€62", "€14"]),
        ("Which treatments cost less than 40 euros for a small dog?", ["€38", "€62", "€14"]),
        ("What is the total of the prices for a dog?", None),  # a small or a large one
    ],
)
def test_the_column_with_more_words_of_the_question_is_meant(question: str, cells: list[str] | None) -> None:
    assert amounts(question, "Treatments.md", TREATMENTS) == cells


def test_a_column_of_a_like_name_chooses_no_rows() -> None:
    counted = counted_rows(analyse("How many treatments for a small dog?"), [opened("Treatments.md", TREATMENTS)])
    assert counted is not None
    assert counted.lead_in == "3 of 3 rows:"


def test_the_column_with_a_gap_is_added_up_and_not_another() -> None:
    answer = answer_quantity(analyse("What is the total of the excesses?"), [opened("Cover.md", COVER)])
    done = ToolMessage("", "calculate", "[turn1search9] Cite this reference for the result.\nTotal: 325")
    assert answer is not None
    assert answer.lead_in([done]) == "The total of the 2 rows with an amount is £325. [turn1search9]"
    assert amounts("What is the average excess?", "Cover.md", COVER) == ["£250", "£75"]


def test_a_rate_by_day_is_a_daily_one_and_a_long_time_no_price_for_long_hair() -> None:
    tools = "| Tool | Daily rate EUR | Deposit EUR |\n|---|---|---|\n| Drill | 14 | 60 |\n| Sander | 38 | 150 |"
    assert amounts("Which tools cost more than 20 euros a day?", "Tools.md", tools) == ["14", "38"]
    assert amounts("Which tools cost more than 20 euros a week?", "Tools.md", tools) is None
    long_dogs = TREATMENTS.replace("Large dog", "Long dog")
    assert amounts("Which treatment takes the longest?", "Treatments.md", long_dogs) == ["45", "90", "15"]


def test_a_bound_with_a_unit_is_one_of_the_column_in_that_unit() -> None:
    stations = "| Station | Altitude (m) | Snow days |\n|---|---|---|\n| Seeau | 412 | 9 |\n| Gratkopf | 2,105 | 31 |"
    assert amounts("Which stations are above 900 metres?", "Stations.md", stations) == ["412", "2,105"]
    bikes = "| Bike | Gears | Weight kg |\n|---|---|---|\n| Swift | 22 | 8.4 |\n| Heron | 9 | 23.8 |"
    assert amounts("Which bikes weigh less than 14 kg?", "Bikes.md", bikes) == ["8.4", "23.8"]


def test_members_of_a_german_list_are_counted() -> None:
    members = "Name;Ort;Beitrag\nVoss;Kiel;48,00\nLüders;Plön;48,00\nAydin;Kiel;24,00".replace(";", "\t")
    counted = counted_rows(analyse("Wie viele Mitglieder wohnen in Kiel?"), [opened("Mitgliederliste.csv", members)])
    assert counted is not None
    assert counted.lead_in == "2 of 3 rows:"
    asked = "Wie hoch ist die Summe der Beiträge?"
    assert amounts(asked, "Mitgliederliste.csv", members) == ["48,00", "48,00", "24,00"]


def test_a_column_with_the_words_themselves_goes_before_one_of_a_like_meaning() -> None:
    posts = "| Post | Planned | Paid |\n|---|---|---|\n| Venue | 3,200 EUR | 3,200 EUR |\n| Band | 1,100 EUR | none |"
    assert amounts("What is the total of the planned costs?", "Wedding.md", posts) == ["3,200 EUR", "1,100 EUR"]


def test_what_is_counted_need_not_be_named_by_the_table() -> None:
    league = "| Team | Won | Lost |\n|---|---|---|\n| Inklings | 8 | 2 |\n| Rascals | 4 | 6 |"
    assert amounts("Which teams lost more than five games?", "League.md", league) == ["2", "6"]
    assert amounts("Which team won the most games?", "League.md", league) == ["8", "4"]
    assert amounts("Which team has the most games?", "League.md", league) is None


def test_expenses_are_not_taken_for_expensive() -> None:
    assert amounts("Which expenses are above 100 euros?", "Expenses.csv", SPENT) == [
        "58.90",
        "144.00",
        "165.00",
        "24.00",
    ]


def test_rows_without_an_amount_are_not_compared_with_a_bound() -> None:
    retriever = FakeRetriever(("cover.md", document(*COVER.split("\n")[2:], title="Cover")))
    answered = Asker(retriever, ExtractiveModel()).answer("Which items have an excess below 100 pounds?")
    assert answered.text.startswith("1 of 2 rows with an amount, going by Excess:")
    assert "Bicycles" in answered.text
    assert {claim.standing for claim in answered.claims} == {"supported"}


@pytest.mark.parametrize("question", ["How much are the claws for a large dog?", "What do claws cost for a large dog?"])
def test_the_cell_beside_an_empty_one_is_not_stated(question: str) -> None:
    assert stated_cell(analyse(question), [opened("Treatments.md", TREATMENTS)]) is None


def test_all_rows_of_a_person_are_what_the_person_spent() -> None:
    assert amounts("Who spent the most?", "Expenses.csv", SPENT) == ["58.90", "144.00"]
    assert amounts("Who spent the least?", "Expenses.csv", SPENT) == ["165.00", "24.00"]
    assert amounts("How much did Vera spend?", "Expenses.csv", SPENT) == ["58.90", "144.00"]
    assert amounts("How much did Vera spend on ships?", "Expenses.csv", SPENT) is None


def test_a_row_is_called_by_what_tells_it_from_all_others() -> None:
    row = dated_row(analyse("What was the last expense of Otto?"), [opened("Expenses.csv", SPENT)])
    assert row is not None
    assert row.label == "Drill"


def test_rows_with_a_cell_that_the_question_denies_are_left_out() -> None:
    counted = counted_rows(analyse("Which expenses were not for tools?"), [opened("Expenses.csv", SPENT)])
    assert counted is not None
    assert counted.lead_in == "2 of 4 rows, going by “Category”:"
    assert [row.first_line for row in counted.quoted] == [2, 4]
    persons = "Which person had no expenses for tools?"  # one with another expense may have had some
    assert counted_rows(analyse(persons), [opened("Expenses.csv", SPENT)]) is None


@pytest.mark.parametrize(
    ("question", "cells"),
    [
        ("How much was spent on tools?", ["144.00", "24.00"]),
        ("What was spent in March?", ["165.00"]),
    ],
)
def test_what_was_spent_is_added_up(question: str, cells: list[str]) -> None:
    assert amounts(question, "Expenses.csv", SPENT) == (cells if len(cells) > 1 else None)


def test_a_related_word_chooses_no_column_to_add_up() -> None:
    league = "| Team | Played | Won | Points |\n|---|---|---|---|\n| Alder | 10 | 7 | 31 |\n| Birch | 10 | 3 | 22 |"
    assert amounts("What did the teams receive in total?", "League.md", league) is None
    assert amounts("What is the average of the points?", "League.md", league) == ["31", "22"]


def test_times_of_amounts_beyond_a_bound_are_chosen() -> None:
    log = "Day\tGuests\tChlorine mg/l\n2024-07-03\t140\t0.4\n2024-07-05\t155\t0.5\n2024-07-06\t201\t0.3"
    for question in ("When was the chlorine below 0.5?", "On which days was the chlorine below 0.5?"):
        answer = answer_quantity(analyse(question), [opened("Pool log.csv", log)])
        assert isinstance(answer, QuantityAnswer)
        assert answer.lead_in([]) == "2 of 3 rows, going by Chlorine mg/l:"
        assert [one.candidate.first_line for one in answer.quoted] == [2, 4]


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("On which day were there the most guests?", "2024-07-06, going by 201, "),
        ("When was the temperature highest?", "2024-07-06, going by 27.5, "),
        ("Which was the highest temperature?", "2024-07-06, going by 27.5, "),  # no number of guests
    ],
)
def test_the_day_of_an_extreme_is_told(question: str, begins: str) -> None:
    log = "Guests\tDay\tTemperature °C\n140\t2024-07-03\t27.0\n155\t2024-07-05\t26.8\n201\t2024-07-06\t27.5"
    answer = answer_quantity(analyse(question), [opened("Pool log.csv", log)])
    assert isinstance(answer, QuantityAnswer)
    assert answer.lead_in([]).startswith(begins)


def test_a_column_called_money_is_added_up_if_the_rows_have_no_other() -> None:
    club = (
        "Date,Item,Money in,Money out,Paid by\n2024-01-15,Subscriptions,1700.00,,\n2024-02-03,Hall,,270.00,Bev\n"
        "2024-04-20,Prizes,,375.00,Bev\n2024-10-12,Coaching,,220.00,Rory"
    ).replace(",", "\t")
    assert amounts("How much did Bev pay in total?", "club.csv", club) == ["270.00", "375.00"]
    assert amounts("How much did Bev receive in total?", "club.csv", club) is None
    assert amounts("How much did the club pay in total?", "club.csv", club) is None
