"""What is found as a secret, and how it is masked and put back."""

import pytest

from desktop_rag.text.secrets import SecretMask, find_secrets


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("key AKIAIOSFODNN7EXAMPLE here", "token", "AKIAIOSFODNN7EXAMPLE"),
        ("password: hunter2-Zx9", "password", "hunter2-Zx9"),
        ("see https://ada:s3cret!@example.org/x", "password", "s3cret!"),
        ("IBAN GB82 WEST 1234 5698 7654 32.", "iban", "GB82 WEST 1234 5698 7654 32"),
        ("card 4111 1111 1111 1111, please", "card", "4111 1111 1111 1111"),
        ("SSN 078-05-1120", "id", "078-05-1120"),
        ("AHV 756.9217.0769.85", "id", "756.9217.0769.85"),
        ("National insurance AB 12 34 56 C.", "id", "AB 12 34 56 C"),
        ("codice fiscale RSSMRA85T10A562S", "id", "RSSMRA85T10A562S"),
        ("DNI 12345678Z, NIE kept", "id", "12345678Z"),
        ("NIE X1234567L", "id", "X1234567L"),
        ("NIR 2 55 08 14 168 025 38", "id", "2 55 08 14 168 025 38"),
        ("身份证 11010519491231002X", "id", "11010519491231002X"),
    ],
)
def test_secrets_are_found_by_their_form(text: str, kind: str, value: str) -> None:
    (found,) = find_secrets(text)
    assert (found.kind, text[found.start : found.end]) == (kind, value)


@pytest.mark.parametrize(
    "text",
    [
        *("card 4111 1111 1111 1112", "GB83 WEST 1234 5698 7654 32", "the password: ask Ada", "2024-05-06, 12.5 %"),
        *("DNI 12345678A", "NIR 2 55 08 14 168 025 39", "110105194912310021", "756.9217.0769.86"),
    ],
)
def test_wrong_check_digits_and_plain_words_are_no_secrets(text: str) -> None:
    assert list(find_secrets(text)) == []


def test_a_masked_value_stays_masked_without_its_context() -> None:
    mask = SecretMask()
    text = "password: hunter2-Zx9, and a search for hunter2-Zx9"
    masked = mask.mask(text)
    assert masked == "password: {{password_1}}, and a search for {{password_1}}"
    assert mask.mask("“hunter2-Zx9” stands nowhere else") == "“{{password_1}}” stands nowhere else"
    assert mask.restore(masked) == text


def test_chosen_words_are_masked_in_any_case_and_spacing() -> None:
    mask = SecretMask(("Blue  Heron",), secrets=False)
    assert mask.mask("blue\nheron and password: hunter2-Zx9") == "{{word_1}} and password: hunter2-Zx9"
