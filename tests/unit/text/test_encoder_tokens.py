"""The token counts of the parts of a text are those of each part alone."""

import random
import string
from itertools import pairwise

import pytest

from desktop_rag.text import sentences
from desktop_rag.text.sentences import TokenCounts, estimate_tokens

KINDS = {
    "prose": "The committee's 37 members paid €1,250.50 — “encouragingly”, said Mr. O'Neil. ",
    "runs": "a" * 9 + " " + "b" * 10 + " " + "c" * 18 + "d1" + "e" * 19 + " 123 1234 123456 1234567 é" + "f" * 40,
    "characters": string.printable + "é’ 文字 \x1c\x85\u00a0",
    "scripts": "Straße für Łódź, здравствуй мир 東京都 αβγ 한국어 עברית عربي ١٢٣٤ ²½ª e\u0301 😀\u200b ไทย aéaab ",
}


@pytest.mark.parametrize("kind", KINDS)
def test_parts_are_counted_as_alone(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "_WINDOW", 50)
    random.seed(3)
    for _ in range(300):
        text = "".join(random.choices(KINDS[kind], k=120)) if kind != "runs" else KINDS[kind][random.randrange(60) :]
        places = sorted(random.sample(range(len(text) + 1), 6))
        counts = TokenCounts(text)
        for start, end in pairwise(places):
            if not text[start - 1 : start + 1].isalnum() or not start:  # else it begins within a word
                assert counts.of(start, end) == estimate_tokens(text[start:end]), text[start:end]


def test_foreign_letters_and_long_runs_are_counted_with_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"“Yes” – said Mr.\u00a0O’Neil… Für {'a' * 30} 12345678, привет"
    expected = estimate_tokens(text)
    monkeypatch.delattr(sentences, "estimate_tokens")  # ten times as slow
    assert TokenCounts(text).of(0, len(text)) == expected
