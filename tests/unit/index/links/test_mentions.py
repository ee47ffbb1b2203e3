import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.index.links.neighbours import LONGEST, file_name, keys_of, names_in, target_name, title_name


def test_capitalised_names_are_found_with_their_beginnings_and_ends() -> None:
    found = names_in("In 1969 the conductor Mayor Ada Lovelace met the Duke of Wellington.")
    assert {"mayor ada lovelace", "ada lovelace", "mayor ada", "duke of wellington"} <= found
    assert "duke of" not in found
    assert "in 1969" not in found


def test_abbreviations_are_names_and_years_begin_no_further_ones() -> None:
    found = names_in("The 1998 World Cup Final of FIFA was in the UK, and it was seen by us.")
    assert {"UK==", "1998 world cup final of fifa", "final of fifa"} <= found
    assert not {"1998 world cup", "it==", "us=="} & found


def test_parts_of_a_long_name_are_short() -> None:
    found = names_in("They read Alpha Beta Gamma Delta Epsilon Zeta Eta there.")
    assert {"alpha beta gamma delta epsilon zeta eta", "alpha beta gamma delta epsilon", "epsilon zeta eta"} <= found
    assert not {"alpha beta gamma delta epsilon zeta", "delta epsilon zeta eta"} & found


def test_the_beginning_of_a_sentence_names_nothing() -> None:
    assert names_in("The house is old. There we sat. While waiting, nobody spoke.") == set()


@pytest.mark.parametrize(
    "text",
    [
        "see [[Lease agreement|the lease]]",
        "see [[lease-agreement#deposit]]",
        "see [the lease](../papers/Lease%20agreement.md)",
        'see [the lease](<papers/Lease agreement.md> "a title")',
        '<a href="lease_agreement.html">lease</a>',
        "it is in Lease-agreement.pdf.",
    ],
)
def test_every_way_of_linking_gives_the_name_of_the_file(text: str) -> None:
    assert file_name("Lease agreement.md") in names_in(text)


def test_an_address_elsewhere_is_no_file() -> None:
    assert target_name("https://example.org/lease-agreement.html") == ""
    assert target_name("mailto:someone@example.org") == ""
    assert target_name("http://[broken") == ""


def test_a_reply_goes_by_what_it_answers() -> None:
    assert title_name("Re: AW: Fwd: Roof repair") == title_name("Roof repair") == "roof repair"
    assert title_name("Alien (soundtrack)") == title_name("alien")


def test_an_article_in_front_is_no_part_of_a_name() -> None:
    assert title_name("The Simpsons") in names_in("A song in The Simpsons is the best. I like the Simpsons.")
    assert title_name("A") == "a"


def test_numbers_and_scraps_say_nothing() -> None:
    assert keys_of(["2024", "a b", "", "IBM"]) == []
    assert len(keys_of(["ada lovelace", "ada lovelace", "20241"])) == 2


@given(st.text(max_size=300))
def test_any_text_gives_short_folded_names(text: str) -> None:
    for name in names_in(text):
        assert name == " ".join(name.split())
        assert len(name.split()) <= LONGEST
    assert len(keys_of(names_in(text))) <= len(names_in(text))


@pytest.mark.parametrize(
    ("cited", "named"),
    [
        ("https://doi.org/10.1145/3292500.3330701.", "doi: 10.1145/3292500.3330701"),
        ("10.1002/(SICI)1097-4571(199009)41:6", "see 10.1002/(sici)1097-4571(199009)41:6,"),
        ("arXiv:2402.03367v1 [cs.CL]", "https://arxiv.org/pdf/2402.03367v2"),
        ("arXiv:hep-th/9901001", "(arXiv: hep-th/9901001)"),
    ],
)
def test_a_publication_is_named_alike_however_it_is_cited(cited: str, named: str) -> None:
    assert names_in(cited) & names_in(named)
