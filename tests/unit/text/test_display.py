import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.security.payloads import Payload, payloads
from desktop_rag.text.display import (
    distinct_names,
    has_italics,
    label_of,
    one_line,
    plural,
    printable,
    shorten,
    shorten_middle,
    shown_path,
    terminal_safe,
)
from desktop_rag.text.hidden_characters import visible


@given(st.text())
def test_a_line_keeps_its_length_and_has_no_breaks(text: str) -> None:
    line = one_line(text)
    assert len(line) == len(text)
    assert not set(line) & set("\n\r\t\x1b\u202e\u2028\ud800")


@given(st.text())
def test_terminal_text_keeps_lines_and_tabs_only(text: str) -> None:
    safe = terminal_safe(text)
    assert [at for at, char in enumerate(safe) if char in "\n\t"] == [at for at, c in enumerate(text) if c in "\n\t"]
    assert not set(safe) & set("\x1b\r\x07\u202e")


@given(st.text(), st.integers(1, 40))
def test_shortened_text_is_never_longer_than_allowed(text: str, length: int) -> None:
    assert len(shorten(text, length)) <= length


def test_short_text_stays_and_long_text_ends_in_an_ellipsis() -> None:
    assert shorten("two  words\n", 10) == "two words"
    assert shorten("three more words", 7) == "three…"
    assert shorten_middle("/a/very/long/path", 8) == "/a/v…path"


def test_joiners_of_emoji_stay() -> None:
    assert one_line("👩\u200d🚀") == "👩\u200d🚀"


def test_a_label_does_not_hide_its_ending() -> None:
    assert label_of("invoice\u202efdp.exe") == "invoicefdp.exe"
    assert len(label_of("x" * 1000)) == 300


def test_undecodable_paths_are_printable() -> None:
    assert printable(b"caf\xe9.txt") == r"caf\xe9.txt"
    assert shown_path(b"/caf\xe9.txt") == "/caf\ufffd.txt"


@pytest.mark.parametrize(("count", "text"), [(0, "0 files"), (1, "1 file"), (2000, "2,000 files")])
def test_counts_have_their_noun(count: int, text: str) -> None:
    assert plural(count, "file") == text


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        ([b"/home/ada/docs", b"/media/old"], ["docs", "old"]),
        ([b"/home/ada/docs", b"/media/old/docs"], ["ada/docs", "old/docs"]),
        ([b"/a/x/docs", b"/b/x/docs", b"/b/y/docs"], ["a/x/docs", "b/x/docs", "y/docs"]),
        ([b"/docs", b"/a/docs"], ["/docs", "a/docs"]),
        ([b"/", b"/a"], ["/", "a"]),
        ([], []),
    ],
)
def test_folders_of_one_name_are_told_apart(paths: list[bytes], names: list[str]) -> None:
    assert distinct_names(paths) == names


@pytest.mark.parametrize("family", tuple(payloads()), ids=lambda each: each.family)
def test_no_order_stands_unseen_on_one_line(family: Payload) -> None:
    line = one_line(family.text)
    assert visible(line) == line
    assert len(line) == len(family.text)
    assert one_line("☺\ufe0f 葛\U000e0100 ☎\ufe0e") == "☺\ufe0f 葛\U000e0100 ☎\ufe0e"


def test_letters_of_east_asia_have_no_italics() -> None:
    assert has_italics("Quoted word for word – “ja”")
    assert not any(map(has_italics, ("逐字引自", "ひらがな", "한국어", "Lease 租约")))
