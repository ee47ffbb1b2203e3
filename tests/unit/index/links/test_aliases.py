import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.index.links.link_sync import aliases
from desktop_rag.index.links.neighbours import further_names


@pytest.mark.parametrize(
    ("title", "opening", "names"),
    [
        (
            "World Health Organization",
            "The World Health Organization (WHO; French: OMS) is an agency.",
            {"WHO=", "OMS="},
        ),
        ("Gesellschaft mit beschränkter Haftung", "Eine Gesellschaft mit beschränkter Haftung (GmbH) ist …", {"gmbh"}),
        ("Prince Nelson", "Prince Nelson, better known as Prince or the Purple One, was a singer.", {"prince"}),
        ("Robert Zimmerman", "He is known professionally as Bob Dylan, a singer.", {"bob dylan"}),
        ("Edwards", "Michael Edwards, nicknamed “Eddie the Eagle”, skis.", {"eddie the eagle"}),
        ("Jacksonville, Florida", "A city in the north-east of Florida (FL).", {"jacksonville"}),
        ("Lease", "The tenant (Ann) pays the rent (EUR 900), also in May.", set()),
        ("Deutsche Bahn", "Die Deutsche Bahn AG (kurz DB) fährt, auch Bahn genannt.", {"bahn", "DB=="}),
        ("UNLV Rebels football", "The team of the University of Nevada, Las Vegas (UNLV) plays.", set()),
    ],
)
def test_names_that_an_opening_introduces(title: str, opening: str, names: set[str]) -> None:
    assert aliases(title, opening) - set(further_names(title)) == names


@given(st.text(max_size=60), st.text("()AaB,“” also known as\n", max_size=200))
def test_the_title_itself_is_no_alias(title: str, opening: str) -> None:
    assert "" not in aliases(title, opening)
