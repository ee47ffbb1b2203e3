"""The pieces of a text are those of `split`."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.index.keywords.columnar.segments import token_batches as module
from desktop_rag.index.keywords.columnar.segments.token_batches import intern_pieces

# Among others words of eight bytes, and what begins with them: they fill one machine word.
texts = st.lists(
    st.sampled_from(["abcdefgh", "abcdefghi", "abcdefgh" * 2, "abcdefgh" * 3, "abcdefg"])
    | st.text("ab ", max_size=30)
    | st.text("ä", min_size=5, max_size=20),
    max_size=12,
)


def reading(text: bytes) -> list[tuple[bytes, int]]:
    names, numbers, starts = intern_pieces(text)
    assert len(set(names)) == len(names)
    return [(names[number], start) for number, start in zip(numbers.tolist(), starts.tolist(), strict=True)]


def wanted(text: bytes) -> list[tuple[bytes, int]]:
    found = []
    end = 0
    for piece in text.split(b" "):
        if piece:
            found.append((piece, end))
        end += len(piece) + 1
    return found


@given(texts)
def test_equal_pieces_have_equal_numbers(parts: list[str]) -> None:
    text = " ".join(parts).encode()
    assert reading(text) == wanted(text)


@pytest.mark.parametrize("length", [7, 8, 9, 15, 16, 17, 23, 24, 25, 40])
def test_pieces_that_differ_in_one_byte_are_different(length: int) -> None:
    pieces = [b"x" * length, *(b"x" * place + b"y" + b"x" * (length - place - 1) for place in range(length))]
    text = b" ".join(pieces * 2)
    assert reading(text) == wanted(text)
    assert len(intern_pieces(text).names) == length + 1


@given(texts)
def test_hash_collisions_are_resolved(parts: list[str]) -> None:
    text = " ".join(parts).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "hashed", lambda words: np.zeros(words.shape[1], np.uint64))
        assert reading(text) == wanted(text)


@given(texts, st.integers(0, 1))
def test_pieces_that_met_others_in_every_round_are_numbered(parts: list[str], rounds: int) -> None:
    text = " ".join(parts).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_ROUNDS", rounds)
        assert reading(text) == wanted(text)


def test_a_long_text_is_read_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SLICE", 7)
    text = b" ".join(b"%d" % (number % 50) for number in range(200))
    assert reading(text) == wanted(text)
