"""Secrets as people, settings, files and command lines write them, and words that only look so.

Each line of `written_secrets.txt` is one written form, its secrets within ⟦ and ⟧; \\n stands for a line break.
"""

import re
from itertools import product
from pathlib import Path

import pytest

from desktop_rag.text.hidden_characters import as_data
from desktop_rag.text.secrets import SecretMask, find_secrets

_FORMS = [
    form.replace("\\n", "\n") if "\\\\" not in form else form
    for form in Path(__file__).with_name("written_secrets.txt").read_text("utf-8").splitlines()
]
_NOT_FOUND = {  # no label, or one that says something else far more often
    *("password is ⟦mellow-yellow⟧", "RADIUS shared secret ⟦testing123⟧", "Our NAS: user backup, pass ⟦N4sB4ckup!⟧"),
    *("The vault opens with ⟦19-44-07⟧", "Front door: ⟦8891#⟧", "Keypad at gate B takes ⟦2214⟧"),
    *("iTAN Nr. 14: ⟦553201⟧", "Code für den Fahrradkeller: ⟦3391⟧"),
}
_WORDS = ("password", "WLAN-Passwort", "Mot de passe", "Contraseña", "La parola d'ordine", "密码", "DB_PASSWORD", "PW")
_CODES = ("PIN", "door code", "Geheimzahl", "Zugangscode", "código de acceso", "codice PIN", "验证码")
_KEYS = ("API key", "client_secret", "clientSecret", "WLAN-Schlüssel", "clé API", "chiave API")
_LINKS = (": ", "=", " = ", "：", " => ", " for the router: ", " (admin): ", " | ", "**: ", " is ", " lautet ", " è ")
_QUOTES = ("{}", '"{}"', "'{}'", "“{}”", "„{}“", "«{}»", "`{}`", "{}.", "({})")
_VALUES = ((_WORDS, ("Tr0ub4dor&3", "blau-Wal-77")), (_CODES, ("4829", "90817263")), (_KEYS, ("kX93vvA1Lm",)))


def _left(text: str, form: str) -> list[str]:
    """Return the secrets of a form of which more than half can still be read in its masked text."""
    said = re.sub("⟦.*?⟧", "", form, flags=re.DOTALL)
    return [
        secret
        for secret in re.findall("⟦(.*?)⟧", form, re.DOTALL)
        if any(
            part not in said and part in text
            for start in range(len(secret))
            for part in [secret[start : start + max(3, len(secret) // 2 + 1)]]
            if len(part) >= max(3, len(secret) // 2 + 1)
        )
    ]


def test_written_forms_are_masked() -> None:
    assert len(_FORMS) > 330
    missed = {form for form in _FORMS if _left(SecretMask().mask(re.sub("[⟦⟧]", "", form)), form)}
    assert missed == _NOT_FOUND


def test_a_value_is_found_behind_each_label_link_and_quotation_mark() -> None:
    missed = []
    for labels, values in _VALUES:
        for label, link, quote, value in product(labels, _LINKS, _QUOTES, values):
            text = f"{label}{link}{quote.format(value)}"
            if value in SecretMask().mask(text):
                missed.append(text)
    assert missed == []


@pytest.mark.parametrize(
    "text",
    [
        *("The password is required.", "password: required", "Password: see the envelope", "a password-protected file"),
        *("password = os.environ['DB_PASSWORD']", "password=get_password(1)", "password: str", "pass the salt, Ann2"),
        *(
            "PIN 12 carries 5 volts",
            "the code of conduct: 2019",
            "error code: 4040",
            "Postal code: 8001",
            "compass: N12",
        ),
        *(
            "prompt_tokens: 8102",
            "public_key = key.public()",
            "The safe distance is 1500 m",
            "csv: 20",
            "key: C# minor",
        ),
        *("mkdir -p build/2024", "ssh -p 2222 host", "docker run -p 8080:80 nginx", "cp -pr a1b2c3 d4"),
        *(
            "/srv/root/build-160/x1.md",
            "/var/builds-of-root/build-160/a",
            "/home/root/admin/Report-2024.pdf",
            "root/lease3",
        ),
        *(r"C:\Users\admin\Reports24\pw list1\a.txt", "https://e.example/admin/v2beta1/key", "src/admin/page2.py"),
        *(
            "/home/ada/Passwords 2024/list1.txt",
            "/srv/secret/plan2024b",
            "~/keys/password/v2reset",
            "file:///srv/root/a1b2c3",
        ),
        *("12:30:45:00:aa1", "2019-05-06T12:00:00Z2019-05-06T12:00:00Z", "PASSWORD=$DB_PASSWORD", "password: <yours1>"),
    ],
)
def test_ordinary_lines_stay(text: str) -> None:
    assert list(find_secrets(text)) == []


@pytest.mark.parametrize(
    "written",
    [
        *("pass\u200bword: {}", "password:\u00a0{}", "ｐａｓｓｗｏｒｄ：{}", "pass\u00adword: {}", "password&#58; {}"),
        *("12: password:\n13: {}", "PASSWORT:{}", "password\u2028{}", "password\t\t\t{}", "pwd\r\n{}", "password:: {}"),
        *(
            "password :- {}",
            "[password]({})",
            "`password`: `{}`",
            "<b>password</b>: {}",
            "password → {}",
            "| password | {}",
        ),
        *("password\\: {}", "_password_: {}", "> password: {}", "- [ ] password: {}", "password\n=> {}"),
        *("PASS\u0130: x password: {}", "password:                              {}", "password;{}", "password({})"),
    ],
)
def test_a_label_is_read_however_it_is_written(written: str) -> None:
    assert "hunter2x9" not in SecretMask().mask(as_data(written.format("hunter2x9")))


def test_a_column_of_codes_below_its_name_is_masked() -> None:
    assert SecretMask().mask("| name | card PIN |\n| ada | 4829 |") == "| name | card PIN |\n| ada | {{password_1}} |"
    assert SecretMask().mask("Zugangscode:\n2580\n") == "Zugangscode:\n{{password_1}}\n"


@pytest.mark.parametrize(
    "piece",
    ["password ", "code der ", "machine x login ", "a-", "curl -u ", "pin (", "key: ", "a:1:", "Pass" + "word" * 9],
)
def test_hostile_labels_are_searched_in_linear_time(piece: str) -> None:
    list(find_secrets(piece * (40_000 // len(piece))))
