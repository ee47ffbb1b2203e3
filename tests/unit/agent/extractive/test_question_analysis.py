import pytest

from desktop_rag.agent.extractive.question_analysis import AnswerType, analyse, has_type, questions


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Who wrote the paper?", AnswerType.PERSON),
        ("When did it start?", AnswerType.TIME),
        ("In what year was DECnet released?", AnswerType.YEAR),
        ("Where were the rail lines built?", AnswerType.PLACE),
        ("How many layers did it have?", AnswerType.AMOUNT),
        ("What percentage of voters took part?", AnswerType.SHARE),
        ("What does the valve do?", AnswerType.ANYTHING),
        ("Which enemies does Doctor Who meet?", AnswerType.ANYTHING),
        ("What does the crane cost?", AnswerType.MONEY),
        ("What is the date of birth of the director?", AnswerType.TIME),
        ("What is the place of death of the composer?", AnswerType.PLACE),
        ("Is the rent due on Monday?", AnswerType.YES_NO),
        ("Wann endet der Mietvertrag?", AnswerType.TIME),
        ("Wie viel kostet die Wohnung?", AnswerType.MONEY),
        ("What is the term of the lease?", AnswerType.ANYTHING),
    ],
)
def test_the_kind_of_answer_is_read_from_the_question(question: str, asks: AnswerType) -> None:
    assert analyse(question).asks is asks


def test_the_words_that_ask_in_chinese_are_no_content_words() -> None:
    assert analyse("租金每月涨到多少？").stems == analyse("租金每月涨到").stems
    assert analyse("屋顶什么时候修好？").stems == ("屋顶", "修好")


def test_names_quotes_and_numbers_are_found() -> None:
    question = analyse('What did Li Hua of the Apollo Program say about "the red door" in 1961?')
    assert question.names == ("the red door", "Li Hua", "Apollo Program")
    assert question.numbers == ("1961",)


@pytest.mark.parametrize("owner", ["Yuriko's", "Yuriko’s", "YURIKO'S", "Hayes'", "Hayes’"])
def test_a_possessive_is_the_name_itself(owner: str) -> None:
    question = analyse(f"What is {owner} job?")
    name = owner.replace("’", "'").partition("'")[0]
    assert question.names == (name,)
    assert question.words == (name, "job")


def test_the_first_word_is_a_name_only_before_another() -> None:
    assert analyse("Rent is due when?").names == ()
    assert analyse("DECnet had how many layers?").names == ("DECnet",)


def test_stop_words_depend_on_the_language() -> None:
    assert analyse("When did the war die down?").words == ("war", "die")
    assert analyse("Wann war die Heizung an der Wand?").words == ("Heizung", "Wand")


def test_a_dependent_question_is_recognised() -> None:
    assert analyse("And when did he die?").leans
    assert not analyse("When did Martin Luther die?").leans


@pytest.mark.parametrize("text", ["", "?", "   ", "the", "🙂", "。", "今月の家賃はいくらですか"])
def test_any_text_can_be_analysed(text: str) -> None:
    analyse(text)


def test_parts_of_a_question_share_context() -> None:
    first, second = questions("Who is Ruth Okafor? Where does she live?", "When does the lease end?")
    assert (first.context, first.leans) == ((), False)
    assert (second.context, second.leans) == (("Ruth Okafor",), True)


def test_a_question_without_content_words_uses_the_previous_one() -> None:
    [question] = questions("And how long?", "When does the lease of the boathouse end?")
    assert question.context == ("lease", "boathouse", "end")
    assert questions("When does the lease end?", "Who is Ruth?")[0].context == ()


@pytest.mark.parametrize(
    ("question", "text", "answers"),
    [
        ("How long did the war last?", "The war was over in six years.", True),
        ("Wie lange gilt der Vertrag?", "Er gilt 24 Monate.", True),
        ("How many people came?", "The board met on 18 May.", False),
        ("How many people came?", "On 18 May 23 people came.", True),
    ],
)
def test_a_day_of_the_month_is_no_amount(question: str, text: str, *, answers: bool) -> None:
    assert has_type(AnswerType.AMOUNT, text, question) is answers


@pytest.mark.parametrize(
    ("text", "answers"),
    [("The tenant may end it.", False), ("They march off.", False), ("It ends in May.", True), ("Fin en mai.", True)],
)
def test_may_and_march_are_months_only_with_a_capital(text: str, *, answers: bool) -> None:
    assert has_type(AnswerType.TIME, text, "When does the lease end?") is answers


@pytest.mark.parametrize("text", ["Wie lang ist die Kündigungsfrist?", "Wie lange ist die Kündigungsfrist?"])
def test_how_long_is_no_word_to_look_for(text: str) -> None:
    """“Herr Lang” is no answer."""
    assert analyse(text).words == ("Kündigungsfrist",)
