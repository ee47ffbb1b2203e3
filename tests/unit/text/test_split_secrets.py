"""Secrets that are broken over lines, cells and list items, and what only looks like one."""

import re
from itertools import product

import pytest

from desktop_rag.text.secrets import SecretMask, find_secrets

CARD, AMEX = ("4111", "1111", "1111", "1111"), ("3782", "822463", "10005")
IBAN = ("DE89", "3704", "0044", "0532", "0130", "00")
GITHUB, OPENAI = "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5", "sk-proj-aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
AMAZON, PASSWORD = "AKIAIOSFODNN7EXAMPLE", "Tr0ub4dor&3x"
MARKS = (
    *("  ", "    ", "\t", "\u00a0", " | ", "|", ",", ", ", "; ", "/", "_", ".", "·", " — ", ":", " + ", "'", " • "),
    *("** **", "\u3000", "\u00ad", "\u200b", "\u2060", ") (", "] [", '" "', "\ufeff"),
)  # fmt: skip
BREAKS = (
    *(
        "\n",
        "\r\n",
        "\n\n",
        "-\n",
        "\n    ",
        "\n> ",
        "\n>> ",
        "\n- ",
        "\n* ",
        " |\n| ",
        "\n# ",
        "\\\n",
        '"\n"',
        "\n \n",
    ),
    *("\x0b", "\x0c", "\u2028", "\n\t"),
)


def numbered(text: str) -> str:
    """Return lines as a tool shows them to a model."""
    return "\n".join(f"{number}: {line}" for number, line in enumerate(text.split("\n"), 9))


def broken(gap: str) -> list[tuple[str, str]]:
    """Return texts with a secret that is broken by `gap`, and the secret."""
    return [
        (f"Card {gap.join(CARD)} ok", "".join(CARD)),
        (f"Our card: {' '.join(CARD[:2])}{gap}{' '.join(CARD[2:])} ok", "".join(CARD)),
        (f"Card {AMEX[0]} {AMEX[1]}{gap}{AMEX[2]}", "".join(AMEX)),
        (f"Account {' '.join(IBAN[:3])}{gap}{' '.join(IBAN[3:])}", "".join(IBAN)),
        (f"Account {gap.join(IBAN)} please", "".join(IBAN)),
    ]


def broken_lines(gap: str) -> list[tuple[str, str]]:
    """Return texts with a secret that a line break cuts within a group."""
    return [
        (f"Account {''.join(IBAN)[:10]}{gap}{''.join(IBAN)[10:]}", "".join(IBAN)),
        (f"Card {''.join(CARD)[:7]}{gap}{''.join(CARD)[7:]}", "".join(CARD)),
        (f"token {GITHUB[:20]}{gap}{GITHUB[20:]}", GITHUB),
        (f"key {OPENAI[:14]}{gap}{OPENAI[14:]}", OPENAI),
        (f"key {OPENAI[:32]}{gap}{OPENAI[32:]}", OPENAI),
        (f"key {AMAZON[:10]}{gap}{AMAZON[10:]}", AMAZON),
        (f"password:{gap}{PASSWORD}", PASSWORD),
    ]


SPELLINGS = [each for gap in (*MARKS, *BREAKS) for each in broken(gap)]
SPELLINGS += [each for gap in BREAKS for each in broken_lines(gap)]


def left(masked: str, secret: str) -> int:
    """Return how many characters of a secret still stand in a row in a masked text, other marks aside."""
    text = re.sub(r"(?m)^\d{1,2}: |\{\{\w+\}\}", "", masked)
    text, wanted = "".join(filter(str.isalnum, text)), "".join(filter(str.isalnum, secret))
    ranges = product(range(len(wanted)), range(1, len(wanted) + 1))
    return max((end - start for start, end in ranges if end > start and wanted[start:end] in text), default=0)


def test_hundreds_of_spellings_are_masked() -> None:
    assert len(SPELLINGS) > 300
    seen = [(text, SecretMask().mask(numbered(text))) for text, _ in SPELLINGS]
    leaks = [text for (text, secret), (_, masked) in zip(SPELLINGS, seen, strict=True) if left(masked, secret) > 6]
    assert leaks == []


@pytest.mark.parametrize(
    "text",
    [
        "2019 | 4120 | 2021 | 2022\n4111 | 1111 | 1111 | 1111",  # figures in a table: no word says that it is a card
        "4111\n1111\n1111\n1111",
        "Card holders: 4111 | 1111 | 1111 | 1112",
        "ask-\nforce and sk-\nold words of a text that goes on",
        "The password:\n\nAsk Ada for it.",
        "Fields: name, password, role\nask-for-1, which-2 field-3, is-4567890",
        "DE89 3704 0044 0532\n0130 01",
        "hf_\nis the prefix of a token",
        "1: Chapter 12\n2: 4111 1111\n3: 2222 3333",
    ],
)
def test_figures_and_words_are_no_broken_secrets(text: str) -> None:
    assert list(find_secrets(text)) == []


@pytest.mark.parametrize(
    ("table", "kept"),
    [
        ("user,password,note\nada,hunter2-Zx9,old\nbob,Tr0ub4dor&3,new", ("ada", "old", "bob", "new")),
        (
            "7: | User | **Password** |\n8: | --- | --- |\n9: | ada | hunter2-Zx9 |\n10: | bob | Tr0ub4dor&3 |",
            ("ada", "bob"),
        ),
        ('"name";"Passwort"\n"ada";"hunter2-Zx9"\n"bob";"Tr0ub4dor&3"', ("ada", "bob")),
        ("user\tapi_key\nada\thunter2-Zx9\nbob\tTr0ub4dor&3\n\nlast\tword-12345", ("ada", "word-12345")),
    ],
)
def test_a_column_of_passwords_is_masked(table: str, kept: tuple[str, ...]) -> None:
    masked = SecretMask().mask(table)
    assert "hunter2" not in masked
    assert "Tr0ub4dor" not in masked
    assert all(word in masked for word in kept)


def test_words_below_a_whole_token_stay() -> None:
    masked = SecretMask().mask(f"{GITHUB}\nNothing else is secret.")
    assert masked == "{{token_1}}\nNothing else is secret."


@pytest.mark.parametrize("piece", ["sk-", "4111 ", "DE89\n", "password:\n", "ghp_a\n", "1234\n", "AKIA|", "12: \n"])
def test_hostile_texts_are_searched_in_linear_time(piece: str) -> None:
    list(find_secrets(piece * (40_000 // len(piece))))
