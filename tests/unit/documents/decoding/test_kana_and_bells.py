"""Japanese that is valid Korean, and texts with the control characters of terminals."""

import pytest

from desktop_rag.documents.decoding.encodings import decode
from desktop_rag.errors import DocumentError

JAPANESE = "賃貸借契約書の家賃は月額八万円です。契約期間は二年間とします。"
KOREAN = "임대차 계약서의 보증금은 삼천만원입니다. 계약을 해지할 수 있습니다."


@pytest.mark.parametrize(("text", "encoding"), [(JAPANESE, "euc_jp"), (JAPANESE, "cp932"), (KOREAN, "cp949")])
def test_east_asian_texts_are_told_apart(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


def test_a_log_with_bells_is_text() -> None:
    assert decode(b"alert\x07\x07 the bilge alarm\n" * 5).split("\n")[0].split() == ["alert", "the", "bilge", "alarm"]


def test_overstruck_letters_of_a_man_page_are_single() -> None:
    assert decode(b"N\x08NA\x08AM\x08ME\x08E\n_\x08f_\x08i_\x08l_\x08e\n") == "NAME\nfile\n"


def test_what_is_typed_over_is_gone() -> None:
    log = b"rate 10%\x08\x08\x0825%\r\nmis\x08\x08\x08fixed\x08\r\n\x08done a\x08_\n"
    assert decode(log) == "rate 25%\nfixed\ndone a\n"


def test_bytes_are_still_no_text() -> None:
    with pytest.raises(DocumentError):
        decode(bytes(range(1, 32)) * 40)
