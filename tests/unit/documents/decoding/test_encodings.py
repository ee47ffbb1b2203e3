import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.documents.decoding.charsets import decode_as
from desktop_rag.documents.decoding.encodings import clean, decode
from desktop_rag.errors import DocumentError

GERMAN = "Die Kündigungsfrist beträgt drei Monate. Größe, Maß und Übermut; die Vögel hören schöne Töne. "
RUSSIAN = "Срок уведомления составляет три месяца. Договор аренды может быть расторгнут любой стороной. "
JAPANESE = "解約の予告期間は三か月です。借主は毎月の家賃を支払う義務があります。これはテストの文章です。"
GREEK = "Η προθεσμία ειδοποίησης είναι τρεις μήνες. Ο μισθωτής υποχρεούται να πληρώνει το ενοίκιο κάθε μήνα. "


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp", "Cn"]), min_size=1))
def test_utf_8_is_decoded(text: str) -> None:
    assert decode(b"\xef\xbb\xbf" + text.encode()) == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "cp1252"),
        (GERMAN, "utf-16-le"),
        (GERMAN, "utf-16-be"),
        (GERMAN, "utf-32-le"),
        (GERMAN * 5, "mac_roman"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8_r"),
        (RUSSIAN, "utf-16-le"),
        (JAPANESE, "cp932"),
        (JAPANESE, "euc_jp"),
        (JAPANESE, "iso2022_jp"),
        (JAPANESE, "utf-16-be"),
        (GREEK, "cp1253"),
    ],
)
def test_text_in_an_old_or_wide_encoding_is_recognised(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize(
    ("bom", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_byte_order_mark_decides_the_encoding_and_is_removed(bom: bytes, encoding: str) -> None:
    assert decode(bom + "Zürich".encode(encoding)) == "Zürich"


def test_a_short_western_text_is_read_without_statistics() -> None:
    assert decode("Grüße aus Köln".encode("cp1252")) == "Grüße aus Köln"


def test_a_log_truncated_inside_a_character_is_still_utf_8() -> None:
    assert decode((GERMAN * 3 + "ü").encode()[:-1]) == GERMAN * 3 + "\ufffd"


def test_windows_and_old_mac_line_ends_become_newlines() -> None:
    assert decode(b"a\r\nb\rc\nd") == "a\nb\nc\nd"


def test_terminal_colour_codes_are_removed() -> None:
    assert decode(b"\x1b[31merror\x1b[0m: disk full") == "error: disk full"


@given(st.text())
def test_clean_text_has_no_line_end_but_the_newline_and_no_broken_character(text: str) -> None:
    cleaned = clean(text)
    assert cleaned.splitlines() == (cleaned.removesuffix("\n").split("\n") if cleaned else [])
    assert "\0" not in cleaned
    cleaned.encode("utf-8")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(range(64)), "picture"),
        (b"PK\x03\x04" + bytes(64), "ZIP"),
        (bytes(range(256)) * 40, "binary"),
        (b"header\n" + b"\x00\x01\x02\x03" * 500, "binary"),
    ],
)
def test_binary_data_is_refused_by_what_it_is(data: bytes, what: str) -> None:
    with pytest.raises(DocumentError, match=what):
        decode(data)


# Texts with few letters that distinguish their code page from related ones.
CZECH = "Odstranit vybrané položky, které už nejsou potřeba. Pokud to není možné, musí být smlouva ukončena. "
POLISH = "Umowa może być rozwiązana, jeżeli najemca nie płaci czynszu. Który z nich będzie właściwy, to się okaże. "
CROATIAN = "Molimo unesite ispravno ime. Ako je već uneseno, može se promijeniti samo uz dopuštenje koje će biti dano. "
ROMANIAN = "Chiriaşul plăteşte chiria în fiecare lună şi nu poate să o reducă. "
TURKISH = "Kiracı kirayı her ay öder ve sözleşme için çok önemli bir koşul olarak değer taşır, ama daha sonra değişir. "
LATVIAN = "Lūdzu ievadiet pareizu vārdu un paroli, jo tas nav pieejams visiem, kas šo līgumu var mainīt vēlāk. "
SPANISH = "El inquilino debe pagar la renta cada año, según está escrito en el contrato que firmó. "
UKRAINIAN = "Орендар сплачує щомісяця, якщо він не має іншої угоди, і це є його обов’язком для всіх. "
HEBREW = "השוכר משלם את שכר הדירה כל חודש, אלא אם כן נכתב אחרת בחוזה של הדירה. "
ARABIC = "يدفع المستأجر الإيجار في كل شهر من السنة إلى المالك على أن يكون ذلك قبل اليوم الأول. "
CHINESE = "承租人应当按月支付租金，解除合同的通知期为三个月。"
KOREAN = "임차인은 매월 임대료를 지불해야 하며, 해지 통지 기간은 3개월입니다. "


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        *((CZECH, page) for page in ("cp1250", "iso8859_2", "cp852")),
        *((POLISH, page) for page in ("cp1250", "iso8859_2", "cp852")),
        *((GERMAN, page) for page in ("cp1252", "cp850", "mac_roman")),
        *((RUSSIAN, page) for page in ("cp1251", "koi8_r", "cp866", "iso8859_5", "mac_cyrillic")),
        *((UKRAINIAN.replace("’", "'"), page) for page in ("cp1251", "koi8_u")),
        (CROATIAN, "cp1250"),
        (ROMANIAN, "cp1250"),
        (TURKISH, "cp1254"),
        (LATVIAN, "cp1257"),
        (SPANISH, "cp1252"),
        (GREEK, "iso8859_7"),
        (HEBREW, "cp1255"),
        (ARABIC, "cp1256"),
        (ARABIC.replace("،", ","), "iso8859_6"),
        *((CHINESE * 3, page) for page in ("gb18030", "big5")),
        *((KOREAN, page) for page in ("cp949", "johab")),
    ],
)
def test_a_code_page_is_detected_by_the_words_it_yields(text: str, encoding: str) -> None:
    text = text.encode(encoding, "ignore").decode(encoding)
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", [RUSSIAN, GREEK, HEBREW, ARABIC, JAPANESE, CHINESE * 2, KOREAN, CZECH])
def test_utf_16_of_any_script_is_detected_without_a_mark(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize(
    "data",
    [
        b"".join(number.to_bytes(4, "little") for number in range(2000)),
        b"".join((number * 37 % 30000).to_bytes(2, "little") for number in range(4000)),
        b"\x00\x01" * 3000,
    ],
)
def test_binary_integers_are_not_utf_16_text(data: bytes) -> None:
    with pytest.raises(DocumentError, match="binary"):
        decode(data)


@pytest.mark.parametrize("encoding", ["cp1252", "mac_roman", "cp850"])
def test_the_code_page_of_a_list_of_names_is_detected_by_its_letters(encoding: str) -> None:
    towns = "".join(
        f"{n};{town}\n" for n, town in enumerate(("Lübeck", "Köln", "Rostock", "Gießen", "Aßlar", "Bärnau") * 9)
    )
    assert decode(towns.encode(encoding)) == towns


@pytest.mark.parametrize(
    ("charset", "codec", "text"),
    [
        ("cp10000", "mac_roman", "Café"),
        ("cp10006", "mac_greek", "Λιμάνι"),
        ("cp10007", "mac_cyrillic", "Лодки"),
        ("cp10029", "mac_latin2", "Łódź"),
    ],
)
def test_windows_numbers_of_macintosh_code_pages_are_known(charset: str, codec: str, text: str) -> None:
    assert decode_as(text.encode(codec), charset) == text
