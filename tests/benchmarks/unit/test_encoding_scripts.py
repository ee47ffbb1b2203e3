"""The measurements of encoders that are run by hand (`python -m benchmarks.encoding.NAME`)."""

from importlib import import_module

import pytest

from benchmarks.encoding import published
from benchmarks.encoding.english import mean_difference, shortened
from benchmarks.encoding.few_words import queries_of
from desktop_rag.evaluation.datasets import Collection, CollectionPassage, CollectionQuestion


@pytest.mark.parametrize("name", ["changeover", "closest", "english", "few_words", "languages", "memory"])
def test_a_script_says_what_it_takes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        import_module(f"benchmarks.encoding.{name}").main(["--help"])
    assert ended.value.code == 0
    assert "usage:" in capsys.readouterr().out


def test_queries_of_few_words_are_about_nothing_in_the_passages() -> None:
    boats = collection("The harbour has moorings for sailing boats.", "When is the harbour open?")
    bees = collection("The beekeeper harvests honey beside the harbour.", "Who harvests honey?")
    found = queries_of(boats, [bees], 10)
    assert set(found["word"]) == {"beekeeper", "harvests", "honey", "beside"}
    assert found["two words"] == ["beekeeper harvests", "harvests honey", "honey beside"]
    assert set(found["slip"]) == {"habrour", "moroings", "saliing", "botas"}
    assert found["question"] == ["Who harvests honey?"]


def test_collections_weigh_the_same_in_the_mean_difference() -> None:
    found = mean_difference([{"a": 1.0}, {"b": 0.0, "c": 0.2}], [{"a": 0.5}, {"b": 0.0, "c": 0.0}])
    assert found.mean == pytest.approx(0.3)
    assert found.low == pytest.approx(0.25)
    assert found.high == pytest.approx(0.35)


def test_a_shortened_question_has_its_rarest_words_in_their_order() -> None:
    boats = collection("The harbour has moorings for sailing boats. " * 2, "Which harbour has old moorings for boats?")
    (asked,) = shortened(boats, 2).questions
    assert asked.text == "harbour moorings"


def test_an_encoder_that_is_not_published_here_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert published.main(["bert"]) == 2
    assert "Not known: bert" in capsys.readouterr().err


def collection(text: str, question: str) -> Collection:
    passage, asked = CollectionPassage("p", "", text), CollectionQuestion("q", question)
    return Collection("test", (passage,), (asked,), {"q": {"p": 1}}, multi_hop=False)
