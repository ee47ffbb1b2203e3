"""Notes of the program in an answer, in the language of the question."""

import pytest

from desktop_rag.agent.answer_notes import in_language_of
from desktop_rag.agent.extractive.answer import NOTE
from desktop_rag.agent.prompts import NOT_FOUND_OPENING, SEARCHED_FOR, UNMENTIONED

GERMAN, CHINESE, FRENCH = "Wann muss die Miete gezahlt werden?", "租金什么时候支付？", "Quand faut-il payer le loyer ?"
QUOTED = f"> The rent is due. [1](cite:1)\n\n{NOTE}"


def test_notes_are_in_the_language_of_the_question() -> None:
    assert in_language_of(GERMAN, QUOTED).splitlines() == [
        "> The rent is due. [1](cite:1)",
        "",
        "*Aus Ihren Dokumenten zitiert. Kein Sprachmodell hat dies geschrieben.*",
    ]
    assert "*引自您的文档" in in_language_of(CHINESE, QUOTED)


@pytest.mark.parametrize("question", ["Was kostet die Miete fuer die Werkstatt?", "Welche Firma liefert das Holz?"])
def test_a_german_question_without_umlauts_has_german_notes(question: str) -> None:
    assert "*Aus Ihren Dokumenten zitiert." in in_language_of(question, QUOTED)


@pytest.mark.parametrize("question", [FRENCH, "When is the rent due?", ""])
def test_notes_stay_english_where_there_is_no_translation(question: str) -> None:
    assert in_language_of(question, QUOTED) == QUOTED


def test_what_is_filled_in_stays_as_it_is() -> None:
    text = f"{UNMENTIONED.format('“St. Gallen”, “Miete”')}\n\nText."
    assert in_language_of(GERMAN, text) == "Nichts von dem, was gelesen wurde, erwähnt „St. Gallen“, „Miete“.\n\nText."


def test_a_sentence_after_another_one_is_translated_too() -> None:
    text = f"{NOT_FOUND_OPENING} {SEARCHED_FOR.format('“Miete”')}"
    said = "In Ihrer Bibliothek wurde kein Satz gefunden, der dies beantwortet."
    assert in_language_of(GERMAN, text) == f"{said} Gesucht wurde nach „Miete“."


def test_quotations_with_the_words_of_a_note_stay_as_they_are() -> None:
    quotation = f"> He said: {NOT_FOUND_OPENING}"
    assert in_language_of(GERMAN, quotation) == quotation
