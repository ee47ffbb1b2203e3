import string
from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.errors import QueryError
from desktop_rag.retrieval.query.parser import Query, parse, unfinished
from desktop_rag.retrieval.query.tree import (
    All,
    Boosted,
    Dated,
    Either,
    FileFact,
    FileField,
    Fuzzy,
    Node,
    Not,
    Phrase,
    Prefer,
    Spelled,
    TextField,
    Wildcard,
    Word,
    binds,
    leaves,
    wanted,
)

TODAY = date(2025, 6, 15)


def words(text: str, *, default_and: bool = False) -> Node | None:
    return parse(text, default_and=default_and, today=TODAY).words


def files(text: str) -> Node | None:
    return parse(text, today=TODAY).files


def refused(text: str) -> QueryError:
    with pytest.raises(QueryError) as caught:
        parse(text, today=TODAY)
    return caught.value


def local_ns(day: tuple[int, int, int]) -> int:
    return int(datetime(*day).timestamp()) * 1_000_000_000


def test_bare_words_are_joined_by_or() -> None:
    assert words("rent increase") == Either((Word("rent"), Word("increase")))


def test_bare_words_are_joined_by_and_when_asked() -> None:
    assert words("rent increase", default_and=True) == All((Word("rent"), Word("increase")))


def test_and_binds_more_tightly_than_or() -> None:
    expected = Either((Word("a"), All((Word("b"), Word("c")))))
    assert words("a OR b AND c") == expected


def test_operators_bind_more_tightly_than_juxtaposition() -> None:
    assert words("a b AND c") == Prefer(All((Word("b"), Word("c"))), Word("a"))


def test_brackets_come_first() -> None:
    assert words("(a OR b) AND c") == All((Either((Word("a"), Word("b"))), Word("c")))


def test_lower_case_operators_are_words() -> None:
    assert words("cats and dogs") == Either((Word("cats"), Word("and"), Word("dogs")))


@pytest.mark.parametrize("text", ["rent -draft", "rent NOT draft", "rent AND NOT draft"])
def test_not_excludes(text: str) -> None:
    assert words(text) == All((Word("rent"), Not(Word("draft"))))


def test_double_negation_cancels() -> None:
    assert words("NOT NOT rent") == Word("rent")


def test_a_plus_makes_a_word_required_and_the_others_optional() -> None:
    assert words("+rent increase notice") == Prefer(Word("rent"), Either((Word("increase"), Word("notice"))))


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("+rent", True),
        ("+rent ext:pdf", True),
        ("rent AND ext:pdf", True),
        ("ext:pdf AND -ext:md AND rent^2", True),
        ("rent", False),
        ("rent ext:pdf", False),
        ("rent -ext:md", False),
        ("+ext:pdf rent", False),
    ],
)
def test_a_single_word_binds_if_an_operator_demands_it(text: str, bound: bool) -> None:
    assert binds(words(text)) is bound
    assert [leaf.text for leaf in wanted(words(text)) if isinstance(leaf, Word)] == ["rent"]


def test_a_hyphen_inside_a_word_is_part_of_it() -> None:
    assert words("well-known") == Word("well-known")


def test_a_phrase_keeps_its_words_together() -> None:
    assert words('"rent increase"') == Phrase("rent increase")


@pytest.mark.parametrize(
    "text",
    [
        'who wrote "Jump for Glory"?',
        "кто написал «Войну и мир»？",
        "film by the maker of (once) “Jump for Glory”",
        "哪家剧院是“华沙纪念剧院”的最佳典范？",
        '"AAA" was founded when?',
        'which "extensible" languages define operators like *, +?',
        'who sang "Where is the lantern?"',
        "(who sang “Where is the lantern?” ?!)",
    ],
)
def test_quotation_marks_in_a_question_lift(text: str) -> None:
    node = words(text)
    assert not binds(node)
    lifted = [leaf for leaf in leaves(node) if isinstance(leaf, Phrase)]
    assert [leaf.lifts for leaf in lifted] == [True]
    plain = {leaf.text for leaf in leaves(node) if isinstance(leaf, Word)}
    assert {word.strip("?") for word in lifted[0].text.split()} <= plain


@pytest.mark.parametrize(
    "text",
    [
        '"who is it?"',
        '"notice period"?',
        'the "notice period" rent',
        'who wrote +"Jump for Glory"?',
        'ext:pdf who is "he"?',
        'who NOT "he" is that?',
        'who wrote "jump glory"~3?',
        'who wrot* "Jump for Glory"?',
        'who is =He or "he"?',
    ],
)
def test_quotation_marks_outside_a_question_bind(text: str) -> None:
    assert binds(words(text)) or parse(text).files is not None
    assert not any(leaf.lifts for leaf in leaves(words(text)) if isinstance(leaf, Phrase))


def test_a_question_whose_words_are_all_required_requires_its_phrase() -> None:
    assert binds(parse('who wrote "Jump for Glory"?', default_and=True).words)


def test_a_phrase_with_a_number_is_a_proximity_search() -> None:
    assert words('"rent notice"~5^2') == Phrase("rent notice", 5, boost=2.0)


def test_typographic_quotes_make_phrases_too() -> None:
    assert words("“rent increase” «due date»") == All((Phrase("rent increase"), Phrase("due date")))


@pytest.mark.parametrize("text", ["„due date“", "„due date”", "»due date«", "”due date”", "‹due date›", "＂due date＂"])
def test_quotation_marks_of_other_languages_make_phrases(text: str) -> None:
    assert words(f"rent {text}") == Prefer(Phrase("due date"), Word("rent"))


def test_chinese_quotation_marks_make_phrases_without_spaces_around() -> None:
    assert words("在「租金」里") == Prefer(Phrase("租金"), Either((Word("在"), Word("里"))))


@pytest.mark.parametrize("text", ["a 27” screen", "a » 27 » screen", "a 27 screen »", "a ”27 screen"])
def test_a_stray_typographic_quote_is_punctuation(text: str) -> None:
    assert words(text) == Either((Word("a"), Word("27"), Word("screen")))


def test_fields_hold_words_phrases_and_groups() -> None:
    title = TextField.TITLE
    assert words("title:rent") == Word("rent", title)
    assert words('title:"rent law"') == Phrase("rent law", field=title)
    assert words("title:(rent OR law)") == Either((Word("rent", title), Word("law", title)))
    assert words("content:rent") == Word("rent", TextField.CONTENT)


def test_boosts_weigh_words_and_groups() -> None:
    assert words("rent^2 (a b)^0.5") == Either((Word("rent", boost=2.0), Boosted(Either((Word("a"), Word("b"))), 0.5)))


def test_wildcards_and_fuzzy_words() -> None:
    assert words("incr*se") == Wildcard("incr*se")
    assert words("te?t") == Wildcard("te?t")
    assert words("tenat~1") == Fuzzy("tenat", 1)
    assert words("tenat~") == Fuzzy("tenat", 2)


def test_a_wildcard_next_to_punctuation_is_split() -> None:
    assert words("state-of*") == All((Word("state"), Wildcard("of*")))


def test_a_code_with_wildcards_is_one_clause() -> None:
    assert words("AB-12*") == Wildcard("AB-12*")
    assert words("jo@exam*") == Wildcard("jo@exam*")
    assert [Wildcard(text).joined for text in ("try_acq*", "AB-12*", "acq*", "te?t")] == [True, True, False, False]


@pytest.mark.parametrize("text", ["+640", "+1,234.50", "+2023 boat"])
def test_plus_demands_a_number_of_three_digits(text: str) -> None:
    assert binds(words(text))


def test_a_condition_on_files_is_split_from_the_words() -> None:
    query = parse("rent ext:pdf", today=TODAY)
    assert query == Query("rent ext:pdf", Word("rent"), FileFact(FileField.EXT, "pdf"))


def test_a_condition_on_files_is_always_required() -> None:
    assert files("rent ext:pdf law") == FileFact(FileField.EXT, "pdf")
    assert words("rent ext:pdf law") == Either((Word("rent"), Word("law")))


def test_conditions_on_files_take_names_as_they_are() -> None:
    assert files("path:/home/me/a-b/*.md") == FileFact(FileField.PATH, "/home/me/a-b/*.md")
    assert files(r"path:C:\Users\me") == FileFact(FileField.PATH, r"C:\Users\me")
    assert files('folder:"My papers"') == FileFact(FileField.FOLDER, "My papers")
    assert files("ext:(pdf OR md)") == Either((FileFact(FileField.EXT, "pdf"), FileFact(FileField.EXT, "md")))
    assert files("-ext:pdf") == Not(FileFact(FileField.EXT, "pdf"))


def test_a_condition_on_files_beside_words_under_or_stays_with_them() -> None:
    assert words("rent OR ext:pdf") == Either((Word("rent"), FileFact(FileField.EXT, "pdf")))
    assert files("rent OR ext:pdf") is None


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("modified:[2024 TO 2025]", (2024, 1, 1), (2026, 1, 1)),
        ("modified:{2023 TO 2025}", (2024, 1, 1), (2025, 1, 1)),
        ("modified:[2024-02 TO 2024-02-29]", (2024, 2, 1), (2024, 3, 1)),
        ("modified:2024-12", (2024, 12, 1), (2025, 1, 1)),
        ("modified:20240105", (2024, 1, 5), (2024, 1, 6)),
        ("modified:[2024 TO *]", (2024, 1, 1), None),
        ("modified:[* TO 2024}", None, (2024, 1, 1)),
        ("modified:today", (2025, 6, 15), (2025, 6, 16)),
        ("modified:[yesterday TO today]", (2025, 6, 14), (2025, 6, 16)),
        ("modified:last week", (2025, 6, 2), (2025, 6, 9)),
        ('modified:"last week"', (2025, 6, 2), (2025, 6, 9)),
        ("modified:(last week)", (2025, 6, 2), (2025, 6, 9)),
        ("modified:last 3 days", (2025, 6, 12), (2025, 6, 16)),
        ("modified:>2023", (2024, 1, 1), None),
        ("modified:<= 2023", None, (2024, 1, 1)),
        ("modified:>=last month", (2025, 5, 1), None),
        ("modified:[2023-01 TO last month]", (2023, 1, 1), (2025, 6, 1)),
        ("modified:{last year TO *]", (2025, 1, 1), None),
    ],
)
def test_dates_are_whole_days_months_and_years(
    text: str, since: tuple[int, int, int] | None, until: tuple[int, int, int] | None
) -> None:
    expected = Dated(local_ns(since) if since else None, local_ns(until) if until else None)
    assert files(text) == expected


def test_a_date_of_several_words_ends_where_the_next_word_begins() -> None:
    assert words("modified:last week rent") == Word("rent")
    assert words("modified:last 2 months weekly report") == Either((Word("weekly"), Word("report")))
    expected = Either((Dated(local_ns((2025, 6, 2)), local_ns((2025, 6, 9))), FileFact(FileField.EXT, "md")))
    assert files("modified:last week OR ext:md") == expected


def test_an_equals_sign_requires_the_spelling() -> None:
    assert words("=IT") == Spelled("IT")
    assert words('="Rent Act"^2') == Spelled("Rent Act", boost=2.0)
    assert words("title:=Lease") == Spelled("Lease", TextField.TITLE)
    assert words("=C++ =.NET") == All((Spelled("C++"), Spelled(".NET")))
    assert words("Is it =IT?") == Prefer(Spelled("IT"), Either((Word("Is"), Word("it"))))
    assert words("rent -=IT") == All((Word("rent"), Not(Spelled("IT"))))
    assert binds(words("=IT"))


@pytest.mark.parametrize("text", ["5 = 3", "a == b", "a=b", "= rent", "=", "=?", "=>"])
def test_an_equals_sign_elsewhere_is_punctuation(text: str) -> None:
    assert not any(isinstance(leaf, Spelled) for leaf in leaves(words(text)))


@pytest.mark.parametrize(
    "text",
    [
        "What's the rent increase in 2024?",
        "Who wrote it, and why?",
        "Is it true... that rent rose by 5%!",
        "Meeting at 10:30: who came?",
        "see https://example.org/a?b=c&d=e",
        "std::vector of ints",
        "C:\\docs or D:/docs",
        "5 + 3 - 2 * 4 = ?",
        "rent/lease & 'quotes' `code`",
        "x^y ~z [1] {2}",
        "¿Cuánto cuesta?",
        'a 27" screen at -5 or +3 degrees',
        "",
        "???",
    ],
)
def test_plain_language_is_a_query(text: str) -> None:
    assert not binds(words(text))


def test_punctuation_of_a_sentence_is_not_part_of_its_words() -> None:
    assert words("Why, 'rent'?") == Either((Word("Why"), Word("rent")))


@pytest.mark.parametrize(
    ("text", "position", "suggestion"),
    [
        ("sent:7.3.2023 crane", 5, "sent:2023-03-07 crane"),
        ('rent "increase', 5, 'rent "increase"'),
        ("(rent AND law", 0, "(rent AND law)"),
        ("rent AND (", 9, "rent"),
        ("rent AND ((", 10, "rent"),
        ("title:(rent OR (", 15, "title:(rent)"),
        ("(", 0, ""),
        ("rent) law", 4, "rent law"),
        ("a smiley :) no", 10, "a smiley : no"),
        ("rent AND", 5, "rent"),
        ("OR rent", 0, "rent"),
        ("a AND OR b", 2, "a OR b"),
        ("(a OR)", 3, "(a )"),
        ("NOT", 0, ""),
        ("titel:rent", 0, "title:rent"),
        ("mod:today", 0, "modified:today"),
        ("a type:pdf", 2, "a ext:pdf"),
        ("warning:this", 0, "warning this"),
        ("modified:soon", 9, "modified:2025-06-15"),
        ("modified:2024-13", 9, "modified:2024"),
        ("modified:lst week rent", 9, "modified:last week rent"),
        ("modified:yesterdy", 9, "modified:yesterday"),
        ("modified:[2024 TO lst month]", 18, "modified:[2024 TO last month]"),
        ("date:03/04/2023", 5, "date:2023-04-03"),
        ("=rent~1 a", 5, "=rent a"),
        ('a ="rent', 3, 'a ="rent"'),
        ("modified:[2024 - 2025]", 9, "modified:[2024 TO 2025]"),
        ("sent:[2019 to 2020] rent", 5, "sent:[2019 TO 2020] rent"),
        ("date:[2019..last year]", 5, "date:[2019 TO last year]"),
        ("sent:2020 TO 2024", 5, "sent:[2020 TO 2024]"),
        ("a sent:2020-02 to last week b", 7, "a sent:[2020-02 TO last week] b"),
        ("date:2020..2024", 5, "date:[2020 TO 2024]"),
        ("date:2020-2024 a", 5, "date:[2020 TO 2024] a"),
        ("date:2024 – 2020", 5, "date:[2020 TO 2024]"),
        ("a “rent", 2, "a “rent”"),
        ("modified:{2024 TO 2025}", 9, "modified:[2024 TO 2025]"),
        ("modified:[2025 TO 2024]", 9, "modified:[2024 TO 2025]"),
        ("[2024 TO 2025]", 0, "date:[2024 TO 2025]"),
        ("from:[2024 TO 2025]", 5, "date:[2024 TO 2025]"),
        ("a *rent b", 2, "a rent* b"),
        ("tenat~3 b", 5, "tenat~2 b"),
        ('"a b"~ c', 5, '"a b"~5 c'),
        ("rent^0", 4, "rent^0.5"),
    ],
)
def test_an_invalid_query_has_a_position_and_a_suggestion(text: str, position: int, suggestion: str) -> None:
    error = refused(text)
    assert (error.position, error.suggestion) == (position, suggestion)


@pytest.mark.parametrize("text", ["date:2024 to rent", "date:2024-10-12", "date:2024-1012", "from:2020 TO 2024"])
def test_a_date_before_other_words_is_no_range(text: str) -> None:
    assert files(text) is not None


@pytest.mark.parametrize("text", ["(" * 5000, "(" * 5000 + "a" + ")" * 5000, "a " * 5000])
def test_a_query_that_is_too_long_raises(text: str) -> None:
    refused(text)


def test_a_suggested_query_parses() -> None:
    for text in (
        'rent "increase',
        "(rent AND law",
        "rent) law",
        "a AND",
        "titel:x",
        "modified:soon",
        "*rent",
        "a~9",
        "=b~",
        '="c',
    ):
        parse(refused(text).suggestion)


@pytest.mark.parametrize(
    ("text", "required"),
    [
        ('who said "be or not"', Phrase("be or not")),
        ('who said "be not"~2', Phrase("be not", 2)),
        ("who said cont*", Wildcard("cont*")),
        ("who said tenat~1", Fuzzy("tenat", 1)),
        ("who said title:law", Word("law", TextField.TITLE)),
        ("who said (law OR rent)", Either((Word("law"), Word("rent")))),
    ],
)
def test_an_operator_makes_its_clause_required_beside_plain_words(text: str, required: Node) -> None:
    assert words(text) == Prefer(required, Either((Word("who"), Word("said"))))


@pytest.mark.parametrize(
    "text", ['"a b"', "a OR b", "a AND b", "a -b", "+a b", "cont*", "tenat~1", "=IT", "title:a", "(a b) c^2 OR d"]
)
def test_an_operator_binds_the_query(text: str) -> None:
    assert binds(words(text))


@pytest.mark.parametrize("text", ["rent", "rent law", "rent^3 law", "(rent law)^2", "rent ext:pdf"])
def test_plain_words_bind_nothing(text: str) -> None:
    assert not binds(words(text))


@pytest.mark.parametrize(("text", "bound"), [("rent l", False), ("rent law", False), ('"rent law" no', True)])
def test_the_prefix_of_an_unfinished_word_is_no_operator(text: str, bound: bool) -> None:
    assert binds(unfinished(parse(text), lambda word: word == "law").words) is bound


def test_wanted_skips_excluded_leaves() -> None:
    tree = words("a -b (c NOT d)")
    assert list(wanted(tree)) == [Word("c"), Word("a")]
    assert list(leaves(tree)) == [Word("c"), Word("d"), Word("a"), Word("b")]


PIECES = [
    *("AND", "OR", "NOT", "(", ")", '"', "+", "-", "title:", "path:", "modified:", "[2024", "[", "]", "{", "}", "TO"),
    *(
        "~",
        "~1",
        "~5",
        "^2",
        "^",
        "*",
        "?",
        "rent",
        "a*b",
        "foo:",
        "today",
        "2024",
        "=",
        ">",
        "<=",
        "last week",
        "last 3 days",
        "“",
        "”",
        "'",
        "\\",
    ),
]


def position_of_refusal(text: str, *, default_and: bool = False) -> int:
    try:
        parse(text, default_and=default_and)
    except QueryError as error:
        return error.position
    return 0


@given(st.lists(st.sampled_from([*PIECES, " ", " TO "]), max_size=25).map("".join), st.booleans())
def test_any_syntax_parses_or_raises(text: str, default_and: bool) -> None:
    assert 0 <= position_of_refusal(text, default_and=default_and) <= len(text)


@given(st.text())
def test_any_text_parses_or_raises(text: str) -> None:
    assert 0 <= position_of_refusal(text) <= len(text)


@given(st.text(alphabet=string.ascii_lowercase + " ?',.;!éß"))
def test_any_plain_question_parses(text: str) -> None:
    parse(text)
