import pytest

from desktop_rag.agent.extractive.question_analysis import AnswerType, analyse, questions


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Who wrote the paper?", AnswerType.PERSON),
        ("When did it start?", AnswerType.TIME),
        ("In what year was DECnet released?", AnswerType.YEAR),
        ("Where were the rail lines built?", AnswerType.PLACE),
        ("How many layers did it have?", AnswerType.AMOUNT),
        ("What percentage of voters took part?", AnswerType.SHARE),
        ("Why did Luther write hymns?", AnswerType.REASON),
        ("What university won the award?", AnswerType.NAME),
        ("What does the valve do?", AnswerType.ANYTHING),
        ("What does the crane cost?", AnswerType.MONEY),
        ("Which pump did the board choose?", AnswerType.NAME),
        ("Wann endet der Mietvertrag?", AnswerType.TIME),
        ("Wie viel kostet die Wohnung?", AnswerType.MONEY),
    ],
)
def test_the_kind_of_answer_is_read_from_the_question(question: str, asks: AnswerType) -> None:
    assert analyse(question).asks is asks


def test_names_quotes_and_numbers_are_found() -> None:
    question = analyse('What did Li Hua of the Apollo Program say about "the red door" in 1961?')
    assert question.names == ("the red door", "Li Hua", "Apollo Program")
    assert question.numbers == ("1961",)


def test_the_first_word_is_a_name_only_if_it_must_be_one() -> None:
    assert analyse("Rent is due when?").names == ()
    assert analyse("DECnet had how many layers?").names == ("DECnet",)


def test_words_that_say_nothing_are_left_out_by_language() -> None:
    assert analyse("When did the war die down?").words == ("war", "die")
    assert analyse("Wann war die Heizung an der Wand?").words == ("Heizung", "Wand")


def test_a_question_that_leans_on_the_last_one_is_recognised() -> None:
    assert analyse("And when did he die?").leans
    assert not analyse("When did Martin Luther die?").leans


@pytest.mark.parametrize("text", ["", "?", "   ", "the", "🙂", "。", "今月の家賃はいくらですか"])
def test_any_text_can_be_analysed(text: str) -> None:
    analyse(text)


def test_parts_of_a_question_know_what_was_asked_beside_them() -> None:
    first, second = questions("Who is Ruth Okafor? Where does she live?", "When does the lease end?")
    assert (first.context, first.leans) == ((), False)
    assert (second.context, second.leans) == (("Ruth Okafor",), True)


def test_a_question_that_says_next_to_nothing_means_the_one_before() -> None:
    [question] = questions("And how long?", "When does the lease of the boathouse end?")
    assert question.context == ("lease", "boathouse", "end")
    assert questions("When does the lease end?", "Who is Ruth?")[0].context == ()


def test_what_is_asked_for_is_known() -> None:
    assert analyse("How long is the warranty of the heat pump?").head == ("warranti",)
    assert analyse("How long is the warranty?").head == ()
