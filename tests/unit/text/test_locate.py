import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.text.locate import QuoteMatch, locate, mark_quote
from desktop_rag.text.normalize import fold_quote

LINES = {
    4: "The monthly rent is 950 euros and must be trans-",
    5: "ferred to the landlord’s account before the third working day.",
    6: "An eﬃcient heating system was in­stalled — in 2019.",
}


@pytest.mark.parametrize(
    "quote",
    [
        "The monthly rent is 950 euros",
        "the monthly  rent is\n950 euros",
        "must be transferred to the landlord's account",
        "An efficient heating system was installed - in 2019.",
        "The monthly rent … before the third working day",
        "**The monthly rent** is 950 euros",
    ],
)
def test_differences_a_reader_would_not_see_do_not_count(quote: str) -> None:
    match = locate(quote, LINES)
    assert match is not None
    assert match.verbatim


def test_a_match_knows_its_lines() -> None:
    assert locate("must be transferred to the landlord", LINES) == QuoteMatch(4, 5, verbatim=True)
    assert locate("heating system", LINES) == QuoteMatch(6, 6, verbatim=True)


def test_a_quote_that_ends_inside_a_number_is_no_match() -> None:
    assert locate("The monthly rent is 95", LINES) is None


def test_one_wrong_word_at_the_end_is_a_paraphrase() -> None:
    match = locate("The monthly rent is 950 euros and must be transferred to the landlord’s account soon", LINES)
    assert match == QuoteMatch(4, 5, verbatim=False)


def test_a_wrong_number_in_the_middle_is_not_found() -> None:
    assert locate("The monthly rent is 850 euros and must be transferred", LINES) is None


def test_pieces_in_the_wrong_order_are_not_found() -> None:
    assert locate("before the third working day … The monthly rent", LINES) is None


def test_nothing_is_found_in_nothing() -> None:
    assert locate("The monthly rent", {}) is None
    assert locate("…", LINES) is None


@given(st.lists(st.from_regex(r"[a-zé]{1,8}( [a-z]{1,8}|-[a-z]{2,5}|ﬁ){2,8}\.", fullmatch=True), min_size=1), st.data())
def test_what_stands_in_a_line_is_found_word_for_word(texts: list[str], data: st.DataObject) -> None:
    number = data.draw(st.integers(1, len(texts)))
    match = locate(texts[number - 1], dict(enumerate(texts, 1)))
    assert match is not None
    assert match.verbatim
    assert match.first_line <= number  # the same words may stand further up


@pytest.mark.parametrize(
    ("quote", "lines", "marks"),
    [
        ("The office was damaged", ("The oﬃce was dam-", "aged by fire"), ((1, 0, 17), (2, 0, 4))),
        ("In der Strasse", ("Er wohnt in der Straße.",), ((1, 9, 22),)),
        ("weighs 20 kg today", ("It weighs 20 ㎏ today.",), ((1, 3, 20),)),
        ("FULL width", ("so ＦＵＬＬ　ｗｉｄｔｈ it is",), ((1, 3, 13),)),
        ("The rent … third day", ("The rent is due on", "the third day."), ((1, 0, 8), (2, 4, 13))),
        ("cafe\u0301 now", ("the café now",), ((1, 4, 12),)),
    ],
)
def test_a_verbatim_quote_is_marked_whatever_was_folded(
    quote: str, lines: tuple[str, ...], marks: tuple[tuple[int, int, int], ...]
) -> None:
    numbered = dict(enumerate(lines, 1))
    match = locate(quote, numbered)
    assert match is not None
    assert match.verbatim
    assert mark_quote(quote, numbered) == marks


FOLDINGS = {
    "ffi": "ﬃ",
    "fi": "ﬁ",
    "ss": "ß",
    "kg": "㎏",
    "-": "\u2011",
    " ": "\u3000",
    "n": "n\u00ad",
    "a": "ａ",
    "O": "o",
}


@st.composite
def dressed(draw: st.DrawFn, plain: str) -> dict[int, str]:
    """Return lines that hold `plain` with ligatures, width forms, soft hyphens and words divided at line ends."""
    text = plain
    for simple, other in FOLDINGS.items():
        if draw(st.booleans()):
            text = text.replace(simple, other)
    lines = [""]
    for index, char in enumerate(text):
        inside = lines[-1][-1:].isalpha() and char.isalpha()
        if index and (inside or lines[-1][-1:].isspace()) and draw(st.integers(0, 6)) == 0:
            lines[-1] += "-" if inside else ""
            lines.append("")
        lines[-1] += char
    return dict(enumerate(lines, draw(st.integers(1, 9))))


WORDS = st.lists(
    st.sampled_from(("office", "fire", "Grosse", "20 kg", "non-GAAP", "can", "On", "plan, B", "été")), min_size=2
)


@given(WORDS, st.data())
def test_what_is_called_verbatim_is_marked_at_the_same_place(chosen: list[str], data: st.DataObject) -> None:
    lines = data.draw(dressed(" ".join(chosen)))
    first = data.draw(st.integers(0, len(chosen) - 1))
    quote = " ".join(chosen[first : data.draw(st.integers(first + 1, len(chosen)))])
    match = locate(quote, lines)
    assert match is not None
    assert match.verbatim
    marks = mark_quote(quote, lines)
    assert (marks[0][0], marks[-1][0]) == (match.first_line, match.last_line)
    marked = "".join(fold_quote(lines[line][start:end]) for line, start, end in marks)
    assert _letters(marked) == _letters(fold_quote(quote))


@given(st.text(max_size=20), st.lists(st.text(max_size=20), max_size=4))
def test_any_text_that_is_called_verbatim_is_marked(quote: str, texts: list[str]) -> None:
    for numbered in (dict(enumerate(texts, 1)), dict(enumerate([*texts, quote], 1))):
        match, marks = locate(quote, numbered), mark_quote(quote, numbered)
        if match is not None and match.verbatim:
            assert (marks[0][0], marks[-1][0]) == (match.first_line, match.last_line)


def test_a_quote_that_was_cut_inside_a_word_is_marked_as_far_as_it_goes() -> None:
    assert mark_quote("heating system was inst", LINES)[0][:2] == (6, 11)


def _letters(text: str) -> str:
    return "".join(char for char in text if char.isalnum())
