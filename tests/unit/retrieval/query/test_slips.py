import pytest

from desktop_rag.retrieval.query.did_you_mean import without_slips


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("rent && deposit", "rent AND deposit"),
        ("rent || lease !boat", "rent OR lease NOT boat"),
        ('"rent && b" && c', '"rent && b" AND c'),
        ("From: anna", "from:anna"),
        ('lease title : "annual report"', 'lease title:"annual report"'),
        ("date: 2020", "date:2020"),
        ("from:=Anna", "from:Anna"),
        ('lease -from:="Anna B"~1 (to:bob~ OR subject:lease^3)', 'lease -from:"Anna B" (to:bob OR subject:lease)'),
        ('"notice per*"', "(notice AND per*)"),
        ('-"notice per*"~5 rent', "-(notice AND per*) rent"),
        ('"per*"', "per*"),
        ("oak NEAR/5 steel", '"oak steel"~5'),
        ("oak NEAR steel", '"oak steel"~10'),
        ("lease oak w/3 steel", 'lease "oak steel"~3'),
    ],
)
def test_signs_of_other_query_languages_are_repaired(text: str, meant: str) -> None:
    assert without_slips(text) == meant


@pytest.mark.parametrize(
    "text",
    [
        "",
        "wow! great",
        "x != y",
        "a&&b",
        "&& b",
        "a ||",
        "from:",
        "Re: rent",
        '"from: anna"',
        "«a && b»",
        "date: soon",
        "from:anna",
        "subject:a=b",
        "name:report~1",
        "title:lease^3",
        '"from:=Anna"',
        'subject:"notice per*"',
        '"SELECT * FROM t"',
        "Ah !",
        "valve N/5",
        "oak near steel",
    ],
)
def test_other_text_is_left_alone(text: str) -> None:
    assert without_slips(text) == ""
