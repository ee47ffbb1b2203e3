import base64
import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.errors import ModelRefused
from desktop_rag.llm.redaction import HIDDEN, Redactor, basic_credentials, redactor, usable_key, without_credentials

KEY = "sk-Ab3/+é\"'\\x9z"


@pytest.mark.parametrize(
    "spelling",
    [
        KEY,
        KEY.upper(),
        repr(KEY),
        repr(KEY.encode()),
        json.dumps(KEY),
        json.dumps({"headers": {"Authorization": f"Bearer {KEY}"}}),
        quote(KEY, safe=""),
        quote(KEY),
        base64.b64encode(KEY.encode()).decode(),
        KEY.encode().hex(),
        f"Illegal header value b'Bearer {KEY}\\r'",
    ],
)
def test_a_key_is_removed_in_every_spelling(spelling: str) -> None:
    shown = redactor(KEY)(f"The server said {spelling}, then nothing.")
    assert HIDDEN in shown
    for part in ("Ab3", "AB3", "9z", base64.b64encode(KEY.encode()).decode()[:10], KEY.encode().hex()[:12]):
        assert part not in shown


def test_a_key_over_two_lines_is_removed_line_by_line() -> None:
    assert redactor("sk-first\nsk-second\r\n")("no: sk-second, sk-first") == f"no: {HIDDEN}, {HIDDEN}"


@pytest.mark.parametrize(
    "spelling",
    [
        r"sk-Ab3\/+Zx9=w&7Qm",
        r"sk-Ab3/\u002BZx9\u003dw\u00267Qm",
        "sk-Ab3/&#43;Zx9&#61;w&amp;7Qm",
        "".join(f"\\u{ord(letter):04x}" for letter in "sk-Ab3/+Zx9=w&7Qm"),
        base64.b64encode(b"Bearer sk-Ab3/+Zx9=w&7Qm").decode(),
        base64.b64encode(b"me:sk-Ab3/+Zx9=w&7Qm").decode(),
        base64.urlsafe_b64encode(b"user:sk-Ab3/+Zx9=w&7Qm").decode(),
    ],
)
def test_a_key_is_removed_from_escapes_and_from_longer_encodings(spelling: str) -> None:
    key = "sk-Ab3/+Zx9=w&7Qm"
    shown = redactor(key)(f"refused: {spelling}!")
    assert HIDDEN in shown
    kept = shown.replace(HIDDEN, "")
    assert len(kept) <= len("refused: !") + 14, "at most the words before the key, encoded"


def test_a_token_as_the_user_of_an_address_is_removed() -> None:
    assert redactor("")("GET http://tok-1234567@host/v1 failed") == f"GET http://{HIDDEN}@host/v1 failed"
    redact = redactor("", "http://tok-1234567@host/v1")
    assert redact("401 for tok-1234567") == f"401 for {HIDDEN}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http://admin:hunter22@host/v1?api_key=abcdefgh12", f"http://{HIDDEN}@host/v1?api_key={HIDDEN}"),
        ("Authorization: Bearer other-key-123", f"Authorization: Bearer {HIDDEN}"),
        ('{"api_key": "abcdefgh12"}', f'{{"api_key": "{HIDDEN}"}}'),
        ("Basic dXNlcjpwYXNz, please", f"Basic {HIDDEN}, please"),
        (
            "The rent is due on the 3rd: see https://example.org/a:b",
            "The rent is due on the 3rd: see https://example.org/a:b",
        ),
    ],
)
def test_what_looks_like_a_credential_is_removed(text: str, shown: str) -> None:
    assert Redactor()(text) == shown


def test_the_password_of_an_address_is_removed_however_it_is_written() -> None:
    redact = redactor("", "https://user:p%40ss-word@host/v1")
    for spelling in ("p%40ss-word", "p@ss-word", base64.b64encode(b"user:p@ss-word").decode()):
        assert redact(f"({spelling})").rstrip("=)") == f"({HIDDEN}"


@given(st.text(min_size=4).filter(lambda key: len(key.strip()) >= 4), st.text(), st.text())
def test_no_text_with_the_key_keeps_it(key: str, before: str, after: str) -> None:
    assert key not in Redactor(key).secrets_only(before + key + after) or key in HIDDEN


def test_white_space_around_a_key_is_removed() -> None:
    assert usable_key(" sk-key\r\n") == "sk-key"


@pytest.mark.parametrize(
    ("key", "kind"), [("sk\nkey", "a line break"), ("sk key", "a space"), ("sk\x07key", "unusual")]
)
def test_a_key_that_no_header_can_carry_is_refused_without_being_quoted(key: str, kind: str) -> None:
    with pytest.raises(ModelRefused, match=kind) as caught:
        usable_key(key)
    assert "sk" not in str(caught.value)


def test_credentials_of_an_address() -> None:
    assert basic_credentials("http://us%65r:pa%3Ass@host/v1") == f"Basic {base64.b64encode(b'user:pa:ss').decode()}"
    assert basic_credentials("http://host/v1") == ""
    assert without_credentials("http://user:pass@host:1/v1") == "http://host:1/v1"
    assert without_credentials("http://host/a@b") == "http://host/a@b"
