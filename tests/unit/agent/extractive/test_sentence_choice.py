"""Which sentences are quoted first."""

import pytest

from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.extractive.question_analysis import questions
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.agent.extractive.sentence_choice import choose_sentences
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence
from tests.unit.agent.conftest import Asker, FakeRetriever, document

KYOTO = document(
    "The panel reported on the harm of greenhouse gases in 1990.",
    "",
    "In case of climate change, the Kyoto Protocol failed to bring emissions down.",
    title="Panel",
)
CAPITAL = document(
    "Kanmu first tried to move the capital to Nagaoka, but disasters befell the city.",
    "",
    "The letters were addressed to the emperor.",
    title="Heian",
)


def test_a_telling_sentence_about_the_name_goes_before_a_stray_word() -> None:
    asker = Asker(FakeRetriever(("panel.txt", KYOTO), ("heian.txt", CAPITAL)), ExtractiveModel())
    answered = asker.answer("What did the Kyoto Protocol try to address?")
    assert answered.found
    assert "climate change" in answered.citations[0].quote


@pytest.mark.parametrize(
    ("share", "second", "quoted"),
    [
        (0.75, "Venom, a metal band, was formed in Newcastle in 1979.", True),
        (0.65, "Venom, a metal band, was formed in Newcastle in 1979.", False),  # much worse
        (0.75, "The club was formed in Newcastle in 1979.", False),  # one word of the question, from another document
        (0.75, "Black metal bands were formed by many later.", False),  # no date
    ],
)
def test_the_second_best_sentence_is_quoted_if_it_may_be_an_answer(share: float, second: str, *, quoted: bool) -> None:
    [question] = questions("When was the first black metal band formed?", "")
    best = CandidateSentence("The first black metal band formed around 1980.", "turn0search0", "Rock", 1, 1)
    other = CandidateSentence(second, "turn0search1", "Newcastle", 1, 1)
    ranked = [RankedSentence(best, 1.0, 0.9, 0.9), RankedSentence(other, share, 0.6, 0.5)]
    [chosen] = choose_sentences([(question, ranked)], {})
    assert [one.candidate for one in chosen.sentences] == ([best, other] if quoted else [best])


def test_words_of_the_question_that_are_not_quoted_lead_to_a_sentence_beside_the_best() -> None:
    [question] = questions("In which county does Jacksonville lie?", "")
    city = CandidateSentence(
        "Jacksonville is the largest city by area in Florida.", "turn0search0", "Jacksonville", 1, 1
    )
    seat = CandidateSentence("It is the seat of Duval County since 1822.", "turn0search0", "Jacksonville", 1, 1)
    other = CandidateSentence("Hudson County lies in New Jersey, beside the river.", "turn0search1", "Hudson", 1, 1)
    far = CandidateSentence("The county fair was held in 1901.", "turn0search0", "Jacksonville", 9, 9)
    scores = ((city, 1.0, 0.6), (other, 0.8, 0.4), (far, 0.5, 0.3), (seat, 0.3, 0.3))
    ranked = [RankedSentence(each, score, 0.6, own) for each, score, own in scores]
    [chosen] = choose_sentences([(question, ranked)], {})
    assert seat in [one.candidate for one in chosen.sentences]


@pytest.mark.parametrize(
    ("question", "quotes"),
    [
        ("Are pets allowed?", ["Pets are not allowed without the written consent of the landlord."]),
        ("Is the deposit paid back?", ["The deposit is 1,900 euros and is paid back within 30 days."]),
        ("Was the mast replaced in 2018?", ["The mast was replaced in 2019."]),
    ],
)
def test_sentence_with_all_words_answers_a_yes_or_no_question_alone(question: str, quotes: list[str]) -> None:
    lease = document(
        "The tenant may end the lease at any time with a notice period of three months.",
        "Pets are not allowed without the written consent of the landlord.",
        "The deposit is 1,900 euros and is paid back within 30 days.",
        title="Lease",
    )
    boat = document("The keel is oak. The mast was replaced in 2019. No engine was ever fitted.", title="Boat")
    answered = Asker(FakeRetriever(("lease.txt", lease), ("boat.txt", boat)), ExtractiveModel()).answer(question)
    assert [citation.quote for citation in answered.citations] == quotes


def test_a_neighbour_without_a_word_of_the_question_is_not_quoted_first() -> None:
    report = document(
        "The plan for the crane was dropped on 9 May.",
        "We will repaint the boathouse in June. The colour of the boathouse will not be white.",
        title="Report",
    )
    text = (
        Asker(FakeRetriever(("report.txt", report)), ExtractiveModel())
        .answer("When will the boathouse be repainted?")
        .text
    )
    assert text.startswith("> We will repaint the boathouse in June.")
