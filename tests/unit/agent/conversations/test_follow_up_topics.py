"""What to ask next comes from the evidence of a run: sections, names, a document found and not read."""

from dataclasses import replace

import pytest

from desktop_rag.agent.conversations.follow_up_topics import MOST, FollowUpTopic, TopicKind, follow_up_topics
from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import AgentEvent, Citation, RunStopped, ToolReturned
from tests.gui.conversation.conftest import answered, citation, source

PASSAGE = "## 4. Deposit\nThe landlord Maria de Silva keeps it.\nThe Landlord shall announce it.\nROW ONE | A1"


def cited(passage: str = PASSAGE, section: str = "") -> Citation:
    return replace(citation(1), passage=passage, section=section, quote="keeps it")


def turn(*events: AgentEvent, question: str = "Who keeps the money?") -> Turn:
    return Turn(1, question, events, 0)


def returned(tool: str, *paths: str) -> ToolReturned:
    return ToolReturned(1, "c", tool, "", tuple(source(n, path) for n, path in enumerate(paths, 1)), 0.1, 1, False)


def test_sections_names_and_comparisons_take_turns() -> None:
    found = returned("search", "/home/ada/Flat/lease.pdf", "/home/ada/Flat/rent.xlsx")
    answer = answered("The landlord [1](cite:1).", (replace(cited(), quote="Maria de Silva keeps it"),))
    assert follow_up_topics(turn(found, found, answer)) == (
        FollowUpTopic(TopicKind.SECTION, "Deposit", "lease.pdf"),
        FollowUpTopic(TopicKind.NAME, "Maria de Silva"),
        FollowUpTopic(TopicKind.COMPARE, "lease.pdf", "rent.xlsx"),
    )


def test_the_number_of_a_slide_is_no_topic() -> None:
    answer = answered("Silicate [1](cite:1).", (replace(cited("Silicate ran out first", "Slide 1"), quote="Silicate"),))
    assert follow_up_topics(turn(answer)) == ()


def test_the_label_after_a_name_is_not_part_of_it() -> None:
    quote = "Passenger: Maria de Silva Costa Price: 189.00 euros"
    answer = answered("It was 189 [1](cite:1).", (replace(cited(quote), quote=quote),))
    assert follow_up_topics(turn(answer)) == (FollowUpTopic(TopicKind.NAME, "Maria de Silva Costa"),)


def test_what_the_question_or_the_answer_names_is_not_suggested() -> None:
    answer = answered("She keeps the deposit, as agreed [1](cite:1).", (replace(cited(), quote="Maria de Silva"),))
    read = returned("open", "/home/ada/Flat/rent.xlsx")
    found = returned("search", "/home/ada/Flat/rent.xlsx")
    asked = turn(found, found, read, answer, question="What does Maria de Silva keep?")
    assert follow_up_topics(asked) == ()


def test_what_is_only_near_is_not_suggested() -> None:
    """A name that stands once beside the cited words, or in a heading; a document found once, or in another folder."""
    passage = "# Fine Tuning\nMaria de Silva keeps it.\n# Fine Tuning"
    answer = answered("See Fine Tuning [1](cite:1).", (cited(passage),))
    once = returned("search", "/home/ada/Flat/rent.xlsx", "/home/bob/other.pdf")
    again = returned("search", "/home/bob/other.pdf")
    assert follow_up_topics(turn(once, again, answer)) == ()


def test_small_letters_with_accents_begin_no_name() -> None:
    quoted = replace(cited("Es steht dort."), quote="Im Mietvertrag über Büroräume steht es.")
    assert follow_up_topics(turn(answered("Ja [1](cite:1).", (quoted,)))) == ()


@pytest.mark.parametrize(
    ("quote", "names"),
    [
        ("Dear Ms Keller, it is due.", []),
        ("See the Table of Contents there.", []),
        ("In August Berlin was hot.", []),
        ("The tenant is at Unit 4, Harbour Centre, Kiel.", []),
        ("Hollis Professor of Divinity David Tappan died.", ["Hollis Professor of Divinity David Tappan"]),
    ],
)
def test_salutations_lists_and_months_are_no_names(quote: str, names: list[str]) -> None:
    found = follow_up_topics(turn(answered("Yes [1](cite:1).", (replace(cited("It is so."), quote=quote),))))
    assert [topic.text for topic in found if topic.kind is TopicKind.NAME] == names


def test_only_the_number_before_a_heading_is_left_out() -> None:
    passage = "## 2. Invoice 4711 overdue\nIt is due."
    (topic,) = follow_up_topics(turn(answered("Yes [1](cite:1).", (cited(passage),))))
    assert topic.text == "Invoice 4711 overdue"


def test_at_most_three_each_once() -> None:
    names = "\n".join(f"Anna {name} and Otto {name}" for name in ("Berg", "Feld", "Wald"))
    citations = tuple(replace(cited(names), number=n, quote=names) for n in (1, 2))
    topics = follow_up_topics(turn(answered("Yes [1](cite:1).", citations)))
    assert len(topics) == len(set(topics)) == MOST


@pytest.mark.parametrize("passage", ["", "#", "12", "1.", "A1:C4\n2024 840 900", "x" * 500, "\x00\u202e"])
def test_text_without_a_heading_or_a_name_suggests_nothing(passage: str) -> None:
    assert follow_up_topics(turn(answered("Yes [1](cite:1).", (cited(passage, "Cells A1:C4"),)))) == ()


def test_only_an_answer_from_the_documents_is_followed_up() -> None:
    assert follow_up_topics(turn()) == ()
    assert follow_up_topics(turn(RunStopped("", (cited(),), 1.0))) == ()
    assert follow_up_topics(turn(answered("Nothing.", (cited(),), found=False))) == ()
    assert follow_up_topics(turn(answered("By heart.", ()))) == ()


@pytest.mark.parametrize("text", ["Some Lanterns went out.", "Hey Li Hua, and so on.", "So be it. And I’ll Bring it."])
def test_no_question_is_about_the_beginning_of_a_sentence(text: str) -> None:
    assert follow_up_topics(turn(answered("Yes [1](cite:1).", (replace(cited("It is so."), quote=text),)))) == ()


def test_a_name_is_whole_with_the_words_that_join_it() -> None:
    quote = "The American Standard Code for Information Interchange is old."
    (topic,) = follow_up_topics(turn(answered("Yes [1](cite:1).", (replace(cited("It is so."), quote=quote),))))
    assert topic.text == "American Standard Code for Information Interchange"


def test_the_section_of_a_mail_is_its_subject_and_counters_are_no_sections() -> None:
    mail = answered("Yes [1](cite:1).", (cited("It is so.", "Message 2: Re: Invoice 4711 overdue"),))
    assert [topic.text for topic in follow_up_topics(turn(mail))] == ["Invoice 4711 overdue"]
    chapter = answered("Yes [1](cite:1).", (cited("# Chapter 2\n\n# A third\n\nIt is so."),))
    assert follow_up_topics(turn(chapter)) == ()
