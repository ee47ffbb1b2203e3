"""Answers that need sentences of two documents, or one sentence of each side of a comparison."""

import pytest

from desktop_rag.agent.events import Answered
from desktop_rag.agent.extractive.answer import NOTE, literal
from desktop_rag.agent.extractive.evidence_chain import name_in, padded, title_words
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.extractive.side_comparison import origins
from desktop_rag.agent.prompts import KNOWS_NOTHING, UNSURE
from desktop_rag.documents.document import Document
from tests.unit.agent.conftest import Asker, FakeRetriever, document


def _page(title: str, *lines: str) -> tuple[str, Document]:
    return f"{title}.md", document(f"# {title}", "", *lines, title=title)


@pytest.fixture
def asker() -> Asker:
    pages = (
        _page("Human Flow", "Human Flow is a 2017 film directed by Ai Weiwei.", "", "Its music is by Karsten Fundal."),
        _page("Ai Weiwei", "Ai Weiwei (born 28 August 1957 in Beijing) is an artist.", "", "He lives in Portugal."),
        _page("Karsten Fundal", "Karsten Fundal (born 1966 in Copenhagen) is a Danish composer."),
        _page("Jump for Glory", "Jump for Glory is a film directed by Raoul Walsh.", "", "It was shot in London."),
        _page("Miriam Cooper", "Miriam Cooper was an actress.", "", "She was the first spouse of Raoul Walsh."),
        _page("Raffles", "Raffles is a 1958 film of Mexican thieves, made in Mexico."),
        _page("Prem Granth", "Prem Granth is a 1996 Indian film about a barrister."),
        _page("Totkuh", "Totkuh is a village in Yazd Province, Iran."),
        _page("Feyzabad", "Feyzabad is a village in Khatam County, Iran.", "", "It has 40 families."),
        _page("Format", "The key __required_keys__ of a *TypedDict* is a set; it cost 3 days."),
    )
    return Asker(FakeRetriever(*pages), ExtractiveModel())


def test_a_question_over_two_documents_is_answered_by_both(asker: Asker) -> None:
    answered = asker.answer("Where was the director of Human Flow born?")
    quotes = [citation.quote for citation in answered.citations]
    assert quotes[0] == "Human Flow is a 2017 film directed by Ai Weiwei."
    assert "born 28 August 1957 in Beijing" in quotes[1]
    assert len(quotes) <= 3
    assert {citation.verdict for citation in answered.citations} == {"verbatim"}


def test_the_name_beside_the_word_of_the_question_leads_on(asker: Asker) -> None:
    answered = asker.answer("Where was the composer of the music of Human Flow born?")
    assert any("Copenhagen" in citation.quote for citation in answered.citations[:2])


@pytest.mark.parametrize(
    ("question", "lead_in"),
    [
        ("Are Raffles and Prem Granth from the same country?", "No, going by “Mexican” and “Indian”:"),
        ("Are both villages, Totkuh and Feyzabad, located in the same country?", "Yes, going by “Iran” and “Iran”:"),
        ("Which film came out first, Prem Granth or Raffles?", ""),
    ],
)
def test_a_comparison_quotes_one_sentence_a_side(asker: Asker, question: str, lead_in: str) -> None:
    answered = asker.answer(question)
    assert answered.text.partition("#### ")[0].strip() in (lead_in, UNSURE)
    assert len(answered.citations) == 2
    assert len({citation.path for citation in answered.citations}) == 2


def test_nothing_follows_from_a_value_on_one_side_only(asker: Asker) -> None:
    answered = asker.answer("Which came first, Totkuh or Raffles?")
    assert "going by" not in answered.text


def test_a_pronoun_stands_under_the_title(asker: Asker) -> None:
    answered = asker.answer("Who lives in Portugal?")
    assert "Ai Weiwei" in answered.text
    assert answered.citations[0].verdict == "verbatim"


def test_a_quotation_is_shown_as_it_stands(asker: Asker) -> None:
    answered = asker.answer("What are the required keys of a TypedDict?")
    assert r"\__required_keys\__" not in answered.text
    assert r"\_\_required_keys\_\_ of a \*TypedDict\*" in answered.text
    assert "__required_keys__ of a *TypedDict*" in answered.citations[0].quote


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("snake_case and 2 * 3", r"snake_case and 2 \* 3"),
        ("# no heading", r"\# no heading"),
        ("1. no list", r"1\. no list"),
        ("- no list", r"\- no list"),
        ("see [here](http://x)", r"see \[here](http://x)"),
        ("no [dogs] allowed", "no [dogs] allowed"),
        ("From: Priya <priya@x.example>", r"From: Priya \<priya@x.example>"),
        ("a &amp; b & c", r"a \&amp; b & c"),
        ("a ~~b~~ `c` \\d", r"a \~~b\~~ \`c\` \\d"),
        ("", ""),
    ],
)
def test_markup_is_escaped(text: str, shown: str) -> None:
    assert literal(text) == shown


@pytest.mark.parametrize("greeting", ["Hello!", "Thanks", "Danke schön.", "Danke, bis morgen!"])
def test_a_greeting_is_answered_by_no_quotation(asker: Asker, greeting: str) -> None:
    answered = asker.answer(greeting)
    assert isinstance(answered, Answered)
    assert (answered.found, answered.citations, NOTE in answered.text) == (False, (), False)
    assert KNOWS_NOTHING in answered.text


@pytest.mark.parametrize(
    ("title", "text", "strength"),
    [
        ("Hans Wolff (director)", "A film by Hans Wolff.", 1.0),
        ("John, King of England", "the daughter of King John of England", 0.7),
        ("bark", "the bark of a tree", 0.0),
        ("Young, New South Wales", "a young man", 0.0),
        ("", "anything", 0.0),
        ("…", "…", 0.0),
    ],
)
def test_a_title_is_recognised_in_a_text(title: str, text: str, strength: float) -> None:
    assert name_in(title_words(title), padded(text)) == strength


def test_a_country_and_its_nationality_are_one_origin() -> None:
    swedish, korean, sweden = origins("A Swedish and South Korean film made in Sweden.")
    assert [each[0] for each in (swedish, korean, sweden)] == ["Swedish", "South Korean", "Sweden"]
    assert swedish[1] == sweden[1] != korean[1]
    assert origins("Polished Indians at sea") == []
    assert origins("Born in New Mexico, she flew for American Airlines.") == []


def test_a_sentence_that_shares_only_a_name_is_not_quoted() -> None:
    chat = document("Ruth: Hey Jake!", "", "Jake: Hey Ruth!", "", "Sure, the goalkeeper agrees with you on that.")
    asker = Asker(FakeRetriever(("chat.txt", chat)), ExtractiveModel())
    answered = asker.answer("Does Jake agree with the goalkeeper?")
    assert answered.found
    assert all("Hey" not in citation.quote for citation in answered.citations)


def test_the_sentence_beside_the_best_one_is_quoted_rather_than_one_of_another_document() -> None:
    library = FakeRetriever(
        _page(
            "Beta",
            "Hosts in Ann Arbor met Wayne State. A mainframe in Lansing completed the triad of the Beta network.",
        ),
        _page("Gamma", "A triad of musicians completed a tour in Gamma."),
    )
    answered = Asker(library, ExtractiveModel()).answer("What completed the triad of the Beta network?")
    quotes = [citation.quote for citation in answered.citations]
    assert "in Lansing completed" in quotes[0]
    assert not any("musicians" in quote for quote in quotes)


def test_a_greeting_before_the_best_sentence_is_not_quoted() -> None:
    library = FakeRetriever(
        _page("Chat", "Hello Wolf! A mainframe in Lansing completed the triad of the network. Thanks a lot!")
    )
    answered = Asker(library, ExtractiveModel()).answer("What completed the triad of the network?")
    [citation] = answered.citations
    assert citation.quote.startswith("A mainframe in Lansing completed the triad of the network.")
