"""What is found as a secret, and how it is masked and put back."""

import pytest

from desktop_rag.text.secrets import SecretMask, Surroundings, cut_outside, find_secrets


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
        ("Rijksregister 85.07.30-033.28", "id", "85.07.30-033.28"),
        ("CPF 529.982.247-25", "id", "529.982.247-25"),
        ("henkilötunnus 131052-308T", "id", "131052-308T"),
        ("personnummer 19811218-9876", "id", "19811218-9876"),
        ("주민등록번호 900101-1234568", "id", "900101-1234568"),
        ("Steuer-ID 86 095 742 719", "id", "86 095 742 719"),
        ("PESEL 44051401359", "id", "44051401359"),
        ("fødselsnummer 010107 50160", "id", "010107 50160"),
        ("BSN: 111222333", "id", "111222333"),
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


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *((f"4111{gap}1111{gap}1111{gap}1111", "card") for gap in "\u00a0\u2007\u2009\u202f\u2010\u2011\u2013."),
        ("4111 1111\n1111 1111", "card"),
        *(("order 1234 4111 1111 1111 1111 123", "card"), ("a,4111111111111111,1", "card")),
        *(("\uff14" + "111" + 3 * " 1111", "card"), ("3782 822463 10005", "card")),
        *((f"DE89{gap}3704{gap}0044{gap}0532{gap}0130{gap}00 Bank", "iban") for gap in ("\u00a0", "-", " ")),
        ("de89370400440532013000", "iban"),
        *(("DE89 3704 0044\n0532 0130 00", "iban"), ("BE68 5390 0754 7034 KRED", "iban")),
        *(("glpat-abcdefghijklmnopqrst", "token"), ("sk-proj-abcdefghijklmnopqrst", "token")),
        *(("12: 4111 1111\n13: 1111 1111", "card"), ("9: DE89 3704 0044\n10: 0532 0130 00", "iban")),
        ("MIIEpAIBAAKCAQEA0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM7", "key"),
        ("eyJhbGciOiJIUzI.eyJzdWIiOiJhZGE.dozjgNryPJjVmNHlw", "token"),
        *((f"{name}{value}", "password") for name, value in (
            ("DB_PASSWORD=", "hunter22"), ("**Password:** ", "hunter22"), ("<password>", "hunter22</password>"),
            ("| Password ", "| hunter22 |"), ("The password is ", "“hunter22”."), ("password = ", '"hunter 22 two"'),
            ("mot de passe : ", "Soleil2024"), ("密码:", "Soleil2024"), ("PIN: ", "1234"),
            ("Authorization: Bearer ", "abcdef0123456789"), ("?sv=1&sig=", "abc%2Bdef0123"),
        )),
    ],
)  # fmt: skip
def test_secrets_are_found_as_people_write_them(text: str, kind: str) -> None:
    assert [found.kind for found in find_secrets(text)] == [kind]


def test_a_value_does_not_come_back_in_an_address() -> None:
    mask = SecretMask()
    card = mask.mask("4111 1111 1111 1111")
    assert mask.restore(f"{card} [x](http://e.example/{card}) {card}").count("4111") == 2
    assert mask.restore(f"{card}&more", "see https://e.example/?a=") == f"{card}&more"
    assert mask.restore(f"{card}", "see https://e.example/ ") == "4111 1111 1111 1111"


def test_a_text_is_not_cut_within_a_secret() -> None:
    text = "x" * 900 + " card 4111 1111 1111 1111 and more"
    assert {cut_outside(text, place) for place in range(907, 925)} == {906}
    assert [cut_outside(text, place) for place in (0, 900, 906, 925, len(text))] == [0, 900, 906, 925, len(text)]


def test_a_chosen_word_is_masked_in_every_way_of_writing() -> None:
    mask = SecretMask(("Straße X", "Übergröße"))
    for text in ("Straße\u00a0X", "STRASSE\nX", "strasse-x", "Stra-\nße X", "U\u0308bergro\u0308ße", "\uff33traße X"):
        assert mask.mask(text).startswith("{{word_"), text


def test_a_masked_value_stays_masked_without_its_context() -> None:
    mask = SecretMask()
    text = "password: hunter2-Zx9, and a search for hunter2-Zx9"
    masked = mask.mask(text)
    assert masked == "password: {{password_1}}, and a search for {{password_1}}"
    assert mask.mask("“hunter2-Zx9” stands nowhere else") == "“{{password_1}}” stands nowhere else"
    assert mask.restore(masked) == text


def test_a_password_ends_before_a_closing_quotation_mark() -> None:
    masked = SecretMask().mask(
        "It says “password: hunter2secret99”, not »password=abcdefgh12«. password: hunter2secret99"
    )
    assert masked == "It says “password: {{password_1}}”, not »password={{password_2}}«. password: {{password_1}}"


def test_chosen_words_are_masked_in_any_case_and_spacing() -> None:
    mask = SecretMask(("Blue  Heron",), secrets=False)
    assert mask.mask("blue\nheron and password: hunter2-Zx9") == "{{word_1}} and password: hunter2-Zx9"


def masked(text: str, start: int, end: int, *words: str) -> str:
    mask = SecretMask(words)
    mask.learn(Surroundings(text, start, end))
    return mask.mask(text[start:end])


def test_a_part_shows_nothing_that_its_surroundings_show_to_be_secret() -> None:
    text = "The password of toucan:\n\nQw8rTz55pLm\n"
    start = text.index("Qw8")
    assert masked(text, start, len(text)) == "{{password_1}}\n"
    assert masked(text, start + 3, len(text)) == "{{password_1}}\n"
    assert masked("about Blue\nHarbour today", 0, 10, "Blue Harbour") == "abou{{word_1}}"
    assert masked("about Blue\nHarbour today", 11, 24, "Blue Harbour") == "{{word_1}} today"
    assert masked("with Falkenstein today", 8, 22, "Falkenstein") == "{{word_1}} today"


def test_of_a_row_below_its_header_only_the_cell_of_the_password_is_masked() -> None:
    text = "| user | host | password |\n| user35 | host35 | Zk35vbQ7mm |\n"
    assert SecretMask().mask(text) == "| user | host | password |\n| user35 | host35 | {{password_1}} |\n"


def test_what_was_learned_holds_though_its_surroundings_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_rag.text.secrets._REMEMBERED", 3)
    mask = SecretMask()
    for number in range(10):
        value = f"Zk{number}vbQ7mmx"
        mask.learn(Surroundings(f"password: {value}", 10, 10 + len(value)))
    assert len(mask._learned) == 3
    assert mask.mask("Zk0vbQ7mmx and Zk9vbQ7mmx") == "{{password_1}} and {{password_10}}"
    assert mask.mask("Zk0vbQ7mmx and Zk9vbQ7mmx") == "{{password_1}} and {{password_10}}"
