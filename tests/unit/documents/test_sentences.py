import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.documents.sentences import MAX_CHARACTERS, split_sentences


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    "sentences",
    [
        ["Dr. Smith met Mr. Jones at 5 p.m. on Main St. in Washington.", "They talked about the U.S. economy."],
        ["It grew 3.5 % in Q1.", "Version 1.2.3 is out.", "Visit example.com."],
        ['He asked "Why?" and left.', '"Because."', "(It was late.)", "The end... or not?", "Yes!", "No."],
        ["Apple Inc. was founded by S. Jobs.", "The company (see Fig. 3) is big, e.g. in Asia."],
        ["J. R. R. Tolkien wrote it.", "I live in the U.S.", "It is warm."],
        ["Am 3. Oktober 1990 wurde z. B. gefeiert.", "Die Miete beträgt ca. 500 Euro.", "Vgl. Abs. 3 Nr. 2 BGB."],
        ["M. Dupont est arrivé.", "Voir p. 12.", "C'est la fin…", "Mais non."],
        ["¿Qué hora es?", "Son las 3 a.m.", "El Sr. García llegó.", "¡Hola!"],
        ["1. The tenant pays.", "2. The landlord repairs.", "In 1990.", "The wall fell."],
        ["The model works.[12]", "It uses BERT (Devlin et al. 2019).", "See Sec. 4."],
    ],
)
def test_sentences_end_where_a_reader_ends_them(sentences: list[str]) -> None:
    assert split(" ".join(sentences)) == sentences


def test_east_asian_sentences_need_no_space() -> None:
    assert split("今日は雨です。明日は晴れ！这是测试？好。") == ["今日は雨です。", "明日は晴れ！", "这是测试？", "好。"]


def test_arabic_and_hindi_have_their_own_signs() -> None:
    assert split("هل هذا سؤال؟ نعم. यह है। वह है।") == ["هل هذا سؤال؟", "نعم.", "यह है।", "वह है।"]


def test_a_newline_inside_a_paragraph_is_wrapping() -> None:
    assert split("This line is wrapped\nhere. And so\nis this.") == ["This line is wrapped\nhere.", "And so\nis this."]


def test_an_empty_line_ends_a_sentence() -> None:
    assert split("A title\n \nThe text") == ["A title", "The text"]


def test_a_line_that_stops_far_before_the_margin_ends_a_sentence() -> None:
    text = "A title\nThis is a long line which has been wrapped at some margin of eighty\ncharacters."
    assert split(text)[0] == "A title"


def test_a_ruler_belongs_to_the_sentence_before_it() -> None:
    assert split("A title\n\n=======\n\nText.") == ["A title\n\n=======", "Text."]


def test_a_very_long_sentence_is_cut_at_clauses() -> None:
    text = "and then the tenant said something about the landlord, " * 60
    pieces = split(text)
    assert len(pieces) > 1
    assert all(piece.endswith(",") and len(piece) <= MAX_CHARACTERS for piece in pieces)


def test_one_giant_word_is_cut_anyway() -> None:
    assert [len(piece) for piece in split("x" * 3000)] == [1200, 1200, 600]


@given(st.text("aA1.!?。… \n\t\"')(,;-“ü日", max_size=400))
def test_sentences_cover_all_that_is_not_space_in_order(text: str) -> None:
    covered = [False] * len(text)
    previous = 0
    for start, end in split_sentences(text):
        assert previous <= start < end
        assert not text[start].isspace()
        assert not text[end - 1].isspace()
        covered[start:end] = [True] * (end - start)
        previous = end
    assert all(inside or character.isspace() for inside, character in zip(covered, text, strict=True))
