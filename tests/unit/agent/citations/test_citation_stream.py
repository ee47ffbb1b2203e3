import re
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from desktop_rag.agent.citations.citation_stream import CitationStream
from desktop_rag.agent.citations.citation_syntax import RawCitation, write_citation


class Numbering:
    """Numbers citations in order and records their claims."""

    def __init__(self) -> None:
        self.seen: list[tuple[RawCitation, str]] = []

    def __call__(self, raw: RawCitation, claim: str) -> tuple[int, ...]:
        self.seen.append((raw, claim))
        return () if raw.reference.startswith("turn9") else (len({seen for seen, _ in self.seen}),)


def stream(*pieces: str) -> tuple[str, Numbering]:
    numbering = Numbering()
    citations = CitationStream(numbering)
    return "".join((*(citations.feed(piece) for piece in pieces), citations.end())), numbering


@pytest.mark.parametrize(
    ("written", "raw"),
    [
        ("[turn1search3 L12-14]", RawCitation("turn1search3", 12, 14, "")),
        ("[turn1search3 L12]", RawCitation("turn1search3", 12, 12, "")),
        ("[turn1search3]", RawCitation("turn1search3", None, None, "")),
        ("[turn1search3, lines 12–14]", RawCitation("turn1search3", 12, 14, "")),
        ("[ Turn1Search3: L14-L12 ]", RawCitation("turn1search3", 12, 14, "")),
        ("【turn1search3 L12】", RawCitation("turn1search3", 12, 12, "")),
        ("(turn1search3 L12)", RawCitation("turn1search3", 12, 12, "")),
        (
            '[turn1search3 L12 "the rent, due [monthly]"]',
            RawCitation("turn1search3", 12, 12, "the rent, due [monthly]"),
        ),
        (
            '[turn1search3 L12 "so-called "rent" is due"]',
            RawCitation("turn1search3", 12, 12, 'so-called "rent" is due'),
        ),
        ("[turn1search3 L12 “the rent”]", RawCitation("turn1search3", 12, 12, "the rent")),
    ],
)
def test_a_citation_is_read_in_every_usual_form(written: str, raw: RawCitation) -> None:
    text, numbering = stream(f"Rent is due. {written} Next.")
    assert text == "Rent is due. [1](cite:1) Next."
    assert numbering.seen == [(raw, "Rent is due.")]


@given(st.text(alphabet='ab"”»“[]{};, 1%', min_size=1).filter(str.strip))
@example('{"id": "77", "files": ["week2/11.txt"], "whole": true}')
@example('["a"; turn1search2]')
def test_a_written_citation_is_read_back_whatever_it_quotes(quote: str) -> None:
    text, numbering = stream(f"> {write_citation('turn1search3', 12, 14, quote)}\n\nNext.")
    assert text == "> [1](cite:1)\n\nNext."
    [(raw, _)] = numbering.seen
    assert raw.quote.replace("\u2060", "") == quote.strip()


def test_several_sources_may_share_a_bracket() -> None:
    text, numbering = stream('A claim [turn1search1 L1 "a b"; turn1search2 L2, turn1search3 L3-4].')
    assert text == "A claim [1](cite:1) [2](cite:2) [3](cite:3)."
    assert [(raw.reference, raw.first, raw.quote) for raw, _ in numbering.seen] == [
        ("turn1search1", 1, "a b"),
        ("turn1search2", 2, ""),
        ("turn1search3", 3, ""),
    ]


def test_equal_sources_share_a_number() -> None:
    text, _ = stream("One [turn1search1 L1]. Two [turn1search2 L1]. Three [turn1search1 L1].")
    assert text.count("[1](cite:1)") + text.count("[2](cite:2)") == 3


def test_a_dropped_citation_leaves_nothing() -> None:
    assert stream("One [turn9search1 L1]. Two.")[0] == "One. Two."
    assert stream("One ", "[turn9search1 L1] and ", "[turn9search2]", ", two.")[0] == "One and, two."


def test_an_unfinished_bracket_is_held_back() -> None:
    citations = CitationStream(Numbering())
    shown = [citations.feed(piece) for piece in ("Rent ", "[", "turn1", "search3 L", '1 "a', ' b"', "] is", " due")]
    assert shown == ["Rent", "", "", "", "", "", " [1](cite:1) is", " due"]


def test_other_brackets_pass_at_once() -> None:
    citations = CitationStream(Numbering())
    assert citations.feed("see [the ") == "see [the"
    assert citations.feed("site](https://a.b) (or [x]) [") == " site](https://a.b) (or [x])"
    assert citations.end() == " ["


def test_a_citation_cut_by_the_end_still_counts() -> None:
    assert stream("Rent is due [turn1search3 L1")[0] == "Rent is due [1](cite:1)"


def test_a_quote_that_never_ends_does_not_swallow_the_answer() -> None:
    text, _ = stream('Rent [turn1search1 L1 "due] is payable.\n\nPets are allowed.')
    assert text == "Rent [1](cite:1) is payable.\n\nPets are allowed."


@pytest.mark.parametrize("pieces", [("A [1](cite:1) b",), ("A [1](", "ci", "te:", "1) b"), ("A [1](CITE:1) b",)])
def test_a_model_cannot_forge_a_link(pieces: tuple[str, ...]) -> None:
    text, _ = stream(*pieces)
    assert not re.search(r"cite:\d", text, re.IGNORECASE)


def test_the_word_cite_is_left_alone() -> None:
    assert stream("Please cite", ": a lot, etc")[0] == "Please cite: a lot, etc"


def test_the_not_found_marker_is_removed() -> None:
    citations = CitationStream(Numbering())
    assert citations.feed("[not ") + citations.feed("found] I searched for rent.") == "I searched for rent."
    assert citations.not_found
    assert stream("[not funded] here")[0] == "[not funded] here"


def test_a_claim_is_the_sentence_before_its_citation() -> None:
    _, numbering = stream(
        "# Rent\n- Pets are fine. The rent is 950 [turn1search1 L1][turn1search2 L1]\n- Next [turn1search1 L2]"
    )
    assert [claim for _, claim in numbering.seen] == ["The rent is 950", "The rent is 950", "- Next"]


@given(st.text(alphabet='[]【】(turn1search L-"c:it e;.\n', max_size=80), st.lists(st.integers(0, 80), max_size=6))
def test_splitting_the_stream_anywhere_changes_nothing(text: str, cuts: list[int]) -> None:
    whole, _ = stream(text)
    edges = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    pieces = [text[a:b] for a, b in pairwise(edges)]
    assert stream(*pieces)[0] == whole


@given(st.text(max_size=120))
def test_text_without_references_passes_unchanged(text: str) -> None:
    if not re.search(r"turn\d|cite:\d|not found\]", text, re.IGNORECASE):
        assert stream(text)[0] == text


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        (["The sum is 5 turn2calc", "ulate1, I think."], "The sum is 5 [1](cite:1), I think."),
        (["See tu", "rn1search2 L4-6."], "See [1](cite:1)."),
        (["Rent is due [turn1open3 L2]."], "Rent is due [1](cite:1)."),
        (["Unknown turn9read1", " here"], "Unknown here"),
        (["A turn", "key turns, turn2x, return1search2"], "A turnkey turns, turn2x, return1search2"),
    ],
)
def test_a_reference_without_brackets_or_with_a_tool_name_is_never_shown(pieces: list[str], shown: str) -> None:
    assert stream(*pieces)[0] == shown
