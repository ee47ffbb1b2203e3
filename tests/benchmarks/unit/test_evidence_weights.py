import numpy as np
import pytest

from benchmarks.evidence_weights import PairedQuestion, fit, has_answer, pair_up
from desktop_rag.errors import BenchError
from desktop_rag.llm.chat import Evidence, ToolMessage, UserMessage


def _question(features: list[list[float]], right: int) -> PairedQuestion:
    sentences = tuple((number, number + 1) for number in range(len(features)))
    return PairedQuestion(np.array(features), sentences, tuple(number == right for number in range(len(features) + 1)))


def test_the_feature_of_the_right_pairs_gets_the_weight() -> None:
    questions = [_question([[0.1, 1.0], [0.9, 0.0], [0.0, 0.2]], 2), _question([[1.0, 0.3], [0.0, 0.9], [0.1, 0.1]], 0)]
    weights = fit([questions])
    assert weights[0] > weights[1]
    assert all(has_answer(question, weights) for question in questions)


def test_nothing_can_be_fitted_without_an_answer() -> None:
    with pytest.raises(BenchError):
        fit([[_question([[1.0], [0.5]], 7)]])


def test_read_sentences_become_pairs() -> None:
    film = Evidence("turn1search1", "Human Flow", 1, ("Human Flow is a film directed by Ai Weiwei.",))
    person = Evidence("turn1search2", "Ai Weiwei", 1, ("Ai Weiwei was born in Beijing.",))
    messages = (UserMessage("Where was the director of Human Flow born?"), ToolMessage("x", "read", "", (film, person)))
    names: list[str] = []
    paired = pair_up(messages, ("Beijing",), names)
    assert paired is not None
    assert paired.features.shape == (len(paired.sentences), len(names))
    assert "link" in names
    assert sum(paired.right) == 1
    assert all(paired.labels())
    assert pair_up((UserMessage("Where?"),), ("Beijing",), names) is None
